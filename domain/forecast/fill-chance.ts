/**
 * How much a plan can get at each level of supply: a curve over the levels with a computed rest, and the chance that
 * supply reaches the level at which the plan gets all its demand.
 */

/**
 * The search for the level of supply at which a plan gets its demand: up to a million times the forecast, and exact to
 * a millionth.
 */
const LEVEL_SEARCH_MAX = 1e6;
const LEVEL_SEARCH_STEPS = 40;

type Curve = readonly { factor: number; impressions: number }[];

/** The value of the curve at log(supply / forecast) = `score`: interpolated, and proportional beyond its ends. */
export function attainableAt(curve: Curve, score: number): number {
  const factor = Math.exp(score);
  const above = curve.findIndex(point => point.factor >= factor);
  if (above <= 0) {
    const end = above === 0 ? curve[0]! : curve.at(-1)!;
    return (end.impressions * factor) / end.factor;
  }
  const [before, after] = [curve[above - 1]!, curve[above]!];
  return (
    before.impressions +
    ((factor - before.factor) / (after.factor - before.factor)) * (after.impressions - before.impressions)
  );
}

/** The chance that supply reaches the level at which the plan gets its demand. */
export function fillChance(curve: Curve, wanted: number, chance: (factor: number) => number): number {
  if (curve.every(point => point.impressions === 0)) return 0;
  let low = 0;
  let high = 1;
  while (attainableAt(curve, Math.log(high)) < wanted && high < LEVEL_SEARCH_MAX) high *= 2;
  for (let step = 0; step < LEVEL_SEARCH_STEPS; step++) {
    const middle = (low + high) / 2;
    if (attainableAt(curve, Math.log(middle)) >= wanted) high = middle;
    else low = middle;
  }
  return chance(high);
}
