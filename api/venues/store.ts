import { formatId } from '#domain/id.ts';
import { refuseField, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork } from '#sql/unit-of-work.ts';
import type { Caller } from '../authentication.ts';
import { diffOfChange, diffOfNew } from '../diff.ts';
import { refuseAbsent } from '../error-reply.ts';
import { envelope, handleBefore, type List, type Page } from '../paging.ts';
import { isBindable } from '../playlists/store.ts';
import { noteCrowds } from './crowd.ts';
import type { VenueColumns } from './fields.ts';
import type { Venue } from './schema.ts';

type VenueRow = Required<VenueColumns> & { handle: number; created_at: Date };

/** Venues of the caller's workspace and book, newest first. */
export async function listVenues(sql: Postgres, caller: Caller, page: Page): Promise<List<Venue>> {
  const rows = await sql<VenueRow[]>`
    select * from venues where workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and deleted_at is null and handle < ${handleBefore(page)}
    order by handle desc limit ${page.limit + 1}`;
  return envelope(rows, page, { positionOf: row => String(row.handle), recordOf: venueRecord });
}

export async function readVenue(sql: Queryable, caller: Caller, handle: number): Promise<Venue | Refusal> {
  const [row] = await sql<VenueRow[]>`select * from venues where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and deleted_at is null`;
  return row ? venueRecord(row) : refuseAbsent();
}

/** @param columns every column except those that have a default */
export async function createVenue(sql: Postgres, caller: Caller, { columns, now }: { columns: VenueColumns; now: number }): Promise<Venue | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const refusal = await checkPlaylist(unit.tx, caller, columns);
    if (refusal) return refusal;
    const { opening_hours: openingHours = null, blocked_categories: blocked = [], ...plain } = columns;
    const [row] = await unit.tx<VenueRow[]>`
      insert into venues ${unit.tx({
        ...plain,
        workspace_handle: caller.workspace,
        sandbox: caller.sandbox,
        opening_hours: openingHours === null ? null : unit.tx.json(openingHours as never),
        blocked_categories: unit.tx.array(blocked),
        created_at: unit.now,
      })} returning *`;
    const venue = venueRecord(row!);
    const { id: _id, created_at: _createdAt, ...shown } = venue;
    unit.audit({ workspace: caller.workspace, action: 'venue.created', entityType: 'venue', entityHandle: row!.handle, diff: diffOfNew(shown) });
    unit.changed('venue', row!.handle);
    return venue;
  });
}

/** Changes the given columns. A change of nothing writes nothing. */
export async function changeVenue(sql: Postgres, caller: Caller, { handle, columns, now }: { handle: number; columns: VenueColumns; now: number }): Promise<Venue | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const refusal = await checkPlaylist(unit.tx, caller, columns); // a playlist is locked before the venue, as where it is archived
    const [before] = await unit.tx<VenueRow[]>`
      select * from venues where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and deleted_at is null for update`;
    if (!before) return refuseAbsent();
    if (refusal) return refusal;
    const diff = diffOfChange(shownColumns(before), shownColumns(columns));
    if (Object.keys(diff).length === 0) return venueRecord(before);
    const { opening_hours: openingHours, blocked_categories: blocked, ...plain } = columns;
    const hasMoved = 'lat' in diff || 'lng' in diff;
    if (hasMoved) await noteCrowds(unit, [handle]);
    const [row] = await unit.tx<VenueRow[]>`
      update venues set ${unit.tx({
        ...plain,
        ...(openingHours !== undefined && { opening_hours: openingHours === null ? null : unit.tx.json(openingHours as never) }),
        ...(blocked !== undefined && { blocked_categories: unit.tx.array(blocked) }),
      })} where handle = ${handle} returning *`;
    if (hasMoved) await noteCrowds(unit, [handle]);
    unit.audit({ workspace: caller.workspace, action: 'venue.updated', entityType: 'venue', entityHandle: handle, diff });
    unit.changed('venue', handle);
    return venueRecord(row!);
  });
}

async function checkPlaylist(tx: Transaction, caller: Caller, { default_playlist_handle: playlist }: VenueColumns): Promise<Refusal | undefined> {
  if (playlist === undefined || playlist === null || await isBindable(tx, caller, playlist)) return undefined;
  return refuseField('/default_playlist_id', 'unknown_playlist', 'is not a playlist of this workspace');
}

/** In the API's spelling, for the audit. */
function shownColumns({ default_playlist_handle: playlist, ...plain }: VenueColumns): Record<string, unknown> {
  return { ...plain, ...(playlist !== undefined && { default_playlist_id: playlist === null ? null : formatId('playlist', playlist) }) };
}

function venueRecord(row: VenueRow): Venue {
  return {
    id: formatId('venue', row.handle),
    name: row.name,
    type: row.type,
    city: row.city,
    lat: row.lat,
    lng: row.lng,
    timezone: row.timezone,
    opening_hours: row.opening_hours,
    daily_visitors: row.daily_visitors,
    dwell_minutes: row.dwell_minutes,
    blocked_categories: row.blocked_categories,
    default_playlist_id: row.default_playlist_handle === null ? null : formatId('playlist', row.default_playlist_handle),
    created_at: row.created_at.toISOString(),
  };
}
