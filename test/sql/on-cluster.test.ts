/**
 * The tests of epochs and of the play queue once more, on three masters with a shard each; `on-cluster-long.test.ts`
 * has the others.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { OwnCluster } from '../support/engines/own-cluster.ts';
import { place } from '../support/engines/redis.ts';

let cluster: OwnCluster;

beforeAll(async () => {
  cluster = await OwnCluster.start();
  Object.assign(place, { url: cluster.url, shards: 3 });
});
afterAll(() => cluster.remove());

describe('on a cluster', async () => {
  await import('../authority/epochs.test.ts');
});
describe('on a cluster', async () => {
  await import('../ingest/play-queue.test.ts');
});
