/**
 * What each campaign can get, and which segments are scarce. One flow network answers both. First it is filled with
 * less supply than expected, a margin for outages, wrong forecasts and late bookings; its minimum cut shows what is
 * scarce. Then supply is raised to what is expected and the flow continues. Only if that cannot serve all demand, a new
 * network is filled as the operator's policy says (`overload.ts`).
 */
import type { AllocationGraph } from './graph.ts';
import { type OverloadPolicy, shareOverload } from './overload.ts';
import { type RemainingSupply, remainingSupply, type SupplyForecast } from './remaining-supply.ts';
import {
  admitDemand,
  growSegment,
  isAtRisk,
  isScarceSegment,
  openSupplyFlow,
  pushEvenly,
  pushSupply,
  type SupplyLimits,
} from './supply-flow.ts';

export type Attainable = {
  /** Impressions by campaign, at most its demand. */
  impressions: Float64Array;
  /** By segment: 1 where one impression less is one lost. */
  scarce: Uint8Array;
  /** By campaign: 1 where it may not get all it asks for, if supply is as low as the margin says. */
  atRisk: Uint8Array;
  fits: boolean;
};

/**
 * The margin of every hour, and what is added to it for later hours, in full after a day and a half: part of what is
 * free now will be booked.
 */
const MARGIN = 0.12;
const MARGIN_LATE = 0.18;
const MARGIN_LATE_AFTER_HOURS = 36;
/** A thousandth short is rounding, not shortage. */
const FITS_SHARE = 0.999;

type AttainableInput = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  /** Impressions wanted by campaign. */
  demand: Float64Array;
  price: Float64Array;
  /** The share of its goal that a campaign was delivered before, 0..1. */
  done: Float64Array;
  supply: RemainingSupply;
  overload: OverloadPolicy;
  separation?: { category: Int32Array; share: number };
};

export function attainableDemand(input: AttainableInput): Attainable {
  const { graph, forecast, demand, supply } = input;
  const careful = remainingSupply(
    graph,
    forecast,
    hoursAhead => 1 - MARGIN - MARGIN_LATE * Math.min(1, hoursAhead / MARGIN_LATE_AFTER_HOURS),
  );
  const flow = openFlow(input, careful);
  let wanted = 0;
  for (let campaign = 0; campaign < graph.campaigns; campaign++) {
    wanted += demand[campaign]!;
    admitDemand(flow, campaign, demand[campaign]!);
  }
  let served = (input.separation ? 0 : pushEvenly(flow)) + pushSupply(flow);
  const scarce = new Uint8Array(graph.segments);
  for (let segment = 0; segment < graph.segments; segment++) scarce[segment] = isScarceSegment(flow, segment) ? 1 : 0;
  const atRisk = Uint8Array.from({ length: graph.campaigns }, (_, campaign) => (isAtRisk(flow, campaign) ? 1 : 0));
  if (served < wanted * FITS_SHARE) {
    for (let segment = 0; segment < graph.segments; segment++) {
      if (careful.supply[segment]! > 0) growSegment(flow, segment, supply.supply[segment]! / careful.supply[segment]!);
    }
    served += pushSupply(flow);
  }
  if (served >= wanted * FITS_SHARE) return { impressions: demand, scarce, atRisk, fits: true };
  return { impressions: shareOverload(openFlow(input, supply), input, input.overload), scarce, atRisk, fits: false };
}

function openFlow({ graph, demand, separation }: AttainableInput, { supply, capShare }: RemainingSupply) {
  const limits: SupplyLimits = {
    supply,
    edgeMax: supply.map((impressions, segment) => impressions * capShare[segment]!),
    separation:
      separation === undefined
        ? null
        : { category: separation.category, categoryMax: supply.map(impressions => impressions * separation.share) },
  };
  return openSupplyFlow(graph, limits, campaign => demand[campaign]! > 0);
}
