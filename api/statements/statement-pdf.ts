/**
 * The monthly statement as PDF pages of A4, drawn from its current data. Amounts have all of their decimals: nothing is
 * rounded.
 */
import { formatExact, MICROS_PER_UNIT } from '#domain/money/money.ts';
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
  groupedAmount,
  LINE_HEIGHT,
  MARGIN,
  openPdf,
  printable,
  RIGHT,
  type Column,
} from '../formats/pdf-page.ts';
import type { Statement } from './schema.ts';

export type Parties = { operator: string; venue: string };
type Line = readonly string[];

const COLUMNS: readonly Column[] = [
  { title: 'Booking', x: MARGIN, width: 300, align: 'left' },
  { title: 'Plays', x: 354, width: 50, align: 'right' },
  { title: 'Amount', x: 410, width: RIGHT - 410, align: 'right' },
];

/** @param at when it is drawn */
export async function drawStatement(
  statement: Statement,
  { operator, venue, at }: Parties & { at: Date },
): Promise<Buffer> {
  const { month, currency } = statement;
  const { doc, done } = openPdf({ title: `Statement ${month}`, author: operator, at });
  drawTitle(doc, { accent: ACCENT, name: operator, title: 'STATEMENT' });
  doc
    .font('Helvetica')
    .fontSize(10)
    .text(`Earnings of ${printable(venue)}`, MARGIN, 100, { width: RIGHT - MARGIN });
  doc
    .fillColor(FAINT)
    .text(
      `${month}, by the time of booking (UTC). ${currency}.${statement.is_final ? '' : ` The month goes on: as of ${at.toISOString()}.`}`,
      MARGIN,
      116,
      { width: RIGHT - MARGIN },
    );
  drawLines(doc, linesOf(statement));
  drawFooters(doc, { name: `Statement ${month} ${currency}` });
  doc.end();
  return done;
}

function drawLines(doc: PDFKit.PDFDocument, lines: readonly { texts: Line; isSum: boolean }[]): void {
  let y = drawTableHead(doc, COLUMNS, { y: 150, accent: ACCENT });
  for (const { texts, isSum } of lines) {
    if (y + LINE_HEIGHT > FOOT - 20) {
      doc.addPage();
      y = drawTableHead(doc, COLUMNS, { y: MARGIN, accent: ACCENT });
    }
    drawCells(doc, COLUMNS, y, texts, isSum ? 'Helvetica-Bold' : 'Helvetica');
    y += LINE_HEIGHT;
    drawRule(doc, y - 6);
  }
}

function linesOf(statement: Statement): { texts: Line; isSum: boolean }[] {
  const { currency } = statement;
  const line = (
    name: string,
    amount: number,
    { plays = '', isSum = false }: { plays?: string; isSum?: boolean } = {},
  ) => ({ texts: [printable(name), plays, amountText(amount, currency)], isSum });
  const sum = (name: string, amount: number) => line(name, amount, { isSum: true });
  return [
    sum('Opening balance', statement.opening_balance.value),
    sum('Earnings', statement.earnings.value),
    ...statement.by_screen.map(row =>
      line(
        row.screen_id === null ? '   before screens were kept' : `   ${row.venue_name}, ${row.screen_label}`,
        row.earnings.value,
        { plays: row.plays === null ? '' : grouped(String(row.plays)) },
      ),
    ),
    sum('Adjustments', -statement.adjustments.value),
    ...statement.adjustment_lines.map(row => line(`   ${row.at.slice(0, 10)} ${row.finding_id}`, -row.reversed.value)),
    sum('Withdrawals', -statement.withdrawals.value),
    ...statement.withdrawal_lines.map(row =>
      line(`   ${row.at.slice(0, 10)} ${row.payout_id} (${row.status})`, -row.amount.value),
    ),
    ...(statement.returned_lines.length === 0
      ? []
      : [
          sum('Returned', statement.returned.value),
          ...statement.returned_lines.map(row => line(`   ${row.at.slice(0, 10)} ${row.payout_id}`, row.amount.value)),
        ]),
    sum('Closing balance', statement.closing_balance.value),
  ];
}

/** `1,234.505` */
const amountText = (amount: number, currency: string): string =>
  groupedAmount(formatExact(Math.round(amount * MICROS_PER_UNIT), currency));
