/** Lists that are too short for all candidates: what a decision had to search for is listed from then on. In memory. */
import { expect, test } from 'vitest';
import { makeDecisionWorld } from '../../../../bench/delivery/decision-world.ts';
import { FILLED } from '../../../../delivery/decision/engine.ts';
import { candidateAt } from '../../../../delivery/decision/places/group.ts';

const NOW_MS = Date.UTC(2027, 0, 15, 12, 10);
const CAMPAIGNS = 400;

test('a campaign found by the search of a decision is on the list for the next one', () => {
  const { store, engine, reservations } = makeDecisionWorld(CAMPAIGNS, 'untargeted', NOW_MS);
  const listed = () => {
    const { count, ...segment } = store.index.groups.of(0).current!;
    return Array.from({ length: count }, (_, entry) => candidateAt({ count, ...segment }, entry));
  };
  const decide = () => engine.decide({ screen: 0, atMs: NOW_MS, maxDurationMs: 15_000 });
  expect(decide()).toBe(FILLED);
  const unlisted = Array.from({ length: CAMPAIGNS }, (_, campaign) => campaign).find(
    campaign => !listed().includes(campaign),
  )!;
  for (let campaign = 0; campaign < CAMPAIGNS; campaign++) if (campaign !== unlisted) reservations.drain(campaign);
  // A decision looks at a part of the candidates, and the next one goes on from there.
  const answers = Array.from({ length: CAMPAIGNS }, decide);
  expect(answers.at(-1)).toBe(FILLED);
  expect(engine.fill.campaign).toBe(unlisted);
  expect(listed()).toContain(unlisted);
});
