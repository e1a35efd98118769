/**
 * A screen reports a play to two processes. One batch counts it, and its insert is slow; the other gets `duplicate` and
 * is complete at once. Then Redis is lost, before the row is written: real engines, delivery's outbox and epochs,
 * ingest's pipeline.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGroups } from '../../ingest/groups.ts';
import { streamKeys } from '../../ingest/queue/stream-keys.ts';
import { processGroup, type PipelineDependencies } from '../../ingest/pipeline.ts';
import { createWriter, type Writer } from '../../ingest/rows/writer.ts';
import { silentLog, type Harness } from '../ingest/harness.ts';
import { KEYS } from '../ingest/reports.ts';
import { giveUpNode, listNodes } from '../../cli/admin/running/nodes.ts';
import { flush, moveClock } from '../support/engines/redis.ts';
import { AuthorityUnderTest, report, type Process } from '../workers/support/authority-under-test.ts';

const PLAYS = streamKeys('plays', 0);
let authority: AuthorityUnderTest;
let harness: Harness;

beforeAll(async () => {
  authority = await AuthorityUnderTest.open();
  ({ harness } = authority);
});
afterAll(() => authority.close());
beforeEach(async () => {
  await flush(harness.redis);
  await authority.mend();
});
afterEach(() => authority.killAll());

/** Takes a batch as far as its insert, which does not come to an end. */
async function countWithoutInsert(batch: string): Promise<void> {
  const insertBegan = new Promise<void>(
    resolve =>
      void takeThrough(batch, {
        insert: () =>
          new Promise(() => {
            resolve();
          }),
      }),
  );
  await insertBegan;
}

/** Takes a batch to its end. */
async function complete(batch: string): Promise<void> {
  await takeThrough(
    batch,
    createWriter({ clickhouse: harness.clickhouse.client, groups: createGroups(harness.redis, PLAYS), log: silentLog }),
  );
}

async function takeThrough(batch: string, writer: Writer): Promise<void> {
  const groups = createGroups(harness.redis, PLAYS);
  const deps: PipelineDependencies = {
    groups,
    writer,
    authority: harness.authority,
    keys: KEYS,
    log: silentLog,
    lateBefore: async () => 0,
    now: () => new Date(),
    writtenScans: async () => new Set(),
    deadLetters: { keep: async () => undefined },
    scanEvents: { emit: async () => undefined },
  };
  for (const group of await groups.form([batch]))
    await processGroup(group, deps, { signal: new AbortController().signal, known: new Map() });
}

/** Batches that are not complete, oldest first. */
const pending = (): Promise<string[]> => harness.redis.zrange(PLAYS.pending, 0, -1);
const rowsOf = async (campaign: number): Promise<number> =>
  (
    await harness.rows<{ rows: number }>(
      `select toUInt32(count()) as rows from plays_raw where campaign_handle = ${campaign}`,
    )
  )[0]!.rows;

async function loseRedis(heardBy?: readonly Process[]): Promise<void> {
  await authority.look(); // what as_of is by now is known in Postgres
  await flush(harness.redis);
  await authority.mend();
  await authority.hear(heardBy);
}

/** Ingest takes what waits, until nothing does. */
async function drain(): Promise<void> {
  for (let [batch] = await pending(); batch !== undefined; [batch] = await pending()) await complete(batch);
}

/** As_of has passed what a process had stored, and its copies are dropped. */
async function lettingGo({ outbox }: Process): Promise<void> {
  await vi.waitUntil(
    async () => {
      await outbox.confirm();
      return outbox.counts.keptBatches === 0;
    },
    { timeout: 10_000 },
  );
}

test('as_of claims no play without a row: the copy of a batch that was told `duplicate` is kept until as_of has passed it', async () => {
  const [a, b] = [await authority.startProcess('a'), await authority.startProcess('b')];
  const campaign = await authority.liveCampaign(a.node);
  const plays = authority.issue(a.node, 1);
  const acknowledgedAt = await report(a, plays);
  while ((await report(b, plays)) === acknowledgedAt); // another batch, of a later time
  const [first, second] = (await pending()) as [string, string];
  await countWithoutInsert(second);
  await complete(first);
  await a.outbox.confirm();
  await loseRedis();
  expect(await rowsOf(campaign)).toBe(0);
  expect(await harness.playQueue.asOf()).toBeLessThanOrEqual(acknowledgedAt);
  await drain();
  expect(await rowsOf(campaign)).toBe(1);
  await lettingGo(a);
  expect(await harness.playQueue.asOf()).toBeGreaterThan(acknowledgedAt);
}, 60_000);

