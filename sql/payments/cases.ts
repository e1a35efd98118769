/**
 * Payments that need attention: money that was refunded or charged back, or that differs from what was asked for. A
 * refund is taken from the wallet at once if the wallet covers it; everything else waits for the operator.
 */
import type { Handle } from '#domain/id.ts';
import type { LedgerTransaction } from '#domain/money/ledger.ts';
import type { Queryable, Transaction } from '#sql/postgres.ts';
import { readListed, type Counted } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Unit } from '#books/unit-of-work.ts';
import type { Micros } from '#domain/unit.ts';

export const CASE_STATES = ['waiting', 'open', 'booked', 'closed'] as const;
export type CaseState = (typeof CASE_STATES)[number];
export const CASE_KINDS = ['refund', 'refund_failed', 'dispute', 'dispute_won', 'mismatch', 'not_pending'] as const;
export type PaymentCase = {
  handle: Handle<'payment_case'>;
  kind: (typeof CASE_KINDS)[number];
  objectId: string;
  paymentId: string | null;
  checkout: number | null;
  currency: string;
  amountMicros: Micros;
  status: CaseState;
  note: string | null;
  createdAt: Date;
  endedAt: Date | null;
  workspace: Handle<'workspace'> | null;
  workspaceName: string | null;
  topUp: Handle<'top_up'> | null;
};
export type NewCase = Pick<
  PaymentCase,
  'kind' | 'objectId' | 'paymentId' | 'checkout' | 'currency' | 'amountMicros'
> & { status: 'waiting' | 'open' };

const columns = (sql: Queryable) => sql`
  c.handle, c.kind, c.object_id as "objectId", c.payment_id as "paymentId", c.checkout_handle as checkout, c.currency,
    c.amount_micros as "amountMicros", c.status, c.note,
  c.created_at as "createdAt", c.ended_at as "endedAt", t.workspace_handle as workspace, w.name as "workspaceName",
    t.handle as "topUp"
  from payment_cases c left join checkouts k on k.handle = c.checkout_handle
    left join top_ups t on t.handle = k.top_up_handle left join workspaces w on w.handle = t.workspace_handle`;

/** Adds a case; undefined where the same object was reported before. */
export async function addCase(
  { tx, now }: Unit,
  { kind, objectId, paymentId, checkout, currency, amountMicros, status }: NewCase,
): Promise<Handle<'payment_case'> | undefined> {
  const [row] = await tx<{ handle: Handle<'payment_case'> }[]>`
    insert into payment_cases (kind, object_id, payment_id, checkout_handle, currency, amount_micros, status,
      created_at)
    values (${kind}, ${objectId}, ${paymentId}, ${checkout}, ${currency}, ${amountMicros}, ${status}, ${now})
    on conflict (kind, object_id) do nothing returning handle`;
  return row?.handle;
}

export async function lockCase(tx: Transaction, handle: Handle<'payment_case'>): Promise<PaymentCase | undefined> {
  const [row] = await tx<PaymentCase[]>`select ${columns(tx)} where c.handle = ${handle} for update of c`;
  return row;
}

/** A page of the cases, in the order in which they were reported. */
export async function listCases(
  sql: Queryable,
  page: PageOrder,
  { statuses, isCounted = false }: { statuses?: readonly string[] | undefined; isCounted?: boolean },
): Promise<Counted<PaymentCase>> {
  const wanted = sql<PaymentCase[]>`
    select ${columns(sql)} where ${statuses === undefined ? sql`true` : sql`c.status = any(${[...statuses]}::text[])`}`;
  return readListed(sql, page, { sorts: BY_CREATION, handle: 'c.handle', wanted, isCounted });
}

/** Since when the oldest of at most `countMax` open cases has waited; null: none is open. */
export async function oldestCase(sql: Queryable, countMax: number): Promise<Date | null> {
  const [row] = await sql<{ since: Date | null }[]>`
    select min(created_at) as since
    from (select created_at from payment_cases where status = 'open' order by handle limit ${countMax}) as c`;
  return row!.since;
}

export async function endCase(
  { tx, now }: Unit,
  handle: Handle<'payment_case'>,
  { status, note = null }: { status: 'booked' | 'closed'; note?: string | null },
): Promise<void> {
  await tx`update payment_cases set status = ${status}, ended_at = ${now}, note = coalesce(${note}, note)
    where handle = ${handle}`;
}

