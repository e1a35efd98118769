/**
 * What the plan promises a campaign with a frequency cap, beside the most that it could get slot by slot: random small
 * worlds, in which every slot is tried. And what it promises competitors.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { frequencyCapsOf } from '../../../domain/allocation/network/frequency-caps.ts';
import { competitorsOf } from '../../../domain/allocation/network/competitors.ts';
import { planNetwork } from '../../../domain/allocation/network/network-plan.ts';
import { compileNetwork } from '../../../domain/allocation/network/network.ts';
import { parseTargets, type Targets } from '../../../domain/campaigns/targeting.ts';
import { handle } from '../../support/handle.ts';
import { placeOf } from './place.ts';
import { mostPlays } from './slot-by-slot.ts';

const DAY = 20_000;
const DAY_MS = 86_400_000;
/** The plan counts in units of so many micros. */
const UNIT_MICROS = 5_000;

type Place = { screens: number; adRatio: number; people: number; city: string };

type Wish = { cap?: number; category?: string; owner?: number };

/** A plan for campaigns that each want so many impressions. */
function planOf(places: readonly Place[], wishes: readonly Wish[], wanted: number) {
  const stage = {
    places: places.map(({ screens, adRatio, people, city }) =>
      placeOf({ cityFolded: city, impressionsPerMinute: people * screens * adRatio * 4, slotsPerHour: 240 * adRatio }),
    ),
    campaigns: wishes.map(({ cap: frequencyPerHourMax = 0, category = 'travel', owner = 1 }, number) => ({
      handle: handle('campaign', number + 1),
      workspace: handle('workspace', owner),
      sandbox: false,
      category,
      targets: parseTargets({}) as Targets,
      flight: { startsOn: DAY, endsOn: DAY },
      orientations: ['landscape'] as const,
      sinceMs: DAY * DAY_MS,
      budgetMicros: wanted * UNIT_MICROS,
      spentMicros: 0,
      frequencyPerHourMax,
    })),
    atMs: DAY * DAY_MS,
    worthOf: () => 1,
  };
  const network = compileNetwork({ ...stage, buckets: 96 });
  const caps = frequencyCapsOf({ ...stage, network });
  return planNetwork({ ...stage, network, past: network, caps, competitors: competitorsOf(stage.campaigns) });
}

function promiseOf(places: readonly Place[], wishes: readonly Wish[], wanted: number): number[] {
  return Array.from(planOf(places, wishes, wanted).attainable, part => part * wanted);
}

const places = fc.array(
  fc.record({
    screens: fc.integer({ min: 1, max: 4 }),
    adRatio: fc.constantFrom(0.2, 0.35, 0.5, 1),
    people: fc.integer({ min: 1, max: 9 }),
    city: fc.constantFrom('berlin', 'paris'),
  }),
  { minLength: 1, maxLength: 4 },
);

test('is at most 3% more or less than it could get of every slot tried', () => {
  fc.assert(
    fc.property(places, fc.constantFrom(1, 2, 5, 12, 60, 300), (world, cap) => {
      const most = world.reduce((sum, one) => sum + one.screens * one.people * mostPlays(one.adRatio, cap), 0);
      const [promised] = promiseOf(world, [{ cap }], 1e6);
      expect(promised).toBeLessThanOrEqual(1.03 * most);
      expect(promised).toBeGreaterThanOrEqual(0.97 * most);
    }),
  );
});

/** One screen with 240 slots in each of 24 hours, a person before it. */
const PLACE = { screens: 1, adRatio: 1, people: 1, city: 'berlin' };
const SLOTS = 24 * 240;

test('leaves campaigns without a cap what those with one cannot have', () => {
  const [capped, free] = promiseOf([PLACE], [{ cap: 24 }, {}], 5_000);
  expect(capped).toBeCloseTo((24 * 240 * 24) / 241, 3);
  expect(free).toBeCloseTo(5_000, 3);
});

test('aims no higher for a capped campaign than its cap allows, so that others have the slots it cannot have', () => {
  const { target } = planOf([PLACE], [{ cap: 24 }, {}], 5_000);
  const [capped, free] = target;
  expect(capped! / UNIT_MICROS).toBeLessThanOrEqual(1.02 * 24);
  expect(free! / UNIT_MICROS).toBeGreaterThanOrEqual(5_000 / 24);
});

test('two owners of a category who each want all of a screen can have a quarter of it each', () => {
  const [one, other] = promiseOf([PLACE], [{ owner: 1 }, { owner: 2 }], SLOTS);
  expect(one).toBeCloseTo(SLOTS / 4, 3);
  expect(other).toBeCloseTo(SLOTS / 4, 3);
});

test('campaigns of one owner, or of different categories, can have all of a screen', () => {
  const rivals: Wish[][] = [
    [{ owner: 1 }, { owner: 1 }],
    [{ owner: 1 }, { owner: 2, category: 'retail' }],
  ];
  for (const wishes of rivals) {
    const [one, other] = promiseOf([PLACE], wishes, SLOTS);
    expect(one! + other!).toBeCloseTo(SLOTS, 3);
  }
});
