/**
 * Once an hour: records what the last hour had to sell, and fits the supply model anew from the hours on record. The
 * hour's row is what opening hours and ad ratios promised, what of it was online, and what its plays reached; an hour
 * in which no workers ran has no row and changes no forecast. Repeated for the same hour it changes nothing.
 */
import { setImmediate } from 'node:timers/promises';
import { repeatForecasts } from '#domain/forecast/backtest.ts';
import { calibrateBands, type PastForecast } from '#domain/forecast/band.ts';
import { formatId, parseId, type Handle } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import {
  isOpen,
  localTime,
  openMinutesPerDay,
  type OpeningHours,
  parseOpeningHours,
  zoneOffsetMinutes,
} from '#domain/screens/schedule.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import { encodeSupply } from '#domain/forecast/supply-body.ts';
import { type AudienceRow, fitSupply, type ScanRow, type SupplyHistory } from '#domain/forecast/supply-model.ts';
import { seenRatios } from '#domain/forecast/supply-seen.ts';
import { foldCity } from '#domain/campaigns/targeting.ts';
import { audienceMaxOf, impressionsThousandths, meanAudience } from '#domain/screens/venue.ts';
import { gauge } from '#runtime/metrics.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
import type { JobContext } from '../schedule.ts';
import type { Milliseconds } from '#domain/unit.ts';

const HOUR_MS = 3_600_000;
const SLOT_MS = 15_000;
const SLOTS_PER_MINUTE = 4;
/** Twelve weeks: bands need a season's errors in them, the table keeps seventeen. */
const HISTORY_DAYS = 84;
const AUDIENCE_DAYS = 28;
/** An hour a week ago counts half. */
const AUDIENCE_HALF_DAYS = 7;
/**
 * The classes with most supply, and the pairs of venue and campaign with most impressions; what is beyond takes the
 * mean of its type.
 */
const CLASSES_MAX = 2_000;
const SCAN_PAIRS_MAX = 200_000;
const VERSIONS_KEPT = 168;

const fittedAt = gauge({
  name: 'workers_supply_fitted_at_seconds',
  help: 'When the supply model was fitted last, seconds since 1970',
});

/** Answers 1 when it fitted a model, 0 when that of this hour is there. */
export async function refitSupply({ sql, clickhouse, now }: JobContext): Promise<number> {
  const hourMs = Math.floor(now().getTime() / HOUR_MS) * HOUR_MS;
  const [last] = await sql<{ at: Date | null }[]>`select max(fitted_at) as at from supply_models`;
  if (last?.at && last.at.getTime() >= hourMs) return 0;
  await recordHour({ sql, clickhouse }, hourMs - HOUR_MS);
  const [past, audience, scans] = await Promise.all([
    readHistory(clickhouse, hourMs),
    readAudience(clickhouse, hourMs),
    readScans({ sql, clickhouse }, hourMs),
  ]);
  const repeated: PastForecast[] = [];
  for (const day of repeatForecasts({ history: past.impressions, screens: past.screens })) {
    repeated.push(...day);
    await setImmediate(); // other jobs go on between two fits
  }
  const model = fitSupply({ history: past.slots, audience, scans });
  const body = encodeSupply({ model, bands: calibrateBands(repeated), seen: seenRatios(past.slots, model) });
  await sql.begin(async tx => {
    await tx`insert into supply_models (fitted_at, body) values (${now()}, ${jsonb(tx, body)})`;
    await tx`delete from supply_models where version <= (select max(version) from supply_models) - ${VERSIONS_KEPT}`;
  });
  fittedAt.set(now().getTime() / 1_000);
  return 1;
}

// ---- the last hour

type ScreenRow = {
  venue: Handle<'venue'>;
  type: string;
  city: string;
  timezone: string;
  opening_hours: unknown;
  daily_visitors: number;
  dwell_minutes: number;
  audience_max: number | null;
  screens_near: number;
  sandbox: boolean;
  orientation: Orientation;
  sensor: boolean;
  screens: number;
  ad_share: number;
  ad_share_online: number;
  handles: Handle<'screen'>[];
};

