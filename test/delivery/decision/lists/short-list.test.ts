/** Lists that are too short for all candidates: who is on them, and who is found beside them. In memory. */
import { expect, test } from 'vitest';
import { LEAD_CALM } from '#domain/allocation/lead.ts';
import { REASON_NUMBER } from '#domain/plays/decision.ts';
import { BUDGET_MICROS, type DecisionWorld, makeDecisionWorld } from '../../../../bench/delivery/decision-world.ts';
import { FILLED } from '../../../../delivery/decision/engine.ts';
import { SHORTLIST_MAX } from '../../../../delivery/decision/lists/short-lists.ts';
import { candidateAt } from '../../../../delivery/decision/places/group.ts';

const NOW_MS = Date.UTC(2027, 0, 15, 12, 10);
const CAMPAIGNS = 400;
const SLOT = { screen: 0, atMs: NOW_MS, maxDurationMs: 15_000 };

function makeListedWorld(): DecisionWorld {
  const world = makeDecisionWorld(CAMPAIGNS, 'untargeted', NOW_MS);
  world.engine.prepare(SLOT.screen, NOW_MS);
  return world;
}

/** The campaigns on the list of the slot. */
function listedIn({ store }: DecisionWorld): number[] {
  const segment = store.index.groups.of(SLOT.screen).current!;
  return Array.from({ length: segment.count }, (_, entry) => candidateAt(segment, entry));
}

/** Leaves money to one campaign, which is not on the list. */
function leaveUnlisted(world: DecisionWorld): number {
  const listed = listedIn(world);
  const campaigns = [...Array(CAMPAIGNS).keys()];
  const unlisted = campaigns.find(campaign => !listed.includes(campaign))!;
  for (const campaign of campaigns) if (campaign !== unlisted) world.reservations.drain(campaign);
  return unlisted;
}

test('a campaign found by the search of a decision is on the list for the next one', () => {
  const world = makeListedWorld();
  const unlisted = leaveUnlisted(world);
  expect(world.engine.decide(SLOT)).toBe(FILLED);
  expect(world.engine.fill.campaign).toBe(unlisted);
  expect(listedIn(world)).toContain(unlisted);
});

test.each([
  ['finds a campaign within its lead of the plan', 0, LEAD_CALM / 2, FILLED],
  ['finds no campaign beyond its lead of the plan', 0, 2 * LEAD_CALM, REASON_NUMBER.paced_out],
  ['finds a campaign beyond its lead that is behind its target of this hour', 0.5, 20 * LEAD_CALM, FILLED],
])('the search of a decision %s', (_, target, ahead, answer) => {
  const world = makeListedWorld();
  const { index } = world.store;
  const handle = index.campaigns.handleAt(leaveUnlisted(world));
  index.followPlan(
    {
      plannedAtMs: NOW_MS,
      handles: Float64Array.of(handle),
      target: Float64Array.of(target * BUDGET_MICROS, 0),
      ahead: Float64Array.of(ahead * BUDGET_MICROS),
      lead: Float64Array.of(LEAD_CALM),
      left: Float64Array.of(BUDGET_MICROS),
      attainable: Float64Array.of(1),
      segmentKeys: new Float64Array(0),
      shortlistStart: new Int32Array(1),
      shortlistCampaign: new Int32Array(0),
    },
    1,
  );
  expect(world.engine.decide(SLOT)).toBe(answer);
});

test('a campaign that falls behind the listed ones is listed by the next round of refreshes, also the first of all', () => {
  /** Every round looks at the whole list and at all candidates. */
  const ROUND_STEPS = SHORTLIST_MAX + CAMPAIGNS;
  const world = makeListedWorld();
  world.engine.refresh(NOW_MS, ROUND_STEPS);
  expect(listedIn(world)).not.toContain(0);
  expect(world.engine.decide(SLOT)).toBe(FILLED); // all others are further behind than the winner from now on
  world.engine.refresh(NOW_MS, ROUND_STEPS);
  expect(listedIn(world)).toContain(0);
});
