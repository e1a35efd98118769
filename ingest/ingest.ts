import type { SigningKeys } from '#domain/play.ts';
import type { Log } from '#runtime/log.ts';
import { gauge } from '#runtime/metrics.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { createAuthority, type Redis } from '#sql/redis.ts';
import { startConsumer } from './consumer.ts';
import { createDeadLetters } from './dead-letter.ts';
import { processDecisions, type DecisionDeps } from './decisions.ts';
import { createGroups } from './groups.ts';
import { readAsOf } from './as-of.ts';
import { intakeKeys } from './intake-keys.ts';
import { DECISION_QUEUE_NAME, QUEUE_NAME } from './intake.ts';
import { processGroup, type PipelineDeps } from './pipeline.ts';
import { startReleases } from './releases.ts';
import { createScanEvents } from './scan-events.ts';
import { assertDeduplication, createWriter } from './writer.ts';
import { createWrittenScans } from './written-scans.ts';

export type IngestDeps = {
  /** Role `commands`. */
  commands: Redis;
  /** Role `worker`. */
  blocking: Redis;
  clickhouse: Clickhouse; sql: Postgres; keys: SigningKeys; log: Log; queueName?: string; decisionQueueName?: string;
};

let lagMs = 0;
gauge({ name: 'ingest_as_of_lag_ms', help: 'Redis time less as_of when a group was last begun', read: () => lagMs });

/**
 * Starts taking batches from the queue.
 * @throws Fault `no_deduplication` when a table of ClickHouse would not drop a repeated insert.
 */
export async function startIngest({ commands, blocking, clickhouse, sql, keys, log, queueName = QUEUE_NAME, decisionQueueName = DECISION_QUEUE_NAME }: IngestDeps): Promise<{ close(): Promise<void> }> {
  await assertDeduplication(clickhouse);
  const queueKeys = intakeKeys(queueName);
  const groups = createGroups(commands, queueKeys);
  const authority = createAuthority(commands);
  const lateBefore = async (): Promise<number> => {
    const [asOf, line] = await Promise.all([readAsOf(commands, queueKeys), authority.epochs.lapseLine()]);
    lagMs = Math.max(0, Date.now() - asOf);
    return Math.max(asOf, line);
  };
  const now = (): Date => new Date();
  const deadLetters = createDeadLetters(sql);
  const pipeline: PipelineDeps = {
    groups, log, keys, lateBefore, authority, deadLetters, now, writer: createWriter({ clickhouse, groups, log }), writtenScans: createWrittenScans(clickhouse), scanEvents: createScanEvents(sql),
  };
  const consumer = startConsumer({ connection: blocking, queueName, groups, log, process: (group, work) => processGroup(group, pipeline, work) });
  const decisionGroups = createGroups(commands, intakeKeys(decisionQueueName));
  const decisionDeps: DecisionDeps = { groups: decisionGroups, writer: createWriter({ clickhouse, groups: decisionGroups, log }), deadLetters, now };
  const decisionConsumer = startConsumer({
    connection: blocking, queueName: decisionQueueName, groups: decisionGroups, log, process: (group, work) => processDecisions(group, decisionDeps, work),
  });
  const releases = startReleases({ redis: commands, keys: queueKeys, log });
  return {
    async close() {
      await Promise.all([consumer.close(), decisionConsumer.close()]);
      await releases.stop();
    },
  };
}
