/**
 * Creatives in Postgres: list, creation, changes and detaching. The file of a creative comes through its upload address
 * (`uploads/`) and is checked by the workers. See docs/creatives.md.
 */
import { creativeMachine, parseCreative, type CreativeFields } from '#domain/campaigns/creative.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { next } from '#domain/transition.ts';
import { REOPENED } from '#books/media-life.ts';
import { pauseWithoutCreative } from '#sql/campaigns/units.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfChange, diffOfNew } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { likeText, positionIn, sliceOf, totalOf } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import type { CreativeRow } from './record.ts';
import { MEDIA_SORTS, type Creative } from './schema.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** How long an upload address is valid: enough for 200 MiB over a slow line, and short in case it is passed on. */
export const UPLOAD_VALID_MS = 60 * 60 * 1_000;

/** How a row is written out, within the unit of work, so that the reply can be stored with its effect. */
type RenderOptions = { render: (row: CreativeRow) => Promise<Creative>; now: () => Milliseconds };

/** A venue's creatives are for playlists, a brand's for campaigns. Each side sees and changes only its own. */
const isOfVenue = ({ surface }: Caller): boolean => surface === 'screen_manager';
const ofCaller = (sql: Queryable, caller: Caller) =>
  sql`workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and of_venue = ${isOfVenue(caller)}
      and detached_at is null`;

export async function listCreatives(
  sql: Postgres,
  caller: Caller,
  {
    page,
    filter,
  }: {
    page: Page;
    filter: { statuses?: readonly string[]; orientations?: readonly string[]; name?: string; isCounted: boolean };
  },
): Promise<List<CreativeRow>> {
  const { statuses, orientations, name, isCounted } = filter;
  const wanted = sql`${ofCaller(sql, caller)}
    ${statuses === undefined ? sql`` : sql`and status = any (${[...statuses]}::text[])`}
      ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}
    ${orientations === undefined ? sql`` : sql`and orientation = any (${[...orientations]}::text[])`}`;
  const { behind, order } = sliceOf(sql, page, { sorts: MEDIA_SORTS });
  const [rows, total] = await Promise.all([
    sql<CreativeRow[]>`select * from creatives where ${wanted} ${behind} ${order}`,
    totalOf(sql, isCounted, sql`select 1 from creatives where ${wanted}`),
  ]);
  return { ...envelope(rows, page, { positionOf: positionIn(page, MEDIA_SORTS), recordOf: row => row }), ...total };
}

export async function readCreative(
  sql: Postgres,
  caller: Caller,
  handle: Handle<'creative'>,
): Promise<CreativeRow | Refusal> {
  const [row] = await sql<CreativeRow[]>`
    select * from creatives where handle = ${handle} and ${ofCaller(sql, caller)}`;
  return row ?? refuseAbsent();
}

export async function createCreative(
  sql: Postgres,
  caller: Caller,
  { fields, render, now }: { fields: CreativeFields } & RenderOptions,
): Promise<Creative> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now()) }, async unit => {
    const columns = {
      ...columnsOf(fields, unit.now),
      workspace_handle: caller.workspace,
      sandbox: caller.sandbox,
      of_venue: isOfVenue(caller),
      created_at: unit.now,
    };
    const [row] = await unit.tx<CreativeRow[]>`insert into creatives ${unit.tx(columns)} returning *`;
    unit.audit({
      workspace: caller.workspace,
      action: 'creative.created',
      entityType: 'creative',
      entityHandle: row!.handle,
      diff: diffOfNew(auditedOf(row!)),
    });
    return render(row!);
  });
}

/** The columns of these fields. A named file is expected to be uploaded from now on. */
function columnsOf({ name, orientation, durationMs, file, audio, synthetic }: CreativeFields, now: Date) {
  return {
    name,
    orientation,
    duration_ms: durationMs,
    synthetic,
    kind: file?.kind ?? null,
    filename: file?.filename ?? null,
    content_type: file?.contentType ?? null,
    audio_filename: audio?.filename ?? null,
    audio_content_type: audio?.contentType ?? null,
    status: file ? 'awaiting_upload' : 'draft',
    upload_expires_at: file ? new Date(now.getTime() + UPLOAD_VALID_MS) : null,
  };
}

