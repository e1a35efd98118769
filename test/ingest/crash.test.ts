/**
 * Ingest processes that are killed at fault points between count, insert and completion lose no play and count none
 * twice. Real processes on real Redis, ClickHouse and Postgres.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { own } from '#engines/processes/owned.ts';
import { handle } from '../support/handle.ts';
import { openHarness, type Harness } from './harness.ts';
import { factsOf, reportOf } from './reports.ts';
import { programOf } from '../../runtime/programs/program.ts';

const PLAYS = 40;
const COST = 5_000;

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

/** An ingest process that dies at a fault point. Resolves when it is dead. */
async function dieAt(fault: string): Promise<string> {
  const { file, execArgv } = programOf('ingest/main.ts');
  const child = spawn(process.execPath, [...execArgv, file], {
    stdio: 'ignore',
    env: {
      ...process.env,
      FAULT: fault,
      LOG_LEVEL: 'silent',
      DATABASE_URL: harness.postgres.url,
      REDIS_URL: harness.redisUrl,
      CLICKHOUSE_URL: harness.clickhouse.url,
      SIGNING_KEYS: `1:${Buffer.alloc(16, 7).toString('base64')}`,
    },
  });
  void own(child, 'program');
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return String(signal);
}

test('workers killed between count and insert, and between insert and completion, lose nothing and count nothing twice', async () => {
  await harness.authority.hand(handle('campaign', 1), 1_000_000);
  await harness.authority.grant(handle('campaign', 1), 1, 1, 1_000_000);
  const plays = (from: number) => Array.from({ length: PLAYS }, (_, i) => reportOf(factsOf({ issueNumber: from + i })));
  await harness.playQueue.add({ id: 'x-1', plays: plays(0), scans: [], releases: [] });
  expect(await dieAt('ingest.after_count')).toBe('SIGKILL');
  const asOf = await harness.playQueue.asOf();
  // The second batch holds half of the first one's plays, too: they are duplicates whose rows do not exist yet.
  await harness.playQueue.add({
    id: 'x-2',
    plays: [...plays(1_000), ...plays(0).slice(0, 20)],
    scans: [],
    releases: [],
  });
  expect(await dieAt('ingest.after_insert')).toBe('SIGKILL');
  const [inserted] = await harness.rows<{ rows: number }>('select count() as rows from plays_raw');
  expect([PLAYS, 2 * PLAYS]).toContain(Number(inserted!.rows)); // one group or both, but none was completed
  expect(await harness.playQueue.asOf()).toBe(asOf);

  await harness.startWorker();
  await harness.drained(['x-1', 'x-2']);
  expect(
    await harness.rows(
      'select count() as rows, uniqExact(issue_number) as plays, uniqExact(group_id) as groups from plays_raw',
    ),
  ).toEqual([{ rows: 2 * PLAYS, plays: 2 * PLAYS, groups: 2 }]);
  expect(await harness.rows('select sum(plays) as plays, sum(cost_micros) as cost from plays_quarter_hour')).toEqual([
    { plays: 2 * PLAYS, cost: 2 * PLAYS * COST },
  ]);
  expect(await harness.authority.amounts(handle('campaign', 1))).toMatchObject({
    handed: 1_000_000,
    spent: 2 * PLAYS * COST,
    open: 1_000_000 - 2 * PLAYS * COST,
  });
  expect(await harness.playGroups.unsettled(10)).toHaveLength(2);
}, 60_000);
