/**
 * The creation of a campaign: what it relies on is read first, then everything is planned
 * (`domain/campaigns/changes/plan-new.ts`) and written by one statement (`sql/campaigns/new-campaigns.ts`). Calls of
 * the same moment share both.
 */
import { planNew, type NewCampaign } from '#domain/campaigns/changes/plan-new.ts';
import { refuseCreatives } from '#domain/campaigns/changes/refuse-change.ts';
import type { Estimate } from '#domain/campaigns/changes/stored-campaign.ts';
import { orientationsOf } from '#domain/campaigns/creative.ts';
import type { Refusal } from '#domain/refusal.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import { Fault } from '#runtime/fault-error.ts';
import {
  readParties,
  writeNewCampaigns,
  type CampaignParties,
  type NewUnit,
  type PartiesKey,
} from '#sql/campaigns/new-campaigns.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { createJoinedReads, type JoinedReads } from '../joined/joined-reads.ts';
import { createJoinedWrites, type JoinedWrites } from '../joined/joined-writes.ts';
import { campaignRecord } from './record.ts';
import type { CreatedCampaignRecord } from './schema/record.ts';

/** How often a creation starts again because a creative has changed in between. */
const TRIES_MAX = 5;
/** How many new campaigns one read is for. Each names at most a few dozen creatives. */
const CAMPAIGNS_AT_ONCE_MAX = 200;
/** How many new campaigns one statement writes. With as many it takes some tens of milliseconds. */
const WRITTEN_AT_ONCE_MAX = 50;

export type CampaignReads = JoinedReads<PartiesKey, CampaignParties>;
export type CampaignWrites = JoinedWrites<NewUnit<CreatedCampaignRecord>>;
export type CreationDependencies = { campaignReads: CampaignReads; campaignWrites: CampaignWrites };

/** Reads what new campaigns rely on. Simultaneous calls share a read. */
export function createCampaignReads({ sql }: { sql: Postgres }): CampaignReads {
  return createJoinedReads({ read: keys => readParties(sql, keys), keysMax: CAMPAIGNS_AT_ONCE_MAX });
}

/** Writes new campaigns. Calls of the same moment share a statement. */
export function createCampaignWrites({ sql }: { sql: Postgres }): CampaignWrites {
  return createJoinedWrites({
    keyOf: ({ plan }) => plan.row.workspace_handle,
    write: units => writeNewCampaigns(sql, units),
    unitsMax: WRITTEN_AT_ONCE_MAX,
  });
}

type Creation = Pick<NewCampaign, 'fields' | 'actsForAgency' | 'now'> & {
  /** Forecasts it for screens of these orientations, those of its creatives; undefined: it lacks budget or days. */
  estimate(orientations: readonly Orientation[]): Promise<Estimate | undefined>;
};

/**
 * Creates a campaign.
 *
 * @throws InsufficientFunds when the wallet does not cover the budget
 */
export async function createCampaign(
  { campaignReads, campaignWrites }: CreationDependencies,
  { workspace, sandbox, actor, once }: Caller,
  { estimate: estimateFor, ...campaign }: Creation,
): Promise<CreatedCampaignRecord | Refusal> {
  const creatives = campaign.fields.bindings.map(binding => binding.creative);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const parties = await campaignReads.get({ workspace, sandbox, creatives });
    if (!parties) throw new Error('a read of campaigns left out one of its keys');
    const refusal = refuseCreatives(parties.creatives, campaign.fields);
    if (refusal) return refusal;
    const estimate = await estimateFor(orientationsOf(parties.creatives));
    const plan = planNew({ workspace, sandbox, ...campaign, ...parties, estimate });
    const value = { ...campaignRecord(plan), warnings: estimate?.warnings ?? [] };
    if (await campaignWrites.write({ actor, once, plan, value })) return value;
  }
  throw new Fault('creatives_changing', 'the creatives of a campaign change again and again', { retryable: true });
}
