/** Top-ups, which are money that a workspace asks for: listed, found and credited. */
import type { Handle } from '#domain/id.ts';
import { bookOf } from '#domain/money/ledger.ts';
import type { Micros } from '#domain/unit.ts';
import type { Owner, Unit } from '#books/unit-of-work.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';

/** Pending top-ups of a workspace. The operator has to review each; more than this is a program's mistake. */
export const PENDING_MAX = 20;

export const TOP_UP_STATES = ['pending', 'credited', 'cancelled'] as const;
export type TopUpState = (typeof TOP_UP_STATES)[number];

export type TopUpRow = {
  handle: Handle<'top_up'>;
  currency: string;
  amount_micros: Micros;
  created_at: Date;
  credited_at: Date | null;
  cancelled_at: Date | null;
};

export const topUpColumns = (sql: Queryable) =>
  sql`handle, currency, amount_micros, created_at, credited_at, cancelled_at`;

export function stateOf({ credited_at, cancelled_at }: TopUpRow): TopUpState {
  return credited_at ? 'credited' : cancelled_at ? 'cancelled' : 'pending';
}

function selectOwn(sql: Queryable, owner: Owner) {
  return sql<TopUpRow[]>`
    select ${topUpColumns(sql)} from top_ups where workspace_handle = ${owner.workspace} and book = ${bookOf(owner)}`;
}

/** A page of the top-ups of the owner. */
export async function listTopUps(
  sql: Postgres,
  owner: Owner,
  { page, state }: { page: PageOrder; state: TopUpState | undefined },
): Promise<TopUpRow[]> {
  const inState = {
    pending: sql`and credited_at is null and cancelled_at is null`,
    credited: sql`and credited_at is not null`,
    cancelled: sql`and cancelled_at is not null`,
  };
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION });
  return sql<TopUpRow[]>`${selectOwn(sql, owner)} ${behind} ${state === undefined ? sql`` : inState[state]} ${order}`;
}

/** The top-ups that wait, the oldest first. */
export async function readPending(sql: Queryable, owner: Owner): Promise<TopUpRow[]> {
  return sql<TopUpRow[]>`
    ${selectOwn(sql, owner)} and credited_at is null and cancelled_at is null order by handle limit ${PENDING_MAX}`;
}

export async function findTopUp(sql: Queryable, owner: Owner, handle: Handle<'top_up'>): Promise<TopUpRow | undefined> {
  const [row] = await sql<TopUpRow[]>`${selectOwn(sql, owner)} and handle = ${handle}`;
  return row;
}

export async function lockTopUp(
  tx: Transaction,
  owner: Owner,
  handle: Handle<'top_up'>,
): Promise<TopUpRow | undefined> {
  const [row] = await tx<TopUpRow[]>`${selectOwn(tx, owner)} and handle = ${handle} for update`;
  return row;
}

/** The money is on the wallet, also of a top-up that was canceled while it was being paid. */
export async function creditTopUp({ tx, now }: Unit, handle: Handle<'top_up'>): Promise<void> {
  await tx`update top_ups set credited_at = ${now}, cancelled_at = null where handle = ${handle}`;
}
