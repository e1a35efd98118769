/**
 * The statement of a report as CSV: charges, later removals, and the rest, for bookkeeping; then uncharged plays by
 * reason. Columns that do not apply to a line are empty.
 */
import type { CsvTable } from '../formats/csv.ts';
import type { Report } from './schema/report.ts';

/** The lines of the statement. */
export function statementTable({
  campaign_id,
  totals,
  adjustments,
  net,
  invalid_plays,
  plays_not_counted,
  scans_not_counted,
  as_of,
  is_final,
}: Report): CsvTable {
  return {
    name: `statement-${campaign_id}`,
    columns: ['line', 'reason', 'at', 'plays', 'impressions', 'scans', 'spend', 'currency'],
    rows: [
      ['total', '', '', totals.plays, totals.impressions, totals.scans, totals.spend.amount, totals.spend.currency],
      ...adjustments.map(({ at, concerns, plays, impressions, spend }) => [
        'adjustment',
        concerns,
        at,
        -plays,
        -impressions,
        '',
        -spend.amount,
        spend.currency,
      ]),
      ['net', '', '', net.plays, net.impressions, '', net.spend.amount, net.spend.currency],
      ...invalid_plays.map(({ reason, plays }) => ['invalid_plays', reason, '', plays, '', '', '', '']),
      ...plays_not_counted.map(({ reason, plays }) => ['plays_not_counted', reason, '', plays, '', '', '', '']),
      ...scans_not_counted.map(({ reason, scans }) => ['scans_not_counted', reason, '', '', '', scans, '', '']),
    ],
    headers: { 'x-as-of': as_of, 'x-is-final': String(is_final) },
  };
}
