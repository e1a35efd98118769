/** The median of few numbers, and that it leaves them alone. */
import { expect, test } from 'vitest';
import { median } from '#domain/median.ts';

test.each<[readonly number[], number]>([
  [[], 0],
  [[3], 3],
  [[9, 1, 4], 4],
  [[4, 1, 9, 2], 3],
  [[10, -2, 9], 9],
])('the median of %j is %d', (values, middle) => {
  const before = [...values];
  expect(median(values)).toBe(middle);
  expect(values).toEqual(before);
});
