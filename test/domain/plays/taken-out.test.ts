/**
 * What goes back when plays are taken out: the credit of the brand, the earnings of the venue, and which lines lose
 * what. Pure rules, by examples and random amounts.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { earnedMicros } from '#domain/money/commission.ts';
import {
  creditMicros,
  outOfFailedPayouts,
  reverseEarnings,
  reverseLines,
  type EarningOpen,
  type LineOpen,
} from '#domain/plays/taken-out.ts';
import type { Handle } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';

const amount = (max = 10 ** 12) => fc.integer({ min: 0, max });

describe('the credit of a brand', () => {
  test.each([
    [
      'the price of the plays where it paid that',
      400,
      { chargedMicros: 1_000, discountMicros: 0, creditedMicros: 0 },
      400,
    ],
    ['the price less its discount', 400, { chargedMicros: 1_000, discountMicros: 100, creditedMicros: 0 }, 360],
    [
      'no more than it paid and has not got back',
      400,
      { chargedMicros: 1_000, discountMicros: 100, creditedMicros: 600 },
      300,
    ],
    ['nothing for plays that cost nothing', 0, { chargedMicros: 0, discountMicros: 0, creditedMicros: 0 }, 0],
  ])('is %s', (_name, gross, paid, credit) => {
    expect(creditMicros(gross, paid)).toBe(credit);
  });

  test('is its whole payment if all plays are taken out, in any number of parts', () => {
    fc.assert(
      fc.property(
        fc.array(amount(), { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 0.4, noNaN: true }),
        (parts, rate) => {
          const chargedMicros = parts.reduce((sum, part) => sum + part, 0);
          const discountMicros = Math.floor(chargedMicros * rate);
          let creditedMicros = 0;
          for (const part of parts)
            creditedMicros += creditMicros(part, { chargedMicros, discountMicros, creditedMicros });
          expect(creditedMicros).toBeLessThanOrEqual(chargedMicros - discountMicros);
          expect(creditedMicros).toBeGreaterThanOrEqual(chargedMicros - discountMicros - parts.length);
        },
      ),
    );
  });
});

/** An earning has no public id, so nothing else makes its handle. */
const earning = (handle: number) => handle as Handle<'earning'>;

