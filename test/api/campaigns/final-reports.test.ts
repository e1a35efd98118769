/**
 * What a report calls final never changes afterwards. The real Redis scripts, the ingest pipeline, ClickHouse and
 * settlement run in this process one step at a time, and the report is read between the steps.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseId, type Handle } from '../../../domain/id.ts';
import { encodePlayId, type PlayFacts } from '../../../domain/plays/play.ts';
import { createGroups } from '../../../ingest/groups.ts';
import { streamsOf } from '../../../ingest/queue/stream-keys.ts';
import type { PlayReport, Release } from '../../../ingest/queue/batch.ts';
import { processGroup, type PipelineDependencies } from '../../../ingest/pipeline.ts';
import { applyReleases } from '../../../ingest/queue/releases.ts';
import { createWriter } from '../../../ingest/rows/writer.ts';
import type { Log } from '../../../runtime/log.ts';
import { settleSpend } from '../../../workers/settlement/settle-spend.ts';
import { silentLog } from '../../ingest/harness.ts';
import { factsOf } from '../../ingest/reports.ts';
import { CLOCK, moveClock } from '../../support/engines/redis.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  type TestApi,
} from '../support/app-under-test.ts';
import { readAs } from '../support/answer.ts';
import { standIn } from '../../support/stand-in.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RESERVED = 5_000;
const HANDED = 1_000_000;
/** As long as an insert of unknown outcome may still appear. */
const INSERT_MS = 16_000;
/** A slot of a day that is over, though its play is still charged for a day. */
const SLOT_AT = Date.now() - 26 * HOUR_MS;
const DAY = new Date(SLOT_AT).toISOString().slice(0, 10);
let api: TestApi;
let key: string;
let creative: string;
let batches = 0;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 10_000 }));
  creative = await createReadyCreative(api, key);
});
afterAll(() => api.close());

type Booked = { id: string; handle: Handle<'campaign'> };

/** A campaign of which an epoch holds the money of so many plays. */
async function bookedCampaign(plays: number): Promise<Booked> {
  const id: string = (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative]) })).body[
    'id'
  ]!;
  const handle = parseId('campaign', id)!;
  await api.sql`update campaigns set handed_micros = ${HANDED} where handle = ${handle}`;
  await api.authority.hand(handle, HANDED);
  await api.authority.grant(handle, 1, 1, plays * RESERVED);
  return { id, handle };
}

async function ask({ id }: Booked, day = DAY) {
  const { status, body } = await api.call('GET', `/v1/reporting/campaigns/${id}?from=${day}&to=${day}`, { key });
  expect(status).toBe(200);
  const { totals } = readAs<{ totals: { plays: number; impressions: number; spend: { amount: number } } }>(body);
  return {
    final: readAs<boolean>(body['is_final']),
    plays: totals.plays,
    impressions: totals.impressions,
    spend: totals.spend.amount,
  };
}

const issued = ({ handle }: Booked, issueNumber: number, changes: Partial<PlayFacts> = {}): PlayFacts =>
  factsOf({ campaign: handle, creative: parseId('creative', creative)!, startsAt: SLOT_AT, issueNumber, ...changes });
const reportOf = (facts: PlayFacts, audience?: number): PlayReport => ({
  playId: encodePlayId(facts, api.signingKeys.current),
  screen: facts.screen,
  startedAt: facts.startsAt,
  playedMs: facts.durationMs,
  receivedAt: Date.now(),
  ...(audience !== undefined && { audience }),
});
const stream = () => streamsOf(api.queueName, api.redis)[0]!;

async function store(plays: PlayReport[], releases: Release[] = []): Promise<string> {
  const id = `batch-${(batches += 1)}`;
  await api.playQueue.add({ id, plays, scans: [], releases });
  return id;
}

/** Takes a batch to its end as ingest does. `before` is awaited when it is counted, before its rows are sent. */
async function ingest(
  job: string,
  {
    before = async () => undefined,
    log = silentLog,
    signal = new AbortController().signal,
  }: { before?: () => Promise<unknown>; log?: Log; signal?: AbortSignal } = {},
): Promise<void> {
  const groups = createGroups(api.redis, stream());
  const writer = createWriter({ clickhouse: api.clickhouse, groups, log });
  const insert: typeof writer.insert = async (...given) => {
    await before();
    await writer.insert(...given);
  };
  const deps = standIn<PipelineDependencies>({
    groups,
    authority: api.authority,
    writer: { insert },
    writtenScans: async () => new Set<string>(),
    deadLetters: { keep: async () => undefined },
    scanEvents: { emit: async () => undefined },
    keys: api.signingKeys,
    log,
    lateBefore: async () => 0,
    now: () => new Date(),
  });
  for (const group of await groups.form([job])) await processGroup(group, deps, { signal, known: new Map() });
}

