/**
 * A network compiled into segments: which campaigns may play where and when, and how much time there is. Pure rules,
 * compared with a slow count over random places and campaigns.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allowsPlace,
  BUCKET_MS,
  compileNetwork,
  type NetworkCampaign,
  type NetworkPlace,
} from '../../../domain/allocation/network/network.ts';
import { campaignsOf, placesOf } from '../../../domain/allocation/network/network-rows.ts';
import { emptyKey, keyNumber, toggleHandle } from '../../../domain/allocation/network/segment-key.ts';
import { restrictionAgainst } from '../../../domain/law/restriction.ts';
import { checkFlight, isOpen, zoneOffsetMinutes } from '../../../domain/screens/schedule.ts';
import { parseTargets, type Targets } from '../../../domain/campaigns/targeting.ts';
import { handle } from '../../support/handle.ts';

// The week in which clocks go back in Berlin (2026-10-25).
const AT_MS = Date.UTC(2026, 9, 22, 10, 7);
const BUCKETS = 4 * 96;
const DAY = Math.floor(AT_MS / 86_400_000);
const bars = { start: '18:00', end: '02:00' };

const place = fc.record({
  type: fc.constantFrom('entertainment.bars', 'health_and_beauty.gyms'),
  city: fc.constantFrom('Berlin', 'Lisbon'),
  lat: fc.constantFrom(52.5, 38.7),
  lng: fc.constantFrom(13.4, -9.1),
  timezone: fc.constantFrom('Europe/Berlin', 'Europe/Lisbon', 'Asia/Kathmandu'),
  opening_hours: fc.constantFrom(
    null,
    { fri: [bars], sat: [bars] },
    { mon: [{ start: '09:10', end: '17:05' }], sun: [{ start: '00:00', end: '24:00' }] },
  ),
  daily_visitors: fc.integer({ min: 1, max: 900 }),
  dwell_minutes: fc.integer({ min: 1, max: 90 }),
  audience_max: fc.constantFrom(null, 0.5),
  screens_near: fc.integer({ min: 1, max: 30 }),
  blocked_categories: fc.constantFrom<string[]>([], ['consumer_electronics']),
  restrictions: fc.constantFrom(
    null,
    [{ rule: 'Always', category: 'consumer_electronics' }],
    [{ rule: 'By day', category: 'travel_and_tourism', hours: { daypart: { startMinute: 495, endMinute: 1260 } } }],
    [
      {
        rule: 'Fri',
        category: 'consumer_electronics',
        hours: { daypart: { startMinute: 1320, endMinute: 360 }, days: 16 },
      },
    ],
  ),
  orientation: fc.constantFrom('landscape', 'portrait'),
  sandbox: fc.boolean(),
  ad_share: fc.constantFrom(0, 0.5, 2),
}) as fc.Arbitrary<Parameters<typeof placesOf>[0][number]>;

const campaign = fc.record({
  sandbox: fc.boolean(),
  category: fc.constantFrom('consumer_electronics', 'travel_and_tourism'),
  paced_base_micros: fc.constant(0),
  paced_from: fc.constant(new Date(AT_MS)),
  budget_micros: fc.constant(1e9),
  charged_micros: fc.constant(0),
  rate_micros: fc.constant(5_000),
  frequency_per_hour_max: fc.constantFrom(null, 4),
  targets: fc.record({
    cities: fc.subarray(['berlin', 'LISBON']),
    venue_types: fc.subarray(['entertainment', 'health_and_beauty.gyms']),
    orientations: fc.subarray(['landscape', 'portrait']),
    areas: fc.subarray([{ lat: 52.5, lng: 13.4, radiusKm: 5 }]),
    days: fc.subarray(['fri', 'sun']),
    daypart: fc.constantFrom(undefined, { start: '20:00', end: '03:00' }, { start: '09:00', end: '12:30' }),
  }),
  starts_on: fc.integer({ min: DAY - 2, max: DAY + 2 }),
  ends_on: fc.integer({ min: DAY + 2, max: DAY + 9 }),
  orientations: fc.subarray(['landscape', 'portrait'], { minLength: 1 }),
}) as fc.Arbitrary<Omit<Parameters<typeof campaignsOf>[0][number], 'handle'>>;

const worlds = fc
  .tuple(fc.array(place, { minLength: 1, maxLength: 12 }), fc.array(campaign, { maxLength: 40 }))
  .map(([places, campaigns]) => ({
    places: placesOf(places),
    campaigns: campaignsOf(campaigns.map((row, index) => ({ ...row, handle: handle('campaign', 1_000 + index * 7) }))),
  }));

/** Who may play at a place in a quarter, asked the plain way. */
function eligibleAt(campaigns: readonly NetworkCampaign[], where: NetworkPlace, middleMs: number): number[] {
  const offset = zoneOffsetMinutes(where.timezone, middleMs);
  return campaigns.flatMap((candidate, number) =>
    allowsPlace(candidate, where) &&
    checkFlight(candidate.flight, offset, middleMs) === 'ok' &&
    restrictionAgainst(where.timed ?? [], { category: candidate.category, offsetMinutes: offset, atMs: middleMs }) ===
      undefined
      ? [number]
      : [],
  );
}

