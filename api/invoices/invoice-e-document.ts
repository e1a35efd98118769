/** An invoice or a credit note as a document of EN 16931, from the data frozen at its issue. */
import { formatInvoiceNumber, lastDayOf, payableAmounts } from '#domain/money/invoice.ts';
import { roundThousandths } from '#domain/money/money.ts';
import type { Refusal } from '#domain/refusal.ts';
import { refuseWithoutVat, refuseXml, type EDocument } from '../e-invoices/e-document.ts';
import type { FoundInvoice, InvoiceRow } from '#sql/invoices/rows.ts';
import { dueOn, vatOf } from './record.ts';

/** The document of EN 16931, or the reason why there is none. */
export function eDocumentOf({ row, lines }: FoundInvoice): EDocument | Refusal {
  const vat = vatOf(row);
  if (!vat) return refuseWithoutVat();
  const { kind, currency, month, parties } = row;
  const refusal = refuseXml({ buyer: parties.buyer, currency });
  if (refusal) return refusal;
  const amounts = payableAmounts(
    lines.map(line => ({ grossMicros: line.gross_micros, discountMicros: line.discount_micros })),
    currency,
  );
  const corrects = [...new Set(lines.flatMap(line => line.corrects))].sort();
  return {
    number: formatInvoiceNumber(row),
    kind,
    issuedOn: row.issued_at.toISOString().slice(0, 10),
    dueOn: kind === 'invoice' && vat.totals.dueMicros > 0 ? dueOn(row.issued_at) : undefined,
    note: noteOf(row, corrects),
    terms: termsOf(row),
    currency,
    period: { from: month, to: lastDayOf(month) },
    corrects,
    seller: parties.seller,
    buyer: parties.buyer,
    vat: vat.treatment,
    totals: vat.totals,
    lines: lines.map((line, index) => ({
      ...amounts.lines[index]!,
      name: line.campaign_name,
      description: `${line.workspace_name}: ${line.plays} plays, ${roundThousandths(line.impressions_thousandths)} impressions`,
    })),
  };
}

function noteOf({ kind, sandbox, month }: InvoiceRow, corrects: readonly string[]): string {
  if (sandbox) return 'Test document: no invoice. The amounts are play money of a sandbox.';
  if (kind === 'invoice') return `Advertising on screens from ${month} to ${lastDayOf(month)}.`;
  return `Plays that were charged on invoices ${corrects.join(', ')} were found invalid and credited.`;
}

/** How the document is paid, in words: also on its PDF. */
export function termsOf(row: InvoiceRow): string {
  const due = vatOf(row)?.totals.dueMicros ?? 0;
  if (row.sandbox) return 'Nothing is to be paid.';
  if (row.kind === 'credit_note')
    return `The net amount was credited to the wallet.${due > 0 ? ' The VAT is refunded outside the wallet.' : ''}`;
  if (due === 0) return 'The wallet paid the amount in advance. Nothing more is due.';
  const { iban, bic } = row.parties.seller;
  const account = iban ? ` to ${iban}${bic ? ` (${bic})` : ''}` : '';
  return `The wallet paid the net amount in advance. Please pay the VAT${account} by ${dueOn(row.issued_at)}, naming ${formatInvoiceNumber(row)}.`;
}
