/**
 * Pages of A4 with a table, a footer and page numbers, on which invoices and statements are drawn. Sizes are in points.
 * See `invoices/pdf.ts` and `statements/statement-pdf.ts`.
 */
import Pdf from 'pdfkit';
import { Type } from 'typebox';

export const MARGIN = 50;
const PAGE_WIDTH = 595.28;
const PAGE_HEIGHT = 841.89;
export const RIGHT = PAGE_WIDTH - MARGIN;
export const FOOT = PAGE_HEIGHT - 70; // below it stand the footer and the page number
export const ACCENT = '#1f3a5f';
export const INK = '#1a1a1a';
export const FAINT = '#6b7280';
const RULE = '#d1d5db';
export const LINE_HEIGHT = 20;

/** The query parameters of a signed address of a PDF. */
export const PdfQuery = Type.Object({
  expires: Type.String({ pattern: '^[0-9]{1,15}$', description: 'End of the address, in milliseconds since 1970.' }),
  signature: Type.String({ minLength: 1, maxLength: 100, description: 'Signature of the address.' }),
});

/** A column of a table; `x` is its left edge. */
export type Column = { title: string; x: number; width: number; align: 'left' | 'right' };

/**
 * A new document, and its bytes once it has been ended. The only time in it is `at`, so that the same content gives the
 * same file.
 */
export function openPdf({ title, author, at }: { title: string; author: string; at: Date }): {
  doc: PDFKit.PDFDocument;
  done: Promise<Buffer>;
} {
  const doc = new Pdf({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: title, Author: printable(author), CreationDate: at, ModDate: at },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    doc
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject);
  });
  return { doc, done };
}

/** Draws the head of a table. Returns the `y` of its first line. */
export function drawTableHead(
  doc: PDFKit.PDFDocument,
  columns: readonly Column[],
  { y, accent }: { y: number; accent: string },
): number {
  doc.rect(MARGIN - 6, y - 6, RIGHT - MARGIN + 12, 22).fill(accent);
  for (const { title, x, width, align } of columns)
    doc.font('Helvetica-Bold').fontSize(9).fillColor('#ffffff').text(title, x, y, { width, align, lineBreak: false });
  return y + 26;
}

/** Draws a line of a table. A single text takes its whole width. */
export function drawCells(
  doc: PDFKit.PDFDocument,
  columns: readonly Column[],
  y: number,
  texts: readonly string[],
  font = 'Helvetica',
): void {
  doc.font(font).fontSize(9).fillColor(INK);
  texts.forEach((text, index) => {
    const { x, width, align } = columns[index]!;
    doc.text(text, x, y, { width: texts.length === 1 ? RIGHT - x : width, height: 10, align, ellipsis: true });
  });
}

type TableOptions = {
  columns: readonly Column[];
  rows: readonly { texts: readonly string[]; font?: string }[];
  y: number;
  accent: string;
};

/** Draws a table, with its head again on each further page. Returns the `y` below it. */
export function drawTable(doc: PDFKit.PDFDocument, { columns, rows, y: top, accent }: TableOptions): number {
  let y = drawTableHead(doc, columns, { y: top, accent });
  for (const { texts, font } of rows) {
    if (y + LINE_HEIGHT > FOOT - 20) {
      doc.addPage();
      y = drawTableHead(doc, columns, { y: MARGIN, accent });
    }
    drawCells(doc, columns, y, texts, font);
    y += LINE_HEIGHT;
    drawRule(doc, y - 6);
  }
  return y;
}

type TitleOptions = { accent: string; /** Whose document it is. */ name: string; /** What it is. */ title: string };

/** Draws the band, the name and the title on top of the first page. */
export function drawTitle(doc: PDFKit.PDFDocument, { accent, name, title }: TitleOptions): void {
  doc.rect(0, 0, PAGE_WIDTH, 8).fill(accent);
  doc
    .font('Helvetica-Bold')
    .fontSize(18)
    .fillColor(accent)
    .text(printable(name), MARGIN, 42, { width: 300, height: 44, ellipsis: true });
  doc
    .fontSize(22)
    .fillColor(INK)
    .text(title, 350, 40, { width: RIGHT - 350, align: 'right' });
}

/** Draws a thin line over the width of the page. */
export function drawRule(doc: PDFKit.PDFDocument, y: number): void {
  doc.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(RULE).stroke();
}

/** Draws the footer and the page number on every page. */
export function drawFooters(
  doc: PDFKit.PDFDocument,
  { name, footer }: { name: string; footer?: string | undefined },
): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    doc.page.margins.bottom = 0; // else a text this low begins another page
    doc.font('Helvetica').fontSize(8).fillColor(FAINT);
    if (footer)
      doc.text(printable(footer), MARGIN, FOOT + 18, {
        width: RIGHT - MARGIN,
        height: 10,
        align: 'center',
        ellipsis: true,
      });
    doc.text(name, MARGIN, FOOT + 34, { width: 200, lineBreak: false });
    doc.text(`Page ${page - start + 1} of ${count}`, RIGHT - 100, FOOT + 34, {
      width: 100,
      align: 'right',
      lineBreak: false,
    });
  }
}

/** Digits with commas between thousands: `1,234,567`. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A decimal number with commas between thousands: `1,234.505`. */
export function groupedAmount(amount: string): string {
  const [whole = '', decimals] = amount.split('.');
  return grouped(whole) + (decimals === undefined ? '' : `.${decimals}`);
}

/** Latin letters that Unicode does not decompose into a letter and an accent. */
const STROKED: Readonly<Record<string, string>> = {
  '\u0141': 'L',
  '\u0142': 'l',
  '\u0110': 'D',
  '\u0111': 'd',
  '\u0131': 'i',
  '\u0126': 'H',
  '\u0127': 'h',
  '\u1e9e': 'SS',
};

/**
 * The text as the standard fonts of PDF can show it: Latin-1 and a few signs. Accents beyond Latin-1 are dropped, other
 * letters become `?`.
 */
export function printable(text: string): string {
  return [...text.normalize('NFC')]
    .map(character => {
      if (/[ -~\u00a0-\u00ff\u20ac\u2013\u2014\u2018\u2019\u201c\u201d\u2026]/.test(character)) return character;
      const bare = STROKED[character] ?? character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
      return /^[ -~]+$/.test(bare) ? bare : '?';
    })
    .join('');
}
