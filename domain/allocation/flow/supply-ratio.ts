/**
 * Corrects a forecast by what was seen. The factor of a group of screens is the impressions seen over those forecast,
 * with recent hours weighing more. A small part of the whole network's history is added to each group's, so that a
 * group with little history follows the network.
 */
export type SupplyRatio = { readonly seen: Float64Array; readonly forecast: Float64Array };

/** Kept from one hour to the next: half of the weight lies in the last day. */
const DECAY_PER_HOUR = 0.97;
/** The part of the whole network's history that each group's history is joined with. */
const NETWORK_WEIGHT = 0.005;

export function createSupplyRatio(groups: number): SupplyRatio {
  return { seen: new Float64Array(groups), forecast: new Float64Array(groups) };
}

/** Adds one finished hour: impressions seen and forecast by group. */
export function observeHour(ratio: SupplyRatio, seen: Float64Array, forecast: Float64Array): void {
  for (let group = 0; group < ratio.seen.length; group++) {
    ratio.seen[group] = DECAY_PER_HOUR * (ratio.seen[group]! + seen[group]!);
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
