import { formatId } from '#domain/id.ts';
import { formatInvoiceNumber, INVOICE_DUE_DAYS, type InvoiceState } from '#domain/invoice.ts';
import { decimalFromMicros, roundThousandths } from '#domain/money.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { Caller } from '../authentication.ts';
import { refuseAbsent } from '../error-reply.ts';
import { envelope, handleBefore, type List, type Page } from '../paging.ts';
import { money } from '../shapes.ts';
import type { Invoice } from './schema.ts';

const DAY_MS = 86_400_000;

type Party = { name: string; address_lines: string[]; tax_id: string | null; iban?: string | null; bic?: string | null };
export type InvoiceRow = {
  handle: number; year: number; sequence: number; month: string; currency: string; is_consolidated: boolean; status: InvoiceState;
  gross_micros: number; discount_micros: number; total_micros: number; issued_at: Date; paid_at: Date | null;
  parties: { seller: Party; buyer: Party; branding: { display_name?: string; accent_color?: string; footer?: string } | null };
};
export type InvoiceLineRow = {
  workspace_handle: number; workspace_name: string; campaign_handle: number; campaign_name: string; plays: number; impressions_thousandths: number; gross_micros: number; discount_micros: number;
};
/** Signs the address of an invoice's PDF. */
export type PdfLink = (id: string) => { pdf_url: string; pdf_expires_at: string };

/** Invoices of the caller's workspace, newest first. There are none of play money. */
export async function listInvoices(sql: Postgres, caller: Caller, { page, status, period, link }: { page: Page; status: string | undefined; period: string | undefined; link: PdfLink }): Promise<List<Invoice>> {
  if (caller.sandbox) return envelope<InvoiceRow, Invoice>([], page, { positionOf: String, recordOf: row => invoiceRecord(row, link) });
  const rows = await sql<InvoiceRow[]>`
    select *, to_char(month, 'YYYY-MM-DD') as month from invoices where workspace_handle = ${caller.workspace} and handle < ${handleBefore(page)}
    ${status === undefined ? sql`` : sql`and status = ${status}`} ${period === undefined ? sql`` : sql`and month = ${`${period}-01`}::date`}
    order by handle desc limit ${page.limit + 1}`;
  return envelope(rows, page, { positionOf: row => String(row.handle), recordOf: row => invoiceRecord(row, link) });
}

export async function readInvoice(sql: Postgres, caller: Caller, { handle, link }: { handle: number; link: PdfLink }) {
  const found = caller.sandbox ? undefined : await findInvoice(sql, handle, caller.workspace);
  return found ? { ...invoiceRecord(found.row, link), lines: found.lines.map(line => lineRecord(line, found.row.currency)) } : refuseAbsent();
}

/** An invoice with its lines; of any workspace where none is named. */
export async function findInvoice(sql: Queryable, handle: number, workspace?: number): Promise<{ row: InvoiceRow; lines: InvoiceLineRow[] } | undefined> {
  const [row] = await sql<InvoiceRow[]>`
    select *, to_char(month, 'YYYY-MM-DD') as month from invoices where handle = ${handle} ${workspace === undefined ? sql`` : sql`and workspace_handle = ${workspace}`}`;
  if (!row) return undefined;
  return { row, lines: await sql<InvoiceLineRow[]>`select * from invoice_lines where invoice_handle = ${handle} order by position` };
}

export function dueOn(issuedAt: Date): string {
  return new Date(issuedAt.getTime() + INVOICE_DUE_DAYS * DAY_MS).toISOString().slice(0, 10);
}

function invoiceRecord(row: InvoiceRow, link: PdfLink): Invoice {
  const netMicros = row.gross_micros - row.discount_micros;
  const id = formatId('invoice', row.handle);
  return {
    id,
    number: formatInvoiceNumber(row.year, row.sequence),
    period: row.month.slice(0, 7),
    status: row.status,
    consolidated: row.is_consolidated,
    gross: money(row.gross_micros, row.currency),
    discount: money(row.discount_micros, row.currency),
    net: money(netMicros, row.currency),
    rounding: { amount: decimalFromMicros(row.total_micros - netMicros), currency: row.currency },
    total: money(row.total_micros, row.currency),
    issued_at: row.issued_at.toISOString(),
    due_on: dueOn(row.issued_at),
    paid_at: row.paid_at?.toISOString() ?? null,
    ...link(id),
  };
}

function lineRecord(line: InvoiceLineRow, currency: string) {
  return {
    client_id: formatId('workspace', line.workspace_handle),
    client_name: line.workspace_name,
    campaign_id: formatId('campaign', line.campaign_handle),
    campaign_name: line.campaign_name,
    plays: line.plays,
    impressions: roundThousandths(line.impressions_thousandths),
    gross: money(line.gross_micros, currency),
    discount: money(line.discount_micros, currency),
    net: money(line.gross_micros - line.discount_micros, currency),
  };
}
