/** The recorded hours for fitting the supply model: by class of places, by venue, and by scans. */
import { parseId, type Handle } from '#domain/id.ts';
import type { AudienceRow, ScanRow } from '#domain/forecast/supply/supply-model.ts';
import { LATELY_HALF_HOURS } from '#domain/allocation/flow/late-bookings.ts';
import type { SupplyHistory } from '#domain/forecast/supply/supply-history.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { nameCampaigns, nameVenues } from '#sql/names/names.ts';
import type { JobContext } from '../schedule.ts';

/** Twelve weeks: bands need the errors of a season, and the table keeps seventeen. */
const HISTORY_DAYS = 84;
const AUDIENCE_DAYS = 28;
/** An hour a week ago counts half. */
const AUDIENCE_HALF_DAYS = 7;
/**
 * The classes with most supply, and the pairs of venue and campaign with most impressions; the others use the mean of
 * their type.
 */
const CLASSES_MAX = 2_000;
const SCAN_PAIRS_MAX = 200_000;

type ClassRow = {
  city: string;
  type: string;
  orientation: Orientation;
  screens_now: number;
  hours: number[];
  promises: number[];
  sights: number[];
  reaches: number[];
};

/**
 * Slots by class and hour, and the same in impressions: times the actual over the estimated reach of plays, if there
 * were any. `screens` are those of the newest hour: in an hour repeated by a clock change a class has all of its
 * screens twice.
 */
export async function readHistory(
  clickhouse: Clickhouse,
  hourMs: Milliseconds,
): Promise<{ slots: SupplyHistory; impressions: SupplyHistory; screens: Int32Array }> {
  const rows = await queryRows<ClassRow>(clickhouse, {
    query: `select city, type, orientation, toInt32(argMax(c.screens, c.at)) as screens_now, groupArray(c.at) as hours,
        groupArray(c.promised) as promises, groupArray(c.seen) as sights, groupArray(c.reached) as reaches from (
        select city_folded as city, venue_type as type, orientation, local_day * 24 + local_hour as at,
          sum(h.screens) as screens, sum(h.slots_promised) as promised, sum(h.slots_seen) as seen,
          seen * if(sum(h.estimated_thousandths) > 0, sum(h.impressions_thousandths) / sum(h.estimated_thousandths),
            1) as reached
        from private_supply_hours as h where not sandbox and hour >= toDateTime({from:UInt32})
        group by city, type, orientation, at
      ) as c group by city, type, orientation order by sum(c.promised) desc limit {most:UInt32}`,
    query_params: { from: hourMs / 1_000 - HISTORY_DAYS * 86_400, most: CLASSES_MAX },
  });
  const { firstDay, days } = daysOf(rows);
  const table = (valuesOf: (row: ClassRow) => number[]) => {
    const cells = new Float64Array(rows.length * days * 24);
    rows.forEach((row, number) =>
      row.hours.forEach((hour, index) => (cells[(number * days - firstDay) * 24 + hour] = valuesOf(row)[index]!)),
    );
    return cells;
  };
  const frame = {
    classes: rows.map(({ city, type, orientation }) => ({ cityFolded: city, venueType: type, orientation })),
    firstDay,
    days,
    promised: table(row => row.promises),
  };
  return {
    slots: { ...frame, seen: table(row => row.sights) },
    impressions: { ...frame, seen: table(row => row.reaches) },
    screens: Int32Array.from(rows, row => row.screens_now),
  };
}

/** The days of the history, from the first recorded hour to the last. */
function daysOf(rows: readonly ClassRow[]): { firstDay: number; days: number } {
  if (rows.length === 0) return { firstDay: 0, days: 0 };
  const first = rows.reduce((least, row) => row.hours.reduce((a, b) => Math.min(a, b), least), Infinity);
  const last = rows.reduce((most, row) => row.hours.reduce((a, b) => Math.max(a, b), most), 0);
  const firstDay = Math.floor(first / 24);
  return { firstDay, days: Math.floor(last / 24) - firstDay + 1 };
}

