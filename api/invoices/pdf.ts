/**
 * An invoice or a credit note as PDF pages of A4. It is drawn from data that was frozen when the invoice was issued, so
 * the same invoice always gives the same file. One with VAT has its XML as an attachment, as Factur-X does.
 */
import { formatInvoiceNumber, lastDayOf, payableAmounts, type PayableAmounts } from '#domain/money/invoice.ts';
import { roundThousandths } from '#domain/money/money.ts';
import { isRefusal } from '#domain/refusal.ts';
import { formatRate } from '#domain/tax/vat.ts';
import {
  ACCENT,
  drawCells,
  drawFooters,
  drawRule,
  drawTableHead,
  drawTitle,
  FAINT,
  FOOT,
  grouped,
  INK,
  LINE_HEIGHT,
  MARGIN,
  openPdf,
  printable,
  RIGHT,
  type Column,
} from '../formats/pdf-page.ts';
import { writeCii } from '../e-invoices/cii.ts';
import { amountText, attachXml, drawFacts, drawParty, partyLines } from '../e-invoices/document-pdf.ts';
import { eDocumentOf, termsOf } from './invoice-e-document.ts';
import type { InvoiceLineRow, InvoiceRow } from '#sql/invoices/rows.ts';
import { dueOn, vatOf } from './record.ts';

/** The footer of a test invoice. */
const TEST_NOTE = 'Test document: no invoice. The amounts are play money of a sandbox.';

type Drawing = { doc: PDFKit.PDFDocument; row: InvoiceRow; accent: string };

/** Draws an invoice. Returns the bytes of the PDF. */
export async function drawInvoice(row: InvoiceRow, lines: readonly InvoiceLineRow[]): Promise<Buffer> {
  const number = formatInvoiceNumber(row);
  const name = `${row.sandbox ? 'Test document' : row.kind === 'invoice' ? 'Invoice' : 'Credit note'} ${number}`;
  const { doc, done } = openPdf({ title: name, author: row.parties.seller.name, at: row.issued_at });
  const drawing: Drawing = { doc, row, accent: row.parties.branding?.accent_color ?? ACCENT };
  const y = drawHead(drawing, number);
  const amounts = payableAmounts(
    lines.map(line => ({ grossMicros: line.gross_micros, discountMicros: line.discount_micros })),
    row.currency,
  );
  drawTotals(drawing, { y: drawTable(drawing, { lines, amounts: amounts.lines, y }), total: amounts.total, number });
  const document = eDocumentOf({ row, lines });
  if (!isRefusal(document)) attachXml(doc, writeCii(document), row.issued_at);
  drawFooters(doc, { name, footer: row.sandbox ? TEST_NOTE : row.parties.branding?.footer });
  doc.end();
  return done;
}

/** Draws brand, parties and dates. Returns the `y` of the table. */
function drawHead({ doc, row, accent }: Drawing, number: string): number {
  const { seller, buyer, branding } = row.parties;
  drawTitle(doc, {
    accent,
    name: branding?.display_name ?? seller.name,
    title: row.sandbox ? 'TEST DOCUMENT' : row.kind === 'invoice' ? 'INVOICE' : 'CREDIT NOTE',
  });
  const left = drawParty(doc, { title: 'From', y: 100, lines: partyLines(seller) });
  const to = drawParty(doc, { title: 'Bill to', y: Math.max(left, 160) + 14, lines: partyLines(buyer) });
  const facts: [string, string][] = [
    ['Number', number],
    ['Date', row.issued_at.toISOString().slice(0, 10)],
    ['Period', `${row.month} to ${lastDayOf(row.month)}`],
    ...(row.kind === 'invoice' && !row.sandbox ? [['Due date', dueOn(row.issued_at)] as [string, string]] : []),
    ['Currency', row.currency],
  ];
  drawFacts(doc, facts);
  return to + 26;
}

const COLUMNS: readonly Column[] = [
  { title: 'Campaign', x: MARGIN, width: 180, align: 'left' },
  { title: 'Plays', x: 234, width: 46, align: 'right' },
  { title: 'Impressions', x: 284, width: 62, align: 'right' },
  { title: 'Gross', x: 350, width: 62, align: 'right' },
  { title: 'Discount', x: 416, width: 60, align: 'right' },
  { title: 'Net', x: 480, width: RIGHT - 480, align: 'right' },
];

