/** The list of campaigns. `sql/campaigns` reads single ones. */
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import type { Handle } from '#domain/id.ts';
import { columnsOf } from '#sql/campaigns/rows.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { Caller } from '../../authentication/caller.ts';
import { positionIn, sliceOf, totalOf } from '../../lists/list-order.ts';
import { envelope, type List, type Page } from '../../lists/paging.ts';
import { likeText } from '../../wire/shapes.ts';
import { CAMPAIGN_SORTS } from '../schema/sorts.ts';

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
