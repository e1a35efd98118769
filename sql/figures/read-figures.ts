/**
 * Reads the figures of a report from the rollups of ClickHouse in one statement, because a statement costs ClickHouse
 * more than the rows of a campaign do. Rollups have rows of 15 minutes, from which the hours and days of every time
 * zone can be put together.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { formatDate } from '#domain/time/calendar.ts';
import type { Daypart } from '#domain/time/daypart.ts';
import { MS_PER_DAY, startOfDay, type ReportRange } from '#domain/reporting/report-range.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { daypartSql } from './daypart-sql.ts';
import {
  FIGURES,
  LETTERS,
  NO_FIGURES,
  NO_VALUES,
  PLAYS,
  SCANS,
  SUMS_OF_PLAYS,
  SUMS_OF_RANGE,
  SUMS_OF_SCANS,
  type Figures,
} from './figures.ts';

/** A resolved filter. No `zones` means that nothing passes it. */
export type ReportFilter = { daypart?: Daypart; zones: readonly ZoneVenues[] };
/** Venues of one time zone. `venues` (ids) is absent where every venue of the campaigns is included. */
export type ZoneVenues = { zone: string; venues?: readonly string[] };

/** The groupings of metrics besides time. */
export type Dimension = 'venue' | 'creative' | 'campaign' | 'hour';
/** `screens`: number of distinct screens; `groups`: the figures of the whole range by each dimension of the query. */
export type ReportFigures = { buckets: Figures[]; screens: number; groups: ReadonlyMap<Dimension, Figures[]> };
export type FiguresQuery = {
  campaigns: readonly Handle<'campaign'>[];
  sandbox: boolean;
  range: ReportRange;
  filter?: ReportFilter | undefined;
  dimensions?: readonly Dimension[];
};

const LABELS = {
  day: `toString(toDate(bucket, {tz:String}))`,
  hour: `formatDateTime(bucket, '%Y-%m-%dT%H:00', {tz:String})`,
};
/**
 * For each dimension, the column that tells groups apart, and the smallest rollup that has it. `days` stands for
 * `plays_screen_day` with the ends of the range from `plays_quarter_hour` (`screensSql`).
 */
const DIMENSIONS: Readonly<Record<Dimension, { key: string; whole: 'days' | 'plays_campaign_quarter_hour' }>> = {
  venue: { key: 'toString(venue_id)', whole: 'days' },
  creative: { key: 'toString(creative_id)', whole: 'plays_campaign_quarter_hour' },
  campaign: { key: 'toString(campaign_id)', whole: 'plays_campaign_quarter_hour' },
  hour: { key: `formatDateTime(bucket, '%H:00', {tz:String})`, whole: 'plays_campaign_quarter_hour' },
};
const OF_CAMPAIGN = 'campaign_id in {campaigns:Array(String)} and sandbox = {sandbox:Bool}';
// A rough bound in UTC that the sorting key can use. The exact bound, in the report's time zone, is always added to it.
const NEAR = `${OF_CAMPAIGN} and bucket >= toDateTime({first:Date}, 'UTC') - interval 1 day and bucket < toDateTime({last:Date}, 'UTC') + interval 3 day`;
const WITHIN = `${NEAR} and toDate(bucket, {tz:String}) between {first:Date} and {last:Date}`;
/**
 * A bit for each day with a counted play. Written exactly as in the projection `campaign_screens`, because ClickHouse
 * reads the projection only then.
 */
export const SHOWN_DAYS = 'groupBitOr(if(plays > 0, bitShiftLeft(toUInt32(1), toDayOfMonth(day)), 0))';

/** The parameters that statements built from `cutsOf` and `screensSql` need. */
export function rangeParameters({
  campaigns,
  sandbox,
  range: { tz, counted },
  filter,
}: FiguresQuery): Record<string, unknown> {
  const zones = Object.fromEntries((filter?.zones ?? []).map(({ zone }, index) => [`zone${index}`, zone]));
  return {
    campaigns: campaigns.map(handle => formatId('campaign', handle)),
    sandbox,
    tz,
    first: formatDate(counted.first),
    last: formatDate(counted.last),
    ...zones,
  };
}

