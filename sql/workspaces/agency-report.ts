/** Charges and discounts of an agency and its clients, in groups, from the lines that settlement writes. */
import type { Handle } from '#domain/id.ts';
import type { Micros } from '#domain/unit.ts';
import type { Owner } from '#books/unit-of-work.ts';
import type { Postgres } from '#sql/postgres.ts';

export const AGENCY_GROUPS = ['client', 'region', 'daypart', 'campaign'] as const;
export type AgencyGroup = (typeof AGENCY_GROUPS)[number];

/** `owner`: the workspace of a campaign. */
export type AgencySums = {
  currency: string;
  key: string | number | null;
  name: string | null;
  owner: Handle<'workspace'> | null;
  gross: Micros;
  discount: Micros;
  plays: number;
  impressions: number;
};

/** The sums of all groups in all currencies, the largest first. */
export async function sumSpend(
  sql: Postgres,
  { workspace, sandbox }: Owner,
  { from, to, group }: { from: string; to: string; group: AgencyGroup },
): Promise<AgencySums[]> {
  return sql<AgencySums[]>`
    with line as (
      select l.*, c.workspace_handle, c.name as campaign_name, c.currency from spend_lines l
      join campaigns c on c.handle = l.campaign_handle join workspaces w on w.handle = c.workspace_handle
      where (w.handle = ${workspace} or w.parent_handle = ${workspace}) and c.sandbox = ${sandbox}
        and l.day between ${from}::date and ${to}::date)
    select line.currency, ${groupColumns(sql, group)}, sum(gross_micros)::bigint as gross,
      sum(discount_micros)::bigint as discount, sum(plays)::bigint as plays,
      sum(impressions_thousandths)::bigint as impressions
    from line ${
      group === 'client'
        ? sql`join workspaces w on w.handle = line.workspace_handle`
        : group === 'region'
          ? sql`left join venues v on v.handle = line.venue_handle`
          : sql``
    }
    group by 1, 2, 3, 4 order by gross desc, 2`;
}

function groupColumns(sql: Postgres, group: AgencyGroup) {
  switch (group) {
    case 'client':
      return sql`line.workspace_handle as key, w.name, null::bigint as owner`;
    case 'region':
      return sql`v.city as key, null as name, null::bigint as owner`;
    case 'daypart':
      return sql`daypart as key, null as name, null::bigint as owner`;
    case 'campaign':
      return sql`campaign_handle as key, campaign_name as name, workspace_handle as owner`;
  }
}