async function recordHour(
  { sql, clickhouse }: { sql: Postgres; clickhouse: Clickhouse },
  hourMs: Milliseconds,
): Promise<void> {
  const rows = await sql<ScreenRow[]>`
    select v.handle as venue, v.type, v.city, v.timezone, v.opening_hours, v.daily_visitors, v.dwell_minutes, v.audience_max, n.screens as screens_near,
      s.sandbox, s.orientation, s.sensor_paired as sensor,
      count(*)::int as screens, sum(s.ad_ratio) as ad_share, sum(case when p.online then s.ad_ratio else 0 end) as ad_share_online, array_agg(s.handle) as handles
    from screens s join venues v on v.handle = s.venue_handle join screens_near() n on n.venue_handle = v.handle left join screen_presence p on p.screen_handle = s.handle
    where s.unpaired_at is null and not s.simulated and v.deleted_at is null
    group by v.handle, n.screens, s.sandbox, s.orientation, s.sensor_paired`;
  if (rows.length === 0) return;
  const plays = await readPlays(clickhouse, hourMs);
  const openingOf = createOpenings();
  const values = rows.map(row => hourRow(row, { hourMs, plays, opening: openingOf(row.opening_hours) }));
  await clickhouse.insert({
    table: 'private_supply_hours',
    values,
    format: 'JSONEachRow',
    clickhouse_settings: { insert_deduplication_token: `supply hour ${hourMs}` },
  });
}

type Plays = { plays: number; impressions: number };
type Opening = { hours: OpeningHours | undefined; minutesPerDay: number };

function hourRow(
  row: ScreenRow,
  { hourMs, plays, opening }: { hourMs: Milliseconds; plays: Map<Handle<'screen'>, Plays>; opening: Opening },
) {
  const offset = zoneOffsetMinutes(row.timezone, hourMs);
  const { day, minute } = localTime(offset, hourMs);
  let open = 0;
  for (let passed = 0; passed < 60; passed++) if (isOpen(opening.hours, offset, hourMs + passed * 60_000)) open++;
  const figures = {
    dailyVisitors: row.daily_visitors,
    dwellMinutes: row.dwell_minutes,
    audienceMax: audienceMaxOf(row.type, row.audience_max),
    screensNear: row.screens_near,
  };
  const estimate = impressionsThousandths(meanAudience(figures, opening.minutesPerDay), SLOT_MS);
  const counted = row.handles.map(handle => plays.get(handle)).filter(one => one !== undefined);
  const count = counted.reduce((sum, one) => sum + one.plays, 0);
  return {
    hour: hourMs / 1_000,
    venue_handle: row.venue,
    sandbox: row.sandbox,
    orientation: row.orientation,
    sensor: row.sensor,
    city_folded: foldCity(row.city),
    venue_type: row.type,
    local_day: day,
    local_hour: Math.floor(minute / 60),
    screens: row.screens,
    slots_promised: open * SLOTS_PER_MINUTE * row.ad_share,
    slots_seen: open * SLOTS_PER_MINUTE * row.ad_share_online,
    plays: count,
    impressions_thousandths: counted.reduce((sum, one) => sum + one.impressions, 0),
    estimated_thousandths: count * estimate,
  };
}

function createOpenings(): (json: unknown) => Opening {
  const known = new Map<string, Opening>();
  return json => {
    const key = JSON.stringify(json);
    const before = known.get(key);
    if (before !== undefined) return before;
    const parsed = parseOpeningHours(json);
    const hours = isRefusal(parsed) ? undefined : parsed;
    const made = { hours, minutesPerDay: openMinutesPerDay(hours) };
    known.set(key, made);
    return made;
  };
}

async function readPlays(clickhouse: Clickhouse, hourMs: Milliseconds): Promise<Map<Handle<'screen'>, Plays>> {
  const result = await clickhouse.query({
    query: `select screen_id, toInt64(sum(q.plays)) as plays, toInt64(sum(q.impressions_thousandths)) as impressions from plays_quarter_hour as q
      where bucket >= toDateTime({from:UInt32}) and bucket < toDateTime({from:UInt32}) + 3600 group by screen_id`,
    query_params: { from: hourMs / 1_000 },
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ screen_id: string; plays: number; impressions: number }>();
  return new Map(
    rows.flatMap(({ screen_id, plays, impressions }) => {
      const handle = parseId('screen', screen_id);
      return handle === undefined ? [] : [[handle, { plays, impressions }]];
    }),
  );
}

// ---- the hours on record

type ClassRow = {
  city: string;
  type: string;
  orientation: Orientation;
  screens_most: number;
  hours: number[];
  promises: number[];
  sights: number[];
  reaches: number[];
};

/**
 * Slots by class and hour, and the same in impressions: times what plays reached over their estimate, where there were
 * any.
 */
async function readHistory(
  clickhouse: Clickhouse,
  hourMs: Milliseconds,
): Promise<{ slots: SupplyHistory; impressions: SupplyHistory; screens: Int32Array }> {
  const result = await clickhouse.query({
    query: `select city, type, orientation, toInt32(max(c.screens)) as screens_most, groupArray(c.at) as hours, groupArray(c.promised) as promises, groupArray(c.seen) as sights, groupArray(c.reached) as reaches from (
        select city_folded as city, venue_type as type, orientation, local_day * 24 + local_hour as at, sum(h.screens) as screens, sum(h.slots_promised) as promised, sum(h.slots_seen) as seen,
          seen * if(sum(h.estimated_thousandths) > 0, sum(h.impressions_thousandths) / sum(h.estimated_thousandths), 1) as reached
        from private_supply_hours as h where not sandbox and hour >= toDateTime({from:UInt32}) group by city, type, orientation, at
      ) as c group by city, type, orientation order by sum(c.promised) desc limit {most:UInt32}`,
    query_params: { from: hourMs / 1_000 - HISTORY_DAYS * 86_400, most: CLASSES_MAX },
    format: 'JSONEachRow',
  });
  const rows = await result.json<ClassRow>();
  const first = rows.reduce((least, row) => row.hours.reduce((a, b) => Math.min(a, b), least), Infinity);
  const last = rows.reduce((most, row) => row.hours.reduce((a, b) => Math.max(a, b), most), 0);
  const firstDay = rows.length === 0 ? 0 : Math.floor(first / 24);
  const days = rows.length === 0 ? 0 : Math.floor(last / 24) - firstDay + 1;
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
    screens: Int32Array.from(rows, row => row.screens_most),
  };
}

