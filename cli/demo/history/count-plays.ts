/**
 * Counts and charges past plays with the product's own ingest and settlement. Their money is leased from the
 * authority under a separate epoch. Their reports go through a separate queue, on which no play is late. Each part of
 * a few days is settled at the time of its last evening.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { assert } from '#domain/assertion.ts';
import type { Handle } from '#domain/id.ts';
import { encodePlayId, parseSigningKeys, type PlayFacts, type SigningKeys } from '#domain/plays/play.ts';
import type { SimulatedPlay } from '#domain/plays/simulated-plays.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Batch, PlayReport, ScanEvent } from '#ingest/queue/batch.ts';
import { createPlayGroups } from '#ingest/queue/play-groups.ts';
import { createPlayQueue, type PlayQueue } from '#ingest/queue/play-queue.ts';
import { streamsOf } from '#ingest/queue/stream-keys.ts';
import { createWriter } from '#ingest/rows/writer.ts';
import { openRunningRedis } from '#authority/connection.ts';
import { takeEpoch } from '#authority/life-row.ts';
import { redisReady, type Redis } from '#sql/redis.ts';
import { startConsumer } from '../../../ingest/consumer.ts';
import { createDeadLetters } from '../../../ingest/dead-letter.ts';
import { createGroups } from '../../../ingest/groups.ts';
import { processGroup, type PipelineDependencies } from '../../../ingest/pipeline.ts';
import { createScanEvents } from '../../../ingest/scans/scan-events.ts';
import { createWrittenScans } from '../../../ingest/scans/written-scans.ts';
import { handBudgets } from '../../../workers/budgets/hand-budgets.ts';
import { retireEpoch } from '../../../workers/sandbox/advance-sandboxes.ts';
import type { JobContext } from '../../../workers/schedule.ts';
import { settleSpend } from '../../../workers/settlement/settle-spend.ts';

const NODE = 'demo-history';
const FIRST_NUMBER = 1;
const GROUP_EVENTS_MAX = 20_000;
/** A part has a group for each stream of plays. */
const GROUPS_MAX = 200;
/** With a round for each day the demo would start seconds later. */
const PART_DAYS = 3;
const POLL_MS = 10;
/** For money, and for the plays of some days: each takes a fraction of a second, and on a busy machine some seconds. */
const WAIT_MS_MAX = 60_000;

/** A part of the history: a few days of one month. */
export type PastDays = { endMs: Milliseconds; plays: readonly SimulatedPlay[]; scans: readonly ScanEvent[] };

type CountOptions = { redisUrl: string; signingKeys: string; parts: readonly PastDays[] };

/** Plays and scans in parts of up to `PART_DAYS` days (UTC), each of one month. The last part ends early. */
export function partsOf(
  plays: readonly SimulatedPlay[],
  scans: readonly ScanEvent[],
  untilMs: Milliseconds,
): PastDays[] {
  const parts = new Map<number, { plays: SimulatedPlay[]; scans: ScanEvent[] }>();
  const of = (ms: Milliseconds) => {
    const end = Math.min(endOfPart(new Date(ms)), untilMs);
    const part = parts.get(end) ?? { plays: [], scans: [] };
    parts.set(end, part);
    return part;
  };
  for (const play of plays) of(play.startsAt).plays.push(play);
  for (const scan of scans) of(scan.slotAt).scans.push(scan); // with its play
  return [...parts].sort(([one], [other]) => one - other).map(([endMs, part]) => ({ ...part, endMs }));
}

function endOfPart(at: Date): Milliseconds {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const next = (Math.floor((day - 1) / PART_DAYS) + 1) * PART_DAYS + 1;
  return Math.min(Date.UTC(year, month, next), Date.UTC(year, month + 1, 1)) - 1;
}

export async function countPlays(
  { playQueue: _services, playGroups: _theirs, ...engines }: JobContext,
  { redisUrl, signingKeys, parts }: CountOptions,
): Promise<void> {
  const { sql, authority, now } = engines;
  const keys = parseSigningKeys(signingKeys);
  const [commands, blocking] = await Promise.all([
    openRunningRedis(sql, redisUrl, { role: 'commands' }),
    openRunningRedis(sql, redisUrl, { role: 'worker' }),
  ]);
  await Promise.all([redisReady(commands), redisReady(blocking)]);
  const playQueue = createPlayQueue({ redis: commands, queueName: NODE });
  const playGroups = createPlayGroups({ redis: commands, queueName: NODE });
  const context: JobContext = { ...engines, playQueue, playGroups };
  const close = startIngest(context, { commands, blocking, keys });
  try {
    const { epoch } = await takeEpoch(sql, { node: NODE, bootId: NODE, now: now() });
    await authority.epochs.renew(epoch);
    await lease(context, epoch, parts);
    await countParts(context, { epoch, parts, keys });
    await retireEpoch(context, epoch);
  } finally {
    await close();
    await playQueue.close();
    commands.disconnect();
    blocking.disconnect();
  }
}

type IngestOptions = { commands: Redis; blocking: Redis; keys: SigningKeys };

