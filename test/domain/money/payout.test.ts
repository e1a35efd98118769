/**
 * What a withdrawal takes and costs, and from which earnings, the oldest first. Pure rules, by examples and random
 * amounts.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planWithdrawal, settlePayout, takeEarnings, usableAccount, withdrawalFee } from '#domain/money/payout.ts';
import { isRefusal } from '#domain/refusal.ts';

const EUR = 1_000_000;
const terms = { freeAboveMicros: 200 * EUR, feeMicros: 1.5 * EUR };
const plan = (
  wantedMicros: number | undefined,
  availableMicros: number,
  { currency = 'EUR', heldMicros = 0, reviewedMicros = 0 } = {},
) =>
  planWithdrawal({
    wantedMicros,
    earnings: {
      availableMicros,
      heldMicros,
      reviewedMicros,
      nextMs: heldMicros > reviewedMicros ? Date.UTC(2026, 2, 9) : undefined,
    },
    currency,
    terms,
  });

describe('a withdrawal', () => {
  test.each([
    [199.99, 'EUR', 1.5],
    [200, 'EUR', 1.5],
    [200.01, 'EUR', 0],
    [150, 'KWD', 1.5],
    [150, 'JPY', 2],
    [201, 'JPY', 0],
  ])('of %d %s costs %d', (amount, currency, fee) => {
    expect(withdrawalFee(Math.round(amount * EUR), currency, terms)).toBe(fee * EUR);
  });

  test('without an amount takes all that can be paid in whole minor units', () => {
    expect(plan(undefined, 12_345_678)).toEqual({ amountMicros: 12_340_000, feeMicros: 1_500_000 });
    expect(plan(undefined, 12_345_678, { currency: 'JPY' })).toEqual({
      amountMicros: 12_000_000,
      feeMicros: 2_000_000,
    });
    expect(plan(undefined, 12_345_678, { currency: 'KWD' })).toEqual({
      amountMicros: 12_345_000,
      feeMicros: 1_500_000,
    });
  });

  test.each([
    ['more than there is', 101 * EUR, 100 * EUR, 'insufficient_funds'],
    ['what the fee uses up', 1.5 * EUR, 100 * EUR, 'validation_failed'],
    ['all of too little', undefined, 1.5 * EUR, 'insufficient_funds'],
    ['all of nothing', undefined, 0, 'insufficient_funds'],
  ])('of %s is refused', (_name, wanted, balance, code) => {
    expect(plan(wanted, balance)).toMatchObject({ refused: true, code });
  });

  test('takes available earnings, and leaves held ones', () => {
    expect(plan(undefined, 40 * EUR, { heldMicros: 60 * EUR })).toEqual({
      amountMicros: 40 * EUR,
      feeMicros: 1.5 * EUR,
    });
    expect(plan(40 * EUR, 40 * EUR, { heldMicros: 60 * EUR })).toMatchObject({ amountMicros: 40 * EUR });
  });

  test.each([
    [
      'more than is available',
      41 * EUR,
      40 * EUR,
      'earnings_held',
      '40.00 EUR can be withdrawn now; 60.00 EUR is held, the next part until 9 Mar 2026, 00:00 UTC.',
    ],
    [
      'all, while all is held',
      undefined,
      0,
      'earnings_held',
      '0.00 EUR can be withdrawn now; 60.00 EUR is held, the next part until 9 Mar 2026, 00:00 UTC.',
    ],
    [
      'more than was ever earned',
      101 * EUR,
      40 * EUR,
      'insufficient_funds',
      'Needs 101.00 EUR; 40.00 EUR can be withdrawn now.',
    ],
  ])('of %s names the held earnings', (_name, wanted, available, code, detail) => {
    expect(plan(wanted, available, { heldMicros: 60 * EUR })).toMatchObject({ code, detail });
  });

  test('never exceeds the balance, and the net amount is positive', () => {
    const amount = fc.integer({ min: 0, max: 10 ** 12 });
    fc.assert(
      fc.property(
        fc.option(amount, { nil: undefined }),
        amount,
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        (wanted, balance, currency) => {
          const planned = plan(wanted, balance, { currency });
          if (isRefusal(planned)) return;
          expect(planned.amountMicros).toBeLessThanOrEqual(balance);
          expect(planned.amountMicros - planned.feeMicros).toBeGreaterThan(0);
          expect(planned.feeMicros === 0).toBe(planned.amountMicros > terms.freeAboveMicros);
        },
      ),
    );
  });
});

describe('earnings', () => {
  const left = fc
    .record({
      plays: fc.integer({ min: 0, max: 10_000 }),
      impressionsThousandths: fc.integer({ min: 0, max: 10 ** 9 }),
      grossMicros: fc.integer({ min: 0, max: 10 ** 12 }),
      earnedMicros: fc.integer({ min: 0, max: 10 ** 12 }),
    })
    .map(facts => ({ ...facts, grossMicros: Math.max(facts.grossMicros, facts.earnedMicros) }));

  test('are taken oldest first and exactly to the amount', () => {
    fc.assert(
      fc.property(fc.array(left, { minLength: 1, maxLength: 10 }), fc.nat(1_000), (lefts, thousandths) => {
        const total = lefts.reduce((sum, { earnedMicros }) => sum + earnedMicros, 0);
        const amount = Math.floor((total / 1_000) * thousandths);
        const portions = takeEarnings(lefts, amount);
        expect(portions.reduce((sum, { taken }) => sum + taken.earnedMicros, 0)).toBe(amount);
        expect(portions.slice(0, -1).map(portion => portion.taken)).toEqual(
          portions.slice(0, -1).map(portion => portion.left),
        ); // all but the last are whole
        for (const portion of portions) {
          for (const field of ['plays', 'impressionsThousandths', 'grossMicros', 'earnedMicros'] as const) {
            expect(portion.taken[field]).toBeGreaterThanOrEqual(0);
            expect(portion.taken[field]).toBeLessThanOrEqual(portion.left[field]);
          }
        }
      }),
    );
  });

  test('taken bit by bit are used up with all their plays, impressions and gross', () => {
    fc.assert(
      fc.property(left, fc.array(fc.integer({ min: 1, max: 10 ** 11 }), { maxLength: 10 }), (some, amounts) => {
        const whole = { ...some, earnedMicros: some.earnedMicros + 1, grossMicros: some.grossMicros + 1 };
        const rest = { ...whole };
        const taken = { plays: 0, impressionsThousandths: 0, grossMicros: 0, earnedMicros: 0 };
        for (const amount of [...amounts, Infinity]) {
          for (const portion of takeEarnings([rest], Math.min(amount, rest.earnedMicros))) {
            for (const field of ['plays', 'impressionsThousandths', 'grossMicros', 'earnedMicros'] as const) {
              taken[field] += portion.taken[field];
              rest[field] -= portion.taken[field];
            }
          }
        }
        expect(taken).toEqual(whole);
      }),
    );
  });

  test('too low for an amount are a bug', () => {
    expect(() => takeEarnings([{ plays: 1, impressionsThousandths: 1, grossMicros: 2, earnedMicros: 1 }], 2)).toThrow(
      'earnings lack 1',
    );
  });
});

test.each([
  ['issued', 'paid', 'paid'],
  ['issued', 'failed', 'failed'],
] as const)('a payout that is %s may become %s', (from, outcome, to) => {
  expect(settlePayout(from, outcome)).toBe(to);
});

test.each([
  ['paid', 'failed'],
  ['paid', 'paid'],
  ['failed', 'paid'],
  ['failed', 'failed'],
] as const)('a payout that is %s does not become %s', (from, outcome) => {
  expect(settlePayout(from, outcome)).toMatchObject({ code: 'state_conflict' });
});

test('a changed account is paid from the moment that it was given, and not before', () => {
  const account = { usableFrom: new Date('2026-03-09T00:00:00Z') };
  const from = account.usableFrom.getTime();
  expect(usableAccount(account, from)).toBe(account);
  expect(usableAccount(account, from - 1)).toMatchObject({
    code: 'payout_account_changed',
    detail: expect.stringContaining('9 Mar 2026, 00:00 UTC'),
  });
  expect(usableAccount(undefined, from)).toMatchObject({ code: 'payout_account_missing' });
});
