/**
 * The queue between delivery and ingest: what `as_of` says while batches are pending, how batches are joined into
 * groups, and how an insert is tried again. The real scripts in a real Redis, whose time the test moves.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGroups, type Groups } from '../../ingest/groups.ts';
import { streamKeys } from '../../ingest/queue/stream-keys.ts';
import { createPlayGroups, type PlayGroups } from '../../ingest/queue/play-groups.ts';
import { createPlayQueue, type PlayQueue } from '../../ingest/queue/play-queue.ts';
import { applyReleases } from '../../ingest/queue/releases.ts';
import { allShards } from '#authority/authority-keys.ts';
import { createAuthority } from '#authority/authority.ts';
import { redisNow } from '#authority/redis-clock.ts';
import { openRedis, redisReady, type Redis } from '../../sql/redis.ts';
import { beginAuthority, freshRedisUrl } from '../support/engines/databases.ts';
import { emptyRedis, openFreshRedis } from '../support/engines/redis.ts';
import { handle } from '../support/handle.ts';

const keys = streamKeys('plays', 0);
const INSERT_MS = 15_000;
let redis: Redis;
let playQueue: PlayQueue;
let playGroups: PlayGroups;
let groups: Groups;

beforeAll(async () => {
  redis = await openFreshRedis();
});
beforeEach(async () => {
  await emptyRedis(redis);
  playQueue = createPlayQueue({ redis });
  playGroups = createPlayGroups({ redis });
  groups = createGroups(redis, keys);
});
afterAll(() => redis.disconnect());

const add = async (id: string): Promise<number> =>
  (await playQueue.add({ id, plays: [], scans: [], releases: [] })).addedAt;
const advance = (ms: number): Promise<unknown> =>
  Promise.all(allShards(redis).map(({ clock }) => redis.incrby(clock, ms)));
const finish = (group: string, jobsWithDuplicates: string[] = [], releases: { job: string; member: string }[] = []) =>
  groups.finish(group, { jobsWithDuplicates, releases, settle: true });

describe('as_of', () => {
  test('is the current time while nothing is pending, and otherwise the time of the oldest incomplete batch', async () => {
    const before = await redisNow(redis);
    expect(await playQueue.asOf()).toBeGreaterThanOrEqual(before);
    const first = await add('a');
    await advance(1_000);
    const second = await add('b');
    await advance(1_000);
    expect(await playQueue.asOf()).toBe(first);
    const [groupA] = await groups.form(['a']);
    const [groupB] = await groups.form(['b']);
    await finish(groupB!.name);
    expect(await playQueue.asOf()).toBe(first);
    await finish(groupA!.name);
    expect(await playQueue.asOf()).toBeGreaterThan(second);
  });

  test('a batch with a `duplicate` answer holds as_of back until the batch that counted the play is complete', async () => {
    const toldDuplicate = await add('k');
    await advance(1_000);
    const counts = await add('j');
    await advance(1_000);
    const [groupJ] = await groups.form(['j']); // counts the play, and is not inserted yet
    const [groupK] = await groups.form(['k']); // gets `duplicate`, and completes first
    await finish(groupK!.name, ['k']);
    expect(counts).toBeGreaterThan(toldDuplicate);
    expect(await playQueue.asOf()).toBe(toldDuplicate);
    await finish(groupJ!.name);
    expect(await playQueue.asOf()).toBeGreaterThan(counts);
  });

  test('as_of does not pass a complete batch that its `duplicate` answers hold it back to', async () => {
    await add('k');
    await advance(1_000);
    await add('j');
    const [[groupJ], [groupK]] = [await groups.form(['j']), await groups.form(['k'])];
    await finish(groupK!.name, ['k']);
    expect(await playQueue.completed(['k', 'j', 'unknown'])).toEqual({ done: ['k'], passed: [], missing: ['unknown'] });
    await finish(groupJ!.name);
    await advance(1);
    expect(await playQueue.completed(['k', 'j'])).toEqual({ done: ['k', 'j'], passed: ['k', 'j'], missing: [] });
  });

  test('only as_of of its own stream passes a batch', async () => {
    const sharded = openRedis(await freshRedisUrl(), { role: 'commands', shards: 2 });
    await redisReady(sharded);
    await beginAuthority(sharded);
    const streams = createPlayQueue({ redis: sharded });
    await streams.add({ id: 'a.0', plays: [], scans: [], releases: [] });
    await streams.add({ id: 'b.1', plays: [], scans: [], releases: [] });
    const other = createGroups(sharded, streamKeys('plays', 1));
    const [group] = await other.form(['b.1']);
    await other.finish(group!.name, { jobsWithDuplicates: [], releases: [], settle: false });
    await vi.waitUntil(async () => (await streams.completed(['a.0', 'b.1'])).passed.length > 0, { timeout: 10_000 });
    expect(await streams.completed(['a.0', 'b.1'])).toEqual({ done: ['b.1'], passed: ['b.1'], missing: [] });
    sharded.disconnect();
  });

  test('every group that may have counted the play holds as_of back', async () => {
    const first = await add('k');
    for (const id of ['j', 'l']) {
      await advance(1_000);
      await add(id);
    }
    const [groupK, groupJ, groupL] = [
      (await groups.form(['k']))[0]!,
      (await groups.form(['j']))[0]!,
      (await groups.form(['l']))[0]!,
    ];
    await finish(groupK.name, ['k']);
    await finish(groupJ.name, ['j']);
    expect(await playQueue.asOf()).toBe(first);
    await finish(groupL.name);
    expect(await playQueue.asOf()).toBeGreaterThan(first);
  });

  test('as_of goes on while groups with duplicates overlap without end', async () => {
    let added = await add('b0');
    let [running] = await groups.form(['b0']);
    for (let next = 1; next <= 5; next += 1) {
      await advance(1_000);
      const addedNext = await add(`b${next}`);
      const [group] = await groups.form([`b${next}`]);
      await finish(running!.name, [`b${next - 1}`]);
      expect(await playQueue.asOf()).toBe(added);
      [running, added] = [group, addedNext];
    }
  });

  test('duplicates do not hold back a batch without counted plays', async () => {
    await add('k');
    await advance(1_000);
    const waiting = await add('w');
    const [groupK] = await groups.form(['k']);
    await finish(groupK!.name, ['k']);
    expect(await playQueue.asOf()).toBe(waiting);
  });

  test('adding a complete batch again does not bring it back', async () => {
    const added = await add('a');
    await advance(500);
    const [group] = await groups.form(['a']);
    await finish(group!.name);
    expect(await add('a')).toBe(added);
    expect(await playQueue.asOf()).toBeGreaterThan(added);
  });
});

describe('groups', () => {
  test('a job belongs to one group forever, and returns the whole group', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await add(id);
    const [first] = await groups.form(['a', 'b']);
    expect(first!.jobs).toEqual(['a', 'b']);
    const again = await groups.form(['d', 'b', 'c', 'a', 'gone']);
    expect(again.map(group => group.jobs)).toEqual([
      ['a', 'b'],
      ['d', 'c'],
    ]);
    expect(again[0]!.name).toBe(first!.name);
    await finish(first!.name);
    expect((await groups.form(['b']))[0]).toEqual({ name: first!.name, jobs: ['a', 'b'], done: true, generation: 1 });
  });

  test('a job that was complete before a rebuild is complete after it, and none of its group comes back', async () => {
    for (const id of ['a', 'b', 'c']) await add(id);
    const [group] = await groups.form(['a', 'b']);
    await finish(group!.name);
    await playGroups.forgetAll({ written: [], unsettled: [] });
    const [complete, fresh] = await groups.form(['b', 'c']);
    expect(complete).toEqual({ name: group!.name, jobs: ['b'], done: true, generation: 1 });
    expect(fresh).toMatchObject({ jobs: ['c'], done: false });
  });

  test('a group finishes once, and a group with charges waits for its settlement', async () => {
    await add('a');
    const [group] = await groups.form(['a']);
    await finish(group!.name);
    expect(await playGroups.unsettled(10)).toEqual([group!.name]);
    expect(await playGroups.oldestUnsettled()).toEqual(expect.any(Number));
    await playGroups.markSettled([group!.name]);
    await finish(group!.name);
    expect(await playGroups.unsettled(10)).toEqual([]);
    expect(await playGroups.oldestUnsettled()).toBeUndefined();
  });

  test('a batch without its payload is a fault, not an empty batch', async () => {
    await add('a');
    const [group] = await groups.form(['a']);
    await redis.hset('{plays:0}:plays:a', 'data', '{"events":1,"payload":""}');
    await expect(groups.payloads(group!)).rejects.toThrow('batch a has no payload');
  });
});

describe('attempts to insert a group', () => {
  const server = (uptimeS: number, id = 'a') => ({ id, uptimeS });
  const attempt = async (
    name: string,
    finding?: { attempt: number; present: boolean; afterDeadline: boolean },
    on = server(0),
  ) => groups.attempt({ group: name, table: 'plays_raw', finding, server: on, insertMsMax: INSERT_MS });
  const absent = { attempt: 1, present: false, afterDeadline: false };
  const begin = async (): Promise<string> => {
    await add('a');
    return (await groups.form(['a']))[0]!.name;
  };

  test('every other worker has to look after a first attempt', async () => {
    const name = await begin();
    expect(await attempt(name)).toMatchObject({ kind: 'go', attempt: 1 });
    expect(await attempt(name)).toEqual({ kind: 'look', attempt: 1, afterDeadline: false });
  });

  test('existing rows: the same token again', async () => {
    const name = await begin();
    await attempt(name);
    expect(await attempt(name, { attempt: 1, present: true, afterDeadline: false })).toMatchObject({
      kind: 'go',
      attempt: 1,
    });
  });

  test('missing rows: the next token, only after a look that began after the deadline', async () => {
    const name = await begin();
    await attempt(name);
    expect(await attempt(name, { attempt: 1, present: false, afterDeadline: false })).toMatchObject({ kind: 'wait' });
    await advance(INSERT_MS + 1);
    expect(await attempt(name, { attempt: 1, present: false, afterDeadline: false })).toEqual({
      kind: 'look',
      attempt: 1,
      afterDeadline: true,
    });
    expect(await attempt(name, { attempt: 1, present: false, afterDeadline: true })).toMatchObject({
      kind: 'go',
      attempt: 2,
    });
    expect(await attempt(name, { attempt: 1, present: false, afterDeadline: true })).toEqual({
      kind: 'look',
      attempt: 2,
      afterDeadline: false,
    });
  });

  test('missing rows on a restarted server: the next token at once', async () => {
    const name = await begin();
    await attempt(name, undefined, server(100));
    expect(await attempt(name, absent, server(100))).toMatchObject({ kind: 'wait' });
    expect(await attempt(name, absent, server(20, 'b'))).toMatchObject({ kind: 'wait' });
    expect(await attempt(name, absent, server(99))).toMatchObject({ kind: 'go', attempt: 2 });
    expect(await attempt(name, absent, server(20))).toEqual({ kind: 'look', attempt: 2, afterDeadline: false });
  });

  test('an insert on an unknown server is waited for until its deadline', async () => {
    const name = await begin();
    await attempt(name, undefined, server(0));
    expect(await attempt(name, absent, server(0))).toMatchObject({ kind: 'wait' });
  });

  test('with two pending inserts the server must have restarted after both', async () => {
    const name = await begin();
    await attempt(name, undefined, server(100));
    await attempt(name, { ...absent, present: true }, server(110));
    expect(await attempt(name, absent, server(105))).toMatchObject({ kind: 'wait' });
    await attempt(name, { ...absent, present: true }, server(120, 'b'));
    expect(await attempt(name, absent, server(5))).toMatchObject({ kind: 'wait' });
    expect(await attempt(name, absent, server(5, 'b'))).toMatchObject({ kind: 'wait' });
  });

  test('each table has its own attempts, and a finished group has no attempts', async () => {
    const name = await begin();
    await attempt(name);
    expect(
      await groups.attempt({
        group: name,
        table: 'scans_raw',
        finding: undefined,
        server: server(0),
        insertMsMax: INSERT_MS,
      }),
    ).toMatchObject({ kind: 'go', attempt: 1 });
    await finish(name);
    expect(await attempt(name)).toEqual({ kind: 'done' });
  });
});

test('a release is applied only when as_of has passed the moment at which its batch was added', async () => {
  const authority = createAuthority(redis);
  await authority.hand(handle('campaign', 1), 100);
  await authority.grant(handle('campaign', 1), 1, 1, 100);
  const earlier = await add('with-the-play');
  await advance(1_000);
  await add('with-the-release');
  const [late] = await groups.form(['with-the-play']);
  const [group] = await groups.form(['with-the-release']);
  await finish(group!.name, [], [{ job: 'with-the-release', member: '1:1:5:10' }]);
  await advance(1_000);
  expect(await applyReleases(redis, keys)).toBe(0);
  expect(await playQueue.asOf()).toBe(earlier);
  expect(
    await authority.count(late!.name, handle('campaign', 1), [
      { epoch: 1, issueNumber: 5, reservationMicros: 10, costMicros: 10 },
    ]),
  ).toEqual(['counted']);
  await finish(late!.name);
  expect(await applyReleases(redis, keys)).toBe(1);
  expect(await authority.amounts(handle('campaign', 1))).toMatchObject({ free: 0, open: 90, spent: 10 });
});
