/**
 * Smooth weighted round robin: among creatives of weights 3 and 1 the turns are a a b a. If all of a campaign's
 * creatives fit a slot, which is nearly always the case, the turn comes from a precomputed list; otherwise the round
 * robin runs over those that fit.
 */
import type { CreativeFacts } from './facts.ts';

/** Longer cycles are not listed. */
const TURNS_MAX = 64;
const NO_TURNS: readonly CreativeFacts[] = [];

/** One cycle of turns; empty when it would be too long to list. */
export function turnsOf(creatives: readonly CreativeFacts[]): readonly CreativeFacts[] {
  const divisor = creatives.reduce((common, { weight }) => commonDivisor(common, weight), 0);
  const length = creatives.reduce((sum, { weight }) => sum + weight, 0) / divisor;
  if (creatives.length <= 1) return creatives;
  if (length > TURNS_MAX) return NO_TURNS;
  const credits = creatives.map(() => 0);
  return Array.from({ length }, () => {
    let chosen = 0;
    creatives.forEach(({ weight }, at) => {
      credits[at]! += weight / divisor;
      if (credits[at]! > credits[chosen]!) chosen = at;
    });
    credits[chosen]! -= length;
    return creatives[chosen]!;
  });
}

/** The next turn among the creatives that `fits` allows; undefined if none. */
export function turnAmong(
  creatives: readonly CreativeFacts[],
  fits: (creative: CreativeFacts) => boolean,
): CreativeFacts | undefined {
  let total = 0;
  let chosen: CreativeFacts | undefined;
  for (const creative of creatives) {
    if (!fits(creative)) continue;
    creative.credit += creative.weight;
    total += creative.weight;
    if (chosen === undefined || creative.credit > chosen.credit) chosen = creative;
  }
  if (chosen !== undefined) chosen.credit -= total;
  return chosen;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