async function settle(): Promise<void> {
  while ((await settleSpend({ ...api.workers, playQueue: api.playQueue })) > 0);
}

test.each([
  ['a play that costs', undefined, { plays: 1, impressions: 5, spend: 0.005 }],
  ['a play before nobody, which costs nothing', 0, { plays: 1, impressions: 0, spend: 0 }],
])('a range is not final before %s has its row and is charged', async (_, audience, whole) => {
  const nothing = { final: false, plays: 0, impressions: 0, spend: 0 };
  const campaign = await bookedCampaign(1);
  expect(await ask(campaign)).toEqual(nothing); // it may still be reported
  const job = await store([reportOf(issued(campaign, 1, { sensor: audience !== undefined }), audience)]);
  await ingest(job, {
    before: async () => {
      expect(await api.authority.amounts(campaign.handle)).toMatchObject({ open: 0, inDoubt: 0 }); // counted
      expect(await ask(campaign)).toEqual(nothing);
    },
  });
  expect(await ask(campaign)).toEqual({ final: false, ...whole }); // its charge is on its way
  await settle();
  expect(await ask(campaign)).toEqual({ final: true, ...whole });
  expect(await ask(campaign, new Date().toISOString().slice(0, 10))).toMatchObject({ final: false }); // today goes on
});

/** Nothing can be inserted, and everything can be read: as of a server whose merges have stopped. */
async function refuseInserts(): Promise<() => Promise<unknown>> {
  await api.clickhouse.command({ query: 'alter table plays_raw modify setting max_parts_in_total = 1' });
  return () => api.clickhouse.command({ query: 'alter table plays_raw reset setting max_parts_in_total' });
}

test('while ClickHouse refuses inserts and answers reads, final ranges stay final and no other becomes final', async () => {
  const [over, waiting] = [await bookedCampaign(2), await bookedCampaign(1)];
  const [played, released] = [issued(over, 1), issued(over, 2)];
  await ingest(await store([reportOf(played)], [{ playId: encodePlayId(released, api.signingKeys.current) }]));
  await vi.waitUntil(async () => (await applyReleases(api.redis, stream())) > 0, { timeout: 10_000 });
  await settle();
  const final = await ask(over);
  expect(final).toEqual({ final: true, plays: 1, impressions: 5, spend: 0.005 });

  const accept = await refuseInserts();
  // Reported again; reported though it was given back, which makes it late; and one that counts.
  const job = await store([reportOf(played), reportOf(released), reportOf(issued(waiting, 1))]);
  const [refusal, stop] = [vi.fn<() => void>(), new AbortController()];
  const work = ingest(job, { log: { ...silentLog, warn: refusal }, signal: stop.signal });
  await vi.waitUntil(() => refusal.mock.calls.length > 0, { timeout: 10_000 });
  expect(await api.authority.amounts(waiting.handle)).toMatchObject({ open: 0, spent: RESERVED });
  for (let times = 0; times < 3; times += 1) {
    await settle();
    expect(await ask(over)).toEqual(final);
    expect(await ask(waiting)).toEqual({ final: false, plays: 0, impressions: 0, spend: 0 });
  }
  stop.abort();
  await expect(work).rejects.toMatchObject({ code: 'stopped' });

  await accept();
  await moveClock(api.redis, INSERT_MS);
  await ingest(job);
  await settle();
  expect(await ask(over)).toEqual(final);
  expect(await ask(waiting)).toEqual({ final: true, plays: 1, impressions: 5, spend: 0.005 });
  await moveClock(api.redis, 0);
});

test('a range becomes final when as_of has passed its end by a minute for past slots and a second for clocks', async () => {
  const campaign = await bookedCampaign(0);
  const end = Date.parse(DAY) + DAY_MS;
  const finalAt = async (ms: number) => {
    await api.redis.set(CLOCK, `=${ms}`);
    return (await ask(campaign)).final;
  };
  expect([await finalAt(end + 1), await finalAt(end + 61_000), await finalAt(end + 61_001)]).toEqual([
    false,
    false,
    true,
  ]);
  await moveClock(api.redis, 0);
});
