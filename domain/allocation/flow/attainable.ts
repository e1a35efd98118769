/**
 * What each campaign can get, and the value of one more impression to it. One flow network answers both. First it is
 * filled with much less supply than expected, for outages, wrong forecasts and late bookings; its minimum cut shows
 * which campaigns would be short then. Supply is raised in steps, each another future, and the flow continues from step
 * to step. The last step is the expected supply. Only if that cannot serve all demand, a new network is filled by the
 * operator's policy (`overload.ts`).
 */
import type { AllocationGraph } from './graph.ts';
import { type OverloadPolicy, shareOverload } from './overload.ts';
import { type RemainingSupply, remainingSupply, type SupplyForecast } from './remaining-supply.ts';
import {
  admitDemand,
  growSegment,
  isAtRisk,
  openSupplyFlow,
  pushEvenly,
  pushSupply,
  type SupplyFlow,
  type SupplyLimits,
} from './supply-flow.ts';

export type Attainable = {
  /** Impressions by campaign, at most its demand. */
  impressions: Float64Array;
  /**
   * By campaign: the share of futures (0..1) in which it competes for scarce segments only. 0: it gets all it asks for.
   */
  worth: Float64Array;
  fits: boolean;
  /** That serves `impressions`. */
  flow: SupplyFlow;
};

/** The margin of every hour. */
const MARGIN = 0.12;
/**
 * Part of the available supply will be booked. Without a sales history of the network this is added to the margin of
 * later hours, in full after a day and a half.
 */
const MARGIN_LATE = 0.18;
const MARGIN_LATE_AFTER_HOURS = 36;
/** The futures: how many times the margin is lost in each, most first. All have equal weight. */
const MARGINS_LOST = [1.3, 1, 0.7] as const;
/** The minimum weight of an hour: a flow grows from future to future by factors, so it must not start at 0. */
const WEIGHT_MIN = 0.05;
/** A thousandth short is rounding, not shortage. */
const FITS_SHARE = 0.999;

type AttainableInput = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  /** Impressions wanted by campaign. */
  demand: Float64Array;
  price: Float64Array;
  /** The share of its goal that was already delivered, 0..1. */
  done: Float64Array;
  /** The share of its goal that was available when it was booked, 0..1 (`overload.ts`). */
  foreseen?: Float64Array | undefined;
  supply: RemainingSupply;
  overload: OverloadPolicy;
  separation?: { category: Int32Array; share: number };
  /** The share of supply that will be booked late, by hours ahead (`late-bookings.ts`); undefined: unknown. */
  late?: ((hoursAhead: number) => number) | undefined;
};

export function attainableDemand(input: AttainableInput): Attainable {
  const { graph, demand, supply } = input;
  let least = supplyWith(input, MARGINS_LOST[0]);
  const flow = openFlow(input, least);
  let wanted = 0;
  for (let campaign = 0; campaign < graph.campaigns; campaign++) {
    wanted += demand[campaign]!;
    admitDemand(flow, campaign, demand[campaign]!);
  }
  let served = pushEvenly(flow);
  const worth = new Float64Array(graph.campaigns);
  for (const lost of MARGINS_LOST) {
    const more = supplyWith(input, lost);
    growTo(flow, least, more);
    least = more;
    served += pushEvenly(flow) + pushSupply(flow);
    for (let campaign = 0; campaign < graph.campaigns; campaign++)
      if (isAtRisk(flow, campaign)) worth[campaign]! += 1 / MARGINS_LOST.length;
  }
  if (served < wanted * FITS_SHARE) {
    growTo(flow, least, supply);
    served += pushEvenly(flow) + pushSupply(flow);
  }
  if (served >= wanted * FITS_SHARE) return { impressions: demand, worth, fits: true, flow };
  return { impressions: shareOverload(flow, input, input.overload), worth, fits: false, flow };
}

/** The supply of the future in which this number of margins is lost. */
function supplyWith({ graph, forecast, late }: AttainableInput, lost: number): RemainingSupply {
  const lateOf = late ?? lateUnknown(lost);
  return remainingSupply(graph, forecast, hours => Math.max(WEIGHT_MIN, 1 - lost * MARGIN - lateOf(hours)));
}

/** @param lost how many margins are lost */
export function lateUnknown(lost: number): (hoursAhead: number) => number {
  return hours => lost * MARGIN_LATE * Math.min(1, hours / MARGIN_LATE_AFTER_HOURS);
}

function growTo(flow: SupplyFlow, from: RemainingSupply, to: RemainingSupply): void {
  from.supply.forEach((impressions, segment) => {
    if (impressions > 0) growSegment(flow, segment, to.supply[segment]! / impressions);
  });
}

function openFlow({ graph, demand, separation }: AttainableInput, { supply, capShare }: RemainingSupply) {
  const limits: SupplyLimits = {
    supply,
    edgeMax: Float64Array.from(graph.edgeSegment, segment => supply[segment]! * capShare[segment]!),
    separation:
      separation === undefined
        ? null
        : { category: separation.category, categoryMax: supply.map(impressions => impressions * separation.share) },
  };
  return openSupplyFlow(graph, limits, campaign => demand[campaign]! > 0);
}
