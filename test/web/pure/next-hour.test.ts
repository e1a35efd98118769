/**
 * What the console shows as the next hour of a playlist: the order in which a screen would show its items, with as many
 * ads as the ratio allows. Pure functions; neither a browser nor an engine is needed.
 */
import { describe, expect, test } from 'vitest';
import {
  AD_MS,
  isReordered,
  playNextHour,
  sharesOf,
  type Showing,
} from '../../../web/console/pages/playlists/next-hour.ts';

type Items = Parameters<typeof playNextHour>[0]['items'];
const HOUR_MS = 3_600_000;
const MENU: Items[number] = { type: 'ai_menu', duration_ms: 20_000 };
const CARD: Items[number] = { type: 'sponsorship_card', duration_ms: 10_000 };
const CREATIVE: Items[number] = { type: 'creative', creative_id: 'cre_1' };
const AD: Items[number] = { type: 'ad_slot', weight: 1 };

const play = (items: Items, adRatio: number): Showing[] =>
  playNextHour({ items, adRatio, creativeMs: id => (id === 'cre_1' ? 8_000 : 0) });
const placesOf = (shown: readonly Showing[]) => shown.map(({ place }) => place);

describe('the next hour', () => {
  test('without ads has the items in order, each for its time; a creative has its own duration', () => {
    const shown = play([MENU, CARD, CREATIVE], 0);
    expect(placesOf(shown).slice(0, 5)).toEqual([0, 1, 2, 0, 1]);
    expect(shown.slice(0, 4).map(({ atMs }) => atMs)).toEqual([0, 20_000, 30_000, 38_000]);
  });

  test.each([0.1, 0.3, 0.5, 0.8])('has ads for %s of the time, within three ads', adRatio => {
    const { ms } = sharesOf(play([MENU, AD, CARD, AD], adRatio)).get('ad')!;
    expect(Math.abs(ms - adRatio * HOUR_MS)).toBeLessThanOrEqual(3 * AD_MS);
  });

  test('has only ads with a ratio of 1 or a list of ads only', () => {
    expect(new Set(placesOf(play([MENU, AD], 1)).slice(1))).toEqual(new Set(['ad']));
    expect(new Set(placesOf(play([AD], 0.5)))).toEqual(new Set(['ad']));
  });

  test('may leave the order of the list only if it has ads and other items', () => {
    expect(isReordered(play([MENU, AD], 0.3))).toBe(true);
    expect(isReordered(play([MENU, AD], 0))).toBe(false);
    expect(isReordered(play([AD], 0.5))).toBe(false);
  });

  test('puts ads at their slots, more often at a slot with more weight', () => {
    const places = placesOf(play([MENU, { type: 'ad_slot', weight: 3 }, CARD, AD], 0.5));
    const adsBehind = (place: number) =>
      places.filter((one, at) => one === 'ad' && places.slice(0, at).findLast(before => before !== 'ad') === place);
    expect(adsBehind(0).length).toBeGreaterThan(2 * adsBehind(1).length);
  });

  test('is an hour, and its shares sum to all of it', () => {
    const shown = play([MENU, AD, CARD], 0.3);
    expect(shown.at(-1)!.atMs).toBeLessThan(HOUR_MS);
    expect([...sharesOf(shown).values()].reduce((sum, { ms }) => sum + ms, 0)).toBe(HOUR_MS);
  });
});
