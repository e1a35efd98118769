/**
 * What the plan promises a campaign with a frequency cap, beside the most that it could get slot by slot: random small
 * worlds, in which every slot is tried.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { frequencyCapsOf } from '../../../domain/allocation/network/frequency-caps.ts';
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

function promiseOf(places: readonly Place[], caps: readonly number[], wanted: number): number[] {
  const stage = {
    places: places.map(({ screens, adRatio, people, city }) =>
      placeOf({ cityFolded: city, impressionsPerMinute: people * screens * adRatio * 4, slotsPerHour: 240 * adRatio }),
    ),
    campaigns: caps.map((frequencyPerHourMax, number) => ({
      handle: handle('campaign', number + 1),
      sandbox: false,
      category: 'travel',
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
  const plan = planNetwork({ ...stage, network, past: network, caps: frequencyCapsOf({ ...stage, network }) });
  return Array.from(plan.attainable, part => part * wanted);
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

test('is at most 3% above and a thousandth below the result of trying every slot', () => {
  fc.assert(
    fc.property(places, fc.constantFrom(1, 2, 5, 12, 60, 300), (world, cap) => {
      const most = world.reduce((sum, one) => sum + one.screens * one.people * mostPlays(one.adRatio, cap), 0);
      const [promised] = promiseOf(world, [cap], 1e6);
      expect(promised).toBeLessThanOrEqual(1.03 * most);
      expect(promised).toBeGreaterThanOrEqual(0.999 * most);
    }),
  );
});

test('leaves campaigns without a cap the slots that capped ones cannot have', () => {
  const place = { screens: 1, adRatio: 1, people: 1, city: 'berlin' };
  const [capped, free] = promiseOf([place], [24, 0], 5_000);
  expect(capped).toBeCloseTo(24 * 24, 3);
  expect(free).toBeCloseTo(5_000, 3);
});
