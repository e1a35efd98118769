/**
 * The items of a playlist, and how ads are woven in between them by the ad ratio. Pure rules, by examples and random
 * lists.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatId } from '#domain/id.ts';
import { weaveAds, type WovenAdSlot } from '#domain/screens/ad-weaving.ts';
import { parseItems, type SpelledItem } from '#domain/screens/playlist.ts';
import { isRefusal } from '#domain/refusal.ts';
import { handle } from '../../support/handle.ts';

const asset = formatId('asset', handle('asset', 4));
const creative = formatId('creative', handle('creative', 5));

describe('parseItems', () => {
  test('reads each kind of item, with handles for ids', () => {
    expect(
      parseItems([
        { type: 'ai_menu', template: 'board', duration_ms: 30_000 },
        { type: 'image', asset_id: asset, duration_ms: 8_000 },
        { type: 'creative', creative_id: creative },
        { type: 'creative', creative_id: creative, duration_ms: 9_000 },
        { type: 'ad_slot' },
        { type: 'ad_slot', weight: 2.5 },
      ]),
    ).toEqual([
      { type: 'ai_menu', template: 'board', durationMs: 30_000 },
      { type: 'image', asset: 4, durationMs: 8_000 },
      { type: 'creative', creative: 5, durationMs: undefined },
      { type: 'creative', creative: 5, durationMs: 9_000 },
      { type: 'ad_slot', weight: 1 },
      { type: 'ad_slot', weight: 2.5 },
    ]);
  });

  test.each<[string, SpelledItem, string, string]>([
    ['a menu page without a template', { type: 'ai_menu', duration_ms: 1_000 }, '/items/1/template', 'required'],
    ['a menu page without a duration', { type: 'ai_menu', template: 'board' }, '/items/1/duration_ms', 'required'],
    [
      'an unknown template',
      { type: 'ai_menu', template: '../board', duration_ms: 1_000 },
      '/items/1/template',
      'unknown_value',
    ],
    [
      'a template of Object.prototype',
      { type: 'ai_menu', template: 'constructor', duration_ms: 1_000 },
      '/items/1/template',
      'unknown_value',
    ],
    ['an image without an asset', { type: 'image', duration_ms: 1_000 }, '/items/1/asset_id', 'required'],
    [
      'an id of another kind',
      { type: 'image', asset_id: creative, duration_ms: 1_000 },
      '/items/1/asset_id',
      'unknown_asset',
    ],
    ['a creative that is none', { type: 'creative', creative_id: 'cre_x' }, '/items/1/creative_id', 'unknown_creative'],
    ['an ad slot with a duration', { type: 'ad_slot', duration_ms: 1_000 }, '/items/1/duration_ms', 'not_allowed'],
    [
      'an image with a weight',
      { type: 'image', asset_id: asset, duration_ms: 1_000, weight: 1 },
      '/items/1/weight',
      'not_allowed',
    ],
  ])('%s is refused', (_, item, pointer, code) => {
    expect(parseItems([{ type: 'ad_slot' }, item])).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer, code }],
    });
  });

  test('reports the faults of all items together', () => {
    const refusal = parseItems([{ type: 'ai_menu' }, { type: 'image' }]);
    expect(isRefusal(refusal) && refusal.errors?.map(fault => fault.pointer)).toEqual([
      '/items/0/template',
      '/items/0/duration_ms',
      '/items/1/asset_id',
      '/items/1/duration_ms',
    ]);
  });
});

type House = { type: 'image'; duration_ms: number };
type Slot = { type: 'ad_slot'; weight: number };
const house = fc.record({ type: fc.constant('image' as const), duration_ms: fc.integer({ min: 1_000, max: 60_000 }) });
const slot = fc.record({
  type: fc.constant('ad_slot' as const),
  weight: fc.integer({ min: 1, max: 1_000 }).map(tenths => tenths / 10),
});
const loop = fc
  .tuple(house, fc.array(fc.oneof(house, slot), { maxLength: 15 }))
  .map(([first, rest]): (House | Slot)[] => [first, ...rest]);
const ratio = fc.integer({ min: 0, max: 95 }).map(hundredths => hundredths / 100);
/** Lengths of ads, 6 to 20 s, drawn one after another. */
const lengths = fc.array(fc.integer({ min: 6_000, max: 20_000 }), { minLength: 5, maxLength: 40 });
const AD_MS_MAX = 20_000;
/** Of sums of a million ms in floating point. */
const ROUNDING = 1e-6;

const isSlot = (item: House | WovenAdSlot): item is WovenAdSlot => item.type === 'ad_slot';
const houseMsOf = (items: readonly (House | Slot)[]): number =>
  items.reduce((sum, item) => sum + ('duration_ms' in item ? item.duration_ms : 0), 0);

type Played = { houseMs: number; adMs: number; ads: readonly number[]; loops: number };

/**
 * A player by the book: what a slot names falls due when the loop comes by, ads are shown while anything is due, each
 * ad's own length is taken off. `accounts`: one for all places, or one for each. Calls back after each loop.
 */
