/** The rows of screens in memory: the remembered fills for frequency caps, and groups that their last screen leaves. */
import { expect, test } from 'vitest';
import { makeDecisionWorld } from '../../../bench/delivery/decision-world.ts';
import { ScreenTable } from '../../../delivery/decision/screen-table.ts';

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

test('a group is emptied by the last screen that leaves it, once', () => {
  const screens = new ScreenTable();
  const [group, other] = [3, 4];
  screens.joinGroup(0, group);
  screens.joinGroup(1, group);
  screens.joinGroup(2, other);
  screens.leaveGroup(0);
  expect([...screens.emptiedGroups]).toEqual([]);
  screens.leaveGroup(1);
  screens.leaveGroup(1);
  expect([...screens.emptiedGroups]).toEqual([group]);
  expect(screens.isGrouped(1)).toBe(false);
  expect(screens.isGrouped(2)).toBe(true);
});