function drawTable(
  drawing: Drawing,
  { lines, amounts, y: top }: { lines: readonly InvoiceLineRow[]; amounts: readonly PayableAmounts[]; y: number },
): number {
  const { doc, row } = drawing;
  const { currency } = row;
  let y = drawTableHead(doc, COLUMNS, { y: top, accent: drawing.accent });
  let client = 0;
  for (const [index, line] of lines.entries()) {
    const isNewClient = row.is_consolidated && line.workspace_handle !== client;
    if (y + LINE_HEIGHT * (1 + (isNewClient ? 1 : 0) + (line.corrects.length > 0 ? 1 : 0)) > FOOT - 20) {
      doc.addPage();
      y = drawTableHead(doc, COLUMNS, { y: MARGIN, accent: drawing.accent });
    }
    if (isNewClient) {
      client = line.workspace_handle;
      drawCells(doc, COLUMNS, y, [printable(line.workspace_name)], 'Helvetica-Bold');
      y += LINE_HEIGHT;
    }
    const { grossMicros, discountMicros, netMicros } = amounts[index]!;
    drawCells(doc, COLUMNS, y, [
      printable(line.campaign_name),
      grouped(String(line.plays)),
      grouped(String(roundThousandths(line.impressions_thousandths))),
      amountText(grossMicros, currency),
      discountMicros === 0 ? '-' : amountText(-discountMicros, currency),
      amountText(netMicros, currency),
    ]);
    y += LINE_HEIGHT;
    if (line.corrects.length > 0) {
      drawCells(doc, COLUMNS, y - 5, [`of invoices ${line.corrects.join(', ')}`]);
      y += LINE_HEIGHT - 5;
    }
    drawRule(doc, y - 6);
  }
  return y;
}

function drawTotals(
  { doc, row, accent }: Drawing,
  { y: end, total, number }: { y: number; total: PayableAmounts; number: string },
): void {
  const { currency } = row;
  const vat = vatOf(row);
  const NEEDED = vat ? 230 : 150; // of the totals and the payment note together
  let y = end + 12;
  if (y + NEEDED > FOOT) {
    doc.addPage();
    y = MARGIN;
  }
  const sums: (readonly [string, number])[] = [
    ['Gross', total.grossMicros],
    ['Discount', -total.discountMicros],
    ['Net', total.netMicros],
    ...(vat
      ? ([
          [`VAT ${formatRate(vat.treatment.rateBasisPoints)}%`, vat.totals.vatMicros],
          ['Total with VAT', vat.totals.totalMicros],
          ['Paid by the wallet', -vat.totals.prepaidMicros],
        ] as const)
      : []),
  ];
  for (const [name, micros] of sums) {
    doc.font('Helvetica').fontSize(10).fillColor(FAINT).text(name, 350, y, { width: 90 });
    doc.fillColor(INK).text(amountText(micros, currency), 440, y, { width: RIGHT - 440, align: 'right' });
    y += 17;
  }
  doc.rect(344, y, RIGHT - 344 + 6, 26).fill(accent);
  doc
    .font('Helvetica-Bold')
    .fontSize(11)
    .fillColor('#ffffff')
    .text(vat ? 'Due' : 'Total', 350, y + 8, { width: 60 });
  doc.text(`${currency} ${amountText(vat ? vat.totals.dueMicros : total.netMicros, currency)}`, 410, y + 8, {
    width: RIGHT - 410,
    align: 'right',
  });
  y += 50;
  doc
    .font('Helvetica')
    .fontSize(9)
    .fillColor(INK)
    .text(paymentNote(row, number), MARGIN, y, { width: RIGHT - MARGIN });
}

function paymentNote(row: InvoiceRow, number: string): string {
  const {
    kind,
    sandbox,
    issued_at: issuedAt,
    parties: { seller },
  } = row;
  const vat = vatOf(row);
  if (sandbox) return `${TEST_NOTE} Nothing is to be paid.`;
  if (vat) return [termsOf(row), vat.treatment.exemptionReason].filter(Boolean).join(' ');
  if (kind === 'credit_note')
    return 'Plays that had been charged were found invalid and taken out. This amount was credited to the wallet as that was done; nothing is to be paid. Amounts hold no tax.';
  const account = seller.iban ? ` to ${seller.iban}${seller.bic ? ` (${seller.bic})` : ''}` : '';
  return `The charges were taken from the wallet as they were settled; nothing more is due for a wallet that was paid in advance. Else please pay${account} by ${dueOn(issuedAt)}, naming ${number}. Amounts hold no tax.`;
}