function play(
  items: readonly (House | WovenAdSlot)[],
  { adLengths, accounts }: { adLengths: readonly number[]; accounts: 'one' | 'each' },
  afterLoop: (state: Played) => boolean,
): void {
  const ads = items.map(() => 0);
  const dues = items.map(() => 0);
  let next = 0;
  let houseMs = 0;
  for (let loops = 1; ; loops++) {
    items.forEach((item, at) => {
      if (!isSlot(item)) return void (houseMs += item.duration_ms);
      const account = accounts === 'one' ? 0 : at;
      dues[account]! += item.ad_ms!;
      while (dues[account]! > 0) {
        const length = adLengths[next++ % adLengths.length]!;
        ads[at]! += length;
        dues[account]! -= length;
      }
    });
    if (!afterLoop({ houseMs, adMs: ads.reduce((sum, ms) => sum + ms, 0), ads, loops })) return;
  }
}

/** A place misses its share by exactly a millisecond, and by rounding a little more. */
const ODD_LOOP: (House | Slot)[] = [
  { type: 'image', duration_ms: 1_001 },
  { type: 'ad_slot', weight: 0.2 },
  { type: 'ad_slot', weight: 0.4 },
];

describe('weaveAds', () => {
  test.each([
    ['half of the time in one place', [10_000, 'ad 1'], 0.5, [10_000, 10_000]],
    ['a fifth of the time', [40_000, 'ad 1'], 0.2, [40_000, 10_000]],
    ['two places of equal weight', [10_000, 'ad 1', 20_000, 'ad 1'], 0.5, [10_000, 15_000, 20_000, 15_000]],
    ['two places of unequal weight', [10_000, 'ad 1', 20_000, 'ad 3'], 0.5, [10_000, 7_500, 20_000, 22_500]],
    ['no place named: after each item', [10_000, 20_000], 0.5, [10_000, 15_000, 20_000, 15_000]],
    ['no ads', [10_000, 'ad 1'], 0, [10_000, 0]],
    ['nothing but ads', [10_000, 'ad 1'], 1, [10_000, null]],
    ['nothing but places for ads', ['ad 1', 'ad 2'], 0.5, [null, null]],
  ] as const)('%s', (_, spelled, adRatio, times) => {
    const items = spelled.map((item): House | Slot =>
      typeof item === 'number'
        ? { type: 'image', duration_ms: item }
        : { type: 'ad_slot', weight: Number(item.slice(3)) },
    );
    expect(weaveAds(items, adRatio).map(item => (isSlot(item) ? item.ad_ms : item.duration_ms))).toEqual(times);
  });

  test('house items stay unchanged in their order, and ad slots at their positions', () => {
    fc.assert(
      fc.property(loop, ratio, (items, adRatio) => {
        const woven = weaveAds(items, adRatio);
        expect(woven.filter(item => !isSlot(item))).toEqual(items.filter(item => item.type === 'image'));
        const types = items.map(item => item.type);
        expect(woven.map(item => item.type)).toEqual(
          types.includes('ad_slot') ? types : types.flatMap(type => [type, 'ad_slot']),
        );
      }),
    );
  });

  test('a loop has the ratio to half a millisecond, and each ad slot its share by weight to one', () => {
    fc.assert(
      fc.property(loop, ratio, (items, adRatio) => {
        const slots = weaveAds(items, adRatio).filter(isSlot);
        const adMs = slots.reduce((sum, { ad_ms: ms }) => sum + ms!, 0);
        const due = (houseMsOf(items) * adRatio) / (1 - adRatio);
        const weights = slots.reduce((sum, { weight }) => sum + weight, 0);
        expect(Math.abs(adMs - due)).toBeLessThanOrEqual(0.5 + ROUNDING);
        for (const { weight, ad_ms: ms } of slots)
          expect(Math.abs(ms! - (due * weight) / weights)).toBeLessThanOrEqual(1 + ROUNDING);
      }),
      { examples: [[ODD_LOOP, 0.6]] },
    );
  });

  test('ads of any length are within one ad of the ratio over an hour, after any earlier loop', () => {
    fc.assert(
      fc.property(loop, ratio, lengths, (items, adRatio, adLengths) => {
        const deviation = { leastMs: 0, mostMs: 0 };
        play(weaveAds(items, adRatio), { adLengths, accounts: 'one' }, ({ houseMs, adMs, loops }) => {
          const overMs = adMs - (houseMs * adRatio) / (1 - adRatio);
          // A loop rounds by half a millisecond.
          deviation.leastMs = Math.min(deviation.leastMs, overMs + loops);
          deviation.mostMs = Math.max(deviation.mostMs, overMs - loops);
          return houseMs + adMs < 3_600_000;
        });
        expect(deviation.leastMs).toBe(0);
        expect(deviation.mostMs).toBeLessThan(AD_MS_MAX);
      }),
      { numRuns: 200 },
    );
  });

  test('a player with an account per ad slot gives each its share by weight, to within one ad', () => {
    fc.assert(
      fc.property(loop, ratio, lengths, (items, adRatio, adLengths) => {
        const woven = weaveAds(items, adRatio);
        play(woven, { adLengths, accounts: 'each' }, ({ houseMs, adMs, ads, loops }) => {
          if (houseMs + adMs < 3_600_000) return true;
          const weights = woven.filter(isSlot).reduce((sum, { weight }) => sum + weight, 0);
          woven.forEach((item, at) => {
            if (!isSlot(item)) return;
            const share = (((houseMs * adRatio) / (1 - adRatio)) * item.weight) / weights;
            expect(ads[at]).toBeGreaterThanOrEqual(share - loops);
            expect(ads[at]).toBeLessThan(share + AD_MS_MAX + loops);
          });
          return false;
        });
      }),
      { numRuns: 100 },
    );
  });
});
