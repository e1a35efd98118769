/** Metrics of several processes are added up by their exact name. Texts made here. */
import { expect, test } from 'vitest';
import { sumOf } from '../../bench/metrics.ts';

test('a metric is summed over labels and processes, and not mixed with a metric of a longer name', () => {
  const one = 'delivery_grants{service="delivery"} 3\ndelivery_grants_short{service="delivery"} 100\n';
  const two = '# HELP delivery_grants x\ndelivery_grants 4.5\n';
  expect(sumOf([one, two], 'delivery_grants')).toBe(7.5);
  expect(sumOf([one, two], 'delivery_slots')).toBe(0);
});
