/**
 * The units of work that create, change and detach creatives. The file of a creative comes through its upload address
 * and is checked by the workers (`media-life.ts`). See docs/creatives.md.
 */
import { diffOfChange, diffOfNew } from '#domain/access/audit-diff.ts';
import { creativeMachine, parseCreative, type CreativeFields } from '#domain/campaigns/creative.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import { next } from '#domain/transition.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { inUnitOfWork, type Call } from '#books/unit-of-work.ts';
import { pauseWithoutCreative } from '#sql/campaigns/units.ts';
import type { Postgres } from '#sql/postgres.ts';
import { REOPENED } from './media-life.ts';
import { isOfVenue, lockCreative, UPLOAD_VALID_MS, type CreativeOwner, type CreativeRow } from './rows.ts';

type CreativeCall = Call & CreativeOwner;
/** Makes the result of a call from its row, within the unit of work, so that the reply is stored with its effect. */
type Render<T> = (row: CreativeRow) => Promise<T>;

/** Creates a creative. A named file is expected to be uploaded from now on. */
export async function createCreative<T>(
  sql: Postgres,
  call: CreativeCall,
  { fields, render }: { fields: CreativeFields; render: Render<T> },
): Promise<T> {
  const { workspace } = call;
  return inUnitOfWork(sql, call, async unit => {
    const columns = {
      ...columnsOf(fields, unit.now),
      workspace_handle: workspace,
      sandbox: call.sandbox,
      of_venue: isOfVenue(call),
      created_at: unit.now,
    };
    const [row] = await unit.tx<CreativeRow[]>`insert into creatives ${unit.tx(columns)} returning *`;
    const diff = diffOfNew(auditedOf(row!));
    unit.audit({ workspace, action: 'creative.created', entityType: 'creative', entityHandle: row!.handle, diff });
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
export async function changeCreative<T>(
  sql: Postgres,
  call: CreativeCall,
  { handle, changes, render }: { handle: Handle<'creative'>; changes: CreativeChanges; render: Render<T> },
): Promise<T | Refusal> {
  const { workspace } = call;
  return inUnitOfWork<T | Refusal>(sql, call, async unit => {
    const row = await lockCreative(unit.tx, call, handle);
    if (!row) return refuseAbsent();
    const fields = parseCreative({
      name: row.name,
      orientation: row.orientation,
      duration_ms: row.duration_ms,
      synthetic: row.synthetic,
      ...fileNamesOf(row),
      ...changes,
    });
    if (isRefusal(fields)) return fields;
    const isDeclared = Object.keys(changes).every(field => DECLARATIONS.has(field));
    if (!isDeclared && !isOpen(row))
      return refuse(
        'state_conflict',
        'A file has come: all but the name and `synthetic` is settled. Create another creative for another file.',
      );
    if (row.status === 'rejected' && !isDeclared && changes.filename === undefined)
      return refuseField('/filename', 'required', 'must name the file that takes the place of the rejected one');
    const columns = isDeclared
      ? { name: fields.name, synthetic: fields.synthetic }
      : {
          ...(row.status === 'rejected' && { ...REOPENED, audio_uploaded_at: null }),
          ...columnsOf(fields, unit.now),
          ...(changes.filename === undefined &&
            row.status === 'awaiting_upload' && { upload_expires_at: row.upload_expires_at }),
        };
    const [after] = await unit.tx<CreativeRow[]>`
      update creatives set ${unit.tx(columns)} where handle = ${handle} returning *`;
    const diff = diffOfChange(auditedOf(row), auditedOf(after!));
    unit.audit({ workspace, action: 'creative.updated', entityType: 'creative', entityHandle: handle, diff });
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
  call: CreativeCall,
  handle: Handle<'creative'>,
): Promise<undefined | Refusal> {
  const { workspace } = call;
  return inUnitOfWork(sql, call, async unit => {
    const row = await lockCreative(unit.tx, call, handle);
    if (!row) return refuseAbsent();
    await unit.tx`update creatives set status = 'detached', detached_at = ${unit.now} where handle = ${handle}`;
    const diff = { status: { from: row.status, to: 'detached' } };
    unit.audit({ workspace, action: 'creative.detached', entityType: 'creative', entityHandle: handle, diff });
    unit.changed('creative', handle);
    await pauseWithoutCreative(unit, handle);
    return undefined;
  });
}
