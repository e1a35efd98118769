/** What campaigns want of the supply to come, and what of it they can get. */
import type { AllocationGraph } from './flow/graph.ts';

/** By campaign; impressions as doubles. */
export type CampaignDemand = {
  /** What the whole budget buys. */
  goal: Float64Array;
  /** What is left of it; 0 leaves the campaign out. */
  remaining: Float64Array;
  /** Per impression, any one unit. */
  price: Float64Array;
  /** The share of its goal that was free when it was booked, 0..1; undefined: all of it, for all. */
  foreseen?: Float64Array | undefined;
  /** How long its flight is; undefined: all are equally long. */
  days?: Float64Array;
  /** Impressions seen so far in slots that the campaign was eligible for. */
  seenEligible: Float64Array;
  /** The same of the time after the forecast's horizon, for flights that end later; undefined: of none. */
  laterEligible?: Float64Array;
};

/**
 * What each campaign is to deliver within the horizon: the same share of what is left as the horizon has of its supply.
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

/** The mean of a value of campaigns, each as often as its goal has impressions; 1 where there are none. */
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
