/**
 * The decision: which campaign and creative a slot of a screen gets, or why none. One pass over the candidates of the
 * screen's group in the slot's quarter, in typed arrays, without a socket, a queue or a clock; nothing is allocated but
 * what the pass leaves in `fill`. The eligible campaign furthest behind its even curve wins; the one that was on the
 * screen last only when no other can play.
 */
import { REASON_NUMBER } from '#domain/decision.ts';
import { LEAD_MAX } from '#domain/pacing.ts';
import { NOT_TAKEN, type Reservations } from '../budget/reservations.ts';
import { type CandidateIndex, LIVE } from './candidate-index.ts';
import { MINUTE_MS, type Segment, segmentAt, standingReason, ZoneOffsets } from './eligibility.ts';
import type { CreativeFacts } from './facts.ts';
import { impressionsMaxOf, type ScreenTable, type Venue } from './screen-table.ts';

/**
 * A screen may save up so much ad time while nothing could play: a minute. The share then holds over every window of a
 * few minutes and not only over days.
 */
const AD_CREDIT_MS_MAX = 60_000;
/** Credits are sums of fractions: half a millisecond absorbs their rounding. */
const CREDIT_TOLERANCE_MS = 0.5;
const RATIO_TOLERANCE = 1e-9;
/** No creative is shorter. */
const CREATIVE_MS_MIN = 6_000;

/** What a slot gets. One object, overwritten by the next decision. */
export type Fill = {
  campaign: number;
  creative: CreativeFacts | undefined;
  rateMicros: number;
  impressionsEst: number;
  impressionsMax: number;
  costMicros: number;
  issueNumber: number;
};

export type Slot = { screen: number; atMs: number; maxDurationMs: number };

/** A fill; any other answer of `decide` is the number of a no-fill reason. */
export const FILLED = -1;

export class Engine {
  readonly fill: Fill = { campaign: -1, creative: undefined, rateMicros: 0, impressionsEst: 0, impressionsMax: 0, costMicros: 0, issueNumber: 0 };
  private readonly index: CandidateIndex;
  private readonly screens: ScreenTable;
  private readonly reservations: Reservations;
  private readonly zones = new ZoneOffsets();
  private readonly leadMax: number;

  constructor({ index, screens, reservations, leadMax = LEAD_MAX }: { index: CandidateIndex; screens: ScreenTable; reservations: Reservations; leadMax?: number }) {
    this.index = index;
    this.screens = screens;
    this.reservations = reservations;
    this.leadMax = leadMax;
  }

  /** Decides one slot: `FILLED`, and `fill` says what; or the number of the no-fill reason. */
  decide(slot: Slot): number {
    const { screen, maxDurationMs } = slot;
    const answer = this.choose(slot);
    const ratio = this.screens.adRatio[screen]!;
    const durationMs = answer === FILLED ? this.fill.creative!.durationMs : 0;
    const credit = this.screens.adCreditMs[screen]! + ratio * (answer === FILLED ? durationMs : maxDurationMs) - durationMs;
    this.screens.adCreditMs[screen] = Math.min(AD_CREDIT_MS_MAX, credit);
    return answer;
  }

  /** Asks for money for every campaign that could play on this screen now, so that it is there before the first slot. */
  prepare(screen: number, atMs: number): void {
    const segment = segmentAt(this.index, this.index.groupOf(screen), { atMs, zones: this.zones });
    for (const campaign of segment.candidates) this.prepareCampaign(screen, campaign);
  }

  /** The same for one campaign. */
  prepareCampaign(screen: number, campaign: number): void {
    const side = this.screens.orientation[screen]!;
    if (this.index.state[campaign] !== LIVE || this.index.shortestMs[campaign * 2 + side] === 0) return;
    const cost = this.screens.costOf(this.screens.venueAt(screen), this.index.shortestClass[campaign * 2 + side]!, this.screens.sensor[screen]!);
    if (this.reservations.available(campaign) < cost) this.reservations.want(campaign, cost);
  }

  private choose({ screen, atMs, maxDurationMs }: Slot): number {
    const segment = segmentAt(this.index, this.index.groupOf(screen), { atMs, zones: this.zones });
    const minute = Math.floor((atMs - segment.startMs) / MINUTE_MS);
    if (((segment.openMinutes >>> minute) & 1) === 0) return REASON_NUMBER.screen_closed;
    const ratio = this.screens.adRatio[screen]!;
    if (ratio <= 0) return REASON_NUMBER.ad_ratio;
    const allowedMs = ratio >= 1 - RATIO_TOLERANCE ? Infinity : (this.screens.adCreditMs[screen]! + CREDIT_TOLERANCE_MS) / (1 - ratio);
    if (allowedMs < CREATIVE_MS_MIN) return REASON_NUMBER.ad_ratio;
    const limitMs = Math.min(maxDurationMs, allowedMs);
    const answer = this.pick(segment, { screen, atMs, minute, limitMs, maxDurationMs });
    if (answer < 0) return this.take(-answer - 1, { screen, atMs, limitMs });
    return answer;
  }

