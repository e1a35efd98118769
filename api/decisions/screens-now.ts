/**
 * What screens show at this moment, and the ad that each was given last: read from the newest decisions about their
 * slots. A wall of screens asks for those in view at once.
 */
import { formatId, type Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { categoriesOf } from './store.ts';
import type { ScreensNowRecord } from './schema.ts';

/** An ad of more than a day ago says nothing of how the screen does now. */
const SHOWN_MS_MAX = 86_400_000;
/** A slot is decided at most 48 hours before it begins. */
const AHEAD_MS_MAX = 49 * 3_600_000;

type AdRow = {
  screen_id: string;
  starts_ms: Milliseconds;
  campaign_id: string;
  creative_id: string;
  duration_ms: number;
};
type Engines = { sql: Postgres; clickhouse: Clickhouse };
type NowOptions = { screens: readonly Handle<'screen'>[]; now: Milliseconds };

/** Of screens that are not of the workspace nothing is said. */
export async function readScreensNow(
  { sql, clickhouse }: Engines,
  caller: Caller,
  { screens, now }: NowOptions,
): Promise<ScreensNowRecord> {
  const own = await sql<{ handle: Handle<'screen'> }[]>`
    select handle from screens where handle = any(${[...screens]}::bigint[]) and workspace_handle = ${caller.workspace}
      and sandbox = ${caller.sandbox} and unpaired_at is null order by handle`;
  const ids = own.map(({ handle }) => formatId('screen', handle));
  if (ids.length === 0) return { data: [] };
  const rows = await readNewestAds(clickhouse, ids, now);
  const categories = await categoriesOf(sql, rows);
  const ads = new Map(rows.map(row => [row.screen_id, row]));
  return {
    data: ids.map(id => {
      const row = ads.get(id);
      const ad = row === undefined ? null : adRecord(row, categories);
      return { screen_id: id, ad: row !== undefined && row.starts_ms + row.duration_ms > now ? ad : null, last_ad: ad };
    }),
  };
}

async function readNewestAds(clickhouse: Clickhouse, ids: readonly string[], now: Milliseconds): Promise<AdRow[]> {
  const result = await clickhouse.query({
    query: `select screen_id, toUnixTimestamp64Milli(starts_at) as starts_ms, campaign_id, creative_id, duration_ms
      from decisions
      where screen_id in {screens:Array(String)} and campaign_id <> ''
        and starts_at > fromUnixTimestamp64Milli({from:Int64}, 'UTC')
        and starts_at <= fromUnixTimestamp64Milli({now:Int64}, 'UTC')
        and decided_at > fromUnixTimestamp64Milli({first:Int64}, 'UTC')
      order by starts_at desc, node_epoch desc, number desc limit 1 by screen_id`,
    query_params: { screens: ids, from: now - SHOWN_MS_MAX, now, first: now - SHOWN_MS_MAX - AHEAD_MS_MAX },
    format: 'JSONEachRow',
  });
  return result.json<AdRow>();
}

function adRecord({ starts_ms: startsMs, ...row }: AdRow, categories: ReadonlyMap<string, string>) {
  return {
    starts_at: new Date(startsMs).toISOString(),
    duration_ms: row.duration_ms,
    campaign_id: row.campaign_id,
    creative_id: row.creative_id,
    category: categories.get(row.campaign_id) ?? null,
  };
}