/** Starts ingest as the service does, on the queue of the history. A group begins as soon as its batch arrives. */
function startIngest(
  { sql, clickhouse, authority, log, now }: JobContext,
  { commands, blocking, keys }: IngestOptions,
): () => Promise<void> {
  const consumers = streamsOf(NODE, commands).map(stream => {
    const groups = createGroups(commands, stream);
    const dependencies: PipelineDependencies = {
      groups,
      authority,
      writer: createWriter({ clickhouse, groups, log }),
      writtenScans: createWrittenScans(clickhouse),
      deadLetters: createDeadLetters(sql),
      scanEvents: createScanEvents(sql),
      keys,
      log,
      lateBefore: () => Promise.resolve(0),
      now,
    };
    return startConsumer({
      connection: blocking,
      queueName: NODE,
      prefix: stream.prefix,
      groups,
      eventsMax: GROUP_EVENTS_MAX,
      gather: { paceMs: 0, waitMsMin: 0, waitMsMax: 0 },
      log,
      process: (group, work) => processGroup(group, dependencies, work),
    });
  });
  return async () => void (await Promise.all(consumers.map(consumer => consumer.close())));
}

/** Leases the cost of all plays to the epoch. */
async function lease(context: JobContext, epoch: number, parts: readonly PastDays[]): Promise<void> {
  const { authority } = context;
  const needs = new Map<Handle<'campaign'>, Micros>();
  for (const { plays } of parts)
    for (const { campaign, costMicros } of plays) needs.set(campaign, (needs.get(campaign) ?? 0) + costMicros);
  const calls = Array.from(needs, ([campaign, wantMicros]) => ({ campaign, number: FIRST_NUMBER, wantMicros }));
  await until('the budgets of the history to be handed out', async () => {
    const free = await Promise.all(calls.map(async ({ campaign }) => (await authority.amounts(campaign)).free));
    const short = calls.filter(({ wantMicros }, index) => free[index]! < wantMicros);
    await authority.wantHandAll(short);
    await handBudgets(context); // unless the workers take the list, which has the same effect
    return short.length === 0;
  });
  const grants = await authority.grantAll(epoch, calls);
  assert(
    grants.every(({ grantedMicros }, index) => grantedMicros === calls[index]!.wantMicros),
    'nothing else spends the budgets of the history',
  );
}

type CountPartsOptions = { epoch: number; parts: readonly PastDays[]; keys: SigningKeys };

/** A part is counted while the part before it is settled. */
async function countParts(context: JobContext, { epoch, parts, keys }: CountPartsOptions): Promise<void> {
  const { playQueue, playGroups, authority } = context;
  const numbers = new Map<Handle<'campaign'>, number>();
  let settled: Promise<unknown> = Promise.resolve();
  for (const part of parts) {
    await authority.epochs.renew(epoch);
    const batches = batchesOf(playQueue, { epoch, part, numbers, keys });
    await Promise.all(batches.map(batch => playQueue.add(batch)));
    const ids = batches.map(({ id }) => id);
    await until('a part of the history to be counted', async () => {
      const { done } = await playQueue.completed(ids);
      return done.length === ids.length;
    });
    await settled;
    const groups = await playGroups.unsettled(GROUPS_MAX);
    settled = settleSpend({
      ...context,
      playGroups: { ...playGroups, unsettled: () => Promise.resolve(groups) },
      now: () => new Date(part.endMs),
    });
  }
  await settled;
}

type BatchOptions = {
  epoch: number;
  part: PastDays;
  /** The last issue number of each campaign. */
  numbers: Map<Handle<'campaign'>, number>;
  keys: SigningKeys;
};

/** The reports of a part, one batch per stream. Each play is reported at its end. */
function batchesOf(queue: PlayQueue, { epoch, part, numbers, keys }: BatchOptions): Batch[] {
  const byStream = new Map<number, PlayReport[]>();
  for (const { impressions, costMicros: _cost, ...play } of part.plays) {
    const issueNumber = (numbers.get(play.campaign) ?? 0) + 1;
    numbers.set(play.campaign, issueNumber);
    const facts: PlayFacts = {
      ...play,
      sandbox: false,
      plan: false,
      sensor: false,
      impressionsEst: impressions,
      impressionsMax: impressions,
      audience: 0,
      epoch,
      issueNumber,
    };
    const { screen, startsAt, durationMs } = play;
    const reports = byStream.get(queue.streamOf(screen)) ?? [];
    byStream.set(queue.streamOf(screen), reports);
    reports.push({
      playId: encodePlayId(facts, keys.current),
      screen,
      startedAt: startsAt,
      playedMs: durationMs,
      receivedAt: startsAt + durationMs,
    });
  }
  return Array.from(byStream, ([stream, plays], index) => ({
    id: queue.batchId(`${NODE}-${epoch}-${part.endMs}`, stream),
    plays,
    scans: index === 0 ? [...part.scans] : [],
    releases: [],
  }));
}

/** @throws if it is not so within `WAIT_MS_MAX` */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + WAIT_MS_MAX;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`waited ${WAIT_MS_MAX / 1_000} s for ${what}`);
    await wait(POLL_MS);
  }
}
