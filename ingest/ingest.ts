import type { SigningKeys } from '#domain/plays/play.ts';
import type { Log } from '#runtime/log.ts';
import { gauge } from '#runtime/metrics.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { createAuthority } from '#authority/authority.ts';
import { type Redis } from '#sql/redis.ts';
import { startConsumer } from './consumer.ts';
import { createDeadLetters } from './dead-letter.ts';
import { processDecisions, type DecisionDeps } from './decisions.ts';
import { createGroups } from './groups.ts';
import { readAsOf } from './queue/as-of.ts';
import { intakeKeys, streamsOf } from './queue/intake-keys.ts';
import { DECISION_QUEUE_NAME, DECISION_STREAM, QUEUE_NAME } from './intake.ts';
import { processGroup, type PipelineDeps } from './pipeline.ts';
import { startReleases } from './queue/releases.ts';
import { createScanEvents } from './scans/scan-events.ts';
import { assertSynced } from './synced-tables.ts';
import { assertDeduplication, createWriter } from './writer.ts';
import { createWrittenScans } from './scans/written-scans.ts';

export type IngestDeps = {
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

/** One insert of 10,000 to 100,000 rows costs ClickHouse little more than one of a hundred; this many also bounds memory. */
const GROUP_EVENTS_MAX = 20_000;
/** The streams of a process share that bound as long as their groups are worth an insert. */
const STREAM_EVENTS_MIN = 2_000;

let lagMs = 0;
gauge({ name: 'ingest_as_of_lag_ms', help: 'Redis time less as_of when a group was last begun', read: () => lagMs });

/**
 * Starts taking batches from the queue: of every stream of plays, and of decisions.
 * @throws Fault `no_deduplication` when a table of ClickHouse would not drop a repeated insert, `not_synced` when a cut of
 *   power could take back what an insert was answered for.
 */
export async function startIngest({
  commands,
  blocking,
  clickhouse,
  sql,
  keys,
  log,
  mayOverlap = false,
  queueName = QUEUE_NAME,
  decisionQueueName = DECISION_QUEUE_NAME,
}: IngestDeps): Promise<{ close(): Promise<void> }> {
  await assertDeduplication(clickhouse);
  await assertSynced(clickhouse);
  const authority = createAuthority(commands);
  const now = (): Date => new Date();
  const deadLetters = createDeadLetters(sql);
  if (mayOverlap) log.warn('SCREEN_PLAYS_OVERLAP is set: one screen may report more than it could show');
  const shared = {
    log,
    keys,
    mayOverlap,
    authority,
    deadLetters,
    now,
    writtenScans: createWrittenScans(clickhouse),
    scanEvents: createScanEvents(sql),
  };
  const all = streamsOf(queueName, commands);
  const eventsMax = Math.max(STREAM_EVENTS_MIN, Math.floor(GROUP_EVENTS_MAX / all.length));
  const streams = all.map(queueKeys => {
    const groups = createGroups(commands, queueKeys);
    // A stream's own as_of: whoever else counted its plays is in the same stream.
    const lateBefore = async (): Promise<number> => {
      const [asOf, line] = await Promise.all([readAsOf(commands, queueKeys), authority.epochs.lapseLine()]);
      lagMs = Math.max(0, Date.now() - asOf);
      return Math.max(asOf, line);
    };
    const pipeline: PipelineDeps = { ...shared, groups, lateBefore, writer: createWriter({ clickhouse, groups, log }) };
    const consumer = startConsumer({
      connection: blocking,
      queueName,
      prefix: queueKeys.prefix,
      groups,
      eventsMax,
      log,
      process: (group, work) => processGroup(group, pipeline, work),
    });
    return { consumer, releases: startReleases({ redis: commands, keys: queueKeys, log }) };
  });
  const decisionKeys = intakeKeys(decisionQueueName, DECISION_STREAM);
  const decisionGroups = createGroups(commands, decisionKeys);
  const decisionDeps: DecisionDeps = {
    groups: decisionGroups,
    writer: createWriter({ clickhouse, groups: decisionGroups, log }),
    deadLetters,
    now,
  };
  const decisionConsumer = startConsumer({
    connection: blocking,
    queueName: decisionQueueName,
    prefix: decisionKeys.prefix,
    groups: decisionGroups,
    eventsMax: GROUP_EVENTS_MAX,
    log,
    process: (group, work) => processDecisions(group, decisionDeps, work),
  });
  return {
    async close() {
      await Promise.all([...streams.map(({ consumer }) => consumer.close()), decisionConsumer.close()]);
      await Promise.all(streams.map(({ releases }) => releases.stop()));
    },
  };
}
