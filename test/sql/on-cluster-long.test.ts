/**
 * The model of the authority, the budget side of delivery and the limiter once more, on three masters with a shard
 * each.
 */
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { OwnCluster } from '../support/engines/own-cluster.ts';
import { place } from '../support/engines/redis.ts';

let cluster: OwnCluster;

beforeAll(async () => {
  cluster = await OwnCluster.start();
  Object.assign(place, { url: cluster.url, shards: 3 });
});
afterAll(() => cluster.remove());

vi.setConfig({ testTimeout: 300_000 });
describe('on a cluster', async () => {
  await import('../authority/authority.test.ts');
});
describe('on a cluster', async () => {
  await import('../delivery/money/epoch-keeper.test.ts');
});
describe('on a cluster', async () => {
  await import('../api/rate-limit/limiter.test.ts');
});
