/**
 * How a plan shares supply among campaigns: nothing is given out twice, scarce places go to who has no other, and the
 * same input makes the same plan. Pure rules, driven by random problems and examples.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TARGET_TIMES } from '../../../domain/allocation/horizon/horizon-plan.ts';
import { HOURS_PLANNED } from '../../../domain/allocation/horizon/periods.ts';
import { type PlanInput, planDelivery } from '../../../domain/allocation/plan.ts';
import { AHEAD_MAX, COST_MAX, LEAD_CALM, leadsOf } from '../../../domain/allocation/lead.ts';
import { emptyKey, keyNumber, toggleHandle } from '../../../domain/allocation/network/segment-key.ts';
import { SHORTLIST_MAX } from '../../../domain/allocation/shortlist.ts';
import { handle } from '../../support/handle.ts';
import { graphOf, type Sketch, sketches } from './graphs.ts';

const problems = sketches({ segmentsMax: 8, campaignsMax: 8, impressionsMax: 10_000 });

/** A plan over `hours` hours in which segment i is what group i shows at all times. */
function inputOf(sketch: Sketch, hours = 6): PlanInput {
  const groups = sketch.rows.length;
  return {
    graph: graphOf(sketch),
    forecast: {
      groups,
      buckets: hours * 4,
      bucketFrom: 0,
      bucketsPerHour: 4,
      segmentOf: Int32Array.from({ length: groups * hours * 4 }, (_, cell) => Math.floor(cell / (hours * 4))),
      supply: Float64Array.from(
        { length: groups * hours * 4 },
        (_, cell) => sketch.supply[Math.floor(cell / (hours * 4))]! / (hours * 4),
      ),
      supplyPerCampaign: null,
      factor: new Float64Array(groups).fill(1),
    },
    campaigns: {
      goal: Float64Array.from(sketch.demand),
      remaining: Float64Array.from(sketch.demand),
      price: Float64Array.from(sketch.price),
      seenEligible: new Float64Array(sketch.campaigns),
    },
  };
}

