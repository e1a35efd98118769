/**
 * The decision: which campaign and creative a slot of a screen gets, or why none. One pass over the short list of the
 * screen's group in the slot's quarter, in typed arrays, without a socket, a queue or a clock; the pass allocates
 * nothing and writes its result to `fill`. The rules of `#domain/plays/eligibility.ts` decide which campaigns may have
 * the slot, and `picker.ts` which of them gets it; this file chooses the creative and takes the money.
 */
import { type Handle, type Index, NO_HANDLE } from '#domain/id.ts';
import { assert } from '#domain/assertion.ts';
import { AD_CREDIT_MS_MAX, allowedAdMs, REASON_NUMBER } from '#domain/plays/decision.ts';
import { ELIGIBLE, reasonOfScreen } from '#domain/plays/eligibility.ts';
import { impressionsThousandths, OWN_FIGURES, peopleMost } from '#domain/screens/venue.ts';
import { LEAD_MAX } from '#domain/campaigns/pacing.ts';
import { NOT_TAKEN, type Reservations } from './reservations.ts';
import { type CandidateIndex, LIVE } from './candidate-index.ts';
import { turnAmong } from './creative-turns.ts';
import type { ScreenTable } from './screen-table.ts';
import { Segments } from './lists/segments.ts';
import { candidateAt, type Group } from './places/group.ts';
import { Picker } from './picker.ts';
import { NOBODY, type Slot, SlotView } from './slot-view.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** The fill of a slot. One object, overwritten by the next decision. */
export type Fill = {
  campaign: Index<'campaign'>;
  creative: Handle<'creative'>;
  durationMs: Milliseconds;
  /** The row of the creative's turn (`creative-rows.ts`). */
  row: number;
  rateMicros: Micros;
  impressionsEst: number;
  impressionsMax: number;
  /** See `HourlyAudience`. */
  audienceNumber: number;
  costMicros: Micros;
  issueNumber: number;
};

/** A fill; any other answer of `decide` is the number of a no-fill reason. */
export const FILLED = -1;
export type EngineDependencies = {
  index: CandidateIndex;
  screens: ScreenTable;
  reservations: Reservations;
  /** How far ahead of its curve a campaign may be while there is no plan. */
  leadMax?: number;
};

export class Engine {
  /** Campaigns whose creatives did not all fit some slot, so that these have credits. */
  readonly outOfTurn = new Set<Index<'campaign'>>();
  readonly fill: Fill = {
    campaign: -1,
    creative: NO_HANDLE,
    durationMs: 0,
    row: 0,
    rateMicros: 0,
    impressionsEst: 0,
    impressionsMax: 0,
    audienceNumber: OWN_FIGURES,
    costMicros: 0,
    issueNumber: 0,
  };
  readonly #index: CandidateIndex;
  readonly #screens: ScreenTable;
  readonly #reservations: Reservations;
  readonly #segments: Segments;
  readonly #picker: Picker;
  /** Made for the first slot, and set for each. */
  #view: SlotView | undefined;

  constructor({ index, screens, reservations, leadMax = LEAD_MAX }: EngineDependencies) {
    this.#index = index;
    this.#screens = screens;
    this.#reservations = reservations;
    this.#segments = new Segments(index, reservations, leadMax);
    this.#picker = new Picker({ index, reservations, segments: this.#segments });
  }

  /** Decides one slot: `FILLED` with the result in `fill`, or the number of the no-fill reason. */
  decide(slot: Slot): number {
    const { screen, maxDurationMs } = slot;
    const answer = this.#choose(slot);
    const ratio = this.#screens.adRatio(screen);
    const durationMs = answer === FILLED ? this.fill.durationMs : 0;
    const credit =
      this.#screens.adCreditMs(screen) + ratio * (answer === FILLED ? durationMs : maxDurationMs) - durationMs;
    this.#screens.setAdCreditMs(screen, Math.min(AD_CREDIT_MS_MAX, credit));
    // House content separates like another ad.
    if (answer !== FILLED) this.#screens.setLastCampaign(screen, NOBODY);
    return answer;
  }

  /** How far ahead of its curve a campaign may be while there is no plan. */
  get leadMax(): number {
    return this.#segments.leadMax;
  }

  /** Drops everything derived: from here on it decides like an engine that starts with the same state. */
  forget(): void {
    this.#segments.forget();
    this.#picker.forget();
  }

  /**
   * Makes the list that a slot of this screen would read, and requests money for its campaigns in advance. Besides
   * decisions, only this and `refresh` can change a later answer.
   */
  prepare(screen: Index<'screen'>, atMs: Milliseconds): void {
    const segment = this.#segments.at(this.#index.groups.of(screen), atMs);
    for (let entry = 0; entry < segment.count; entry++) this.prepareCampaign(screen, candidateAt(segment, entry));
  }

  /** The screens with the same `prepare`, except for the price of a play at their venues. */
  groupOf(screen: Index<'screen'>): Group {
    return this.#index.groups.of(screen);
  }

