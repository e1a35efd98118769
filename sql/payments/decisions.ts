/** What the operator decides about payments that need attention. */
import { inUnitOfWork, type Decider, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refundTopUp } from '#domain/money/ledger.ts';
import { isRefusal, refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import { bookCase, endCase, lockCase, type PaymentCase } from './cases.ts';

type EndedCase = { id: string; status: 'booked' | 'closed' };
type Decision = { handle: Handle<'payment_case'>; by?: Decider };

/** Takes the money of a refund or a dispute from the wallet. */
export function bookPaymentCase(sql: Postgres, options: UnitOptions, decision: Decision): Promise<EndedCase | Refusal> {
  return decide(sql, options, { ...decision, to: 'booked' }, async (unit, { kind, status }) => {
    if (status !== 'open' || (kind !== 'refund' && kind !== 'dispute'))
      return refuse('state_conflict', `A ${kind} that is ${status} takes nothing from a wallet.`);
    return (await bookCase(unit, decision.handle, refundTopUp))
      ? undefined
      : refuse('insufficient_funds', 'The wallet does not hold the money, or more would be taken than was paid.');
  });
}

/** Ends a case without taking anything. */
export function closePaymentCase(
  sql: Postgres,
  options: UnitOptions,
  { note, ...decision }: Decision & { note: string },
): Promise<EndedCase | Refusal> {
  return decide(sql, options, { ...decision, to: 'closed', note }, async (unit, { status }) => {
    if (status !== 'open' && status !== 'waiting') return refuse('state_conflict', `It is ${status} already.`);
    await endCase(unit, decision.handle, { status: 'closed', note });
    return undefined;
  });
}

async function decide(
  sql: Postgres,
  options: UnitOptions,
  { handle, by, to, note }: Decision & { to: EndedCase['status']; note?: string },
  act: (unit: Unit, found: PaymentCase) => Promise<Refusal | undefined>,
): Promise<EndedCase | Refusal> {
  return inUnitOfWork<EndedCase | Refusal>(sql, options, async unit => {
    const found = await lockCase(unit.tx, handle);
    if (!found) return refuseAbsent();
    const refusal = await act(unit, found);
    if (isRefusal(refusal)) return refusal;
    if (by)
      unit.audit({
        ...by,
        action: `payment_case.${to}`,
        entityType: 'payment_case',
        entityHandle: handle,
        diff: { status: { from: found.status, to }, ...(note !== undefined && { note: { from: null, to: note } }) },
      });
    return { id: formatId('payment_case', handle), status: to };
  });
}
