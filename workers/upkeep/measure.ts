/**
 * Measures values that belong to no single process: waits between the services, and the fill level of the engines.
 * Every workers process measures everything, so that one living process suffices; aggregate with `max`. Values are read
 * here and not at the scrape, so that a scrape never waits for an engine; `workers_measured_at_seconds` has their age.
 */
import { DECISION_QUEUE_NAME } from '#ingest/queue/decision-queue.ts';
import { PLAY_QUEUE_NAME } from '#ingest/queue/play-queue.ts';
import { readBacklog } from '#ingest/queue/backlog.ts';
import { gauge } from '#runtime/metrics.ts';
import { redisNow } from '#authority/redis-clock.ts';
import { countOverspent } from '#sql/campaigns/budgets.ts';
import { oldestWaiting } from '#sql/creatives/media-life.ts';
import { countLetters } from '#sql/dead-letters/letters.ts';
import { oldestOpen } from '#sql/findings/findings.ts';
import { oldestCase } from '#sql/payments/cases.ts';
import { findNewest } from '#audit/verifications.ts';
import { queryRows } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { infoOfAll, type Redis } from '#sql/redis.ts';
import { measureDay } from '../hindsight/day-gauges.ts';
import type { Job, JobContext } from '../schedule.ts';
import { oldestEvent } from '#sql/webhooks/outbox.ts';
import { oldestDue } from '#sql/webhooks/sending.ts';

const MS_PER_SECOND = 1_000;
/** Counts are exact up to here, so that counting a large backlog costs no more. */
const COUNTED_MAX = 10_000;
const MEASURED = ['freshness', 'backlog', 'books'] as const;
const QUEUES = [PLAY_QUEUE_NAME, DECISION_QUEUE_NAME] as const;

/** The last answer; without a new one the plays wait, and the lag grows with the clock. */
const freshness = { lagMs: 0, atMs: performance.now(), isKnown: true };
gauge({
  name: 'workers_freshness_seconds',
  help: 'How far reports are behind what screens were acknowledged: Redis time less as_of. Grows while as_of cannot be read',
  read: () => (freshness.lagMs + (freshness.isKnown ? 0 : performance.now() - freshness.atMs)) / MS_PER_SECOND,
});
const measuredAt = gauge({
  name: 'workers_measured_at_seconds',
  help: 'When this was measured last, seconds since 1970',
  labels: ['what'],
});
for (const what of MEASURED) measuredAt.set({ what }, 0);

const ofQueues = {
  pending: gauge({
    name: 'workers_queue_pending_batches',
    help: 'Batches that are stored and not complete',
    labels: ['queue'],
  }),
  grouped: gauge({
    name: 'workers_queue_grouped_batches',
    help: 'Batches that belong to a group and are not complete',
    labels: ['queue'],
  }),
  failed: gauge({
    name: 'workers_queue_failed_batches',
    help: 'Batches where no worker takes them; must stay 0',
    labels: ['queue'],
  }),
};
for (const each of Object.values(ofQueues)) for (const queue of QUEUES) each.set({ queue }, 0);
const unsettledGroups = gauge({
  name: 'workers_unsettled_groups',
  help: 'Groups in ClickHouse whose charges are not in Postgres yet',
});
const unsettledSeconds = gauge({ name: 'workers_unsettled_seconds', help: 'How long the oldest of them waits' });
const asOfWaits = gauge({
  name: 'workers_as_of_waits_for',
  help: 'Epochs of delivery processes that may hold copies of what a lost Redis had, and have not added them again: as_of waits for them',
});
const releasesWaiting = gauge({
  name: 'workers_releases_waiting',
  help: 'Plays that were given back and wait for as_of',
});
const outboxEvents = gauge({
  name: 'workers_outbox_events',
  help: `Events that are not dispatched, up to ${COUNTED_MAX}`,
});
const outboxSeconds = gauge({ name: 'workers_outbox_seconds', help: 'Age of the oldest of them' });
const webhooksDue = gauge({ name: 'workers_webhook_endpoints_due', help: 'Endpoints for which a delivery is due' });
const webhookSeconds = gauge({ name: 'workers_webhook_due_seconds', help: 'How long the oldest due delivery waits' });
const uploadsWaiting = gauge({
  name: 'workers_uploads_waiting',
  help: `Uploads that are complete and wait for their check, up to ${COUNTED_MAX}`,
});
const uploadSeconds = gauge({ name: 'workers_uploads_waiting_seconds', help: 'How long the oldest of them waits' });
const deadLetters = gauge({
  name: 'workers_dead_letters_waiting',
  help: `Dead letters that nobody has retried, up to ${COUNTED_MAX}`,
});
const redisUsed = gauge({
  name: 'workers_redis_used_bytes',
  help: 'Memory that Redis uses, of a cluster the fullest master',
});
const redisMax = gauge({
  name: 'workers_redis_max_bytes',
  help: 'Its maxmemory, or all memory of its machine where it has none',
});
const clickhouseFree = gauge({
  name: 'workers_clickhouse_disk_free_ratio',
  help: 'Free part of the fullest disk of ClickHouse',
});
const overspent = gauge({
  name: 'workers_overspent_campaigns',
  help: 'Campaigns that were charged more than their budget; must stay 0',
});
const findingsOpen = gauge({
  name: 'workers_findings_open',
  help: `Findings about screens and venues that wait for a decision, up to ${COUNTED_MAX}`,
});
const paymentsSeconds = gauge({
  name: 'workers_payment_cases_open_seconds',
  help: 'How long the oldest refund, dispute or payment that does not fit waits for the operator',
});
const findingsSeconds = gauge({
  name: 'workers_findings_open_seconds',
  help: 'How long the oldest of them waits, and earnings with it',
});
const breaches = gauge({
  name: 'workers_verify_breaches',
  help: 'Breaches that the last check of all invariants found; must stay 0',
});
const unchecked = gauge({ name: 'workers_verify_unchecked', help: 'What the last check could not look at' });
const verifiedAt = gauge({
  name: 'workers_verified_at_seconds',
  help: 'When that check began, seconds since 1970; 0 before the first',
});

