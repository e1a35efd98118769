/**
 * Writes the events of an uploaded file, for creatives and assets: it arrived, was accepted or was rejected. Each is
 * written inside a unit of work that has locked the row. The rules (`domain/`) have already decided what may happen.
 */
import type { Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { assignments, jsonb, type Queryable } from '#sql/postgres.ts';

export type MediaKind = 'creative' | 'asset';
export type MediaRow = {
  handle: Handle<MediaKind>;
  workspace_handle: Handle<'workspace'>;
  name: string;
  sandbox: boolean;
  status: string;
  content_type: string;
  upload_expires_at: Date | null;
  uploaded_at: Date | null;
  check_starts: number;
  /** This field and the following ones: of creatives only. */
  orientation?: string;
  duration_ms?: Milliseconds;
  audio_content_type?: string | null;
  audio_uploaded_at?: Date | null;
};
type Stored = { sha256: string; bytes: number };
export type Rejection = { code: string; detail: string };
/** A row and the public id of its entity. */
export type MediaEntity = { kind: MediaKind; id: string; row: MediaRow };

const tableOf = (sql: Queryable, kind: MediaKind) => sql(kind === 'creative' ? 'creatives' : 'assets');
/** A condition: neither detached nor archived, so the file is still awaited, checked and rendered. */
const isKept = (sql: Queryable, kind: MediaKind) =>
  kind === 'creative' ? sql`and detached_at is null` : sql`and archived_at is null`;
/** A condition: all files of the row have arrived, and they are not accepted or rejected yet. */
const isWaiting = (sql: Queryable, kind: MediaKind) =>
  sql`status = 'awaiting_upload' and uploaded_at is not null
      ${kind === 'creative' ? sql`and (audio_filename is null or audio_uploaded_at is not null)` : sql``}
      ${isKept(sql, kind)}`;

/** Whether all files of the row have arrived. */
export function isComplete({ uploaded_at, audio_content_type, audio_uploaded_at }: MediaRow): boolean {
  return uploaded_at !== null && ((audio_content_type ?? null) === null || (audio_uploaded_at ?? null) !== null);
}

export async function readMedia(
  sql: Queryable,
  kind: MediaKind,
  handle: Handle<MediaKind>,
): Promise<MediaRow | undefined> {
  const [row] = await sql<MediaRow[]>`
    select * from ${tableOf(sql, kind)} where handle = ${handle} ${isKept(sql, kind)}`;
  return row;
}

export async function lockMedia(
  { tx }: Unit,
  kind: MediaKind,
  handle: Handle<MediaKind>,
): Promise<MediaRow | undefined> {
  const [row] = await tx<MediaRow[]>`
    select * from ${tableOf(tx, kind)} where handle = ${handle} ${isKept(tx, kind)} for update`;
  return row;
}

/**
 * Whether a file may still arrive at the storage, also in place of a rejected one, because an upload address was valid
 * after `since`.
 */
export async function isAnyAwaited(sql: Queryable, kind: MediaKind, since: Date): Promise<boolean> {
  const rows = await sql`
    (select 1 from ${tableOf(sql, kind)}
      where status = 'awaiting_upload' and upload_expires_at > ${since} ${isKept(sql, kind)} limit 1)
    union all (select 1 from ${tableOf(sql, kind)}
      where status = 'rejected' and upload_expires_at > ${since} ${isKept(sql, kind)} limit 1)`;
  return rows.length > 0;
}

/**
 * The creatives or assets whose files have all arrived and wait for their check. `place` is the place in the line of
 * its own workspace, from 1. First places come first, so a workspace with a thousand uploads delays no other.
 */
export async function waitingMedia<K extends MediaKind>(
  sql: Queryable,
  kind: K,
  count: number,
): Promise<{ handle: Handle<K>; place: number }[]> {
  return sql<{ handle: Handle<K>; place: number }[]>`
    select handle, row_number() over (partition by workspace_handle order by handle) as place
    from ${tableOf(sql, kind)} where ${isWaiting(sql, kind)} order by place, handle limit ${count}`;
}

/** How many wait for their check, counted up to `countMax`, and since when the oldest of them has waited. */
export async function oldestWaiting(
  sql: Queryable,
  kind: MediaKind,
  countMax: number,
): Promise<{ count: number; since: Date | null }> {
  const [row] = await sql<{ count: number; since: Date | null }[]>`
    select count(*) as count, min(uploaded_at) as since
    from (select uploaded_at from ${tableOf(sql, kind)} where ${isWaiting(sql, kind)} order by handle
      limit ${countMax}) as w`;
  return row!;
}

/** Counts the start of a check and returns the row; undefined if there is nothing left to check. */
export async function startCheck(
  sql: Queryable,
  kind: MediaKind,
  handle: Handle<MediaKind>,
): Promise<MediaRow | undefined> {
  const [row] = await sql<MediaRow[]>`
    update ${tableOf(sql, kind)} set check_starts = check_starts + 1, progress_percent = 0
    where handle = ${handle} and ${isWaiting(sql, kind)} returning *`;
  return row;
}

/** Uncounts the start of a check that failed for a reason other than the file. */
export async function excuseCheck(sql: Queryable, kind: MediaKind, handle: Handle<MediaKind>): Promise<void> {
  await sql`update ${tableOf(sql, kind)} set check_starts = check_starts - 1
    where handle = ${handle} and check_starts > 0`;
}

type MediaProgress = { kind: MediaKind; handle: Handle<MediaKind>; percent: number };

export async function noteProgress(sql: Queryable, { kind, handle, percent }: MediaProgress): Promise<void> {
  await sql`update ${tableOf(sql, kind)} set progress_percent = ${percent}
    where handle = ${handle} and status = 'awaiting_upload'`;
}

/** The columns of a row whose rejected file is replaced: all of its files are awaited again. */
export const REOPENED = {
  status: 'awaiting_upload',
  rejection: null,
  sha256: null,
  bytes: null,
  check_starts: 0,
  uploaded_at: null,
};
const REOPENED_OF = { asset: REOPENED, creative: { ...REOPENED, audio_uploaded_at: null } };

/** One of the files has arrived, perhaps in place of a rejected one. Subscribers get an event when it is the last. */
export async function writeUpload(
  unit: Unit,
  { kind, id, row }: MediaEntity,
  { part, bytes }: { part: 'file' | 'audio'; bytes: number },
): Promise<void> {
  const columns = {
    ...(row.status === 'rejected' && REOPENED_OF[kind]),
    ...(part === 'audio' ? { audio_uploaded_at: unit.now } : { uploaded_at: unit.now }),
  };
  await unit.tx`update ${tableOf(unit.tx, kind)} set ${assignments(unit.tx, columns)} where handle = ${row.handle}`;
  const diff = { [part]: { from: null, to: { bytes } } };
  unit.audit({ ...entityOf(kind, row), sandbox: row.sandbox, action: `${kind}.uploaded`, diff });
  if (isComplete({ ...row, ...columns }) && kind === 'creative')
    unit.emit({
      ...entityOf(kind, row),
      sandbox: row.sandbox,
      type: 'creative.uploaded',
      payload: { object: objectOf(id, row) },
    });
}

export type Accepted = Stored & { media: object; renditions: object; poster: string };

export async function writeReady(
  unit: Unit,
  entity: MediaEntity,
  { sha256, bytes, media, renditions, poster }: Accepted,
): Promise<void> {
  const { tx } = unit;
  await writeVerdict(unit, entity, {
    status: 'ready',
    columns: { sha256, bytes, media: jsonb(tx, media), renditions: jsonb(tx, renditions), poster },
    shown: { sha256 },
  });
}

export async function writeRejected(
  unit: Unit,
  entity: MediaEntity,
  { rejection, stored }: { rejection: Rejection; stored: Stored | undefined },
): Promise<void> {
  await writeVerdict(unit, entity, {
    status: 'rejected',
    columns: { ...stored, rejection: jsonb(unit.tx, rejection) },
    shown: { rejection },
  });
}

type Verdict = { status: 'ready' | 'rejected'; columns: Record<string, unknown>; shown: Record<string, unknown> };

async function writeVerdict(
  unit: Unit,
  { kind, id, row }: MediaEntity,
  { status, columns, shown }: Verdict,
): Promise<void> {
  await unit.tx`update ${tableOf(unit.tx, kind)}
    set ${assignments(unit.tx, { ...columns, status, progress_percent: null })} where handle = ${row.handle}`;
  const diff = Object.fromEntries(Object.entries(shown).map(([field, to]) => [field, { from: null, to }]));
  unit.audit({
    ...entityOf(kind, row),
    sandbox: row.sandbox,
    action: `${kind}.${status}`,
    diff: { status: { from: row.status, to: status }, ...diff },
  });
  if (kind === 'creative')
    unit.emit({
      ...entityOf(kind, row),
      sandbox: row.sandbox,
      type: `creative.${status}`,
      payload: {
        object: {
          ...objectOf(id, row),
          status,
          ...(shown['rejection'] !== undefined && { rejection: shown['rejection'] }),
        },
        previous: { status: row.status },
      },
    });
  unit.changed(kind, row.handle);
}

function entityOf(
  kind: MediaKind,
  row: MediaRow,
): { workspace: Handle<'workspace'>; entityType: string; entityHandle: Handle<MediaKind> } {
  return { workspace: row.workspace_handle, entityType: kind, entityHandle: row.handle };
}

function objectOf(id: string, { name, orientation, duration_ms, status }: MediaRow): Record<string, unknown> {
  return { id, name, orientation, duration_ms, status };
}
