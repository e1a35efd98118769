/** Venues in Postgres: list, creation, changes and archiving. */
import type { Milliseconds } from '#domain/unit.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { foldCity } from '#domain/geography.ts';
import { STILL_PROFILE } from '#domain/campaigns/rendition.ts';
import type { VenueFigures } from '#domain/screens/venue-review.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import { bindFigures, type FigureColumns, type FiguresRow, hasEarned, keepZone } from '#records/venue-figures.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfChange, diffOfNew } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { likeText, positionIn, sliceOf, totalOf, type Statement } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { isBindable } from '../playlists/store.ts';
import { noteCrowds } from './crowd.ts';
import type { VenueColumns, VenueFilter } from './fields.ts';
import { requestedColumns, figuresOf, figuresRecord, shownFigures } from './figures.ts';
import { VENUE_SORTS, type Venue } from './schema.ts';

type OwnColumns =
  | 'blocked_categories'
  | 'default_playlist_handle'
  | 'name_shown'
  | 'coordinates_shown'
  | 'photo_asset_handle'
  | 'photo_object';
export type VenueRow = FiguresRow & Required<Pick<VenueColumns, OwnColumns>> & { created_at: Date };
/** Writes out a row, which needs to know where files are. */
type Render = (row: VenueRow) => Venue;

/** Venues of the caller's workspace and book. */
export async function listVenues(
  sql: Postgres,
  caller: Caller,
  { page, filter: { types, citiesFolded, name, isCounted } }: { page: Page; filter: VenueFilter },
): Promise<List<VenueRow>> {
  const own = sql`workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and deleted_at is null`;
  const cities = citiesFolded && (await citiesNamed(sql, own, citiesFolded));
  const wanted = sql`${own} ${types === undefined ? sql`` : sql`and type = any(${[...types]}::text[])`}
      ${cities === undefined ? sql`` : sql`and city = any(${cities}::text[])`}
    ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}`;
  const { behind, order } = sliceOf(sql, page, { sorts: VENUE_SORTS });
  const [rows, total] = await Promise.all([
    sql<VenueRow[]>`select * from venues where ${wanted} ${behind} ${order}`,
    totalOf(sql, isCounted, sql`select 1 from venues where ${wanted}`),
  ]);
  return { ...envelope(rows, page, { positionOf: positionIn(page, VENUE_SORTS), recordOf: row => row }), ...total };
}

/**
 * The names of the cities of these venues, by their form without case and accents.
 * @param venues a condition
 */
export async function citiesNamed(sql: Queryable, venues: Statement, folded: readonly string[]): Promise<string[]> {
  const rows = await sql<{ city: string }[]>`select distinct city from venues where ${venues}`;
  return rows.map(row => row.city).filter(city => folded.includes(foldCity(city)));
}

export async function readVenue(sql: Queryable, caller: Caller, handle: Handle<'venue'>): Promise<VenueRow | Refusal> {
  const [row] = await sql<
    VenueRow[]
  >`select * from venues where handle = ${handle} and workspace_handle = ${caller.workspace}
      and sandbox = ${caller.sandbox} and deleted_at is null`;
  return row ?? refuseAbsent();
}

/** @param columns every column except those that have a default */
export async function createVenue(
  sql: Postgres,
  caller: Caller,
  { columns, render, now }: { columns: VenueColumns; render: Render; now: Milliseconds },
): Promise<Venue | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const row = await addVenue(unit, caller, { columns, render });
    return isRefusal(row) ? row : render(row);
  });
}

