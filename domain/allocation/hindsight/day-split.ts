/**
 * What was delivered on a day beside the bound in hindsight: the largest flow of the day's slots to what campaigns
 * wanted of that day, with all that is known now. The difference has four parts, in this order:
 *
 * 1. `idle`: what campaigns that fell short could have had of the empty slots. Nothing else changes.
 * 2. `misallocated`: what could have been delivered more by giving slots to other campaigns: to one that could not play
 *    elsewhere instead of one that could.
 * 3. `capped`: what more there would be without frequency caps and separation.
 * 4. `lateBooked`: what more there would be if the campaigns that were booked during the day had been booked before it.
 *
 * Each is the largest flow with one more freedom less the one before, so together they are the whole difference. What a
 * campaign wanted is what its even curve had due by the end of the day, or what it got, whichever is more.
 */
import { admitDemand, openSupplyFlow, pushEvenly, pushSupply, type SupplyLimits } from '../flow/supply-flow.ts';
import type { AllocationGraph } from '../flow/graph.ts';
import { type CampaignHours, type DayGraph, dayGraphOf, type DaySlots } from './day-graph.ts';

/** A day of a network. `graph` says who may play where by targets and flight, whatever the hour. */
export type DaySeen = { graph: AllocationGraph; slots: DaySlots; campaigns: DayCampaigns };

/** In the unit of the slots, by campaign. */
export type DayCampaigns = CampaignHours & {
  /** What it was to get on this day, at least what it got. */
  wanted: Float64Array;
  delivered: Float64Array;
};

/** Parts of the bound, in the unit of the slots: `bound` is the sum of the others. */
export type DaySplit = {
  bound: number;
  delivered: number;
  idle: number;
  misallocated: number;
  capped: number;
  lateBooked: number;
};

export function splitDay({ graph, slots, campaigns }: DaySeen): DaySplit {
  const { wanted } = campaigns;
  const day = dayGraphOf(graph, slots, campaigns);
  const delivered = campaigns.delivered.reduce((sum, one) => sum + one, 0);
  const short = wanted.map((all, campaign) => Math.max(0, all - campaigns.delivered[campaign]!));
  const playable = sumOf(day.played, day.open);
  const uncapped = sumOf(playable, day.capped);
  const under = { supply: playable, edgeMax: edgesOf(day, playable, { isCapped: true }) };
  // A flow may come out below what was done, where a campaign was edited since: then nothing is counted as lost.
  const within = Math.max(delivered, largestFlow(day, under, wanted));
  const free = Math.max(
    within,
    largestFlow(day, { supply: uncapped, edgeMax: edgesOf(day, uncapped, { isCapped: false }) }, wanted),
  );
  const bound = Math.max(free, largestFlow(day, { supply: sumOf(uncapped, day.barred), edgeMax: null }, wanted));
  const open = { supply: day.open, edgeMax: edgesOf(day, day.open, { isCapped: true }) };
  const idle = Math.min(within - delivered, largestFlow(day, open, short));
  return {
    bound,
    delivered,
    idle,
    misallocated: within - delivered - idle,
    capped: free - within,
    lateBooked: bound - free,
  };
}

function largestFlow({ graph }: DayGraph, limits: Omit<SupplyLimits, 'separation'>, demand: Float64Array): number {
  const flow = openSupplyFlow(graph, { ...limits, separation: null }, campaign => demand[campaign]! > 0);
  demand.forEach((wanted, campaign) => admitDemand(flow, campaign, wanted));
  return pushEvenly(flow) + pushSupply(flow);
}

/** What edges take: nothing where the campaign was not booked, and where caps count no more than its cap leaves it. */
function edgesOf(
  { graph, unbooked, most }: DayGraph,
  supply: Float64Array,
  { isCapped }: { isCapped: boolean },
): Float64Array {
  return Float64Array.from(graph.edgeSegment, (row, edge) => {
    if (unbooked[edge] === 1) return 0;
    return isCapped ? Math.min(supply[row]!, most[edge]!) : supply[row]!;
  });
}

function sumOf(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, row) => value + b[row]!);
}
