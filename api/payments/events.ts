/**
 * The effects of events of the payment provider. The event's row and all of its effects are one transaction: after a
 * crash there is neither, and the provider sends the event again. A repeated event takes effect once. Events may arrive
 * in any order: a refund or dispute of an unknown payment waits for it. See docs/payments.md.
 */
import { refundTopUp, topUp } from '#domain/money/ledger.ts';
import type { Log } from '#runtime/log.ts';
import {
  addCase,
  bookCase,
  closeDispute,
  closeUnbooked,
  endCase,
  findBookedDispute,
  openWaiting,
  type NewCase,
} from '#sql/payments/cases.ts';
import { endPage, findPaid, lockPage, lockPayment, notePaid } from '#sql/payments/checkouts.ts';
import { recordEvent, recordOutcome } from '#sql/payments/events.ts';
import type { Postgres } from '#sql/postgres.ts';
import { creditTopUp } from '#sql/wallet/top-ups.ts';
import { inUnitOfWork, SYSTEM_ACTOR, type Unit } from '#books/unit-of-work.ts';
import type { PaymentEvent, PaymentFact } from './provider.ts';
import type { Milliseconds } from '#domain/unit.ts';

type Outcome =
  | 'booked'
  | 'booked_before'
  | 'ended'
  | 'refunded'
  | 'for_the_operator'
  | 'waiting'
  | 'unknown'
  | 'unreadable'
  | 'nothing';
type Fact<What extends PaymentFact['what']> = Extract<PaymentFact, { what: What }>;
type CaseFact = Fact<'refunded' | 'refund_failed' | 'disputed' | 'dispute_won'>;

/** Takes an event and returns its outcome; `repeated` for an event that was taken before. */
export async function takeEvent(
  { sql, log, now }: { sql: Postgres; log: Log; now: () => Milliseconds },
  { id, type, fact }: PaymentEvent,
): Promise<Outcome | 'repeated'> {
  const outcome = await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: new Date(now()) }, async unit => {
    if (!(await recordEvent(unit, { id, type }))) return 'repeated';
    const done = await apply(unit, fact);
    if (done !== 'nothing') await recordOutcome(unit, id, done);
    return done;
  });
  const isOdd = outcome === 'unknown' || outcome === 'unreadable' || outcome === 'for_the_operator';
  log[isOdd ? 'warn' : 'info']({ event: id, type, outcome }, 'an event of the payment provider');
  return outcome;
}

async function apply(unit: Unit, fact: PaymentFact): Promise<Outcome> {
  switch (fact.what) {
    case 'paid':
      return bookPayment(unit, fact);
    case 'ended':
      return takeEnd(unit, fact);
    case 'refunded':
      return takeBack(unit, fact);
    case 'refund_failed':
      return leaveToOperator(unit, fact, 'refund_failed');
    case 'disputed':
      return leaveToOperator(unit, fact, 'dispute');
    case 'dispute_won':
      return winDispute(unit, fact);
    case 'nothing':
    case 'unreadable':
      return fact.what;
  }
}

async function bookPayment(unit: Unit, fact: Fact<'paid'>): Promise<Outcome> {
  await lockPayment(unit, fact.paymentId);
  const page = await lockPage(unit, fact);
  if (!page) return 'unknown';
  if (page.status === 'paid') return 'booked_before';
  const { handle, topUp: topUpHandle, workspace, currency, amountMicros } = page;
  const { sessionId, paymentId } = fact;
  const other = await findPaid(unit, paymentId);
  const isAsked = fact.currency === currency && fact.amountMicros === amountMicros && (other ?? handle) === handle;
  if (!isAsked || page.creditedAt !== null) {
    const kind = isAsked ? 'not_pending' : 'mismatch';
    await addCase(unit, {
      kind,
      objectId: sessionId,
      paymentId,
      checkout: handle,
      currency: fact.currency,
      amountMicros: fact.amountMicros ?? 0,
      status: 'open',
    });
    if (paymentId !== null) await closeUnbooked(unit, paymentId);
    return 'for_the_operator';
  }
  await unit.post(topUp({ book: 'live', currency, workspace, amountMicros, reference: `top-up ${topUpHandle}` }));
  await creditTopUp(unit, topUpHandle);
  await notePaid(unit, handle, { sessionId, paymentId });
  const diff = { credited_at: { from: null, to: unit.now } };
  unit.audit({ workspace, action: 'wallet.topped_up', entityType: 'top_up', entityHandle: topUpHandle, diff });
  const waiting = paymentId === null ? [] : await openWaiting(unit, { paymentId, checkout: handle });
  for (const { handle: early, kind } of waiting) if (kind === 'refund') await bookCase(unit, early, refundTopUp);
  return 'booked';
}

async function takeEnd(unit: Unit, fact: Fact<'ended'>): Promise<Outcome> {
  const page = await lockPage(unit, fact);
  if (!page) return 'unknown';
  await endPage(unit.tx, page.handle, { now: unit.now });
  return 'ended';
}

/** A case of a known payment, or one that waits for it. */
async function caseOf(
  unit: Unit,
  kind: NewCase['kind'],
  { objectId, paymentId, currency, amountMicros = 0 }: CaseFact,
) {
  await lockPayment(unit, paymentId);
  const checkout = await findPaid(unit, paymentId);
  const handle = await addCase(unit, {
    kind,
    objectId,
    paymentId,
    checkout: checkout ?? null,
    currency,
    amountMicros,
    status: checkout === undefined ? 'waiting' : 'open',
  });
  const isUnbooked = checkout === undefined && paymentId !== null && (await closeUnbooked(unit, paymentId));
  return { handle, isKnown: checkout !== undefined, isUnbooked };
}

/** Refunded money is taken from the wallet if the wallet covers it. */
async function takeBack(unit: Unit, fact: CaseFact): Promise<Outcome> {
  const { handle, isKnown, isUnbooked } = await caseOf(unit, 'refund', fact);
  if (handle === undefined) return 'booked_before';
  if (isUnbooked) return 'ended';
  if (!isKnown) return 'waiting';
  return (await bookCase(unit, handle, refundTopUp)) ? 'refunded' : 'for_the_operator';
}

async function leaveToOperator(unit: Unit, fact: CaseFact, kind: 'refund_failed' | 'dispute'): Promise<Outcome> {
  const { handle, isKnown, isUnbooked } = await caseOf(unit, kind, fact);
  if (handle === undefined) return 'booked_before';
  if (isUnbooked) return 'ended';
  return isKnown ? 'for_the_operator' : 'waiting';
}

/**
 * If the operator had not taken the money from the wallet yet, there is nothing to do. Otherwise the operator has to
 * give it back, and gets a case that says so. The event of its beginning may arrive later, and finds the closed case.
 */
async function winDispute(unit: Unit, fact: CaseFact): Promise<Outcome> {
  const note = 'The dispute was won.';
  const { objectId } = fact;
  if (await closeDispute(unit, { objectId, note })) return 'ended';
  const booked = await findBookedDispute(unit, objectId);
  const handle = booked
    ? await addCase(unit, { ...booked, kind: 'dispute_won', status: 'open' })
    : (await caseOf(unit, 'dispute', fact)).handle;
  if (handle === undefined) return 'booked_before';
  if (booked) return 'for_the_operator';
  await endCase(unit, handle, { status: 'closed', note });
  return 'ended';
}
