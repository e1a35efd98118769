import { changeLimit, moneyOf } from '#domain/campaign-money.ts';
import { formatId } from '#domain/id.ts';
import { refuse, refuseFields, type Refusal } from '#domain/refusal.ts';
import { formatDate } from '#domain/schedule.ts';
import { targetsJson } from '#domain/targeting.ts';
import type { ReviewWait } from '#domain/review.ts';
import { writeLimit } from '#sql/campaign-life.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#sql/unit-of-work.ts';
import type { Caller } from '../authentication.ts';
import { diffOfNew } from '../diff.ts';
import { envelope, handleBefore, type List, type Page } from '../paging.ts';
import { likeText, money } from '../shapes.ts';
import type { CampaignFields } from './fields.ts';
import { campaignRecord, type BindingRow, type CampaignRow } from './record.ts';
import type { Campaign } from './schema.ts';
import type { Estimate } from './supply.ts';

export type CampaignFilter = { statuses?: readonly string[]; categories?: readonly string[]; name?: string; from?: string; to?: string; isCounted: boolean };

function columnsOf(sql: Queryable) {
  return sql`handle, workspace_handle, name, category, status, sandbox, currency, budget_micros, handed_micros, take_back_micros, returned_micros, charged_micros, charged_plays, taken_out_plays, budget_edits, paced_from, paced_base_micros, ended_at, deleted_at,
    to_char(starts_on, 'YYYY-MM-DD') as starts,
    to_char(ends_on, 'YYYY-MM-DD') as ends, targets, landing_url, brand_lift, frequency_per_hour_max, rate_micros, forecast, rejection, review_waits_for, created_at`;
}

/** Campaigns of the caller's book, newest first, the deleted ones only where they are asked for; `from` and `to` keep those whose days overlap. */
export async function listCampaigns(sql: Postgres, caller: Caller, { page, filter }: { page: Page; filter: CampaignFilter }): Promise<List<CampaignRow>> {
  const wanted = sql`workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} ${conditionsOf(sql, filter)}`;
  const [rows, counted] = await Promise.all([
    sql<CampaignRow[]>`select ${columnsOf(sql)} from campaigns where ${wanted} and handle < ${handleBefore(page)} order by handle desc limit ${page.limit + 1}`,
    filter.isCounted ? sql<{ total: number }[]>`select count(*)::int as total from campaigns where ${wanted}` : [],
  ]);
  return { ...envelope(rows, page, { positionOf: row => String(row.handle), recordOf: row => row }), ...(counted[0] && { total: counted[0].total }) };
}

/** A deleted campaign keeps its state and is found by `deleted` alone. */
function conditionsOf(sql: Queryable, { statuses, categories, name, from, to }: CampaignFilter) {
  const states = statuses?.filter(status => status !== 'deleted') ?? [];
  const ofState = statuses === undefined ? sql`deleted_at is null` : sql`(deleted_at is null and status = any (${states}::text[]) or ${statuses.includes('deleted')}::boolean and deleted_at is not null)`;
  return sql`and ${ofState} ${categories === undefined ? sql`` : sql`and category = any (${[...categories]}::text[])`} ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}
    ${from === undefined ? sql`` : sql`and ends_on >= ${from}::date`} ${to === undefined ? sql`` : sql`and starts_on <= ${to}::date`}`;
}

/** One campaign of the caller's book, a deleted one too, or undefined. */
export async function findCampaign(sql: Queryable, caller: Caller, handle: number): Promise<CampaignRow | undefined> {
  const [row] = await sql<CampaignRow[]>`
    select ${columnsOf(sql)} from campaigns
    where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}`;
  return row;
}

/** Those of these campaigns that are of the caller's book, deleted ones too, newest first. */
export async function findCampaigns(sql: Queryable, caller: Caller, handles: readonly number[]): Promise<CampaignRow[]> {
  return sql<CampaignRow[]>`
    select ${columnsOf(sql)} from campaigns
    where handle = any(${[...handles]}::bigint[]) and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} order by handle desc`;
}

export async function bindingsOf(sql: Queryable, campaign: number): Promise<BindingRow[]> {
  return sql<BindingRow[]>`
    select b.creative_handle as creative, b.weight, c.status from campaign_creatives b join creatives c on c.handle = b.creative_handle
    where b.campaign_handle = ${campaign} order by b.creative_handle`;
}

