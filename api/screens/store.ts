/** Screens in Postgres: list, changes, unpairing, and the history of their connections. */
import type { Milliseconds } from '#domain/unit.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import type { ScreenCommand } from '#domain/screens/command.ts';
import { HEALTH_KEPT_MS } from '#domain/screens/screen.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import { dropScreenshots } from '#sql/screenshots/screenshots.ts';
import { noteCrowds } from '#sql/venues/crowd.ts';
import { holdPlaylist, holdVenue } from '#sql/venues/rows.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfChange } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { likeText, positionIn, readCounted, sliceOf, type Statement } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { HEALTH_SORTS, SCREEN_SORTS, type CountsByStatus, type HealthPeriodRecord, type Screen } from './schema.ts';
import { statusColumn } from './status.ts';

const EARTH_RADIUS_KM = 6371.0088;

type ScreenRow = {
  handle: Handle<'screen'>;
  venue_handle: Handle<'venue'>;
  venue_type: string;
  label: string;
  platform: string | null;
  status: Screen['status'];
  last_seen_at: Date | null;
  commands: ScreenCommand[] | null;
  sensor_paired: boolean;
  sensor_serial: string | null;
  sensor_paired_at: Date | null;
  audience_attested_at: Date | null;
  ad_ratio: number;
  playlist_handle: Handle<'playlist'> | null;
  orientation: string;
  opening_hours: unknown;
  blocked_categories: string[];
  created_at: Date;
};

export type ScreenFilter = {
  venues?: readonly Handle<'venue'>[];
  isCounted: boolean;
  statuses?: readonly string[];
  platforms?: readonly string[];
  label?: string;
  area?: { lat: number; lng: number; radiusKm: number };
};

/** Columns of a screen that a request sets. */
export type ScreenColumns = Partial<{
  label: string;
  venue_handle: Handle<'venue'>;
  ad_ratio: number;
  playlist_handle: Handle<'playlist'> | null;
  orientation: string;
  sensor_paired: boolean;
  blocked_categories: string[];
}>;

/** The condition that a screen `s` is one of the caller's. */
export function isOwn(sql: Queryable, { workspace, sandbox }: Caller) {
  return sql`s.workspace_handle = ${workspace} and s.sandbox = ${sandbox} and s.unpaired_at is null`;
}

function selectScreens(sql: Queryable, caller: Caller, now: Milliseconds) {
  return sql`
    select s.handle, s.venue_handle, v.type as venue_type, s.label, s.platform, p.last_seen_at, p.commands,
      s.sensor_paired, k.serial as sensor_serial, k.paired_at as sensor_paired_at,
      s.audience_attested_at, s.ad_ratio, s.playlist_handle, s.orientation, v.opening_hours, s.blocked_categories,
        s.created_at, ${statusColumn(sql, now)} as status
    from screens s join venues v on v.handle = s.venue_handle left join screen_presence p on p.screen_handle = s.handle
    left join sensors k on k.screen_handle = s.handle
    where ${isOwn(sql, caller)}`;
}

export async function listScreens(
  sql: Postgres,
  caller: Caller,
  { page, filter, now }: { page: Page; filter: ScreenFilter; now: Milliseconds },
): Promise<List<Screen> & { by_status?: CountsByStatus }> {
  const { venues, statuses, platforms, label, area, isCounted } = filter;
  const status = statusColumn(sql, now);
  const ofAnyStatus = sql`
    select s.handle, s.label, ${status} as status
    from screens s left join screen_presence p on p.screen_handle = s.handle
    where ${isOwn(sql, caller)}
      ${venues === undefined ? sql`` : sql`and s.venue_handle = any(${[...venues]}::bigint[])`}
      ${platforms === undefined ? sql`` : sql`and s.platform = any (${[...platforms]}::text[])`}
      ${label === undefined ? sql`` : sql`and s.label ilike ${likeText(label)}`}
      ${area === undefined ? sql`` : sql`and s.venue_handle in (${selectVenuesWithin(sql, caller, area)})`}`;
  const wanted =
    statuses === undefined ? ofAnyStatus : sql`${ofAnyStatus} and ${status} = any (${[...statuses]}::text[])`;
  const { rows, ...total } = await readCounted<ScreenRow>(sql, page, {
    sorts: SCREEN_SORTS,
    wanted,
    records: selectScreens(sql, caller, now),
    isCounted,
  });
  return {
    ...envelope(rows, page, { positionOf: positionIn(page, SCREEN_SORTS), recordOf: screenRecord }),
    ...total,
    ...(isCounted && { by_status: await countByStatus(sql, ofAnyStatus) }),
  };
}

