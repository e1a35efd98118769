/**
 * The rows of Postgres for decisions: their columns, and the selects that read some of them by handle or, as a copy,
 * all of them. `records.ts` makes records of them.
 */
import type postgres from 'postgres';
import type { Renditions } from '#domain/campaigns/rendition.ts';
import type { Handle, Kind } from '#domain/id.ts';
import type { Political } from '#domain/campaigns/political.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Queryable } from '#sql/postgres.ts';
import { type CopiedRow, copyRows } from './copied-rows.ts';

export type CampaignRow = {
  handle: Handle<'campaign'>;
  workspace_handle: Handle<'workspace'>;
  status: 'live' | 'paused';
  sandbox: boolean;
  category: string;
  budget_micros: Micros;
  charged_micros: Micros;
  starts_on: number;
  ends_on: number;
  targets: unknown;
  frequency_per_hour_max: number | null;
  political: Political | null;
};
export type CreativeRow = {
  campaign_handle: Handle<'campaign'>;
  weight: number;
  handle: Handle<'creative'>;
  orientation: Orientation;
  kind: 'video' | 'still' | null;
  duration_ms: Milliseconds;
  synthetic: boolean;
  status: string;
  sha256: string | null;
  bytes: number | null;
  content_type: string | null;
  renditions: Renditions | null;
};
export type VenueRow = {
  handle: Handle<'venue'>;
  type: string;
  city: string;
  lat: number | null;
  lng: number | null;
  timezone: string;
  /** JSON: a hundred thousand venues have a few hundred of these texts, so each is parsed once. */
  opening_hours: string | null;
  daily_visitors: number;
  dwell_minutes: number;
  audience_max: number | null;
  screens_near: number;
  blocked_categories: readonly string[];
  /** JSON, parsed once for all venues with the same text; null: none. */
  restrictions: string | null;
  default_playlist_handle: Handle<'playlist'> | null;
  page_name: string | null;
};
export type ScreenRow = {
  handle: Handle<'screen'>;
  venue_handle: Handle<'venue'>;
  orientation: Orientation;
  ad_ratio: number;
  sensor_paired: boolean;
  sandbox: boolean;
  blocked_categories: readonly string[];
  token_hash: Buffer | null;
  sensor_key: Buffer | null;
  playlist_handle: Handle<'playlist'> | null;
  /** JSON: the audience in force; null: none. */
  audience: string | null;
};

/**
 * How one kind of row is read. `select` reads the rows of `handles`, or all without them, and has parameters only in
 * the first case, because a copy takes none. `read` reads the same columns of a copy, in their order.
 */
export type RowSource<K extends Kind, Row extends object> = {
  select(db: Queryable, handles?: readonly Handle<K>[]): postgres.PendingQuery<Row[]>;
  read(row: CopiedRow): Row;
};

/** Reads the rows of `handles`, or all without them, and makes a record of each on arrival. */
export async function readRecords<K extends Kind, Row extends object, Record>(
  db: Queryable,
  { select, read }: RowSource<K, Row>,
  { handles, recordOf }: { handles: readonly Handle<K>[] | undefined; recordOf: (row: Row) => Record },
): Promise<Record[]> {
  if (handles === undefined) return copyRows(db, select(db), row => recordOf(read(row)));
  return (await select(db, handles)).map(recordOf);
}

/** Handles as a condition, or no condition for everything. */
function among(db: Queryable, handles: readonly Handle[] | undefined) {
  return handles === undefined ? db`` : db`and handle = any(${[...handles]})`;
}

export const CAMPAIGN_ROWS: RowSource<'campaign', CampaignRow> = {
  select: (db, handles) => db<CampaignRow[]>`
    select handle, workspace_handle, status, sandbox, category, budget_micros, charged_micros,
      starts_on - date '1970-01-01' as starts_on, ends_on - date '1970-01-01' as ends_on, targets,
      frequency_per_hour_max, political
    from campaigns where status in ('live', 'paused') and deleted_at is null ${among(db, handles)} order by handle`,
  read: row => ({
    handle: row.handle('campaign'),
    workspace_handle: row.handle('workspace'),
    status: row.text() as CampaignRow['status'],
    sandbox: row.boolean(),
    category: row.text(),
    budget_micros: row.bigint(),
    charged_micros: row.bigint(),
    starts_on: row.integer(),
    ends_on: row.integer(),
    targets: row.json(),
    frequency_per_hour_max: row.integerOrNull(),
    political: row.jsonOrNull() as Political | null,
  }),
};