async function readAudience(clickhouse: Clickhouse, hourMs: Milliseconds): Promise<AudienceRow[]> {
  const result = await clickhouse.query({
    query: `select toInt64(venue_handle) as venue, any(venue_type) as type, sensor, local_hour as hour,
        sum(h.impressions_thousandths * weight) / 1000 as impressions, sum(h.estimated_thousandths * weight) / 1000 as estimated
      from (select *, exp2(({to:UInt32} - toUnixTimestamp(hour)) / -86400 / {half:UInt32}) as weight from private_supply_hours where not sandbox and hour >= toDateTime({from:UInt32})) as h
      group by venue, sensor, local_hour having estimated > 0`,
    query_params: { from: hourMs / 1_000 - AUDIENCE_DAYS * 86_400, to: hourMs / 1_000, half: AUDIENCE_HALF_DAYS },
    format: 'JSONEachRow',
  });
  const rows = await result.json<{
    venue: Handle<'venue'>;
    type: string;
    sensor: boolean;
    hour: number;
    impressions: number;
    estimated: number;
  }>();
  return rows.map(({ type, ...row }) => ({ ...row, venueType: type }));
}

async function readScans(
  { sql, clickhouse }: { sql: Postgres; clickhouse: Clickhouse },
  hourMs: Milliseconds,
): Promise<ScanRow[]> {
  const result = await clickhouse.query({
    query: `select venue_id, campaign_id, toInt64(sum(scans)) as scans, sum(impressions) / 1000 as impressions from (
        select venue_id, campaign_id, 0 as scans, sum(q.impressions_thousandths) as impressions from plays_quarter_hour as q where not sandbox and bucket >= toDateTime({from:UInt32}) group by venue_id, campaign_id
        union all
        select venue_id, campaign_id, sum(s.scans) as scans, 0 as impressions from scans_quarter_hour as s where not sandbox and bucket >= toDateTime({from:UInt32}) group by venue_id, campaign_id
      ) group by venue_id, campaign_id order by impressions desc limit {most:UInt32}`,
    query_params: { from: hourMs / 1_000 - AUDIENCE_DAYS * 86_400, most: SCAN_PAIRS_MAX },
    format: 'JSONEachRow',
  });
  const pairs = await result.json<{ venue_id: string; campaign_id: string; scans: number; impressions: number }>();
  const handlesOf = (kind: 'venue' | 'campaign', ids: string[]) =>
    [...new Set(ids)].flatMap(id => parseId(kind, id) ?? []);
  const venues = await sql<
    { handle: Handle<'venue'>; type: string }[]
  >`select handle, type from venues where handle = any(${handlesOf(
    'venue',
    pairs.map(pair => pair.venue_id),
  )}::bigint[])`;
  const campaigns = await sql<
    { handle: Handle<'campaign'>; category: string }[]
  >`select handle, category from campaigns where handle = any(${handlesOf(
    'campaign',
    pairs.map(pair => pair.campaign_id),
  )}::bigint[])`;
  const typeOf = new Map(venues.map(({ handle, type }) => [formatId('venue', handle), type]));
  const categoryOf = new Map(campaigns.map(({ handle, category }) => [formatId('campaign', handle), category]));
  return pairs.flatMap(({ venue_id, campaign_id, scans, impressions }) => {
    const venueType = typeOf.get(venue_id);
    const category = categoryOf.get(campaign_id);
    return venueType === undefined || category === undefined ? [] : [{ venueType, category, scans, impressions }];
  });
}
