/**
 * What workspaces were charged by month, and the invoice of a month. Settlement adds to open months; the transaction
 * that issues its invoice closes a month.
 */
import type { Handle } from '#domain/id.ts';
import type { Micros } from '#domain/unit.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import type { Fragment, Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { type InvoiceLine, writeInvoice } from './document.ts';

/** A month to invoice, with its workspaces, read before its rows are locked. */
type DueMonth = {
  payer: Handle<'workspace'>;
  month: string;
  currency: string;
  workspaces: Handle<'workspace'>[];
  is_consolidated: boolean;
};

/** How many months are due in one round. */
export const MONTHS_AT_ONCE = 50;

/** Months of real money that ended before `month`, the oldest first. */
export async function readDueMonths(sql: Postgres, month: string): Promise<DueMonth[]> {
  return selectDue(sql, sql`where not m.sandbox and m.month < ${month}::date`);
}

/**
 * Months of play money that the clock of their sandbox has passed, the oldest first: of one sandbox, or of all with a
 * stopped clock.
 */
export async function readDueTestMonths(
  sql: Postgres,
  { now, workspace }: { now: Date; workspace: Handle<'workspace'> | undefined },
): Promise<DueMonth[]> {
  return selectDue(
    sql,
    sql`left join sandbox_clocks clock on clock.workspace_handle = w.handle
    where m.sandbox and m.month < date_trunc('month', greatest(${now}::timestamptz, clock.at) at time zone 'UTC')::date
      and ${workspace === undefined ? sql`clock.target_at is null` : sql`w.handle = ${workspace}`}`,
  );
}

async function selectDue(sql: Queryable, which: Fragment): Promise<DueMonth[]> {
  return sql<DueMonth[]>`
    select case when w.billing_model = 'agency-billed' then w.parent_handle
    else w.handle end as payer, to_char(m.month, 'YYYY-MM-DD') as month, m.currency,
      array_agg(w.handle order by w.handle) as workspaces,
        bool_or(w.billing_model = 'agency-billed') is true as is_consolidated
    from workspace_months m join workspaces w on w.handle = m.workspace_handle ${which} and m.closed_at is null
    group by 1, 2, 3 order by 2, 1, 3 limit ${MONTHS_AT_ONCE}`;
}

/**
 * Closes a month of these workspaces and issues the invoice of it, in one transaction: a month that another process
 * closed meanwhile is on that invoice, so each is invoiced once. A month without a charge is closed alone.
 */
export async function issueInvoice(
  sql: Postgres,
  { payer, workspaces, month, currency, is_consolidated }: DueMonth,
  { sandbox, now, issuedAt }: { sandbox: boolean; now: Date; issuedAt: Date },
): Promise<void> {
  await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    const { tx } = unit;
    const closed = await tx<{ workspace_handle: Handle<'workspace'> }[]>`
      update workspace_months set closed_at = ${now}
      where month = ${month} and sandbox = ${sandbox} and closed_at is null and workspace_handle in (
        select workspace_handle from workspace_months
        where month = ${month} and sandbox = ${sandbox} and workspace_handle in ${tx(workspaces)}
        order by workspace_handle for update) returning workspace_handle`;
    if (closed.length === 0) return;
    const charged = closed.map(row => row.workspace_handle);
    const lines = await readLines(tx, charged, { sandbox, month });
    if (lines.length === 0) return;
    await writeInvoice(unit, { kind: 'invoice', sandbox, payer, month, currency, is_consolidated, issuedAt }, lines);
  });
}

async function readLines(
  tx: Transaction,
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

type OwnMonth = { workspace: Handle<'workspace'>; sandbox: boolean; month: string };

/** The name of a month among those of all workspaces. */
export const nameOfMonth = ({ workspace, sandbox, month }: OwnMonth): string => `${workspace} ${sandbox} ${month}`;

/** Locks months, in their order, so that charges can be added. Returns the names of those that are not invoiced yet. */
export async function openMonths(
  tx: Transaction,
  months: readonly (OwnMonth & { currency: string })[],
): Promise<Set<string>> {
  const open = await tx<{ name: string }[]>`
    insert into workspace_months (workspace_handle, sandbox, month, currency, gross_micros)
    select workspace, sandbox, month, currency, 0
    from unnest(${months.map(({ workspace }) => workspace)}::bigint[],
      ${months.map(({ sandbox }) => String(sandbox))}::text[]::boolean[],
      ${months.map(({ month }) => month)}::date[],
      ${months.map(({ currency }) => currency)}::text[]) as payer (workspace, sandbox, month, currency)
    order by workspace, sandbox, month
    on conflict (workspace_handle, sandbox, month) do update set gross_micros = workspace_months.gross_micros
    where workspace_months.closed_at is null
    returning workspace_handle || ' ' || sandbox || ' ' || month as name`;
  return new Set(open.map(row => row.name));
}

export type AddedToMonth = OwnMonth & { grossMicros: Micros; discountMicros: Micros };

/** Adds charges and their discounts to open months. */
export async function addToMonths(tx: Transaction, added: readonly AddedToMonth[]): Promise<void> {
  await tx`
    update workspace_months as m set gross_micros = m.gross_micros + a.gross,
      discount_micros = m.discount_micros + a.discount
    from unnest(${added.map(row => row.workspace)}::bigint[],
      ${added.map(row => String(row.sandbox))}::text[]::boolean[], ${added.map(row => row.month)}::date[],
      ${added.map(row => row.grossMicros)}::bigint[], ${added.map(row => row.discountMicros)}::bigint[])
      as a (workspace, sandbox, month, gross, discount)
    where m.workspace_handle = a.workspace and m.sandbox = a.sandbox and m.month = a.month`;
}