/**
 * Creatives of campaigns: the handles are those of the campaigns, and without them those of all that are live or
 * paused.
 */
export const CREATIVE_ROWS: RowSource<'campaign', CreativeRow> = {
  select: (db, campaigns) => db<CreativeRow[]>`
    select used.campaign_handle, used.weight, c.handle, c.orientation, c.kind, c.duration_ms, c.synthetic, c.status,
      c.sha256, c.bytes, c.content_type, c.renditions
    from campaign_creatives used join creatives c on c.handle = used.creative_handle
    where ${
      campaigns === undefined
        ? db`used.campaign_handle in (select handle from campaigns where status in ('live', 'paused') and deleted_at is null)`
        : db`used.campaign_handle = any(${[...campaigns]})`
    } order by used.campaign_handle, c.handle`,
  read: row => ({
    campaign_handle: row.handle('campaign'),
    weight: row.integer(),
    handle: row.handle('creative'),
    orientation: row.text() as Orientation,
    kind: row.textOrNull() as CreativeRow['kind'],
    duration_ms: row.integer(),
    synthetic: row.boolean(),
    status: row.text(),
    sha256: row.textOrNull(),
    bytes: row.bigintOrNull(),
    content_type: row.textOrNull(),
    renditions: row.jsonOrNull() as Renditions | null,
  }),
};

export const VENUE_ROWS: RowSource<'venue', VenueRow> = {
  select: (db, handles) => db<VenueRow[]>`
    select handle, type, city, shown_lat as lat, shown_lng as lng, timezone, opening_hours::text as opening_hours,
      daily_visitors, dwell_minutes, audience_max,
      coalesce(near.screens, 0) as screens_near, blocked_categories, law.restrictions::text as restrictions,
      default_playlist_handle, page_name
    from venues left join screens_near(${
      handles === undefined ? db`null` : db`${[...handles]}`
    }) near on near.venue_handle = handle
      left join venue_restrictions(${
        handles === undefined ? db`null` : db`${[...handles]}`
      }) law on law.venue_handle = handle
      left join venue_menus menu on menu.venue_handle = handle
    where true ${among(db, handles)}`,
  read: row => ({
    handle: row.handle('venue'),
    type: row.text(),
    city: row.text(),
    lat: row.doubleOrNull(),
    lng: row.doubleOrNull(),
    timezone: row.text(),
    opening_hours: row.textOrNull(),
    daily_visitors: row.integer(),
    dwell_minutes: row.double(),
    audience_max: row.doubleOrNull(),
    screens_near: row.integer(),
    blocked_categories: row.texts(),
    restrictions: row.textOrNull(),
    default_playlist_handle: row.handleOrNull('playlist'),
    page_name: row.textOrNull(),
  }),
};

export const SCREEN_ROWS: RowSource<'screen', ScreenRow> = {
  select: (db, handles) => db<ScreenRow[]>`
    select handle, venue_handle, orientation, ad_ratio, sensor_paired, sandbox, blocked_categories, token_hash,
      sensor_key, playlist_handle, audience.facts as audience
    from screens left join (select screen_handle, public_key as sensor_key from sensors
      where screen_handle is not null) as paired on screen_handle = handle
    left join lateral (select jsonb_build_object('number', a.number, 'thousandths', a.thousandths)::text as facts
      from screen_audiences a where a.screen_handle = screens.handle and a.begun_at is not null
      order by a.valid_from desc limit 1) as audience on true
    where unpaired_at is null and not simulated ${among(db, handles)}`,
  read: row => ({
    handle: row.handle('screen'),
    venue_handle: row.handle('venue'),
    orientation: row.text() as Orientation,
    ad_ratio: row.double(),
    sensor_paired: row.boolean(),
    sandbox: row.boolean(),
    blocked_categories: row.texts(),
    token_hash: row.bytesOrNull(),
    sensor_key: row.bytesOrNull(),
    playlist_handle: row.handleOrNull('playlist'),
    audience: row.textOrNull(),
  }),
};
