/** Invoices and credit notes in Postgres, as they are listed and read. The workers issue them. */
import { formatId, type Handle } from '#domain/id.ts';
import { formatInvoiceNumber, INVOICE_DUE_DAYS, type InvoiceKind, type InvoiceState } from '#domain/money/invoice.ts';
import { decimalFromMicros, roundThousandths } from '#domain/money/money.ts';
import { treatmentOf } from '#sql/invoices/vat-columns.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { positionIn, sliceOf } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { INVOICE_SORTS, type Invoice } from './schema.ts';
import { vatTotals, type VatCategory, type VatTotals, type VatTreatment } from '#domain/tax/vat.ts';
import type { VatParty } from '#domain/tax/vat-party.ts';
import type { Micros } from '#domain/unit.ts';

const DAY_MS = 86_400_000;

type Party = VatParty & { iban?: string | null; bic?: string | null };
export type InvoiceRow = {
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
  vat_category: VatCategory | null;
  vat_rate: number | null;
  vat_exemption_code: string | null;
  vat_exemption_reason: string | null;
  vat_micros: Micros | null;
  issued_at: Date;
  paid_at: Date | null;
  parties: {
    seller: Party;
    buyer: Party;
    branding: { display_name?: string; accent_color?: string; footer?: string } | null;
  };
};
export type InvoiceLineRow = {
  workspace_handle: Handle<'workspace'>;
  workspace_name: string;
  campaign_handle: Handle<'campaign'>;
  campaign_name: string;
  plays: number;
  impressions_thousandths: number;
  gross_micros: Micros;
  discount_micros: Micros;
  corrects: string[];
};
/** Signs the address of an invoice's PDF. */
export type PdfLink = (id: string) => { pdf_url: string; pdf_expires_at: string };

/** Lists the invoices of the caller's workspace by the time of issue. Test keys see only those of play money. */
export async function listInvoices(
  sql: Postgres,
  caller: Caller,
  {
    page,
    kind,
    status,
    period,
    link,
  }: { page: Page; kind: string | undefined; status: string | undefined; period: string | undefined; link: PdfLink },
): Promise<List<Invoice>> {
  const { behind, order } = sliceOf(sql, page, { sorts: INVOICE_SORTS });
  const rows = await sql<InvoiceRow[]>`
    select *, to_char(month, 'YYYY-MM-DD') as month from invoices
    where workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} ${behind}
    ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${period === undefined ? sql`` : sql`and month = ${`${period}-01`}::date`}
    ${order}`;
  return envelope(rows, page, {
    positionOf: positionIn(page, INVOICE_SORTS),
    recordOf: row => invoiceRecord(row, link),
  });
}

/** An invoice with its lines, as it is read. */
export function invoiceDetail({ row, lines }: FoundInvoice, link: PdfLink) {
  return { ...invoiceRecord(row, link), lines: lines.map(line => lineRecord(line, row)) };
}

type FoundInvoice = { row: InvoiceRow; lines: InvoiceLineRow[] };

/** An invoice with its lines; of any workspace without a caller. */
export async function findInvoice(
  sql: Queryable,
  handle: Handle<'invoice'>,
  caller?: Caller,
): Promise<FoundInvoice | undefined> {
  const [row] = await sql<InvoiceRow[]>`
    select *, to_char(month, 'YYYY-MM-DD') as month from invoices
    where handle = ${handle} ${
      caller === undefined ? sql`` : sql`and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}`
    }`;
  if (!row) return undefined;
  return {
    row,
    lines: await sql<InvoiceLineRow[]>`select * from invoice_lines where invoice_handle = ${handle} order by position`,
  };
}

export function dueOn(issuedAt: Date): string {
  return new Date(issuedAt.getTime() + INVOICE_DUE_DAYS * DAY_MS).toISOString().slice(0, 10);
}

/** A document as it is listed. */
export function invoiceRecord(row: InvoiceRow, link: PdfLink): Invoice {
  const netMicros = row.gross_micros - row.discount_micros;
  const signed = signedMoney(row);
  const id = formatId('invoice', row.handle);
  return {
    id,
    number: formatInvoiceNumber(row),
    kind: row.kind,
    period: row.month.slice(0, 7),
    status: row.status,
    consolidated: row.is_consolidated,
    gross: signed(row.gross_micros),
    discount: signed(row.discount_micros),
    net: signed(netMicros),
    rounding: signed(row.total_micros - netMicros),
    total: signed(row.total_micros),
    vat: vatRecord(row, signed),
    issued_at: row.issued_at.toISOString(),
    due_on: dueOn(row.issued_at),
    paid_at: row.paid_at?.toISOString() ?? null,
    ...link(id),
  };
}

/** The frozen VAT of a document with its totals; undefined if it has none. */
export function vatOf(row: InvoiceRow): { treatment: VatTreatment; totals: VatTotals } | undefined {
  if (row.vat_category === null) return undefined;
  return {
    treatment: treatmentOf({ ...row, vat_category: row.vat_category, vat_rate: row.vat_rate! }),
    totals: vatTotals(row.total_micros, row.vat_micros!),
  };
}

function vatRecord(row: InvoiceRow, signed: ReturnType<typeof signedMoney>): Invoice['vat'] {
  const vat = vatOf(row);
  if (!vat) return null;
  const { treatment, totals } = vat;
  return {
    category: treatment.category,
    rate: treatment.rateBasisPoints / 100,
    exemption_code: treatment.exemptionCode ?? null,
    exemption_reason: treatment.exemptionReason ?? null,
    taxable: signed(totals.netMicros),
    amount: signed(totals.vatMicros),
    total_with_vat: signed(totals.totalMicros),
    prepaid: signed(totals.prepaidMicros),
    due: signed(totals.dueMicros),
  };
}

/** Amounts of a credit note are negative. */
function signedMoney({ kind, currency }: InvoiceRow): (micros: Micros) => { amount: number; currency: string } {
  return micros => ({
    amount: micros === 0 ? 0 : decimalFromMicros(kind === 'credit_note' ? -micros : micros),
    currency,
  });
}

function lineRecord(line: InvoiceLineRow, row: InvoiceRow) {
  const signed = signedMoney(row);
  const sign = row.kind === 'credit_note' ? -1 : 1;
  return {
    client_id: formatId('workspace', line.workspace_handle),
    client_name: line.workspace_name,
    campaign_id: formatId('campaign', line.campaign_handle),
    campaign_name: line.campaign_name,
    plays: sign * line.plays,
    impressions: sign * roundThousandths(line.impressions_thousandths),
    gross: signed(line.gross_micros),
    discount: signed(line.discount_micros),
    net: signed(line.gross_micros - line.discount_micros),
    corrects: line.corrects,
  };
}
