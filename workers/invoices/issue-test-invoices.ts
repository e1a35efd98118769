/**
 * Issues test invoices: a month of play money, once the clock of its sandbox has passed the end of the month. Each
 * sandbox has its own clock, so a client billed through its agency shares an invoice with the clients whose clocks
 * passed that end in the same round; after a move of its clock it is alone.
 */
import type { Handle } from '#domain/id.ts';
import { monthAfter } from '#domain/money/invoice.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { type DueMonth, issueInvoice } from './month.ts';
import type { JobContext } from '../schedule.ts';

const ROUND_INVOICES_MAX = 50;

/**
 * For sandboxes with a stopped clock; or for one, at the end of a move of its clock. Returns the number of due months.
 */
export async function issueTestInvoices({ sql, now }: JobContext, workspace?: Handle<'workspace'>): Promise<number> {
  const at = now();
  const due = await sql<DueMonth[]>`
    select case when w.billing_model = 'agency-billed' then w.parent_handle
    else w.handle end as payer, to_char(m.month, 'YYYY-MM-DD') as month, m.currency,
      array_agg(w.handle order by w.handle) as workspaces,
        bool_or(w.billing_model = 'agency-billed') is true as is_consolidated
    from workspace_months m join workspaces w on w.handle = m.workspace_handle left
    join sandbox_clocks clock on clock.workspace_handle = w.handle
    where m.closed_at is null and m.sandbox and m.month < date_trunc('month',
      greatest(${at}::timestamptz, clock.at) at time zone 'UTC')::date
      and ${workspace === undefined ? sql`clock.target_at is null` : sql`w.handle = ${workspace}`}
    group by 1, 2, 3 order by 2, 1, 3 limit ${ROUND_INVOICES_MAX}`;
  for (const invoice of due) {
    await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: at }, unit =>
      issueInvoice(unit, invoice, { sandbox: true, issuedAt: issuedAt(invoice.month, at) }),
    );
  }
  return due.length;
}

/** The end of the month if a clock was moved across it; else now. */
function issuedAt(month: string, now: Date): Date {
  return new Date(Math.max(now.getTime(), Date.parse(monthAfter(month))));
}
