/**
 * The inputs of a workspace's discount: its gross spend of the month, and the delivered share of the amount due by its
 * running campaigns.
 */
import type { Handle } from '#domain/id.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { Micros } from '#domain/unit.ts';

export type DiscountFactsRow = {
  workspace: Handle<'workspace'>;
  monthToDateMicros: Micros;
  deliveredMicros: Micros;
  dueMicros: Micros;
  caseStudy: boolean;
};

type DiscountFactsOptions = { sandbox: boolean; month?: string; now: Date };

/**
 * @param month first day of the month, YYYY-MM-DD; without it this one, in a sandbox by its clock. Workspaces that do
 *   not exist are left out.
 */
export async function readDiscountFacts(
  sql: Queryable,
  workspaces: readonly Handle<'workspace'>[],
  { sandbox, month, now }: DiscountFactsOptions,
): Promise<Map<Handle<'workspace'>, DiscountFactsRow>> {
  if (workspaces.length === 0) return new Map();
  const rows = await sql<DiscountFactsRow[]>`
    select w.handle as workspace, w.case_study as "caseStudy",
      coalesce(m.gross_micros, 0)::bigint as "monthToDateMicros",
      coalesce(c.delivered, 0)::bigint as "deliveredMicros", coalesce(c.due, 0)::bigint as "dueMicros"
    from workspaces w
    left join sandbox_clocks clock on clock.workspace_handle = w.handle and ${sandbox}
    left join workspace_months m on m.workspace_handle = w.handle and m.sandbox = ${sandbox}
      and m.month = coalesce(${month ?? null}::date,
        date_trunc('month', greatest(${now}::timestamptz, clock.at) at time zone 'UTC')::date)
    left join (
      select workspace_handle, sum(charged_micros) as delivered,
        floor(sum(due_micros(budget_micros, starts_on, ends_on, ${now}))) as due from campaigns
      where workspace_handle in ${sql([...workspaces])} and sandbox = ${sandbox} and status in ('live', 'paused')
        and deleted_at is null group by workspace_handle
    ) c on c.workspace_handle = w.handle
    where w.handle in ${sql([...workspaces])}`;
  return new Map(rows.map(row => [row.workspace, row]));
}
