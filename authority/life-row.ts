/**
 * What Postgres knows of the life of the authority: whether Redis has all that was answered, and up to when. Redis has
 * the other half (`life.ts`).
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Queryable, Transaction } from '#sql/postgres.ts';

export type LifeRow = {
  generation: number;
  is_whole: boolean;
  mark: number;
  as_of_ms: Milliseconds;
  settled_before_ms: Milliseconds;
  /** For how long it is lost; null: it is not. */
  waited_ms: Milliseconds | null;
};

export async function readLife(sql: Queryable): Promise<LifeRow> {
  const [row] = await sql<LifeRow[]>`
    select generation, is_whole, mark, as_of_ms, settled_before_ms,
      (extract(epoch from clock_timestamp() - lost_at) * 1000)::float8 as waited_ms from authority_life`;
  return row!;
}

/** Records that the authority answers, with its new mark. The moments never go back. */
export async function recordBeat(
  sql: Queryable,
  { mark, asOfMs, settledBeforeMs }: { mark: number; asOfMs: Milliseconds; settledBeforeMs: Milliseconds },
): Promise<void> {
  await sql`
    update authority_life set mark = ${mark}, as_of_ms = greatest(as_of_ms, ${asOfMs}),
      settled_before_ms = greatest(settled_before_ms, ${settledBeforeMs}), lost_at = null`;
}

/** Records that a restarted Redis has lost nothing. */
export async function recordResumed(sql: Queryable): Promise<void> {
  await sql`update authority_life set lost_at = null`;
}

export async function recordLoss(sql: Queryable): Promise<void> {
  await sql`update authority_life set lost_at = clock_timestamp()`;
}

/** Begins a rebuild. An interrupted one counts as one. */
export async function beginGeneration(sql: Queryable): Promise<number> {
  const [{ generation }] = await sql<
    [{ generation: number }]
  >`update authority_life set generation = generation + 1, is_whole = false returning generation`;
  return generation;
}

/** Ends a rebuild: Redis has all again. */
export async function endRebuild(sql: Queryable): Promise<void> {
  await sql`update authority_life set is_whole = true, lost_at = null`;
}

/** Records that no Redis has what was restored: a generation far from any other, so that the workers rebuild it. */
export async function recordRestore(tx: Transaction, gap: number): Promise<void> {
  await tx`update authority_life set generation = generation + ${gap}, is_whole = false, lost_at = clock_timestamp()`;
}
