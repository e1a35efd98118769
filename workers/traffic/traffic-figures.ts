/**
 * The input of a review: sums by screen and by venue from ClickHouse, with their data in Postgres. Live plays only.
 * Each is one pass over some columns of the days in question, on two threads, and ends with a fault if it takes too
 * long.
 */
import { parseId } from '#domain/id.ts';
import { ruleInForce } from '#domain/plays/traffic/invalid-traffic.ts';
import type { ScreenTraffic } from '#domain/plays/traffic/traffic-review.ts';
import type { ScreenScans, VenueScans } from '#domain/plays/traffic/scan-review.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { nameVenues } from '#sql/names/names.ts';
import type { Postgres } from '#sql/postgres.ts';
import { readAdRatios } from '#sql/screens/rows.ts';
import type { Milliseconds } from '#domain/unit.ts';

const SETTINGS = { max_threads: 2, max_execution_time: 120 } as const;
/**
 * Screens, and pairs of venue and campaign, the largest first: the others earn little. At most about 30 MB of answer.
 */
const SCREENS_MAX = 100_000;
const PAIRS_MAX = 200_000;

/** From one full second to before another, ms since 1970. */
export type Window = { fromMs: Milliseconds; toMs: Milliseconds };
/** `signal` ends the queries. */
export type TrafficEngines = { sql: Postgres; clickhouse: Clickhouse; signal: AbortSignal };

type TrafficRow = {
  screen_id: string;
  venue_id: string;
  plays: number;
  hours: number;
  impressions: number;
  start_spread_ms: Milliseconds;
  sensed_plays: number;
  sensed_hours: number;
  mean: number;
  variance: number;
  measured_plays: number;
  measured_impressions: number;
  measured_ms: Milliseconds;
  own_plays: number;
  own_impressions: number;
  own_ms: Milliseconds;
};
const PLAYS_MIN = Math.min(
  ...['pace', 'audience', 'venue_volume', 'own_audience', 'steady_audience', 'even_times', 'around_the_clock'].map(
    name => ruleInForce(name).thresholds['plays_min']!,
  ),
);

/**
 * Plays whose slot was in the window, screen by screen. A play is never reported before its slot, so older rows are not
 * read.
 */
export async function readTraffic(
  { sql, ...clickhouseQuery }: TrafficEngines,
  window: Window,
): Promise<ScreenTraffic[]> {
  const rows = await query<TrafficRow>(
    clickhouseQuery,
    `
    select screen_id, argMax(p.venue_id, slot_at) as venue_id, toInt64(count()) as plays,
      toInt64(uniqExact(toStartOfHour(slot_at))) as hours, toInt64(sum(p.impressions_thousandths)) as impressions,
      stddevPop(toUnixTimestamp64Milli(played_at) - toUnixTimestamp64Milli(slot_at)) as start_spread_ms,
      toInt64(count(audience)) as sensed_plays,
        toInt64(uniqExactIf(toStartOfHour(slot_at), audience is not null)) as sensed_hours,
      ifNull(ifNotFinite(avg(audience), 0), 0) as mean, ifNull(ifNotFinite(varPop(audience), 0), 0) as variance,
      ${countedBy('measured', 'audience is null and audience_number > 0')},
      ${countedBy('own', 'audience is null and audience_number = 0')}
    from plays_raw as p where not sandbox and not late and slot_at >= {from:DateTime('UTC')}
      and slot_at < {to:DateTime('UTC')} and inserted_at >= {from:DateTime('UTC')} - interval 1 minute
    group by screen_id having plays >= {plays:UInt32} order by plays desc limit {rows:UInt32}`,
    { ...spanOf(window), plays: PLAYS_MIN, rows: SCREENS_MAX },
  );
  const [venues, ratios] = await Promise.all([
    readVenues(sql, rows),
    readAdRatios(
      sql,
      rows.flatMap(row => parseId('screen', row.screen_id) ?? []),
    ),
  ]);
  return rows.flatMap(row => {
    const [screen, venue] = [parseId('screen', row.screen_id), parseId('venue', row.venue_id)];
    const of = venue === undefined ? undefined : venues.get(venue);
    const adRatio = screen === undefined ? undefined : ratios.get(screen);
    if (!of || adRatio === undefined) return []; // without an owner: it earns nothing either
    return [
      {
        screen: screen!,
        venue: venue!,
        workspace: of.workspace,
        venueType: of.type,
        adRatio,
        plays: row.plays,
        hours: row.hours,
        impressionsThousandths: row.impressions,
        startSpreadMs: row.start_spread_ms,
        sensed: { plays: row.sensed_plays, hours: row.sensed_hours, mean: row.mean, variance: row.variance },
        measured: {
          plays: row.measured_plays,
          impressionsThousandths: row.measured_impressions,
          shownMs: row.measured_ms,
        },
        own: { plays: row.own_plays, impressionsThousandths: row.own_impressions, shownMs: row.own_ms },
      },
    ];
  });
}

