/**
 * Campaigns in Postgres: lists, single rows, and which creatives a campaign may show. A new campaign is written in
 * `new-campaign.ts`; everything that happens to an existing one is in `changes/`.
 */
import type { Binding } from '#domain/campaigns/campaign.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, refuseFields, type Refusal } from '#domain/refusal.ts';
import { jsonb, type Fragment, type Postgres, type Queryable, type Transaction } from '#sql/postgres.ts';
import type { Caller } from '../../authentication/caller.ts';
import { positionIn, sliceOf, totalOf } from '../../lists/list-order.ts';
import { envelope, type List, type Page } from '../../lists/paging.ts';
import { likeText } from '../../wire/shapes.ts';
import type { CampaignFields } from './fields.ts';
import type { BindingRow, CampaignRow, StoredCampaign } from './record.ts';
import { CAMPAIGN_SORTS } from '../schema/sorts.ts';
import { forecastRecord, type Estimate } from './supply.ts';

/** `from` and `to` (dates) keep campaigns whose days overlap them; `isCounted` requests the total of all pages. */
export type CampaignFilter = {
  statuses?: readonly string[];
  categories?: readonly string[];
  name?: string;
  creatives?: readonly Handle<'creative'>[];
  from?: string;
  to?: string;
  isCounted: boolean;
};

/** The columns of a `CampaignRow`. */
export function columnsOf(sql: Queryable) {
  return sql`handle, workspace_handle, name, category, status, sandbox, currency, budget_micros, handed_micros,
      take_back_micros, returned_micros, charged_micros, charged_plays, taken_out_plays, budget_edits, paced_from,
      paced_base_micros, ended_at, deleted_at,
    to_char(starts_on, 'YYYY-MM-DD') as starts,
    to_char(ends_on, 'YYYY-MM-DD') as ends, targets, landing_url, brand_lift, frequency_per_hour_max, political, rate_micros,
      forecast, foreseen_micros, rejection, review_waits_for, created_at`;
}

/** Campaigns of the caller's workspace and book. Deleted ones are listed only where the filter names `deleted`. */
export async function listCampaigns(
  sql: Postgres,
  caller: Caller,
  { page, filter }: { page: Page; filter: CampaignFilter },
): Promise<List<CampaignRow>> {
  const wanted = sql`workspace_handle = ${caller.workspace}
      and sandbox = ${caller.sandbox} ${conditionsOf(sql, filter)}`;
  const { behind, order } = sliceOf(sql, page, { sorts: CAMPAIGN_SORTS });
  const [rows, total] = await Promise.all([
    sql<CampaignRow[]>`select ${columnsOf(sql)} from campaigns where ${wanted} ${behind} ${order}`,
    totalOf(sql, filter.isCounted, sql`select 1 from campaigns where ${wanted}`),
  ]);
  return { ...envelope(rows, page, { positionOf: positionIn(page, CAMPAIGN_SORTS), recordOf: row => row }), ...total };
}

/** A deleted campaign keeps its last state in the table, and only the status `deleted` finds it. */
function conditionsOf(sql: Queryable, { statuses, categories, name, creatives, from, to }: CampaignFilter) {
  const states = statuses?.filter(status => status !== 'deleted') ?? [];
  const ofState =
    statuses === undefined
      ? sql`deleted_at is null`
      : sql`(deleted_at is null and status = any (${states}::text[]) or ${statuses.includes('deleted')}::boolean
          and deleted_at is not null)`;
  return sql`and ${ofState} ${categories === undefined ? sql`` : sql`and category = any (${[...categories]}::text[])`}
      ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}
    ${
      creatives === undefined
        ? sql``
        : sql`and handle in (select campaign_handle from campaign_creatives
      where creative_handle = any(${[...creatives]}::bigint[]))`
    }
    ${from === undefined ? sql`` : sql`and ends_on >= ${from}::date`}
      ${to === undefined ? sql`` : sql`and starts_on <= ${to}::date`}`;
}

/** One campaign of the caller's book, even if deleted; undefined if there is none. */
export async function findCampaign(
  sql: Queryable,
  caller: Caller,
  handle: Handle<'campaign'>,
): Promise<CampaignRow | undefined> {
  const [row] = await sql<CampaignRow[]>`
    select ${columnsOf(sql)} from campaigns
    where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}`;
  return row;
}

/** The campaigns with these handles that are in the caller's book, deleted ones too, newest first. */
export async function findCampaigns(
  sql: Queryable,
  caller: Caller,
  handles: readonly Handle<'campaign'>[],
): Promise<CampaignRow[]> {
  return sql<CampaignRow[]>`
    select ${columnsOf(sql)} from campaigns
    where handle = any(${[...handles]}::bigint[]) and workspace_handle = ${caller.workspace}
      and sandbox = ${caller.sandbox} order by handle desc`;
}

/** The creatives of a campaign with their weights. */
export async function bindingsOf(sql: Queryable, campaign: Handle<'campaign'>): Promise<BindingRow[]> {
  return sql<BindingRow[]>`
    select b.creative_handle as creative, b.weight, c.status, c.orientation from campaign_creatives b
    join creatives c on c.handle = b.creative_handle
    where b.campaign_handle = ${campaign} order by b.creative_handle`;
}