  /** The same for one campaign. */
  prepareCampaign(screen: Index<'screen'>, campaign: Index<'campaign'>): void {
    const shortest = this.#index.shortestMs(campaign, this.#screens.side(screen));
    if (this.#index.state(campaign) !== LIVE || shortest === 0) return;
    const venue = this.#screens.venueAt(screen);
    const hasSensor = this.#screens.hasSensor(screen);
    const audience = this.#screens.audiences[screen];
    // The hour of the slot is unknown here: the money is for the fullest hour.
    const cost =
      audience === undefined
        ? venue.costOf(shortest, hasSensor)
        : venue.costBefore(peopleMost(audience), shortest, hasSensor);
    if (this.#reservations.available(campaign) < cost) this.#reservations.want(campaign, cost);
  }

  /** Whether there are short lists to refresh. */
  hasShortLists(): boolean {
    return this.#segments.hasShort();
  }

  /**
   * Makes lists in advance and keeps the short ones fresh, outside of requests; false if nothing is left to do. @see
   * Segments.makeReady @see Segments.refresh
   */
  refresh(atMs: Milliseconds, steps: number): boolean {
    const isMoreToMake = this.#segments.makeReady(atMs, steps);
    return this.#segments.refresh(atMs, steps) || isMoreToMake;
  }

  #choose(slot: Slot): number {
    const view = this.#viewOf(slot);
    const allowedMs = allowedAdMs(this.#screens.adRatio(slot.screen), this.#screens.adCreditMs(slot.screen));
    const refusal = reasonOfScreen(view.isOpen, allowedMs);
    if (refusal !== ELIGIBLE) return refusal;
    view.limitMs = Math.min(slot.maxDurationMs, allowedMs);
    const winner = this.#picker.pick(view);
    return winner === NOBODY ? this.#picker.reason : this.#take(winner, view);
  }

  #viewOf(slot: Slot): SlotView {
    this.#view ??= new SlotView(
      { index: this.#index, screens: this.#screens, reservations: this.#reservations, segments: this.#segments },
      slot,
      this.#index.groups.of(slot.screen),
    );
    this.#view.set(slot);
    return this.#view;
  }

  /** Chooses the winner's creative, takes its money and its number, and remembers the fill. */
  #take(campaign: Index<'campaign'>, view: SlotView): number {
    const { fill } = this;
    const index = this.#index;
    const screens = this.#screens;
    const reservations = this.#reservations;
    const { screen, atMs, venue, hasSensor } = view;
    const row = this.#chooseCreative(campaign, view);
    const durationMs = index.creativeRows.durationMs(row);
    const costMicros = view.costMicros(durationMs);
    const issueNumber = reservations.take(campaign, costMicros);
    if (issueNumber === NOT_TAKEN) return REASON_NUMBER.no_lease;
    fill.campaign = campaign;
    fill.creative = index.creativeRows.creative(row);
    fill.durationMs = durationMs;
    fill.row = row;
    fill.rateMicros = venue.rateMicros;
    fill.impressionsEst = impressionsThousandths(view.people, durationMs);
    fill.impressionsMax = venue.impressionsMax(view.people, durationMs, hasSensor);
    fill.audienceNumber = view.audience?.number ?? OWN_FIGURES;
    fill.costMicros = costMicros;
    fill.issueNumber = issueNumber;
    index.issued(campaign, costMicros);
    screens.setLastCampaign(screen, campaign);
    if (index.frequencyPerHourMax(campaign) !== 0) screens.recordFill(screen, campaign, atMs);
    return FILLED;
  }

  /** The row of the next creative among those that fit the slot and the money. There is at least one. */
  #chooseCreative(campaign: Index<'campaign'>, view: SlotView): number {
    const index = this.#index;
    const { creativeRows } = index;
    const { side } = view;
    const turn = index.nextTurn(campaign, side);
    const row = index.firstRow(campaign, side) + turn;
    const turns = creativeRows.turns(row);
    const longestMs = creativeRows.longestMs(row);
    if (
      turns === 0 ||
      longestMs > view.limitMs ||
      (longestMs !== index.shortestMs(campaign, side) &&
        view.costMicros(longestMs) > this.#reservations.available(campaign))
    )
      return this.#chooseAmong(campaign, view);
    index.setNextTurn(campaign, side, turn + 1 < turns ? turn + 1 : 0);
    return row;
  }

  /**
   * The same if not all of its creatives fit: a separate function, because its closure would be made for every slot.
   */
  #chooseAmong(campaign: Index<'campaign'>, view: SlotView): number {
    this.outOfTurn.add(campaign);
    const heldMicros = this.#reservations.available(campaign);
    const chosen = turnAmong(
      this.#index.creatives[campaign * 2 + view.side]!,
      creative => creative.durationMs <= view.limitMs && view.costMicros(creative.durationMs) <= heldMicros,
    );
    assert(chosen !== undefined, 'a campaign that can play has a creative that fits');
    return this.#index.creativeRows.rowOf(this.#index.firstRow(campaign, view.side), chosen.handle);
  }
}
