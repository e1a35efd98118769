/**
 * The units of work that write venues: creation, changes, reviews of figures and archiving. A playlist is locked before
 * the venue, as by its own archiving.
 */
import { diffOfChange, diffOfNew } from '#domain/access/audit-diff.ts';
import { STILL_PROFILE } from '#domain/campaigns/rendition.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import {
  auditedColumns,
  decidedColumns,
  requestedColumns,
  settingsOf,
  splitColumns,
  type FigureDecision,
  type VenueColumns,
  type VenueRow,
} from '#domain/screens/stored-venue.ts';
import { inUnitOfWork, type Call, type Decider, type Owner, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import type { SerializableParameter } from 'postgres';
import { jsonb, type Postgres, type Transaction } from '#sql/postgres.ts';
import { noteCrowds } from './crowd.ts';
import { hasEarned, holdPlaylist, lockVenue } from './rows.ts';

/** Creates a venue. @param columns every column except those that have a default */
export async function createVenue(sql: Postgres, call: Call, columns: VenueColumns): Promise<VenueRow | Refusal> {
  return inUnitOfWork(sql, call, unit => addVenue(unit, call, columns));
}

/** Creates a venue inside a unit of work. Implausible figures wait for the operator. */
export async function addVenue(unit: Unit, owner: Owner, requested: VenueColumns): Promise<VenueRow | Refusal> {
  const { tx, now } = unit;
  const refusal = await checkPlaylist(tx, owner, requested);
  if (refusal) return refusal;
  const columns = await withPhoto(tx, owner, requested);
  if (isRefusal(columns)) return columns;
  const { figures, plain } = splitColumns(columns);
  const stored = {
    ...plain,
    ...requestedColumns(undefined, { opening_hours: null, ...figures }, { now, hasEarned: false }),
    workspace_handle: owner.workspace,
    sandbox: owner.sandbox,
    created_at: now,
  };
  const [row] = await tx<VenueRow[]>`insert into venues ${tx(bound(tx, stored))} returning *`;
  const { handle, pending_figures: pending } = row!;
  const diff = diffOfNew({ ...settingsOf(row!), ...(pending && { pending_figures: pending }) });
  unit.audit({ workspace: owner.workspace, action: 'venue.created', entityType: 'venue', entityHandle: handle, diff });
  unit.changed('venue', handle);
  return row!;
}

/** Changes the given columns; figures above thresholds wait for the operator. A change of nothing writes nothing. */
export async function changeVenue(
  sql: Postgres,
  call: Call,
  { handle, columns: requested }: { handle: Handle<'venue'>; columns: VenueColumns },
): Promise<VenueRow | Refusal> {
  return inUnitOfWork<VenueRow | Refusal>(sql, call, async unit => {
    const { tx, now } = unit;
    const refusal = await checkPlaylist(tx, call, requested);
    const before = await lockVenue(tx, handle, call);
    if (!before) return refuseAbsent();
    if (refusal) return refusal;
    const columns = await withPhoto(tx, call, requested);
    if (isRefusal(columns)) return columns;
    const { figures, plain } = splitColumns(columns);
    const isJudged = Object.keys(figures).length > 0;
    const judged = isJudged && requestedColumns(before, figures, { now, hasEarned: await hasEarned(tx, handle) });
    return (await writeVenue(unit, before, { action: 'venue.updated', columns: { ...plain, ...judged } })) ?? before;
  });
}

/**
 * Writes the operator's decision on the figures of a venue and returns the row after it. The audit log of the person's
 * own workspace has the decision too.
 * @param book the book of the venue; undefined: any
 */
export async function decideFigures(
  sql: Postgres,
  options: UnitOptions,
  { venue, decision, by, book }: { venue: Handle<'venue'>; decision: FigureDecision; by?: Decider; book?: boolean },
): Promise<VenueRow | Refusal> {
  return inUnitOfWork<VenueRow | Refusal>(sql, options, async unit => {
    const before = await lockVenue(unit.tx, venue);
    if (!before || (book !== undefined && before.sandbox !== book)) return refuseAbsent();
    const columns = decidedColumns(before, decision, unit.now);
    if (isRefusal(columns)) return columns;
    const action = 'reason' in decision ? 'venue.rejected' : 'venue.approved';
    const after = { ...before, ...columns };
    const diff = diffOfChange(reviewOf(before), reviewOf(after));
    if (by && Object.keys(diff).length > 0)
      unit.audit({ ...by, action, entityType: 'venue', entityHandle: venue, diff });
    return (await writeVenue(unit, before, { action, columns })) ?? after;
  });
}

function reviewOf({ pending_figures, audience_max, review_status, review_code }: VenueRow): Record<string, unknown> {
  return { pending_figures, audience_max, review_status, review_code };
}

/** Judges the figures of all venues again, a unit of work for each. Returns how many, and those that it changed. */
export async function recheckFigures(
  sql: Postgres,
  options: UnitOptions,
): Promise<{ checked: number; held: Handle<'venue'>[] }> {
  const rows = await sql<{ handle: Handle<'venue'> }[]>`
    select handle from venues where deleted_at is null order by handle`;
  const held: Handle<'venue'>[] = [];
  for (const { handle } of rows) {
    const after = await inUnitOfWork(sql, options, async unit => {
      const before = await lockVenue(unit.tx, handle);
      if (!before) return undefined;
      const columns = requestedColumns(before, {}, { now: unit.now, hasEarned: await hasEarned(unit.tx, handle) });
      return writeVenue(unit, before, { action: 'venue.rechecked', columns });
    });
    if (after) held.push(handle);
  }
  return { checked: rows.length, held };
}

/** Takes a venue out of every list. One with screens is refused: they are unpaired first, each by its own call. */
export async function archiveVenue(sql: Postgres, call: Call, handle: Handle<'venue'>): Promise<undefined | Refusal> {
  const { workspace } = call;
  return inUnitOfWork(sql, call, async unit => {
    const { tx, now } = unit;
    if (!(await lockVenue(tx, handle, call))) return refuseAbsent();
    const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`
      select count(*)::int as count from screens where venue_handle = ${handle} and unpaired_at is null`;
    if (count > 0)
      return refuse(
        'state_conflict',
        `The venue has ${count} paired ${count === 1 ? 'screen' : 'screens'}. Unpair them first, or move them to another venue.`,
      );
    await tx`update venues set deleted_at = ${now}, default_playlist_handle = null where handle = ${handle}`;
    const diff = { deleted_at: { from: null, to: now } };
    unit.audit({ workspace, action: 'venue.archived', entityType: 'venue', entityHandle: handle, diff });
    unit.changed('venue', handle);
    return undefined;
  });
}

/** Unbinds an archived playlist from venues, which then show ads alone. Returns how many. */
export async function clearDefaultPlaylist(tx: Transaction, playlist: Handle<'playlist'>): Promise<number> {
  const venues = await tx`
    update venues set default_playlist_handle = null where default_playlist_handle = ${playlist}`;
  return venues.count;
}

type VenueChange = { action: string; columns: Partial<VenueRow> };

/** Writes columns of a locked row and their audit entry. Returns the row; undefined if the audit would be empty. */
async function writeVenue(
  unit: Unit,
  before: VenueRow,
  { action, columns }: VenueChange,
): Promise<VenueRow | undefined> {
  const { tx, now } = unit;
  const { handle, workspace_handle: workspace, sandbox, timezone } = before;
  const diff = diffOfChange(auditedColumns(before), auditedColumns(columns));
  if (Object.keys(diff).length === 0) return undefined;
  const hasMoved = 'lat' in diff || 'lng' in diff;
  if (hasMoved) await noteCrowds(unit, [handle]);
  if (columns.timezone !== undefined && columns.timezone !== timezone)
    await tx`insert into venue_zones (venue_handle, until, timezone) values (${handle}, ${now}, ${timezone})
      on conflict do nothing`; // of two changes at the same moment the first ended a zone that plays were settled in
  const [row] = await tx<VenueRow[]>`update venues set ${tx(bound(tx, columns))} where handle = ${handle} returning *`;
  if (hasMoved) await noteCrowds(unit, [handle]);
  unit.audit({ workspace, sandbox, action, entityType: 'venue', entityHandle: handle, diff });
  unit.changed('venue', handle);
  return row!;
}

const JSON_COLUMNS = new Set(['opening_hours', 'pending_figures', 'baseline_figures']);

/** The columns in the driver's form: JSON and lists are wrapped. */
function bound<T extends Partial<VenueRow>>(tx: Transaction, columns: T): { [K in keyof T]: SerializableParameter } {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => {
      if (JSON_COLUMNS.has(name)) return [name, value === null ? null : jsonb(tx, value)];
      return [name, Array.isArray(value) ? tx.array(value as string[]) : value];
    }),
  ) as { [K in keyof T]: SerializableParameter };
}

