/**
 * Assets in Postgres: images that a venue shows in playlists or as its photo. They are archived, never deleted, and
 * only when nothing shows them. Their files are uploaded and checked as those of creatives are (`uploads/`).
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { AssetFields } from '#domain/campaigns/creative.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import type { UploadRow } from '../creatives/record.ts';
import { MEDIA_SORTS } from '../creatives/schema.ts';
import { UPLOAD_VALID_MS } from '../creatives/store.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { likeText, positionIn, sliceOf, totalOf } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import type { Asset } from './schema.ts';

export type AssetRow = UploadRow & {
  handle: Handle<'asset'>;
  name: string;
  filename: string;
  content_type: string;
  created_at: Date;
  archived_at: Date | null;
};
export type AssetFilter = { statuses?: readonly string[]; name?: string; isCounted: boolean };

export async function listAssets(
  sql: Postgres,
  caller: Caller,
  { page, filter: { statuses, name, isCounted } }: { page: Page; filter: AssetFilter },
): Promise<List<AssetRow>> {
  const wanted = sql`workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}
    and ${
      statuses === undefined
        ? sql`archived_at is null`
        : sql`case when archived_at is null then status else 'archived' end = any (${[...statuses]}::text[])`
    } ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}`;
  const { behind, order } = sliceOf(sql, page, { sorts: MEDIA_SORTS });
  const [rows, total] = await Promise.all([
    sql<AssetRow[]>`select * from assets where ${wanted} ${behind} ${order}`,
    totalOf(sql, isCounted, sql`select 1 from assets where ${wanted}`),
  ]);
  return { ...envelope(rows, page, { positionOf: positionIn(page, MEDIA_SORTS), recordOf: row => row }), ...total };
}

export async function readAsset(sql: Postgres, caller: Caller, handle: Handle<'asset'>): Promise<AssetRow | Refusal> {
  const [row] = await sql<
    AssetRow[]
  >`select * from assets where handle = ${handle} and workspace_handle = ${caller.workspace}
      and sandbox = ${caller.sandbox}`;
  return row ?? refuseAbsent();
}

/** Creates an asset. `render` is called within the unit of work, so that the reply can be stored with its effect. */
export async function createAsset(
  sql: Postgres,
  caller: Caller,
  { fields, render, now }: { fields: AssetFields; render: (row: AssetRow) => Promise<Asset>; now: Milliseconds },
): Promise<Asset> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { name, filename, contentType } = fields;
    const [row] = await unit.tx<AssetRow[]>`
      insert into assets (workspace_handle, name, filename, content_type, status, sandbox, upload_expires_at,
        created_at)
      values (${caller.workspace}, ${name}, ${filename}, ${contentType}, 'awaiting_upload', ${caller.sandbox},
        ${new Date(now + UPLOAD_VALID_MS)}, ${unit.now}) returning *`;
    unit.audit({
      workspace: caller.workspace,
      action: 'asset.created',
      entityType: 'asset',
      entityHandle: row!.handle,
      diff: diffOfNew({ name, filename, status: 'awaiting_upload' }),
    });
    return render(row!);
  });
}

type ArchiveTarget = { handle: Handle<'asset'>; now: Milliseconds };

/** Archives an asset that nothing shows. One that is already archived stays as it is. */
export async function archiveAsset(
  sql: Postgres,
  caller: Caller,
  { handle, now }: ArchiveTarget,
): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const row = await lockAsset(unit.tx, caller, handle);
    if (!row) return refuseAbsent();
    if (row.archived_at !== null) return undefined;
    const users = await usersOf(unit.tx, handle);
    if (users.length > 0)
      return refuse(
        'state_conflict',
        `The asset is shown by ${users.slice(0, NAMED_MAX).join(', ')}${users.length > NAMED_MAX ? ' and others' : ''}. Take it out there first.`,
      );
    await unit.tx`update assets set archived_at = ${unit.now} where handle = ${handle}`;
    unit.audit({
      workspace: caller.workspace,
      action: 'asset.archived',
      entityType: 'asset',
      entityHandle: handle,
      diff: { archived_at: { from: null, to: unit.now } },
    });
    return undefined;
  });
}

export async function restoreAsset(
  sql: Postgres,
  caller: Caller,
  { handle, render, now }: ArchiveTarget & { render: (row: AssetRow) => Promise<Asset> },
): Promise<Asset | Refusal> {
  return inUnitOfWork<Asset | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const row = await lockAsset(unit.tx, caller, handle);
    if (!row) return refuseAbsent();
    if (row.archived_at !== null) {
      await unit.tx`update assets set archived_at = null where handle = ${handle}`;
      unit.audit({
        workspace: caller.workspace,
        action: 'asset.restored',
        entityType: 'asset',
        entityHandle: handle,
        diff: { archived_at: { from: row.archived_at, to: null } },
      });
    }
    return render({ ...row, archived_at: null });
  });
}

async function lockAsset(tx: Transaction, caller: Caller, handle: Handle<'asset'>): Promise<AssetRow | undefined> {
  const [row] = await tx<
    AssetRow[]
  >`select * from assets where handle = ${handle} and workspace_handle = ${caller.workspace}
      and sandbox = ${caller.sandbox} for update`;
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
