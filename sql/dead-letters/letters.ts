/** Acknowledged events that could not be processed, for an operator to read and retry. */
import { jsonb, type Postgres, type Queryable } from '#sql/postgres.ts';

/** How many one call lists or retries; call again for the rest. */
const LETTERS_MAX = 1_000;
/** Reasons of `verify` are few; those of `decode` contain texts of a parser. */
const GROUPS_MAX = 100;
const PLAY_LETTERS_MAX = 10;
/** Letters of one insert, each with seven parameters, of which a statement has at most 65,534. */
const INSERT_LETTERS_MAX = 1_000;

export type WaitingLetter = {
  job_id: string;
  kind: 'batch' | 'play' | 'scan' | 'release';
  position: number;
  step: string;
  reason: string;
  payload: unknown;
  created_at: Date;
};
type Letter = Pick<WaitingLetter, 'kind' | 'position' | 'step' | 'reason' | 'payload'> & { job: string };
type PlayLetter = Omit<WaitingLetter, 'position' | 'payload'> & { retried_as: string | null };
export type LetterFilter = { batch?: string | undefined; step?: string | undefined; reason?: string | undefined };

/** The oldest dead letters that wait for a retry. */
export function waitingLetters(sql: Postgres, filter: LetterFilter): Promise<WaitingLetter[]> {
  return sql<WaitingLetter[]>`
    select job_id, kind, position, step, reason, payload, created_at from dead_letters where ${matching(sql, filter)}
    order by created_at, job_id, kind, position limit ${LETTERS_MAX}`;
}

/** How many wait, counted up to `countMax` if there is one. */
export async function countLetters(sql: Queryable, filter: LetterFilter, countMax?: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count
    from (select from dead_letters where ${matching(sql, filter)} limit ${countMax ?? null}) as l`;
  return row!.count;
}

/** The oldest letters about a play, also of those that were retried. */
export function lettersOfPlay(sql: Queryable, playId: string): Promise<PlayLetter[]> {
  return sql<PlayLetter[]>`
    select job_id, kind, step, reason, created_at, retried_as from dead_letters where payload ->> 'playId' = ${playId}
    order by created_at limit ${PLAY_LETTERS_MAX}`;
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

/** Stores letters. A repeat of the same group writes the same letters again, which adds nothing. */
export async function keepLetters(sql: Postgres, letters: readonly Letter[], now: Date): Promise<void> {
  for (let from = 0; from < letters.length; from += INSERT_LETTERS_MAX)
    await insertLetters(sql, letters.slice(from, from + INSERT_LETTERS_MAX), now);
}

async function insertLetters(sql: Postgres, letters: readonly Letter[], now: Date): Promise<void> {
  const rows = letters.map(({ job, kind, position, step, reason, payload }) => ({
    job_id: job,
    kind,
    position,
    step,
    reason,
    payload: jsonb(sql, payload),
    created_at: now,
  }));
  await sql`insert into dead_letters ${sql(rows)} on conflict do nothing`;
}

/** Marks a letter as sent to ingest again, in the batch of this id. */
export async function markRetried(
  sql: Postgres,
  { job_id: job, kind, position }: WaitingLetter,
  { batch, now }: { batch: string; now: Date },
): Promise<void> {
  await sql`update dead_letters set retried_at = ${now}, retried_as = ${batch}
    where job_id = ${job} and kind = ${kind} and position = ${position}`;
}
