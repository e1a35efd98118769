/**
 * The whole product by way of Sentinels. The master is killed while screens play, its replica is promoted, and nothing
 * is lost or counted twice.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WHOLE } from '../fault/load/load.ts';
import { SentinelGroup } from '../support/engines/sentinel-group.ts';
import { eventually } from '../support/network.ts';
import { verdictUnderLoad } from './product-under-load.ts';

let group: SentinelGroup;

beforeAll(async () => {
  group = await SentinelGroup.start({
    settings: ['appendonly yes', 'appendfsync always', 'maxmemory-policy noeviction'],
  });
}, 180_000);
afterAll(() => group.stop(), 60_000);

test('a failover under plays loses and doubles nothing: the authority is rebuilt', async () => {
  let generations: number[] = [];
  const verdict = await verdictUnderLoad({
    variables: { REDIS_URL: group.url },
    async strike({ sql }) {
      const generation = async (): Promise<number> =>
        (await sql<{ generation: number }[]>`select generation from authority_life`)[0]!.generation;
      const before = await generation();
      group.kill('master');
      const after = await eventually(async () => {
        const now = await generation();
        return now > before ? now : undefined;
      }, 120_000);
      generations = [before, after];
    },
  });
  expect(verdict).toEqual(WHOLE);
  expect(generations[1]).toBeGreaterThan(generations[0]!);
}, 420_000);
