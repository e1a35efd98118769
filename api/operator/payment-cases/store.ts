/**
 * Payments that need attention: which there are, and what the operator decides about each. Also the events of the
 * provider that could not be read.
 */
import { inUnitOfWork, type Unit, type UnitOptions, type Decider } from '#books/unit-of-work.ts';
import { formatId, readHandle, type Handle } from '#domain/id.ts';
import { refundTopUp } from '#domain/money/ledger.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import {
  bookCase,
  countCases,
  endCase,
  listCases,
  lockCase,
  type PaymentCase as CaseRow,
} from '#records/payment-cases.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { positionIn } from '#sql/lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../../lists/paging.ts';
import { refuseAbsent } from '../../wire/refusals.ts';
import { money } from '../../wire/shapes.ts';
import type { EndedCase, PaymentCase, UnreadableEvent } from './schema.ts';

/** As many as a person will look through; the newest are listed. */
const EVENTS_LISTED_MAX = 200;
/** The type under which an event is kept whose own could not be read (`api/payments/stripe-event.ts`). */
const NO_TYPE = 'unreadable';

type ListOptions = { page: Page; statuses?: readonly string[]; isCounted: boolean };

export async function listPaymentCases(
  sql: Postgres,
  { page, statuses, isCounted }: ListOptions,
): Promise<List<PaymentCase>> {
  const [cases, total] = await Promise.all([
    listCases(sql, {
      statuses,
      after: page.after === undefined ? undefined : readHandle('payment_case', page.after),
      isDescending: page.isDescending,
      rowsMax: page.limit + 1,
    }),
    isCounted ? countCases(sql, statuses) : undefined,
  ]);
  return {
    ...envelope(cases, page, { positionOf: positionIn(page, BY_CREATION), recordOf }),
    ...(total !== undefined && { total }),
  };
}

function recordOf(row: CaseRow): PaymentCase {
  const { workspace, workspaceName, topUp, amountMicros, currency } = row;
  return {
    id: formatId('payment_case', row.handle),
    kind: row.kind,
    status: row.status,
    workspace: workspace === null ? null : { id: formatId('workspace', workspace), name: workspaceName ?? '' },
    top_up_id: topUp === null ? null : formatId('top_up', topUp),
    amount: money(amountMicros, currency),
    object: row.objectId,
    payment: row.paymentId,
    note: row.note,
    created_at: row.createdAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  };
}

export async function listUnreadableEvents(sql: Queryable): Promise<UnreadableEvent[]> {
  const rows = await sql<{ event_id: string; type: string; received_at: Date }[]>`
    select event_id, type, received_at from payment_events where outcome = 'unreadable'
    order by received_at desc, event_id limit ${EVENTS_LISTED_MAX}`;
  return rows.map(({ event_id: id, type, received_at: at }) => ({
    id,
    type: type === NO_TYPE ? null : type,
    reason: type === NO_TYPE ? 'unknown_event' : 'unknown_object',
    received_at: at.toISOString(),
  }));
}

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
  act: (unit: Unit, found: CaseRow) => Promise<Refusal | undefined>,
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
