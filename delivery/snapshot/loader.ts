/**
 * Reads from Postgres what decisions need, and parses it once: texts become canonical values, targets become sets, and the
 * fixed part of each fill is encoded. A row that cannot be parsed was not written by the API: it is left out and logged, so
 * that one bad row does not stop a network.
 */
import type { Orientation } from '#domain/screens/screen.ts';
import { extensionOf } from '#domain/campaigns/file-type.ts';
import { NO_HANDLE, formatId, type Handle } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import { playedKind, renditionFor, type Renditions, VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { parseOpeningHours } from '#domain/screens/schedule.ts';
import { foldCity, parseTargets } from '#domain/campaigns/targeting.ts';
import { parseCategory } from '#domain/campaigns/taxonomy.ts';
import { audienceMaxOf } from '#domain/screens/venue.ts';
import type { Log } from '#runtime/log.ts';
import { currentPosition, type Position } from '#books/change-log.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { CampaignFacts, CreativeFacts, CreativeFile, ScreenFacts, VenueFacts } from '../decision/facts.ts';
import { fillParts } from '../protocol/fill-writer.ts';
import { loadPlaylists, type PlaylistRecord, playlistsShowing } from './playlist-loader.ts';
import type { ScreenPlaylist, VenuePlaylist } from './playlists.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** A screen as the handshake needs it. `tokenHash`, and the public key of its sensing module, are 32 bytes in base64; `adRatio` is the screen's own. */
export type ScreenRecord = ScreenFacts &
  ScreenPlaylist & { tokenHash: string | undefined; sensorKey: string | undefined };
export type VenueRecord = VenueFacts & VenuePlaylist;
export type Snapshot = {
  position: Position;
  campaigns: CampaignFacts[];
  venues: VenueRecord[];
  screens: ScreenRecord[];
  playlists: PlaylistRecord[];
};

export type Loader = {
  /** Everything, as of one moment. */
  loadAll(): Promise<Snapshot>;
  /** The campaigns among `handles` that are live or paused. */
  loadCampaigns(handles: readonly Handle<'campaign'>[]): Promise<CampaignFacts[]>;
  /** Those that are over: their open fills may still be played. */
  finishedAmong(handles: readonly Handle<'campaign'>[]): Promise<Handle<'campaign'>[]>;
  /** The campaigns that show one of these creatives. */
  campaignsOf(creatives: readonly Handle<'creative'>[]): Promise<Handle<'campaign'>[]>;
  loadVenues(handles: readonly Handle<'venue'>[]): Promise<VenueRecord[]>;
  /** The screens among `handles` that are still paired. */
  loadScreens(handles: readonly Handle<'screen'>[]): Promise<ScreenRecord[]>;
  /** The playlists among `handles` that are not archived. */
  loadPlaylists(handles: readonly Handle<'playlist'>[]): Promise<PlaylistRecord[]>;
  /** The playlists that show one of these files. */
  playlistsShowing(files: {
    creatives: readonly Handle<'creative'>[];
    assets: readonly Handle<'asset'>[];
  }): Promise<Handle<'playlist'>[]>;
  /** Whose token has this hash: a screen's handle and whether it is still paired. */
  findToken(tokenHash: Uint8Array): Promise<{ screen: Handle<'screen'>; paired: boolean } | undefined>;
};

type CampaignRow = {
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
};
type CreativeRow = {
  campaign_handle: Handle<'campaign'>;
  weight: number;
  handle: Handle<'creative'>;
  orientation: Orientation;
  kind: 'video' | 'still' | null;
  duration_ms: Milliseconds;
  status: string;
  sha256: string | null;
  bytes: number | null;
  content_type: string | null;
  renditions: Renditions | null;
};
type VenueRow = {
  handle: Handle<'venue'>;
  type: string;
  city: string;
  lat: number;
  lng: number;
  timezone: string;
  opening_hours: unknown;
  daily_visitors: number;
  dwell_minutes: number;
  audience_max: number | null;
  screens_near: number;
  blocked_categories: string[];
  default_playlist_handle: Handle<'playlist'> | null;
  page_name: string | null;
};
type ScreenRow = {
  handle: Handle<'screen'>;
  venue_handle: Handle<'venue'>;
  orientation: Orientation;
  ad_ratio: number;
  sensor_paired: boolean;
  sandbox: boolean;
  blocked_categories: string[];
  token_hash: Buffer | null;
  sensor_key: Buffer | null;
  playlist_handle: Handle<'playlist'> | null;
};

export type LoaderOptions = { sql: Postgres; publicUrl: string; log: Log };

export function createLoader({ sql, publicUrl, log }: LoaderOptions): Loader {
  const readCampaigns = async (db: Queryable, handles?: readonly Handle<'campaign'>[]): Promise<CampaignFacts[]> => {
    const rows = await selectCampaigns(db, handles);
    const creatives = await selectCreatives(
      db,
      rows.map(row => row.handle),
    );
    return rows.flatMap(row => campaignOf(row, creatives.get(row.handle) ?? [], { publicUrl, log }) ?? []);
  };
  const readVenues = async (db: Queryable, handles?: readonly Handle<'venue'>[]): Promise<VenueRecord[]> =>
    (await selectVenues(db, handles)).map(row => ({ ...venueOf(row, log), ...venuePlaylistOf(row, publicUrl) }));
  const readScreens = async (db: Queryable, handles?: readonly Handle<'screen'>[]): Promise<ScreenRecord[]> =>
    (await selectScreens(db, handles)).map(screenOf);
  return {
    // One snapshot for all of it: what it does not see is read from the change log.
    loadAll: () =>
      sql.begin('isolation level repeatable read read only', async db => ({
        position: await currentPosition(db),
        campaigns: await readCampaigns(db),
        venues: await readVenues(db),
        screens: await readScreens(db),
        playlists: await loadPlaylists(db, { publicUrl }),
      })),
    loadCampaigns: handles => readCampaigns(sql, handles),
    async finishedAmong(handles) {
      const rows = await sql<{ handle: Handle<'campaign'> }[]>`
        select handle from campaigns where handle = any(${[...handles]}) and status = 'finished' and deleted_at is null`;
      return rows.map(row => row.handle);
    },
    async campaignsOf(creatives) {
      const rows = await sql<{ handle: Handle<'campaign'> }[]>`
        select distinct campaign_handle as handle from campaign_creatives where creative_handle = any(${[...creatives]})`;
      return rows.map(row => row.handle);
    },
    loadVenues: handles => readVenues(sql, handles),
    loadScreens: handles => readScreens(sql, handles),
    loadPlaylists: handles => loadPlaylists(sql, { publicUrl, handles }),
    playlistsShowing: files => playlistsShowing(sql, files),
    async findToken(tokenHash) {
      const [row] = await sql<{ screen: Handle<'screen'>; paired: boolean }[]>`
        select handle as screen, unpaired_at is null as paired from screens where token_hash = ${Buffer.from(tokenHash)}`;
      return row;
    },
  };
}

/** Handles as a condition, or no condition for everything. */
function among(db: Queryable, handles: readonly Handle[] | undefined) {
  return handles === undefined ? db`` : db`and handle = any(${[...handles]})`;
}

async function selectCampaigns(
  db: Queryable,
  handles: readonly Handle<'campaign'>[] | undefined,
): Promise<CampaignRow[]> {
  return db<CampaignRow[]>`
    select handle, workspace_handle, status, sandbox, category, budget_micros, charged_micros, targets, frequency_per_hour_max,
      starts_on - date '1970-01-01' as starts_on, ends_on - date '1970-01-01' as ends_on
    from campaigns where status in ('live', 'paused') and deleted_at is null ${among(db, handles)} order by handle`;
}

async function selectCreatives(
  db: Queryable,
  campaigns: readonly Handle<'campaign'>[],
): Promise<Map<Handle<'campaign'>, CreativeRow[]>> {
  const byCampaign = new Map<Handle<'campaign'>, CreativeRow[]>();
  if (campaigns.length === 0) return byCampaign;
  const rows = await db<CreativeRow[]>`
    select used.campaign_handle, used.weight, c.handle, c.orientation, c.kind, c.duration_ms, c.status, c.sha256, c.bytes, c.content_type, c.renditions
    from campaign_creatives used join creatives c on c.handle = used.creative_handle
    where used.campaign_handle = any(${[...campaigns]}) order by used.campaign_handle, c.handle`;
  for (const row of rows) {
    const list = byCampaign.get(row.campaign_handle);
    if (list === undefined) byCampaign.set(row.campaign_handle, [row]);
    else list.push(row);
  }
  return byCampaign;
}

async function selectVenues(db: Queryable, handles: readonly Handle<'venue'>[] | undefined): Promise<VenueRow[]> {
  return db<VenueRow[]>`
    select handle, type, city, lat, lng, timezone, opening_hours, daily_visitors, dwell_minutes, audience_max, coalesce(near.screens, 0) as screens_near,
      blocked_categories, default_playlist_handle, page_name
    from venues left join screens_near(${handles === undefined ? null : [...handles]}) near on near.venue_handle = handle left join venue_menus menu on menu.venue_handle = handle
    where true ${among(db, handles)}`;
}

async function selectScreens(db: Queryable, handles: readonly Handle<'screen'>[] | undefined): Promise<ScreenRow[]> {
  return db<ScreenRow[]>`
    select handle, venue_handle, orientation, ad_ratio, sensor_paired, sandbox, blocked_categories, token_hash, sensor_key, playlist_handle
    from screens left join (select screen_handle, public_key as sensor_key from sensors where screen_handle is not null) as paired on screen_handle = handle
    where unpaired_at is null and not simulated ${among(db, handles)}`;
}

function campaignOf(
  row: CampaignRow,
  creatives: readonly CreativeRow[],
  { publicUrl, log }: { publicUrl: string; log: Log },
): CampaignFacts | undefined {
  const targets = parseTargets(row.targets);
  if (isRefusal(targets)) {
    log.error(
      { campaign: row.handle, errors: targets.errors },
      'a campaign with targets that cannot be read is left out',
    );
    return undefined;
  }
  const { daypart, days } = targets;
  return {
    handle: row.handle,
    workspace: row.workspace_handle,
    status: row.status,
    sandbox: row.sandbox,
    category: canonicalCategory(row.category),
    budgetMicros: row.budget_micros,
    chargedMicros: row.charged_micros,
    targets,
    flight: {
      startsOn: row.starts_on,
      endsOn: row.ends_on,
      ...(daypart && { daypart }),
      ...(days !== undefined && { days }),
    },
    frequencyPerHourMax: row.frequency_per_hour_max ?? 0,
    creatives: creatives.map(creative => creativeOf(row.handle, creative, publicUrl)),
  };
}

function creativeOf(campaign: Handle<'campaign'>, row: CreativeRow, publicUrl: string): CreativeFacts {
  return {
    handle: row.handle,
    orientation: row.orientation,
    durationMs: row.duration_ms,
    weight: row.weight,
    ready: row.status === 'ready' && row.sha256 !== null,
    files: filesOf(campaign, row, publicUrl),
    credit: 0,
  };
}

/** By the number of the profile; profiles that play the same object share what is spelled of it. */
function filesOf(campaign: Handle<'campaign'>, row: CreativeRow, publicUrl: string): CreativeFile[] {
  const made = new Map<string, CreativeFile>();
  return VIDEO_PROFILES.map(({ name }) => {
    const { object, bytes } = renditionFor(row.renditions ?? {}, name) ?? uploadOf(row);
    let file = made.get(object);
    if (file === undefined) made.set(object, (file = fileOf(campaign, row, { object, bytes, publicUrl })));
    return file;
  });
}

/** A creative from before there were renditions plays its upload; one without a file is not ready and plays nothing. */
function uploadOf({ sha256, content_type: contentType, bytes }: CreativeRow): { object: string; bytes: number } {
  return {
    object: sha256 === null || contentType === null ? '' : `${sha256}.${extensionOf(contentType)}`,
    bytes: bytes ?? 0,
  };
}

function fileOf(
  campaign: Handle<'campaign'>,
  row: CreativeRow,
  { object, bytes, publicUrl }: { object: string; bytes: number; publicUrl: string },
): CreativeFile {
  const url = `${publicUrl}/assets/${object}`;
  const parts = fillParts({
    campaignId: formatId('campaign', campaign),
    creativeId: formatId('creative', row.handle),
    kind: playedKind(row.kind ?? 'still', object),
    url,
    durationMs: row.duration_ms,
    scanBase: `${publicUrl}/s/`,
  });
  return { parts, asset: object === '' ? undefined : { url, sha256: object.slice(0, object.indexOf('.')), bytes } };
}

/** Folding a name takes a microsecond, and a hundred thousand venues stand in a few thousand cities. */
const FOLDED_MAX = 10_000;
const folded = new Map<string, string>();

function foldCityOnce(city: string): string {
  const known = folded.get(city);
  if (known !== undefined) return known;
  if (folded.size >= FOLDED_MAX) folded.clear();
  const made = foldCity(city);
  folded.set(city, made);
  return made;
}

function venuePlaylistOf(row: VenueRow, publicUrl: string): VenuePlaylist {
  return {
    handle: row.handle,
    defaultPlaylist: row.default_playlist_handle ?? NO_HANDLE,
    menuUrl: row.page_name === null ? undefined : `${publicUrl}/menus/${row.page_name}`,
  };
}

function venueOf(row: VenueRow, log: Log): VenueFacts {
  const hours = parseOpeningHours(row.opening_hours);
  if (isRefusal(hours)) {
    log.error(
      { venue: row.handle, errors: hours.errors },
      'a venue with opening hours that cannot be read is taken as always open',
    );
  }
  return {
    handle: row.handle,
    type: row.type,
    cityFolded: foldCityOnce(row.city),
    lat: row.lat,
    lng: row.lng,
    timezone: row.timezone,
    hours: isRefusal(hours) ? undefined : hours,
    dailyVisitors: row.daily_visitors,
    dwellMinutes: row.dwell_minutes,
    audienceMax: audienceMaxOf(row.type, row.audience_max),
    screensNear: row.screens_near,
    blockedCategories: row.blocked_categories.map(canonicalCategory),
  };
}

function screenOf(row: ScreenRow): ScreenRecord {
  return {
    handle: row.handle,
    venue: row.venue_handle,
    orientation: row.orientation,
    adRatio: row.ad_ratio,
    sensor: row.sensor_paired,
    sandbox: row.sandbox,
    blockedCategories: row.blocked_categories.map(canonicalCategory),
    tokenHash: row.token_hash?.toString('base64'),
    sensorKey: row.sensor_key?.toString('base64'),
    playlist: row.playlist_handle ?? NO_HANDLE,
  };
}

/** The slug of a category however it was stored, so that a blocked id meets a campaign's slug. */
function canonicalCategory(text: string): string {
  return parseCategory(text)?.slug ?? text;
}
