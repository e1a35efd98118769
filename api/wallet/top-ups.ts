/** Lists and cancels top-ups. `store.ts` requests them; the operator or a payment credits them. */
import type { Milliseconds } from '#domain/unit.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, listed, type List, type Page } from '../lists/paging.ts';
import type { TopUp } from './schema.ts';
import { bookOf, topUpRecord, type TopUpRow } from './store.ts';

const columns = (sql: Queryable) => sql`handle, currency, amount_micros, created_at, credited_at, cancelled_at`;

/** Top-ups of the caller's workspace and book. */
export async function listTopUps(
  sql: Postgres,
  caller: Caller,
  { page, status }: { page: Page; status: TopUp['status'] | undefined },
): Promise<List<TopUp>> {
  const inState = {
    pending: sql`and credited_at is null and cancelled_at is null`,
    credited: sql`and credited_at is not null`,
    cancelled: sql`and cancelled_at is not null`,
  };
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION });
  const rows = await sql<TopUpRow[]>`
    select ${columns(sql)} from top_ups where workspace_handle = ${caller.workspace}
      and book = ${bookOf(caller)} ${behind} ${status === undefined ? sql`` : inState[status]}
    ${order}`;
  return listed({ rows }, page, { recordOf: topUpRecord });
}

export async function readTopUp(sql: Postgres, caller: Caller, handle: Handle<'top_up'>): Promise<TopUp | Refusal> {
  const [row] = await sql<TopUpRow[]>`
    select ${columns(sql)} from top_ups where handle = ${handle} and workspace_handle = ${caller.workspace}
      and book = ${bookOf(caller)}`;
  return row ? topUpRecord(row) : refuseAbsent();
}

/**
 * Cancels a top-up that waits. One that was canceled before stays so; one that was credited stays in the wallet.
 */
export async function cancelTopUp(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'top_up'>; now: Milliseconds },
): Promise<void | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const row = await lockTopUp(unit.tx, caller, handle);
    if (!row) return refuseAbsent();
    if (row.credited_at)
      return refuse('state_conflict', 'It was credited: the money is on the wallet. Ask the operator to pay it back.');
    if (row.cancelled_at) return undefined;
    const [page] =
      await unit.tx`select 1 from checkouts where top_up_handle = ${handle} and status in ('creating', 'open')`;
    if (page) return refuse('state_conflict', 'A page on which it is paid was opened just now. Try again.');
    await unit.tx`update top_ups set cancelled_at = ${unit.now} where handle = ${handle}`;
    unit.audit({
      workspace: caller.workspace,
      action: 'wallet.top_up_cancelled',
      entityType: 'top_up',
      entityHandle: handle,
      diff: { status: { from: 'pending', to: 'cancelled' } },
    });
    return undefined;
  });
}

export async function lockTopUp(
  tx: Transaction,
  caller: Pick<Caller, 'workspace' | 'sandbox'>,
  handle: Handle<'top_up'>,
): Promise<TopUpRow | undefined> {
  const [row] = await tx<TopUpRow[]>`
    select ${columns(tx)} from top_ups where handle = ${handle} and workspace_handle = ${caller.workspace}
      and book = ${bookOf(caller)} for update`;
  return row;
}

/** The money is on the wallet, also of a top-up that was canceled while it was being paid. */
export async function creditTopUp({ tx, now }: Unit, handle: Handle<'top_up'>): Promise<void> {
  await tx`update top_ups set credited_at = ${now}, cancelled_at = null where handle = ${handle}`;
}