/** The jobs that measure. They run in every process and change nothing. */
export function measureJobs(redis: Redis): Job[] {
  const round =
    (what: (typeof MEASURED)[number], measure: (context: JobContext) => Promise<void>) =>
    async (context: JobContext): Promise<number> => {
      await measure(context);
      measuredAt.set({ what }, context.now().getTime() / MS_PER_SECOND);
      return 0;
    };
  return [
    // Freshness is a matter of seconds: one script a second.
    {
      name: 'measure-freshness',
      everyMs: 1_000,
      lock: undefined,
      run: round('freshness', ({ playQueue }) => measureFreshness(playQueue, redis)),
    },
    {
      name: 'measure-backlog',
      everyMs: 5_000,
      lock: undefined,
      run: round('backlog', context => measureBacklog(context, redis)),
    },
    // It reads every campaign, and disks do not fill within a minute.
    { name: 'measure-books', everyMs: 60_000, lock: undefined, run: round('books', measureBooks) },
  ];
}

async function measureFreshness(playQueue: JobContext['playQueue'], redis: Redis): Promise<void> {
  try {
    const [asOf, now] = await Promise.all([playQueue.asOf(), redisNow(redis)]);
    Object.assign(freshness, { lagMs: Math.max(0, now - asOf), atMs: performance.now(), isKnown: true });
  } catch (error) {
    freshness.isKnown = false;
    throw error;
  }
}

async function measureBacklog({ sql, authority, now }: JobContext, redis: Redis): Promise<void> {
  const [plays, decisions, waiting, memories] = await Promise.all([
    readBacklog(redis, PLAY_QUEUE_NAME),
    readBacklog(redis, DECISION_QUEUE_NAME),
    authority.life.waiting(),
    infoOfAll(redis, 'memory'),
  ]);
  asOfWaits.set(waiting.length);
  setQueues(plays, decisions);
  setRedisMemory(memories);
  await measureEvents(sql, now());
  await measureWebhooks(sql, now());
  await measureUploads(sql, now());
}

type Backlog = Awaited<ReturnType<typeof readBacklog>>;

function setQueues(plays: Backlog, decisions: Backlog): void {
  for (const [queue, backlog] of [
    [PLAY_QUEUE_NAME, plays],
    [DECISION_QUEUE_NAME, decisions],
  ] as const) {
    for (const name of ['pending', 'grouped', 'failed'] as const) ofQueues[name].set({ queue }, backlog[name]);
  }
  unsettledGroups.set(plays.unsettled);
  unsettledSeconds.set((plays.oldestUnsettledMs ?? 0) / MS_PER_SECOND);
  releasesWaiting.set(plays.releases);
}

/** The values of the fullest server, relative to its own limit. */
function setRedisMemory(memories: readonly string[]): void {
  const fullest = memories
    .map(memoryOf)
    .reduce((most, each) => (each.used / each.max > most.used / most.max ? each : most));
  redisUsed.set(fullest.used);
  redisMax.set(fullest.max);
}

/** Events that wait to be dispatched, and dead letters that wait for a retry. */
async function measureEvents(sql: Postgres, now: Date): Promise<void> {
  const events = await oldestEvent(sql, COUNTED_MAX);
  outboxEvents.set(events.count);
  outboxSeconds.set(secondsSince(events.since, now));
  deadLetters.set(await countLetters(sql, {}, COUNTED_MAX));
}

async function measureWebhooks(sql: Postgres, now: Date): Promise<void> {
  const due = await oldestDue(sql, now);
  webhooksDue.set(due.endpoints);
  webhookSeconds.set(secondsSince(due.since, now));
}

async function measureUploads(sql: Postgres, now: Date): Promise<void> {
  const uploads = await Promise.all(
    (['creative', 'asset'] as const).map(kind => oldestWaiting(sql, kind, COUNTED_MAX)),
  );
  uploadsWaiting.set(uploads.reduce((sum, each) => sum + each.count, 0));
  uploadSeconds.set(Math.max(...uploads.map(each => secondsSince(each.since, now))));
}

/** 0 if nothing waits. */
function secondsSince(at: Date | null | undefined, now: Date): number {
  return at ? Math.max(0, now.getTime() - at.getTime()) / MS_PER_SECOND : 0;
}

function memoryOf(info: string): { used: number; max: number } {
  const bytesOf = (field: string): number => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { used: bytesOf('used_memory'), max: bytesOf('maxmemory') || bytesOf('total_system_memory') };
}

async function measureBooks({ sql, clickhouse, now }: JobContext): Promise<void> {
  overspent.set(await countOverspent(sql));
  const findings = await oldestOpen(sql, COUNTED_MAX);
  findingsOpen.set(findings.count);
  findingsSeconds.set(secondsSince(findings.since, now()));
  paymentsSeconds.set(secondsSince(await oldestCase(sql, COUNTED_MAX), now()));
  const last = await findNewest(sql);
  breaches.set(last?.breaches ?? 0);
  unchecked.set(last?.report.unchecked.length ?? 0);
  verifiedAt.set((last?.began_at.getTime() ?? 0) / MS_PER_SECOND);
  await measureDay(sql);
  const [disk] = await queryRows<{ free: number }>(clickhouse, {
    query: 'select min(free_space / total_space) as free from system.disks where total_space > 0',
  });
  clickhouseFree.set(disk?.free ?? 1);
}
