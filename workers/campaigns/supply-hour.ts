/**
 * The record of an hour's supply: the promise of opening hours and ad ratios, the online part of it, and the reach of
 * its plays. One row in ClickHouse for each kind of screen of a venue.
 */
import { hourlyImpressions } from '#domain/allocation/network/hourly-audience.ts';
import { createOpeningHours, type KnownHours } from '#domain/allocation/network/network-rows.ts';
import { parseId, type Handle } from '#domain/id.ts';
import { foldCity } from '#domain/geography.ts';
import { hourOfWeekAt, isOpen, localTime, zoneOffsetMinutes } from '#domain/screens/schedule.ts';
import { audienceFiguresOf, impressionsThousandths, meanAudience } from '#domain/screens/venue.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { selectSupply, type SupplyRow } from '#sql/plan/supply.ts';
import type { JobContext } from '../schedule.ts';

const MINUTE_MS = 60_000;
const SLOT_MS = 15_000;
const SLOTS_PER_MINUTE = 4;

/** Adds the row of the hour for each kind of screen; nothing without screens. */
export async function recordHour(
  { sql, clickhouse }: Pick<JobContext, 'sql' | 'clickhouse'>,
  hourMs: Milliseconds,
): Promise<void> {
  const rows = await selectSupply(sql);
  if (rows.length === 0) return;
  const plays = await readPlays(clickhouse, hourMs);
  const hoursOf = createOpeningHours();
  const values = rows.map(row => hourRow(row, { hourMs, plays, opening: hoursOf(row.opening_hours) }));
  await clickhouse.insert({
    table: 'private_supply_hours',
    values,
    format: 'JSONEachRow',
    clickhouse_settings: { insert_deduplication_token: `supply hour ${hourMs}` },
  });
}

type Plays = { plays: number; impressions: number };
type PlayedHour = { hourMs: Milliseconds; plays: ReadonlyMap<Handle<'screen'>, Plays>; opening: KnownHours };

function hourRow(row: SupplyRow, { hourMs, plays, opening }: PlayedHour) {
  const offset = zoneOffsetMinutes(row.timezone, hourMs);
  const { day, minute } = localTime(offset, hourMs);
  const openSlots = openMinutesOf(opening, { hourMs, offset }) * SLOTS_PER_MINUTE;
  const own = impressionsThousandths(meanAudience(audienceFiguresOf(row), opening.openMinutes), SLOT_MS);
  const estimate = 1_000 * (hourlyImpressions(row, own / 1_000)?.[hourOfWeekAt(offset, hourMs)] ?? own / 1_000);
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
    slots_promised: openSlots * row.ad_share,
    slots_seen: openSlots * row.ad_share_online,
    plays: count,
    impressions_thousandths: counted.reduce((sum, one) => sum + one.impressions, 0),
    estimated_thousandths: Math.round(count * estimate),
  };
}

function openMinutesOf({ hours }: KnownHours, { hourMs, offset }: { hourMs: Milliseconds; offset: number }): number {
  let open = 0;
  for (let minute = 0; minute < 60; minute++) if (isOpen(hours, offset, hourMs + minute * MINUTE_MS)) open++;
  return open;
}

async function readPlays(clickhouse: Clickhouse, hourMs: Milliseconds): Promise<Map<Handle<'screen'>, Plays>> {
  const rows = await queryRows<{ screen_id: string; plays: number; impressions: number }>(clickhouse, {
    query: `select screen_id, toInt64(sum(q.plays)) as plays, toInt64(sum(q.impressions_thousandths)) as impressions
      from plays_quarter_hour as q
      where bucket >= toDateTime({from:UInt32}) and bucket < toDateTime({from:UInt32}) + 3600 group by screen_id`,
    query_params: { from: hourMs / 1_000 },
  });
  return new Map(
    rows.flatMap(({ screen_id, plays, impressions }) => {
      const handle = parseId('screen', screen_id);
      return handle === undefined ? [] : [[handle, { plays, impressions }]];
    }),
  );
}