  /** The winner as -(campaign + 1), or the number of the reason. */
  private pick(segment: Segment, slot: { screen: number; atMs: number; minute: number; limitMs: number; maxDurationMs: number }): number {
    const { screen, atMs, minute, limitMs, maxDurationMs } = slot;
    const { index, screens, reservations, leadMax } = this;
    const { candidates, minutes, share, sharePerMs } = segment;
    const { state, shortestMs, shortestClass, frequencyPerHourMax, issuedMicros, goalInverse } = index;
    const { openMicros, blockMicros } = reservations;
    const side = screens.orientation[screen]!;
    const sensor = screens.sensor[screen]!;
    const venue = screens.venueAt(screen);
    const last = screens.lastCampaign[screen]!;
    const sinceMs = atMs - segment.startMs;
    let { costs } = venue;
    let reason = segment.reason;
    let lastCanPlay = false;
    let best = -1;
    let bestScore = -Infinity;
    for (let at = 0; at < candidates.length; at++) {
      const campaign = candidates[at]!;
      const shortest = shortestMs[campaign * 2 + side]!;
      let failed = -1;
      if (((minutes[at]! >>> minute) & 1) === 0) failed = REASON_NUMBER.outside_daypart;
      else if (state[campaign] !== LIVE || shortest === 0 || shortest > limitMs) failed = standingReason(index, campaign, { side, limitMs, maxMs: maxDurationMs });
      else {
        const costAt = shortestClass[campaign * 2 + side]! * 2 + sensor;
        // Most costs are known; the call is for the first play of a duration at the venue.
        let cost = costAt < costs.length ? costs[costAt]! : 0;
        if (cost === 0) {
          cost = screens.costOf(venue, costAt >> 1, sensor);
          costs = venue.costs;
        }
        if (openMicros[campaign]! + blockMicros[campaign]! < cost) failed = this.missMoney(campaign, cost);
        else if (frequencyPerHourMax[campaign] !== 0 && screens.fillsWithinHour(screen, campaign, atMs) >= frequencyPerHourMax[campaign]!) failed = REASON_NUMBER.frequency;
      }
      if (failed >= 0) {
        if (failed > reason) reason = failed;
        continue;
      }
      const score = share[at]! + sharePerMs[at]! * sinceMs - issuedMicros[campaign]! * goalInverse[campaign]!;
      if (score < -leadMax) reason = REASON_NUMBER.paced_out;
      else if (campaign === last) lastCanPlay = true;
      else if (score > bestScore) {
        best = campaign;
        bestScore = score;
      }
    }
    if (best >= 0) return -best - 1;
    return lastCanPlay ? -last - 1 : reason;
  }

  private missMoney(campaign: number, costMicros: number): number {
    this.reservations.want(campaign, costMicros);
    return this.reservations.exhausted[campaign] === 1 ? REASON_NUMBER.budget_exhausted : REASON_NUMBER.no_lease;
  }

  /** Chooses the winner's creative, takes its money and its number, and remembers the fill. */
  private take(campaign: number, { screen, atMs, limitMs }: { screen: number; atMs: number; limitMs: number }): number {
    const { index, screens, reservations, fill } = this;
    const venue = screens.venueAt(screen);
    const creative = this.chooseCreative(campaign, { screen, limitMs, venue });
    const costMicros = screens.costOf(venue, screens.durationClass(creative.durationMs), screens.sensor[screen]!);
    const issueNumber = reservations.take(campaign, costMicros);
    if (issueNumber === NOT_TAKEN) return REASON_NUMBER.no_lease;
    fill.campaign = campaign;
    fill.creative = creative;
    fill.rateMicros = venue.rateMicros;
    fill.impressionsEst = venue.impressions(creative.durationMs);
    fill.impressionsMax = impressionsMaxOf(fill.impressionsEst, screens.sensor[screen] === 1);
    fill.costMicros = costMicros;
    fill.issueNumber = issueNumber;
    index.issuedMicros[campaign]! += costMicros;
    screens.lastCampaign[screen] = campaign;
    if (index.frequencyPerHourMax[campaign] !== 0) screens.recordFill(screen, campaign, atMs);
    return FILLED;
  }

  /** Smooth weighted round robin over the creatives that fit the screen, the slot and the money. There is at least one. */
  private chooseCreative(campaign: number, { screen, limitMs, venue }: { screen: number; limitMs: number; venue: Venue }): CreativeFacts {
    const { screens } = this;
    const orientation = screens.orientationAt(screen);
    const held = this.reservations.available(campaign);
    let total = 0;
    let chosen: CreativeFacts | undefined;
    for (const creative of this.index.facts[campaign]!.creatives) {
      if (!creative.ready || creative.orientation !== orientation || creative.durationMs > limitMs) continue;
      if (screens.costOf(venue, screens.durationClass(creative.durationMs), screens.sensor[screen]!) > held) continue;
      creative.credit += creative.weight;
      total += creative.weight;
      if (chosen === undefined || creative.credit > chosen.credit) chosen = creative;
    }
    chosen!.credit -= total;
    return chosen!;
  }
}
