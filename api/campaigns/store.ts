import { parseSchedule, patchedStatus } from '#domain/campaign.ts';
import { formatId } from '#domain/id.ts';
import { reserve } from '#domain/ledger.ts';
import { isRefusal, refuse, refuseFields, type Refusal } from '#domain/refusal.ts';
import { formatDate } from '#domain/schedule.ts';
import { targetsJson } from '#domain/targeting.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#sql/unit-of-work.ts';
import type { Caller } from '../authentication.ts';
import { diffOfNew } from '../diff.ts';
import { refuseAbsent } from '../error-reply.ts';
import { envelope, handleBefore, type List, type Page } from '../paging.ts';
import { money } from '../shapes.ts';
import { bookOf } from '../wallet/store.ts';
import type { CampaignFields } from './fields.ts';
import { hasReadyCreative, moveToState } from './move.ts';
import { campaignRecord, type BindingRow, type CampaignRow } from './record.ts';
import type { Campaign, ChangeCampaign } from './schema.ts';
import type { Estimate } from './supply.ts';

export type CampaignFilter = { status?: string; category?: string; from?: string; to?: string };

function columnsOf(sql: Queryable) {
  return sql`handle, workspace_handle, name, category, status, sandbox, currency, budget_micros, charged_micros, to_char(starts_on, 'YYYY-MM-DD') as starts,
    to_char(ends_on, 'YYYY-MM-DD') as ends, targets, landing_url, brand_lift, frequency_per_hour_max, rate_micros, forecast, rejection, created_at`;
}

/** Campaigns of the caller's book, newest first; `from` and `to` keep those whose days overlap. */
export async function listCampaigns(sql: Postgres, caller: Caller, { page, filter }: { page: Page; filter: CampaignFilter }): Promise<List<CampaignRow>> {
  const { status, category, from, to } = filter;
  const rows = await sql<CampaignRow[]>`
    select ${columnsOf(sql)} from campaigns
    where workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and deleted_at is null and handle < ${handleBefore(page)}
    ${status === undefined ? sql`` : sql`and status = ${status}`} ${category === undefined ? sql`` : sql`and category = ${category}`}
    ${from === undefined ? sql`` : sql`and ends_on >= ${from}::date`} ${to === undefined ? sql`` : sql`and starts_on <= ${to}::date`}
    order by handle desc limit ${page.limit + 1}`;
  return envelope(rows, page, { positionOf: row => String(row.handle), recordOf: row => row });
}

/** One campaign of the caller's book, or undefined. */
export async function findCampaign(sql: Queryable, caller: Caller, handle: number): Promise<CampaignRow | undefined> {
  const [row] = await sql<CampaignRow[]>`
    select ${columnsOf(sql)} from campaigns
    where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and deleted_at is null`;
  return row;
}

export async function bindingsOf(sql: Queryable, campaign: number): Promise<BindingRow[]> {
  return sql<BindingRow[]>`
    select b.creative_handle as creative, b.weight, c.status from campaign_creatives b join creatives c on c.handle = b.creative_handle
    where b.campaign_handle = ${campaign} order by b.creative_handle`;
}

/**
 * Creates a campaign. Unless it is a draft its budget is reserved on the wallet, and it passes review at once: the review
 * of a later version stands between `pending_review` and `live`.
 * @throws InsufficientFunds when the wallet does not cover the budget
 */
export async function createCampaign(sql: Postgres, caller: Caller, { fields, estimate, now }: { fields: CampaignFields; estimate: Estimate; now: number }): Promise<Campaign | Refusal> {
  return inUnitOfWork(sql, { actor: caller.actor, now: new Date(now) }, async unit => {
    const refusal = await checkCreatives(unit.tx, caller, fields);
    if (refusal) return refusal;
    const row = await insertCampaign(unit, caller, { fields, estimate });
    await unit.tx`insert into campaign_creatives ${unit.tx(fields.bindings.map(({ creative, weight }) => ({ campaign_handle: row.handle, creative_handle: creative, weight })))}`;
    const entity = { workspace: caller.workspace, entityType: 'campaign', entityHandle: row.handle };
    unit.audit({ ...entity, action: 'campaign.created', diff: diffOfNew({ ...shownFields(fields), status: row.status }) });
    unit.emit({ ...entity, type: 'campaign.created', payload: { object: { id: formatId('campaign', row.handle), name: row.name, status: row.status } } });
    if (!fields.isDraft) await reserveAndReview(unit, row);
    return campaignRecord(row, await bindingsOf(unit.tx, row.handle));
  });
}

function shownFields(fields: CampaignFields): Record<string, unknown> {
  return {
    name: fields.name,
    category: fields.category,
    budget: money(fields.budgetMicros, fields.currency),
    schedule: { starts: formatDate(fields.startsOn), ends: formatDate(fields.endsOn) },
    targets: targetsJson(fields.targets),
    creatives: fields.bindings.map(binding => formatId('creative', binding.creative)),
  };
}