describe('a compiled network', () => {
  test('has in every cell exactly the campaigns that may play there, and the open time of its screens', () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 0, max: BUCKETS - 1 }), ({ places, campaigns }, bucket) => {
        const { graph, groups, fromMs, segmentOf, supply } = compileNetwork({
          places,
          campaigns,
          atMs: AT_MS,
          buckets: BUCKETS,
        });
        const startMs = fromMs + bucket * BUCKET_MS;
        groups.forEach(({ place: where, perMinute }, group) => {
          const cell = group * BUCKETS + bucket;
          const offset = zoneOffsetMinutes(where.timezone, startMs);
          const open = Array.from({ length: 15 }, (_, minute) =>
            isOpen(where.hours, offset, startMs + minute * 60_000),
          ).filter(Boolean).length;
          expect(supply[cell]).toBeCloseTo(open * perMinute, 9);
          if (open === 0) return;
          const segment = segmentOf[cell]!;
          const members = [...graph.edgeCampaign.subarray(graph.edgeStart[segment], graph.edgeStart[segment + 1])].sort(
            (a, b) => a - b,
          );
          expect(members).toEqual(eligibleAt(campaigns, where, startMs + BUCKET_MS / 2));
        });
      }),
      { numRuns: 150 },
    );
  });

  test('has the expected supply by local hour, and grows with the days', () => {
    const parts = Float32Array.from({ length: 168 }, (_, hour) => (hour + 1) / 1_000);
    fc.assert(
      fc.property(worlds, fc.integer({ min: 0, max: BUCKETS - 1 }), ({ places, campaigns }, bucket) => {
        const promised = compileNetwork({ places, campaigns, atMs: AT_MS, buckets: BUCKETS });
        const { groups, fromMs, supply } = compileNetwork({
          places,
          campaigns,
          atMs: AT_MS,
          buckets: BUCKETS,
          expected: { partsOf: () => parts, trendAt: daysAhead => 1 + daysAhead },
        });
        groups.forEach(({ place: { timezone } }, group) => {
          const startMs = fromMs + bucket * BUCKET_MS;
          const local = new Date(startMs + zoneOffsetMinutes(timezone, startMs) * 60_000);
          const hour = ((local.getUTCDay() + 6) % 7) * 24 + local.getUTCHours();
          const cell = group * BUCKETS + bucket;
          const wanted = (promised.supply[cell]! * parts[hour]! * (96 + bucket)) / 96;
          expect(Math.abs(supply[cell]! - wanted)).toBeLessThanOrEqual(1e-6 * wanted);
        });
      }),
      { numRuns: 50 },
    );
  });

  test('groups equal screens and loses none of their time', () => {
    fc.assert(
      fc.property(worlds, ({ places, campaigns }) => {
        const { groups } = compileNetwork({ places, campaigns, atMs: AT_MS, buckets: 1 });
        const promised = places.reduce((total, place) => total + place.impressionsPerMinute, 0);
        expect(groups.reduce((total, group) => total + group.perMinute, 0)).toBeCloseTo(promised, 6);
        expect(groups.length).toBeLessThanOrEqual(places.length);
      }),
      { numRuns: 50 },
    );
  });

  test('names each segment by the handles of its campaigns', () => {
    fc.assert(
      fc.property(worlds, ({ places, campaigns }) => {
        const { graph, segmentKeys } = compileNetwork({ places, campaigns, atMs: AT_MS, buckets: BUCKETS });
        expect(new Set(segmentKeys).size).toBe(graph.segments);
        for (let segment = 0; segment < graph.segments; segment++) {
          const key = emptyKey();
          for (const number of graph.edgeCampaign.subarray(graph.edgeStart[segment], graph.edgeStart[segment + 1]))
            toggleHandle(key, campaigns[number]!.handle);
          expect(segmentKeys[segment]).toBe(keyNumber(key));
        }
      }),
      { numRuns: 30 },
    );
  });
});

test('each of the 52 bits of a key is set for about half of the campaigns', () => {
  const set = Array.from({ length: 52 }, () => 0);
  for (let number = 1; number <= 1_000; number++) {
    const key = emptyKey();
    toggleHandle(key, handle('campaign', number));
    const bits = BigInt(keyNumber(key));
    for (let bit = 0; bit < 52; bit++) set[bit]! += Number((bits >> BigInt(bit)) & 1n);
  }
  expect(Math.min(...set)).toBeGreaterThan(400);
  expect(Math.max(...set)).toBeLessThan(600);
});

test('targets with all fields empty allow every place of their book', () => {
  const any = parseTargets({}) as Targets;
  const [where] = placesOf([
    {
      type: 'entertainment.bars',
      city: 'Berlin',
      lat: 0,
      lng: 0,
      timezone: 'UTC',
      opening_hours: null,
      daily_visitors: 10,
      dwell_minutes: 10,
      audience_max: null,
      screens_near: 1,
      blocked_categories: ['travel'],
      orientation: 'portrait',
      sandbox: false,
      ad_share: 1,
    },
  ]);
  const base = {
    handle: handle('campaign', 1),
    sandbox: false,
    category: 'consumer_electronics',
    targets: any,
    flight: { startsOn: 0, endsOn: 1 },
    orientations: ['portrait'] as const,
  };
  expect(allowsPlace(base, where!)).toBe(true);
  expect(allowsPlace({ ...base, sandbox: true }, where!)).toBe(false);
  expect(allowsPlace({ ...base, orientations: ['landscape'] }, where!)).toBe(false);
});
