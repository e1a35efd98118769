/**
 * What a campaign may use, what is handed to the authority, and what comes back to the wallet. Pure rules, by examples;
 * over any life of a campaign the ledger holds.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeLimit,
  handableMicros,
  moneyOf,
  refundPendingMicros,
  refundReturned,
  type CampaignMoney,
} from '#domain/campaigns/campaign-money.ts';
import { handle } from '../../support/handle.ts';

const money = (changes: Partial<CampaignMoney> = {}): CampaignMoney => ({
  campaign: handle('campaign', 8),
  workspace: handle('workspace', 3),
  currency: 'EUR',
  book: 'live',
  limitMicros: 100,
  handedMicros: 0,
  takeBackMicros: 0,
  returnedMicros: 0,
  chargedMicros: 0,
  edits: 4,
  ...changes,
});
const columns = {
  handle: handle('campaign', 8),
  workspace_handle: handle('workspace', 3),
  status: 'live',
  sandbox: false,
  currency: 'EUR',
  budget_micros: 100,
  handed_micros: 60,
  take_back_micros: 10,
  returned_micros: 5,
  charged_micros: 20,
  budget_edits: 4,
  ended_at: null,
};

describe('the limit of a campaign', () => {
  test.each([
    ['draft', 0],
    ['pending_review', 100],
    ['live', 100],
    ['paused', 100],
    ['rejected', 0],
    ['finished', 0],
  ])('in the state %s is %i', (status, limitMicros) => {
    expect(moneyOf({ ...columns, status })).toEqual(
      money({ limitMicros, handedMicros: 60, takeBackMicros: 10, returnedMicros: 5, chargedMicros: 20 }),
    );
  });
  test('is zero after its end', () => expect(moneyOf({ ...columns, ended_at: new Date() }).limitMicros).toBe(0));

  test.each<[string, CampaignMoney, number, number, [string, number] | undefined]>([
    ['a submission reserves the budget', money({ limitMicros: 0 }), 100, 0, ['reserve', 100]],
    ['a raise reserves the difference', money(), 130, 0, ['reserve', 30]],
    ['a cut of what was never handed is refunded at once', money({ handedMicros: 40 }), 60, 0, ['refund', 40]],
    ['a cut below what was handed asks for the rest', money({ handedMicros: 80 }), 60, 20, ['refund', 20]],
    ['an end asks for all that was handed', money({ handedMicros: 100 }), 0, 100, undefined],
    [
      'a raise after a cut does not take back what is asked for',
      money({ limitMicros: 60, handedMicros: 80, takeBackMicros: 20 }),
      90,
      20,
      ['reserve', 30],
    ],
    ['no change moves nothing', money(), 100, 0, undefined],
  ])('%s', (_name, before, limit, takeBackMicros, moved) => {
    const change = changeLimit(before, limit);
    expect(change).toMatchObject({ takeBackMicros, edits: 5 });
    expect(
      change.transaction && [
        change.transaction.kind,
        change.transaction.postings[1].amountMicros,
        change.transaction.reference,
      ],
    ).toEqual(moved && [...moved, 'campaign 8 edit 5']);
  });

  test('money returned by the authority is refunded once, under its total', () => {
    const before = money({ limitMicros: 60, handedMicros: 80, takeBackMicros: 20, returnedMicros: 5 });
    expect(refundReturned(before, 20)).toMatchObject({
      kind: 'refund',
      reference: 'campaign 8 returned 20',
      postings: [{ amountMicros: -15 }, { amountMicros: 15 }],
    });
    expect(refundReturned(before, 5)).toBeUndefined();
    expect(refundReturned(before, 3)).toBeUndefined();
    expect(() => refundReturned(before, 21)).toThrow('more than was asked for');
  });

  const step = fc.oneof(
    fc.record({ kind: fc.constant('limit' as const), to: fc.integer({ min: 0, max: 200 }) }),
    fc.record({
      kind: fc.constantFrom('hand' as const, 'spend' as const, 'return' as const),
      share: fc.integer({ min: 0, max: 100 }),
    }),
  );
  test('in any history the ledger holds limit + take back - returned - charged, and exactly zero after an end with nothing out', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        let now = money({ limitMicros: 0 });
        let held = 0;
        const free = () => now.handedMicros - now.returnedMicros - now.chargedMicros;
        const limitTo = (limit: number) => {
          const change = changeLimit(now, limit);
          if (change.transaction)
            held +=
              change.transaction.kind === 'reserve'
                ? change.transaction.postings[1].amountMicros
                : -change.transaction.postings[1].amountMicros;
          now = { ...now, limitMicros: limit, takeBackMicros: change.takeBackMicros, edits: change.edits };
        };
        const giveBack = (micros: number) => {
          const transaction = refundReturned(now, now.returnedMicros + micros);
          if (transaction) held -= transaction.postings[1].amountMicros;
          now = { ...now, returnedMicros: now.returnedMicros + micros };
        };
        for (const { kind, ...of } of steps) {
          const part = (of as { share: number }).share / 100;
          if (kind === 'limit') limitTo((of as { to: number }).to);
          if (kind === 'hand')
            now = { ...now, handedMicros: now.handedMicros + Math.floor(Math.max(0, handableMicros(now)) * part) };
          // As the authority keeps it: what is owed is paid before anything else is spent, up to what the edit was
          // checked against.
          if (kind === 'spend') {
            const micros = Math.floor(Math.max(0, free() - (now.takeBackMicros - now.returnedMicros)) * part);
            now = { ...now, chargedMicros: now.chargedMicros + micros };
            held -= micros; // the settled charge
          }
          if (kind === 'return') giveBack(Math.floor(Math.min(free(), now.takeBackMicros - now.returnedMicros) * part));
          expect(held).toBe(now.limitMicros + now.takeBackMicros - now.returnedMicros - now.chargedMicros);
          expect(held).toBeGreaterThanOrEqual(0);
          expect(handableMicros(now)).toBeGreaterThanOrEqual(0);
        }
        limitTo(0);
        expect(refundPendingMicros(now)).toBe(held);
        giveBack(free());
        expect([held, now.handedMicros]).toEqual([0, now.returnedMicros + now.chargedMicros]);
      }),
    );
  });
});
