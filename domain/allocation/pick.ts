import { HOURS_PLANNED } from './plan.ts';

/**
 * Which campaign gets a slot: the one that is furthest behind its target of this hour, as a share of what was left of
 * its goal, so that large and small campaigns compare and one at its end goes before one that has time. Candidates that the plan gives part of the segment come first, then all others.
 * When nobody is behind, the long curve decides: in a scarce segment the slot goes to whoever is least ahead of it, up
 * to `AHEAD_MAX`; elsewhere only to one that is behind it. So re-planning cannot drift away from the even curve, and
 * nothing is given away early where there is enough.
 */
export type Pacer = {
  readonly campaigns: number;
  /** 1 / goal in impressions; 0 leaves a campaign out. */
  readonly goalInverse: Float64Array;
  /** Impressions delivered or under way. The caller adds each slot that it fills. */
  readonly done: Float64Array;
  /** `done` when the plan was made, and the plan's targets and curve (see `DeliveryPlan`). */
  readonly base: Float64Array;
  readonly target: Float64Array;
  readonly curve: Float64Array;
  /** 1 / what was left of the goal when the plan was made: an impression behind weighs more, the less is left. */
  readonly urgency: Float64Array;
  /** At the moment of the last `advancePacer`: impressions that should be done by target and by curve. */
  readonly dueByTarget: Float64Array;
  readonly dueByCurve: Float64Array;
};

/** A target is read two minutes ahead: a slot is filled before it plays, and whoever is exactly on target may go on. */
const READ_AHEAD_HOURS = 2 / 60;
/** The curve is read ahead, by half an hour at the end of a flight: what an outage takes from the last hours cannot be made good. */
const CURVE_AHEAD_HOURS = { start: 0, end: 0.5 };
/** How far ahead of the long curve a campaign may run in a scarce segment, as a share of its goal. */
export const AHEAD_MAX = 0.15;
/** Below this share of the goal left, urgency grows no more. */
const URGENCY_LEFT_MIN = 0.02;

/** A pacer in which no campaign has a goal yet. */
export function createPacer(campaigns: number): Pacer {
  const numbers = (rows = 1) => new Float64Array(campaigns * rows);
  return {
    campaigns, goalInverse: numbers(), done: numbers(), base: numbers(), target: numbers(HOURS_PLANNED), curve: numbers(HOURS_PLANNED + 1),
    urgency: numbers(), dueByTarget: numbers(), dueByCurve: numbers(),
  };
}

/** Swaps in the targets of a new plan, made for what is done now. Goals are set before, `advancePacer` follows. */
export function followPlan(pacer: Pacer, plan: { target: Float64Array; curve: Float64Array }): void {
  pacer.base.set(pacer.done);
  pacer.target.set(plan.target);
  pacer.curve.set(plan.curve);
  for (let campaign = 0; campaign < pacer.campaigns; campaign++) {
    const inverse = pacer.goalInverse[campaign]!;
    const left = 1 - pacer.done[campaign]! * inverse;
    pacer.urgency[campaign] = inverse / Math.max(URGENCY_LEFT_MIN, left);
  }
}

/** Moves all campaigns' dues on to a time after the plan (hours, 0 or more); call it every minute. Linear in campaigns. */
export function advancePacer(pacer: Pacer, hoursSincePlan: number): void {
  const { campaigns, goalInverse, base, target, dueByTarget, dueByCurve } = pacer;
  const read = hoursSincePlan + READ_AHEAD_HOURS;
  for (let campaign = 0; campaign < campaigns; campaign++) {
    const inverse = goalInverse[campaign]!;
    let planned = 0;
    for (let hour = 0; hour < HOURS_PLANNED; hour++) {
      // Beyond the last planned hour its slope goes on: a late plan is better followed than none.
      const part = hour < HOURS_PLANNED - 1 ? Math.min(1, read - hour) : read - hour;
      if (part > 0) planned += target[hour * campaigns + campaign]! * part;
    }
    dueByTarget[campaign] = base[campaign]! + planned;
    const { start, end } = CURVE_AHEAD_HOURS;
    const ahead = start + (end - start) * curveAt(pacer, campaign, hoursSincePlan);
    dueByCurve[campaign] = inverse > 0 ? curveAt(pacer, campaign, hoursSincePlan + ahead) / inverse : 0;
  }
}

function curveAt({ campaigns, curve }: Pacer, campaign: number, hours: number): number {
  const hour = Math.min(HOURS_PLANNED - 1, Math.floor(hours));
  const from = curve[hour * campaigns + campaign]!;
  const to = curve[(hour + 1) * campaigns + campaign]!;
  return Math.min(1, from + (to - from) * (hours - hour));
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
  const { done, dueByTarget, dueByCurve, urgency, goalInverse } = pacer;
  const planned = furthestBehind(done, dueByTarget, urgency, segment.shortlist, 0, mayPlay);
  if (planned >= 0) return planned;
  const behind = furthestBehind(done, dueByTarget, urgency, segment.candidates, 0, mayPlay);
  if (behind >= 0) return behind;
  return furthestBehind(done, dueByCurve, goalInverse, segment.candidates, segment.scarce ? -AHEAD_MAX : 0, mayPlay);
}

/** The candidate whose due exceeds what is done by most times its weight, if by more than `least`; -1 if none. Of equals, the first. */
// Positional, not an options object: this runs up to three times for every slot.
function furthestBehind(done: Float64Array, due: Float64Array, weight: Float64Array, { list, start, end }: Candidates, least: number, mayPlay: (campaign: number) => boolean): number {
  let best = -1;
  let most = least;
  for (let place = start; place < end; place++) {
    const campaign = list[place]!;
    const weighs = weight[campaign]!;
    const behind = (due[campaign]! - done[campaign]!) * weighs;
    if (behind > most && weighs > 0 && mayPlay(campaign)) {
      best = campaign;
      most = behind;
    }
  }
  return best;
}
