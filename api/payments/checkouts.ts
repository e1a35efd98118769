/**
 * Checkout pages on which a top-up is paid. A row is written before the provider is called, and no transaction waits
 * for the provider. After a crash the same call gets the same page, because the reference in the row is the same. See
 * docs/payments.md.
 */
import { randomUUID } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import {
  dropCreating,
  endPage,
  insertCheckout,
  lockOpen,
  noteOpened,
  type CheckoutRow,
} from '#sql/payments/checkouts.ts';
import type { Postgres, Transaction } from '#sql/postgres.ts';
import { findTopUp, lockTopUp, stateOf } from '#sql/wallet/top-ups.ts';
import type { Caller } from '../authentication/caller.ts';
import { replying } from '../idempotency/idempotency.ts';
import type { CheckoutPage, CheckoutRequest, PaymentProvider } from './provider.ts';
import type { Checkout, OpenCheckout } from './schema.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

type Dependencies = { sql: Postgres; payments?: PaymentProvider; now: () => Milliseconds };

/** A page that expires sooner than this is not shown any more. */
const LEFT_MS_MIN = 60_000;
/** The provider remembers a reference for a day; some hours before that a new page is requested. */
const CREATING_MS_MAX = 20 * 60 * 60 * 1_000;

export async function openCheckout(
  { sql, payments, now }: Dependencies,
  caller: Caller,
  { topUp, fields }: { topUp: Handle<'top_up'>; fields: OpenCheckout },
): Promise<Checkout | Refusal> {
  // First: of a foreign one nothing else is said.
  if (!(await findTopUp(sql, caller, topUp))) return refuseAbsent();
  if (payments === undefined) return refusePaymentsOff();
  const urls = readUrls(fields);
  if (isRefusal(urls)) return urls;
  const at = new Date(now());
  const prepared = await inUnitOfWork(sql, { actor: caller.actor, now: at }, ({ tx }) =>
    prepare(tx, caller, { topUp, urls, now: at }),
  );
  if (isRefusal(prepared)) return prepared;
  const page = pageOf(prepared.row) ?? (await payments.openCheckout(requestOf(prepared, caller, topUp)));
  if (isRefusal(page)) {
    if (page.code === 'payment_refused') await dropCreating(sql, prepared.row.handle, at);
    return page;
  }
  const render = ({ url, expiresAt }: CheckoutPage): Checkout => ({
    top_up_id: formatId('top_up', topUp),
    url,
    expires_at: expiresAt.toISOString(),
  });
  return replying(caller, { now: at.getTime(), render }, call =>
    noteOpened(sql, call, { handle: prepared.row.handle, topUp, page }),
  );
}

type Prepared = { row: CheckoutRow; amountMicros: Micros };

/** The request to the provider: the same for one reference, so that it returns the same page. */
function requestOf({ row, amountMicros }: Prepared, { currency }: Caller, topUp: Handle<'top_up'>): CheckoutRequest {
  return { ...row, amountMicros, currency, description: `Top-up ${formatId('top_up', topUp)}` };
}

export function refusePaymentsOff(): Refusal {
  return refuse(
    'payments_off',
    'The operator has set up no payment provider (STRIPE_SECRET_KEY). A top-up is credited when the operator has received the money.',
  );
}

type Urls = Pick<CheckoutRow, 'successUrl' | 'cancelUrl'>;

/** The return address after the payment. The provider only accepts web addresses. */
function readUrls({ success_url: success, cancel_url: cancel }: OpenCheckout): Urls | Refusal {
  for (const [field, url] of [
    ['success_url', success],
    ['cancel_url', cancel ?? success],
  ] as const) {
    if (!['https:', 'http:'].includes(protocolOf(url)))
      return refuseField(`/${field}`, 'bad_format', 'must be an address that begins with https:// or http://');
  }
  return { successUrl: success, cancelUrl: cancel ?? null };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

/** The page of a pending top-up: the open one, or a row for a new one. */
async function prepare(
  tx: Transaction,
  caller: Caller,
  { topUp, urls, now }: { topUp: Handle<'top_up'>; urls: Urls; now: Date },
): Promise<Prepared | Refusal> {
  const pending = await lockTopUp(tx, caller, topUp);
  if (!pending) return refuseAbsent();
  const state = stateOf(pending);
  if (state !== 'pending') return refuse('state_conflict', `The top-up was ${state}.`);
  const known = await lockOpen(tx, topUp);
  if (known && !isOver(known, now)) return { row: known, amountMicros: pending.amount_micros };
  if (known) await endPage(tx, known.handle, { now });
  await insertCheckout(tx, { topUp, reference: randomUUID(), ...urls }, now);
  return { row: (await lockOpen(tx, topUp))!, amountMicros: pending.amount_micros };
}

function isOver({ expiresAt, createdAt }: CheckoutRow, now: Date): boolean {
  return expiresAt === null
    ? createdAt.getTime() < now.getTime() - CREATING_MS_MAX
    : expiresAt.getTime() < now.getTime() + LEFT_MS_MIN;
}

function pageOf({ sessionId, url, expiresAt }: CheckoutRow): CheckoutPage | undefined {
  return sessionId !== null && url !== null && expiresAt !== null ? { sessionId, url, expiresAt } : undefined;
}

/**
 * Ends the page of a top-up before the top-up is canceled, so that nobody can pay for it. If the page is being created,
 * it is requested from the provider again, which returns the same page, so that it can be ended.
 */
export async function endCheckout(
  { sql, payments, now }: Dependencies,
  caller: Caller,
  topUp: Handle<'top_up'>,
): Promise<void | Refusal> {
  const open = await sql.begin(async tx => {
    const known = await lockTopUp(tx, caller, topUp);
    const row = known && (await lockOpen(tx, topUp));
    return row && { row, amountMicros: known.amount_micros };
  });
  if (!open) return undefined;
  const { row } = open;
  if (payments === undefined) return refusePaymentsOff();
  const page = pageOf(row) ?? (await payments.openCheckout(requestOf(open, caller, topUp)));
  // The provider has no page for a refused request.
  if (isRefusal(page) && page.code !== 'payment_refused') return page;
  const sessionId = isRefusal(page) ? null : page.sessionId;
  const ended = sessionId === null ? 'ended' : await payments.endCheckout(sessionId);
  if (isRefusal(ended)) return ended;
  if (ended === 'paid') return refuse('state_conflict', 'It was paid, or a payment for it is on its way.');
  await endPage(sql, row.handle, { now: new Date(now()), sessionId });
}