describe('the reversal of earnings', () => {
  const row = (changes: Partial<EarningOpen> = {}): EarningOpen => ({
    handle: earning(1),
    plays: 10,
    impressionsThousandths: 1_000,
    grossMicros: 1_000,
    shareMillionths: 300_000,
    earnedMicros: 300,
    ...changes,
  });

  test('equals the earnings of the plays', () => {
    expect(reverseEarnings([row()], { plays: 4, impressionsThousandths: 400, grossMicros: 401 })).toEqual([
      { handle: 1, plays: 4, impressionsThousandths: 400, grossMicros: 401, earnedMicros: 121 },
    ]);
  });

  test('is shared by the commissions of the day as they were charged', () => {
    const back = reverseEarnings(
      [row(), row({ handle: earning(2), grossMicros: 3_000, shareMillionths: 500_000, earnedMicros: 1_500 })],
      { plays: 8, impressionsThousandths: 800, grossMicros: 400 },
    );
    expect(back).toEqual([
      { handle: 1, plays: 2, impressionsThousandths: 200, grossMicros: 100, earnedMicros: 30 },
      { handle: 2, plays: 6, impressionsThousandths: 600, grossMicros: 300, earnedMicros: 150 },
    ]);
  });

  test('covers every play if the whole charge is reversed', () => {
    expect(reverseEarnings([row()], { plays: 9, impressionsThousandths: 900, grossMicros: 1_000 })).toEqual([
      { handle: 1, plays: 10, impressionsThousandths: 1_000, grossMicros: 1_000, earnedMicros: 300 },
    ]);
  });

  test.each([
    ['what had not gone back', 2_000, { plays: 6, impressionsThousandths: 600, grossMicros: 600 }],
    ['no more than the payouts had taken', 300, { plays: 3, impressionsThousandths: 300, grossMicros: 300 }],
    ['nothing where they had taken nothing', 0, undefined],
  ])('after payouts that failed is %s', (_name, failedMicros, left) => {
    const out = { plays: 10, impressionsThousandths: 1_000, grossMicros: 1_000 };
    const back = { plays: 4, impressionsThousandths: 400, grossMicros: 400 };
    expect(outOfFailedPayouts(out, back, failedMicros)).toEqual(left);
    expect(outOfFailedPayouts(out, out, failedMicros)).toBeUndefined();
  });

  test('is zero if all was withdrawn', () => {
    expect(reverseEarnings([], { plays: 4, impressionsThousandths: 400, grossMicros: 400 })).toEqual([]);
  });

  test('is never above the open earnings, and leaves at most the share of the rest', () => {
    const open = fc.array(
      fc.record({
        gross: fc.integer({ min: 1, max: 10 ** 12 }),
        share: fc.integer({ min: 0, max: 500_000 }),
        plays: amount(10 ** 6),
        impressions: amount(),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(open, amount(), amount(10 ** 6), (rows, grossMicros, plays) => {
        const earnings = rows.map(({ gross, share, plays: own, impressions }, handle) =>
          row({
            handle: earning(handle),
            plays: own,
            impressionsThousandths: impressions,
            grossMicros: gross,
            shareMillionths: share,
            earnedMicros: earnedMicros(gross, { tier: 'sensing', shareMillionths: share }),
          }),
        );
        const back = reverseEarnings(earnings, { plays, impressionsThousandths: plays, grossMicros });
        expect(back.reduce((sum, each) => sum + each.grossMicros, 0)).toBe(
          Math.min(
            grossMicros,
            rows.reduce((sum, { gross }) => sum + gross, 0),
          ),
        );
        for (const [
          at,
          { plays: own, impressionsThousandths, grossMicros: gross, earnedMicros: earned },
        ] of back.entries()) {
          const had = earnings[at]!;
          expect([
            own <= had.plays,
            impressionsThousandths <= had.impressionsThousandths,
            gross <= had.grossMicros,
            earned <= had.earnedMicros,
          ]).toEqual([true, true, true, true]);
          expect(had.earnedMicros - earned).toBeLessThanOrEqual(
            earnedMicros(had.grossMicros - gross, { tier: 'sensing', shareMillionths: had.shareMillionths }),
          );
        }
      }),
    );
  });
});

describe('the lines of a reversal', () => {
  const line = (screen: Handle<'screen'>, changes: Partial<LineOpen> = {}): LineOpen => ({
    screen,
    category: 'travel',
    plays: 10,
    impressionsThousandths: 1_000,
    grossMicros: 1_000,
    earnedMicros: 300,
    ...changes,
  });

  test('are the lines of the removed plays', () => {
    const back = { plays: 4, impressionsThousandths: 400, grossMicros: 401, earnedMicros: 121 };
    expect(
      reverseLines([line(handle('screen', 1)), line(handle('screen', 2))], back, ({ screen }) =>
        screen === 2 ? 401 : 0,
      ),
    ).toEqual([{ ...line(handle('screen', 2)), ...back }]);
  });

  test('are other lines for an amount beyond them', () => {
    const back = { plays: 12, impressionsThousandths: 1_200, grossMicros: 1_200, earnedMicros: 360 };
    expect(
      reverseLines([line(handle('screen', 1)), line(handle('screen', 2))], back, ({ screen }) =>
        screen === 2 ? 1_200 : 0,
      ),
    ).toEqual([
      line(handle('screen', 1), { plays: 2, impressionsThousandths: 200, grossMicros: 200, earnedMicros: 60 }),
      line(handle('screen', 2)),
    ]);
  });

  test('never lose more than they hold, and together lose the whole amount up to that', () => {
    const amounts = fc.record({
      plays: amount(1_000),
      impressionsThousandths: amount(),
      grossMicros: amount(),
      earnedMicros: amount(),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(amounts, amount()), { maxLength: 8 }), amounts, (rows, back) => {
        const lines = rows.map(([held], at) => line(handle('screen', at), held));
        const lost = reverseLines(lines, back, ({ screen }) => rows[screen]![1]);
        for (const name of ['plays', 'impressionsThousandths', 'grossMicros', 'earnedMicros'] as const) {
          for (const each of lost) expect(each[name]).toBeLessThanOrEqual(lines[each.screen]![name]);
          const sum = (list: readonly LineOpen[]) => list.reduce((total, each) => total + each[name], 0);
          expect(sum(lost)).toBe(Math.min(back[name], sum(lines)));
        }
      }),
    );
  });
});
