/**
 * Issues test invoices: a month of play money, once the clock of its sandbox has passed the end of the month. Each
 * sandbox has its own clock, so a client billed through its agency shares an invoice with the clients whose clocks
 * passed that end in the same round; after a move of its clock it is alone.
 */
import type { Handle } from '#domain/id.ts';
import { monthAfter } from '#domain/money/invoice.ts';
import { issueInvoice, readDueTestMonths } from '#sql/invoices/months.ts';
import type { JobContext } from '../schedule.ts';

/**
 * For sandboxes with a stopped clock; or for one, at the end of a move of its clock. Returns the number of due months.
 */
export async function issueTestInvoices(
  { sql, now: clock }: JobContext,
  workspace?: Handle<'workspace'>,
): Promise<number> {
  const now = clock();
  const due = await readDueTestMonths(sql, { now, workspace });
  for (const invoice of due)
    await issueInvoice(sql, invoice, { sandbox: true, now, issuedAt: issuedAt(invoice.month, now) });
  return due.length;
}

/** The end of the month if a clock was moved across it; else now. */
function issuedAt(month: string, now: Date): Date {
  return new Date(Math.max(now.getTime(), Date.parse(monthAfter(month))));
}
