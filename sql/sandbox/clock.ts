/**
 * The clocks of sandboxes, and the plays of their last step. A clock moves on request: simulated screens play, and each
 * step stores its plays together with the move, so that a crash neither loses nor repeats one. See docs/sandbox.md.
 */
import type { Handle } from '#domain/id.ts';
import { refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { inUnitOfWork, type Call, type Owner } from '#books/unit-of-work.ts';
import { jsonb, type Postgres, type Queryable } from '#sql/postgres.ts';

/** The longest month: a schedule of weeks takes a few steps. */
const ADVANCE_MS_MAX = 31 * 86_400_000;

/** The stored clock of a workspace's sandbox. It moves while it has a target. */
export type SandboxClock = { at: Date; target_at: Date | null; plays: number; stopped_by: 'plays_max' | null };
export type MovingClock = SandboxClock & { workspace: Handle<'workspace'>; target_at: Date };

/** The clock of a workspace's sandbox; undefined if it was never moved. */
export async function readSandboxClock(
  sql: Queryable,
  workspace: Handle<'workspace'>,
): Promise<SandboxClock | undefined> {
  const [row] = await sql<SandboxClock[]>`
    select at, target_at, plays, stopped_by from sandbox_clocks where workspace_handle = ${workspace}`;
  return row;
}

/** The time (ms) in the sandbox of a workspace: the moved clock or now, whichever is later. */
export function sandboxTime(clock: SandboxClock | undefined, now: Milliseconds): number {
  return Math.max(now, clock?.at.getTime() ?? 0);
}

/** The time (ms) for a caller: in the sandbox, that of its clock. */
export async function callersTime(sql: Postgres, { workspace, sandbox }: Owner, now: Milliseconds): Promise<number> {
  return sandbox ? sandboxTime(await readSandboxClock(sql, workspace), now) : now;
}

/** Requests a move of the clock from the workers, by 31 days at most. One move at a time. */
export async function advanceClock(sql: Postgres, call: Call, to: Milliseconds): Promise<SandboxClock | Refusal> {
  const { workspace } = call;
  return inUnitOfWork<SandboxClock | Refusal>(sql, call, async unit => {
    const { tx, now } = unit;
    await tx`insert into sandbox_clocks (workspace_handle, at) values (${workspace}, ${now}) on conflict do nothing`;
    const [before] = await tx<SandboxClock[]>`
      select at, target_at, plays, stopped_by from sandbox_clocks where workspace_handle = ${workspace} for update`;
    if (before!.target_at)
      return refuse('state_conflict', 'The clock is moving. Wait until GET /v1/sandbox/clock says ready.');
    const atMs = sandboxTime(before, now.getTime());
    if (to <= atMs)
      return refuseField(
        '/to',
        'out_of_range',
        `must be after ${new Date(atMs).toISOString()}, the time of the sandbox`,
      );
    if (to > atMs + ADVANCE_MS_MAX)
      return refuseField('/to', 'out_of_range', 'must be at most 31 days ahead of the time of the sandbox');
    const columns = { at: new Date(atMs), target_at: new Date(to), plays: 0, stopped_by: null };
    await tx`update sandbox_clocks set ${tx(columns)} where workspace_handle = ${workspace}`;
    const diff = { now: { from: columns.at, to: columns.target_at } };
    unit.audit({ workspace, action: 'sandbox.advanced', entityType: 'workspace', entityHandle: workspace, diff });
    return columns;
  });
}

/** The first month (YYYY-MM-DD) to which each of these sandboxes is charged; absent while its clock never stopped. */
export async function readFirstMonths(
  sql: Queryable,
  workspaces: readonly Handle<'workspace'>[],
): Promise<Map<Handle<'workspace'>, string>> {
  if (workspaces.length === 0) return new Map();
  const rows = await sql<{ workspace: Handle<'workspace'>; month: string }[]>`
    select workspace_handle as workspace, to_char(charges_from, 'YYYY-MM-DD') as month from sandbox_clocks
    where workspace_handle = any(${[...new Set(workspaces)]}::bigint[]) and charges_from is not null`;
  return new Map(rows.map(({ workspace, month }) => [workspace, month]));
}

/** Moving clocks, at most `count`, those that are furthest behind first. */
export async function movingClocks(sql: Postgres, count: number): Promise<MovingClock[]> {
  return sql<MovingClock[]>`
    select workspace_handle as workspace, at, target_at, plays, stopped_by from sandbox_clocks
    where target_at is not null order by at, workspace_handle limit ${count}`;
}

/** Reports of plays that ingest gets as one batch, and the epoch under which they were reserved. */
export type StoredBatch = { batch_id: string; epoch: number; plays: unknown[] };

/** The batches of the last step that are not counted yet. */
export async function readBatches(sql: Postgres, workspace: Handle<'workspace'>): Promise<StoredBatch[]> {
  return sql<StoredBatch[]>`
    select batch_id, epoch, plays from sandbox_batches where workspace_handle = ${workspace} order by batch_id`;
}

/** Deletes the batches of the last step, after they were counted. */
export async function deleteBatches(sql: Postgres, workspace: Handle<'workspace'>): Promise<void> {
  await sql`delete from sandbox_batches where workspace_handle = ${workspace}`;
}

/** Epochs that a node took for plays that were never stored. */
export async function readLeftEpochs(sql: Postgres, node: string): Promise<number[]> {
  const rows = await sql<{ epoch: number }[]>`
    select epoch from delivery_epochs where node = ${node} and ended_at is null
      and epoch not in (select epoch from sandbox_batches) order by epoch`;
  return rows.map(row => row.epoch);
}

/** Moves a clock, and stores the plays on its way. */
export async function moveClock(
  sql: Postgres,
  { workspace, at, batches }: { workspace: Handle<'workspace'>; at: Date; batches: readonly StoredBatch[] },
): Promise<void> {
  const plays = batches.reduce((sum, batch) => sum + batch.plays.length, 0);
  await sql.begin(async tx => {
    if (batches.length > 0)
      await tx`insert into sandbox_batches
        ${tx(batches.map(batch => ({ ...batch, workspace_handle: workspace, plays: jsonb(tx, batch.plays) })))}`;
    await tx`update sandbox_clocks set at = ${at}, plays = plays + ${plays} where workspace_handle = ${workspace}`;
  });
}

/** Ends the move of a clock. Charges go to the month `chargesFrom` or later ones. */
export async function stopClock(
  sql: Postgres,
  {
    workspace,
    stoppedBy,
    chargesFrom,
  }: { workspace: Handle<'workspace'>; stoppedBy: SandboxClock['stopped_by']; chargesFrom: string },
): Promise<void> {
  await sql`update sandbox_clocks set target_at = null, stopped_by = ${stoppedBy}, charges_from = ${chargesFrom}
    where workspace_handle = ${workspace}`;
}
