/** Campaigns and their creatives in Postgres: single campaigns, read and locked. */
import { SETTING_COLUMNS } from '#domain/campaigns/changes/settings.ts';
import type { BindingRow, CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import type { LockedCampaign, NamedCreative } from '#domain/campaigns/changes/refuse-change.ts';
import type { Handle } from '#domain/id.ts';
import type { EarlierPolitical } from '#domain/campaigns/political.ts';
import type { Owner } from '#books/unit-of-work.ts';
import type { Fragment, Queryable, Transaction } from '#sql/postgres.ts';

/** The columns of a `CampaignRow`. */
export function columnsOf(sql: Queryable) {
  return sql`handle, workspace_handle, name, category, status, sandbox, currency, budget_micros, handed_micros,
      take_back_micros, returned_micros, charged_micros, charged_plays, taken_out_plays, budget_edits, paced_from,
      paced_base_micros, ended_at, deleted_at,
    to_char(starts_on, 'YYYY-MM-DD') as starts,
    to_char(ends_on, 'YYYY-MM-DD') as ends, targets, ${sql(SETTING_COLUMNS)}, rate_micros, forecast,
      foreseen_micros, rejection, review_waits_for, review_at, created_at`;
}

/** The creatives of a campaign as one column of a statement: `campaign` is the handle in its row. */
export function bindingsColumn(sql: Queryable, campaign: Fragment) {
  return sql`(
    select coalesce(json_agg(json_build_object('creative', b.creative_handle, 'weight', b.weight, 'status', c.status,
      'orientation', c.orientation) order by b.creative_handle), '[]')
    from campaign_creatives b join creatives c on c.handle = b.creative_handle where b.campaign_handle = ${campaign})`;
}

/** One campaign of the owner, even if deleted; undefined if there is none. */
export async function findCampaign(
  sql: Queryable,
  { workspace, sandbox }: Owner,
  handle: Handle<'campaign'>,
): Promise<CampaignRow | undefined> {
  const [row] = await sql<CampaignRow[]>`
    select ${columnsOf(sql)} from campaigns
    where handle = ${handle} and workspace_handle = ${workspace} and sandbox = ${sandbox}`;
  return row;
}

/** The campaigns of the owner with these handles, deleted ones too, newest first. */
export async function findCampaigns(
  sql: Queryable,
  { workspace, sandbox }: Owner,
  handles: readonly Handle<'campaign'>[],
): Promise<CampaignRow[]> {
  return sql<CampaignRow[]>`
    select ${columnsOf(sql)} from campaigns
    where handle = any(${[...handles]}::bigint[]) and workspace_handle = ${workspace}
      and sandbox = ${sandbox} order by handle desc`;
}

/** The handles of the owner's campaigns, deleted ones too, or the named one if it is among them. */
export async function listHandles(
  sql: Queryable,
  { workspace, sandbox }: Owner,
  { named, limit }: { named: Handle<'campaign'> | undefined; limit: number },
): Promise<Handle<'campaign'>[]> {
  const rows = await sql<{ handle: Handle<'campaign'> }[]>`
    select handle from campaigns where workspace_handle = ${workspace} and sandbox = ${sandbox}
    ${named === undefined ? sql`` : sql`and handle = ${named}`} limit ${limit}`;
  return rows.map(row => row.handle);
}

/** Locks and reads one campaign, of the owner if there is one, even if deleted; undefined if there is none. */
export async function lockCampaign(
  tx: Transaction,
  handle: Handle<'campaign'>,
  owner?: Owner,
): Promise<CampaignRow | undefined> {
  const own = owner ? tx`and workspace_handle = ${owner.workspace} and sandbox = ${owner.sandbox}` : tx``;
  const [row] = await tx<CampaignRow[]>`
    select ${columnsOf(tx)} from campaigns where handle = ${handle} ${own} for update`;
  return row;
}

/**
 * Locks the campaigns of a creative, in whatever state they are. They are locked after the creative, so that a campaign
 * that is being resumed either counts as live here or finds the creative detached. The order of handles avoids
 * deadlocks.
 */
export async function lockCampaignsOf(tx: Transaction, creative: Handle<'creative'>): Promise<CampaignRow[]> {
  return tx<CampaignRow[]>`
    select ${columnsOf(tx)} from campaigns
    where deleted_at is null and handle in (select campaign_handle from campaign_creatives
      where creative_handle = ${creative})
    order by handle for update`;
}

type ContextRow = { bindings: BindingRow[]; earlier: EarlierPolitical[]; is_approved: boolean };

/**
 * What a change of a locked campaign needs besides its row. A statement that still has to wait for the lock must not
 * read both: it would find the row as it is then, and the creatives as they were when it began.
 */
export async function readLocked(
  tx: Transaction,
  row: CampaignRow,
): Promise<{ campaign: LockedCampaign; isApproved: boolean }> {
  const [found] = await tx<ContextRow[]>`
    select ${bindingsColumn(tx, tx`campaigns.handle`)} as bindings, political_earlier as earlier,
      exists (select 1 from workspaces client join workspaces agency on agency.handle = client.parent_handle
        where client.handle = workspace_handle
          and coalesce(client.approval, agency.approval) = 'agency') as is_approved
    from campaigns where handle = ${row.handle}`;
  const { bindings, earlier, is_approved: isApproved } = found!;
  return { campaign: { row, bindings, earlier }, isApproved };
}

/** Those of the creatives that the owner may bind to a campaign. */
export async function readCreatives(
  sql: Queryable,
  owner: Owner,
  handles: readonly Handle<'creative'>[],
): Promise<NamedCreative[]> {
  return sql<NamedCreative[]>`${namedCreatives(sql, owner, handles)}`;
}

/** Locks those creatives too, so that none is detached before the campaign that names it is written. */
export async function lockCreatives(
  tx: Transaction,
  owner: Owner,
  handles: readonly Handle<'creative'>[],
): Promise<NamedCreative[]> {
  return tx<NamedCreative[]>`${namedCreatives(tx, owner, handles)} for share`;
}

function namedCreatives(sql: Queryable, { workspace, sandbox }: Owner, handles: readonly Handle<'creative'>[]) {
  return sql`
    select handle, status, uploaded_at is not null as has_file, orientation from creatives
    where handle = any(${[...handles]}::bigint[]) and workspace_handle = ${workspace} and sandbox = ${sandbox}
      and not of_venue and detached_at is null order by handle`;
}
