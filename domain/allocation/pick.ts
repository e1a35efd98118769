/**
 * Which campaign gets a slot: the one that is furthest behind its target of this hour, as a share of what was left of
 * its goal, so that large and small campaigns compare and one at its end goes before one that has time. Candidates that
 * the plan gives part of the segment come first, then all others. When nobody is behind, the slot goes to whoever is
 * least ahead: in a scarce segment up to `AHEAD_MAX`, elsewhere up to `LEAD_CALM`. So nothing is given away early where
 * there is enough, and nothing is lost where there is not. (In the worlds of the benchmark this delivers as much as a
 * second curve over the whole flight did and keeps closer to it: the plan draws the targets to that curve already.)
 */
import { HOURS_PLANNED } from './plan.ts';

export type Pacer = {
  readonly campaigns: number;
  /** 1 / goal in impressions; 0 leaves a campaign out. */
  readonly goalInverse: Float64Array;
  /** Impressions delivered or under way. The caller adds each slot that it fills. */
  readonly done: Float64Array;
  /** `done` when the plan was made, and the plan's targets (see `DeliveryPlan`). */
  readonly base: Float64Array;
  readonly target: Float64Array;
  /** By how much the campaign was ahead of its long curve then. */
  readonly ahead: Float64Array;
  /** 1 / what was left of the goal when the plan was made: an impression behind weighs more, the less is left. */
  readonly urgency: Float64Array;
  /** At the moment of the last `advancePacer`: impressions that should be done. */
  readonly due: Float64Array;
};

/** A target is read two minutes ahead: a slot is filled before it plays, and whoever is exactly on target may go on. */
export const READ_AHEAD_HOURS = 2 / 60;
/** How far ahead a campaign may run in a scarce segment (of its target, with the lead that it had at the plan), as a share of what was left of its goal. */
export const AHEAD_MAX = 0.15;
/** The same elsewhere: a new campaign shows at once and a slot is rarely refused, and a curve moves by a hundredth at most. */
export const LEAD_CALM = 0.01;
/** Below this share of the goal left, urgency grows no more. */
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
    urgency: numbers(),
    due: numbers(),
  };
}

/** Swaps in the targets of a new plan, made for what is done now. Goals are set before, `advancePacer` follows. */
export function followPlan(pacer: Pacer, plan: { target: Float64Array; ahead: Float64Array }): void {
  pacer.base.set(pacer.done);
  pacer.target.set(plan.target);
  pacer.ahead.set(plan.ahead);
  for (let campaign = 0; campaign < pacer.campaigns; campaign++) {
    const inverse = pacer.goalInverse[campaign]!;
    const left = 1 - pacer.done[campaign]! * inverse;
    pacer.urgency[campaign] = inverse / Math.max(URGENCY_LEFT_MIN, left);
  }
}

/** Moves all campaigns' dues on to a time after the plan (hours, 0 or more); call it every minute. Linear in campaigns. */
export function advancePacer({ campaigns, base, target, due }: Pacer, hoursSincePlan: number): void {
  for (let campaign = 0; campaign < campaigns; campaign++) {
    due[campaign] =
      base[campaign]! + plannedBy(target[campaign]!, target[campaigns + campaign]!, hoursSincePlan + READ_AHEAD_HOURS);
  }
}

/**
 * What the targets of two hours come to at a time after the plan, in their unit. Beyond the last planned hour its slope
 * goes on: a late plan is better followed than none.
 */
export function plannedBy(first: number, second: number, hours: number): number {
  return hours <= 1 ? first * hours : first + second * (hours - 1);
}

/**
 * What of a lead counts as done already when a new plan takes over: as much as is read ahead, and no more, since the plan knows
 * of the rest. Else each plan would let everybody run ahead once more, and plans come every minute.
 * @param lead micro-units done beyond what the last plan had due, or less than 0
 * @param firstHour what the new plan gives in its first hour, micro-units
 */
export function carriedMicros(lead: number, firstHour: number): number {
  return Math.max(0, Math.min(lead, firstHour * READ_AHEAD_HOURS));
}

/** Candidates of one segment: numbers of campaigns in `list` from `start` up to `end`. */
export type Candidates = { list: Int32Array; start: number; end: number };

/** What the plan says of the segment of a slot. One object may be filled anew for each slot. */
export type SegmentView = {
  /** Candidates that the plan gives part of it; may be empty. */
  shortlist: Candidates;
  /** All that are eligible. */
  candidates: Candidates;
  scarce: boolean;
};

/**
 * The campaign for a slot, or -1 where the slot is better left to house content. Allocates nothing.
 * @param mayPlay what the plan does not know: money, frequency, separation, creatives. Asked only of a candidate that would win so far
 */
export function pickCampaign(pacer: Pacer, segment: SegmentView, mayPlay: (campaign: number) => boolean): number {
  const planned = furthestBehind(pacer, segment.shortlist, mayPlay);
  if (planned >= 0) return planned;
  const behind = furthestBehind(pacer, segment.candidates, mayPlay);
  return behind >= 0 ? behind : leastAhead(pacer, segment.candidates, segment.scarce ? AHEAD_MAX : LEAD_CALM, mayPlay);
}

/** The candidate whose due exceeds what is done by most times its weight; -1 if none. Of equals, the first. */
function furthestBehind(
  { done, due, urgency }: Pacer,
  { list, start, end }: Candidates,
  mayPlay: (campaign: number) => boolean,
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

/** The candidate that is least ahead, by less than `leadMax`; -1 if none. Nobody is behind. */
function leastAhead(
  { done, due, ahead, urgency }: Pacer,
  { list, start, end }: Candidates,
  leadMax: number,
  mayPlay: (campaign: number) => boolean,
): number {
  let best = -1;
  let least = leadMax;
  for (let place = start; place < end; place++) {
    const campaign = list[place]!;
    const weighs = urgency[campaign]!;
    const lead = (done[campaign]! - due[campaign]! + ahead[campaign]!) * weighs;
    if (lead < least && weighs > 0 && mayPlay(campaign)) {
      best = campaign;
      least = lead;
    }
  }
  return best;
}
