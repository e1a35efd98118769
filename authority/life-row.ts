/**
 * What Postgres knows of the life of the authority: whether Redis has all that was answered, and up to when. Redis has
 * the other half (`life.ts`). Also the epochs of delivery processes: one is taken when a process starts, and ended when
 * its money is settled (`epochs.ts`).
 */
import type { Milliseconds } from '#domain/unit.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';

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

/** Begins a rebuild: until it ends, Redis lacks something. */
export async function beginRebuild(sql: Queryable): Promise<void> {
  await sql`update authority_life set is_whole = false`;
}

/**
 * Ends a rebuild: Redis has all again, under the next generation, which is returned. Call it just before the authority
 * begins: nodes may claim money under a generation once, so one that failed as it began counts, and one that failed
 * earlier does not.
 * @param from the generation that was rebuilt
 * @throws Fault `rebuild_overtaken` if another rebuild of it has ended meanwhile
 */
export async function endRebuild(sql: Queryable, from: number): Promise<number> {
  const [row] = await sql<{ generation: number }[]>`
    update authority_life set generation = generation + 1, is_whole = true, lost_at = null where generation = ${from}
    returning generation`;
  if (row !== undefined) return row.generation;
  throw new Fault('rebuild_overtaken', 'another process has rebuilt the authority', { retryable: true });
}

/** Records that no Redis has what was restored: a generation far from any other, so that the workers rebuild it. */
export async function recordRestore(tx: Transaction, gap: number): Promise<void> {
  await tx`update authority_life set generation = generation + ${gap}, is_whole = false, lost_at = clock_timestamp()`;
}

type Issued = { line_ms: Milliseconds; epoch: number; may_live: number[] | null };

/** Where a rebuilt authority begins. `may_live`: the epochs since a moment that have not ended; null: none. */
export async function readIssued(sql: Queryable, sinceMs: Milliseconds): Promise<Issued> {
  const [row] = await sql<Issued[]>`
    select (select line_ms from lapse_line), (select coalesce(max(epoch), 0) from delivery_epochs) as epoch,
      (select array_agg(epoch::float8) from delivery_epochs
      where ended_at is null and started_at > to_timestamp(${sinceMs / 1000})) as may_live`;
  return row!;
}

/** Raises the lapse line, which never goes back. Returns where it is. */
export async function raiseLapseLine(sql: Queryable, toMs: Milliseconds): Promise<Milliseconds> {
  const [row] = await sql<{ line_ms: Milliseconds }[]>`
    update lapse_line set line_ms = greatest(line_ms, ${toMs}) returning line_ms`;
  return row!.line_ms;
}

type DeliveryProcess = { node: string; bootId: string; now: Date };

/** A new epoch for this process, from Postgres so that none is given twice whatever happens to Redis. */
export async function takeEpoch(
  sql: Postgres,
  { node, bootId, now }: DeliveryProcess,
): Promise<{ epoch: number; generation: number }> {
  const [row] = await sql<{ epoch: number; generation: number }[]>`
    insert into delivery_epochs (node, boot_id, started_at, generation) select ${node}, ${bootId}, ${now}, generation
    from authority_life returning epoch, generation`;
  return row!;
}

/** Epochs without an end: a few of each process, and those of lost machines. */
const OPEN_LISTED_MAX = 1_000;

type EpochRow = { node: string; epoch: number; started_at: Date };

/** Epochs that have not ended, the newest first. */
export async function listOpenEpochs(sql: Queryable): Promise<EpochRow[]> {
  return sql<EpochRow[]>`
    select node, epoch, started_at from delivery_epochs where ended_at is null order by epoch desc
    limit ${OPEN_LISTED_MAX}`;
}

export async function findEpoch(sql: Queryable, epoch: number): Promise<EpochRow | undefined> {
  const [row] = await sql<EpochRow[]>`select node, epoch, started_at from delivery_epochs where epoch = ${epoch}`;
  return row;
}

/** Every epoch of a node. */
export async function epochsOf(sql: Queryable, node: string): Promise<{ epoch: number; is_open: boolean }[]> {
  return sql<{ epoch: number; is_open: boolean }[]>`
    select epoch, ended_at is null as is_open from delivery_epochs where node = ${node}`;
}

/** The money of an epoch is settled: a rebuild of the authority need not wait for its node. */
export async function endEpoch(sql: Postgres, { epoch, now }: { epoch: number; now: Date }): Promise<void> {
  await sql`update delivery_epochs set ended_at = ${now} where epoch = ${epoch}`;
}

/** No process of this node, or of any, goes on: nothing waits for their epochs. */
export async function endEpochsOf(sql: Queryable, node?: string): Promise<void> {
  await sql`update delivery_epochs set ended_at = now()
    where ended_at is null ${node === undefined ? sql`` : sql`and node = ${node}`}`;
}
