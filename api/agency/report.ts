/** The report of an agency and its clients: charges and discounts, in groups. */
import type { Milliseconds } from '#domain/unit.ts';
import { handleOf, formatId } from '#domain/id.ts';
import { decimalFromMicros, roundThousandths } from '#domain/money/money.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { formatDate, parseDate } from '#domain/time/calendar.ts';
import { sumSpend, type AgencyGroup, type AgencySums } from '#sql/workspaces/agency-report.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { endsOf, MS_PER_DAY, parseDays } from '#domain/reporting/report-range.ts';
import { money } from '../wire/shapes.ts';

const ROWS_MAX = 5_000;
const DAYS_MAX = 1_100; // three years, as other reports

export type ReportRange = { from: string; to: string; group: AgencyGroup; currency: string };
type Query = { from?: string; to?: string; group?: AgencyGroup; currency?: string };
/** The range of a query; by default from the first of this month to today (UTC), or the one day that is given. */
export function parseReportRange(
  query: Query,
  { currency, now }: { currency: string; now: Milliseconds },
): ReportRange | Refusal {
  const days = parseDays(query);
  if (isRefusal(days)) return days;
  const today = Math.floor(now / MS_PER_DAY);
  const firstOfMonth = parseDate(`${formatDate(today).slice(0, 7)}-01`)!;
  const { first, last } = endsOf(days, { first: firstOfMonth, last: today });
  if (last - first >= DAYS_MAX) return refuse('bad_query_parameter', `A report covers at most ${DAYS_MAX} days.`);
  return {
    from: formatDate(first),
    to: formatDate(last),
    group: query.group ?? 'client',
    currency: query.currency ?? currency,
  };
}

/**
 * The report of the caller's workspace and its clients. Rows and totals come from one statement, so that they agree.
 */
export async function readAgencyReport(sql: Postgres, caller: Caller, range: ReportRange) {
  const rows = await sumSpend(sql, caller, range);
  const own = rows.filter(row => row.currency === range.currency);
  const sum = (pick: (row: AgencySums) => number) => own.reduce((total, row) => total + pick(row), 0);
  const gross = sum(row => row.gross);
  const discount = sum(row => row.discount);
  return {
    ...range,
    other_currencies: [...new Set(rows.map(row => row.currency))]
      .filter(currency => currency !== range.currency)
      .sort(),
    totals: {
      platform_cost: money(gross, range.currency),
      discount: money(discount, range.currency),
      net_cost: money(gross - discount, range.currency),
    },
    [`by_${range.group}`]: own.slice(0, ROWS_MAX).map(row => ({ ...labelOf(range.group, row), ...figuresOf(row) })),
  };
}

function labelOf(group: AgencyGroup, { key, name, owner }: AgencySums): Record<string, string> {
  switch (group) {
    case 'client':
      return { client_id: formatId('workspace', handleOf('workspace', Number(key))), client_name: name ?? '' };
    case 'region':
      return { region: key === null ? 'unknown' : String(key) };
    case 'daypart':
      return { daypart: String(key) };
    case 'campaign':
      return {
        campaign_id: formatId('campaign', handleOf('campaign', Number(key))),
        campaign_name: name ?? '',
        client_id: formatId('workspace', owner!),
      };
  }
}

function figuresOf({ gross, discount, plays, impressions }: AgencySums) {
  return {
    spend: decimalFromMicros(gross),
    discount: decimalFromMicros(discount),
    net_cost: decimalFromMicros(gross - discount),
    plays,
    impressions: roundThousandths(impressions),
  };
}