export async function addVenue(
  unit: Unit,
  caller: Caller,
  { columns: requested, render }: { columns: VenueColumns; render: Render },
): Promise<VenueRow | Refusal> {
  const { tx } = unit;
  const refusal = await checkPlaylist(tx, caller, requested);
  if (refusal) return refusal;
  const columns = await withPhoto(tx, caller, requested);
  if (isRefusal(columns)) return columns;
  const { figures, blocked_categories: blocked = [], ...plain } = splitColumns(columns);
  const judged = requestedColumns(undefined, { opening_hours: null, ...figures }, { now: unit.now, hasEarned: false });
  const own = {
    ...plain,
    workspace_handle: caller.workspace,
    sandbox: caller.sandbox,
    blocked_categories: tx.array(blocked),
    created_at: unit.now,
  };
  const [row] = await tx<VenueRow[]>`insert into venues ${tx({ ...own, ...bindFigures(tx, judged) })} returning *`;
  const {
    id: _id,
    created_at: _createdAt,
    photo_url: _photoUrl,
    figures: { pending },
    ...shown
  } = render(row!);
  unit.audit({
    workspace: caller.workspace,
    action: 'venue.created',
    entityType: 'venue',
    entityHandle: row!.handle,
    diff: diffOfNew({ ...shown, ...(pending && { pending_figures: pending }) }),
  });
  unit.changed('venue', row!.handle);
  return row!;
}

type VenueChange = { handle: Handle<'venue'>; columns: VenueColumns; render: Render; now: Milliseconds };

/** Changes the given columns; figures above thresholds wait for the operator. A change of nothing writes nothing. */
export async function changeVenue(
  sql: Postgres,
  caller: Caller,
  { handle, columns: requested, render, now }: VenueChange,
): Promise<Venue | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { tx } = unit;
    // A playlist is locked before the venue, as where it is archived.
    const refusal = await checkPlaylist(tx, caller, requested);
    const [before] = await tx<VenueRow[]>`
      select * from venues where handle = ${handle} and workspace_handle = ${caller.workspace}
        and sandbox = ${caller.sandbox} and deleted_at is null for update`;
    if (!before) return refuseAbsent();
    if (refusal) return refusal;
    const columns = await withPhoto(tx, caller, requested);
    if (isRefusal(columns)) return columns;
    const { figures, blocked_categories: blocked, ...plain } = splitColumns(columns);
    const judged =
      Object.keys(figures).length === 0
        ? {}
        : requestedColumns(before, figures, { now: unit.now, hasEarned: await hasEarned(tx, handle) });
    const diff = diffOfChange(shownColumns(before), shownColumns({ ...columns, ...judged }));
    if (Object.keys(diff).length === 0) return render(before);
    const hasMoved = 'lat' in diff || 'lng' in diff;
    if (hasMoved) await noteCrowds(unit, [handle]);
    await keepZone(tx, before, { columns: judged, now: unit.now });
    const [row] = await tx<VenueRow[]>`
      update venues set ${tx({
        ...plain,
        ...bindFigures(tx, judged),
        ...(blocked !== undefined && { blocked_categories: tx.array(blocked) }),
      })} where handle = ${handle} returning *`;
    if (hasMoved) await noteCrowds(unit, [handle]);
    unit.audit({
      workspace: caller.workspace,
      action: 'venue.updated',
      entityType: 'venue',
      entityHandle: handle,
      diff,
    });
    unit.changed('venue', handle);
    return render(row!);
  });
}

/** Takes a venue out of every list. One with screens is refused: they are unpaired first, each by its own call. */
export async function archiveVenue(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'venue'>; now: Milliseconds },
): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const [row] = await unit.tx`
      select 1 from venues where handle = ${handle} and workspace_handle = ${caller.workspace}
        and sandbox = ${caller.sandbox} and deleted_at is null for update`;
    if (!row) return refuseAbsent();
    const [{ count } = { count: 0 }] = await unit.tx<
      { count: number }[]
    >`select count(*)::int as count from screens where venue_handle = ${handle} and unpaired_at is null`;
    if (count > 0)
      return refuse(
        'state_conflict',
        `The venue has ${count} paired ${count === 1 ? 'screen' : 'screens'}. Unpair them first, or move them to another venue.`,
      );
    await unit.tx`update venues set deleted_at = ${unit.now}, default_playlist_handle = null where handle = ${handle}`;
    unit.audit({
      workspace: caller.workspace,
      action: 'venue.archived',
      entityType: 'venue',
      entityHandle: handle,
      diff: { deleted_at: { from: null, to: unit.now } },
    });
    unit.changed('venue', handle);
    return undefined;
  });
}

