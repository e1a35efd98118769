/** What is remembered of a screen's fills for frequency caps. In memory. */
import { expect, test } from 'vitest';
import { makeDecisionWorld } from '../../../bench/delivery/decision-world.ts';

const NOW_MS = Date.UTC(2027, 0, 15, 12, 10);

test.each([16, 17, 100, 1_024])('all of %i fills of capped campaigns within an hour are remembered', fills => {
  const { screens } = makeDecisionWorld(1, 'untargeted', NOW_MS).store;
  for (let campaign = 0; campaign < fills; campaign++) screens.recordFill(0, campaign, NOW_MS + campaign * 1_000);
  const remembered = Array.from({ length: fills }, (_, campaign) =>
    screens.fillsWithinHour(0, campaign, NOW_MS + campaign * 1_000),
  );
  expect(remembered).toEqual(remembered.map(() => 1));
});

test('fills beyond 1,024 are forgotten, the oldest first', () => {
  const { screens } = makeDecisionWorld(1, 'untargeted', NOW_MS).store;
  for (let campaign = 0; campaign <= 1_024; campaign++) screens.recordFill(0, campaign, NOW_MS);
  expect([0, 1, 1_024].map(campaign => screens.fillsWithinHour(0, campaign, NOW_MS))).toEqual([0, 1, 1]);
});
