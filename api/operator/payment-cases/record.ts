/** How the operator sees payments that need attention, and events of the provider that could not be read. */
import { formatId } from '#domain/id.ts';
import type { PaymentCase as CaseRow } from '#sql/payments/cases.ts';
import { readUnreadable } from '#sql/payments/events.ts';
import type { Postgres } from '#sql/postgres.ts';
import { money } from '../../wire/shapes.ts';
import type { PaymentCase, UnreadableEvent } from './schema.ts';

/** The type under which an event is kept whose own could not be read (`api/payments/stripe-event.ts`). */
const NO_TYPE = 'unreadable';

export function caseRecord(row: CaseRow): PaymentCase {
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

export async function listUnreadableEvents(sql: Postgres): Promise<UnreadableEvent[]> {
  const rows = await readUnreadable(sql);
  return rows.map(({ id, type, at }) => ({
    id,
    type: type === NO_TYPE ? null : type,
    reason: type === NO_TYPE ? 'unknown_event' : 'unknown_object',
    received_at: at.toISOString(),
  }));
}
