/**
 * Issues the invoices of months that have ended: one for each workspace that was charged, or one for an agency with all
 * its clients that are billed through it. The transaction that issues its invoice closes a month; a charge settled
 * later goes into the next month, so that every charge is invoiced exactly once. Credits of the month for removed plays
 * are on a credit note (`invoices/credit-notes`).
 */
import { monthOf } from '#domain/money/invoice.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { issueCreditNote, readCreditsDue } from './credit-notes.ts';
import { type DueMonth, issueInvoice } from './month.ts';
import type { JobContext } from '../schedule.ts';

const ROUND_INVOICES_MAX = 50;

/** Issues due documents. Returns the number of invoices, months without a charge, and credit notes. */
export async function issueInvoices({ sql, now }: JobContext): Promise<number> {
  const at = now();
  const due = await readDue(sql, monthOf(at.getTime()));
  for (const invoice of due)
    await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: at }, unit =>
      issueInvoice(unit, invoice, { sandbox: false, issuedAt: at }),
    );
  if (due.length === ROUND_INVOICES_MAX) return due.length; // notes name invoices, so these come first
  const credits = await readCreditsDue(sql, { before: monthOf(at.getTime()), rowsMax: ROUND_INVOICES_MAX });
  for (const credit of credits)
    await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: at }, unit => issueCreditNote(unit, credit));
  return due.length + credits.length;
}

async function readDue(sql: Postgres, month: string): Promise<DueMonth[]> {
  return sql<DueMonth[]>`
    select case when w.billing_model = 'agency-billed' then w.parent_handle
    else w.handle end as payer, to_char(m.month, 'YYYY-MM-DD') as month, m.currency,
      array_agg(w.handle order by w.handle) as workspaces,
        bool_or(w.billing_model = 'agency-billed') is true as is_consolidated
    from workspace_months m join workspaces w on w.handle = m.workspace_handle
    where m.closed_at is null and not m.sandbox and m.month < ${month}::date group by 1, 2, 3 order by 2, 1, 3
    limit ${ROUND_INVOICES_MAX}`;
}