/** The lock keeps a creative from being detached until the campaign that names it is there to be paused. */
async function checkCreatives(tx: Transaction, caller: Caller, { bindings, isDraft }: CampaignFields): Promise<Refusal | undefined> {
  const handles = bindings.map(binding => binding.creative as number);
  const rows = await tx<{ handle: number; status: string }[]>`
    select handle, status from creatives
    where handle = any(${handles}::bigint[]) and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and detached_at is null
    order by handle for share`;
  const statusOf = new Map(rows.map(row => [row.handle, row.status]));
  const faultsOf = (isFault: (status: string | undefined) => boolean, code: string, detail: string) =>
    handles.flatMap((handle, index) => (isFault(statusOf.get(handle)) ? [{ pointer: `/creatives/${index}`, code, detail }] : []));
  const absent = faultsOf(status => status === undefined, 'unknown_creative', 'is not a creative of this workspace');
  if (absent.length > 0) return refuseFields(absent);
  const unready = isDraft ? [] : faultsOf(status => status !== 'ready', 'creative_not_ready', 'has no accepted file yet');
  return unready.length > 0 ? refuse('creative_not_ready', 'Upload the file of every creative first, or create a draft.', unready) : undefined;
}

async function insertCampaign({ tx, now }: Unit, caller: Caller, { fields, estimate }: { fields: CampaignFields; estimate: Estimate }): Promise<CampaignRow> {
  const { forecast, rateMicros } = estimate;
  const [row] = await tx<CampaignRow[]>`
    insert into campaigns ${tx({
      workspace_handle: caller.workspace,
      name: fields.name,
      category: fields.category,
      status: fields.isDraft ? 'draft' : 'pending_review',
      sandbox: caller.sandbox,
      currency: fields.currency,
      budget_micros: fields.budgetMicros,
      starts_on: formatDate(fields.startsOn),
      ends_on: formatDate(fields.endsOn),
      targets: tx.json(targetsJson(fields.targets) as never),
      landing_url: fields.landingUrl,
      brand_lift: fields.brandLift,
      frequency_per_hour_max: fields.perHourMax,
      rate_micros: rateMicros,
      forecast: tx.json({ impressions_low: forecast.impressionsLow, impressions_high: forecast.impressionsHigh, scan_rate_est: forecast.scanRateEst, screens_eligible: forecast.screensEligible }),
      created_at: now,
    })} returning ${columnsOf(tx)}`;
  return row!;
}

/** From `pending_review` on: the budget is set aside, and the campaign goes live. Sets the row's status. */
async function reserveAndReview(unit: Unit, row: CampaignRow): Promise<void> {
  await unit.post(reserve({
    book: bookOf(row), currency: row.currency, workspace: row.workspace_handle, campaign: row.handle, amountMicros: row.budget_micros, reference: `reserve campaign ${row.handle}`,
  }));
  row.status = await moveToState(unit, { ...row, workspace: row.workspace_handle }, 'approve');
}

/** Renames, pauses, resumes, or submits a draft. A change of nothing writes nothing. */
export async function changeCampaign(sql: Postgres, caller: Caller, { handle, change, now }: { handle: number; change: ChangeCampaign; now: number }): Promise<Campaign | Refusal> {
  return inUnitOfWork(sql, { actor: caller.actor, now: new Date(now) }, async unit => {
    const row = await lockCampaign(unit.tx, caller, handle);
    if (!row) return refuseAbsent();
    const event = change.status === undefined ? undefined : patchedStatus(row.status, change.status);
    if (isRefusal(event)) return event;
    const over = event === 'submit' ? parseSchedule({ starts: row.starts, ends: row.ends }, now) : undefined;
    if (isRefusal(over)) return refuse('state_conflict', 'The schedule of this draft has ended.');
    if ((event === 'resume' || event === 'submit') && !await hasReadyCreative(unit.tx, handle)) {
      return refuse('creative_not_ready', 'No creative of this campaign can run.');
    }
    if (change.name !== undefined && change.name.trim() !== row.name) await rename(unit, row, change.name.trim());
    if (event !== undefined) row.status = await moveToState(unit, { ...row, workspace: caller.workspace }, event);
    if (event === 'submit') await reserveAndReview(unit, row);
    return campaignRecord(row, await bindingsOf(unit.tx, handle));
  });
}

async function lockCampaign(tx: Transaction, caller: Caller, handle: number): Promise<CampaignRow | undefined> {
  const [row] = await tx<CampaignRow[]>`
    select ${columnsOf(tx)} from campaigns
    where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and deleted_at is null for update`;
  return row;
}

async function rename(unit: Unit, row: CampaignRow, name: string): Promise<void> {
  await unit.tx`update campaigns set name = ${name} where handle = ${row.handle}`;
  unit.audit({ workspace: row.workspace_handle, action: 'campaign.updated', entityType: 'campaign', entityHandle: row.handle, diff: { name: { from: row.name, to: name } } });
  unit.changed('campaign', row.handle);
  row.name = name;
}
