/**
 * The monthly statement as PDF pages of A4, drawn from its current data. Amounts have all of their decimals: nothing is
 * rounded.
 */
import { formatExact, MICROS_PER_UNIT } from '#domain/money/money.ts';
import {
  ACCENT,
  drawFooters,
  drawTable,
  drawTitle,
  FAINT,
  grouped,
  groupedAmount,
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
  drawTable(doc, { columns: COLUMNS, rows: linesOf(statement), y: 150, accent: ACCENT });
  drawFooters(doc, { name: `Statement ${month} ${currency}` });
  doc.end();
  return done;
}

function linesOf(statement: Statement): { texts: Line; font: string }[] {
  const { currency } = statement;
  const line = (
    name: string,
    amount: number,
    { plays = '', isSum = false }: { plays?: string; isSum?: boolean } = {},
  ) => ({
    texts: [printable(name), plays, amountText(amount, currency)],
    font: isSum ? 'Helvetica-Bold' : 'Helvetica',
  });
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
