/**
 * The state at the beginning of a run of the journal: all input of decisions except screens, which are recorded before
 * their first decision. It is copied at once and formatted line by line later, so that a run can begin between two
 * requests.
 */
import type { Handle, Index } from '#domain/id.ts';
import type { BeginEntry, Counters, Money, RecordedCampaign, StateEntry } from '#domain/plays/decision-journal.ts';
import type { CampaignTable } from '../decision/campaign-table.ts';
import type { CandidateIndex } from '../decision/candidate-index.ts';
import type { CampaignFacts } from '../decision/facts.ts';
import type { Reservations } from '../decision/reservations.ts';

/** A copy of the state. Handles, and the competition key of a campaign that is gone, never change. */
type CopiedState = {
  campaigns: CampaignTable;
  rivalOf: (campaign: Index<'campaign'>) => { category: string; workspace: Handle<'workspace'> };
  facts: readonly (CampaignFacts | undefined)[];
  credits: ReadonlyMap<number, number[]>;
  countersOf: (campaign: Index<'campaign'>) => Omit<Counters, 'credits'>;
  moneyOf: (campaign: Index<'campaign'>) => Money;
};

/** The parts to copy. `outOfTurn`: the campaigns whose creatives may have credits (`decision/engine.ts`). */
type Decided = { index: CandidateIndex; reservations: Reservations; outOfTurn: Iterable<Index<'campaign'>> };

/** Copies the mutable state now, and formats it on demand: `begin` first, then each campaign. */
export function copyState(begin: BeginEntry, { index, reservations, outOfTurn }: Decided): Generator<string> {
  const facts = index.facts.slice();
  const credits = new Map<number, number[]>();
  for (const campaign of outOfTurn) {
    const own = facts[campaign];
    if (own !== undefined)
      credits.set(
        campaign,
        own.creatives.map(creative => creative.credit),
      );
  }
  return spellState(begin, {
    campaigns: index.campaigns,
    rivalOf: campaign => ({ category: index.categoryOf(campaign), workspace: index.workspace(campaign) }),
    facts,
    credits,
    countersOf: index.copyCounters(),
    moneyOf: reservations.copyMoney(),
  });
}

function* spellState(begin: BeginEntry, state: CopiedState): Generator<string> {
  yield JSON.stringify(begin);
  for (let campaign = 0; campaign < begin.campaigns; campaign++) {
    const own = state.facts[campaign];
    const rival = own ?? state.rivalOf(campaign);
    yield JSON.stringify({
      k: 'state',
      handle: state.campaigns.handleAt(campaign),
      ...(own && { facts: recordedCampaign(own) }),
      category: rival.category,
      workspace: rival.workspace,
      counters: { ...state.countersOf(campaign), credits: state.credits.get(campaign) ?? [] },
      money: state.moneyOf(campaign),
    } satisfies StateEntry);
  }
}

/** Without its files and credits. */
export function recordedCampaign({ creatives, ...facts }: CampaignFacts): RecordedCampaign {
  return {
    ...facts,
    creatives: creatives.map(({ handle, orientation, durationMs, weight, ready }) => ({
      handle,
      orientation,
      durationMs,
      weight,
      ready,
    })),
  };
}
