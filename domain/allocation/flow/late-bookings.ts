/**
 * How much of the supply of later hours will be needed by future bookings. Otherwise a half-booked network looks half
 * empty, its slots stay idle, and when the other half is booked two hours before its start there is no room left.
 * Simulated networks with less than two thirds booked on the first day lost up to a sixth that way
 * (bench/notes.md).
 *
 * A network fills up to about its usual sales. Future bookings are that amount less the current bookings, and a larger
 * part is missing the further ahead an hour is. Hotels and airlines forecast the same way, from reservations on the
 * books and the usual final count (the advance booking methods in Weatherford and Kimes, International Journal of
 * Forecasting 19, 2003). A campaign counts as booked with its even share of the rest of its flight, whatever was
 * delivered so far: a campaign that ran ahead has not made room for others.
 *
 * The reserve is an input of the plan's futures. The spare supply is counted over the whole period: days with low sales
 * are followed by days with more, because missing bookings usually come later. Otherwise a network that is half booked
 * on the second day would skip slots that it lacks on the fourth.
 */
import type { AllocationGraph } from './graph.ts';
import type { SupplyForecast } from './remaining-supply.ts';

/**
 * A network that usually sells nearly all of its supply could have sold more: sales are capped by the number of slots,
 * so they understate demand. Above the calm share, each part of the usual share is multiplied by this. Too high a guess
 * only costs evenness, too low a guess costs impressions (bench/notes.md).
 */
const CALM_SHARE = 0.8;
const WANTED_BEYOND = 1.2;
/**
 * Weight of recent sales: an hour three days ago counts half. So a week's plan makes up for at most two thirds of a
 * fall in sales. If demand has fallen for good, this effect fades over the four weeks of the usual share; meanwhile
 * campaigns play earlier, not more.
 */
export const LATELY_HALF_HOURS = 72;
/** The sum of these weights. */
const LATELY_HOURS = LATELY_HALF_HOURS / Math.LN2;
/** Campaigns for the next hours are already booked; from here on all future bookings are missing. */
const MISSING_AFTER_HOURS = 12;

type LateBookingsInput = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  /** The campaign's demand per eligible impression, spread evenly; 0 if it is done. */
  evenShare: Float64Array;
  /** The share of its supply that the network usually sells, 0..1. */
  usualShare: number;
};

/**
 * The share of supply (0..1) to reserve for future bookings, by hours ahead (0 is the current one): the usual sales of
 * the network, plus the demand that sales do not show.
 */
export function lateBookings({
  graph,
  forecast,
  evenShare,
  usualShare,
}: LateBookingsInput): (hoursAhead: number) => number {
  const asked = new Float64Array(graph.segments);
  for (let edge = 0; edge < graph.edgeCampaign.length; edge++)
    asked[graph.edgeSegment[edge]!]! += evenShare[graph.edgeCampaign[edge]!]!;
  const { groups, buckets, bucketFrom, segmentOf, supply, factor } = forecast;
  let [all, booked] = [0, 0];
  for (let group = 0; group < groups; group++) {
    for (let cell = group * buckets + bucketFrom; cell < (group + 1) * buckets; cell++) {
      if (supply[cell]! <= 0) continue;
      const impressions = supply[cell]! * factor[group]!;
      all += impressions;
      booked += impressions * asked[segmentOf[cell]!]!;
    }
  }
  const wanted = usualShare + WANTED_BEYOND * Math.max(0, usualShare - CALM_SHARE);
  const missing = all > 0 ? Math.max(0, wanted - booked / all) : 0;
  return hours => missing * Math.min(1, hours / MISSING_AFTER_HOURS);
}

/** If the usual share is this much above the calm one, the network counts as crowded. */
const CROWDED_ABOVE = 0.1;

/** How crowded a network usually is, 0 (calm or unknown) to 1. */
export function crowdedness(usualShare: number | undefined): number {
  return Math.min(1, Math.max(0, ((usualShare ?? 0) - CALM_SHARE) / CROWDED_ABOVE));
}

type SpareInput = {
  forecast: SupplyForecast;
  /** The remaining demand of booked campaigns, as a share of future supply. */
  booked: number;
  usualShare: number;
  /** The share sold recently, 0..1: see `LATELY_HALF_HOURS`. */
  latelyShare: number;
};

/** The share of future supply that is neither booked nor will be; negative if there is too little. */
export function spareShare({ forecast, booked, usualShare, latelyShare }: SpareInput): number {
  return 1 - booked - Math.max(0, usualShare + toMakeUp({ forecast, usualShare, latelyShare }) - booked);
}

/** The recent shortfall of sales, as a share of future supply; negative if more was sold than usual. */
export function toMakeUp({ forecast, usualShare, latelyShare }: Omit<SpareInput, 'booked'>): number {
  return ((usualShare - latelyShare) * LATELY_HOURS) / hoursAhead(forecast);
}

/** Until the end of the forecast supply. */
function hoursAhead({ groups, buckets, bucketFrom, bucketsPerHour, supply }: SupplyForecast): number {
  let end = bucketFrom;
  for (let group = 0; group < groups; group++) {
    let bucket = buckets;
    while (bucket > end && supply[group * buckets + bucket - 1]! <= 0) bucket--;
    end = Math.max(end, bucket);
  }
  return Math.max(1, (end - bucketFrom) / bucketsPerHour);
}
