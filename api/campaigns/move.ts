import { moveCampaign, type CampaignEvent, type CampaignState } from '#domain/campaign.ts';
import { formatId } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import type { Queryable } from '#sql/postgres.ts';
import { Rollback, type Unit } from '#sql/unit-of-work.ts';

/** What a move is called in the audit, and the event that it tells; the table of moves itself is the domain's. */
const MOVES: Record<CampaignEvent, { action: string; emits: string | undefined }> = {
  submit: { action: 'campaign.submitted', emits: undefined },
  approve: { action: 'campaign.approved', emits: 'campaign.approved' },
  reject: { action: 'campaign.rejected', emits: 'campaign.rejected' },
  pause: { action: 'campaign.paused', emits: 'campaign.paused' },
  resume: { action: 'campaign.resumed', emits: 'campaign.resumed' },
  finish: { action: 'campaign.finished', emits: 'campaign.finished' },
};

export type MovingCampaign = { handle: number; name: string; status: CampaignState; workspace: number };

/**
 * Moves a locked campaign to its next state, with audit entry, event and change. Returns the state.
 * @throws Rollback with `state_conflict` where the campaign has no such move.
 */
export async function moveToState(unit: Unit, campaign: MovingCampaign, event: CampaignEvent): Promise<CampaignState> {
  const status = moveCampaign(campaign.status, event);
  if (isRefusal(status)) throw new Rollback(status);
  const { action, emits } = MOVES[event];
  const entity = { workspace: campaign.workspace, entityType: 'campaign', entityHandle: campaign.handle };
  await unit.tx`update campaigns set status = ${status} where handle = ${campaign.handle}`;
  unit.audit({ ...entity, action, diff: { status: { from: campaign.status, to: status } } });
  if (emits) unit.emit({ ...entity, type: emits, payload: { object: { id: formatId('campaign', campaign.handle), name: campaign.name, status }, previous: { status: campaign.status } } });
  unit.changed('campaign', campaign.handle);
  return status;
}

/** Whether any creative of the campaign can run. */
export async function hasReadyCreative(sql: Queryable, campaign: number): Promise<boolean> {
  const [row] = await sql`
    select 1 from campaign_creatives b join creatives c on c.handle = b.creative_handle
    where b.campaign_handle = ${campaign} and c.status = 'ready' limit 1`;
  return row !== undefined;
}
