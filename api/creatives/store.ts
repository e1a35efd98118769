import { formatId } from '#domain/id.ts';
import type { CampaignState } from '#domain/campaign.ts';
import type { CreativeFields } from '#domain/creative.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork, type Actor, type Unit } from '#sql/unit-of-work.ts';
import type { Caller } from '../authentication.ts';
import { hasReadyCreative, moveToState } from '../campaigns/move.ts';
import { diffOfNew } from '../diff.ts';
import { refuseAbsent } from '../error-reply.ts';
import { envelope, handleBefore, type List, type Page } from '../paging.ts';

/** An hour: long enough for 200 MiB over a thin line, short enough for an address that was mailed around. */
const UPLOAD_VALID_MS = 60 * 60 * 1_000;

export type CreativeRow = {
  handle: number; workspace_handle: number; name: string; orientation: string; kind: string; duration_ms: number; filename: string; content_type: string; status: string; sandbox: boolean;
  upload_expires_at: Date | null; sha256: string | null; bytes: number | null; rejection: { code: string; detail: string } | null; created_at: Date;
};

export async function listCreatives(sql: Postgres, caller: Caller, { page, filter }: { page: Page; filter: { status?: string; orientation?: string } }): Promise<List<CreativeRow>> {
  const { status, orientation } = filter;
  const rows = await sql<CreativeRow[]>`
    select * from creatives
    where workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and detached_at is null and handle < ${handleBefore(page)}
    ${status === undefined ? sql`` : sql`and status = ${status}`} ${orientation === undefined ? sql`` : sql`and orientation = ${orientation}`}
    order by handle desc limit ${page.limit + 1}`;
  return envelope(rows, page, { positionOf: row => String(row.handle), recordOf: row => row });
}

export async function readCreative(sql: Postgres, caller: Caller, handle: number): Promise<CreativeRow | Refusal> {
  const [row] = await sql<CreativeRow[]>`
    select * from creatives where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and detached_at is null`;
  return row ?? refuseAbsent();
}

export async function createCreative(sql: Postgres, caller: Caller, { fields, now }: { fields: CreativeFields; now: number }): Promise<CreativeRow> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { name, orientation, durationMs, filename, kind, contentType } = fields;
    const [row] = await unit.tx<CreativeRow[]>`
      insert into creatives (workspace_handle, name, orientation, kind, duration_ms, filename, content_type, status, sandbox, upload_expires_at, created_at)
      values (${caller.workspace}, ${name}, ${orientation}, ${kind}, ${durationMs}, ${filename}, ${contentType}, 'awaiting_upload', ${caller.sandbox}, ${new Date(now + UPLOAD_VALID_MS)}, ${unit.now})
      returning *`;
    unit.audit({
      workspace: caller.workspace, action: 'creative.created', entityType: 'creative', entityHandle: row!.handle,
      diff: diffOfNew({ name, orientation, duration_ms: durationMs, filename, status: 'awaiting_upload' }),
    });
    return row!;
  });
}

/** The creative that an upload address names, whoever holds the address. */
export async function findForUpload(sql: Postgres, handle: number): Promise<CreativeRow | undefined> {
  const [row] = await sql<CreativeRow[]>`select * from creatives where handle = ${handle} and detached_at is null`;
  return row;
}

export type UploadedFile = { sha256: string; bytes: number; rejection: { code: string; detail: string } | undefined };

/**
 * Records what came to an upload address: the creative is ready, or rejected with its reason. Refuses when another upload
 * was recorded first.
 */
export async function recordUpload(sql: Postgres, { handle, file, actor, now }: { handle: number; file: UploadedFile; actor: Actor; now: number }): Promise<'recorded' | Refusal> {
  return inUnitOfWork(sql, { actor, now: new Date(now) }, async unit => {
    const [row] = await unit.tx<CreativeRow[]>`select * from creatives where handle = ${handle} and detached_at is null for update`;
    if (!row) return refuseAbsent();
    if (row.status !== 'awaiting_upload') return refuseSecondUpload();
    const { sha256, bytes, rejection } = file;
    const status = rejection ? 'rejected' : 'ready';
    await unit.tx`
      update creatives set status = ${status}, sha256 = ${sha256}, bytes = ${bytes}, rejection = ${rejection ? unit.tx.json(rejection) : null} where handle = ${handle}`;
    const entity = { workspace: row.workspace_handle, entityType: 'creative', entityHandle: handle };
    const object = { id: formatId('creative', handle), name: row.name, orientation: row.orientation, duration_ms: row.duration_ms };
    unit.audit({ ...entity, sandbox: row.sandbox, action: 'creative.uploaded', diff: diffOfNew({ sha256, bytes }) });
    unit.audit({ ...entity, sandbox: row.sandbox, action: `creative.${status}`, diff: { status: { from: row.status, to: status }, ...(rejection && { rejection: { from: null, to: rejection } }) } });
    unit.emit({ ...entity, type: 'creative.uploaded', payload: { object: { ...object, status: row.status }, bytes } });
    unit.emit({ ...entity, type: `creative.${status}`, payload: { object: { ...object, status }, ...(rejection && { rejection }) } });
    unit.changed('creative', handle);
    return 'recorded';
  });
}

export function refuseSecondUpload(): Refusal {
  return refuse('state_conflict', 'A file was uploaded to this address already. Create another creative for another file.');
}

/** Detaches. Live campaigns in which no other creative can run are paused, in the same transaction. */
export async function detachCreative(sql: Postgres, caller: Caller, { handle, now }: { handle: number; now: number }): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const [row] = await unit.tx<CreativeRow[]>`
      select * from creatives where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and detached_at is null for update`;
    if (!row) return refuseAbsent();
    await unit.tx`update creatives set status = 'detached', detached_at = ${unit.now} where handle = ${handle}`;
    unit.audit({ workspace: caller.workspace, action: 'creative.detached', entityType: 'creative', entityHandle: handle, diff: { status: { from: row.status, to: 'detached' } } });
    unit.changed('creative', handle);
    for (const campaign of await lockCampaigns(unit.tx, handle)) await pauseIfBare(unit, caller, campaign);
    return undefined;
  });
}

type LockedCampaign = { handle: number; name: string; status: CampaignState };

/**
 * Locked after the creative, whatever their state: a campaign that is being resumed at this moment is seen as live here, or
 * sees the creative as gone there. By handle, so that two transactions never wait for each other.
 */
async function lockCampaigns(tx: Transaction, creative: number): Promise<LockedCampaign[]> {
  return tx<LockedCampaign[]>`
    select handle, name, status from campaigns
    where deleted_at is null and handle in (select campaign_handle from campaign_creatives where creative_handle = ${creative})
    order by handle for update`;
}

async function pauseIfBare(unit: Unit, caller: Caller, campaign: LockedCampaign): Promise<void> {
  if (campaign.status !== 'live' || await hasReadyCreative(unit.tx, campaign.handle)) return;
  await moveToState(unit, { ...campaign, workspace: caller.workspace, sandbox: caller.sandbox }, 'pause');
}
