import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockSize, grantSizeMicros, trancheMicros } from '../../domain/budget.ts';
import { NO_FILL_REASONS, reasonOf, REASON_NUMBER } from '../../domain/decision.ts';

describe('what moves at once', () => {
  test.each([
    ['2% of the budget', 1_000_000, 100, 20_000],
    ['one play when 2% is less', 1_000, 100, 100],
    ['never above the budget', 50, 100, 50],
  ])('a grant is %s', (_, budgetMicros, reservationMicros, size) => {
    expect(grantSizeMicros(budgetMicros, reservationMicros)).toBe(size);
  });

  test('tranches never hand out more than the budget and reach its end', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 1e6 }), (budgetMicros, wantMicros) => {
      let handedMicros = 0;
      for (let step = 0; step < 100 && handedMicros < budgetMicros; step++) {
        const tranche = trancheMicros({ budgetMicros, handedMicros, wantMicros });
        expect(tranche).toBeGreaterThanOrEqual(Math.min(1, budgetMicros - handedMicros));
        handedMicros += tranche;
        if (Math.floor(budgetMicros * 0.05) === 0 && wantMicros < budgetMicros / 100) return;
      }
      expect(handedMicros).toBe(budgetMicros);
      expect(trancheMicros({ budgetMicros, handedMicros, wantMicros })).toBe(0);
    }));
  });

  test.each([
    [1_000_000, 10, 16], [640, 10, 16], [320, 10, 8], [79, 10, 1], [10, 10, 1], [9, 10, 0], [0, 0, 16],
  ])('holding %i, plays of %i come in blocks of %i', (held, reservation, size) => {
    expect(blockSize(held, reservation)).toBe(size);
  });
});

describe('no-fill reasons', () => {
  test('each has the number of its place in the order of the checks', () => {
    NO_FILL_REASONS.forEach((reason, number) => {
      expect(REASON_NUMBER[reason]).toBe(number);
      expect(reasonOf(number)).toBe(reason);
    });
  });

  test('the list is that of the contract', () => {
    expect([...NO_FILL_REASONS].sort()).toEqual([
      'ad_ratio', 'budget_exhausted', 'creative_not_ready', 'format', 'frequency', 'no_campaign', 'no_lease', 'outside_daypart',
      'outside_schedule', 'paced_out', 'paused', 'sandbox', 'screen_closed', 'separation', 'targeting', 'venue_blocked',
    ]);
  });
});
