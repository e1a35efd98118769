/** When an invoice was paid. The workers issue them. */
import { inUnitOfWork, type Decider, type UnitOptions } from '#books/unit-of-work.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { formatInvoiceNumber, payInvoice, type InvoiceState } from '#domain/money/invoice.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { isRefusal, refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import { parseDate } from '#domain/time/calendar.ts';
import type { Micros } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';

type LockedRow = {
  workspace: Handle<'workspace'>;
  status: InvoiceState;
  sandbox: boolean;
  year: number;
  sequence: number;
  totalMicros: Micros;
  currency: string;
  issuedAt: Date;
};

/** `paid_on` is a day, by default today; `reference` is the bank's, for the audit log. */
type Payment = { invoice: Handle<'invoice'>; paid_on?: string; reference?: string; by?: Decider };
type SettledInvoice = { id: string; number: string; status: 'paid' };

/** Records that an invoice was paid. Both audit logs have it, and webhooks get it. */
export async function settleInvoice(
  sql: Postgres,
  options: UnitOptions,
  { invoice, paid_on: paidOn, reference, by }: Payment,
): Promise<SettledInvoice | Refusal> {
  const id = formatId('invoice', invoice);
  return inUnitOfWork<SettledInvoice | Refusal>(sql, options, async unit => {
    const [row] = await unit.tx<LockedRow[]>`
      select workspace_handle as workspace, status, sandbox, year, sequence, total_micros as "totalMicros", currency,
        issued_at as "issuedAt" from invoices where handle = ${invoice} for update`;
    if (!row) return refuseAbsent();
    if (row.sandbox)
      return refuse('state_conflict', `${id} is a test invoice of play money: nothing of it is to be paid.`);
    const status = payInvoice(row.status);
    if (isRefusal(status)) return status;
    const paidAt = momentOf(paidOn, { issuedAt: row.issuedAt, now: unit.now });
    if (isRefusal(paidAt)) return paidAt;
    await unit.tx`update invoices set status = ${status}, paid_at = ${paidAt} where handle = ${invoice}`;
    const number = formatInvoiceNumber(row);
    const entity = { entityType: 'invoice', entityHandle: invoice };
    const entry = {
      ...entity,
      action: 'invoice.paid',
      diff: {
        status: { from: row.status, to: status },
        ...(paidOn !== undefined && { paid_on: { from: null, to: paidOn } }),
        ...(reference !== undefined && { reference: { from: null, to: reference } }),
      },
    };
    unit.audit({ ...entry, workspace: row.workspace });
    if (by) unit.audit({ ...entry, ...by });
    const total = { amount: decimalFromMicros(row.totalMicros), currency: row.currency };
    const payload = { object: { id, number, status, total }, previous: { status: row.status } };
    unit.emit({ ...entity, workspace: row.workspace, type: 'invoice.paid', payload });
    return { id, number, status: 'paid' };
  });
}

/** The moment of a day: now if it is today, and never before the invoice was issued. */
function momentOf(day: string | undefined, { issuedAt, now }: { issuedAt: Date; now: Date }): Date | Refusal {
  if (day === undefined) return now;
  if (parseDate(day) === undefined) return refuseField('/paid_on', 'bad_date', 'must be a day of the calendar');
  const [first, today] = [dayOf(issuedAt), dayOf(now)];
  if (day < first || day > today)
    return refuseField('/paid_on', 'out_of_range', `must be from ${first}, when it was issued, to today, ${today}`);
  if (day === today) return now;
  return day === first ? issuedAt : new Date(`${day}T00:00:00.000Z`);
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
