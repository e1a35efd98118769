/**
 * Who gets a slot under a plan: the campaign that is furthest behind its target. Pure rules, by examples and random
 * slots.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advancePacer,
  createPacer,
  followPlan,
  pickCampaign,
  type SegmentView,
} from '../../../domain/allocation/pick.ts';
import { AHEAD_MAX, LEAD_CALM } from '../../../domain/allocation/lead.ts';

const everybody = () => true;

/** Campaigns with goals of 1,000 each, none done; targets by hour. No one may run far ahead unless `lead` says so. */
function pacerOf({ target, done, lead }: { target: number[][]; done?: number[]; lead?: number[] }) {
  const campaigns = target[0]!.length;
  const pacer = createPacer(campaigns);
  pacer.goalInverse.fill(1 / 1_000);
  followPlan(pacer, {
    target: Float64Array.from(target.flat()),
    ahead: new Float64Array(campaigns),
    lead: lead === undefined ? calm(campaigns) : Float64Array.from(lead),
  });
  if (done) pacer.done.set(done);
  advancePacer(pacer, 0.5);
  return pacer;
}

const calm = (campaigns: number) => new Float64Array(campaigns).fill(LEAD_CALM);

function view(candidates: number[], { shortlist = [] }: { shortlist?: number[] } = {}): SegmentView {
  return {
    shortlist: { list: Int32Array.from(shortlist), start: 0, end: shortlist.length },
    candidates: { list: Int32Array.from(candidates), start: 0, end: candidates.length },
  };
}

describe('a slot', () => {
  test('goes to the campaign furthest behind its target', () => {
    const pacer = pacerOf({
      target: [
        [100, 100, 100],
        [100, 100, 100],
      ],
      done: [50, 20, 40],
    });
    expect(pickCampaign(pacer, view([0, 1, 2]), everybody)).toBe(1);
    expect(pickCampaign(pacer, view([0, 1, 2]), campaign => campaign !== 1)).toBe(2);
  });

  test('goes first to a campaign with a share of the segment in the plan', () => {
    const pacer = pacerOf({
      target: [
        [100, 100],
        [100, 100],
      ],
      done: [0, 40],
    });
    expect(pickCampaign(pacer, view([0, 1], { shortlist: [1] }), everybody)).toBe(1);
    expect(pickCampaign(pacer, view([0, 1], { shortlist: [1] }), campaign => campaign === 0)).toBe(0);
  });

  test('is left to house content if no campaign is behind, supply suffices and the small lead is used up', () => {
    const pacer = pacerOf({ target: [[100], [100]] });
    pacer.done[0] = pacer.due[0]! + LEAD_CALM * 1_000 - 1;
    expect(pickCampaign(pacer, view([0]), everybody)).toBe(0);
    pacer.done[0] += 2;
    expect(pickCampaign(pacer, view([0]), everybody)).toBe(-1);
  });

  test('goes to the campaign furthest below its allowed lead if none is behind, and to none beyond all leads', () => {
    const target = [
      [100, 100],
      [100, 100],
    ];
    const pacer = pacerOf({ target, done: [110, 130], lead: [0.02, AHEAD_MAX] });
    expect(pickCampaign(pacer, view([0, 1]), everybody)).toBe(1);
    expect(pickCampaign(pacer, view([0]), everybody)).toBe(-1);
    pacer.done.fill(pacer.due[0]! + AHEAD_MAX * 1_000 + 1);
    expect(pickCampaign(pacer, view([0, 1]), everybody)).toBe(-1);
  });

  test('is not given to a campaign with a lead from before the plan while another has none', () => {
    const pacer = createPacer(2);
    pacer.goalInverse.fill(1 / 1_000);
    followPlan(pacer, { target: new Float64Array(4), ahead: Float64Array.of(9, 0), lead: calm(2) });
    advancePacer(pacer, 0);
    expect(pickCampaign(pacer, view([0, 1]), everybody)).toBe(1);
    expect(pickCampaign(pacer, view([0]), everybody)).toBe(0);
    pacer.ahead[0] = LEAD_CALM * 1_000;
    expect(pickCampaign(pacer, view([0]), everybody)).toBe(-1);
  });

  test('weighs an impression behind more, the less is left of the goal', () => {
    const pacer = createPacer(2);
    pacer.goalInverse.fill(1 / 1_000);
    pacer.done.set([0, 900]);
    followPlan(pacer, { target: Float64Array.of(40, 20, 40, 20), ahead: new Float64Array(2), lead: calm(2) });
    advancePacer(pacer, 1);
    expect(pickCampaign(pacer, view([0, 1]), everybody)).toBe(1);
  });

  test('is never given to a campaign that may not play, has no goal or is not a candidate', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(
        amounts,
        amounts,
        fc.subarray([0, 1, 2, 3, 4, 5]),
        fc.subarray([0, 1, 2, 3, 4, 5]),
        (target, done, eligible, allowed) => {
          const pacer = pacerOf({ target: [target, target], done });
          pacer.goalInverse[5] = 0;
          followPlan(pacer, pacer);
          advancePacer(pacer, 0.5);
          const picked = pickCampaign(pacer, view(eligible, { shortlist: eligible.slice(0, 2) }), campaign =>
            allowed.includes(campaign),
          );
          const mayBePicked = [-1, ...eligible.filter(campaign => allowed.includes(campaign) && campaign !== 5)];
          expect(mayBePicked).toContain(picked);
        },
      ),
    );
  });
});

test("dues never fall over time, and continue at the last hour's pace if the next plan is late", () => {
  const pacer = pacerOf({ target: [[60], [120]] });
  let last = -1;
  for (let minute = 0; minute <= 240; minute += 5) {
    advancePacer(pacer, minute / 60);
    expect(pacer.due[0]).toBeGreaterThanOrEqual(last);
    last = pacer.due[0]!;
  }
  // Four hours and two minutes: 60 in the first and 120 in each one after.
  expect(last).toBeCloseTo(60 + 120 * (3 + 2 / 60), 9);
});
