/**
 * How much of the supply of later hours will be wanted by campaigns that nobody has booked yet. Without it a network of
 * which half is booked looks half empty, its slots stay idle, and when the other half comes two hours before it starts
 * there is no room left: worlds in which less than two thirds were booked on the first day lost up to a sixth so
 * (bench/notes/pacing.md).
 *
 * A network fills up to about what it usually sells. What is to come is that less what is booked, and more of it is
 * missing the further ahead an hour is. Hotels and airlines forecast so, from reservations on the books and the usual
 * final count (the advance booking methods in Weatherford and Kimes, International Journal of Forecasting 19, 2003).
 * Booked is what campaigns have as their even part of the rest of their flights, whatever they were delivered so far: a
 * campaign that ran ahead has not made room for others by that.
 *
 * What to set aside is for the plan's futures. Beside it, what is to spare counts by the period: days that sold less
 * than usual are made up for by the next ones, since what was not booked for them comes later as a rule. A network that
 * is half booked on the second day would else let slots pass that it lacks on the fourth.
 */
import type { AllocationGraph } from './graph.ts';
import type { SupplyForecast } from './remaining-supply.ts';

/**
 * A network that usually sells nearly all of its supply could have sold more: sales end where slots do, so they
 * understate what is wanted. Above the calm share, each part of the usual share counts so many times more. A guess that
 * is too high costs evenness alone, one that is too low costs impressions (bench/notes/pacing.md).
 */
const CALM_SHARE = 0.8;
const WANTED_BEYOND = 1.2;
/**
 * What was sold lately: an hour three days ago counts half. So in a week's plan what is made up for is at most two
 * thirds of what sales have fallen by. Where demand has fallen for good that fades as the usual share follows, within
 * its four weeks; meanwhile campaigns play earlier, not more.
 */
export const LATELY_HALF_HOURS = 72;
/** What these weights add up to. */
const LATELY_HOURS = LATELY_HALF_HOURS / Math.LN2;
/** Campaigns for the next hours are booked already; from here on all that is to come is missing. */
const MISSING_AFTER_HOURS = 12;

type LateBookingsInput = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  /** What the campaign wants of each impression that it is eligible for, spread evenly; 0 for one that is done. */
  evenShare: Float64Array;
  /** The share of its supply that the network usually sells, 0..1. */
  usualShare: number;
};

/**
 * The share of supply (0..1) to set aside for what is not booked yet, by hours ahead (0 is the current one): what the
 * network usually sells, and more for what sales do not show.
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

/** If the usual share is so much above the calm one, the network counts as crowded. */
const CROWDED_ABOVE = 0.1;

/** How crowded a network usually is, 0 (calm, or not known) to 1. */
export function crowdedness(usualShare: number | undefined): number {
  return Math.min(1, Math.max(0, ((usualShare ?? 0) - CALM_SHARE) / CROWDED_ABOVE));
}

type SpareInput = {
  forecast: SupplyForecast;
  /** What campaigns that are booked still want, as a share of all supply to come. */
  booked: number;
  usualShare: number;
  /** The share that was sold lately, 0..1: see `LATELY_HALF_HOURS`. */
  latelyShare: number;
};

/** What neither is booked nor will be, as a share of all supply to come; below 0 where there is too little. */
export function spareShare({ forecast, booked, usualShare, latelyShare }: SpareInput): number {
  return 1 - booked - Math.max(0, usualShare + toMakeUp({ forecast, usualShare, latelyShare }) - booked);
}

/** What was sold less than usual lately, as a share of all supply to come; below 0 where it was more. */
export function toMakeUp({ forecast, usualShare, latelyShare }: Omit<SpareInput, 'booked'>): number {
  return ((usualShare - latelyShare) * LATELY_HOURS) / hoursAhead(forecast);
}

/** Until the last supply that is forecast. */
function hoursAhead({ groups, buckets, bucketFrom, bucketsPerHour, supply }: SupplyForecast): number {
  let end = bucketFrom + 1;
  for (let group = 0; group < groups; group++) {
    let bucket = buckets;
    while (bucket > end && supply[group * buckets + bucket - 1]! <= 0) bucket--;
    end = Math.max(end, bucket);
  }
  return Math.max(1, (end - bucketFrom) / bucketsPerHour);
}
