/**
 * The rules of eligibility: why a campaign may not have a slot. They are defined here once, in their order of
 * precedence: what concerns the screen, then the place, then the slot, then how far ahead the campaign is. Two callers
 * ask them: the engine of delivery over its columns (`delivery/decision/slot-view.ts`), and the explanation of past
 * decisions over what the journal recorded (`explanation.ts`). The engine knows in advance which campaigns pass the
 * rules of the place, as sets of bits (`delivery/decision/places/place-index.ts`); a test compares those with the
 * rules.
 *
 * Answers are numbers of reasons (`decision.ts`), since the engine compares them for every slot, or `ELIGIBLE`.
 */
import { matchesPlace, type Targets } from '../campaigns/targeting.ts';
import { LEAD_PLAYS, REASON_NUMBER } from './decision.ts';
import type { Milliseconds } from '../unit.ts';

/** It passes every rule; less than the number of any reason. */
export const ELIGIBLE = -1;

/** The properties of a screen's place that campaigns can target or be refused for. */
export type RulePlace = Parameters<typeof matchesPlace>[1] & {
  sandbox: boolean;
  /** Categories that the venue or the screen refuses. */
  blocked: readonly string[];
  /** Categories that a rule of the law forbids there at all hours. */
  restricted: readonly string[];
};

/** The fields of a campaign for the rules of the place. */
export type PlacedCampaign = { sandbox: boolean; category: string; targets: Targets };

/**
 * One slot of one screen, as the rules read it. `Candidate` identifies a campaign for the caller: an integer in the
 * engine, a record in the explanation. Questions are asked in this order, and only if needed.
 */
export type SlotRules<Candidate> = {
  /** The longest ad that fits the slot, and that the screen's share of ads allows within it, in ms. */
  readonly maxDurationMs: Milliseconds;
  readonly limitMs: Milliseconds;
  /** How far ahead of its curve a campaign may be, including its hold-back, as a share of its goal. */
  readonly leadMax: number;
  /** Whether campaigns follow a plan; else each follows its even curve. */
  readonly hasPlan: boolean;
  /** Why the hours of a rule or of the flight exclude the slot's minute, or `ELIGIBLE`. */
  flightReason(candidate: Candidate): number;
  /** Whether it is live with a ready creative. */
  isOffered(candidate: Candidate): boolean;
  isLive(candidate: Candidate): boolean;
  /** The duration of its shortest ready creative of the screen's orientation, in ms; 0: there is none. */
  shortestMs(candidate: Candidate): number;
  /** The reservation of one play of this duration on the screen, in micros. */
  costMicros(durationMs: Milliseconds): number;
  availableMicros(candidate: Candidate): number;
  /** Whether the authority had no money left for it at the last request. */
  isExhausted(candidate: Candidate): boolean;
  /** Whether the screen has shown it as often in this hour as its cap allows. */
  isCapReached(candidate: Candidate): boolean;
  /** Whether it advertises the same category for another owner as the campaign of the previous slot. */
  competesWithLast(candidate: Candidate): boolean;
  /** 1 / the rest of its budget: the share of its goal that one micro is. */
  goalInverse(candidate: Candidate): number;
  /** How much less than `leadMax` it may be ahead, as a share of its goal. */
  heldBack(candidate: Candidate): number;
};

/** Why the screen may show no ad at all. @param allowedMs how long an ad its share of ads allows (`allowedAdMs`) */
export function reasonOfScreen(isOpen: boolean, allowedMs: Milliseconds): number {
  if (!isOpen) return REASON_NUMBER.screen_closed;
  return allowedMs === 0 ? REASON_NUMBER.ad_ratio : ELIGIBLE;
}

/** Why a campaign may never be shown at a place. */
export function reasonOfPlace({ sandbox, category, targets }: PlacedCampaign, place: RulePlace): number {
  if (sandbox !== place.sandbox) return REASON_NUMBER.sandbox;
  if (!matchesPlace(targets, place)) return REASON_NUMBER.targeting;
  if (place.blocked.includes(category)) return REASON_NUMBER.venue_blocked;
  return place.restricted.includes(category) ? REASON_NUMBER.restricted : ELIGIBLE;
}

/** Why a candidate that passes the rules of the place may not have the slot. */
export function reasonInSlot<Candidate>(slot: SlotRules<Candidate>, candidate: Candidate): number {
  const outside = slot.flightReason(candidate);
  if (outside !== ELIGIBLE) return outside;
  if (!slot.isOffered(candidate))
    return slot.isLive(candidate) ? REASON_NUMBER.creative_not_ready : REASON_NUMBER.paused;
  const shortestMs = slot.shortestMs(candidate);
  if (shortestMs === 0 || shortestMs > slot.maxDurationMs) return REASON_NUMBER.format;
  if (shortestMs > slot.limitMs) return REASON_NUMBER.ad_ratio;
  if (slot.availableMicros(candidate) < slot.costMicros(shortestMs))
    return slot.isExhausted(candidate) ? REASON_NUMBER.budget_exhausted : REASON_NUMBER.no_lease;
  if (slot.isCapReached(candidate)) return REASON_NUMBER.frequency;
  return slot.competesWithLast(candidate) ? REASON_NUMBER.separation : ELIGIBLE;
}

/**
 * Whether a candidate is too far ahead of its curve: then it is `paced_out`. By plan a few plays are never too far,
 * whatever share of a small budget they are. @param score how far behind it is, as a share of its goal; less than 0:
 * ahead, including its hold-back
 */
export function isTooFarAhead<Candidate>(slot: SlotRules<Candidate>, candidate: Candidate, score: number): boolean {
  if (score >= -slot.leadMax) return false;
  if (!slot.hasPlan) return true;
  const playMicros = slot.costMicros(slot.shortestMs(candidate));
  return score + slot.heldBack(candidate) < -LEAD_PLAYS * playMicros * slot.goalInverse(candidate);
}
