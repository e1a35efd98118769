import { expect, test } from 'vitest';
import { runMessages } from '../../bench/delivery/messages.ts';

// With a small world its figures mean nothing; that every regime is there, and that slots are filled in it, is what is looked at.
test('messages prints the cost of a message in both regimes, warm and cold', { timeout: 60_000 }, async () => {
  const figures = await runMessages({ forSeconds: 0.1, pairs: 1, say: () => undefined }, 300);
  expect(figures.map(({ details }) => [details['regime'], details['pipelined'] ?? 'cold'])).toEqual([
    ['ahead', 1],
    ['ahead', 'cold'],
    ['ahead', 16],
    ['on target', 1],
    ['on target', 'cold'],
    ['on target', 16],
  ]);
  expect(figures.every(({ ours }) => ours > 0)).toBe(true);
  for (const { details } of figures.filter(({ details: each }) => each['pipelined'] !== undefined))
    expect(details['no_fills']).toBe(0);
});
