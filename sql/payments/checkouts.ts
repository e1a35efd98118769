/** Pages on which a top-up is paid. A row is written before the provider makes its page. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { inUnitOfWork, type Call, type Unit } from '#books/unit-of-work.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';

export type CheckoutRow = {
  handle: Handle<'checkout'>;
  reference: string;
  status: 'creating' | 'open';
  successUrl: string;
  cancelUrl: string | null;
  sessionId: string | null;
  url: string | null;
  expiresAt: Date | null;
  createdAt: Date;
};

type NewCheckout = { topUp: Handle<'top_up'>; reference: string; successUrl: string; cancelUrl: string | null };

export async function insertCheckout(
  tx: Transaction,
  { topUp, reference, successUrl, cancelUrl }: NewCheckout,
  now: Date,
): Promise<void> {
  await tx`insert into checkouts ${tx({
    top_up_handle: topUp,
    reference,
    status: 'creating',
    success_url: successUrl,
    cancel_url: cancelUrl,
    created_at: now,
  })}`;
}

/** The page of a top-up that accepts a payment, or that is being created. */
export async function lockOpen(tx: Transaction, topUp: Handle<'top_up'>): Promise<CheckoutRow | undefined> {
  const [row] = await tx<CheckoutRow[]>`
    select handle, reference, status, success_url as "successUrl", cancel_url as "cancelUrl", session_id as "sessionId",
      url, expires_at as "expiresAt", created_at as "createdAt"
    from checkouts where top_up_handle = ${topUp} and status in ('creating', 'open') for update`;
  return row;
}

type OpenedPage = { sessionId: string; url: string; expiresAt: Date };

/** Writes the page that the provider has made. Refused if it was ended meanwhile, because its top-up was canceled. */
export async function noteOpened(
  sql: Postgres,
  call: Call,
  { handle, topUp, page }: { handle: Handle<'checkout'>; topUp: Handle<'top_up'>; page: OpenedPage },
): Promise<OpenedPage | Refusal> {
  return inUnitOfWork<OpenedPage | Refusal>(sql, call, async unit => {
    const opened = await unit.tx`
      update checkouts set status = 'open', session_id = ${page.sessionId}, url = ${page.url},
        expires_at = ${page.expiresAt} where handle = ${handle} and status = 'creating' returning 1`;
    const [known] = await unit.tx<{ status: string }[]>`
      select status from checkouts where handle = ${handle} for share`;
    if (known!.status === 'ended')
      return refuse('state_conflict', 'The top-up was canceled while its page was opened.');
    if (opened.length > 0)
      unit.audit({
        workspace: call.workspace,
        action: 'wallet.checkout_opened',
        entityType: 'top_up',
        entityHandle: topUp,
        diff: diffOfNew({ expires_at: page.expiresAt }),
      });
    return page;
  });
}

/** Ends a page of which the provider has made none. One that another call has opened meanwhile stays. */
export async function dropCreating(sql: Queryable, handle: Handle<'checkout'>, now: Date): Promise<void> {
  await sql`update checkouts set status = 'ended', ended_at = ${now} where handle = ${handle} and status = 'creating'`;
}

/** The page accepts no more payments. A paid page stays paid, whatever arrives later. */
export async function endPage(
  sql: Queryable,
  handle: Handle<'checkout'>,
  { now, sessionId = null }: { now: Date; sessionId?: string | null },
): Promise<void> {
  await sql`update checkouts set status = 'ended', ended_at = ${now}, session_id = coalesce(${sessionId}, session_id)
    where handle = ${handle} and status in ('creating', 'open')`;
}

type Payment = { sessionId: string; paymentId: string | null };

export async function notePaid(
  { tx, now }: Unit,
  handle: Handle<'checkout'>,
  { sessionId, paymentId }: Payment,
): Promise<void> {
  await tx`update checkouts set status = 'paid', session_id = ${sessionId}, payment_id = ${paymentId}, ended_at = ${now}
    where handle = ${handle}`;
}

/** Locks a payment, so that its events are handled one after the other and none misses a payment booked meanwhile. */
export async function lockPayment({ tx }: Unit, paymentId: string | null): Promise<void> {
  if (paymentId !== null) await tx`select pg_advisory_xact_lock(hashtextextended(${paymentId}, 0))`;
}

/** The page that a payment paid. */
export async function findPaid({ tx }: Unit, paymentId: string | null): Promise<Handle<'checkout'> | undefined> {
  const [row] = await tx<{ handle: Handle<'checkout'> }[]>`
    select handle from checkouts where payment_id = ${paymentId}`;
  return row?.handle;
}

/** A page with its top-up. */
export type PageRow = {
  handle: Handle<'checkout'>;
  status: string;
  topUp: Handle<'top_up'>;
  workspace: Handle<'workspace'>;
  currency: string;
  amountMicros: Micros;
  creditedAt: Date | null;
};

/** The page that a session is of, with its top-up; both locked, the top-up first, as all do who change one. */
export async function lockPage(
  { tx }: Unit,
  { sessionId, reference }: { sessionId: string; reference: string | null },
): Promise<PageRow | undefined> {
  const [found] = await tx<{ handle: Handle<'checkout'>; topUp: Handle<'top_up'> }[]>`
    select handle, top_up_handle as "topUp" from checkouts
    where session_id = ${sessionId} or (session_id is null and reference = ${reference})
    order by session_id nulls last limit 1`;
  if (!found) return undefined;
  await tx`select from top_ups where handle = ${found.topUp} for update`;
  const [page] = await tx<PageRow[]>`
    select c.handle, c.status, t.handle as "topUp", t.workspace_handle as workspace, t.currency,
      t.amount_micros as "amountMicros", t.credited_at as "creditedAt"
    from checkouts c join top_ups t on t.handle = c.top_up_handle where c.handle = ${found.handle} for update of c`;
  return page;
}