async function checkPlaylist(
  tx: Transaction,
  owner: Owner,
  { default_playlist_handle: playlist }: VenueColumns,
): Promise<Refusal | undefined> {
  if (playlist === undefined || playlist === null || (await holdPlaylist(tx, owner, playlist))) return undefined;
  return refuseField('/default_playlist_id', 'unknown_playlist', 'is not a playlist of this workspace');
}

/**
 * The columns with the file of the picture that they name. The asset is locked, so that it is not archived meanwhile.
 */
async function withPhoto(tx: Transaction, owner: Owner, columns: VenueColumns): Promise<VenueColumns | Refusal> {
  const { photo_asset_handle: asset } = columns;
  if (asset === undefined || asset === null) return { ...columns, ...(asset === null && { photo_object: null }) };
  const [found] = await tx<{ status: string; renditions: Record<string, { object: string }> | null }[]>`
    select status, renditions from assets where handle = ${asset} and workspace_handle = ${owner.workspace}
      and sandbox = ${owner.sandbox} and archived_at is null for share`;
  if (!found) return refuseField('/photo_asset_id', 'unknown_asset', 'is not an asset of this workspace');
  const still = found.status === 'ready' ? found.renditions?.[STILL_PROFILE.name] : undefined;
  return still
    ? { ...columns, photo_object: still.object }
    : refuseField('/photo_asset_id', 'not_ready', `is ${found.status}; only a ready one can be shown`);
}
