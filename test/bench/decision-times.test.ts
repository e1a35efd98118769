/** Percentiles of decision times from the histograms that delivery serves. Texts of metrics made here. */
import { expect, test } from 'vitest';
import { bucketsOf, decisionTimes } from '../../bench/delivery/decision-times.ts';

const text = (counts: [string, number][]) =>
  counts.map(([le, count]) => `delivery_decision_seconds_bucket{le="${le}"} ${count}`).join('\n');

test('percentiles are the upper bounds of their buckets, over the increase', () => {
  const before = bucketsOf([
    text([
      ['0.000001', 50],
      ['0.00001', 50],
      ['+Inf', 50],
    ]),
  ]);
  const after = bucketsOf([
    text([
      ['0.000001', 150],
      ['0.00001', 1049],
      ['+Inf', 1050],
    ]),
  ]);
  expect(decisionTimes(before, after)).toEqual({ count: 1000, p50Us: 10, p99Us: 10, p999Us: 10 });
});

test('the histograms of several processes add up', () => {
  const one = text([
    ['0.000001', 1],
    ['+Inf', 2],
  ]);
  expect(bucketsOf([one, one])).toEqual(
    new Map([
      [0.000001, 2],
      [Infinity, 4],
    ]),
  );
});

test('a process without decisions has no times', () => {
  expect(decisionTimes(new Map(), bucketsOf(['']))).toEqual({ count: 0, p50Us: 0, p99Us: 0, p999Us: 0 });
});
