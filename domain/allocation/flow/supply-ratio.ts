/**
 * Corrects a forecast by what was seen. The factor of a group of screens is the impressions seen over those forecast,
 * with recent hours weighing more. A small part of the whole network's history is added to each group's, so that a
 * group with little history follows the network.
 *
 * An outage says little of the days after it, and most end within hours. So an hour with far less than was expected
 * counts as three quarters of that, as outliers are cut off where a mean is not to follow them (winsorising: Tukey, The
 * Annals of Mathematical Statistics 33, 1962). What is added so is bounded: screens that are often off would else be
 * expected to be on, and an outage that goes on for longer counts in full.
 */
export type SupplyRatio = {
  readonly seen: Float64Array;
  readonly forecast: Float64Array;
  /** What of `seen` was added for outages. */
  readonly added: Float64Array;
};

/** Kept from one hour to the next: half of the weight lies in the last day. */
const DECAY_PER_HOUR = 0.97;
/** The part of the whole network's history that each group's history is joined with. */
const NETWORK_WEIGHT = 0.005;
/**
 * An hour counts as no less than this share of what was expected of it. Found on tuning seeds (bench/notes/pacing.md).
 */
const SHARE_MIN = 0.75;
/** At most this part of what was forecast lately is added for outages: about six hours of one. */
const ADDED_MAX = 0.15;

export function createSupplyRatio(groups: number): SupplyRatio {
  return { seen: new Float64Array(groups), forecast: new Float64Array(groups), added: new Float64Array(groups) };
}

/** Adds one finished hour: impressions seen and forecast by group. */
export function observeHour(ratio: SupplyRatio, seen: Float64Array, forecast: Float64Array): void {
  const factors = supplyFactors(ratio);
  for (let group = 0; group < ratio.seen.length; group++) {
    const expected = factors[group]! * forecast[group]!;
    const free = ADDED_MAX * factors[group]! * ratio.forecast[group]! - ratio.added[group]!;
    const added = Math.max(0, Math.min(SHARE_MIN * expected - seen[group]!, free));
    ratio.added[group] = DECAY_PER_HOUR * (ratio.added[group]! + added);
    ratio.seen[group] = DECAY_PER_HOUR * (ratio.seen[group]! + seen[group]! + added);
    ratio.forecast[group] = DECAY_PER_HOUR * (ratio.forecast[group]! + forecast[group]!);
  }
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
