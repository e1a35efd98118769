/** How the API shows invoices and credit notes. */
import { formatId } from '#domain/id.ts';
import { formatInvoiceNumber, INVOICE_DUE_DAYS } from '#domain/money/invoice.ts';
import { decimalFromMicros, roundThousandths } from '#domain/money/money.ts';
import { vatTotals, type VatTotals, type VatTreatment } from '#domain/tax/vat.ts';
import type { Micros } from '#domain/unit.ts';
import type { FoundInvoice, InvoiceLineRow, InvoiceRow } from '#sql/invoices/rows.ts';
import { treatmentOf } from '#sql/invoices/vat-columns.ts';
import type { Invoice } from './schema.ts';

const DAY_MS = 86_400_000;

/** Signs the address of an invoice's PDF. */
export type PdfLink = (id: string) => { pdf_url: string; pdf_expires_at: string };

/** An invoice with its lines, as it is read. */
export function invoiceDetail({ row, lines }: FoundInvoice, link: PdfLink) {
  return { ...invoiceRecord(row, link), lines: lines.map(line => lineRecord(line, row)) };
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