describe('the delivery plan', () => {
  test('has targets within supply and demand, plus the allowed excess, hour by hour, also of a large network', () => {
    fc.assert(
      fc.property(problems, fc.constantFrom({}, { arcsMax: 0 }), (sketch, size) => {
        const plan = planDelivery({ ...inputOf(sketch), ...size });
        const campaigns = sketch.campaigns;
        const hourly = sketch.supply.reduce((sum, impressions) => sum + impressions, 0) / 6;
        for (let hour = 0; hour < HOURS_PLANNED; hour++) {
          const row = plan.target.subarray(hour * campaigns, (hour + 1) * campaigns);
          expect(row.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(TARGET_TIMES.atRisk * hourly * (1 + 1e-6));
        }
        plan.attainable.forEach((share, campaign) => {
          const planned = plan.target[campaign]! + plan.target[campaigns + campaign]!;
          expect(planned).toBeLessThanOrEqual(TARGET_TIMES.atRisk * (sketch.demand[campaign]! * (1 + 1e-3) + 1));
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        });
      }),
      { numRuns: 60 },
    );
  });

  test('is the same for the same input', () => {
    fc.assert(
      fc.property(problems, sketch => {
        for (const size of [{}, { arcsMax: 0 }])
          expect(planDelivery({ ...inputOf(sketch), ...size })).toEqual(planDelivery({ ...inputOf(sketch), ...size }));
      }),
      { numRuns: 30 },
    );
  });

  test('follows the clock of eligible supply: half an hour of six is a twelfth of the goal', () => {
    const plan = planDelivery(inputOf({ campaigns: 1, rows: [[0]], supply: [6_000], demand: [600], price: [1] }));
    expect(plan.target[0]! / TARGET_TIMES.calm).toBeCloseTo(100, 3);
    expect(plan.attainable[0]).toBe(1);
    expect(plan.fits).toBe(true);
    expect(plan.lead[0]).toBe(LEAD_CALM);
  });

  test('reserves for later the share of a flight beyond the horizon', () => {
    const input = inputOf({ campaigns: 1, rows: [[0]], supply: [6_000], demand: [600], price: [1] });
    const plan = planDelivery({ ...input, campaigns: { ...input.campaigns, laterEligible: Float64Array.of(6_000) } });
    expect(plan.target[0]! / TARGET_TIMES.calm).toBeCloseTo(50, 3);
    expect(plan.attainable[0]).toBe(1);
  });

  test('gives all the floor of the policy and the most expensive the rest if demand does not fit', () => {
    const input = inputOf({ campaigns: 2, rows: [[0, 1]], supply: [1_000], demand: [1_000, 1_000], price: [1, 9] });
    const plan = planDelivery({ ...input, overload: { floor: 0.2, leastFloor: 0.2 } });
    expect(plan.fits).toBe(false);
    expect(plan.attainable[0]).toBeCloseTo(0.2, 6);
    expect(plan.attainable[1]).toBeCloseTo(0.8, 6);
  });

  test('counts earlier delivery, and not the order, if demand does not fit at equal prices', () => {
    const input = inputOf({ campaigns: 2, rows: [[0, 1]], supply: [1_000], demand: [1_000, 1_000], price: [1, 1] });
    input.campaigns.remaining[0] = 800;
    for (const floor of [0, 0.8, 1])
      expect([...planDelivery({ ...input, overload: { floor, leastFloor: floor } }).attainable]).toEqual([
        expect.closeTo(0.6, 1),
        expect.closeTo(0.6, 1),
      ]);
  });

  test('of a large network spreads a campaign evenly, and leaves crowded segments to those without another', () => {
    // The second campaign has one segment alone, and asks for all of it.
    const input = inputOf({ campaigns: 2, rows: [[0, 1], [0]], supply: [600, 600], demand: [300, 600], price: [1, 1] });
    const { target, fits } = planDelivery({ ...input, arcsMax: 0 });
    expect(fits).toBe(true);
    expect([...target]).toEqual([50, 100, 50, 100].map(each => expect.closeTo(each, 3)));
  });

  test('of a large network lets a campaign run far ahead only without another segment with room, and further for a longer flight', () => {
    const input = inputOf({
      campaigns: 4,
      rows: [
        [0, 1, 2],
        [2, 3],
      ],
      supply: [1_000, 1_000],
      demand: [450, 450, 50, 50],
      price: [1, 1, 1, 1],
    });
    const plan = planDelivery({
      ...input,
      arcsMax: 0,
      campaigns: { ...input.campaigns, days: Float64Array.of(20, 10, 10, 10) },
    });
    const [long, short, wide, elsewhere] = plan.lead;
    expect(plan.fits).toBe(true);
    expect(short).toBeGreaterThan(LEAD_CALM);
    expect(long).toBeGreaterThan(1.5 * short!);
    expect([wide, elsewhere]).toEqual([LEAD_CALM, LEAD_CALM]);
  });

  test('of a large network lets campaigns run ahead where usually more is sold than is booked', () => {
    const input = inputOf({ campaigns: 1, rows: [[0]], supply: [1_000], demand: [800], price: [1] });
    const leadAt = (usualShare: number) => planDelivery({ ...input, arcsMax: 0, usualShare }).lead[0];
    expect(leadAt(0.5)).toBe(LEAD_CALM);
    expect(leadAt(1)).toBeGreaterThan(10 * LEAD_CALM);
  });

  test('lets campaigns run further ahead with less spare supply, steadily, and furthest at the lowest cost of a lead', () => {
    const cost = Float64Array.of(0.5, 1, 2);
    const leadsAt = (spare: number) => leadsOf({ worth: new Float64Array(3), cost, spare });
    expect([...leadsAt(0.2)]).toEqual([LEAD_CALM, LEAD_CALM, LEAD_CALM]);
    const spares = Array.from({ length: 21 }, (_, step) => 0.2 - step / 100);
    spares.slice(1).forEach((spare, step) => {
      const [before, after] = [leadsAt(spares[step]!), leadsAt(spare)];
      after.forEach((lead, campaign) => {
        const more = lead - before[campaign]!;
        expect(more).toBeGreaterThanOrEqual(0);
        expect(more).toBeLessThan(0.06 / cost[campaign]!);
      });
      expect([...after].toSorted((one, other) => other - one)).toEqual([...after]);
    });
    expect(leadsAt(0)[1]).toBeCloseTo(2 * leadsAt(0)[2]!, 9);
    expect(leadsAt(0)[2]).toBeGreaterThan(10 * LEAD_CALM);
  });

  test('lets any campaign use an idle slot if more is usually sold than available, whatever its lead costs', () => {
    const leadAt = (spare: number, worth = 0) =>
      leadsOf({ worth: Float64Array.of(worth), cost: Float64Array.of(COST_MAX), spare })[0]!;
    expect(leadAt(0, 1)).toBeLessThan(0.2);
    expect(leadAt(-0.1)).toBeGreaterThan(1);
    expect(leadAt(-1)).toBe(AHEAD_MAX);
  });

  test('of a large network first returns the campaign to its curve whose hour behind costs most', () => {
    const input = inputOf({
      campaigns: 3,
      rows: [[0, 1, 2]],
      supply: [3_000],
      demand: [250, 250, 250],
      price: [4, 2, 3],
    });
    // Half of all supply is past, and each has 50 less than half of its goal.
    input.campaigns.goal.fill(400);
    input.campaigns.seenEligible.fill(3_000);
    const [dear, cheap, mean] = planDelivery({ ...input, arcsMax: 0 }).target;
    expect([dear! - 250 / 6, cheap! - 250 / 6, mean! - 250 / 6]).toEqual([
      expect.closeTo((50 * 16) / 9 / 2, 1),
      expect.closeTo((50 * 4) / 9 / 2, 1),
      expect.closeTo(50 / 2, 1),
    ]);
  });

  test('leaves out a campaign without a rest, and counts delivered plays towards its goal', () => {
    const input = inputOf({ campaigns: 2, rows: [[0, 1]], supply: [1_000], demand: [500, 500], price: [1, 1] });
    input.campaigns.remaining[0] = 0;
    const plan = planDelivery(input);
    expect(plan.target[0]).toBe(0);
    expect(plan.attainable[0]).toBe(1);
    expect(plan.shortlists.campaign).not.toContain(0);
  });

  test('plans nothing for a segment without supply and for a campaign without segments', () => {
    const plan = planDelivery(
      inputOf({ campaigns: 2, rows: [[0], []], supply: [0, 50], demand: [100, 100], price: [1, 1] }),
    );
    expect([...plan.target]).toEqual([0, 0, 0, 0]);
    expect([...plan.attainable]).toEqual([0, 0]);
  });

  test('lists the candidates with the largest shares of a segment with hundreds', () => {
    const campaigns = 300;
    const plan = planDelivery(
      inputOf({
        campaigns,
        rows: [Array.from({ length: campaigns }, (_, campaign) => campaign)],
        supply: [1_000_000],
        demand: Array.from({ length: campaigns }, (_, campaign) => 1_000 + 10 * campaign),
        price: Array.from({ length: campaigns }, () => 1),
      }),
    );
    const listed = [...plan.shortlists.campaign];
    expect(listed).toHaveLength(SHORTLIST_MAX);
    expect(Math.min(...listed)).toBe(campaigns - SHORTLIST_MAX);
  });
});

describe('the key of a set of campaigns', () => {
  const keyOf = (handles: readonly number[]) => {
    const key = emptyKey();
    for (const one of handles) toggleHandle(key, handle('campaign', one));
    return keyNumber(key);
  };

  test('does not depend on the order, and removing a campaign leaves the key of the rest', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.maxSafeNat(), { minLength: 1 }), handles => {
        const key = keyOf(handles);
        expect(keyOf(handles.toReversed())).toBe(key);
        expect(keyOf([...handles, handles[0]!])).toBe(keyOf(handles.slice(1)));
        expect(Number.isSafeInteger(key)).toBe(true);
      }),
    );
  });

  test('distinguishes a hundred thousand sets of neighbors', () => {
    const keys = new Set<number>();
    for (let first = 1; first <= 400; first++)
      for (let other = first + 1; other <= first + 250; other++) keys.add(keyOf([first, other]));
    expect(keys.size).toBe(100_000);
  });
});
