import { monthOf } from '#domain/invoice.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, SYSTEM_ACTOR, type Unit } from '#sql/unit-of-work.ts';
import { issueCreditNote, readCreditsDue } from '../invoices/credit-notes.ts';
import { type InvoiceLine, writeInvoice } from '../invoices/document.ts';
import type { JobContext } from '../schedule.ts';

/**
 * Issues the invoices of months that have ended: one for each workspace that was charged, or one for an agency with all its
 * clients that are billed through it. A month is closed by the transaction that issues its invoice; a charge that is
 * settled later falls into the month after it, so that nothing is invoiced twice or never. What was credited in the month for
 * plays that were taken out is on a credit note (`invoices/credit-notes`).
 */
const ROUND_INVOICES_MAX = 50;

/** Who pays for which months, as they stand before they are locked. */
type Due = { payer: number; month: string; currency: string; workspaces: number[]; is_consolidated: boolean };

/** Issues what is due. Answers how many invoices, months without a charge, and credit notes that were. */
export async function issueInvoices({ sql, now }: JobContext): Promise<number> {
  const at = now();
  const due = await readDue(sql, monthOf(at.getTime()));
  for (const invoice of due) await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: at }, unit => issueInvoice(unit, invoice));
  if (due.length === ROUND_INVOICES_MAX) return due.length; // a note names invoices: they come first
  const credits = await readCreditsDue(sql, { before: monthOf(at.getTime()), rowsMax: ROUND_INVOICES_MAX });
  for (const credit of credits) await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: at }, unit => issueCreditNote(unit, credit));
  return due.length + credits.length;
}

async function readDue(sql: Postgres, month: string): Promise<Due[]> {
  return sql<Due[]>`
    select case when w.billing_model = 'agency-billed' then w.parent_handle else w.handle end as payer, to_char(m.month, 'YYYY-MM-DD') as month, m.currency,
      array_agg(w.handle order by w.handle) as workspaces, bool_or(w.billing_model = 'agency-billed') is true as is_consolidated
    from workspace_months m join workspaces w on w.handle = m.workspace_handle
    where m.closed_at is null and not m.sandbox and m.month < ${month}::date group by 1, 2, 3 order by 2, 1, 3 limit ${ROUND_INVOICES_MAX}`;
}

async function issueInvoice(unit: Unit, due: Due): Promise<void> {
  const { tx, now } = unit;
  const closed = await tx<{ workspace_handle: number }[]>`
    update workspace_months set closed_at = ${now} where month = ${due.month} and not sandbox and closed_at is null and workspace_handle in (
      select workspace_handle from workspace_months where month = ${due.month} and not sandbox and workspace_handle in ${tx(due.workspaces)} order by workspace_handle for update) returning workspace_handle`;
  const lines = closed.length === 0 ? [] : await readLines(tx, closed.map(row => row.workspace_handle), due.month);
  if (lines.length === 0) return;
  await writeInvoice(unit, { kind: 'invoice', payer: due.payer, month: due.month, currency: due.currency, is_consolidated: due.is_consolidated }, lines);
}

async function readLines(tx: Unit['tx'], workspaces: readonly number[], month: string): Promise<InvoiceLine[]> {
  return tx<InvoiceLine[]>`
    select w.handle as workspace_handle, w.name as workspace_name, c.handle as campaign_handle, c.name as campaign_name, m.plays, m.impressions_thousandths, m.gross_micros, m.discount_micros
    from campaign_months m join campaigns c on c.handle = m.campaign_handle join workspaces w on w.handle = c.workspace_handle
    where c.workspace_handle in ${tx([...workspaces])} and not c.sandbox and m.month = ${month}::date and m.gross_micros > 0 order by w.name, w.handle, c.handle`;
}
