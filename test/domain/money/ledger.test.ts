/**
 * The postings of each movement of money: any sequence of them sums to zero in each book and currency. Pure rules, by
 * examples and random sequences.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccountRef,
  type LedgerTransaction,
  charge,
  discount,
  earning,
  failPayout,
  issuePayout,
  payPayout,
  refund,
  reserve,
  topUp,
  transferBetween,
} from '#domain/money/ledger.ts';
import { handles, handle } from '../../support/handle.ts';

const movement = {
  book: 'live',
  currency: 'EUR',
  workspace: handle('workspace', 3),
  campaign: handle('campaign', 8),
  amountMicros: 5_000_000,
  reference: 'r1',
} as const;
const wallet = { kind: 'wallet', book: 'live', currency: 'EUR', workspace: 3 };
const reservation = { kind: 'reservation', book: 'live', currency: 'EUR', workspace: 3, campaign: 8 };

describe('a movement of money', () => {
  test.each([
    ['top_up', topUp, { kind: 'funding', book: 'live', currency: 'EUR' }, wallet],
    ['reserve', reserve, wallet, reservation],
    ['refund', refund, reservation, wallet],
    ['charge', charge, reservation, { kind: 'revenue', book: 'live', currency: 'EUR' }],
    ['discount', discount, { ...reservation, kind: 'discount' }, wallet],
    ['earning', earning, { kind: 'commission', book: 'live', currency: 'EUR' }, { ...wallet, kind: 'earnings' }],
  ] as const)('%s goes from one account to the other', (kind, build, from, to) => {
    expect(build(movement)).toEqual({
      kind,
      reference: 'r1',
      postings: [
        { account: from, amountMicros: -5_000_000 },
        { account: to, amountMicros: 5_000_000 },
      ],
    });
  });

  test.each([0, -1, 0.5, Number.NaN, 2 ** 53])('of %s micro-units is a bug', amountMicros => {
    expect(() => topUp({ ...movement, amountMicros })).toThrow('not an integer above 0');
  });

  test('a transfer goes from one wallet to another', () => {
    expect(transferBetween({ ...movement, from: handle('workspace', 3), to: handle('workspace', 4) }).postings).toEqual(
      [
        { account: wallet, amountMicros: -5_000_000 },
        { account: { ...wallet, workspace: 4 }, amountMicros: 5_000_000 },
      ],
    );
  });

  test('a failed payout leaves nothing, and a paid one leaves its fee', () => {
    const payout = { ...movement, feeMicros: 1_500_000 };
    const balancesOf = (transactions: readonly LedgerTransaction[]) => {
      const balances = new Map<string, number>();
      for (const { account, amountMicros } of transactions.flatMap(({ postings }) => postings))
        balances.set(account.kind, (balances.get(account.kind) ?? 0) + amountMicros);
      return Object.fromEntries([...balances].filter(([, micros]) => micros !== 0));
    };
    expect(balancesOf([issuePayout(payout)])).toEqual({ earnings: -5_000_000, payout: 3_500_000, fee: 1_500_000 });
    expect(balancesOf([issuePayout(payout), payPayout(payout)])).toEqual({
      earnings: -5_000_000,
      funding: 3_500_000,
      fee: 1_500_000,
    });
    expect(balancesOf([issuePayout(payout), failPayout(payout)])).toEqual({});
    expect(issuePayout({ ...payout, feeMicros: 0 }).postings).toHaveLength(2);
    expect(() => issuePayout({ ...payout, feeMicros: 5_000_000 })).toThrow('leaves nothing');
  });

  test('any sequence of movements sums to zero in each book and currency', () => {
    const step = fc.record({
      build: fc.constantFrom(topUp, reserve, refund, charge, discount, earning),
      book: fc.constantFrom('live' as const, 'sandbox' as const),
      currency: fc.constantFrom('EUR', 'USD'),
      workspace: fc.constantFrom(...handles('workspace', 1, 2, 3)),
      campaign: fc.constantFrom(...handles('campaign', 1, 2, 3)),
      amountMicros: fc.integer({ min: 1, max: 10 ** 12 }),
    });
    fc.assert(
      fc.property(fc.array(step), steps => {
        const balances = new Map<string, number>();
        const post = ({ postings }: LedgerTransaction) => {
          for (const { account, amountMicros } of postings)
            balances.set(bookOf(account), (balances.get(bookOf(account)) ?? 0) + amountMicros);
          expect(new Set(postings.map(posting => bookOf(posting.account))).size).toBe(1);
        };
        steps.forEach(({ build, ...movement }, index) => post(build({ ...movement, reference: String(index) })));
        for (const balance of balances.values()) expect(balance).toBe(0);
      }),
    );
  });
  const bookOf = (account: AccountRef) => `${account.book} ${account.currency}`;
});