/** By one statement, so that the counts add up to all screens. */
async function countByStatus(sql: Queryable, screens: Statement): Promise<CountsByStatus> {
  const rows = await sql<{ status: Screen['status']; total: number }[]>`
    select status, count(*)::int as total from (${screens}) as screens group by status`;
  return { online: 0, offline: 0, paired_idle: 0, ...Object.fromEntries(rows.map(row => [row.status, row.total])) };
}

/**
 * Venues by the distance of the haversine formula; there are far fewer of them than screens, so it is computed for each
 * once.
 */
function selectVenuesWithin(sql: Queryable, caller: Caller, { lat, lng, radiusKm }: NonNullable<ScreenFilter['area']>) {
  return sql`
    select handle from venues where workspace_handle = ${caller.workspace}
      and ${EARTH_RADIUS_KM * 2} * asin(sqrt(least(1, pow(sin(radians(lat - ${lat}) / 2), 2)
      + cos(radians(${lat})) * cos(radians(lat)) * pow(sin(radians(lng - ${lng}) / 2), 2)))) <= ${radiusKm}`;
}

export async function readScreen(
  sql: Queryable,
  caller: Caller,
  { handle, now }: { handle: Handle<'screen'>; now: Milliseconds },
): Promise<Screen | Refusal> {
  const [row] = await sql<ScreenRow[]>`${selectScreens(sql, caller, now)} and s.handle = ${handle}`;
  return row ? screenRecord(row) : refuseAbsent();
}

type LockedScreen = Required<ScreenColumns>;

/** A paired screen of the caller's, locked until the unit ends. */
export async function lockScreen(
  tx: Transaction,
  caller: Caller,
  handle: Handle<'screen'>,
): Promise<LockedScreen | undefined> {
  const [row] = await tx<LockedScreen[]>`
    select label, venue_handle, ad_ratio, playlist_handle, orientation, sensor_paired, blocked_categories from screens
    where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}
      and unpaired_at is null for update`;
  return row;
}

/** Frees the module of a locked screen and ends the effect of its attestations; returns its serial. */
export async function freeSensor(tx: Transaction, screen: Handle<'screen'>): Promise<string | null> {
  await tx`update screens set audience_attested_at = null where handle = ${screen}`;
  const [row] = await tx<
    { serial: string }[]
  >`update sensors set screen_handle = null, paired_at = null where screen_handle = ${screen} returning serial`;
  return row?.serial ?? null;
}

/** Changes the given columns. An empty change writes nothing. */
export async function changeScreen(
  sql: Postgres,
  caller: Caller,
  { handle, columns, now }: { handle: Handle<'screen'>; columns: ScreenColumns; now: Milliseconds },
): Promise<Screen | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { tx } = unit;
    // A playlist is locked before the screen, as where it is archived.
    const isFree =
      columns.playlist_handle === undefined ||
      columns.playlist_handle === null ||
      (await holdPlaylist(tx, caller, columns.playlist_handle));
    const before = await lockScreen(tx, caller, handle);
    if (!before) return refuseAbsent();
    if (!isFree) return refuseField('/playlist_id', 'unknown_playlist', 'is not a playlist of this workspace');
    if (columns.venue_handle !== undefined && !(await holdVenue(tx, caller, columns.venue_handle)))
      return refuseField('/venue_id', 'unknown_venue', 'is not a venue of this workspace');
    if (columns.sensor_paired === true && !before.sensor_paired && !caller.sandbox) return refuseDeclared(handle);
    if (columns.sensor_paired === false) await freeSensor(tx, handle);
    const diff = diffOfChange(shownColumns(before), shownColumns(columns));
    if (Object.keys(diff).length > 0) {
      const { blocked_categories: blocked, ...plain } = columns;
      await tx`update screens set
          ${tx({ ...plain, ...(blocked !== undefined && { blocked_categories: tx.array(blocked) }) })}
        where handle = ${handle}`;
      unit.audit({
        workspace: caller.workspace,
        action: 'screen.updated',
        entityType: 'screen',
        entityHandle: handle,
        diff,
      });
      unit.changed('screen', handle);
      if (columns.venue_handle !== undefined) await noteCrowds(unit, [before.venue_handle, columns.venue_handle]);
    }
    return readScreen(tx, caller, { handle, now });
  });
}

