/** Who is early, and when: plans of two days and two campaigns, of which one cannot wait and the other can. */
import { describe, expect, test } from 'vitest';
import { TARGET_TIMES } from '../../../../domain/allocation/horizon/horizon-plan.ts';
import { LEAD_CALM } from '../../../../domain/allocation/lead.ts';
import { type PlanInput, planDelivery } from '../../../../domain/allocation/plan.ts';
import { graphOf } from '../graphs.ts';

describe('who plays when', () => {
  /**
   * Two days of 24 hours. A dear campaign may play on the second day alone, a cheap one on both; they ask for shares of
   * a day's supply of 1,000.
   */
  const twoDays = ({ dear, cheap, atHour = 0 }: { dear: number; cheap: number; atHour?: number }): PlanInput => ({
    graph: graphOf({ campaigns: 2, rows: [[1], [0, 1]] }),
    forecast: {
      groups: 1,
      buckets: 48,
      bucketFrom: atHour,
      bucketsPerHour: 1,
      segmentOf: Int32Array.from({ length: 48 }, (_, hour) => Math.floor(hour / 24)),
      supply: new Float64Array(48).fill(1_000 / 24),
      supplyPerCampaign: null,
      factor: Float64Array.of(1),
    },
    campaigns: {
      goal: Float64Array.of(1_000 * dear, 1_000 * cheap),
      remaining: Float64Array.of(1_000 * dear, 1_000 * cheap * (1 - atHour / 48)),
      price: Float64Array.of(2, 1),
      days: Float64Array.of(1, 2),
      seenEligible: Float64Array.of(0, (1_000 * atHour) / 24),
    },
    usualShare: 0.5,
  });

  test('on its curve if there is room for all', () => {
    const { target, lead } = planDelivery(twoDays({ dear: 0.3, cheap: 0.8 }));
    expect([target[0], target[1]! / 800]).toEqual([0, expect.closeTo(TARGET_TIMES.calm / 48, 4)]);
    expect(lead[1]).toBe(LEAD_CALM);
  });

  test('on its curve, beside a campaign that has more than is due by the end of the forecast', () => {
    const input = twoDays({ dear: 2, cheap: 0.8 });
    // A quarter of the dear campaign's slots has passed, and half of them come later: 1,000 are due, and it has 1,900.
    const campaigns = {
      ...input.campaigns,
      remaining: Float64Array.of(100, 800),
      seenEligible: Float64Array.of(1_000, 0),
      laterEligible: Float64Array.of(2_000, 0),
    };
    const { target } = planDelivery({ ...input, campaigns });
    expect([target[0], target[1]! / 800]).toEqual([0, expect.closeTo(TARGET_TIMES.calm / 48, 4)]);
  });

  test('early, but as late as possible, if a more expensive campaign wants the slots of a later day', () => {
    const [before, then] = [0, 20].map(atHour => planDelivery(twoDays({ dear: 0.8, cheap: 0.8, atHour })).target[1]!);
    expect(before! / 800).toBeCloseTo(TARGET_TIMES.calm / 48, 4);
    expect(then).toBeCloseTo((TARGET_TIMES.atRisk * 1_000) / 24, 1);
  });

  test('with slots beyond its target if waiting could cost it some', () => {
    const { target, lead } = planDelivery(twoDays({ dear: 0.9, cheap: 1 }));
    expect(target[1]).toBeCloseTo((TARGET_TIMES.atRisk * 1_000) / 24, 1);
    expect(lead[1]).toBeGreaterThan(LEAD_CALM);
  });

  test('in every slot, also if campaigns ask for three times the supply', () => {
    const { target } = planDelivery(twoDays({ dear: 3, cheap: 3 }));
    expect([target[0], target[1]]).toEqual([0, expect.closeTo((TARGET_TIMES.atRisk * 1_000) / 24, 1)]);
  });

  test('is not computed for a network with too many arcs, which is spread evenly', () => {
    const input = twoDays({ dear: 0.9, cheap: 1 });
    const evenly = planDelivery({ ...input, arcsMax: 3 }).target[1]!;
    expect(evenly).toBeGreaterThan(0);
    expect(evenly).toBeLessThan(0.9 * planDelivery(input).target[1]!);
  });
});