function auditedOf({
  name,
  orientation,
  duration_ms,
  synthetic,
  filename,
  audio_filename,
  status,
}: CreativeRow): Record<string, unknown> {
  return {
    name,
    orientation,
    duration_ms,
    synthetic,
    filename,
    ...(audio_filename !== null && { audio_filename }),
    status,
  };
}

type CreativeChanges = {
  name?: string;
  orientation?: string;
  duration_ms?: Milliseconds;
  filename?: string;
  audio_filename?: string;
  synthetic?: boolean;
};

/** Fields that may change after the file was uploaded. */
const DECLARATIONS: ReadonlySet<string> = new Set(['name', 'synthetic']);

/**
 * Changes a creative. Its name and `synthetic` may change at any time. The rest may change until a file was uploaded,
 * or after it was rejected; a new file name gives a new upload address.
 */
export async function changeCreative(
  sql: Postgres,
  caller: Caller,
  { handle, body, render, now }: { handle: Handle<'creative'>; body: CreativeChanges } & RenderOptions,
): Promise<Creative | Refusal> {
  return inUnitOfWork<Creative | Refusal>(sql, { ...caller, now: new Date(now()) }, async unit => {
    const [row] = await unit.tx<CreativeRow[]>`
      select * from creatives where handle = ${handle} and ${ofCaller(unit.tx, caller)} for update`;
    if (!row) return refuseAbsent();
    const fields = parseCreative({
      name: row.name,
      orientation: row.orientation,
      duration_ms: row.duration_ms,
      synthetic: row.synthetic,
      ...fileNamesOf(row),
      ...body,
    });
    if (isRefusal(fields)) return fields;
    const isDeclared = Object.keys(body).every(field => DECLARATIONS.has(field));
    if (!isDeclared && !isOpen(row))
      return refuse(
        'state_conflict',
        'A file has come: all but the name and `synthetic` is settled. Create another creative for another file.',
      );
    if (row.status === 'rejected' && !isDeclared && body.filename === undefined)
      return refuseField('/filename', 'required', 'must name the file that takes the place of the rejected one');
    const columns = isDeclared
      ? { name: fields.name, synthetic: fields.synthetic }
      : {
          ...(row.status === 'rejected' && { ...REOPENED, audio_uploaded_at: null }),
          ...columnsOf(fields, unit.now),
          ...(body.filename === undefined &&
            row.status === 'awaiting_upload' && { upload_expires_at: row.upload_expires_at }),
        };
    const [after] = await unit.tx<
      CreativeRow[]
    >`update creatives set ${unit.tx(columns)} where handle = ${handle} returning *`;
    unit.audit({
      workspace: caller.workspace,
      action: 'creative.updated',
      entityType: 'creative',
      entityHandle: handle,
      diff: diffOfChange(auditedOf(row), auditedOf(after!)),
    });
    if (after!.synthetic !== row.synthetic) unit.changed('creative', handle);
    return render(after!);
  });
}

function fileNamesOf({ filename, audio_filename }: CreativeRow): { filename?: string; audio_filename?: string } {
  return { ...(filename !== null && { filename }), ...(audio_filename !== null && { audio_filename }) };
}

function isOpen({ status, uploaded_at, audio_uploaded_at }: CreativeRow): boolean {
  if (status === 'rejected') return true;
  return (
    next(creativeMachine, status as 'draft', 'name_file') !== undefined &&
    uploaded_at === null &&
    audio_uploaded_at === null
  );
}

/** Detaches a creative. Live campaigns without another creative that can run are paused in the same transaction. */
export async function detachCreative(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'creative'>; now: Milliseconds },
): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const [row] = await unit.tx<CreativeRow[]>`
      select * from creatives where handle = ${handle} and ${ofCaller(unit.tx, caller)} for update`;
    if (!row) return refuseAbsent();
    await unit.tx`update creatives set status = 'detached', detached_at = ${unit.now} where handle = ${handle}`;
    unit.audit({
      workspace: caller.workspace,
      action: 'creative.detached',
      entityType: 'creative',
      entityHandle: handle,
      diff: { status: { from: row.status, to: 'detached' } },
    });
    unit.changed('creative', handle);
    await pauseWithoutCreative(unit, handle);
    return undefined;
  });
}
