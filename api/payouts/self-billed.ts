/** The self-billed invoice of a payout: as a record, as PDF, and as XML of EN 16931, from the data frozen with it. */
import { formatSelfBilledNumber, payableAmounts } from '#domain/money/invoice.ts';
import { currencyDecimals, decimalFromMicros } from '#domain/money/money.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { vatTotals } from '#domain/tax/vat.ts';
import { formatId } from '#domain/id.ts';
import type { SelfBilledRow } from '#sql/invoices/self-billed-invoices.ts';
import { treatmentOf } from '#sql/invoices/vat-columns.ts';
import type { FoundPayout, LineRow } from '#sql/payouts/withdrawals.ts';
import { refuseXml, type EDocument } from '../e-invoices/e-document.ts';
import { xmlFile, type WantedFile } from '../e-invoices/file-formats.ts';
import { FileAnswer } from '../wire/reply.ts';
import { payoutMoney } from './schema.ts';
import { drawSelfBilled } from './self-billed-pdf.ts';

/** The document as it is shown on its payout. */
export function selfBilledRecord(row: SelfBilledRow, currency: string) {
  return {
    number: formatSelfBilledNumber(row),
    issued_at: row.issued_at.toISOString(),
    vat: {
      category: row.vat_category,
      rate: row.vat_rate / 100,
      exemption_reason: row.vat_exemption_reason,
      amount: payoutMoney(row.vat_micros, currency),
    },
  };
}

/** The document as a file. Refuses a payout without one. */
export async function drawSelfBilledFile(payout: FoundPayout, wanted: WantedFile): Promise<FileAnswer | Refusal> {
  const row = payout.selfBilled;
  if (!row)
    return refuse(
      'state_conflict',
      'The payout has no self-billed invoice: it is not paid, or the workspace had not agreed to self-billing.',
    );
  const document = eDocumentOf(payout, row);
  const name = `self-billed-${document.number}`;
  const xmlRefusal = refuseXml(document);
  if (wanted.format === 'pdf') {
    const pdf = await drawSelfBilled(document, { at: row.issued_at, hasXml: !xmlRefusal });
    return new FileAnswer(pdf, { type: wanted.type, name: `${name}.pdf` });
  }
  return xmlRefusal ?? xmlFile(document, wanted, name);
}

function eDocumentOf({ row: payout, lines }: FoundPayout, row: SelfBilledRow): EDocument {
  const { handle, currency, amount_micros: amountMicros, fee_micros: feeMicros } = payout;
  const amounts = payableAmounts(
    lines.map(line => ({ grossMicros: line.earned_micros, discountMicros: 0 })),
    currency,
  );
  const totals = vatTotals(amountMicros, row.vat_micros);
  const text = (micros: number) => `${currency} ${decimalFromMicros(micros).toFixed(currencyDecimals(currency)!)}`;
  return {
    number: formatSelfBilledNumber(row),
    kind: 'self_billed',
    issuedOn: row.issued_at.toISOString().slice(0, 10),
    note: `Self-billing. Advertising space on screens, paid out as ${formatId('payout', handle)}.`,
    terms: [
      `The payout paid the net amount${feeMicros > 0 ? `, less a sending fee of ${text(feeMicros)}` : ''}.`,
      totals.dueMicros > 0 ? 'The VAT is paid apart from it.' : 'Nothing more is due.',
    ].join(' '),
    dueOn: totals.dueMicros > 0 ? row.issued_at.toISOString().slice(0, 10) : undefined,
    currency,
    period: periodOf(lines),
    corrects: [],
    seller: row.parties.seller,
    buyer: row.parties.buyer,
    vat: treatmentOf(row),
    totals,
    lines: lines.map((line, index) => ({
      ...amounts.lines[index]!,
      name: line.name,
      description: `${line.share_millionths / 10_000}% of the ad revenue of ${line.plays} plays`,
    })),
  };
}

/** From the first to the last day of the plays. */
function periodOf(lines: readonly LineRow[]): { from: string; to: string } {
  const days = lines.flatMap(line => [line.first_day, line.last_day]).sort();
  return { from: days[0]!, to: days.at(-1)! };
}
