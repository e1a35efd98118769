/**
 * The root of a rising, piecewise linear function between two bounds: Newton's step if it stays inside the bracket,
 * otherwise half of the bracket. The functions of SHALE and of the high-water mark have kinks at shares of 0 or at the
 * cap; a bracket makes the step safe on both sides of them.
 */
export type Evaluation = { value: number; slope: number };

/** Halving alone reaches 1e-12 of the bracket in 40 steps; Newton needs about five. */
const STEPS_MAX = 40;

type RootSearch = { wanted: number; low: number; high: number; start: number; tolerance: number };

/**
 * The argument at which the function is `wanted`, to within `tolerance` of the value; `low` or `high` if it is beyond
 * them.
 * @param evaluate writes value and slope at x into `at`; value never falls as x rises
 * @param start a guess between low and high, such as the last root
 */
export function findRoot(
  evaluate: (x: number, at: Evaluation) => void,
  { wanted, low, high, start, tolerance }: RootSearch,
): number {
  const at: Evaluation = { value: 0, slope: 0 };
  let below = low;
  let above = high;
  let lowTried = false;
  let highTried = false;
  let x = Math.min(high, Math.max(low, start));
  for (let step = 0; step < STEPS_MAX; step++) {
    evaluate(x, at);
    const rest = wanted - at.value;
    if (Math.abs(rest) <= tolerance) return x;
    if (rest > 0) {
      if (x >= high) return high;
      below = x;
      lowTried = true;
    } else {
      if (x <= low) return low;
      above = x;
      highTried = true;
    }
    const newton = at.slope > 0 ? x + rest / at.slope : NaN;
    // If the step leaves the bounds, the bound itself is tried first: it may be the answer.
    if (newton > below && newton < above) x = newton;
    else if (rest > 0 && !highTried) x = high;
    else if (rest < 0 && !lowTried) x = low;
    else x = (below + above) / 2;
  }
  return x;
}
