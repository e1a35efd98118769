/**
 * What each campaign can get, and which segments are scarce. One network answers both: it is first filled with a margin
 * off the supply, for outages, a wrong forecast and campaigns that are booked late, and its minimum cut is read; then
 * supply is raised to what is expected and the flow goes on. Only when that does not hold all demand is it emptied and
 * filled again: first a floor for everybody, so that nobody is starved, then band by band in descending order of price.
 */
import type { AllocationGraph } from './graph.ts';
import { type RemainingSupply, remainingSupply, type SupplyForecast } from './remaining-supply.ts';
import {
  admitDemand,
  growSegment,
  isAtRisk,
  isScarceSegment,
  openSupplyFlow,
  pushEvenly,
  pushSupply,
  servedBy,
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

/** Off the supply of every hour, and more off that of later hours, in full after a day and a half: what nobody has booked yet will be booked. */
const MARGIN = 0.12;
const MARGIN_LATE = 0.18;
const MARGIN_LATE_AFTER_HOURS = 36;
/** A thousandth short is rounding, not shortage. */
const FITS_SHARE = 0.999;
/** The part of the network's ratio that every campaign is given before price counts. */
const FLOOR_SHARE = 0.1;
/** Prices are served in this many bands; within one, volume goes before price. A band costs at least one search of the whole graph. */
const PRICE_BANDS_MAX = 12;

type Question = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  /** Impressions wanted by campaign. */
  demand: Float64Array;
  price: Float64Array;
  supply: RemainingSupply;
  separation?: { category: Int32Array; share: number };
};

export function attainableDemand(question: Question): Attainable {
  const { graph, forecast, demand, supply } = question;
  const careful = remainingSupply(
    graph,
    forecast,
    hoursAhead => 1 - MARGIN - MARGIN_LATE * Math.min(1, hoursAhead / MARGIN_LATE_AFTER_HOURS),
  );
  const flow = openFlow(question, careful);
  let wanted = 0;
  for (let campaign = 0; campaign < graph.campaigns; campaign++) {
    wanted += demand[campaign]!;
    admitDemand(flow, campaign, demand[campaign]!);
  }
  let served = (question.separation ? 0 : pushEvenly(flow)) + pushSupply(flow);
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
  return { impressions: serveByPrice(question, served / wanted), scarce, atRisk, fits: false };
}

function openFlow({ graph, demand, separation }: Question, { supply, capShare }: RemainingSupply) {
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

/** A floor for all, then the dearest first. @param ratio served over wanted on the whole network */
function serveByPrice(question: Question, ratio: number): Float64Array {
  const { graph, demand, price, supply } = question;
  const flow = openFlow(question, supply);
  const floor = FLOOR_SHARE * ratio;
  const order: number[] = [];
  for (let campaign = 0; campaign < graph.campaigns; campaign++) {
    if (demand[campaign]! <= 0) continue;
    order.push(campaign);
    admitDemand(flow, campaign, demand[campaign]! * floor);
  }
  pushSupply(flow);
  order.sort((a, b) => price[b]! - price[a]! || a - b);
  const band = Math.ceil(order.length / PRICE_BANDS_MAX);
  for (let first = 0; first < order.length; first += band) {
    for (const campaign of order.slice(first, first + band))
      admitDemand(flow, campaign, demand[campaign]! * (1 - floor));
    pushSupply(flow);
  }
  return demand.map((impressions, campaign) => (impressions > 0 ? servedBy(flow, campaign) : 0));
}
