import type { AssetFields } from '#domain/creative.ts';
import type { Refusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork } from '#sql/unit-of-work.ts';
import type { Caller } from '../authentication.ts';
import type { UploadRow } from '../creatives/record.ts';
import { MEDIA_SORTS } from '../creatives/schema.ts';
import { UPLOAD_VALID_MS } from '../creatives/store.ts';
import { diffOfNew } from '../diff.ts';
import { refuseAbsent } from '../error-reply.ts';
import { positionIn, sliceOf, totalOf } from '../list-order.ts';
import { envelope, type List, type Page } from '../paging.ts';
import { likeText } from '../shapes.ts';
import type { Asset } from './schema.ts';

export type AssetRow = UploadRow & { handle: number; name: string; filename: string; content_type: string; created_at: Date };
export type AssetFilter = { statuses?: readonly string[]; name?: string; isCounted: boolean };

export async function listAssets(sql: Postgres, caller: Caller, { page, filter: { statuses, name, isCounted } }: { page: Page; filter: AssetFilter }): Promise<List<AssetRow>> {
  const wanted = sql`workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}
    ${statuses === undefined ? sql`` : sql`and status = any (${[...statuses]}::text[])`} ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}`;
  const { behind, order } = sliceOf(sql, page, { sorts: MEDIA_SORTS });
  const [rows, total] = await Promise.all([
    sql<AssetRow[]>`select * from assets where ${wanted} ${behind} ${order}`,
    totalOf(sql, isCounted, sql`select 1 from assets where ${wanted}`),
  ]);
  return { ...envelope(rows, page, { positionOf: positionIn(page, MEDIA_SORTS), recordOf: row => row }), ...total };
}

export async function readAsset(sql: Postgres, caller: Caller, handle: number): Promise<AssetRow | Refusal> {
  const [row] = await sql<AssetRow[]>`select * from assets where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}`;
  return row ?? refuseAbsent();
}

/** `render` is called within the unit of work, so that the reply can be kept with its effect. */
export async function createAsset(sql: Postgres, caller: Caller, { fields, render, now }: { fields: AssetFields; render: (row: AssetRow) => Promise<Asset>; now: number }): Promise<Asset> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { name, filename, contentType } = fields;
    const [row] = await unit.tx<AssetRow[]>`
      insert into assets (workspace_handle, name, filename, content_type, status, sandbox, upload_expires_at, created_at)
      values (${caller.workspace}, ${name}, ${filename}, ${contentType}, 'awaiting_upload', ${caller.sandbox}, ${new Date(now + UPLOAD_VALID_MS)}, ${unit.now}) returning *`;
    unit.audit({ workspace: caller.workspace, action: 'asset.created', entityType: 'asset', entityHandle: row!.handle, diff: diffOfNew({ name, filename, status: 'awaiting_upload' }) });
    return render(row!);
  });
}
