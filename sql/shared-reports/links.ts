/**
 * Links to the report of one campaign: made, listed and ended by those who may change what reports hold. A
 * link belongs to the workspace, so it stays when its maker leaves. Only the hash of its token is stored.
 */
import { createHash, randomBytes } from 'node:crypto';
import { formatReportToken } from '#domain/access/key.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, type Call, type Owner, type Unit } from '#books/unit-of-work.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { findCampaign } from '#sql/campaigns/rows.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
const DAY_MS = 86_400_000;
/** Open links of one campaign. To share with more people, send one link to several. */
const OPEN_MAX = 50;
/** How long a link stays in the list after it has ended; the audit keeps who made and ended it. */
const KEPT_MS = 90 * DAY_MS;

export const LINK_STATUSES = ['open', 'expired', 'ended'] as const;
type LinkStatus = (typeof LINK_STATUSES)[number];
export type SharedReportRow = {
  handle: Handle<'shared_report'>;
  campaign_handle: Handle<'campaign'>;
  name: string;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
};

/** Lists the links to a campaign's report, newest first. */
export async function listSharedReports(
  sql: Postgres,
  owner: Owner,
  { campaign, page }: { campaign: Handle<'campaign'>; page: PageOrder },
): Promise<SharedReportRow[] | Refusal> {
  if (!(await findCampaign(sql, owner, campaign))) return refuseAbsent();
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'handle' });
  return sql<SharedReportRow[]>`
    select * from shared_reports where campaign_handle = ${campaign} ${behind} ${order}`;
}

type NewLink = { campaign: Handle<'campaign'>; name: string; days: number };
/** The token is in this result and nowhere else. */
export type MadeLink = { row: SharedReportRow; token: string };

/** Makes a link to the report of a campaign. */
export async function shareReport(
  sql: Postgres,
  call: Call,
  { campaign, name, days }: NewLink,
): Promise<MadeLink | Refusal> {
  const token = formatReportToken(randomBytes(32));
  return inUnitOfWork<MadeLink | Refusal>(sql, call, async unit => {
    const { tx, now } = unit;
    const found = await findCampaign(tx, call, campaign);
    if (!found || found.deleted_at !== null) return refuseAbsent();
    const refusal = await refuseBeyond(unit, campaign);
    if (refusal) return refusal;
    const columns = {
      campaign_handle: campaign,
      name: name.trim(),
      token_hash: hashOf(token),
      created_at: now,
      expires_at: new Date(now.getTime() + days * DAY_MS),
    };
    const [row] = await tx<SharedReportRow[]>`insert into shared_reports ${tx(columns)} returning *`;
    unit.audit({
      workspace: call.workspace,
      sandbox: call.sandbox,
      action: 'shared_report.created',
      entityType: 'shared_report',
      entityHandle: row!.handle,
      diff: diffOfNew({ campaign_id: formatId('campaign', campaign), name: row!.name, expires_at: row!.expires_at }),
    });
    return { row: row!, token };
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
  call: Call,
  handle: Handle<'shared_report'>,
): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, call, async unit => {
    const [row] = await unit.tx<SharedReportRow[]>`
      select s.* from shared_reports s join campaigns c on c.handle = s.campaign_handle
      where s.handle = ${handle} and c.workspace_handle = ${call.workspace} and c.sandbox = ${call.sandbox}
      for update of s`;
    if (!row) return refuseAbsent();
    if (statusOf(row, unit.now.getTime()) !== 'open') return undefined;
    await unit.tx`update shared_reports set ended_at = ${unit.now} where handle = ${handle}`;
    unit.audit({
      workspace: call.workspace,
      sandbox: call.sandbox,
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

export function statusOf({ ended_at, expires_at }: SharedReportRow, now: Milliseconds): LinkStatus {
  if (ended_at !== null) return 'ended';
  return expires_at.getTime() <= now ? 'expired' : 'open';
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
