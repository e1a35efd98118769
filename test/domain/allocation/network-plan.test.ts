/**
 * What the plan of a network asks of a campaign hour by hour: evenings in their own time zone, flights that began
 * earlier, and venues that cost different amounts. Pure rules, by examples.
 */
import { describe, expect, test } from 'vitest';
import { TARGET_TIMES } from '../../../domain/allocation/horizon/horizon-plan.ts';
import { compileNetwork, type NetworkCampaign } from '../../../domain/allocation/network/network.ts';
import { type BookedCampaign, planNetwork, worthOf } from '../../../domain/allocation/network/network-plan.ts';
import { parseTargets, type Targets } from '../../../domain/campaigns/targeting.ts';
import { handle } from '../../support/handle.ts';
import { placeOf } from './place.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BUCKETS = 7 * 96;
const FIRST_DAY = 20_700;
const BUDGET = 816_000_000; // a sixth of what the place has in 16 hours

/**
 * The target of the hour after `atMs` as a share of the budget, for a campaign that has spent `spent` of it, in a city
 * of this zone.
 */
function targetOf({
  timezone,
  atMs,
  spent,
  flight,
  sinceMs = 0,
  base = 0,
}: {
  timezone: string;
  atMs: number;
  spent: number;
  flight: NetworkCampaign['flight'];
  sinceMs?: number;
  base?: number;
}): number {
  const place = placeOf({ venueType: 'entertainment.bars', timezone, impressionsPerMinute: 1_000 });
  const campaign = {
    handle: handle('campaign', 1),
    sandbox: false,
    category: 'retail',
    targets: parseTargets({}) as Targets,
    flight,
    orientations: ['landscape'] as const,
    sinceMs,
    baseMicros: base * BUDGET,
    budgetMicros: BUDGET,
    spentMicros: spent * BUDGET,
  };
  const compiled = (fromMs: number) =>
    compileNetwork({ places: [place], campaigns: [campaign], atMs: fromMs, buckets: BUCKETS, worthOf });
  const plan = planNetwork({ network: compiled(atMs), past: compiled(atMs - 7 * DAY_MS), campaigns: [campaign], atMs });
  return plan.target[0]! / TARGET_TIMES.calm / BUDGET;
}

describe("a campaign's evenings", () => {
  // Two evenings of eight hours; two hours of the first are over.
  const flight = { startsOn: FIRST_DAY, endsOn: FIRST_DAY + 1, daypart: { startMinute: 16 * 60, endMinute: 24 * 60 } };
  const localMs = FIRST_DAY * DAY_MS + 18 * HOUR_MS;

  test.each([
    ['Etc/GMT+8', -8],
    ['UTC', 0],
    ['Etc/GMT-10', 10],
  ])('are counted by the clock of %s', (timezone, zone) => {
    // On its curve: the next hour brings a sixteenth.
    expect(targetOf({ timezone, atMs: localMs - zone * HOUR_MS, spent: 2 / 16, flight })).toBeCloseTo(1 / 16, 3);
  });
});

test('a flight longer than a week is on its curve when its share of the days is spent', () => {
  const flight = { startsOn: FIRST_DAY, endsOn: FIRST_DAY + 29 };
  expect(targetOf({ timezone: 'UTC', atMs: (FIRST_DAY + 20) * DAY_MS, spent: 20 / 30, flight })).toBeCloseTo(
    1 / (30 * 24),
    4,
  );
});

test('a campaign booked within its flight is not behind for the days before', () => {
  const flight = { startsOn: FIRST_DAY, endsOn: FIRST_DAY + 5 };
  const atMs = (FIRST_DAY + 4) * DAY_MS;
  expect(targetOf({ timezone: 'UTC', atMs, spent: 0.5, flight, sinceMs: (FIRST_DAY + 2) * DAY_MS })).toBeCloseTo(
    0.5 / 48,
    3,
  );
});

test('a resumed campaign spreads its rest over the rest of its flight', () => {
  const flight = { startsOn: FIRST_DAY, endsOn: FIRST_DAY + 5 };
  const atMs = (FIRST_DAY + 5) * DAY_MS;
  // A fifth was spent by the pause; of the two days since it was resumed one is over, with half of the rest.
  expect(
    targetOf({ timezone: 'UTC', atMs, spent: 0.6, base: 0.2, flight, sinceMs: (FIRST_DAY + 4) * DAY_MS }),
  ).toBeCloseTo(0.4 / 24, 3);
});

