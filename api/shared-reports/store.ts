/**
 * Links to the report of one campaign, in Postgres: made, listed and ended by those who may change what reports hold. A
 * link belongs to the workspace, so it stays when its maker leaves. Only the hash of its token is stored.
 */
import { createHash, randomBytes } from 'node:crypto';
import { formatReportToken } from '#domain/access/key.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import type { Caller } from '../authentication/caller.ts';
import { findCampaign } from '#sql/campaigns/rows.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, listed, type List, type Page } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import {
  DAYS_DEFAULT,
  type MadeSharedReport,
  type Share,
  type SharedReport,
  type SharedReportStatus,
} from './schema.ts';

const DAY_MS = 86_400_000;
/** Open links of one campaign. To share with more people, send one link to several. */
const OPEN_MAX = 50;
/** How long a link stays in the list after it has ended; the audit keeps who made and ended it. */
const KEPT_MS = 90 * DAY_MS;

type SharedReportRow = {
  handle: Handle<'shared_report'>;
  campaign_handle: Handle<'campaign'>;
  name: string;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
};

type OfCampaign = { campaign: Handle<'campaign'>; now: Milliseconds };

/** Lists the links to a campaign's report, newest first. */
export async function listSharedReports(
  sql: Postgres,
  caller: Caller,
  { campaign, page, now }: OfCampaign & { page: Page },
): Promise<List<SharedReport> | Refusal> {
  if (!(await findCampaign(sql, caller, campaign))) return refuseAbsent();
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'handle' });
  const rows = await sql<SharedReportRow[]>`
    select * from shared_reports where campaign_handle = ${campaign} ${behind} ${order}`;
  return listed({ rows }, page, { recordOf: row => sharedReportRecord(row, now) });
}

type ShareOptions = OfCampaign & { share: Share; publicUrl: string };

/** Makes a link to the report of a campaign. The token is in this answer and nowhere else. */
export async function shareReport(
  sql: Postgres,
  caller: Caller,
  { campaign, share: { name = '', days = DAYS_DEFAULT }, publicUrl, now }: ShareOptions,
): Promise<MadeSharedReport | Refusal> {
  const token = formatReportToken(randomBytes(32));
  return inUnitOfWork<MadeSharedReport | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const { tx } = unit;
    const found = await findCampaign(tx, caller, campaign);
    if (!found || found.deleted_at !== null) return refuseAbsent();
    const refusal = await refuseBeyond(unit, campaign);
    if (refusal) return refusal;
    const columns = {
      campaign_handle: campaign,
      name: name.trim(),
      token_hash: hashOf(token),
      created_at: unit.now,
      expires_at: new Date(now + days * DAY_MS),
    };
    const [row] = await tx<SharedReportRow[]>`insert into shared_reports ${tx(columns)} returning *`;
    unit.audit({
      workspace: caller.workspace,
      sandbox: caller.sandbox,
      action: 'shared_report.created',
      entityType: 'shared_report',
      entityHandle: row!.handle,
      diff: diffOfNew({ campaign_id: formatId('campaign', campaign), name: row!.name, expires_at: row!.expires_at }),
    });
    // The token follows the `#`: browsers send that to no server and no log.
    return { ...sharedReportRecord(row!, now), token, url: `${publicUrl}/console/report#${token}` };
  });
}

/** Serialized by a lock of the campaign's row. Long-ended links are deleted. */
async function refuseBeyond({ tx, now }: Unit, campaign: Handle<'campaign'>): Promise<Refusal | undefined> {
  await tx`select 1 from campaigns where handle = ${campaign} for no key update`;
  await tx`
    delete from shared_reports where campaign_handle = ${campaign}
      and least(expires_at, ended_at) < ${new Date(now.getTime() - KEPT_MS)}`;
  const [found] = await tx<{ open: number }[]>`
    select count(*)::integer as open from shared_reports
    where campaign_handle = ${campaign} and ended_at is null and expires_at > ${now}`;
  return found!.open < OPEN_MAX
    ? undefined
    : refuse('state_conflict', `The report of this campaign has ${OPEN_MAX} open links. End those that nobody reads.`);
}

/** Ends a link at once. An ended link stays unchanged. */
export async function endSharedReport(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'shared_report'>; now: Milliseconds },
): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const [row] = await unit.tx<SharedReportRow[]>`
      select s.* from shared_reports s join campaigns c on c.handle = s.campaign_handle
      where s.handle = ${handle} and c.workspace_handle = ${caller.workspace} and c.sandbox = ${caller.sandbox}
      for update of s`;
    if (!row) return refuseAbsent();
    if (statusOf(row, now) !== 'open') return undefined;
    await unit.tx`update shared_reports set ended_at = ${unit.now} where handle = ${handle}`;
    unit.audit({
      workspace: caller.workspace,
      sandbox: caller.sandbox,
      action: 'shared_report.ended',
      entityType: 'shared_report',
      entityHandle: handle,
      diff: { ended_at: { from: null, to: unit.now } },
    });
    return undefined;
  });
}

/** The target of a link. */
export type SharedCampaign = {
  workspace: Handle<'workspace'>;
  workspaceName: string;
  campaign: Handle<'campaign'>;
  sandbox: boolean;
  expiresAt: Date;
};

/** The target of the link of this token, or the reason why it has ended. */
export async function findShared(
  sql: Postgres,
  { token, now }: { token: string; now: Milliseconds },
): Promise<SharedCampaign | Refusal> {
  const [row] = await sql<(SharedCampaign & SharedReportRow & { is_gone: boolean })[]>`
    select s.*, s.expires_at as "expiresAt", c.workspace_handle as workspace, w.name as "workspaceName",
      s.campaign_handle as campaign, c.sandbox,
      c.deleted_at is not null or w.status = 'closed' as is_gone
    from shared_reports s join campaigns c on c.handle = s.campaign_handle
    join workspaces w on w.handle = c.workspace_handle
    where s.token_hash = ${hashOf(token)}`;
  if (!row) return refuseAbsent();
  if (row.is_gone || statusOf(row, now) !== 'open')
    return refuse('link_expired', 'This report is not shared any more. Ask the sender of the link for another.');
  const { workspace, workspaceName, campaign, sandbox, expiresAt } = row;
  return { workspace, workspaceName, campaign, sandbox, expiresAt };
}

function statusOf({ ended_at, expires_at }: SharedReportRow, now: Milliseconds): SharedReportStatus {
  if (ended_at !== null) return 'ended';
  return expires_at.getTime() <= now ? 'expired' : 'open';
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function sharedReportRecord(row: SharedReportRow, now: Milliseconds): SharedReport {
  return {
    id: formatId('shared_report', row.handle),
    campaign_id: formatId('campaign', row.campaign_handle),
    name: row.name,
    status: statusOf(row, now),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
