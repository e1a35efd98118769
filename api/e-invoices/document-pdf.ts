/** The common parts of document PDFs: parties, the facts at the top, and the XML as an attachment, as in Factur-X. */
import { formatAmount } from '#domain/money/money.ts';
import type { VatParty } from '#domain/tax/vat-party.ts';
import type { Micros } from '#domain/unit.ts';
import { FAINT, groupedAmount, INK, MARGIN, printable, RIGHT } from '../formats/pdf-page.ts';

type Doc = PDFKit.PDFDocument;

/** Readers of Factur-X look for this name. The PDF is no PDF/A: its fonts are not embedded. */
export function attachXml(doc: Doc, xml: string, at: Date): void {
  const file = {
    name: 'factur-x.xml',
    type: 'text/xml',
    relationship: 'Alternative',
    creationDate: at,
    modifiedDate: at,
  };
  doc.file(Buffer.from(xml), file);
}

/** An amount of whole minor units, in groups of three digits. */
export function amountText(micros: Micros, currency: string): string {
  return groupedAmount(formatAmount(micros, currency));
}

/** Number, dates and currency, on the right of the parties. */
export function drawFacts(doc: Doc, facts: readonly (readonly [string, string])[]): void {
  facts.forEach(([name, value], index) => {
    doc
      .font('Helvetica')
      .fontSize(9)
      .fillColor(FAINT)
      .text(name, 350, 100 + index * 16, { width: 85 });
    doc.fillColor(INK).text(value, 435, 100 + index * 16, { width: RIGHT - 435, align: 'right' });
  });
}

export function partyLines(party: VatParty): string[] {
  const place = [party.country, party.postal_code, party.city].filter(Boolean).join(' ');
  return [
    party.name,
    ...party.address_lines,
    ...(place ? [place] : []),
    ...(party.vat_id ? [`VAT ID ${party.vat_id}`] : []),
    ...(party.tax_id ? [`Tax ID ${party.tax_id}`] : []),
  ];
}

/** Returns the `y` below it. */
export function drawParty(
  doc: Doc,
  { title, y, lines }: { title: string; y: number; lines: readonly string[] },
): number {
  doc.font('Helvetica').fontSize(8).fillColor(FAINT).text(title.toUpperCase(), MARGIN, y, { characterSpacing: 0.6 });
  lines.forEach((line, index) => {
    doc
      .font(index === 0 ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(10)
      .fillColor(INK)
      .text(printable(line), MARGIN, doc.y + (index === 0 ? 3 : 1), { width: 270 });
  });
  return doc.y;
}
