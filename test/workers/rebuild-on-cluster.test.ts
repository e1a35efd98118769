/**
 * The tests of rebuild-authority.test.ts on a Redis cluster: one of three masters is rolled back or restarted, or all
 * are emptied. It starts the cluster, and then runs the tests of the other file.
 */
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { OwnCluster } from '../support/engines/own-cluster.ts';
import { place } from '../support/engines/redis.ts';

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
