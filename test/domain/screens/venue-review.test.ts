/**
 * Which figures of a venue hold at once and which wait for the operator. Pure rules, by examples and random changes.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FiguresRequest, judgeFigures, type VenueFigures } from '#domain/screens/venue-review.ts';
import { VENUE_TYPES } from '#domain/campaigns/taxonomy.ts';
import { venueLimits } from '#domain/screens/venue.ts';

const hours = (start: string, end: string) =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map(day => [day, [{ start, end }]]));
const BAR: VenueFigures = {
  type: 'entertainment.bars',
  city: 'Berlin',
  lat: 52.52,
  lng: 13.4,
  timezone: 'Europe/Berlin',
  opening_hours: hours('16:00', '24:00'),
  daily_visitors: 400,
  dwell_minutes: 45,
};
const judge = (changes: Partial<VenueFigures>, options: Partial<FiguresRequest> = {}) => {
  const inForce = options.inForce ?? BAR;
  return judgeFigures({
    requested: { ...inForce, ...changes },
    inForce,
    isApproved: false,
    hasEarned: false,
    ...options,
  });
};

describe('a new venue', () => {
  const open = (changes: Partial<VenueFigures>) =>
    judgeFigures({ requested: { ...BAR, ...changes }, isApproved: false, hasEarned: false });

  test('gets plausible figures for its type at once', () => {
    expect(open({})).toEqual({ inForce: BAR, pending: {}, reasons: [] });
    expect(open({ daily_visitors: 1_500, dwell_minutes: 240 })).toMatchObject({ pending: {}, reasons: [] });
  });

  test('gets the figures of a small venue for implausible ones, and requests its own', () => {
    const { inForce, pending, reasons } = open({ daily_visitors: 100_000, dwell_minutes: 1_440 });
    expect(inForce).toEqual({ ...BAR, daily_visitors: 120, dwell_minutes: 45 });
    expect(pending).toEqual({ daily_visitors: 100_000, dwell_minutes: 1_440 });
    expect(reasons).toEqual(['visitors_above_type', 'dwell_above_type']);
  });
});

describe('a venue that has not earned yet', () => {
  test('corrects anything at once, within the limits of its type', () => {
    for (const changes of [
      { type: 'retail.malls' },
      { city: 'Lisbon', lat: 38.7, lng: -9.1 },
      { opening_hours: null },
      { daily_visitors: 1_500 },
    ])
      expect(judge(changes)).toMatchObject({ pending: {}, reasons: [] });
    expect(judge({ daily_visitors: 1_501 })).toMatchObject({
      inForce: { daily_visitors: 400 },
      pending: { daily_visitors: 1_501 },
      reasons: ['visitors_above_type'],
    });
  });

  test('that changes to a smaller type keeps no figure of the larger one', () => {
    const mall = { ...BAR, type: 'retail.malls', daily_visitors: 9_000 };
    expect(judge({ type: 'entertainment.bars' }, { inForce: mall })).toMatchObject({
      inForce: { type: 'entertainment.bars', daily_visitors: 120 },
      pending: { daily_visitors: 9_000 },
    });
  });
});

describe('a venue that has earned', () => {
  const earned = { hasEarned: true };

  test.each<[string, Partial<VenueFigures>, string]>([
    ['a type with a dearer rate', { type: 'education.schools' }, 'type_dearer'],
    ['a type that holds more people', { type: 'entertainment.night_clubs' }, 'type_dearer'],
    ['another city', { city: 'Munich' }, 'place_moved'],
    ['a place two kilometres away', { lat: 52.54 }, 'place_moved'],
    ['longer hours', { opening_hours: null }, 'hours_widened'],
    ['four times the audience', { daily_visitors: 1_500, dwell_minutes: 60 }, 'audience_raised'],
  ])('requests %s, and keeps its figures meanwhile', (_, changes, reason) => {
    expect(judge(changes, earned)).toEqual({ inForce: BAR, pending: changes, reasons: [reason] });
  });

  test.each<[string, Partial<VenueFigures>]>([
    ['a type as dear', { type: 'entertainment.casual_dining' }],
    ['a cheaper type', { type: 'retail.laundromat' }],
    ['a corrected pin, and another spelling of the city', { city: 'BERLIN', lat: 52.523 }],
    ['an hour more on each day', { opening_hours: hours('15:00', '24:00') }],
    ['shorter hours', { opening_hours: hours('20:00', '24:00') }],
    ['twice the visitors', { daily_visitors: 800 }],
    ['fewer visitors', { daily_visitors: 10 }],
  ])('gets at once %s', (_, changes) => {
    expect(judge(changes, earned)).toEqual({ inForce: { ...BAR, ...changes }, pending: {}, reasons: [] });
  });

  test('cannot make a large step out of many small ones', () => {
    const inForce = { ...BAR, daily_visitors: 1_100, lat: 52.528, opening_hours: hours('15:00', '24:00') };
    const next = { daily_visitors: 1_300, lat: 52.536, opening_hours: hours('13:00', '24:00') };
    expect(judge(next, { ...earned, inForce, baseline: BAR }).reasons).toEqual([
      'place_moved',
      'hours_widened',
      'audience_raised',
    ]);
  });

  test('may lower figures that are above its baseline', () => {
    expect(
      judge({ daily_visitors: 1_400 }, { ...earned, inForce: { ...BAR, daily_visitors: 1_500 }, baseline: BAR }),
    ).toMatchObject({ inForce: { daily_visitors: 1_400 }, reasons: [] });
  });

  test('treats another order of the days as the same hours', () => {
    const turned = Object.fromEntries(Object.entries(BAR.opening_hours as object).reverse());
    expect(
      judge({ opening_hours: turned }, { ...earned, baseline: { ...BAR, opening_hours: hours('20:00', '21:00') } }),
    ).toMatchObject({ pending: {}, reasons: [] });
  });

  test('that requests a more expensive type with its figures waits with both', () => {
    expect(judge({ type: 'retail.malls', daily_visitors: 9_000 }, earned)).toMatchObject({
      inForce: { type: 'entertainment.bars', daily_visitors: 400 },
      pending: { type: 'retail.malls', daily_visitors: 9_000 },
    });
  });
});

describe('an approved figure', () => {
  const large = { ...BAR, daily_visitors: 30_000, dwell_minutes: 90 };

  test('stays in force, and may be requested again after a lower one', () => {
    const approved = { baseline: large, isApproved: true, hasEarned: true };
    expect(judge({ city: 'Berlin' }, { inForce: large, ...approved })).toEqual({
      inForce: large,
      pending: {},
      reasons: [],
    });
    expect(
      judge({ daily_visitors: 30_000 }, { inForce: { ...large, daily_visitors: 500 }, ...approved }),
    ).toMatchObject({ inForce: large, reasons: [] });
    expect(judge({ daily_visitors: 30_001 }, { inForce: large, ...approved })).toMatchObject({
      pending: { daily_visitors: 30_001 },
    });
  });

  test('of one type is not approved for another', () => {
    expect(
      judge(
        { type: 'entertainment.casual_dining' },
        { inForce: large, baseline: large, isApproved: true, hasEarned: true },
      ),
    ).toMatchObject({ inForce: { daily_visitors: 120 }, pending: { daily_visitors: 30_000 } });
  });
});

test('for any request, figures in force are within the limits of the type, and others wait with a reason', () => {
  const figures = fc.record({
    type: fc.constantFrom(...VENUE_TYPES.map(({ name }) => name)),
    city: fc.constantFrom('Berlin', 'Lisbon'),
    lat: fc.constantFrom(52.52, 38.7),
    lng: fc.constantFrom(13.4),
    timezone: fc.constant('UTC'),
    opening_hours: fc.constantFrom<unknown>(null, hours('08:00', '12:00')),
    daily_visitors: fc.integer({ min: 0, max: 10_000_000 }),
    dwell_minutes: fc.double({ min: 0.1, max: 1_440, noNaN: true }),
  }) as fc.Arbitrary<VenueFigures>;
  fc.assert(
    fc.property(figures, fc.array(figures, { maxLength: 5 }), fc.boolean(), (first, next, hasEarned) => {
      let { inForce } = judgeFigures({ requested: first, isApproved: false, hasEarned: false });
      const baseline = inForce;
      for (const asked of [first, ...next]) {
        const judged = judgeFigures({ requested: asked, inForce, baseline, isApproved: false, hasEarned });
        ({ inForce } = judged);
        expect(inForce.daily_visitors).toBeLessThanOrEqual(venueLimits(inForce.type).visitorsMax);
        expect(inForce.dwell_minutes).toBeLessThanOrEqual(venueLimits(inForce.type).dwellMinutesMax);
        expect({ ...inForce, ...judged.pending }).toEqual(asked);
        expect(judged.reasons.length > 0).toBe(Object.keys(judged.pending).length > 0);
      }
    }),
  );
});
