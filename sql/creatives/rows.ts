/** Creatives in Postgres: lists of them, and single creatives, read and locked. */
import type { Surface } from '#domain/access/permission.ts';
import type { Renditions } from '#domain/campaigns/rendition.ts';
import type { Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { likeText, readListed, type Counted } from '#sql/lists/list-order.ts';
import type { PageOrder, Sorts } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';

/** The columns of an upload, which creatives and assets share. */
export type UploadRow = {
  status: string;
  content_type: string | null;
  upload_expires_at: Date | null;
  uploaded_at: Date | null;
  progress_percent: number | null;
  sha256: string | null;
  bytes: number | null;
  poster: string | null;
  renditions: Renditions | null;
  rejection: { code: string; detail: string } | null;
};

export type CreativeRow = UploadRow & {
  handle: Handle<'creative'>;
  workspace_handle: Handle<'workspace'>;
  name: string;
  orientation: string;
  kind: string | null;
  duration_ms: Milliseconds;
  synthetic: boolean;
  filename: string | null;
  sandbox: boolean;
  audio_filename: string | null;
  audio_content_type: string | null;
  audio_uploaded_at: Date | null;
  created_at: Date;
};

/** The orders of lists of creatives and assets. */
export const MEDIA_SORTS = {
  created_at: 'handle',
  name: { column: 'name', type: 'text', valueOf: row => row.name },
} as const satisfies Sorts<{ name: string }>;

/** How long an upload address is valid: enough for 200 MiB over a slow line, and short in case it is passed on. */
export const UPLOAD_VALID_MS = 60 * 60 * 1_000;

/** A venue's creatives are for playlists, a brand's for campaigns. Each side sees and changes only its own. */
export type CreativeOwner = Owner & { surface: Surface };
export const isOfVenue = ({ surface }: CreativeOwner): boolean => surface === 'screen_manager';
const isOf = (sql: Queryable, owner: CreativeOwner) =>
  sql`workspace_handle = ${owner.workspace} and sandbox = ${owner.sandbox} and of_venue = ${isOfVenue(owner)}
      and detached_at is null`;

/** `isCounted` requests the total of all pages. */
export type CreativeFilter = {
  statuses?: readonly string[];
  orientations?: readonly string[];
  name?: string;
  isCounted: boolean;
};

/** A page of the owner's creatives, with one row more if there is a next page. */
export async function listCreatives(
  sql: Postgres,
  owner: CreativeOwner,
  { page, filter: { statuses, orientations, name, isCounted } }: { page: PageOrder; filter: CreativeFilter },
): Promise<Counted<CreativeRow>> {
  const wanted = sql<CreativeRow[]>`select * from creatives where ${isOf(sql, owner)}
    ${statuses === undefined ? sql`` : sql`and status = any (${[...statuses]}::text[])`}
      ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}
    ${orientations === undefined ? sql`` : sql`and orientation = any (${[...orientations]}::text[])`}`;
  return readListed(sql, page, { sorts: MEDIA_SORTS, wanted, isCounted });
}

/** One creative of the owner that is not detached. */
export async function findCreative(
  sql: Queryable,
  owner: CreativeOwner,
  handle: Handle<'creative'>,
): Promise<CreativeRow | undefined> {
  const [row] = await sql<CreativeRow[]>`select * from creatives where handle = ${handle} and ${isOf(sql, owner)}`;
  return row;
}

/** Locks and reads one creative of the owner that is not detached. */
export async function lockCreative(
  tx: Transaction,
  owner: CreativeOwner,
  handle: Handle<'creative'>,
): Promise<CreativeRow | undefined> {
  const [row] = await tx<CreativeRow[]>`
    select * from creatives where handle = ${handle} and ${isOf(tx, owner)} for update`;
  return row;
}