function countedBy(name: string, condition: string): string {
  return `toInt64(countIf(${condition})) as ${name}_plays,
      toInt64(sumIf(p.impressions_thousandths, ${condition})) as ${name}_impressions,
      toInt64(sumIf(least(p.duration_ms, 15000), ${condition})) as ${name}_ms`;
}

type ScansRow = { screen_id: string; venue_id: string; scans: number; without_play: number };

/**
 * Scans by the slot whose code was followed, and how many of them have no play of that campaign and screen in the same
 * quarter of an hour.
 */
export async function readScansOfSlots(
  { sql, ...clickhouseQuery }: TrafficEngines,
  window: Window,
): Promise<ScreenScans[]> {
  const scansMin = ruleInForce('scans_without_plays').thresholds['scans_min']!;
  const rows = await query<ScansRow>(
    clickhouseQuery,
    `
    with screens as (select screen_id from scans_raw
      where not sandbox and slot_at >= {from:DateTime('UTC')} and slot_at < {to:DateTime('UTC')} group by screen_id
      having count() >= {scans:UInt32})
    select screen_id, any(b.venue) as venue_id, toInt64(sum(b.scanned)) as scans,
      toInt64(sumIf(b.scanned, b.shown = 0)) as without_play from (
      select screen_id, campaign_id, bucket, any(venue_id) as venue, sum(s) as scanned, sum(p) as shown from (
        select screen_id, campaign_id, venue_id,
          toDateTime(toStartOfInterval(slot_at, interval 15 minute, 'UTC'), 'UTC') as bucket, toUInt64(1) as s,
          toUInt64(0) as p from scans_raw
          where not sandbox and slot_at >= {from:DateTime('UTC')} and slot_at < {to:DateTime('UTC')}
            and screen_id global in screens
        union all
        select screen_id, campaign_id, venue_id, bucket, toUInt64(0), q.plays + q.late_plays
        from plays_quarter_hour as q
          where not sandbox and bucket >= {from:DateTime('UTC')} - interval 15 minute and bucket < {to:DateTime('UTC')}
            and screen_id global in screens
      ) group by screen_id, campaign_id, bucket
    ) as b group by screen_id having scans >= {scans:UInt32} order by without_play desc limit {rows:UInt32}`,
    { ...spanOf(window), scans: scansMin, rows: SCREENS_MAX },
  );
  const venues = await readVenues(sql, rows);
  return rows.flatMap(row => {
    const [screen, venue] = [parseId('screen', row.screen_id), parseId('venue', row.venue_id)];
    const of = venue === undefined ? undefined : venues.get(venue);
    return screen === undefined || !of
      ? []
      : [{ screen, venue: venue!, workspace: of.workspace, scans: row.scans, withoutPlay: row.without_play }];
  });
}

type PairRow = { venue_id: string; campaign_id: string; impressions: number; scans: number };

/** People reached and scans by venue and campaign. */
export async function readScansOfVenues(
  { sql, ...clickhouseQuery }: TrafficEngines,
  window: Window,
): Promise<VenueScans[]> {
  const rows = await query<PairRow>(
    clickhouseQuery,
    `
    select venue_id, campaign_id, sum(i) / 1000 as impressions, toInt64(sum(s)) as scans from (
      select venue_id, campaign_id, q.impressions_thousandths as i, toUInt64(0) as s from plays_quarter_hour as q
      where not sandbox and bucket >= {from:DateTime('UTC')} and bucket < {to:DateTime('UTC')}
      union all
      select venue_id, campaign_id, toUInt64(0), r.scans from scans_quarter_hour as r
      where not sandbox and bucket >= {from:DateTime('UTC')} and bucket < {to:DateTime('UTC')}
    ) group by venue_id, campaign_id order by impressions desc limit {rows:UInt32}`,
    { ...spanOf(window), rows: PAIRS_MAX },
  );
  const venues = await readVenues(sql, rows);
  return rows.flatMap(row => {
    const [venue, campaign] = [parseId('venue', row.venue_id), parseId('campaign', row.campaign_id)];
    const of = venue === undefined ? undefined : venues.get(venue);
    return campaign === undefined || !of
      ? []
      : [{ venue: venue!, workspace: of.workspace, campaign, impressions: row.impressions, scans: row.scans }];
  });
}

function readVenues(sql: Postgres, rows: readonly { venue_id: string }[]) {
  return nameVenues(
    sql,
    rows.flatMap(row => parseId('venue', row.venue_id) ?? []),
  );
}

/** A window in ClickHouse's time format: whole seconds. */
function spanOf({ fromMs, toMs }: Window): { from: number; to: number } {
  return { from: fromMs / 1_000, to: toMs / 1_000 };
}

async function query<Row>(
  { clickhouse, signal }: Omit<TrafficEngines, 'sql'>,
  query: string,
  parameters: Record<string, unknown>,
): Promise<Row[]> {
  signal.throwIfAborted(); // the client listens only during a query
  return queryRows<Row>(clickhouse, {
    query,
    query_params: parameters,
    clickhouse_settings: SETTINGS,
    abort_signal: signal,
  });
}