/** Actual and estimated reach of plays, by venue, sensing module and hour of the day. */
export async function readAudience(clickhouse: Clickhouse, hourMs: Milliseconds): Promise<AudienceRow[]> {
  const rows = await queryRows<{
    venue: Handle<'venue'>;
    type: string;
    sensor: boolean;
    hour: number;
    impressions: number;
    estimated: number;
  }>(clickhouse, {
    query: `select toInt64(venue_handle) as venue, any(venue_type) as type, sensor, local_hour as hour,
        sum(h.impressions_thousandths * weight) / 1000 as impressions,
          sum(h.estimated_thousandths * weight) / 1000 as estimated
      from (select *, exp2(({to:UInt32} - toUnixTimestamp(hour)) / -86400 / {half:UInt32}) as weight
        from private_supply_hours where not sandbox and hour >= toDateTime({from:UInt32})) as h
      group by venue, sensor, local_hour having estimated > 0`,
    query_params: { from: hourMs / 1_000 - AUDIENCE_DAYS * 86_400, to: hourMs / 1_000, half: AUDIENCE_HALF_DAYS },
  });
  return rows.map(({ type, ...row }) => ({ ...row, venueType: type }));
}

/** Scans and impressions by type of venue and category of campaign. */
export async function readScans(
  { sql, clickhouse }: Pick<JobContext, 'sql' | 'clickhouse'>,
  hourMs: Milliseconds,
): Promise<ScanRow[]> {
  const pairs = await queryRows<{ venue_id: string; campaign_id: string; scans: number; impressions: number }>(
    clickhouse,
    {
      query: `select venue_id, campaign_id, toInt64(sum(scans)) as scans, sum(impressions) / 1000 as impressions from (
        select venue_id, campaign_id, 0 as scans, sum(q.impressions_thousandths) as impressions
        from plays_quarter_hour as q where not sandbox and bucket >= toDateTime({from:UInt32})
        group by venue_id, campaign_id
        union all
        select venue_id, campaign_id, sum(s.scans) as scans, 0 as impressions from scans_quarter_hour as s
        where not sandbox and bucket >= toDateTime({from:UInt32}) group by venue_id, campaign_id
      ) group by venue_id, campaign_id order by impressions desc limit {most:UInt32}`,
      query_params: { from: hourMs / 1_000 - AUDIENCE_DAYS * 86_400, most: SCAN_PAIRS_MAX },
    },
  );
  const named = pairs.flatMap(({ venue_id, campaign_id, ...figures }) => {
    const [venue, campaign] = [parseId('venue', venue_id), parseId('campaign', campaign_id)];
    return venue === undefined || campaign === undefined ? [] : [{ venue, campaign, ...figures }];
  });
  const [venues, campaigns] = await Promise.all([
    nameVenues(
      sql,
      named.map(pair => pair.venue),
    ),
    nameCampaigns(
      sql,
      named.map(pair => pair.campaign),
    ),
  ]);
  return named.flatMap(({ venue, campaign, scans, impressions }) => {
    const venueType = venues.get(venue)?.type;
    const category = campaigns.get(campaign)?.category;
    return venueType === undefined || category === undefined ? [] : [{ venueType, category, scans, impressions }];
  });
}

/** Four whole weeks, so that every weekday has equal weight. */
const USUAL_DAYS = 28;
/** Less than a week of records has no usual value. */
const USUAL_HOURS_MIN = 168;

/**
 * The share of seen slots filled by ads, 0..1: in the last four weeks (the usual sales of the network) and recently. A
 * short ad counts for its part of a slot, by its impressions. A sensing module's count depends on the people present,
 * so an ad before one counts as a whole slot. Undefined with less than a week of recorded hours.
 */
export async function readSoldShares(
  clickhouse: Clickhouse,
  hourMs: Milliseconds,
): Promise<{ usual: number; lately: number } | undefined> {
  const [row] = await queryRows<Record<'filled' | 'slots' | 'lately_filled' | 'lately_slots' | 'hours', number>>(
    clickhouse,
    {
      query: `select sum(h.filled) as filled, sum(h.slots_seen) as slots, sum(h.filled * weight) as lately_filled,
        sum(h.slots_seen * weight) as lately_slots, toInt32(uniqExact(hour)) as hours
      from (select hour, slots_seen, exp2((toUnixTimestamp(hour) - {to:UInt32}) / 3600 / {half:UInt32}) as weight,
          plays * if(not sensor and estimated_thousandths > 0,
            least(1, impressions_thousandths / estimated_thousandths), 1) as filled
        from private_supply_hours where not sandbox and hour >= toDateTime({from:UInt32})) as h`,
      query_params: { from: hourMs / 1_000 - USUAL_DAYS * 86_400, to: hourMs / 1_000, half: LATELY_HALF_HOURS },
    },
  );
  if (row === undefined || row.hours < USUAL_HOURS_MIN || row.lately_slots <= 0) return undefined;
  return { usual: Math.min(1, row.filled / row.slots), lately: Math.min(1, row.lately_filled / row.lately_slots) };
}
