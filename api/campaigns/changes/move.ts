/**
 * One step of a campaign's state machine (`domain/campaigns/campaign.ts`), written with its audit entry, event and
 * change. A PATCH, a deletion and the detaching of a creative all move campaigns through here.
 */
import { describeMove, type CampaignEvent, type CampaignState } from '#domain/campaigns/campaign.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import { writeMove, type MoveExtras } from '#books/campaign-life.ts';
import type { Queryable } from '#sql/postgres.ts';
import { Rollback, type Unit } from '#books/unit-of-work.ts';

export type CampaignToMove = {
  handle: Handle<'campaign'>;
  name: string;
  status: CampaignState;
  sandbox: boolean;
  workspace: Handle<'workspace'>;
};

/**
 * Moves a locked campaign to its next state, with audit entry, event and change. Returns the state.
 * @throws Rollback with `state_conflict` if the campaign has no such move.
 */
export async function moveToState(
  unit: Unit,
  campaign: CampaignToMove,
  event: CampaignEvent,
  extras: MoveExtras = {},
): Promise<CampaignState> {
  const move = describeMove(campaign.status, event);
  if (isRefusal(move)) throw new Rollback(move);
  const { handle, workspace, sandbox, name } = campaign;
  await writeMove(unit, { handle, workspace, sandbox, name, id: formatId('campaign', handle) }, move, extras);
  return move.to;
}

/** Whether any creative of the campaign can run. */
export async function hasReadyCreative(sql: Queryable, campaign: Handle<'campaign'>): Promise<boolean> {
  const [row] = await sql`
    select 1 from campaign_creatives b join creatives c on c.handle = b.creative_handle
    where b.campaign_handle = ${campaign} and c.status = 'ready' limit 1`;
  return row !== undefined;
}
