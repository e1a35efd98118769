/**
 * How much of a budget moves at once: grants, tranches, blocks and what offline plans may reserve. Pure rules, by
 * examples and random budgets.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockSize, grantSizeMicros, planRoomMicros, trancheMicros } from '../../../domain/money/budget.ts';

describe('amounts moved at once', () => {
  test.each([
    ['5% of what is left', {}, 50_000],
    ['less what was spent', { spentMicros: 200_000 }, 40_000],
    ['less what plans hold already', { plannedMicros: 30_000 }, 20_000],
    ['shared between processes', { plannedMicros: 30_000, processes: 4 }, 5_000],
    ['less what was not told yet', { untoldMicros: 45_000 }, 5_000],
    ['never below nothing', { plannedMicros: 60_000 }, 0],
  ])('offline plans may reserve %s', (_, use, room) => {
    expect(
      planRoomMicros({
        budgetMicros: 1_000_000,
        spentMicros: 0,
        plannedMicros: 0,
        processes: 1,
        untoldMicros: 0,
        ...use,
      }),
    ).toBe(room);
  });
  test.each([
    ['2% of the budget', 1_000_000, 100, 20_000],
    ['one play when 2% is less', 1_000, 100, 100],
    ['never above the budget', 50, 100, 50],
  ])('a grant is %s', (_, budgetMicros, reservationMicros, size) => {
    expect(grantSizeMicros(budgetMicros, reservationMicros)).toBe(size);
  });

  test('tranches never hand out more than the budget, and exhaust it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 1e6 }), (budgetMicros, wantMicros) => {
        let handedMicros = 0;
        for (let step = 0; step < 100 && handedMicros < budgetMicros; step++) {
          const tranche = trancheMicros({ budgetMicros, handedMicros, wantMicros });
          expect(tranche).toBeGreaterThanOrEqual(Math.min(1, budgetMicros - handedMicros));
          handedMicros += tranche;
          if (Math.floor(budgetMicros * 0.05) === 0 && wantMicros < budgetMicros / 100) return;
        }
        expect(handedMicros).toBe(budgetMicros);
        expect(trancheMicros({ budgetMicros, handedMicros, wantMicros })).toBe(0);
      }),
    );
  });

  test.each([
    [1_000_000, 10, 16],
    [640, 10, 16],
    [320, 10, 8],
    [79, 10, 1],
    [10, 10, 1],
    [9, 10, 0],
    [0, 0, 16],
  ])('holding %i, plays of %i come in blocks of %i', (held, reservation, size) => {
    expect(blockSize(held, reservation)).toBe(size);
  });
});
