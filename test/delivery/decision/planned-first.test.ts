/** Who goes first by plan: of campaigns that are behind, those that the plan gives a part of the segment. In memory. */
import { expect, test } from 'vitest';
import { emptyKey, keyNumber, toggleHandle } from '#domain/allocation/network/segment-key.ts';
import { BUDGET_MICROS, makeDecisionWorld } from '../../../bench/delivery/decision-world.ts';
import { FILLED } from '../../../delivery/decision/engine.ts';
import { handle } from '../../support/handle.ts';

const NOW_MS = Date.UTC(2027, 0, 15, 12, 10);
const HOUR_START_MS = Date.UTC(2027, 0, 15, 12);
const FURTHER_BEHIND = 0;
const BEHIND = 1;

/** The campaign that gets a slot where both are behind, and the plan gives the segment to one of them or to nobody. */
function winner(planned: readonly number[]): number {
  const { store, engine } = makeDecisionWorld(2, 'untargeted', NOW_MS);
  const handles = [1, 2].map(value => handle('campaign', value));
  const key = emptyKey();
  for (const each of handles) toggleHandle(key, each);
  const each = (value: number): Float64Array => new Float64Array(2).fill(value);
  store.index.followPlan(
    {
      plannedAtMs: HOUR_START_MS,
      handles: Float64Array.from(handles),
      target: Float64Array.of(BUDGET_MICROS / 2, BUDGET_MICROS / 4, BUDGET_MICROS / 2, BUDGET_MICROS / 4),
      ahead: each(0),
      lead: each(0),
      left: each(BUDGET_MICROS),
      attainable: each(1),
      segmentKeys: Float64Array.of(keyNumber(key)),
      shortlistStart: Int32Array.of(0, planned.length),
      shortlistCampaign: Int32Array.from(planned),
    },
    1,
  );
  expect(engine.decide({ screen: 0, atMs: NOW_MS, maxDurationMs: 15_000 })).toBe(FILLED);
  return engine.fill.campaign;
}

test('if no campaign has a share of the segment, the one furthest behind goes first', () => {
  expect(winner([])).toBe(FURTHER_BEHIND);
});

test('a campaign with a share of the segment goes before one that is further behind', () => {
  expect(winner([BEHIND])).toBe(BEHIND);
});

test('of two campaigns with a share, the one further behind goes first', () => {
  expect(winner([FURTHER_BEHIND, BEHIND])).toBe(FURTHER_BEHIND);
});
