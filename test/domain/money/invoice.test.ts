/**
 * The amounts, numbers, months and states of an invoice: lines are whole minor units that sum to the total. Pure rules,
 * by examples and random lines.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatInvoiceNumber,
  lastDayOf,
  monthAfter,
  monthOf,
  payableAmounts,
  payInvoice,
} from '#domain/money/invoice.ts';
import { minorUnitMicros } from '#domain/money/money.ts';

describe('the amounts of an invoice', () => {
  test('are whole minor units that sum to the rounded total', () => {
    const { lines, total } = payableAmounts(
      [
        { grossMicros: 3_333_333, discountMicros: 166_666 },
        { grossMicros: 3_333_333, discountMicros: 166_666 },
        { grossMicros: 3_333_334, discountMicros: 166_666 },
      ],
      'EUR',
    );
    expect(total).toEqual({ grossMicros: 10_000_000, discountMicros: 500_000, netMicros: 9_500_000 });
    expect(lines.map(line => line.grossMicros)).toEqual([3_330_000, 3_330_000, 3_340_000]);
    expect(lines.map(line => line.discountMicros)).toEqual([170_000, 170_000, 160_000]);
  });

  test('hold in any currency, on any lines: lines sum to the total, each within a minor unit of the exact amount', () => {
    const line = fc
      .integer({ min: 0, max: 10 ** 11 })
      .chain(grossMicros =>
        fc.record({
          grossMicros: fc.constant(grossMicros),
          discountMicros: fc.integer({ min: 0, max: Math.floor(grossMicros * 0.3) }),
        }),
      );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom('EUR', 'JPY', 'KWD'), (exact, currency) => {
        const unit = minorUnitMicros(currency);
        const { lines, total } = payableAmounts(exact, currency);
        for (const field of ['grossMicros', 'discountMicros'] as const) {
          const sum = exact.reduce((all, part) => all + part[field], 0);
          expect(lines.reduce((all, part) => all + part[field], 0)).toBe(total[field]);
          expect(total[field] % unit).toBe(0);
          expect(Math.abs(total[field] - sum)).toBeLessThanOrEqual(unit / 2);
          for (const [index, part] of lines.entries()) {
            expect(part[field] % unit).toBe(0);
            expect(Math.abs(part[field] - exact[index]![field])).toBeLessThan(unit);
          }
        }
        expect(total.netMicros).toBe(total.grossMicros - total.discountMicros);
        expect(total.netMicros).toBeGreaterThanOrEqual(0);
        expect(lines.reduce((all, part) => all + part.netMicros, 0)).toBe(total.netMicros);
      }),
    );
  });
});

test('numbers are consecutive within the year', () => {
  expect(
    [
      [2026, 1],
      [2026, 41],
      [2027, 1_000_000],
    ].map(([year, sequence]) => formatInvoiceNumber({ sandbox: false, year: year!, sequence: sequence! })),
  ).toEqual(['2026-000001', '2026-000041', '2027-1000000']);
  expect(formatInvoiceNumber({ sandbox: true, year: 2026, sequence: 41 })).toBe('TEST-2026-000041');
});

test.each([
  ['2026-01-31T23:59:59.999Z', '2026-01-01', '2026-02-01', '2026-01-31'],
  ['2026-12-01T00:00:00Z', '2026-12-01', '2027-01-01', '2026-12-31'],
  ['2028-02-29T12:00:00Z', '2028-02-01', '2028-03-01', '2028-02-29'],
])('%s is in the month of %s, before %s', (at, month, after, last) => {
  expect([monthOf(Date.parse(at)), monthAfter(month), lastDayOf(month)]).toEqual([month, after, last]);
});

test('an invoice is paid once', () => {
  expect(payInvoice('issued')).toBe('paid');
  expect(payInvoice('paid')).toMatchObject({ code: 'state_conflict' });
});
