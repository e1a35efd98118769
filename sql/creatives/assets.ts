/**
 * Assets in Postgres: images that a venue shows in playlists or as its photo. They are archived, never deleted, and
 * only when nothing shows them. Their files are uploaded and checked as those of creatives are.
 */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import type { AssetFields } from '#domain/campaigns/creative.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Call, type Owner } from '#books/unit-of-work.ts';
import { likeText, readListed, type Counted } from '#sql/lists/list-order.ts';
import type { PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { MEDIA_SORTS, UPLOAD_VALID_MS, type UploadRow } from './rows.ts';

export type AssetRow = UploadRow & {
  handle: Handle<'asset'>;
  name: string;
  filename: string;
  content_type: string;
  created_at: Date;
  archived_at: Date | null;
};
/** Makes the result of a call from its row, within the unit of work, so that the reply is stored with its effect. */
type Render<T> = (row: AssetRow) => Promise<T>;
export type AssetFilter = { statuses?: readonly string[]; name?: string; isCounted: boolean };

const isOf = (sql: Queryable, { workspace, sandbox }: Owner) =>
  sql`workspace_handle = ${workspace} and sandbox = ${sandbox}`;

/** A page of the owner's assets, with one row more if there is a next page. */
export async function listAssets(
  sql: Postgres,
  owner: Owner,
  { page, filter: { statuses, name, isCounted } }: { page: PageOrder; filter: AssetFilter },
): Promise<Counted<AssetRow>> {
  const wanted = sql<AssetRow[]>`select * from assets where ${isOf(sql, owner)} and ${
    statuses === undefined
      ? sql`archived_at is null`
      : sql`case when archived_at is null then status else 'archived' end = any (${[...statuses]}::text[])`
  } ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}`;
  return readListed(sql, page, { sorts: MEDIA_SORTS, wanted, isCounted });
}

/** One asset of the owner, even if archived. */
export async function findAsset(sql: Queryable, owner: Owner, handle: Handle<'asset'>): Promise<AssetRow | undefined> {
  const [row] = await sql<AssetRow[]>`select * from assets where handle = ${handle} and ${isOf(sql, owner)}`;
  return row;
}

/** Creates an asset, whose file is expected to be uploaded from now on. */
export async function createAsset<T>(
  sql: Postgres,
  call: Call,
  { fields, render }: { fields: AssetFields; render: Render<T> },
): Promise<T> {
  const { workspace } = call;
  return inUnitOfWork(sql, call, async unit => {
    const { name, filename, contentType } = fields;
    const [row] = await unit.tx<AssetRow[]>`
      insert into assets (workspace_handle, name, filename, content_type, status, sandbox, upload_expires_at,
        created_at)
      values (${workspace}, ${name}, ${filename}, ${contentType}, 'awaiting_upload', ${call.sandbox},
        ${new Date(unit.now.getTime() + UPLOAD_VALID_MS)}, ${unit.now}) returning *`;
    const diff = diffOfNew({ name, filename, status: 'awaiting_upload' });
    unit.audit({ workspace, action: 'asset.created', entityType: 'asset', entityHandle: row!.handle, diff });
    return render(row!);
  });
}

/** Archives an asset that nothing shows. One that is already archived stays as it is. */
export async function archiveAsset(sql: Postgres, call: Call, handle: Handle<'asset'>): Promise<undefined | Refusal> {
  const { workspace } = call;
  return inUnitOfWork<undefined | Refusal>(sql, call, async unit => {
    const row = await lockAsset(unit.tx, call, handle);
    if (!row) return refuseAbsent();
    if (row.archived_at !== null) return undefined;
    const users = await usersOf(unit.tx, handle);
    if (users.length > 0)
      return refuse(
        'state_conflict',
        `The asset is shown by ${users.slice(0, NAMED_MAX).join(', ')}${users.length > NAMED_MAX ? ' and others' : ''}. Take it out there first.`,
      );
    await unit.tx`update assets set archived_at = ${unit.now} where handle = ${handle}`;
    const diff = { archived_at: { from: null, to: unit.now } };
    unit.audit({ workspace, action: 'asset.archived', entityType: 'asset', entityHandle: handle, diff });
    return undefined;
  });
}

/** Restores an archived asset. One that is not archived stays as it is. */
export async function restoreAsset<T>(
  sql: Postgres,
  call: Call,
  { handle, render }: { handle: Handle<'asset'>; render: Render<T> },
): Promise<T | Refusal> {
  const { workspace } = call;
  return inUnitOfWork<T | Refusal>(sql, call, async unit => {
    const row = await lockAsset(unit.tx, call, handle);
    if (!row) return refuseAbsent();
    if (row.archived_at !== null) {
      await unit.tx`update assets set archived_at = null where handle = ${handle}`;
      const diff = { archived_at: { from: row.archived_at, to: null } };
      unit.audit({ workspace, action: 'asset.restored', entityType: 'asset', entityHandle: handle, diff });
    }
    return render({ ...row, archived_at: null });
  });
}

async function lockAsset(tx: Transaction, owner: Owner, handle: Handle<'asset'>): Promise<AssetRow | undefined> {
  const [row] = await tx<AssetRow[]>`select * from assets where handle = ${handle} and ${isOf(tx, owner)} for update`;
  return row;
}

/** How many users of an asset a refusal names. */
const NAMED_MAX = 5;

/** The playlists and venues that show an asset, by name and id. */
async function usersOf(sql: Queryable, asset: Handle<'asset'>): Promise<string[]> {
  const rows = await sql<{ kind: 'playlist' | 'venue'; handle: Handle<'playlist'>; name: string }[]>`
    select 'playlist' as kind, p.handle, p.name from playlists p
    where p.archived_at is null and p.handle in (select playlist_handle from playlist_items
      where asset_handle = ${asset})
    union all select 'venue', v.handle, v.name from venues v
    where v.photo_asset_handle = ${asset} and v.deleted_at is null order by kind, handle limit ${NAMED_MAX + 1}`;
  return rows.map(({ kind, handle, name }) => `the ${kind} ${name} (${formatId(kind, handle)})`);
}
