/**
 * Which campaign gets a slot: the one furthest behind its target of this hour. The distance is a share of the rest of
 * its goal, so that large and small campaigns are comparable and a nearly finished one goes first. Candidates with a
 * share of the segment in the plan come before all others. If no campaign is behind, the slot goes to the one furthest
 * below its allowed lead. So budgets are not spent early if supply is plentiful, and no slot is lost if that may cost
 * impressions later (`lead.ts`). (In the simulations of the benchmark a second curve over the whole flight delivered no
 * more: the plan already draws the targets to that curve.)
 */
import type { Index } from '../id.ts';
import { HOURS_PLANNED } from './horizon/periods.ts';
import type { Micros } from '../unit.ts';

export type Pacer = {
  readonly campaigns: number;
  /** 1 / goal in impressions; 0 excludes a campaign. */
  readonly goalInverse: Float64Array;
  /** Impressions delivered or in flight. The caller adds each slot that it fills. */
  readonly done: Float64Array;
  /** `done` when the plan was made, and the plan's targets (see `DeliveryPlan`). */
  readonly base: Float64Array;
  readonly target: Float64Array;
  /** By how much the campaign was ahead of its long curve when the plan was made. */
  readonly ahead: Float64Array;
  /** How far ahead it may run, as a share of the rest of its goal when the plan was made. */
  readonly lead: Float64Array;
  /** 1 / the rest of the goal when the plan was made: an impression behind weighs more, the less is left. */
  readonly urgency: Float64Array;
  /** At the last `advancePacer`: impressions due. */
  readonly due: Float64Array;
};

/**
 * A target is read two minutes ahead, because a slot is filled before it plays. So a campaign that is exactly on target
 * still gets slots.
 */
export const READ_AHEAD_HOURS = 2 / 60;
/** Urgency grows as the goal is reached, until only this share is left. */
export const URGENCY_LEFT_MIN = 0.02;

/** A pacer in which no campaign has a goal yet. */
export function createPacer(campaigns: number): Pacer {
  const numbers = (rows = 1) => new Float64Array(campaigns * rows);
  return {
    campaigns,
    goalInverse: numbers(),
    done: numbers(),
    base: numbers(),
    target: numbers(HOURS_PLANNED),
    ahead: numbers(),
    lead: numbers(),
    urgency: numbers(),
    due: numbers(),
  };
}

/**
 * Swaps in the targets of a new plan, based on the current `done`. Set goals first, and call `advancePacer` afterwards.
 */
export function followPlan(pacer: Pacer, plan: Pick<Pacer, 'target' | 'ahead' | 'lead'>): void {
  pacer.base.set(pacer.done);
  pacer.target.set(plan.target);
  pacer.ahead.set(plan.ahead);
  pacer.lead.set(plan.lead);
  for (let campaign = 0; campaign < pacer.campaigns; campaign++) {
    const inverse = pacer.goalInverse[campaign]!;
    const left = 1 - pacer.done[campaign]! * inverse;
    pacer.urgency[campaign] = inverse / Math.max(URGENCY_LEFT_MIN, left);
  }
}

/**
 * Advances all campaigns' dues to a time after the plan (hours, 0 or more); call it every minute. Linear in campaigns.
 */
export function advancePacer({ campaigns, base, target, due }: Pacer, hoursSincePlan: number): void {
  for (let campaign = 0; campaign < campaigns; campaign++) {
    due[campaign] =
      base[campaign]! + plannedBy(target[campaign]!, target[campaigns + campaign]!, hoursSincePlan + READ_AHEAD_HOURS);
  }
}

/**
 * The sum of the targets of two hours at a time after the plan, in their unit. After the last planned hour it keeps
 * growing at the same rate: when the next plan is late, the old one is better than none.
 */
export function plannedBy(first: number, second: number, hours: number): number {
  return hours <= 1 ? first * hours : first + second * (hours - 1);
}

/**
 * How much of a lead counts as done when a new plan takes over: only the part read ahead, because the plan already
 * considers the rest. Without this each plan would let every campaign run ahead again, and plans come every minute.
 * @param lead micro-units done beyond the dues of the last plan; may be negative
 * @param firstHour target of the new plan in its first hour, micro-units
 */
export function carriedMicros(lead: number, firstHour: number): Micros {
  return Math.max(0, Math.min(lead, firstHour * READ_AHEAD_HOURS));
}

/** Candidates of one segment: numbers of campaigns in `list` from `start` up to `end`. */
export type Candidates = { list: Int32Array; start: number; end: number };

/** The plan for the segment of a slot. One object may be reused for each slot. */
export type SegmentView = {
  /** Candidates with a share of it in the plan; may be empty. */
  shortlist: Candidates;
  /** All eligible campaigns. */
  candidates: Candidates;
};

/**
 * The campaign for a slot, or -1 if the slot is better left to house content. Allocates nothing.
 * @param mayPlay checks facts outside the plan: money, frequency, separation, creatives. Called only for a
 *   candidate that would win so far
 */
export function pickCampaign(
  pacer: Pacer,
  segment: SegmentView,
  mayPlay: (campaign: Index<'campaign'>) => boolean,
): number {
  const planned = furthestBehind(pacer, segment.shortlist, mayPlay);
  if (planned >= 0) return planned;
  const behind = furthestBehind(pacer, segment.candidates, mayPlay);
  return behind >= 0 ? behind : leastAhead(pacer, segment.candidates, mayPlay);
}

/** The candidate with the largest (due - done) x urgency above 0; -1 if none. The first of equals. */
function furthestBehind(
  { done, due, urgency }: Pacer,
  { list, start, end }: Candidates,
  mayPlay: (campaign: Index<'campaign'>) => boolean,
): number {
  let best = -1;
  let most = 0;
  for (let place = start; place < end; place++) {
    const campaign = list[place]!;
    const weighs = urgency[campaign]!;
    const behind = (due[campaign]! - done[campaign]!) * weighs;
    if (behind > most && weighs > 0 && mayPlay(campaign)) {
      best = campaign;
      most = behind;
    }
  }
  return best;
}

/** The candidate furthest below its lead; -1 if none. Called if no candidate is behind. */
function leastAhead(
  { done, due, ahead, lead, urgency }: Pacer,
  { list, start, end }: Candidates,
  mayPlay: (campaign: Index<'campaign'>) => boolean,
): number {
  let best = -1;
  let least = 0;
  for (let place = start; place < end; place++) {
    const campaign = list[place]!;
    const weighs = urgency[campaign]!;
    const beyond = (done[campaign]! - due[campaign]! + ahead[campaign]!) * weighs - lead[campaign]!;
    if (beyond < least && weighs > 0 && mayPlay(campaign)) {
      best = campaign;
      least = beyond;
    }
  }
  return best;
}
