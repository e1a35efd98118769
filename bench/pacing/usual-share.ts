/**
 * What a network has learned before the world begins: the share of its supply that an earlier period sold. It is that
 * of another world of the same kind and load, so it says nothing of this one's bookings, errors and outages.
 */
import { boundOf } from './bound.ts';
import { LATELY_HALF_HOURS } from '../../domain/allocation/flow/late-bookings.ts';
import type { RuleState } from './replay.ts';
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

/**
 * What a network sold lately, hour by hour, as the workers read it from their hours on record. Before the world begins
 * it sold the usual share of what is forecast for the mean hour.
 */
export function openLatelyShare({ world, seen, remaining }: RuleState, usualShare: number) {
  const kept = 2 ** (-1 / LATELY_HALF_HOURS);
  let slots = sumOf(world.forecast) / world.hours / (1 - kept);
  let sold = usualShare * slots;
  let left = sumOf(remaining);
  let came = 0;
  return {
    /** Call at the end of each hour; returns the share, 0..1. */
    observeHour(): number {
      const [leftNow, cameNow] = [sumOf(remaining), sumOf(seen)];
      sold = kept * (sold + left - leftNow);
      slots = kept * (slots + cameNow - came);
      [left, came] = [leftNow, cameNow];
      return sold / slots;
    },
  };
}

function sumOf(amounts: Float64Array): number {
  return amounts.reduce((sum, one) => sum + one, 0);
}
