/** How much of the future supply campaigns demand, and how much of that they can get. */
import type { AllocationGraph } from './flow/graph.ts';

/** By campaign; impressions as doubles. */
export type CampaignDemand = {
  /** Impressions that the whole budget buys. */
  goal: Float64Array;
  /** Impressions that the rest buys; 0 excludes the campaign. */
  remaining: Float64Array;
  /** Per impression, in any unit. */
  price: Float64Array;
  /** The share of its goal that was free when it was booked, 0..1; undefined: all of it, for all. */
  foreseen?: Float64Array | undefined;
  /** How long its flight is; undefined: all are equally long. */
  days?: Float64Array;
  /** Impressions seen so far in slots that the campaign was eligible for. */
  seenEligible: Float64Array;
  /** The same for the time after the forecast's horizon, for flights that end later; undefined: no flight does. */
  laterEligible?: Float64Array;
};

/**
 * What each campaign should deliver within the horizon: its rest, in proportion to the horizon's share of its supply.
 */
export function demandWithin(
  { remaining, laterEligible }: CampaignDemand,
  { eligible, ahead }: { eligible: Float64Array; ahead: Float64Array },
): Float64Array {
  return remaining.map((impressions, campaign) => {
    if (eligible[campaign]! <= 0) return 0;
    const later = laterEligible?.[campaign] ?? 0;
    return later > 0 ? (impressions * ahead[campaign]!) / (ahead[campaign]! + later) : impressions;
  });
}

/** Impressions of all segments that each campaign is eligible for. */
export function totalSupply(graph: AllocationGraph, supply: Float64Array): Float64Array {
  const total = new Float64Array(graph.campaigns);
  for (let edge = 0; edge < graph.edgeCampaign.length; edge++)
    total[graph.edgeCampaign[edge]!]! += supply[graph.edgeSegment[edge]!]!;
  return total;
}

/** Impressions that each campaign is eligible for in all of its flight: seen, ahead within the horizon, and later. */
export function wholeSupply(
  { seenEligible, laterEligible }: Pick<CampaignDemand, 'seenEligible' | 'laterEligible'>,
  ahead: Float64Array,
): Float64Array {
  return ahead.map((impressions, campaign) => seenEligible[campaign]! + impressions + (laterEligible?.[campaign] ?? 0));
}

/** The mean of a value over campaigns, weighted by their goals; 1 without campaigns. */
export function meanByGoal(values: Float64Array, goal: Float64Array): number {
  let [sum, goals] = [0, 0];
  for (let campaign = 0; campaign < goal.length; campaign++) {
    sum += values[campaign]! * goal[campaign]!;
    goals += goal[campaign]!;
  }
  return sum > 0 ? sum / goals : 1;
}

/** Assumes that the campaign gets as much of its demand after the horizon as within it. */
export function attainableShare(
  { goal, remaining }: CampaignDemand,
  { promised, demand }: { promised: Float64Array; demand: Float64Array },
): Float64Array {
  return goal.map((all, campaign) => {
    if (all <= 0) return 0;
    const part = demand[campaign]! > 0 ? promised[campaign]! / demand[campaign]! : 0;
    return Math.min(1, (all - remaining[campaign]! * (1 - part)) / all);
  });
}

/** Eligible impressions of each campaign, at most its cap share of a segment. */
export function eligibleSupply({
  graph,
  supply,
  capShare,
}: {
  graph: AllocationGraph;
  supply: Float64Array;
  capShare: Float64Array;
}): Float64Array {
  const eligible = new Float64Array(graph.campaigns);
  for (let edge = 0; edge < graph.edgeCampaign.length; edge++) {
    const segment = graph.edgeSegment[edge]!;
    eligible[graph.edgeCampaign[edge]!]! += supply[segment]! * capShare[segment]!;
  }
  return eligible;
}