/**
 * Whether a query covers one whole campaign. One statement can answer such queries for several campaigns
 * (`readFiguresOfEach`).
 */
export function isPlain({ campaigns, filter, dimensions = [] }: FiguresQuery): boolean {
  return campaigns.length === 1 && filter === undefined && dimensions.length === 0;
}

/** Reads the buckets and groups of a range. Those without plays and scans are left out. */
export async function readFigures(clickhouse: Clickhouse, query: FiguresQuery): Promise<ReportFigures> {
  if (isPlain(query)) return (await readFiguresOfEach(clickhouse, query)).get(query.campaigns[0]!)!;
  const { range, filter, dimensions = [] } = query;
  if (filter?.zones.length === 0)
    return { buckets: [], screens: 0, groups: new Map(dimensions.map(dimension => [dimension, []])) };
  const rows = await queryRows<Figures & { kind: Dimension | 'bucket' | 'whole'; screens: number }>(clickhouse, {
    query: filter ? filteredSql(range, filter, dimensions) : unfilteredSql(range, dimensions),
    query_params: rangeParameters(query),
  });
  const of = (wanted: string): Figures[] =>
    rows.filter(row => row.kind === wanted).map(({ kind: _kind, screens: _screens, ...figures }) => figures);
  // A screen may be in many buckets, so distinct screens are only known from the row of the whole range.
  return {
    buckets: of('bucket'),
    screens: rows.find(row => row.kind === 'whole')?.screens ?? 0,
    groups: new Map(dimensions.map(dimension => [dimension, of(dimension)])),
  };
}

/**
 * A bucket has its label and then the figures in the order of `FIGURES`. `screens` is 0 in rows that are not about
 * screens.
 */
type CampaignRow = { campaign: string; buckets: [label: string, ...figures: number[]][]; screens: number };

/** Reads the buckets of a range for each of these campaigns, in one statement and apart from each other. */
export async function readFiguresOfEach(
  clickhouse: Clickhouse,
  query: Pick<FiguresQuery, 'campaigns' | 'sandbox' | 'range'>,
): Promise<ReadonlyMap<Handle<'campaign'>, ReportFigures>> {
  const rows = await queryRows<CampaignRow>(clickhouse, {
    query: campaignsSql(query.range),
    query_params: rangeParameters(query),
  });
  const rowsOf = new Map<string, CampaignRow[]>(query.campaigns.map(handle => [formatId('campaign', handle), []]));
  for (const row of rows) rowsOf.get(row.campaign)?.push(row);
  return new Map(query.campaigns.map(handle => [handle, figuresOf(rowsOf.get(formatId('campaign', handle))!)]));
}

/** Adds up the rows of one campaign, which has separate rows for plays, scans and screens. */
function figuresOf(rows: readonly CampaignRow[]): ReportFigures {
  const buckets = new Map<string, Figures>();
  for (const [label, ...values] of rows.flatMap(row => row.buckets)) {
    const bucket = buckets.get(label) ?? { label, ...NO_FIGURES };
    for (const [index, figure] of FIGURES.entries()) bucket[figure] += values[index] ?? 0;
    buckets.set(label, bucket);
  }
  return {
    buckets: [...buckets.values()].sort((a, b) => (a.label < b.label ? -1 : 1)),
    screens: rows.reduce((sum, row) => sum + row.screens, 0),
    groups: new Map(),
  };
}

/**
 * The statement of plain reports. For each campaign and table it gives a row with the buckets as an array, and for each
 * campaign a row with the number of distinct screens. Days in UTC are read from the rollup by screen and day, whose
 * projection has one row for each day.
 */
