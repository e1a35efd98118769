/**
 * The delivery of a day compared with the bound in hindsight: the maximum flow of the day's slots to the campaigns'
 * demand, with everything known now. The difference has four parts, in this order:
 *
 * 1. `idle`: the empty slots that short campaigns could have had. Nothing else changes.
 * 2. `misallocated`: the gain from giving slots to other campaigns: to one that could not play elsewhere instead of one
 *    that could.
 * 3. `capped`: the gain without frequency caps and separation.
 * 4. `lateBooked`: the gain if campaigns booked during the day had been booked before it.
 *
 * Each is the maximum flow with one more freedom less the previous one, so together they are the whole difference. A
 * campaign's demand is the amount due by its even curve at the end of the day, or its delivery, whichever is larger.
 */
import { admitDemand, openSupplyFlow, pushEvenly, pushSupply, type SupplyLimits } from '../flow/supply-flow.ts';
import type { AllocationGraph } from '../flow/graph.ts';
import { type CampaignHours, type DayGraph, dayGraphOf, type DaySlots } from './day-graph.ts';

/** A day of a network. `graph` has the allowed campaigns by targets and flight, for any hour. */
export type DaySeen = { graph: AllocationGraph; slots: DaySlots; campaigns: DayCampaigns };

/** In the unit of the slots, by campaign. */
export type DayCampaigns = CampaignHours & {
  /** Its demand on this day, at least its delivery. */
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
  // The flow may be below the delivery if a campaign was edited since: then no loss is counted.
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

/** The capacity of edges: 0 if the campaign was not booked, and limited by its cap if caps count. */
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
