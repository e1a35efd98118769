/** Invoices and credit notes with their lines, as they are listed and read. */
import { NO_HANDLE, parseId, type Handle } from '#domain/id.ts';
import type { InvoiceKind, InvoiceState } from '#domain/money/invoice.ts';
import type { VatParty } from '#domain/tax/vat-party.ts';
import type { Micros } from '#domain/unit.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { likeText, readCounted, sliceOf, type Counted } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { InvoiceLine } from './document.ts';
import type { StoredVat } from './vat-columns.ts';

type Party = VatParty & { iban?: string | null; bic?: string | null };
export type InvoiceRow = StoredVat & {
  handle: Handle<'invoice'>;
  kind: InvoiceKind;
  sandbox: boolean;
  year: number;
  sequence: number;
  month: string;
  currency: string;
  is_consolidated: boolean;
  status: InvoiceState;
  gross_micros: Micros;
  discount_micros: Micros;
  total_micros: Micros;
  issued_at: Date;
  paid_at: Date | null;
  parties: {
    seller: Party;
    buyer: Party;
    branding: { display_name?: string; accent_color?: string; footer?: string } | null;
  };
};
export type InvoiceLineRow = Omit<InvoiceLine, 'corrects'> & { corrects: string[] };
export type FoundInvoice = { row: InvoiceRow; lines: readonly InvoiceLineRow[] };
type OwnFilter = { kind: string | undefined; status: string | undefined; period: string | undefined };

/** An invoice is made when it is issued. */
export const INVOICE_SORTS = { issued_at: 'handle' } as const;

/** A page of the owner's invoices: test keys see only those of play money. */
export async function listInvoices(
  sql: Postgres,
  { workspace, sandbox }: Owner,
  { page, filter: { kind, status, period } }: { page: PageOrder; filter: OwnFilter },
): Promise<InvoiceRow[]> {
  const { behind, order } = sliceOf(sql, page, { sorts: INVOICE_SORTS });
  return sql<InvoiceRow[]>`
    select *, to_char(month, 'YYYY-MM-DD') as month from invoices
    where workspace_handle = ${workspace} and sandbox = ${sandbox} ${behind}
    ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${period === undefined ? sql`` : sql`and month = ${`${period}-01`}::date`}
    ${order}`;
}

/** An invoice with its lines; of any workspace without an owner. */
export async function findInvoice(
  sql: Queryable,
  handle: Handle<'invoice'>,
  owner?: Owner,
): Promise<FoundInvoice | undefined> {
  const own = owner ? sql`and workspace_handle = ${owner.workspace} and sandbox = ${owner.sandbox}` : sql``;
  const [row] = await sql<InvoiceRow[]>`
    select *, to_char(month, 'YYYY-MM-DD') as month from invoices where handle = ${handle} ${own}`;
  if (!row) return undefined;
  return {
    row,
    lines: await sql<InvoiceLineRow[]>`select * from invoice_lines where invoice_handle = ${handle} order by position`,
  };
}

export type WorkspaceInvoiceRow = InvoiceRow & { workspace: Handle<'workspace'>; workspace_name: string };
type InvoiceFilter = { statuses?: readonly string[]; kinds?: readonly string[]; text?: string; isCounted: boolean };

/** A page of the invoices of all workspaces, with their total if the filter asks for it. Test invoices are left out. */
export async function listWorkspaceInvoices(
  sql: Postgres,
  { page, filter: { statuses, kinds, text, isCounted } }: { page: PageOrder; filter: InvoiceFilter },
): Promise<Counted<WorkspaceInvoiceRow>> {
  const wanted = sql`
    select i.handle from invoices i where not i.sandbox
      ${statuses === undefined ? sql`` : sql`and i.status = any(${[...statuses]}::text[])`}
      ${kinds === undefined ? sql`` : sql`and i.kind = any(${[...kinds]}::text[])`}
      ${text === undefined ? sql`` : sql`and ${isFoundBy(sql, text)}`}`;
  const records = sql`
    select i.*, to_char(i.month, 'YYYY-MM-DD') as month_text, i.workspace_handle as workspace, w.name as workspace_name
    from invoices i join workspaces w on w.handle = i.workspace_handle`;
  const { rows, ...total } = await readCounted<WorkspaceInvoiceRow & { month_text: string }>(sql, page, {
    sorts: BY_CREATION,
    wanted,
    records,
    isCounted,
  });
  return { rows: rows.map(row => ({ ...row, month: row.month_text })), ...total };
}

/** A number as it is printed: 2026-000041. */
const NUMBER = /^(20[0-9]{2})-([0-9]{1,9})$/;

function isFoundBy(sql: Queryable, text: string) {
  const [, year = '0', sequence = '0'] = NUMBER.exec(text) ?? [];
  return sql`(i.handle = ${parseId('invoice', text) ?? NO_HANDLE}
    or i.year = ${Number(year)} and i.sequence = ${Number(sequence)}
    or i.workspace_handle in (select handle from workspaces where name ilike ${likeText(text)}))`;
}