function campaignsSql(range: ReportRange): string {
  const label = LABELS[range.group];
  const row = (from: string) =>
    `select campaign_id as campaign, groupArray((label, ${LETTERS})) as buckets, toUInt64(0) as screens
      from (${from}) group by campaign_id`;
  const plays =
    range.group === 'day' && range.tz === 'UTC'
      ? `select campaign_id, toString(day) as label, ${SUMS_OF_PLAYS}
          from plays_screen_day where ${OF_CAMPAIGN} and day between {first:Date} and {last:Date}
          group by campaign_id, day`
      : `select campaign_id, ${label} as label, ${SUMS_OF_PLAYS}
          from plays_campaign_quarter_hour where ${WITHIN} group by campaign_id, label`;
  return `${row(plays)}
    union all select campaign_id, [], uniqExactIf(screen_id, is_shown) from (${shownSql(range)}) group by campaign_id
    union all ${row(`select campaign_id, ${label} as label, ${SUMS_OF_SCANS}
      from scans_quarter_hour where ${WITHIN} group by campaign_id, label`)}`;
}

/** The statement of a report without a filter, from the smallest rollups. */
function unfilteredSql(range: ReportRange, dimensions: readonly Dimension[]): string {
  const label = LABELS[range.group];
  const groups = dimensions.flatMap(dimension => {
    const { key, whole } = DIMENSIONS[dimension];
    const plays =
      whole === 'days'
        ? `select '${dimension}', ${key}, ${LETTERS}, 0 from (${screensSql(range)})`
        : `select '${dimension}', ${key}, ${PLAYS}, 0 from ${whole} where ${WITHIN}`;
    return [plays, `select '${dimension}', ${key}, ${SCANS}, 0 from scans_quarter_hour where ${WITHIN}`];
  });
  return `select kind, label, ${SUMS_OF_RANGE}, sum(n) as screens from (
    select 'bucket' as kind, ${label} as label, ${PLAYS}, 0 as n from plays_campaign_quarter_hour where ${WITHIN}
    union all select 'bucket', ${label}, ${SCANS}, 0 from scans_quarter_hour where ${WITHIN}
    union all select 'whole', '', ${NO_VALUES}, uniqExactIf(screen_id, is_shown) from (${shownSql(range)})
    ${groups.map(group => `union all ${group}`).join(' ')}) group by kind, label order by kind, label`;
}

/** A query of the scans of a range, with the same figures as the rows of `screensSql`. */
export function scansOfRange(columns: string): string {
  return `select ${columns}, ${SCANS} from scans_quarter_hour where ${WITHIN}`;
}

/**
 * A query of plays by screen in a range, to be summed by the caller. Whole days (UTC) come from the rollup by day;
 * where the report's time zone cuts through a day, the ends come from the rollup of 15 minutes.
 */
export function screensSql(range: ReportRange): string {
  const { firstDay, endDay, edges } = wholeDaysOf(range);
  const columns = `screen_id, venue_id, ${PLAYS}`;
  const whole = `select ${columns} from plays_screen_day
    where ${OF_CAMPAIGN} and day >= toDate(${firstDay}) and day < toDate(${endDay})`;
  return [
    whole,
    ...edges.map(edge => `select ${columns} from plays_quarter_hour where ${OF_CAMPAIGN} and ${edge}`),
  ].join(' union all ');
}

/**
 * A query of the screens of a range. A screen may have several rows; one that showed something has at least one row
 * with `is_shown`.
 */
function shownSql(range: ReportRange): string {
  const { firstDay, endDay, edges } = wholeDaysOf(range);
  const [first, last] = [new Date(firstDay * MS_PER_DAY), new Date((endDay - 1) * MS_PER_DAY)];
  const monthOf = (date: Date) => `${date.toISOString().slice(0, 7)}-01`;
  // A bit for each day of the month, as in the projection. Only the first and the last month of a range can be cut.
  const from = `bitShiftLeft(toUInt32(4294967295), if(month = '${monthOf(first)}', ${first.getUTCDate()}, 0))`;
  const to = `bitShiftRight(toUInt32(4294967295), if(month = '${monthOf(last)}', ${31 - last.getUTCDate()}, 0))`;
  const whole = `select campaign_id, screen_id, bitAnd(days, bitAnd(toUInt32(${from}), ${to})) != 0 as is_shown from (
      select campaign_id, screen_id, toStartOfMonth(day) as month, ${SHOWN_DAYS} as days from plays_screen_day
      where ${OF_CAMPAIGN} and toStartOfMonth(day) between '${monthOf(first)}' and '${monthOf(last)}'
      group by campaign_id, toStartOfMonth(day), screen_id)`;
  return [
    ...(firstDay < endDay || edges.length === 0 ? [whole] : []), // a union needs at least one part
    ...edges.map(
      edge =>
        `select campaign_id, screen_id, plays > 0 as is_shown from plays_quarter_hour where ${OF_CAMPAIGN} and ${edge}`,
    ),
  ].join(' union all ');
}