describe('money', () => {
  const flight = { startsOn: FIRST_DAY, endsOn: FIRST_DAY };
  const atMs = FIRST_DAY * DAY_MS;
  /** A bar and a doctor's office, each reaching 1,000 people a minute: 5.10 and 8.40 a minute, 19,440 a day. */
  const places = ['entertainment.bars', 'point_of_care.doctor_offices'].map(venueType =>
    placeOf({ venueType, impressionsPerMinute: 1_000 }),
  );
  type Money = Pick<BookedCampaign, 'budgetMicros' | 'baseMicros' | 'foreseenMicros'>;
  const planOf = (bookings: readonly (Money & { spentMicros?: number; venueTypes: string[] })[]) => {
    const campaigns = bookings.map(({ venueTypes, ...money }, at) => ({
      handle: handle('campaign', at + 1),
      sandbox: false,
      category: 'retail',
      targets: parseTargets({ venue_types: venueTypes }) as Targets,
      flight,
      orientations: ['landscape'] as const,
      sinceMs: 0,
      spentMicros: 0,
      ...money,
    }));
    const compiled = (fromMs: number) => compileNetwork({ places, campaigns, atMs: fromMs, buckets: BUCKETS, worthOf });
    return planNetwork({ network: compiled(atMs), past: compiled(atMs - 7 * DAY_MS), campaigns, atMs, usualShare: 0 });
  };
  const DAY_MICROS = (5_100 + 8_400) * 1_000 * 1_440;

  test.each([
    [0.9, 1],
    [1.2, 1 / 1.2],
  ])('a budget of %d times what its venues charge in a day can be spent by %d', (times, share) => {
    expect(planOf([{ budgetMicros: times * DAY_MICROS, venueTypes: [] }]).attainable[0]).toBeCloseTo(share, 2);
  });

  test('a campaign that can use the expensive venue leaves the cheap one to a campaign that cannot', () => {
    const [bars, all] = [0.7 * 5_100 * 1_440_000, 0.8 * 8_400 * 1_440_000];
    const plan = planOf([
      { budgetMicros: bars, venueTypes: ['entertainment.bars'] },
      { budgetMicros: all, venueTypes: [] },
    ]);
    expect([...plan.attainable]).toEqual([1, 1]);
    expect(plan.target[0]! / TARGET_TIMES.calm / bars).toBeCloseTo(1 / 24, 2);
    expect(plan.target[1]! / TARGET_TIMES.calm / all).toBeCloseTo(1 / 24, 2);
  });

  test('a booking with a small promise leaves the others their promises', () => {
    const told = { budgetMicros: 0.6 * DAY_MICROS, foreseenMicros: 0.6 * DAY_MICROS, venueTypes: [] };
    const late = { budgetMicros: 2 * DAY_MICROS, foreseenMicros: 0.4 * DAY_MICROS, venueTypes: [] };
    expect([...planOf([told, late]).attainable]).toEqual([expect.closeTo(1, 2), expect.closeTo(0.2, 2)]);
    // As before if their forecast is not known: all wait for the same share.
    const unknown = [told, late].map(({ budgetMicros, venueTypes }) => ({ budgetMicros, venueTypes }));
    expect([...planOf(unknown).attainable]).toEqual([expect.closeTo(1 / 2.6, 2), expect.closeTo(1 / 2.6, 2)]);
  });

  test('spend before a campaign was resumed is part of its promise', () => {
    const half = 0.5 * DAY_MICROS;
    const resumed = { budgetMicros: DAY_MICROS, baseMicros: half, spentMicros: half };
    const plan = planOf([
      { ...resumed, foreseenMicros: 0.6 * DAY_MICROS, venueTypes: [] },
      { budgetMicros: 0.9 * DAY_MICROS, foreseenMicros: 0.9 * DAY_MICROS, venueTypes: [] },
    ]);
    expect([...plan.attainable]).toEqual([expect.closeTo(0.2, 2), expect.closeTo(1, 2)]);
  });
});