export type NewCampaign = { fields: CampaignFields; estimate: Estimate; waitsFor: ReviewWait };

/**
 * Creates a campaign. Unless it is a draft its budget is reserved on the wallet and it waits for its review.
 * @throws InsufficientFunds when the wallet does not cover the budget
 */
export async function createCampaign(sql: Postgres, caller: Caller, { now, ...campaign }: NewCampaign & { now: number }): Promise<Campaign | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { fields } = campaign;
    const refusal = await checkCreatives(unit.tx, caller, fields);
    if (refusal) return refusal;
    const row = await insertCampaign(unit, caller, campaign);
    await writeBindings(unit.tx, row.handle, fields.bindings);
    const entity = { workspace: caller.workspace, entityType: 'campaign', entityHandle: row.handle };
    unit.audit({ ...entity, action: 'campaign.created', diff: diffOfNew({ ...shownFields(fields), status: row.status }) });
    unit.emit({ ...entity, type: 'campaign.created', payload: { object: { id: formatId('campaign', row.handle), name: row.name, status: row.status } } });
    if (!fields.isDraft) await writeLimit(unit, row.handle, changeLimit({ ...moneyOf(row), limitMicros: 0 }, row.budget_micros));
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

export async function writeBindings(tx: Transaction, campaign: number, bindings: CampaignFields['bindings']): Promise<void> {
  await tx`insert into campaign_creatives ${tx(bindings.map(({ creative, weight }) => ({ campaign_handle: campaign, creative_handle: creative, weight })))}`;
}

/** A file that has come is enough: the review waits for its check. The lock keeps a creative from being detached until the campaign that names it is there to be paused. */
export async function checkCreatives(tx: Transaction, caller: Caller, { bindings, isDraft }: Pick<CampaignFields, 'bindings' | 'isDraft'>): Promise<Refusal | undefined> {
  const handles = bindings.map(binding => binding.creative as number);
  const rows = await tx<{ handle: number; status: string }[]>`
    select handle, case when status = 'awaiting_upload' and uploaded_at is not null then 'checking' else status end as status from creatives
    where handle = any(${handles}::bigint[]) and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and not of_venue and detached_at is null
    order by handle for share`;
  const statusOf = new Map(rows.map(row => [row.handle, row.status]));
  const faultsOf = (isFault: (status: string | undefined) => boolean, code: string, detail: string) =>
    handles.flatMap((handle, index) => (isFault(statusOf.get(handle)) ? [{ pointer: `/creatives/${index}`, code, detail }] : []));
  const absent = faultsOf(status => status === undefined, 'unknown_creative', 'is not a creative of this workspace');
  if (absent.length > 0) return refuseFields(absent);
  const unready = isDraft ? [] : faultsOf(status => status !== 'ready' && status !== 'checking', 'creative_not_ready', 'has no accepted file yet');
  return unready.length > 0 ? refuse('creative_not_ready', 'Upload the file of every creative first, or create a draft.', unready) : undefined;
}

async function insertCampaign({ tx, now }: Unit, caller: Caller, { fields, estimate, waitsFor }: NewCampaign): Promise<CampaignRow> {
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
      ...estimateColumns(tx, estimate),
      review_waits_for: fields.isDraft ? null : waitsFor,
      created_at: now,
    })} returning ${columnsOf(tx)}`;
  return row!;
}

export function estimateColumns(tx: Transaction, { forecast, rateMicros }: Estimate) {
  const { impressionsLow, impressionsHigh, scanRateEst, screensEligible } = forecast;
  return { rate_micros: rateMicros, forecast: tx.json({ impressions_low: impressionsLow, impressions_high: impressionsHigh, scan_rate_est: scanRateEst, screens_eligible: screensEligible }) };
}

/** One campaign of the caller's book, a deleted one too, locked, or undefined. */
export async function lockCampaign(tx: Transaction, caller: Caller, handle: number): Promise<CampaignRow | undefined> {
  const [row] = await tx<CampaignRow[]>`
    select ${columnsOf(tx)} from campaigns
    where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} for update`;
  return row;
}
