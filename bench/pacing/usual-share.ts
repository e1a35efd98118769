/**
 * What a network has learned before the world begins: the share of its supply that an earlier period sold. It is that
 * of another world of the same kind and load, so it says nothing of this one's bookings, errors and outages.
 */
import { boundOf } from './bound.ts';
import type { WorldOptions } from './world/options.ts';
import { makeWorld } from './world/world.ts';

/** Far from every seed that is tuned on or reported. */
const EARLIER_SEED = 10_000;

/** The last answer: the rules that plan ask for it one after the other in the same world. */
let last: { key: string; share: number } | undefined;

export function usualShareOf(options: WorldOptions): number {
  const key = JSON.stringify(options);
  if (last?.key === key) return last.share;
  const { impressions, supply } = boundOf(makeWorld({ ...options, seed: options.seed + EARLIER_SEED }));
  last = { key, share: impressions / supply };
  return last.share;
}