test('an acknowledged play is not lost: the process whose batch counted it has died, and the other still has its copy', async () => {
  const [a, b] = [await authority.startProcess('a'), await authority.startProcess('b')];
  const campaign = await authority.liveCampaign(a.node);
  const plays = authority.issue(a.node, 1);
  await report(b, plays);
  await authority.kill(b);
  await report(a, plays);
  const [counts, duplicate] = (await pending()) as [string, string];
  await countWithoutInsert(counts);
  await complete(duplicate);
  await a.outbox.confirm();
  await loseRedis();
  await drain();
  expect(await rowsOf(campaign)).toBe(1);
  await authority.startProcess('b'); // finds that the other is gone: nobody waits for its copies any more
  await lettingGo(a);
}, 60_000);

test('as_of does not wait for a process that was never heard of again and began hours before it', async () => {
  const { sql } = harness.postgres;
  await authority.startProcess('a');
  const [recent] = await sql<
    { epoch: number }[]
  >`insert into delivery_epochs (node, boot_id, started_at, generation) values ('lost', 'boot', now(), 1) returning epoch`;
  await sql`insert into delivery_epochs (node, boot_id, started_at, generation) values ('long-lost', 'boot', now() - interval '4 hours', 1)`;
  await loseRedis();
  expect(await harness.authority.life.waiting()).toEqual([recent!.epoch]);
});

describe('a process that cannot be reached when Redis is lost', () => {
  const HOURS_MS = 30 * 3_600_000;
  let [a, away]: Process[] = [];
  let acknowledgedAt = 0;
  let campaign = 0;
  beforeEach(async () => {
    [a, away] = [await authority.startProcess('a'), await authority.startProcess('away', { quiet: true })];
    campaign = await authority.liveCampaign(a.node);
    acknowledgedAt = await report(away, authority.issue(a.node, 1));
    await loseRedis([a]);
    await moveClock(harness.redis, HOURS_MS);
  });
  afterEach(() => moveClock(harness.redis, 0));

  test('is waited for by as_of, however long it takes, and adds what it keeps when it is back', async () => {
    expect(await harness.playQueue.asOf()).toBeLessThanOrEqual(acknowledgedAt);
    await authority.hear([away!]);
    expect(await harness.playQueue.asOf()).toBe(acknowledgedAt);
    await drain();
    expect(await rowsOf(campaign)).toBe(1);
    expect(await harness.playQueue.asOf()).toBeGreaterThan(acknowledgedAt + HOURS_MS / 2);
  });

  test('is waited for until the next process on its folder has found that it is gone', async () => {
    await authority.kill(away!);
    expect(await harness.playQueue.asOf()).toBeLessThanOrEqual(acknowledgedAt);
    await authority.startProcess('away');
    await vi.waitUntil(async () => (await harness.playQueue.asOf()) > acknowledgedAt + HOURS_MS / 2, {
      timeout: 10_000,
    });
  });

  test('is shown by `admin node list` and waited for until `admin node gone` says that it will never run again', async () => {
    await authority.kill(away!);
    const { sql } = harness.postgres;
    const { epoch } = away!.node.current;
    expect(await listNodes(sql, harness.redisUrl)).toMatchObject({
      nodes: expect.arrayContaining([
        { node: 'away', epoch, started_at: expect.any(String) as string, silent_seconds: null, as_of_waits: true },
      ]) as object,
    });
    await expect(giveUpNode(sql, harness.redisUrl, 'nobody')).rejects.toThrow(`There is no process 'nobody'`);
    await a!.node.keeper.beat();
    await expect(giveUpNode(sql, harness.redisUrl, 'a')).rejects.toThrow('a was heard of in the last 120 s: it lives.');
    expect(await harness.playQueue.asOf()).toBeLessThanOrEqual(acknowledgedAt);
    expect(await giveUpNode(sql, harness.redisUrl, 'away')).toEqual({
      node: 'away',
      ended: [epoch],
      as_of_waits_for: [],
    });
    expect(await harness.playQueue.asOf()).toBeGreaterThan(acknowledgedAt + HOURS_MS / 2);
  });
});