/** The whole days (UTC) of a range, and conditions on what its time zone cuts off before and after them. */
function wholeDaysOf({ counted, tz }: ReportRange): { firstDay: number; endDay: number; edges: string[] } {
  const [startsAt, endsAt] = [startOfDay(counted.first, tz), startOfDay(counted.last + 1, tz)];
  const [firstDay, endDay] = [Math.ceil(startsAt / MS_PER_DAY), Math.floor(endsAt / MS_PER_DAY)];
  const edges = [
    { from: startsAt, to: firstDay * MS_PER_DAY },
    { from: endDay * MS_PER_DAY, to: endsAt },
  ]
    .filter(({ from, to }) => from < to)
    .map(
      ({ from, to }) => `bucket >= toDateTime(${from / 1_000}, 'UTC') and bucket < toDateTime(${to / 1_000}, 'UTC')`,
    );
  return { firstDay, endDay, edges };
}

/**
 * How the rows of a report are selected from tables with the columns of rollups. With a filter there is one part per
 * time zone of its venues; no row is in two parts.
 */
export function cutsOf(range: ReportRange, filter: ReportFilter | undefined): { label: string; where: string }[] {
  if (!filter) return [{ label: LABELS[range.group], where: WITHIN }];
  return filter.zones.map((zone, index) => {
    const cut = cutOf(range, { daypart: filter.daypart, zone: `{zone${index}:String}` });
    return { label: cut.label, where: `${NEAR}${venuesSql(zone)} and ${cut.where}` };
  });
}

/**
 * The statement of a report with a filter. Grouping sets give one row per bucket, per group and for the whole range:
 * the column that is not empty says which of them a row is.
 */
function filteredSql(range: ReportRange, filter: ReportFilter, dimensions: readonly Dimension[]): string {
  const table = dimensions.includes('creative') ? 'plays_quarter_hour' : 'plays_venue_quarter_hour';
  const keys = dimensions.map((dimension, index) => `${DIMENSIONS[dimension].key} as key${index}, `).join('');
  const branches = cutsOf(range, filter).flatMap(({ label, where }) => [
    `select ${label} as time, ${keys}${PLAYS}, screen_id from ${table} where ${where}`,
    `select ${label} as time, ${keys}${SCANS}, screen_id from scans_quarter_hour where ${where}`,
  ]);
  const names = ['time', ...dimensions.map((_, index) => `key${index}`)];
  const kinds = names.map((name, index) => `${name} != '', '${dimensions[index - 1] ?? 'bucket'}', `).join('');
  return `select multiIf(${kinds}'whole') as kind, concat(${names.join(', ')}, '') as label, ${SUMS_OF_RANGE},
      uniqExactIf(screen_id, p > 0) as screens
    from (${branches.join(' union all ')}) group by grouping sets (${names.map(name => `(${name})`).join(', ')}, ())
    order by kind, label`;
}

/**
 * Ids are formatted from integers, so they need no escaping. They are part of the statement and not parameters, because
 * parameters travel in the URL, whose length is bounded.
 */
function venuesSql({ venues }: ZoneVenues): string {
  return venues === undefined ? '' : ` and venue_id in (${venues.map(venue => `'${venue}'`).join(',')})`;
}

/** Label and condition for the venues of one time zone. */
function cutOf(
  { group }: ReportRange,
  { daypart, zone }: { daypart: ReportFilter['daypart']; zone: string },
): { label: string; where: string } {
  const within = (day: string) => `${day} between {first:Date} and {last:Date}`;
  if (!daypart) return { label: LABELS[group], where: within('toDate(bucket, {tz:String})') };
  const { hours, day } = daypartSql(daypart, { at: 'bucket', zone });
  return { label: group === 'day' ? `toString(${day})` : LABELS.hour, where: `${hours} and ${within(day)}` };
}
