/**
 * Corrects a forecast by the seen supply. The factor of a group of screens is the impressions seen over those forecast,
 * with recent hours weighing more. A small part of the whole network's history is added to each group's, so that a
 * group with little history follows the network.
 *
 * An outage says little about the days after it, and most end within hours. So an hour far below the expectation counts
 * as three quarters of it, as outliers are cut off before a mean (winsorizing: Tukey, The Annals of Mathematical
 * Statistics 33, 1962). An outage longer than half a day counts in full from its first hour. So does an outage that
 * begins within a day of the last one, because otherwise screens that are often off would be expected to be on.
 */
export type SupplyRatio = {
  readonly seen: Float64Array;
  readonly forecast: Float64Array;
  /** The part of `seen` that was added for an outage that has not ended. */
  readonly added: Float64Array;
  /** Hours of the outage, or of the last one, and hours since it. */
  readonly outageHours: Int32Array;
  readonly calmHours: Int32Array;
};

/** Kept from one hour to the next: half of the weight lies in the last day. */
const DECAY_PER_HOUR = 0.97;
/** The share of the whole network's history that is added to each group's history. */
const NETWORK_WEIGHT = 0.005;
/**
 * An hour of an outage counts as at least this share of its expectation, for this many hours. Found on tuning seeds
 * (bench/notes.md).
 */
const SHARE_MIN = 0.75;
const OUTAGE_HOURS_MAX = 12;
const CALM_HOURS_MIN = 24;

export function createSupplyRatio(groups: number): SupplyRatio {
  return {
    seen: new Float64Array(groups),
    forecast: new Float64Array(groups),
    added: new Float64Array(groups),
    outageHours: new Int32Array(groups),
    calmHours: new Int32Array(groups).fill(CALM_HOURS_MIN),
  };
}

/** Adds one finished hour: impressions seen and forecast by group. */
export function observeHour(ratio: SupplyRatio, seen: Float64Array, forecast: Float64Array): void {
  const factors = supplyFactors(ratio);
  for (let group = 0; group < ratio.seen.length; group++) {
    const least = SHARE_MIN * factors[group]! * forecast[group]!;
    // Nothing is forecast at night: no outage begins or ends then. Screens that were never seen have no outage either.
    const more = least > 0 && ratio.seen[group]! > 0 ? addedFor(ratio, group, least - seen[group]!) : 0;
    ratio.added[group] = DECAY_PER_HOUR * (ratio.added[group]! + more);
    ratio.seen[group] = DECAY_PER_HOUR * Math.max(0, ratio.seen[group]! + seen[group]! + more);
    ratio.forecast[group] = DECAY_PER_HOUR * (ratio.forecast[group]! + forecast[group]!);
  }
}

/**
 * The addition for an hour with this shortfall; negative once an outage has become so long that earlier additions are
 * removed.
 * @param lacks 0 or less in an hour without an outage
 */
function addedFor({ added, outageHours, calmHours }: SupplyRatio, group: number, lacks: number): number {
  if (lacks <= 0) {
    calmHours[group]!++;
    added[group] = 0;
    return 0;
  }
  if (calmHours[group]! > 0) outageHours[group] = calmHours[group]! >= CALM_HOURS_MIN ? 0 : OUTAGE_HOURS_MAX;
  calmHours[group] = 0;
  outageHours[group]!++;
  return outageHours[group]! <= OUTAGE_HOURS_MAX ? lacks : -added[group]!;
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
