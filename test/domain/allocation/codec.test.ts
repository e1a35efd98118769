/**
 * The bytes of a published plan: read back they are the plan that was written, and anything cut, changed or wrong is
 * refused. Pure rules, driven by random plans.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePlan, encodePlan, publishPlan, type PublishedPlan } from '../../../domain/allocation/plan-codec.ts';
import { planDelivery } from '../../../domain/allocation/plan.ts';
import { graphOf } from './graphs.ts';

const share = fc.float({ min: 0, max: 1, noNaN: true }).map(number => Math.abs(number));
const amount = fc.float({ min: 0, max: 1e6, noNaN: true }).map(number => Math.abs(number));
const numbers = (of: fc.Arbitrary<number>, count: number) =>
  fc.array(of, { minLength: count, maxLength: count }).map(list => Float64Array.from(list));

const plans: fc.Arbitrary<PublishedPlan> = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 40 }))
  .chain(([campaigns, segments]) =>
    fc
      .tuple(
        numbers(fc.maxSafeNat(), campaigns),
        numbers(amount, 2 * campaigns),
        numbers(amount, campaigns),
        numbers(share, campaigns),
        numbers(amount, campaigns),
        numbers(share, campaigns),
        numbers(fc.integer({ min: 0, max: 2 ** 52 - 1 }), segments),
        fc.array(fc.array(fc.integer({ min: 0, max: campaigns - 1 }), { maxLength: 5 }), {
          minLength: segments,
          maxLength: segments,
        }),
        fc.integer({ min: 0, max: 4e12 }),
      )
      .map(([handles, target, ahead, lead, left, attainable, segmentKeys, lists, plannedAtMs]) => {
        const shortlistStart = new Int32Array(segments + 1);
        lists.forEach((list, segment) => (shortlistStart[segment + 1] = shortlistStart[segment]! + list.length));
        return {
          plannedAtMs,
          handles,
          target,
          ahead,
          lead,
          left,
          attainable,
          segmentKeys,
          shortlistStart,
          shortlistCampaign: Int32Array.from(lists.flat()),
        };
      }),
  );

describe('a published plan', () => {
  test('survives a round trip through bytes', () => {
    fc.assert(
      fc.property(plans, plan => {
        expect(decodePlan(encodePlan(plan))).toEqual(plan);
      }),
    );
  });

  test('is read from the middle of a larger buffer', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 0, max: 9 }), (plan, offset) => {
        const bytes = encodePlan(plan);
        const larger = new Uint8Array(bytes.length + offset);
        larger.set(bytes, offset);
        expect(decodePlan(larger.subarray(offset))).toEqual(plan);
        // A Buffer from a connection lies in the pool of all buffers.
        expect(decodePlan(Buffer.from(bytes))).toEqual(plan);
      }),
      { numRuns: 30 },
    );
  });

  test('is refused when cut anywhere or lengthened', () => {
    fc.assert(
      fc.property(plans, fc.nat(), (plan, at) => {
        const bytes = encodePlan(plan);
        expect(['not_a_plan', 'wrong_length']).toContain(decodePlan(bytes.subarray(0, at % bytes.length)));
        expect(decodePlan(Uint8Array.from([...bytes, 0, 0, 0, 0]))).toBe('wrong_length');
      }),
    );
  });

  test('is refused with any byte changed', () => {
    fc.assert(
      fc.property(plans, fc.nat(), fc.integer({ min: 1, max: 255 }), (plan, at, change) => {
        const bytes = encodePlan(plan);
        bytes[at % bytes.length]! ^= change;
        expect(typeof decodePlan(bytes)).toBe('string');
      }),
      { numRuns: 500 },
    );
  });

  test('is refused with wrong content and a right checksum', () => {
    fc.assert(
      fc.property(
        plans.filter(plan => plan.segmentKeys.length > 0),
        plan => {
          const poisoned = { ...plan, target: plan.target.map((number, index) => (index === 0 ? NaN : number)) };
          expect(decodePlan(encodePlan(poisoned))).toBe('corrupt');
          const strayed = {
            ...plan,
            shortlistStart: Int32Array.of(...plan.shortlistStart.subarray(0, -1), plan.shortlistCampaign.length + 1),
            shortlistCampaign: Int32Array.of(...plan.shortlistCampaign, plan.handles.length),
          };
          expect(decodePlan(encodePlan(strayed))).toBe('corrupt');
        },
      ),
    );
  });

  test('contains only segments with a shortlist, with their lists from the plan', () => {
    const graph = graphOf({ campaigns: 2, rows: [[], [0], [0, 1]] });
    const plan = planDelivery({
      graph,
      forecast: {
        groups: 3,
        buckets: 4,
        bucketFrom: 0,
        bucketsPerHour: 1,
        segmentOf: Int32Array.from({ length: 12 }, (_, cell) => Math.floor(cell / 4)),
        supply: new Float64Array(12).fill(100),
        supplyPerCampaign: null,
        factor: new Float64Array(3).fill(1),
      },
      campaigns: {
        goal: Float64Array.of(300, 300),
        remaining: Float64Array.of(300, 300),
        price: Float64Array.of(1, 2),
        seenEligible: new Float64Array(2),
      },
    });
    const published = publishPlan(plan, {
      handles: Float64Array.of(71, 72),
      left: Float64Array.of(5, 6),
      segmentKeys: Float64Array.of(900, 901, 902),
      plannedAtMs: 5,
    });
    expect([...published.segmentKeys]).toEqual([901, 902]);
    const listOf = (place: number) => [
      ...published.shortlistCampaign.subarray(published.shortlistStart[place], published.shortlistStart[place + 1]),
    ];
    expect(listOf(0)).toEqual([0]);
    expect(listOf(1)).toContain(1);
    expect(decodePlan(encodePlan(published))).toMatchObject({ plannedAtMs: 5 });
  });
});
