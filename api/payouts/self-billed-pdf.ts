/** A self-billed invoice as PDF pages of A4, drawn from its document of EN 16931, with its XML as an attachment. */
import { formatRate } from '#domain/tax/vat.ts';
import { writeCii } from '../e-invoices/cii.ts';
import { amountText, attachXml, drawFacts, drawParty, partyLines } from '../e-invoices/document-pdf.ts';
import type { EDocument } from '../e-invoices/e-document.ts';
import {
  ACCENT,
  drawCells,
  drawFooters,
  drawTable,
  drawTitle,
  FOOT,
  INK,
  MARGIN,
  openPdf,
  printable,
  RIGHT,
  type Column,
} from '../formats/pdf-page.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Venue', x: MARGIN, width: 170, align: 'left' },
  { title: 'Share', x: 230, width: 200, align: 'left' },
  { title: 'Net', x: 440, width: RIGHT - 440, align: 'right' },
];

/** @param options.at when the document was issued: the only time in the file */
export async function drawSelfBilled(
  document: EDocument,
  { at, hasXml }: { at: Date; hasXml: boolean },
): Promise<Buffer> {
  const name = `Self-billed invoice ${document.number}`;
  const { doc, done } = openPdf({ title: name, author: document.buyer.name, at });
  drawTitle(doc, { accent: ACCENT, name: document.buyer.name, title: 'SELF-BILLING' });
  const left = drawParty(doc, { title: 'From', y: 100, lines: partyLines(document.seller) });
  const to = drawParty(doc, { title: 'Issued by', y: Math.max(left, 160) + 14, lines: partyLines(document.buyer) });
  drawFacts(doc, [
    ['Number', document.number],
    ['Date', document.issuedOn],
    ['Period', `${document.period.from} to ${document.period.to}`],
    ['Currency', document.currency],
  ]);
  const rows = document.lines.map(({ name: venue, description, netMicros }) => ({
    texts: [printable(venue), description, amountText(netMicros, document.currency)],
  }));
  drawTotals(doc, document, drawTable(doc, { columns: COLUMNS, rows, y: to + 26, accent: ACCENT }));
  if (hasXml) attachXml(doc, writeCii(document), at);
  drawFooters(doc, { name });
  doc.end();
  return done;
}

/** Room that the totals and the terms need together. */
const TOTALS_HEIGHT = 150;

function drawTotals(doc: PDFKit.PDFDocument, { totals, vat, terms, currency }: EDocument, end: number): void {
  if (end + TOTALS_HEIGHT > FOOT) doc.addPage();
  let y = end + TOTALS_HEIGHT > FOOT ? MARGIN : end + 12;
  for (const [name, micros] of [
    ['Net', totals.netMicros],
    [`VAT ${formatRate(vat.rateBasisPoints)}%`, totals.vatMicros],
    ['Total with VAT', totals.totalMicros],
    ['Paid by the payout', -totals.prepaidMicros],
    ['VAT to be paid', totals.dueMicros],
  ] as const) {
    drawCells(doc, COLUMNS, y, ['', name, amountText(micros, currency)]);
    y += 17;
  }
  doc
    .font('Helvetica')
    .fontSize(9)
    .fillColor(INK)
    .text([terms, vat.exemptionReason].filter(Boolean).join(' '), MARGIN, y + 14, { width: RIGHT - MARGIN });
}
