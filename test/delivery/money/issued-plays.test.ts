/**
 * The memory of the plays that were issued and not reported: which are out, which get a name, and what is known of them
 * when the epoch closes. Plain memory without engines, driven by examples and by random orders of calls.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IssuedPlays, type PlayNames } from '../../../delivery/money/issued-plays.ts';
import { handle } from '../../support/handle.ts';

const MINUTE_MS = 60_000;
type Issue = { screen?: number; micros?: number; startsAt?: number; nowMs?: number };

function issue(
  plays: IssuedPlays,
  issueNumber: number,
  { screen = 0, micros = 10, startsAt = 1_000 * issueNumber, nowMs = issueNumber }: Issue = {},
): void {
  const play = { campaign: handle('campaign', 7), epoch: 1, issueNumber, startsAt, durationMs: 15_000, plan: false };
  plays.add(play, screen, micros, nowMs);
}
const numbersOf = (names: ReadonlyMap<number, readonly { issueNumber: number }[]>, campaign = 7) =>
  (names.get(campaign) ?? []).map(play => play.issueNumber);

/** One piece of what has no name. */
function pieceOf(plays: IssuedPlays, nowMs: number): { names: PlayNames; next: number; areAll: boolean } {
  const names: PlayNames = new Map();
  return { names, ...plays.unnamed(names, nowMs) };
}

