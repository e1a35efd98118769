/**
 * The report of an agency and its clients: charges and discounts, grouped from the lines that settlement writes beside
 * the ledger.
 */
import type { Micros, Milliseconds } from '#domain/unit.ts';
import { handleOf, formatId, type Handle } from '#domain/id.ts';
import { decimalFromMicros, roundThousandths } from '#domain/money/money.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { formatDate, parseDate } from '#domain/time/calendar.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { endsOf, MS_PER_DAY, parseDays } from '#domain/reporting/report-range.ts';
import { money } from '../wire/shapes.ts';
import type { ReportGroup } from './schema.ts';

const ROWS_MAX = 5_000;
const DAYS_MAX = 1_100; // three years, as other reports

export type ReportRange = { from: string; to: string; group: ReportGroup; currency: string };
type Query = { from?: string; to?: string; group?: ReportGroup; currency?: string };
type Row = {
  key: string | number | null;
  name: string | null;
  owner: Handle<'workspace'> | null;
  gross: Micros;
  discount: Micros;
  plays: number;
  impressions: number;
};

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
  const rows = await sql<(Row & { currency: string })[]>`
    with line as (
      select l.*, c.workspace_handle, c.name as campaign_name, c.currency from spend_lines l
      join campaigns c on c.handle = l.campaign_handle join workspaces w on w.handle = c.workspace_handle
      where (w.handle = ${caller.workspace} or w.parent_handle = ${caller.workspace}) and c.sandbox = ${caller.sandbox}
        and l.day between ${range.from}::date and ${range.to}::date)
    select line.currency, ${groupColumns(sql, range.group)}, sum(gross_micros)::bigint as gross,
      sum(discount_micros)::bigint as discount, sum(plays)::bigint as plays,
      sum(impressions_thousandths)::bigint as impressions
    from line ${
      range.group === 'client'
        ? sql`join workspaces w on w.handle = line.workspace_handle`
        : range.group === 'region'
          ? sql`left join venues v on v.handle = line.venue_handle`
          : sql``
    }
    group by 1, 2, 3, 4 order by gross desc, 2`;
  const own = rows.filter(row => row.currency === range.currency);
  const sum = (pick: (row: Row) => number) => own.reduce((total, row) => total + pick(row), 0);
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

function groupColumns(sql: Postgres, group: ReportGroup) {
  switch (group) {
    case 'client':
      return sql`line.workspace_handle as key, w.name, null::bigint as owner`;
    case 'region':
      return sql`v.city as key, null as name, null::bigint as owner`;
    case 'daypart':
      return sql`daypart as key, null as name, null::bigint as owner`;
    case 'campaign':
      return sql`campaign_handle as key, campaign_name as name, workspace_handle as owner`;
  }
}

function labelOf(group: ReportGroup, { key, name, owner }: Row): Record<string, string> {
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

function figuresOf({ gross, discount, plays, impressions }: Row) {
  return {
    spend: decimalFromMicros(gross),
    discount: decimalFromMicros(discount),
    net_cost: decimalFromMicros(gross - discount),
    plays,
    impressions: roundThousandths(impressions),
  };
}
