/** The invoice of one month, for the jobs that issue invoices of real money and of play money. */
import type { Handle } from '#domain/id.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { type InvoiceLine, writeInvoice } from './document.ts';

/** A month to invoice, with its workspaces, read before its rows are locked. */
export type DueMonth = {
  payer: Handle<'workspace'>;
  month: string;
  currency: string;
  workspaces: Handle<'workspace'>[];
  is_consolidated: boolean;
};

/**
 * Closes a month of these workspaces and issues the invoice of it, in one transaction: a month that another process
 * closed meanwhile is on that invoice, so each is invoiced once. A month without a charge is closed alone.
 */
export async function issueInvoice(
  unit: Unit,
  due: DueMonth,
  { sandbox, issuedAt }: { sandbox: boolean; issuedAt: Date },
): Promise<void> {
  const { tx, now } = unit;
  const { payer, month, currency, is_consolidated } = due;
  const closed = await tx<{ workspace_handle: Handle<'workspace'> }[]>`
    update workspace_months set closed_at = ${now}
    where month = ${month} and sandbox = ${sandbox} and closed_at is null and workspace_handle in (
      select workspace_handle from workspace_months
      where month = ${month} and sandbox = ${sandbox} and workspace_handle in ${tx(due.workspaces)}
      order by workspace_handle for update) returning workspace_handle`;
  const lines =
    closed.length === 0
      ? []
      : await readLines(
          tx,
          closed.map(row => row.workspace_handle),
          { sandbox, month },
        );
  if (lines.length === 0) return;
  await writeInvoice(unit, { kind: 'invoice', sandbox, payer, month, currency, is_consolidated, issuedAt }, lines);
}

async function readLines(
  tx: Unit['tx'],
  workspaces: readonly Handle<'workspace'>[],
  { sandbox, month }: { sandbox: boolean; month: string },
): Promise<InvoiceLine[]> {
  return tx<InvoiceLine[]>`
    select w.handle as workspace_handle, w.name as workspace_name, c.handle as campaign_handle, c.name as campaign_name,
      m.plays, m.impressions_thousandths, m.gross_micros, m.discount_micros
    from campaign_months m join campaigns c on c.handle = m.campaign_handle
    join workspaces w on w.handle = c.workspace_handle
    where c.workspace_handle in ${tx([...workspaces])} and c.sandbox = ${sandbox} and m.month = ${month}::date
      and m.gross_micros > 0 order by w.name, w.handle, c.handle`;
}