/** Figures apart from what is in force at once whatever it is. */
function splitColumns(columns: VenueColumns) {
  const { type, city, lat, lng, timezone, opening_hours, daily_visitors, dwell_minutes, ...others } = columns;
  const figures = { type, city, lat, lng, timezone, opening_hours, daily_visitors, dwell_minutes };
  return {
    ...others,
    figures: Object.fromEntries(
      Object.entries(figures).filter(([, value]) => value !== undefined),
    ) as Partial<VenueFigures>,
  };
}

async function checkPlaylist(
  tx: Transaction,
  caller: Caller,
  { default_playlist_handle: playlist }: VenueColumns,
): Promise<Refusal | undefined> {
  if (playlist === undefined || playlist === null || (await isBindable(tx, caller, playlist))) return undefined;
  return refuseField('/default_playlist_id', 'unknown_playlist', 'is not a playlist of this workspace');
}

/**
 * The columns with the file of the picture that they name. The asset is locked, so that it is not archived meanwhile.
 */
async function withPhoto(tx: Transaction, caller: Caller, columns: VenueColumns): Promise<VenueColumns | Refusal> {
  const { photo_asset_handle: asset } = columns;
  if (asset === undefined || asset === null) return { ...columns, ...(asset === null && { photo_object: null }) };
  const [found] = await tx<{ status: string; renditions: Record<string, { object: string }> | null }[]>`
    select status, renditions from assets where handle = ${asset} and workspace_handle = ${caller.workspace}
      and sandbox = ${caller.sandbox} and archived_at is null for share`;
  if (!found) return refuseField('/photo_asset_id', 'unknown_asset', 'is not an asset of this workspace');
  const still = found.status === 'ready' ? found.renditions?.[STILL_PROFILE.name] : undefined;
  return still
    ? { ...columns, photo_object: still.object }
    : refuseField('/photo_asset_id', 'not_ready', `is ${found.status}; only a ready one can be shown`);
}

/** In the API's form, for the audit. */
function shownColumns({
  name,
  blocked_categories,
  default_playlist_handle: playlist,
  photo_asset_handle: photo,
  name_shown,
  coordinates_shown,
  ...figures
}: VenueColumns & FigureColumns): Record<string, unknown> {
  return {
    name,
    ...shownFigures(figures),
    blocked_categories,
    'visibility.name': name_shown,
    'visibility.coordinates': coordinates_shown,
    ...(playlist !== undefined && { default_playlist_id: playlist === null ? null : formatId('playlist', playlist) }),
    ...(photo !== undefined && { photo_asset_id: photo === null ? null : formatId('asset', photo) }),
  };
}

export function venueRecord(row: VenueRow, publicUrl: string): Venue {
  return {
    id: formatId('venue', row.handle),
    name: row.name,
    ...figuresOf(row),
    figures: figuresRecord(row),
    blocked_categories: row.blocked_categories,
    default_playlist_id:
      row.default_playlist_handle === null ? null : formatId('playlist', row.default_playlist_handle),
    visibility: { name: row.name_shown, coordinates: row.coordinates_shown },
    photo_asset_id: row.photo_asset_handle === null ? null : formatId('asset', row.photo_asset_handle),
    photo_url: photoUrl(row.photo_object, publicUrl),
    created_at: row.created_at.toISOString(),
  };
}

/** Address of a venue's picture. */
export function photoUrl(object: string | null, publicUrl: string): string | null {
  return object === null ? null : `${publicUrl}/assets/${object}`;
}
