/**
 * The next hour of a screen that runs a playlist. Ads are woven in and allowed as delivery does it, and turns are taken
 * as players take them, by the same code. Each ad is taken to last ten seconds, and there is always one to show.
 */
import { AD_CREDIT_MS_MAX, allowedAdMs } from '#domain/plays/decision.ts';
import { weaveAds, type HouseItem } from '#domain/screens/ad-weaving.ts';
import { Turns } from '../../../player/plays/turn.ts';

/** The content from a moment of the hour on: the item at a position of the list, or an ad. */
export type Showing = { atMs: number; durationMs: number; place: number | 'ad' };
/** The data to play an item. */
type PlannedItem = { type: HouseItem['type'] | 'ad_slot'; creative_id?: string; duration_ms?: number; weight?: number };
/** A house item with its position in the list. */
type Placed = HouseItem & { place: number };
export type NextHourOptions = {
  items: readonly PlannedItem[];
  adRatio: number;
  /** The duration of a creative without one. */
  creativeMs: (id: string) => number;
};

const HOUR_MS = 3_600_000;
/** Between the shortest creative, 6 s, and the usual longest, 15 s. */
export const AD_MS = 10_000;

export function playNextHour({ items, adRatio, creativeMs }: NextHourOptions): Showing[] {
  const loop = items.map((item, place) =>
    item.type === 'ad_slot'
      ? { type: item.type, weight: item.weight ?? 1 }
      : { type: item.type, duration_ms: item.duration_ms ?? creativeMs(item.creative_id ?? ''), place },
  );
  const turns = new Turns();
  turns.set(
    weaveAds<Placed>(loop, adRatio).map(item =>
      item.type === 'ad_slot'
        ? { type: item.type, ad_ms: item.ad_ms }
        : { type: 'image', url: String(item.place), duration_ms: item.duration_ms },
    ),
    adRatio,
  );
  const shown: Showing[] = [];
  let creditMs = 0;
  for (let atMs = 0; atMs < HOUR_MS;) {
    const turn = turns.next();
    if (turn.kind === 'house') {
      const { item } = turn;
      // Without items of the venue a screen shows ads, and a card while there is no ad.
      shown.push({ atMs, durationMs: item.duration_ms, place: item.type === 'card' ? 'ad' : Number(item.url) });
      atMs += item.duration_ms;
    } else if (allowedAdMs(adRatio, creditMs) >= AD_MS) {
      creditMs += adRatio * AD_MS - AD_MS;
      turns.filled(AD_MS);
      shown.push({ atMs, durationMs: AD_MS, place: 'ad' });
      atMs += AD_MS;
    } else {
      creditMs = Math.min(AD_CREDIT_MS_MAX, creditMs + adRatio * turn.maxDurationMs);
      turns.unfilled({ isSoon: true });
    }
  }
  return shown;
}

/** Whether the ad share places ads otherwise than a list would: both ads and items of the venue are shown. */
export function isReordered(shown: readonly Showing[]): boolean {
  return shown.some(({ place }) => place === 'ad') && shown.some(({ place }) => place !== 'ad');
}

/** How much of the hour each place of the list has, and how often it is shown; ads are `ad`. */
export function sharesOf(shown: readonly Showing[]): Map<number | 'ad', { ms: number; times: number }> {
  const shares = new Map<number | 'ad', { ms: number; times: number }>();
  for (const { place, atMs, durationMs } of shown) {
    const share = shares.get(place) ?? { ms: 0, times: 0 };
    shares.set(place, { ms: share.ms + Math.min(durationMs, HOUR_MS - atMs), times: share.times + 1 });
  }
  return shares;
}
