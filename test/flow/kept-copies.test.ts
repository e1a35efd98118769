import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createGroups } from '../../ingest/groups.ts';
import { intakeKeys } from '../../ingest/intake-keys.ts';
import { processGroup, type PipelineDeps } from '../../ingest/pipeline.ts';
import { createWriter, type Writer } from '../../ingest/writer.ts';
import { silentLog, type Harness } from '../ingest/harness.ts';
import { KEYS } from '../ingest/reports.ts';
import { flush } from '../support/redis.ts';
import { AuthorityUnderTest, report, type Process } from '../workers/authority-under-test.ts';

/**
 * A screen reports a play to two processes. One batch counts it, and its insert is slow; the other is told `duplicate` and
 * is complete at once. Then Redis is lost, before the row is there: real engines, delivery's outbox and epochs, ingest's pipeline.
 */
const PLAYS = intakeKeys('plays', 0);
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
  const insertBegan = new Promise<void>(resolve => void takeThrough(batch, { insert: () => new Promise(() => { resolve(); }) }));
  await insertBegan;
}

/** Takes a batch to its end. */
async function complete(batch: string): Promise<void> {
  await takeThrough(batch, createWriter({ clickhouse: harness.clickhouse.client, groups: createGroups(harness.redis, PLAYS), log: silentLog }));
}

async function takeThrough(batch: string, writer: Writer): Promise<void> {
  const groups = createGroups(harness.redis, PLAYS);
  const deps: PipelineDeps = {
    groups, writer, authority: harness.authority, keys: KEYS, log: silentLog, lateBefore: async () => 0, now: () => new Date(),
    writtenScans: async () => new Set(), deadLetters: { keep: async () => undefined }, scanEvents: { emit: async () => undefined },
  };
  for (const group of await groups.form([batch])) await processGroup(group, deps, { signal: new AbortController().signal, known: new Map() });
}

/** Batches that are not complete, oldest first. */
const pending = (): Promise<string[]> => harness.redis.zrange(PLAYS.pending, 0, -1);
const rowsOf = async (campaign: number): Promise<number> => (await harness.rows<{ rows: number }>(`select toUInt32(count()) as rows from plays_raw where campaign_handle = ${campaign}`))[0]!.rows;

async function loseRedis(): Promise<void> {
  await flush(harness.redis);
  await authority.mend();
  await authority.hear();
}

/** Ingest takes what waits, until nothing does. */
async function drain(): Promise<void> {
  for (let [batch] = await pending(); batch !== undefined; [batch] = await pending()) await complete(batch);
}

/** As_of has passed what a process had stored, and its copies are let go. */
async function lettingGo({ outbox }: Process): Promise<void> {
  await vi.waitUntil(async () => {
    await outbox.confirm();
    return outbox.counts.keptBatches === 0;
  }, { timeout: 10_000 });
}

test('as_of claims no play without a row: the copy of a batch that was told `duplicate` is kept until as_of has passed it', async () => {
  const [a, b] = [await authority.startProcess('a'), await authority.startProcess('b')];
  const campaign = await authority.liveCampaign(a.node);
  const plays = authority.issue(a.node, 1);
  const acknowledgedAt = await report(a, plays);
  while (await report(b, plays) === acknowledgedAt); // another batch, of a later time
  const [first, second] = await pending() as [string, string];
  await countWithoutInsert(second);
  await complete(first);
  await a.outbox.confirm();
  await loseRedis();
  expect(await rowsOf(campaign)).toBe(0);
  expect(await harness.intake.asOf()).toBeLessThanOrEqual(acknowledgedAt);
  await drain();
  expect(await rowsOf(campaign)).toBe(1);
  await lettingGo(a);
  expect(await harness.intake.asOf()).toBeGreaterThan(acknowledgedAt);
}, 60_000);

test('an acknowledged play is not lost: the process whose batch counted it has died, and the other still has its copy', async () => {
  const [a, b] = [await authority.startProcess('a'), await authority.startProcess('b')];
  const campaign = await authority.liveCampaign(a.node);
  const plays = authority.issue(a.node, 1);
  await report(b, plays);
  await authority.kill(b);
  await report(a, plays);
  const [counts, duplicate] = await pending() as [string, string];
  await countWithoutInsert(counts);
  await complete(duplicate);
  await a.outbox.confirm();
  await loseRedis();
  await drain();
  expect(await rowsOf(campaign)).toBe(1);
  await authority.startProcess('b'); // finds that the other is gone: nobody waits for its copies any more
  await lettingGo(a);
}, 60_000);
