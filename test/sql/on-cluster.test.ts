import { afterAll, beforeAll, describe } from 'vitest';
import { OwnCluster } from '../support/own-cluster.ts';
import { place } from '../support/redis.ts';

/** The tests of epochs and of the intake once more, on three masters with a shard each; `on-cluster-long.test.ts` has the others. */
let cluster: OwnCluster;

beforeAll(async () => {
  cluster = await OwnCluster.start();
  Object.assign(place, { url: cluster.url, shards: 3 });
});
afterAll(() => cluster.remove());

describe('on a cluster', async () => {
  await import('./epochs.test.ts');
});
describe('on a cluster', async () => {
  await import('../ingest/intake.test.ts');
});
