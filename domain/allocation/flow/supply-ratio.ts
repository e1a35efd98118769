/**
 * Corrects a forecast by what was seen. The factor of a group of screens is the impressions seen over those forecast,
 * with recent hours weighing more. A small part of the whole network's history is added to each group's, so that a
 * group with little history follows the network.
 *
 * An outage says little of the days after it, and most end within hours. So an hour with far less than was expected
 * counts as three quarters of that, as outliers are cut off where a mean is not to follow them (winsorising: Tukey, The
 * Annals of Mathematical Statistics 33, 1962). What is cut off is remembered: when an outage goes on for longer than
 * half a day, it counts in full, from its first hour.
 */
export type SupplyRatio = {
  readonly seen: Float64Array;
  readonly forecast: Float64Array;
  /** How many hours of an outage a group is in, and what was cut off in them. */
  readonly outageHours: Int32Array;
  readonly cutOff: Float64Array;
};

/** Kept from one hour to the next: half of the weight lies in the last day. */
const DECAY_PER_HOUR = 0.97;
/** The part of the whole network's history that each group's history is joined with. */
const NETWORK_WEIGHT = 0.005;
/**
 * An hour counts as no less than this share of what was expected of it, for so many hours of an outage. Found on tuning
 * seeds (bench/notes/pacing.md).
 */
const SHARE_MIN = 0.75;
const OUTAGE_HOURS_MAX = 12;

export function createSupplyRatio(groups: number): SupplyRatio {
  return {
    seen: new Float64Array(groups),
    forecast: new Float64Array(groups),
    outageHours: new Int32Array(groups),
    cutOff: new Float64Array(groups),
  };
}

/** Adds one finished hour: impressions seen and forecast by group. A group without a forecast stays as it is. */
export function observeHour(ratio: SupplyRatio, seen: Float64Array, forecast: Float64Array): void {
  const factors = supplyFactors(ratio);
  for (let group = 0; group < ratio.seen.length; group++) {
    // Of a group that was never seen nothing can be said to be missing.
    const least = ratio.seen[group]! > 0 ? SHARE_MIN * factors[group]! * forecast[group]! : 0;
    const counted = countedOf(ratio, group, { seen: seen[group]!, least });
    ratio.seen[group] = DECAY_PER_HOUR * Math.max(0, ratio.seen[group]! + counted);
    ratio.forecast[group] = DECAY_PER_HOUR * (ratio.forecast[group]! + forecast[group]!);
    ratio.cutOff[group] = DECAY_PER_HOUR * ratio.cutOff[group]!;
  }
}

/** What an hour counts as. Below 0 where an outage has become so long that what was cut off counts, too. */
function countedOf(
  { outageHours, cutOff }: SupplyRatio,
  group: number,
  { seen, least }: { seen: number; least: number },
): number {
  if (seen >= least) {
    // An hour in which nothing is forecast, such as one at night, ends no outage.
    if (least > 0) outageHours[group] = cutOff[group] = 0;
    return seen;
  }
  outageHours[group]!++;
  if (outageHours[group]! <= OUTAGE_HOURS_MAX) {
    cutOff[group]! += least - seen;
    return least;
  }
  const before = cutOff[group]!;
  cutOff[group] = 0;
  return seen - before;
}

/** The factor for each group's forecast; 1 while nothing has been forecast. */
export function supplyFactors(ratio: SupplyRatio): Float64Array {
  let seen = 0;
  let forecast = 0;
  for (let group = 0; group < ratio.seen.length; group++) {
    seen += ratio.seen[group]!;
    forecast += ratio.forecast[group]!;
  }
  const factors = new Float64Array(ratio.seen.length).fill(1);
  if (forecast <= 0) return factors;
  for (let group = 0; group < factors.length; group++) {
    factors[group] =
      (ratio.seen[group]! + NETWORK_WEIGHT * seen) / (ratio.forecast[group]! + NETWORK_WEIGHT * forecast);
  }
  return factors;
}
