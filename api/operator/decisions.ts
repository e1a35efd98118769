/**
 * How the slots of any screen were decided, with the names of winners and losers: what a venue and a brand each see a
 * part of (`decisions/`), as a whole.
 */
import { formatId, parseId, type Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { nameCampaigns } from '#sql/names/names.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { ScreenDecisionRecord } from '../decisions/schema.ts';
import { listScreenDecisions, type SlotRange, type DecisionEngines } from '../decisions/store.ts';
import type { List, Page } from '../lists/paging.ts';
import type { NetworkDecision } from './schema.ts';

type ListOptions = { screen: Handle<'screen'>; page: Page; range: SlotRange; now: Milliseconds };
type Party = { name: string | null; workspace: { id: string; name: string } | null };

export async function listNetworkDecisions(
  dependencies: DecisionEngines,
  options: ListOptions,
): Promise<List<NetworkDecision>> {
  const found = await listScreenDecisions(dependencies, { ...options, withElsewhere: true });
  const parties = await partiesOf(dependencies.sql, found.data);
  const partyOf = (id: string): Party => parties.get(id) ?? { name: null, workspace: null };
  return {
    ...found,
    data: found.data.map(decision => ({
      ...decision,
      winner: decision.winner && { ...decision.winner, ...partyOf(decision.winner.campaign_id) },
      losers: decision.losers.map(loser => ({ ...loser, ...partyOf(loser.campaign_id) })),
    })),
  };
}

/** The names of the campaigns in these decisions, by id. */
async function partiesOf(sql: Queryable, decisions: readonly ScreenDecisionRecord[]): Promise<Map<string, Party>> {
  const ids = new Set(
    decisions.flatMap(({ winner, losers }) => [winner, ...losers].flatMap(one => (one ? [one.campaign_id] : []))),
  );
  const campaigns = await nameCampaigns(
    sql,
    [...ids].flatMap(id => parseId('campaign', id) ?? []),
  );
  return new Map(
    [...campaigns.values()].map(({ handle, name, workspace, workspaceName }) => [
      formatId('campaign', handle),
      { name, workspace: { id: formatId('workspace', workspace), name: workspaceName } },
    ]),
  );
}
