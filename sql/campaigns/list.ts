/** Lists of campaigns: those of a workspace, and those that wait for their review. */
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import type { Handle } from '#domain/id.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { likeText, readListed, type Counted } from '#sql/lists/list-order.ts';
import type { PageOrder, Sorts } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { columnsOf } from './rows.ts';

/** A draft without days sorts as if it ran after all others. No campaign starts so late. */
const NO_DAY = '9999-12-31';

/** The orders of a list of campaigns. */
export const CAMPAIGN_SORTS = {
  created_at: 'handle',
  name: { column: 'name', type: 'text', valueOf: row => row.name },
  starts: { column: 'starts_on', type: 'date', valueOf: row => row.starts, whenNull: NO_DAY },
  ends: { column: 'ends_on', type: 'date', valueOf: row => row.ends, whenNull: NO_DAY },
  budget: { column: 'budget_micros', type: 'bigint', valueOf: row => row.budget_micros, whenNull: 0 },
} as const satisfies Sorts<CampaignRow>;

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

/** A page of the owner's campaigns. Deleted ones are listed only where the filter names `deleted`. */
export async function listCampaigns(
  sql: Postgres,
  { workspace, sandbox }: Owner,
  { page, filter }: { page: PageOrder; filter: CampaignFilter },
): Promise<Counted<CampaignRow>> {
  const wanted = sql<CampaignRow[]>`
    select ${columnsOf(sql)} from campaigns
    where workspace_handle = ${workspace} and sandbox = ${sandbox} ${conditionsOf(sql, filter)}`;
  return readListed(sql, page, { sorts: CAMPAIGN_SORTS, wanted, isCounted: filter.isCounted });
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

/** Campaigns whose review by the rules is due. */
export async function waitingForRules(sql: Postgres, now: Date, count: number): Promise<Handle<'campaign'>[]> {
  const rows = await sql<{ handle: Handle<'campaign'> }[]>`
    select handle from campaigns where review_waits_for = 'rules' and deleted_at is null
      and (review_at is null or review_at <= ${now})
    order by handle limit ${count}`;
  return rows.map(({ handle }) => handle);
}
