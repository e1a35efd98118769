/**
 * What the player shows next: items of its playlist and requests for ads, in the ratio that the server asks for. Pure
 * functions of the player; neither a browser nor an engine is needed.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlaylistItem } from '../../../web/player/settings.ts';
import { Turns } from '../../../web/player/plays/turn.ts';

const image = (url: string, seconds: number): PlaylistItem => ({ type: 'image', url, duration_ms: seconds * 1_000 });
const AD: PlaylistItem = { type: 'ad_slot', ad_ms: null };

/**
 * What comes, in so many turns: a house item by its address, `ask 15` for an ask of 15 s. `fills` answers the asks in
 * turn.
 */
function walk(
  playlist: PlaylistItem[],
  ratio: number,
  { turns, fills = () => false }: { turns: number; fills?: (ask: number) => boolean },
): string[] {
  const list = new Turns();
  list.set(playlist, ratio);
  let asks = 0;
  return Array.from({ length: turns }, () => {
    const turn = list.next();
    if (turn.kind === 'house') return 'url' in turn.item ? turn.item.url : turn.item.type;
    if (fills(asks++)) list.filled(6_000);
    else list.unfilled({ isSoon: false });
    return `ask ${turn.maxDurationMs / 1_000}`;
  });
}

describe('turns', () => {
  test('follow the list: house items in order, and at each ad slot a request as long as the items behind it', () => {
    expect(walk([image('a', 20), image('b', 10), AD, image('c', 40), AD], 0.5, { turns: 8 })).toEqual([
      'a',
      'b',
      'ask 40',
      'c',
      'ask 30',
      'a',
      'b',
      'ask 40',
    ]);
  });

  test('stay at an ad slot while it gets fills', () => {
    expect(walk([image('a', 20), AD], 0.5, { turns: 6, fills: ask => ask < 2 })).toEqual([
      'a',
      'ask 20',
      'ask 20',
      'ask 20',
      'a',
      'ask 20',
    ]);
  });

  test('join short items until an ordinary ad would fit', () => {
    expect(walk([image('a', 5), AD, image('b', 5), AD], 0.5, { turns: 6 })).toEqual([
      'a',
      'ask 15',
      'b',
      'a',
      'b',
      'ask 15',
    ]);
  });

  test('of a list without ad slots have one after each item', () => {
    expect(walk([image('a', 20), image('b', 30)], 0.5, { turns: 5 })).toEqual(['a', 'ask 30', 'b', 'ask 20', 'a']);
  });

  test('of a screen without ads never request a slot', () => {
    expect(walk([image('a', 5), AD, image('b', 5)], 0, { turns: 5 })).toEqual(['a', 'b', 'a', 'b', 'a']);
    expect(walk([], 0, { turns: 3 })).toEqual(['card', 'card', 'card']);
  });

  test.each([[[]], [[AD]], [[AD, AD]]])(
    'of a screen with ads only show the card in between, and request less and less often without fills',
    playlist => {
      const list = new Turns();
      list.set(playlist, 1);
      const waits = Array.from({ length: 5 }, () => {
        expect(list.next()).toEqual({ kind: 'ask', maxDurationMs: 15_000 });
        list.unfilled({ isSoon: false });
        return list.next();
      });
      expect(waits).toEqual(
        [2, 4, 8, 15, 15].map(seconds => ({ kind: 'house', item: { type: 'card', duration_ms: seconds * 1_000 } })),
      );
    },
  );

  test('repeat soon if another answer may be pending', () => {
    const list = new Turns();
    list.set([], 1);
    const waits = [false, false, true, false].map(isSoon => {
      list.next();
      list.unfilled({ isSoon });
      return (list.next() as { item: { duration_ms: number } }).item.duration_ms;
    });
    expect(waits).toEqual([2_000, 4_000, 8_000, 2_000]);
  });

  test('of ads only at half of the time request whole slots, so that the server sees all of the time', () => {
    expect(walk([AD], 0.5, { turns: 4 })).toEqual(['ask 15', 'card', 'ask 15', 'card']);
  });

  test('of ads only request as often at an ad slot of a few seconds as at one without a limit', () => {
    expect(walk([{ type: 'ad_slot', ad_ms: 3_000 }], 0.5, { turns: 40, fills: () => true })).toEqual(
      Array.from({ length: 40 }, () => 'ask 15'),
    );
  });

  test('skip an ad slot that has had more than its share', () => {
    const playlist: PlaylistItem[] = [
      image('a', 20),
      { type: 'ad_slot', ad_ms: 2_000 },
      image('b', 20),
      { type: 'ad_slot', ad_ms: 18_000 },
    ];
    const asked = walk(playlist, 0.5, { turns: 12, fills: ask => ask === 0 });
    expect(asked).toEqual(['a', 'ask 20', 'ask 20', 'b', 'ask 40', 'a', 'b', 'ask 40', 'a', 'b', 'ask 20', 'a']);
  });

  test('account for every millisecond: unfilled time is followed by house items of exactly that length', () => {
    const item = fc.oneof(
      fc.integer({ min: 1, max: 40 }).map(seconds => image('x', seconds)),
      fc.constantFrom<PlaylistItem>(AD, { type: 'ad_slot', ad_ms: 3_000 }, { type: 'ad_slot', ad_ms: 0 }),
    );
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 8 }),
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
        (playlist, ratio, filled) => {
          const list = new Turns();
          list.set(playlist, ratio);
          let owed: number | undefined;
          for (const isFilled of filled) {
            const turn = list.next();
            if (turn.kind === 'house') {
              if (owed !== undefined) owed -= turn.item.duration_ms;
              continue;
            }
            expect(owed === undefined || owed === 0).toBe(true);
            expect(turn.maxDurationMs).toBeGreaterThanOrEqual(15_000);
            if (isFilled) list.filled(6_000);
            else list.unfilled({ isSoon: false });
            owed = isFilled ? 0 : turn.maxDurationMs;
          }
        },
      ),
    );
  });
});
