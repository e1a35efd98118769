/**
 * The filter of a report by venue, city and daypart. City and time zone belong to the venue, which only Postgres knows;
 * rollups only have venue ids. So a filter is resolved to venues grouped by time zone, and the daypart is selected in
 * the local time of each zone.
 */
import { exampleId, formatId, parseId, type Handle } from '#domain/id.ts';
import { refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { namedDayparts, parseDaypartFilter, type Daypart } from '#domain/time/daypart.ts';
import { foldCity } from '#domain/geography.ts';
import type { ReportFilter, ZoneVenues } from '#sql/figures/read-figures.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { nameVenues, type VenueName } from '#sql/names/names.ts';
import type { Postgres } from '#sql/postgres.ts';

type FilterQuery = { daypart?: string; venue?: string; city?: string };

/** Each id is in the statement twice: together that is 210 kB of the 256 KiB that ClickHouse parses. */
const VENUES_MAX = 5_000;

/** The daypart of a query: one of the named ones, or HH:MM-HH:MM. */
export function parseDaypartQuery(text: string | undefined): Daypart | undefined | Refusal {
  if (text === undefined) return undefined;
  return (
    parseDaypartFilter(text) ??
    refuseField(
      '/daypart',
      'bad_daypart',
      `must be one of ${Object.keys(namedDayparts).join(', ')}, or HH:MM-HH:MM in steps of 15 minutes`,
    )
  );
}

/**
 * Resolves the filter of a query; undefined without a filter. For a venue or a city without plays, nothing passes the
 * filter.
 */
export async function resolveFilter(
  { sql, clickhouse }: { sql: Postgres; clickhouse: Clickhouse },
  campaigns: readonly Handle<'campaign'>[],
  query: FilterQuery,
): Promise<ReportFilter | undefined | Refusal> {
  const daypart = parseDaypartQuery(query.daypart);
  if (daypart && 'refused' in daypart) return daypart;
  const { venue, city } = query;
  if (daypart === undefined && venue === undefined && city === undefined) return undefined;
  const named = venue === undefined ? undefined : parseId('venue', venue);
  if (venue !== undefined && named === undefined)
    return refuse('bad_query_parameter', `venue must be an id such as ${exampleId('venue')}.`);
  const handles = named === undefined ? await venuesOf(clickhouse, campaigns) : [named];
  if (handles.length > VENUES_MAX)
    return refuse('bad_query_parameter', `It was played at more than ${VENUES_MAX} venues: name one by venue.`);
  const rows = [...(await nameVenues(sql, handles)).values()];
  const wanted = city === undefined ? rows : rows.filter(row => foldCity(row.city) === foldCity(city));
  const isEverywhere = wanted.length === handles.length && named === undefined;
  return { ...(daypart && { daypart }), zones: zonesOf(wanted, { isEverywhere }) };
}

/** The venues, by time zone, at which codes of these campaigns were scanned. */
export async function zonesOfScans(
  { sql, clickhouse }: { sql: Postgres; clickhouse: Clickhouse },
  campaigns: readonly Handle<'campaign'>[],
): Promise<readonly ZoneVenues[] | Refusal> {
  const rows = await queryRows<{ venue_id: string }>(clickhouse, {
    query: `select distinct venue_id from scans_quarter_hour
      where campaign_id in (${campaigns.map(handle => `'${formatId('campaign', handle)}'`).join(',')})
      limit {rows:UInt32}`,
    query_params: { rows: VENUES_MAX + 1 },
  });
  const handles = rows.flatMap(row => parseId('venue', row.venue_id) ?? []);
  if (handles.length > VENUES_MAX)
    return refuse('bad_query_parameter', `Codes were followed at more than ${VENUES_MAX} venues: name one by venue.`);
  return zonesOf([...(await nameVenues(sql, handles)).values()], { isEverywhere: true });
}

function zonesOf(rows: readonly VenueName[], { isEverywhere }: { isEverywhere: boolean }): ZoneVenues[] {
  const zones = new Map<string, string[]>();
  for (const { handle, timezone } of rows) {
    const venues = zones.get(timezone);
    if (venues) venues.push(formatId('venue', handle));
    else zones.set(timezone, [formatId('venue', handle)]);
  }
  if (isEverywhere && zones.size === 1) return [{ zone: rows[0]!.timezone }];
  return Array.from(zones, ([zone, venues]) => ({ zone, venues }));
}

/** Handles of the venues with plays or scans of the campaigns. */
async function venuesOf(clickhouse: Clickhouse, campaigns: readonly Handle<'campaign'>[]): Promise<Handle<'venue'>[]> {
  const rows = await queryRows<{ venue_id: string }>(clickhouse, {
    query: `select distinct venue_id from (select venue_id from plays_screen_day
        where campaign_id in {campaigns:Array(String)}
      union all select venue_id from scans_quarter_hour where campaign_id in {campaigns:Array(String)})
      limit {rows:UInt32}`,
    query_params: { campaigns: campaigns.map(handle => formatId('campaign', handle)), rows: VENUES_MAX + 1 },
  });
  return rows.flatMap(row => parseId('venue', row.venue_id) ?? []);
}
