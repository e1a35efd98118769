/**
 * How the installation runs, as a person of the operator sees it: what the hourly check of every invariant found, what
 * waits, and events that could not be processed. The same that `admin verify`, `admin dead-letters` and the metrics
 * say.
 */
import { INVARIANTS } from '#audit/checks/findings.ts';
import { findNewest } from '#audit/verifications.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import { formatId } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { readBacklog } from '#ingest/queue/backlog.ts';
import { retryLetters } from '#ingest/queue/dead-letters.ts';
import { countLetters, letterGroups } from '#sql/dead-letters/letters.ts';
import { PLAY_QUEUE_NAME, type PlayQueue } from '#ingest/queue/play-queue.ts';
import { readCounts } from '#sql/operator/counts.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import type { Caller } from '../authentication/caller.ts';
import type { Alert, DeadLetterGroups, OperationsStatus, RetriedLetters, RetryLetters } from './operations-schema.ts';

/** The promise of the interface for reports; a longer delay is also an alert of the metrics. */
const BEHIND_MS_MAX = 90_000;
/** A check begins every hour and may take minutes; two missing checks are not a coincidence. */
const CHECK_MS_MAX = 3 * 3_600_000;
const BREACHES_MAX = 100;

export type OperationsEngines = { sql: Postgres; redis: Redis; playQueue: PlayQueue };

export async function readStatus(
  { sql, redis, playQueue }: OperationsEngines,
  now: Milliseconds,
): Promise<OperationsStatus> {
  const [check, counts, deadLetters, backlog, asOf] = await Promise.all([
    readLastCheck(sql),
    readCounts(sql, now),
    countLetters(sql, {}),
    readBacklog(redis, PLAY_QUEUE_NAME),
    playQueue.asOf(),
  ]);
  const checkAgeMs = check ? now - Date.parse(check.began_at) : 0;
  const found: Record<Alert['code'], number> = {
    invariants_broken: check?.invariants.reduce((sum, { breaches }) => sum + breaches, 0) ?? 0,
    plays_behind: now - asOf > BEHIND_MS_MAX ? Math.round((now - asOf) / 1_000) : 0,
    batches_failed: backlog.failed,
    dead_letters: deadLetters,
    check_overdue: checkAgeMs > CHECK_MS_MAX ? Math.round(checkAgeMs / 3_600_000) : 0,
    invariants_unchecked: check?.unchecked.length ?? 0,
    webhooks_disabled: counts.webhooks_disabled,
  };
  return {
    alerts: Object.entries(found)
      .filter(([, count]) => count > 0)
      // The entries of a record have its keys.
      .map(([code, count]) => ({ code: code as Alert['code'], count })),
    last_check: check,
    as_of: new Date(asOf).toISOString(),
    screens: { online: counts.online, offline: counts.offline },
    reviews_waiting: counts.reviews,
    dead_letters_waiting: deadLetters,
    batches_waiting: backlog.pending,
  };
}

type Check = NonNullable<OperationsStatus['last_check']>;

async function readLastCheck(sql: Postgres): Promise<Check | null> {
  const row = await findNewest(sql);
  if (!row) return null;
  const { breaches, unchecked } = row.report;
  return {
    began_at: row.began_at.toISOString(),
    ended_at: row.ended_at.toISOString(),
    invariants: INVARIANTS.map(name => ({
      name,
      breaches: breaches.filter(({ invariant }) => invariant === name).length,
    })),
    breaches: breaches.slice(0, BREACHES_MAX).map(({ invariant, campaign, workspace, detail }) => ({
      invariant,
      campaign_id: campaign === undefined ? null : formatId('campaign', campaign),
      // Accounts of the installation itself are kept under workspace 0.
      workspace_id: workspace === undefined || workspace <= 0 ? null : formatId('workspace', workspace),
      detail,
    })),
    unchecked,
  };
}

export async function readDeadLetters(sql: Postgres): Promise<DeadLetterGroups> {
  const [waiting, groups] = await Promise.all([countLetters(sql, {}), letterGroups(sql)]);
  return {
    waiting,
    groups: groups.map(({ step, oldest_at, newest_at, ...group }) => ({
      ...group,
      step: step === 'decode' ? 'decode' : 'verify',
      oldest_at: oldest_at.toISOString(),
      newest_at: newest_at.toISOString(),
    })),
  };
}

/** Sends dead letters again. Each is one batch however often it is sent, so nothing is counted twice. */
export async function retryDeadLetters(
  { sql, redis, playQueue }: OperationsEngines,
  caller: Caller,
  { filter, now }: { filter: RetryLetters; now: Date },
): Promise<RetriedLetters> {
  const { workspace } = caller;
  // Before the unit: a crash in between repeats the same batches, which adds nothing.
  const did = await retryLetters(sql, { filter, redis, playQueue, now });
  return inUnitOfWork<RetriedLetters>(sql, { ...caller, now }, async unit => {
    const diff = { retried: { from: null, to: did.retried }, filter: { from: null, to: filter } };
    unit.audit({ workspace, action: 'dead_letters.retried', entityType: 'workspace', entityHandle: workspace, diff });
    return did;
  });
}
