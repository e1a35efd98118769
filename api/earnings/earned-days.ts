/**
 * The days of earnings. As everywhere in payouts, a day lasts from midnight to midnight in the venue's time zone.
 * Postgres stores dates; ClickHouse stores moments, so there a range is cut for each time zone.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { readHandle, exampleId, formatId, parseId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { localTime } from '#domain/screens/schedule.ts';
import type { EarnedDays } from '#sql/payouts/earned-sums.ts';
import type { Queryable } from '#sql/postgres.ts';
import { listByZone } from '#sql/venues/rows.ts';
import { endsOf, parseDays, startOfDay } from '#domain/reporting/report-range.ts';

/** The venues (ids) of a workspace in one time zone. */
export type ZoneOfVenues = { zone: string; venues: readonly string[] };

/** All ids are in one query: 110 kB of the 256 KiB that ClickHouse parses. */
const VENUES_MAX = 5_000;
const FURTHEST_AHEAD_MINUTES = 14 * 60; // where a day begins first

/**
 * The days of a query. Without dates, the last `days` days up to the one that has already begun in some time zone, or
 * to the first one where that lies ahead.
 */
export function parseEarnedDays(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  { now, days, daysMax }: { now: Milliseconds; days: number; daysMax: number },
): EarnedDays | Refusal {
  const given = parseDays({ from, to });
  if (isRefusal(given)) return given;
  const today = localTime(FURTHEST_AHEAD_MINUTES, now).day;
  const { last } = endsOf(given, { first: today, last: today });
  const { first = last - days + 1 } = given;
  return last - first < daysMax
    ? { first, last }
    : refuse('bad_query_parameter', `from and to may span at most ${daysMax} days.`);
}

/** The handle of the id in a query; undefined without an id. */
export function parseNamed<K extends 'venue' | 'screen'>(
  kind: K,
  id: string | undefined,
): Handle<K> | undefined | Refusal {
  if (id === undefined) return undefined;
  return parseId(kind, id) ?? refuse('bad_query_parameter', `${kind} must be an id such as ${exampleId(kind)}.`);
}

/** The venues of a workspace, or one of them, by time zone. */
export async function zonesOfWorkspace(
  sql: Queryable,
  { workspace, venue }: { workspace: Handle<'workspace'>; venue: Handle<'venue'> | undefined },
): Promise<ZoneOfVenues[] | Refusal> {
  const zones = await listByZone(sql, { workspace, venue, limit: VENUES_MAX + 1 });
  if (zones.reduce((sum, { venues }) => sum + venues.length, 0) > VENUES_MAX)
    return refuse('bad_query_parameter', `There are more than ${VENUES_MAX} venues: name one by venue.`);
  return zones.map(({ timezone, venues }) => ({
    zone: timezone,
    venues: venues.map(handle => formatId('venue', readHandle('venue', handle))),
  }));
}

/**
 * The ClickHouse condition for plays at these venues whose slot began on these days. Ids are formatted from integers,
 * so they need no escaping.
 */
export function playedSql(zones: readonly ZoneOfVenues[], { first, last }: EarnedDays): string {
  const of = ({ zone, venues }: ZoneOfVenues) =>
    `(venue_id in (${venues.map(venue => `'${venue}'`).join(',')}) and slot_at >= fromUnixTimestamp64Milli(${startOfDay(first, zone)}, 'UTC') and slot_at < fromUnixTimestamp64Milli(${startOfDay(last + 1, zone)}, 'UTC'))`;
  return zones.length === 0 ? 'false' : `(${zones.map(of).join(' or ')})`;
}
