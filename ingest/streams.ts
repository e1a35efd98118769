/**
 * Starts the consumers of the queues: one for every stream of plays, with the releases of that stream, and one for the
 * stream of decisions. The service calls it, and tests do with their own engines.
 */
import type { SigningKeys } from '#domain/plays/play.ts';
import type { Log } from '#runtime/log.ts';
import { gauge } from '#runtime/metrics.ts';
import { createAuthority, type Authority } from '#authority/authority.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import { startConsumer, type Consumer } from './consumer.ts';
import { createDeadLetters, type DeadLetters } from './dead-letter.ts';
import { processDecisions } from './decisions.ts';
import { createGroups } from './groups.ts';
import { processGroup, type PipelineDependencies } from './pipeline.ts';
import { readAsOf } from './queue/backlog.ts';
import { DECISION_QUEUE_NAME, DECISION_STREAM } from './queue/decision-queue.ts';
import { PLAY_QUEUE_NAME } from './queue/play-queue.ts';
import { startReleases, type Releases } from './queue/releases.ts';
import { streamKeys, streamsOf, type StreamKeys } from './queue/stream-keys.ts';
import { assertDeduplication, assertSynced, haveOneServer } from './rows/table-settings.ts';
import { createWriter, insertBounds, type InsertBounds } from './rows/writer.ts';
import { createScanEvents } from './scans/scan-events.ts';
import { createWrittenScans } from './scans/written-scans.ts';

export type StreamOptions = {
  /** Role `commands`. */
  commands: Redis;
  /** Role `worker`. */
  blocking: Redis;
  clickhouse: Clickhouse;
  sql: Postgres;
  keys: SigningKeys;
  log: Log;
  queueName?: string;
  decisionQueueName?: string;
  /** Whether plays of one screen may overlap; only where screens are simulated. */
  mayOverlap?: boolean;
};

/**
 * One insert of 10,000 to 100,000 rows costs ClickHouse little more than one of a hundred; this many also bounds
 * memory.
 */
const GROUP_EVENTS_MAX = 20_000;
/**
 * If few plays arrive all the time, they wait for half of the pace on average, and the insert takes 0.1 s: half of them
 * are in reports within 0.3 s, for at most four inserts a second. If an insert takes longer, the next one collects for
 * at least 0.2 s: groups that began right after the previous one were smaller, and on a busy machine their plays came
 * later (bench/notes.md).
 */
const PLAYS_GATHER = { paceMs: 250, waitMsMin: 200, waitMsMax: 400 };
/** Decisions are read by people, later. */
const DECISIONS_GATHER = { paceMs: 1_000, waitMsMin: 1_000, waitMsMax: 2_000 };
/** The streams of a process share that limit while their groups are worth an insert. */
const STREAM_EVENTS_MIN = 2_000;

let lagMs = 0;
gauge({ name: 'ingest_as_of_lag_ms', help: 'Redis time less as_of when a group was last begun', read: () => lagMs });

/**
 * Starts taking batches from the queues.
 * @throws Fault `no_deduplication` when a table of ClickHouse would not drop a repeated insert, `not_synced` when a cut
 *   of power could take back what an insert was answered for.
 */
export async function startStreams(options: StreamOptions): Promise<{ close(): Promise<void> }> {
  const { commands, clickhouse, sql, log, queueName = PLAY_QUEUE_NAME } = options;
  const tables = await assertDeduplication(clickhouse);
  await assertSynced(clickhouse);
  if (options.mayOverlap) log.warn('SCREEN_PLAYS_OVERLAP is set: one screen may report more than it could show');
  const shared: SharedDependencies = {
    log,
    keys: options.keys,
    mayOverlap: options.mayOverlap ?? false,
    authority: createAuthority(commands),
    deadLetters: createDeadLetters(sql),
    writtenScans: createWrittenScans(clickhouse),
    scanEvents: createScanEvents(sql),
    now: () => new Date(),
  };
  const streams = streamsOf(queueName, commands);
  const eventsMax = Math.max(STREAM_EVENTS_MIN, Math.floor(GROUP_EVENTS_MAX / streams.length));
  const bounds = insertBounds({ isOneServer: haveOneServer(tables, clickhouse) });
  const plays = streams.map(keys => startPlayStream({ ...options, eventsMax, bounds }, keys, shared));
  const decisions = startDecisionStream({ ...options, bounds }, shared.deadLetters);
  return {
    async close() {
      await Promise.all([...plays.map(({ consumer }) => consumer.close()), decisions.close()]);
      await Promise.all(plays.map(({ releases }) => releases.stop()));
    },
  };
}

/** The common parts of the pipelines of all streams. */
type SharedDependencies = Omit<PipelineDependencies, 'groups' | 'lateBefore' | 'writer'>;

type PlayStreamOptions = StreamOptions & { eventsMax: number; bounds: InsertBounds };

function startPlayStream(
  { commands, blocking, clickhouse, log, eventsMax, bounds, queueName = PLAY_QUEUE_NAME }: PlayStreamOptions,
  keys: StreamKeys,
  shared: SharedDependencies,
): { consumer: Consumer; releases: Releases } {
  const groups = createGroups(commands, keys);
  const pipeline: PipelineDependencies = {
    ...shared,
    groups,
    lateBefore: () => readLateBefore(commands, keys, shared.authority),
    writer: createWriter({ clickhouse, groups, log, bounds }),
  };
  const consumer = startConsumer({
    connection: blocking,
    queueName,
    prefix: keys.prefix,
    groups,
    eventsMax,
    gather: PLAYS_GATHER,
    log,
    process: (group, work) => processGroup(group, pipeline, work),
  });
  return { consumer, releases: startReleases({ redis: commands, keys, log }) };
}

/** By the stream's own as_of: every other job that counted its plays is in the same stream. */
async function readLateBefore(redis: Redis, keys: StreamKeys, authority: Authority): Promise<number> {
  const [asOf, line] = await Promise.all([readAsOf(redis, keys), authority.epochs.lapseLine()]);
  lagMs = Math.max(0, Date.now() - asOf);
  return Math.max(asOf, line);
}

function startDecisionStream(
  {
    commands,
    blocking,
    clickhouse,
    log,
    bounds,
    decisionQueueName = DECISION_QUEUE_NAME,
  }: StreamOptions & { bounds: InsertBounds },
  deadLetters: DeadLetters,
): Consumer {
  const keys = streamKeys(decisionQueueName, DECISION_STREAM);
  const groups = createGroups(commands, keys);
  const pipeline = {
    groups,
    writer: createWriter({ clickhouse, groups, log, bounds }),
    deadLetters,
    now: () => new Date(),
  };
  return startConsumer({
    connection: blocking,
    queueName: decisionQueueName,
    prefix: keys.prefix,
    groups,
    eventsMax: GROUP_EVENTS_MAX,
    gather: DECISIONS_GATHER,
    log,
    process: (group, work) => processDecisions(group, pipeline, work),
  });
}