/** The same as one column of a statement: `campaign` is the handle in its row. */
export function bindingsColumn(sql: Queryable, campaign: Fragment) {
  return sql`(
    select coalesce(json_agg(json_build_object('creative', b.creative_handle, 'weight', b.weight, 'status', c.status,
      'orientation', c.orientation) order by b.creative_handle), '[]')
    from campaign_creatives b join creatives c on c.handle = b.creative_handle where b.campaign_handle = ${campaign})`;
}

/**
 * A campaign that this transaction has locked, as its own statements have left it. A statement that still has to wait
 * for the lock must not read both: it would find the row as it is then, and the creatives as they were when it began.
 */
export async function readLocked(tx: Transaction, handle: Handle<'campaign'>): Promise<StoredCampaign> {
  const [found] = await tx<(CampaignRow & { bindings: BindingRow[] })[]>`
    select ${columnsOf(tx)}, ${bindingsColumn(tx, tx`campaigns.handle`)} as bindings from campaigns
    where handle = ${handle}`;
  const { bindings, ...row } = found!;
  return { row, bindings };
}

/** Inserts the creatives of a campaign that has none. */
export async function writeBindings(
  tx: Transaction,
  campaign: Handle<'campaign'>,
  bindings: CampaignFields['bindings'],
): Promise<void> {
  await tx`insert into campaign_creatives
      ${tx(bindings.map(({ creative, weight }) => ({ campaign_handle: campaign, creative_handle: creative, weight })))}`;
}

export type BindableCreative = { handle: Handle<'creative'>; status: string; has_file: boolean };

/** Those of the creatives that may be bound to a campaign, with their orientations. Nothing is locked. */
export function readCreatives(sql: Queryable, caller: Caller, bindings: readonly Binding[]) {
  return sql<(BindableCreative & Pick<BindingRow, 'orientation'>)[]>`
    select handle, status, uploaded_at is not null as has_file, orientation from creatives
    where ${bindable(sql, caller, bindings)}`;
}

function bindable(sql: Queryable, caller: Caller, bindings: readonly Binding[]) {
  return sql`handle = any(${bindings.map(binding => binding.creative)}::bigint[])
    and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and not of_venue
    and detached_at is null`;
}

/** Locks these creatives and refuses any that may not be bound to a campaign. */
export async function checkCreatives(
  tx: Transaction,
  caller: Caller,
  { bindings, isDraft }: Pick<CampaignFields, 'bindings' | 'isDraft'>,
): Promise<Refusal | undefined> {
  return refuseCreatives(await lockCreatives(tx, caller, bindings), { bindings, isDraft });
}

/** Locks the creatives that exist, so that none is detached before the campaign that names it is written. */
async function lockCreatives(
  tx: Transaction,
  caller: Caller,
  bindings: CampaignFields['bindings'],
): Promise<BindableCreative[]> {
  return tx<BindableCreative[]>`
    select handle, status, uploaded_at is not null as has_file from creatives
    where ${bindable(tx, caller, bindings)} order by handle for share`;
}

/** For a submission it is enough that the files are uploaded: the review waits until they were checked. */
export function refuseCreatives(
  creatives: readonly BindableCreative[],
  { bindings, isDraft }: { bindings: readonly Binding[]; isDraft: boolean },
): Refusal | undefined {
  const found = new Map(creatives.map(creative => [creative.handle, creative]));
  const faultsOf = (isFault: (creative: BindableCreative | undefined) => boolean, code: string, detail: string) =>
    bindings.flatMap(({ creative }, index) =>
      isFault(found.get(creative)) ? [{ pointer: `/creatives/${index}`, code, detail }] : [],
    );
  const absent = faultsOf(
    creative => creative === undefined,
    'unknown_creative',
    'is not a creative of this workspace',
  );
  if (absent.length > 0) return refuseFields(absent);
  const isUnready = (creative: BindableCreative | undefined) =>
    creative?.status !== 'ready' && !(creative?.status === 'awaiting_upload' && creative.has_file);
  const unready = isDraft ? [] : faultsOf(isUnready, 'creative_not_ready', 'has no accepted file yet');
  return unready.length > 0
    ? refuse('creative_not_ready', 'Upload the file of every creative first, or create a draft.', unready)
    : undefined;
}

/** The columns that hold a campaign's rate and forecast. */
export function estimateColumns(tx: Transaction, estimate: Estimate) {
  return { rate_micros: estimate.rateMicros, forecast: jsonb(tx, forecastRecord(estimate)) };
}

/** Locks and reads one campaign of the caller's book, even if deleted; undefined if there is none. */
export async function lockCampaign(
  tx: Transaction,
  caller: Caller,
  handle: Handle<'campaign'>,
): Promise<CampaignRow | undefined> {
  const [row] = await tx<CampaignRow[]>`
    select ${columnsOf(tx)} from campaigns
    where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} for update`;
  return row;
}
