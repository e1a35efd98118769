/**
 * Issues the invoices of months that have ended: one for each workspace that was charged, or one for an agency with all
 * its clients that are billed through it. The transaction that issues its invoice closes a month; a charge settled
 * later goes into the next month, so that every charge is invoiced exactly once. Credits of the month for removed plays
 * are on a credit note (`sql/invoices/credit-notes.ts`).
 */
import { monthOf } from '#domain/money/invoice.ts';
import { issueCreditNote, readCreditsDue } from '#sql/invoices/credit-notes.ts';
import { issueInvoice, MONTHS_AT_ONCE, readDueMonths } from '#sql/invoices/months.ts';
import type { JobContext } from '../schedule.ts';

/** Issues due documents. Returns the number of invoices, months without a charge, and credit notes. */
export async function issueInvoices({ sql, now: clock }: JobContext): Promise<number> {
  const now = clock();
  const month = monthOf(now.getTime());
  const due = await readDueMonths(sql, month);
  for (const invoice of due) await issueInvoice(sql, invoice, { sandbox: false, now, issuedAt: now });
  if (due.length === MONTHS_AT_ONCE) return due.length; // notes name invoices, so these come first
  const credits = await readCreditsDue(sql, { before: month, rowsMax: MONTHS_AT_ONCE });
  for (const credit of credits) await issueCreditNote(sql, credit, now);
  return due.length + credits.length;
}
