/**
 * Acknowledged events that could not be processed, for an operator to read and retry. A retry sends the event to ingest
 * as a separate batch, whose id is derived from the dead letter's, so that a repeated retry is one batch. A play counts
 * once in any number of batches, so a play counted meanwhile is not counted again. An event that fails again becomes a
 * dead letter again.
 */
import { createHash } from 'node:crypto';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import { decodePayload, type Batch, type Payload, type PlayReport, type Release, type ScanEvent } from './batch.ts';
import type { PlayQueue } from './play-queue.ts';
import { streamOf } from './stream-keys.ts';

/** How many one call lists or retries; call again for the rest. */
const LETTERS_MAX = 1_000;
/** Reasons of `verify` are few; those of `decode` contain texts of a parser. */
const GROUPS_MAX = 100;

export type WaitingLetter = {
  job_id: string;
  kind: 'batch' | 'play' | 'scan' | 'release';
  position: number;
  step: string;
  reason: string;
  payload: unknown;
  created_at: Date;
};
export type LetterFilter = { batch?: string | undefined; step?: string | undefined; reason?: string | undefined };

/** The oldest dead letters that wait for a retry. */
export function waitingLetters(sql: Postgres, filter: LetterFilter): Promise<WaitingLetter[]> {
  return sql<WaitingLetter[]>`
    select job_id, kind, position, step, reason, payload, created_at from dead_letters where ${matching(sql, filter)}
    order by created_at, job_id, kind, position limit ${LETTERS_MAX}`;
}

/** How many wait. */
export async function countLetters(sql: Queryable, filter: LetterFilter): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`select count(*)::int as count from dead_letters where ${matching(sql, filter)}`;
  return row!.count;
}

export type LetterGroup = {
  kind: WaitingLetter['kind'];
  step: string;
  reason: string;
  count: number;
  oldest_at: Date;
  newest_at: Date;
};

/** The waiting ones by step and reason, the largest group first. */
export function letterGroups(sql: Queryable): Promise<LetterGroup[]> {
  return sql<LetterGroup[]>`
    select kind, step, reason, count(*)::int as count, min(created_at) as oldest_at, max(created_at) as newest_at
    from dead_letters
    where retried_at is null group by kind, step, reason order by count desc, kind, step, reason limit ${GROUPS_MAX}`;
}

function matching(sql: Queryable, { batch, step, reason }: LetterFilter) {
  return sql`retried_at is null
    ${batch === undefined ? sql`` : sql`and job_id = ${batch}`}
    ${step === undefined ? sql`` : sql`and step = ${step}`}
    ${reason === undefined ? sql`` : sql`and reason = ${reason}`}`;
}

type RetryOptions = { filter: LetterFilter; redis: Redis; playQueue: PlayQueue; now: Date };

/**
 * Sends the waiting ones to ingest again, the oldest first. `unreadable`: their content is not a batch, so they stay.
 */
export async function retryLetters(
  sql: Postgres,
  { filter, redis, playQueue, now }: RetryOptions,
): Promise<{ retried: number; unreadable: number }> {
  const letters = await waitingLetters(sql, filter);
  let retried = 0;
  for (const letter of letters) {
    const batch = batchOf(letter, name => playQueue.batchId(name, streamOf(letter.job_id, redis)));
    if (!batch) continue;
    await playQueue.add(batch); // before it is marked: a crash in between repeats the same batch, which adds nothing
    await sql`update dead_letters set retried_at = ${now}, retried_as = ${batch.id} where job_id = ${letter.job_id}
      and kind = ${letter.kind} and position = ${letter.position}`;
    retried += 1;
  }
  return { retried, unreadable: letters.length - retried };
}

/**
 * The batch of one dead letter, or undefined if its payload still cannot be read. It goes into the stream of its first
 * batch, because its plays may be counted there.
 */
function batchOf(
  { job_id, kind, position, payload }: WaitingLetter,
  idOf: (name: string) => string,
): Batch | undefined {
  const id = idOf(`retry-${createHash('sha256').update(`${job_id} ${kind} ${position}`).digest('hex').slice(0, 40)}`);
  const empty: Payload = { plays: [], scans: [], releases: [] };
  if (kind === 'play') return { id, ...empty, plays: [payload as PlayReport] };
  if (kind === 'scan') return { id, ...empty, scans: [payload as ScanEvent] };
  if (kind === 'release') return { id, ...empty, releases: [payload as Release] };
  const decoded = decodePayload(payload as string);
  return typeof decoded === 'string' ? undefined : { id, ...decoded };
}
