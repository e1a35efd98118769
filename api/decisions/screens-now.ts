/**
 * The current ad of screens: the ad last assigned to each, and the ad last reported by each. Assigned ads are read from
 * the newest decisions about their slots, reported ads from the row of their presence. The live page requests the
 * screens in view at once: three statements for any number of screens.
 */
import { formatId, type Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { readShown, type ShownRow } from '#sql/screens/presence.ts';
import type { Caller } from '../authentication/caller.ts';
import { categoriesOf } from './store.ts';
import type { ScreensNowRecord } from './schema.ts';

/** An ad of more than a day ago says nothing about the current state of the screen. */
const SHOWN_MS_MAX = 86_400_000;
/** A slot is decided at most 48 hours before it begins. */
const AHEAD_MS_MAX = 49 * 3_600_000;

type AdRow = { starts_ms: Milliseconds; campaign_id: string; creative_id: string; duration_ms: Milliseconds };
type GivenRow = AdRow & { screen_id: string };
type Engines = { sql: Postgres; clickhouse: Clickhouse };
type NowOptions = { screens: readonly Handle<'screen'>[]; now: Milliseconds };

/** Screens of other workspaces are omitted. */
export async function readScreensNow(
  { sql, clickhouse }: Engines,
  caller: Caller,
  { screens, now }: NowOptions,
): Promise<ScreensNowRecord> {
  const own = await readShown(sql, caller, screens);
  if (own.length === 0) return { data: [] };
  const shown = own.map(row => ({ id: formatId('screen', row.handle), reported: reportedAd(row) }));
  const rows = await readNewestAds(
    clickhouse,
    shown.map(({ id }) => id),
    now,
  );
  const categories = await categoriesOf(sql, [...rows, ...shown.flatMap(({ reported }) => reported ?? [])]);
  const ads = new Map(rows.map(row => [row.screen_id, row]));
  return {
    data: shown.map(({ id, reported }) => {
      const row = ads.get(id);
      const ad = row === undefined ? null : adRecord(row, categories);
      return {
        screen_id: id,
        ad: row !== undefined && row.starts_ms + row.duration_ms > now ? ad : null,
        last_ad: ad,
        reported: reported === undefined ? null : adRecord(reported, categories),
      };
    }),
  };
}

function reportedAd(row: ShownRow): AdRow | undefined {
  if (row.played_at === null) return undefined;
  return {
    starts_ms: row.played_at.getTime(),
    duration_ms: row.played_ms,
    campaign_id: formatId('campaign', row.campaign_handle),
    creative_id: formatId('creative', row.creative_handle),
  };
}

async function readNewestAds(clickhouse: Clickhouse, ids: readonly string[], now: Milliseconds): Promise<GivenRow[]> {
  return queryRows<GivenRow>(clickhouse, {
    query: `select screen_id, toUnixTimestamp64Milli(starts_at) as starts_ms, campaign_id, creative_id, duration_ms
      from decisions
      where screen_id in {screens:Array(String)} and campaign_id <> ''
        and starts_at > fromUnixTimestamp64Milli({from:Int64}, 'UTC')
        and starts_at <= fromUnixTimestamp64Milli({now:Int64}, 'UTC')
        and decided_at > fromUnixTimestamp64Milli({first:Int64}, 'UTC')
      order by starts_at desc, node_epoch desc, number desc limit 1 by screen_id`,
    query_params: { screens: ids, from: now - SHOWN_MS_MAX, now, first: now - SHOWN_MS_MAX - AHEAD_MS_MAX },
  });
}

function adRecord(row: AdRow, categories: ReadonlyMap<string, string>) {
  return {
    starts_at: new Date(row.starts_ms).toISOString(),
    duration_ms: row.duration_ms,
    campaign_id: row.campaign_id,
    creative_id: row.creative_id,
    category: categories.get(row.campaign_id) ?? null,
  };
}
