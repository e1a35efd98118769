import { afterAll, beforeAll, describe, vi } from 'vitest';
import { OwnCluster } from '../support/engines/own-cluster.ts';
import { place } from '../support/engines/redis.ts';

/** What becomes of money and plays when a master of three is rolled back or restarted, or all are emptied. */
let cluster: OwnCluster;

beforeAll(async () => {
  cluster = await OwnCluster.start();
  Object.assign(place, { url: cluster.url, shards: 3, cluster });
});
afterAll(() => cluster.remove());

vi.setConfig({ testTimeout: 120_000 });
describe('on a cluster', async () => {
  await import('./rebuild-authority.test.ts');
});
