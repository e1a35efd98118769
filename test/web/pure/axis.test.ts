/** The axis of a chart: where it ends, and what stands at its marks. Pure functions. */
import { expect, test } from 'vitest';
import { marksOf, topOf } from '../../../web/console/ui/views/axis.ts';

const euros = (amount: number) => `€${amount.toFixed(2)}`;

test.each([[0], [null]])('the axis of a chart whose largest value is %s ends at one unit', largest => {
  expect(topOf(largest)).toBe(1);
  expect(marksOf([0, 0.5, topOf(largest)], euros)).toEqual(['€0.00', '€0.50', '€1.00']);
});

test('the axis ends a tenth above the largest value, however small', () => {
  expect(topOf(0.001)).toBeCloseTo(0.0011);
});

test('marks with the same text are labeled once', () => {
  expect(marksOf([0, 0.001, 0.002, 0.01], euros)).toEqual(['€0.00', '', '', '€0.01']);
});
