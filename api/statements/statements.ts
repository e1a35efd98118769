/** Statements of earnings as the API shows them, and as a table. */
import { formatId } from '#domain/id.ts';
import { roundThousandths } from '#domain/money/money.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import { monthOf, type StatementRow, type StoredStatement } from '#sql/payouts/statements.ts';
import type { CsvTable } from '../formats/csv.ts';
import { payoutMoney } from '../payouts/schema.ts';
import type { Statement, StatementSummary } from './schema.ts';

export type PdfLink = (statement: { month: string; currency: string }) => { pdf_url: string; pdf_expires_at: string };
type Shown = { now: Milliseconds; link: PdfLink };

/** A transaction that began in the month has ended by then. */
const FINAL_AFTER_MS = 3_600_000;
export const STATEMENT_POSITION = /^20[0-9]{2}-[0-9]{2} [A-Z]{3}$/;

export function statementRecord({ summary, ...lines }: StoredStatement, shown: Shown): Statement {
  const of = (micros: Micros) => payoutMoney(micros, summary.currency);
  return {
    ...summaryRecord(summary, shown),
    by_screen: screenLines(lines.screens, summary),
    adjustment_lines: lines.adjustments.map(({ at, finding, micros }) => ({
      at: at.toISOString(),
      finding_id: formatId('finding', finding),
      reversed: of(micros),
    })),
    withdrawal_lines: lines.withdrawals.map(row => ({
      payout_id: formatId('payout', row.handle),
      at: row.at.toISOString(),
      status: row.status,
      amount: of(row.amount),
      sending_fee: of(row.fee),
    })),
    returned_lines: lines.returned.map(row => ({
      payout_id: formatId('payout', row.handle),
      at: row.at.toISOString(),
      amount: of(row.amount),
    })),
  };
}

function screenLines(
  rows: StoredStatement['screens'],
  { currency, earned: earnedMicros }: StatementRow,
): Statement['by_screen'] {
  const of = (micros: Micros) => payoutMoney(micros, currency);
  const restMicros = earnedMicros - rows.reduce((sum, row) => sum + row.earned, 0);
  return [
    ...rows.map(row => ({
      screen_id: formatId('screen', row.screen),
      screen_label: row.label,
      venue_id: formatId('venue', row.venue),
      venue_name: row.name,
      plays: row.plays,
      impressions: roundThousandths(row.impressions),
      ad_revenue: of(row.gross),
      earnings: of(row.earned),
    })),
    ...(restMicros === 0
      ? []
      : [
          {
            screen_id: null,
            screen_label: null,
            venue_id: null,
            venue_name: null,
            plays: null,
            impressions: null,
            ad_revenue: null,
            earnings: of(restMicros),
          },
        ]),
  ];
}

export function summaryRecord(
  { month, currency, opening, earned, reversed, withdrawn, returned, closing }: StatementRow,
  { now, link }: Shown,
): StatementSummary {
  const of = (micros: Micros) => payoutMoney(micros, currency);
  return {
    month,
    currency,
    is_final: monthOf(now - FINAL_AFTER_MS) > month,
    opening_balance: of(opening),
    earnings: of(earned),
    adjustments: of(reversed),
    withdrawals: of(withdrawn),
    returned: of(returned),
    closing_balance: of(closing),
    ...link({ month, currency }),
  };
}

/** A statement as lines whose amounts add up, from the opening balance on, to the closing balance. */
export function statementTable(statement: Statement): CsvTable {
  const { month, currency, opening_balance: opening, closing_balance: closing } = statement;
  const line = (
    type: string,
    amount: number,
    {
      at = '',
      id = '',
      name = '',
      plays = '',
      revenue = '',
    }: Partial<Record<'at' | 'id' | 'name', string> & Record<'plays' | 'revenue', string | number>> = {},
  ) => [type, at, id, name, plays, revenue, amount, currency];
  return {
    name: `statement-${month}-${currency}`,
    columns: ['type', 'at', 'id', 'name', 'plays', 'ad_revenue', 'amount', 'currency'],
    rows: [
      line('opening_balance', opening.value, { at: `${month}-01` }),
      ...statement.by_screen.map(row =>
        line('earnings', row.earnings.value, {
          id: row.screen_id ?? '',
          name: row.screen_id === null ? '' : `${row.venue_name}, ${row.screen_label}`,
          plays: row.plays ?? '',
          revenue: row.ad_revenue?.value ?? '',
        }),
      ),
      ...statement.adjustment_lines.map(row =>
        line('adjustment', -row.reversed.value, { at: row.at, id: row.finding_id }),
      ),
      ...statement.withdrawal_lines.map(row =>
        line('withdrawal', -row.amount.value, { at: row.at, id: row.payout_id }),
      ),
      ...statement.returned_lines.map(row => line('returned', row.amount.value, { at: row.at, id: row.payout_id })),
      line('closing_balance', closing.value),
    ],
  };
}
