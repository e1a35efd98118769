/**
 * How ads are put into a loop of a venue's own items: delivery sends screens what comes out, and the console shows it
 * for the hour to come. It imports types alone, so that a browser loads nothing else with it.
 */
import type { Milliseconds } from '../unit.ts';
import type { ItemType } from './playlist.ts';

/** An item with a known duration, and an ad slot, in the form for players. */
export type HouseItem = { type: Exclude<ItemType, 'ad_slot'>; duration_ms: Milliseconds };
type AdSlot = { type: 'ad_slot'; weight: number };

/**
 * An ad slot with the ad time (ms) that becomes due there in each loop; null means that only ads are shown, without
 * end. A player adds this time to what is already due, shows ads while anything is due, and subtracts the length of
 * each ad. So the time of ads stays within one ad of the ratio's share, whatever the lengths of the ads. A player may
 * keep such an account for each ad slot: then each slot stays within one ad of its own share, and the server limits the
 * sum.
 */
export type WovenAdSlot = AdSlot & { ad_ms: Milliseconds | null };

/**
 * Puts ads into a loop by the ad ratio: `adRatio` (0 .. 1) of the whole running time is ads, shared by the ad slots in
 * proportion to their weights. A loop without ad slots gets one after each item. With a ratio of 0 nothing is ever due
 * in the slots. With a ratio of 1 the house items stay in the loop and are shown when there is no ad.
 */
export function weaveAds<House extends HouseItem>(
  items: readonly (House | AdSlot)[],
  adRatio: number,
): (House | WovenAdSlot)[] {
  const loop = items.some(isAdSlot)
    ? items
    : items.flatMap((item): (House | AdSlot)[] => [item, { type: 'ad_slot', weight: 1 }]);
  let houseMs = 0;
  let weights = 0;
  for (const item of loop) {
    if (isAdSlot(item)) weights += item.weight;
    else houseMs += item.duration_ms;
  }
  const isEndless = adRatio >= 1 || houseMs === 0;
  const adMs = isEndless ? 0 : (houseMs * adRatio) / (1 - adRatio);
  // Rounded as they add up, so that the whole loop is off by half a millisecond at most and not by one per slot.
  let weightBefore = 0;
  return loop.map((item): House | WovenAdSlot => {
    if (!isAdSlot(item)) return item;
    const from = Math.round((adMs * weightBefore) / weights);
    weightBefore += item.weight;
    const to = Math.round((adMs * weightBefore) / weights);
    return { type: 'ad_slot', weight: item.weight, ad_ms: isEndless && adRatio > 0 ? null : to - from };
  });
}

function isAdSlot(item: { type: string }): item is AdSlot {
  return item.type === 'ad_slot';
}
