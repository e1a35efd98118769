/**
 * The numbered blocks from which decisions reserve money: no number is taken twice, and no block spends more than it
 * carries. Plain memory without engines, driven by random moves and by examples.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, NOT_TAKEN, Reservations } from '../../../delivery/budget/reservations.ts';

describe('reservations', () => {
  test('no number is taken twice, each lies in an open block, and no block spends more than it carries', () => {
    const move = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 500 }) }),
      fc.record({ take: fc.integer({ min: 1, max: 90 }) }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 200 }), moves => {
        let block: (Block & { spent: number }) | undefined;
        const reservations = new Reservations(opened => {
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
    const reservations = new Reservations(() => false);
    reservations.add(3, 100);
    expect(reservations.take(3, 10)).toBe(NOT_TAKEN);
    expect(reservations.available(3)).toBe(100);
  });

  test('blocks hold 16 numbers and shrink to one near the end', () => {
    const counts: number[] = [];
    const reservations = new Reservations(({ count }) => counts.push(count) > 0);
    reservations.add(0, 1_000);
    while (reservations.take(0, 10) !== NOT_TAKEN);
    expect(counts[0]).toBe(16);
    expect(counts.at(-1)).toBe(1);
    expect(reservations.available(0)).toBe(0);
  });

  test('below the low mark a grant is wanted, once until it is settled, for the dearest play', () => {
    const reservations = new Reservations(() => true);
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

  test('room grows and keeps what is held', () => {
    const reservations = new Reservations(() => true);
    reservations.add(255, 7);
    reservations.reserveRoom(1_000);
    reservations.add(999, 5);
    expect([reservations.available(255), reservations.available(999)]).toEqual([7, 5]);
  });
});
