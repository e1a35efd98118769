/** The invoices of all workspaces, and when each was paid. The workers issue them; test invoices are not shown. */
import { inUnitOfWork, type UnitOptions, type Decider } from '#books/unit-of-work.ts';
import { formatId, NO_HANDLE, parseId, type Handle } from '#domain/id.ts';
import { formatInvoiceNumber, payInvoice, type InvoiceState } from '#domain/money/invoice.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { parseDate } from '#domain/time/calendar.ts';
import type { Micros } from '#domain/unit.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { invoiceRecord, type InvoiceRow, type PdfLink } from '../../invoices/store.ts';
import { likeText, positionIn, readCounted } from '#sql/lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../../lists/paging.ts';
import { refuseAbsent } from '../../wire/refusals.ts';
import type { SettledInvoice, SettleInvoiceBody, WorkspaceInvoice } from './schema.ts';

type ListedRow = InvoiceRow & { workspace: Handle<'workspace'>; workspace_name: string };
type InvoiceFilter = { statuses?: readonly string[]; kinds?: readonly string[]; text?: string; isCounted: boolean };
type ListOptions = { page: Page; filter: InvoiceFilter; link: PdfLink };

export async function listWorkspaceInvoices(
  sql: Postgres,
  { page, filter: { statuses, kinds, text, isCounted }, link }: ListOptions,
): Promise<List<WorkspaceInvoice>> {
  const wanted = sql`
    select i.handle from invoices i where not i.sandbox
      ${statuses === undefined ? sql`` : sql`and i.status = any(${[...statuses]}::text[])`}
      ${kinds === undefined ? sql`` : sql`and i.kind = any(${[...kinds]}::text[])`}
      ${text === undefined ? sql`` : sql`and ${isFoundBy(sql, text)}`}`;
  const records = sql`
    select i.*, to_char(i.month, 'YYYY-MM-DD') as month_text, i.workspace_handle as workspace, w.name as workspace_name
    from invoices i join workspaces w on w.handle = i.workspace_handle`;
  const { rows, ...total } = await readCounted<ListedRow & { month_text: string }>(sql, page, {
    sorts: BY_CREATION,
    wanted,
    records,
    isCounted,
  });
  const recordOf = (row: ListedRow & { month_text: string }): WorkspaceInvoice => ({
    ...invoiceRecord({ ...row, month: row.month_text }, link),
    workspace: { id: formatId('workspace', row.workspace), name: row.workspace_name },
  });
  return { ...envelope(rows, page, { positionOf: positionIn(page, BY_CREATION), recordOf }), ...total };
}

/** A number as it is printed: 2026-000041. */
const NUMBER = /^(20[0-9]{2})-([0-9]{1,9})$/;

function isFoundBy(sql: Queryable, text: string) {
  const [, year = '0', sequence = '0'] = NUMBER.exec(text) ?? [];
  return sql`(i.handle = ${parseId('invoice', text) ?? NO_HANDLE}
    or i.year = ${Number(year)} and i.sequence = ${Number(sequence)}
    or i.workspace_handle in (select handle from workspaces where name ilike ${likeText(text)}))`;
}

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

type Payment = SettleInvoiceBody & { invoice: Handle<'invoice'>; by?: Decider };

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
    unit.emit({
      ...entity,
      workspace: row.workspace,
      type: 'invoice.paid',
      payload: { object: { id, number, status, total }, previous: { status: row.status } },
    });
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