type Refund = {
  book: 'live';
  currency: string;
  workspace: Handle<'workspace'>;
  amountMicros: Micros;
  reference: string;
};

/**
 * Takes the money of a case from the wallet. False, and nothing is written, where the wallet does not hold it or the
 * top-up was of less.
 * @param entryOf what is posted (`domain/ledger`)
 */
export async function bookCase(
  unit: Unit,
  handle: Handle<'payment_case'>,
  entryOf: (refund: Refund) => LedgerTransaction,
): Promise<boolean> {
  const { tx } = unit;
  const found = await lockCase(tx, handle);
  if (!found || found.workspace === null || found.topUp === null || found.amountMicros === 0) return false;
  const { workspace, topUp, currency, amountMicros, kind, objectId, checkout } = found;
  // Both accounts in the order of their handles, as postings lock them.
  const accounts = await tx<{ kind: string; balance: number | null }[]>`
    select kind, case when kind = 'wallet' then balance_micros end as balance from ledger_accounts
    where name = any(${[`wallet:live:${currency}:${workspace}:0`, `funding:live:${currency}:0:0`]}::text[])
    order by handle for no key update`;
  const [sums] = await tx<{ asked: number; booked: number }[]>`
    select (select amount_micros from top_ups where handle = ${topUp}) as asked,
      (select coalesce(sum(amount_micros), 0)::bigint from payment_cases
      where checkout_handle = ${checkout} and status = 'booked') as booked`;
  const holds = accounts.find(account => account.kind === 'wallet')?.balance ?? 0;
  if (holds < amountMicros || sums!.booked + amountMicros > sums!.asked) return false;
  await unit.post(
    entryOf({
      book: 'live',
      currency,
      workspace,
      amountMicros,
      reference: `refund of top-up ${topUp}: ${kind} ${objectId}`,
    }),
  );
  await endCase(unit, handle, { status: 'booked' });
  const diff = { refunded_micros: { from: null, to: amountMicros } };
  unit.audit({ workspace, action: 'wallet.top_up_refunded', entityType: 'top_up', entityHandle: topUp, diff });
  return true;
}

/** Opens the cases that arrived before their payment. */
export async function openWaiting(
  { tx }: Unit,
  { paymentId, checkout }: { paymentId: string; checkout: Handle<'checkout'> },
): Promise<Pick<PaymentCase, 'handle' | 'kind'>[]> {
  return tx<Pick<PaymentCase, 'handle' | 'kind'>[]>`
    update payment_cases set checkout_handle = ${checkout}, status = 'open'
    where payment_id = ${paymentId} and status = 'waiting' returning handle, kind`;
}

/**
 * Closes the waiting cases of a payment that was never put on a wallet: it has nothing to take back, whatever happens
 * to it. Returns whether there were any.
 */
export async function closeUnbooked({ tx, now }: Unit, paymentId: string): Promise<boolean> {
  const closed = await tx`
    update payment_cases c set status = 'closed', ended_at = ${now}, checkout_handle = unbooked.checkout_handle,
      note = 'The payment was not put on the wallet: nothing is to be taken.'
    from payment_cases unbooked
    where c.payment_id = ${paymentId} and c.status = 'waiting'
      and unbooked.payment_id = ${paymentId} and unbooked.kind in ('mismatch', 'not_pending') returning 1`;
  return closed.length > 0;
}

/** Closes a dispute that nobody has booked yet. Returns whether there was one. */
export async function closeDispute(
  { tx, now }: Unit,
  { objectId, note }: { objectId: string; note: string },
): Promise<boolean> {
  const closed = await tx`
    update payment_cases set status = 'closed', ended_at = ${now}, note = coalesce(note, ${note})
    where kind = 'dispute' and object_id = ${objectId} and status in ('waiting', 'open') returning 1`;
  return closed.length > 0;
}

/** A dispute whose money was taken from the wallet; undefined if there is none. */
export async function findBookedDispute(
  { tx }: Unit,
  objectId: string,
): Promise<Omit<NewCase, 'kind' | 'status'> | undefined> {
  const [row] = await tx<Omit<NewCase, 'kind' | 'status'>[]>`
    select object_id as "objectId", payment_id as "paymentId", checkout_handle as checkout, currency,
      amount_micros as "amountMicros" from payment_cases
    where kind = 'dispute' and object_id = ${objectId} and status = 'booked'`;
  return row;
}
