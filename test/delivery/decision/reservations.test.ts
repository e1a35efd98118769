/**
 * The numbered blocks from which decisions reserve money: no number is taken twice, and no block spends more than it
 * carries. Plain memory without engines, driven by random moves and by examples.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, NOT_TAKEN, type OpenBlock, Reservations } from '../../../delivery/decision/reservations.ts';
import { CampaignTable } from '../../../delivery/decision/campaign-table.ts';
import { handle } from '../../support/handle.ts';

/** Campaigns 0 .. size - 1. */
function tableOf(size: number): CampaignTable {
  const campaigns = new CampaignTable();
  for (let next = 1; next <= size; next++) campaigns.add(handle('campaign', next));
  return campaigns;
}

function reservationsOf(openBlock: OpenBlock, size = 1): Reservations {
  return new Reservations({ campaigns: tableOf(size), openBlock });
}

describe('reservations', () => {
  test('no number is taken twice, each lies in an open block, and no block spends more than it carries', () => {
    const move = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 500 }) }),
      fc.record({ take: fc.integer({ min: 1, max: 90 }) }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 200 }), moves => {
        let block: (Block & { spent: number }) | undefined;
        const reservations = reservationsOf(opened => {
          expect(opened.first).toBeGreaterThan(block?.first ?? 0);
          block = { ...opened, spent: 0 };
          return true;
        });
        const taken = new Set<number>();
        let granted = 0;
        let spent = 0;
        for (const each of moves) {
          if ('add' in each) {
            reservations.add(0, each.add);
            granted += each.add;
            continue;
          }
          const number = reservations.take(0, each.take);
          expect(number === NOT_TAKEN).toBe(granted - spent < each.take);
          if (number === NOT_TAKEN) continue;
          expect(taken.has(number)).toBe(false);
          taken.add(number);
          spent += each.take;
          block!.spent += each.take;
          expect(number).toBeGreaterThanOrEqual(block!.first);
          expect(number).toBeLessThan(block!.first + block!.count);
          expect(block!.spent).toBeLessThanOrEqual(block!.micros);
          expect(reservations.available(0)).toBe(granted - spent);
        }
        expect(reservations.drain(0)).toBe(granted - spent);
        expect(reservations.take(0, 1)).toBe(NOT_TAKEN);
      }),
    );
  });

  test('a block that could not be written gives no number and loses no money', () => {
    const reservations = reservationsOf(() => false, 4);
    reservations.add(3, 100);
    expect(reservations.take(3, 10)).toBe(NOT_TAKEN);
    expect(reservations.available(3)).toBe(100);
  });

  test('blocks hold 16 numbers and shrink to one near the end', () => {
    const counts: number[] = [];
    const reservations = reservationsOf(({ count }) => counts.push(count) > 0);
    reservations.add(0, 1_000);
    while (reservations.take(0, 10) !== NOT_TAKEN);
    expect(counts[0]).toBe(16);
    expect(counts.at(-1)).toBe(1);
    expect(reservations.available(0)).toBe(0);
  });

  test('below the low mark one grant is requested until it is settled, for the most expensive play', () => {
    const reservations = reservationsOf(() => true);
    reservations.setLow(0, 95);
    reservations.add(0, 100);
    reservations.take(0, 10);
    reservations.want(0, 40);
    expect(reservations.takeWants()).toEqual([0]);
    reservations.want(0, 20);
    expect(reservations.takeWants()).toEqual([]);
    expect(reservations.needMicros(0)).toBe(40);
    reservations.settled(0);
    reservations.want(0, 20);
    expect(reservations.takeWants()).toEqual([0]);
  });

  test('a campaign that gets its number later has room at once, and the others keep theirs', () => {
    const campaigns = tableOf(256);
    const reservations = new Reservations({ campaigns, openBlock: () => true });
    reservations.add(255, 7);
    expect(reservations.holders()).toEqual([255]);
    for (let next = 257; next <= 1_000; next++) campaigns.add(handle('campaign', next));
    expect(reservations.available(999)).toBe(0);
    reservations.want(999, 3);
    reservations.add(999, 5);
    expect([reservations.available(255), reservations.available(999), reservations.needMicros(999)]).toEqual([7, 5, 3]);
    expect(reservations.holders()).toEqual([255, 999]);
  });
});
