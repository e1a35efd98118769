/**
 * The one write of an existing campaign. The rules (`domain/campaigns/changes`) have decided what changes; this writes
 * the row, its creatives, its money, its audit entries, its event and its line in the change log, inside a unit of work
 * that has locked the row.
 */
import type { CampaignPlan } from '#domain/campaigns/changes/plan-move.ts';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { assignments, jsonb, type Transaction } from '#sql/postgres.ts';

/**
 * Writes a plan, or returns the refusal of one.
 * @throws InsufficientFunds when the wallet does not cover a raise
 */
export async function writePlan(
  unit: Unit,
  { handle, workspace_handle: workspace, sandbox }: CampaignRow,
  plan: CampaignPlan | Refusal,
): Promise<undefined | Refusal> {
  if (isRefusal(plan)) return plan;
  const { tx } = unit;
  const { bindings, entry, audits, event } = plan;
  const columns = storedColumns(tx, plan.columns);
  if (Object.keys(columns).length > 0)
    await tx`update campaigns set ${assignments(tx, columns)} where handle = ${handle}`;
  if (bindings) {
    const rows = bindings.map(({ creative, weight }) => ({
      campaign_handle: handle,
      creative_handle: creative,
      weight,
    }));
    await tx`delete from campaign_creatives where campaign_handle = ${handle}`;
    await tx`insert into campaign_creatives ${tx(rows)}`;
  }
  if (entry) await unit.post(entry);
  const entity = { workspace, sandbox, entityType: 'campaign', entityHandle: handle };
  for (const audit of audits) unit.audit({ ...entity, ...audit });
  if (event) unit.emit({ ...entity, ...event });
  if (plan.isAnnounced) unit.changed('campaign', handle);
  return undefined;
}

/** The columns of a campaign by their names in the table. */
export type StoredColumns = Omit<CampaignPlan['columns'], 'starts' | 'ends'> & {
  starts_on?: CampaignRow['starts'];
  ends_on?: CampaignRow['ends'];
};

export function storedNames({ starts, ends, ...columns }: CampaignPlan['columns']): StoredColumns {
  return {
    ...columns,
    ...(starts !== undefined && { starts_on: starts }),
    ...(ends !== undefined && { ends_on: ends }),
  };
}

function storedColumns(tx: Transaction, plan: CampaignPlan['columns']): StoredColumns {
  const isJson = (value: unknown) => typeof value === 'object' && value !== null && !(value instanceof Date);
  const columns = Object.entries(storedNames(plan)).map(([column, value]) => [
    column,
    isJson(value) ? jsonb(tx, value) : value,
  ]);
  return Object.fromEntries(columns) as StoredColumns;
}