/** Pairing needs a signature; PATCH cannot set it. */
function refuseDeclared(screen: Handle<'screen'>): Refusal {
  const path = `/v1/screens/${formatId('screen', screen)}/sensor`;
  return refuse(
    'sensor_not_paired',
    `No sensing module is paired. Ask for a challenge with POST ${path}/challenge {serial}, let the module sign it, and send the signature with POST ${path}. The operator enrols modules.`,
  );
}

/**
 * Unpairs the screen: the change log notifies delivery, which notifies the device. The token stays known for that.
 */
export async function unpairScreen(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'screen'>; now: Milliseconds },
): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const before = await lockScreen(unit.tx, caller, handle);
    if (!before) return refuseAbsent();
    await unit.tx`update screens set unpaired_at = ${unit.now} where handle = ${handle}`;
    await freeSensor(unit.tx, handle);
    await dropScreenshots(unit.tx, handle);
    await noteCrowds(unit, [before.venue_handle]);
    const entity = { workspace: caller.workspace, entityType: 'screen', entityHandle: handle };
    unit.audit({ ...entity, action: 'screen.unpaired', diff: { unpaired_at: { from: null, to: unit.now } } });
    unit.emit({
      ...entity,
      type: 'screen.unpaired',
      payload: {
        object: {
          id: formatId('screen', handle),
          venue_id: formatId('venue', before.venue_handle),
          label: before.label,
        },
      },
    });
    unit.changed('screen', handle);
    return undefined;
  });
}

/** In the API's form, for the audit. */
function shownColumns({
  venue_handle: venue,
  playlist_handle: playlist,
  ...plain
}: ScreenColumns): Record<string, unknown> {
  return {
    ...plain,
    ...(venue !== undefined && { venue_id: formatId('venue', venue) }),
    ...(playlist !== undefined && { playlist_id: playlist === null ? null : formatId('playlist', playlist) }),
  };
}

type HealthRow = { handle: Handle<'screen'>; online: boolean; at: Date; until: Date | null };

/** When the screen was connected and when not, as far as the last 30 days have a part of it. */
export async function listHealth(
  sql: Postgres,
  caller: Caller,
  { handle, page, now }: { handle: Handle<'screen'>; page: Page; now: Milliseconds },
): Promise<List<HealthPeriodRecord> | Refusal> {
  const screen = await readScreen(sql, caller, { handle, now });
  if (isRefusal(screen)) return screen;
  const { behind, order } = sliceOf(sql, page, { sorts: HEALTH_SORTS });
  const rows = await sql<HealthRow[]>`
    select * from (select handle, online, at, lead(at) over (order by handle) as until from screen_health
      where screen_handle = ${handle}) as periods
    where (until is null or until > ${new Date(now - HEALTH_KEPT_MS)}) ${behind} ${order}`;
  return envelope(rows, page, { positionOf: positionIn(page, HEALTH_SORTS), recordOf: row => healthPeriod(row, now) });
}

function healthPeriod({ online, at, until }: HealthRow, now: Milliseconds): HealthPeriodRecord {
  const seconds = Math.max(0, Math.round(((until?.getTime() ?? now) - at.getTime()) / 1_000));
  return { status: online ? 'online' : 'offline', from: at.toISOString(), to: until?.toISOString() ?? null, seconds };
}

function screenRecord(row: ScreenRow): Screen {
  return {
    id: formatId('screen', row.handle),
    venue_id: formatId('venue', row.venue_handle),
    venue_type: row.venue_type,
    label: row.label,
    platform: row.platform,
    status: row.status,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    commands: row.commands ?? [],
    sensor_paired: row.sensor_paired,
    sensor:
      row.sensor_serial === null
        ? null
        : {
            serial: row.sensor_serial,
            paired_at: row.sensor_paired_at!.toISOString(),
            attested_at: row.audience_attested_at?.toISOString() ?? null,
          },
    ad_ratio: row.ad_ratio,
    playlist_id: row.playlist_handle === null ? null : formatId('playlist', row.playlist_handle),
    orientation: row.orientation,
    opening_hours: row.opening_hours,
    blocked_categories: row.blocked_categories,
    created_at: row.created_at.toISOString(),
  };
}