describe('issued plays', () => {
  test('of a screen before a time are the unreported ones', () => {
    const plays = new IssuedPlays();
    for (const number of [1, 2, 3, 4]) issue(plays, number);
    issue(plays, 5, { screen: 9, startsAt: 1 });
    plays.reported([plays.findAll(0, [{ campaign: handle('campaign', 7), epoch: 1, issueNumber: 2 }])[0]!]);
    expect(plays.unplayed(0, 4_000).map(play => play.issueNumber)).toEqual([3, 1]);
    expect(plays.unplayed(5_000, 4_000)).toEqual([]);
    expect(plays.findAll(0, [{ campaign: handle('campaign', 7), epoch: 1, issueNumber: 2 }])[0]!).toBe(-1);
    expect(plays.findAll(0, [{ campaign: handle('campaign', 8), epoch: 1, issueNumber: 1 }])[0]!).toBe(-1);
    expect(plays.findAll(0, [{ campaign: handle('campaign', 7), epoch: 2, issueNumber: 1 }])[0]!).toBe(-1);
  });

  test('of one message are found in one pass, in any order, even if some were reported before', () => {
    const plays = new IssuedPlays();
    for (let number = 1; number <= 40; number++) issue(plays, number);
    const find = (...numbers: number[]) =>
      plays.findAll(
        0,
        numbers.map(issueNumber => ({ campaign: handle('campaign', 7), epoch: 1, issueNumber })),
      );
    expect(find(3, 40, 1, 3, 41)).toEqual([2, 39, 0, 2, -1]);
    plays.reported([39, 38, 2, 0]);
    expect(find(3, 40, 1, 2, 38)).toEqual([-1, -1, -1, 1, 37]);
    // Numbers that share a key stay apart.
    issue(plays, 2 ** 20 + 2);
    expect(find(2, 2 ** 20 + 2)).toEqual([1, 40]);
    expect(plays.unplayed(0, 5_000).map(play => play.issueNumber)).toEqual([4, 2]);
  });

  test('get a name a minute after their issue unless they are certainly counted by then', () => {
    const plays = new IssuedPlays();
    for (const number of [1, 2, 3]) issue(plays, number);
    issue(plays, 4, { nowMs: MINUTE_MS });
    const places = [1, 2].map(
      issueNumber => plays.findAll(0, [{ campaign: handle('campaign', 7), epoch: 1, issueNumber }])[0]!,
    );
    plays.reported(places);
    plays.stored([places[0]!], 100);
    plays.countedTo(100);
    expect(numbersOf(pieceOf(plays, MINUTE_MS + 3).names)).toEqual([1, 2, 3]); // as_of is at the report, not past it
    plays.countedTo(101);
    const { names, next } = pieceOf(plays, MINUTE_MS + 3);
    expect(numbersOf(names)).toEqual([2, 3]);
    plays.namedTo(next);
    expect(pieceOf(plays, MINUTE_MS + 3).names.size).toBe(0);
    expect(numbersOf(plays.close().names)).toEqual([4]);
    expect(plays.close().names.size).toBe(0);
  });

  test('get a name even if they were returned: only the authority knows that they are released', () => {
    const plays = new IssuedPlays();
    issue(plays, 1);
    plays.reported([0]);
    plays.countedTo(1_000_000);
    expect(numbersOf(plays.close().names)).toEqual([1]);
  });

  test('get their names in pieces if many are out, offline playlists last', () => {
    const plays = new IssuedPlays();
    for (let number = 1; number <= 4_500; number++) issue(plays, number, { nowMs: 0 });
    const facts = { campaign: handle('campaign', 7), epoch: 1, startsAt: 0, durationMs: 15_000 };
    plays.add({ ...facts, issueNumber: 4_501, plan: true }, 0, 10, MINUTE_MS);
    const names: PlayNames = new Map();
    const sizes: number[] = [];
    for (let piece: { next?: number; areAll: boolean } = { areAll: false }; !piece.areAll;) {
      piece = plays.unnamed(names, MINUTE_MS, piece.next);
      sizes.push(numbersOf(names).length);
    }
    expect(sizes).toEqual([2_000, 4_000, 4_501]);
    expect(numbersOf(names)).toEqual(Array.from({ length: 4_501 }, (_, at) => at + 1));
    expect(numbersOf(pieceOf(plays, MINUTE_MS).names)).toEqual(numbersOf(names).slice(0, 2_000));
    plays.namedTo(4_500);
    expect(pieceOf(plays, MINUTE_MS).names.size).toBe(0);
  });

  test('are all known even if thousands are out', () => {
    const plays = new IssuedPlays();
    for (let number = 1; number <= 5_000; number++) issue(plays, number, { screen: number % 3 });
    const found = [0, 1, 2].flatMap(screen => plays.unplayed(screen, Infinity).map(play => play.issueNumber));
    expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 5_000 }, (_, at) => at + 1));
  });

  test('all plays out at the close are named or their money is known, for any events', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ add: fc.integer({ min: 0, max: 3 }) }) },
      fc.record({ report: fc.nat() }),
      fc.record({ settle: fc.integer({ min: 0, max: 3 }), to: fc.nat({ max: 200 }) }),
      fc.constant({ name: true }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), steps => {
        const plays = new IssuedPlays({ playsMax: 1024 });
        const out = new Map<number, number>();
        const named = new Set<number>();
        const wrong: unknown[] = [];
        let clock = 0;
        for (const each of steps) {
          if ('add' in each)
            for (let copy = 0; copy < 40; copy++) {
              clock++;
              issue(plays, clock, { screen: each.add, micros: clock, startsAt: clock, nowMs: clock });
              out.set(clock, each.add);
            }
          else if ('report' in each && clock > 0) {
            const issueNumber = (each.report % clock) + 1;
            const place = plays.findAll(out.get(issueNumber) ?? 0, [
              { campaign: handle('campaign', 7), epoch: 1, issueNumber },
            ])[0]!;
            if (place < 0) continue;
            plays.reported([place]);
            plays.stored([place], clock);
            plays.countedTo(clock + 1);
            out.delete(issueNumber);
          } else if ('settle' in each) {
            wrong.push(
              ...plays.unplayed(each.settle, each.to).filter(play => out.get(play.issueNumber) !== each.settle),
            );
          } else if ('name' in each) {
            const { names, next } = pieceOf(plays, clock + MINUTE_MS - 20);
            for (const issueNumber of numbersOf(names)) named.add(issueNumber);
            plays.namedTo(next);
          }
        }
        expect(wrong).toEqual([]);
        const { names, unknownMicros } = plays.close();
        for (const issueNumber of numbersOf(names)) named.add(issueNumber);
        const unnamed = [...out.keys()].filter(issueNumber => !named.has(issueNumber));
        expect(unknownMicros.get(handle('campaign', 7)) ?? 0).toBe(unnamed.reduce((sum, micros) => sum + micros, 0));
      }),
      { numRuns: 60 },
    );
  });
});
