/**
 * A campaign's impressions under another audience than the one that its plays were counted with. It only reads: what
 * was counted, charged and earned stays.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { audiencesOf, type Source } from '#sql/audience/audiences.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { UsageError } from '../../arguments.ts';
import type { Result } from '../program.ts';

type Question = Source & { campaign: Handle<'campaign'> };
type HourRow = { screen_id: string; hour: number; plays: number; slots: number; counted: number };
type Totals = { plays: number; counted: number };

const HOURS_PER_DAY = 24;
/** Parameters are part of the URL, and ClickHouse refuses one above 128 KiB. An id takes 26 bytes of it. */
const PAGE_SCREENS_MAX = 1_000;
/** As often as a play is shown in full, its people count in full. */
const SLOT_MS = 15_000;

/** @throws UsageError if no screen has an audience of this source */
export async function reportUnder(
  { sql, clickhouse }: { sql: Postgres; clickhouse: Clickhouse },
  { campaign, ...source }: Question,
): Promise<Result> {
  const audiences = await audiencesOf(sql, source);
  if (audiences.length === 0) throw new UsageError('No screen has an audience of this vendor, method and version');
  const people = new Map(audiences.map(({ screen, thousandths }) => [formatId('screen', screen), thousandths]));
  const under = { plays: 0, counted: 0, thousandths: 0 };
  // ClickHouse takes one time zone for a statement: a network has a few.
  for (const zone of new Set(audiences.map(({ timezone }) => timezone))) {
    const screens = audiences.flatMap(audience =>
      audience.timezone === zone ? [formatId('screen', audience.screen)] : [],
    );
    for (let from = 0; from < screens.length; from += PAGE_SCREENS_MAX) {
      const page = screens.slice(from, from + PAGE_SCREENS_MAX);
      for (const row of await readHours(clickhouse, { campaign, zone, screens: page })) {
        under.plays += row.plays;
        under.counted += row.counted;
        under.thousandths += row.slots * people.get(row.screen_id)![row.hour]!;
      }
    }
  }
  const all = await readTotals(clickhouse, campaign);
  return {
    campaign_id: formatId('campaign', campaign),
    ...source,
    plays: all.plays,
    plays_under_version: under.plays,
    impressions_counted: Math.round(all.counted / 1_000),
    impressions_under_version: Math.round((all.counted - under.counted + under.thousandths) / 1_000),
  };
}

type Zone = { campaign: Handle<'campaign'>; zone: string; screens: readonly string[] };

/** Charged plays whose people no sensing module counted, by screen and local hour of the week. */
async function readHours(clickhouse: Clickhouse, { campaign, zone, screens }: Zone): Promise<HourRow[]> {
  return queryRows<HourRow>(clickhouse, {
    query: `select screen_id, (toDayOfWeek(slot_at, 0, {zone:String}) - 1) * ${HOURS_PER_DAY}
        + toHour(slot_at, {zone:String}) as hour, toUInt32(count()) as plays,
        sum(least(1, duration_ms / ${SLOT_MS})) as slots, toFloat64(sum(impressions_thousandths)) as counted
      from plays_raw
      where campaign_handle = {campaign:UInt64} and not late and audience is null
        and screen_id in {screens:Array(String)}
      group by screen_id, hour`,
    query_params: { campaign, zone, screens },
  });
}

async function readTotals(clickhouse: Clickhouse, campaign: Handle<'campaign'>): Promise<Totals> {
  const rows = await queryRows<Totals>(clickhouse, {
    query: `select toUInt32(count()) as plays, toFloat64(sum(impressions_thousandths)) as counted
      from plays_raw where campaign_handle = {campaign:UInt64} and not late`,
    query_params: { campaign },
  });
  return rows[0]!;
}
