/**
 * The decision: which campaign and creative a slot of a screen gets, or why none. One pass over the short list of the
 * screen's group in the slot's quarter, in typed arrays, without a socket, a queue or a clock; nothing is allocated but
 * what the pass leaves in `fill`. Who may have the slot is said by the rules of `#domain/plays/eligibility.ts`; here stands
 * who of those gets it.
 *
 * The eligible campaign furthest behind its even curve wins; the one that was on the screen last only when no other can
 * play. A competitor of the last one (another owner, the same category) never follows it directly: where nobody else is
 * there, the slot is left to house content, so that both have their turn. Where nobody on a short list can play, all
 * candidates are searched before a slot is refused.
 */
import type { Index } from '#domain/id.ts';
import { assert } from '#domain/assertion.ts';
import { AD_CREDIT_MS_MAX, allowedAdMs, REASON_NUMBER } from '#domain/plays/decision.ts';
import { ELIGIBLE, isTooFarAhead, reasonInSlot, reasonOfScreen } from '#domain/plays/eligibility.ts';
import { LEAD_MAX } from '#domain/campaigns/pacing.ts';
import { NOT_TAKEN, type Reservations } from './reservations.ts';
import { lowestOf } from './columns/bits.ts';
import { type CandidateIndex, LIVE } from './candidate-index.ts';
import { turnAmong } from './creative-turns.ts';
import type { CreativeFacts } from './facts.ts';
import {
  AHEAD,
  BEHIND,
  CANDIDATE,
  candidateRow,
  CATEGORY,
  FIRST,
  PLANNED_FIRST,
  scoreRow,
  type Segment,
  SHARE,
  SHARE_PER_MS,
  WORKSPACE,
} from './places/group.ts';
import type { ScreenTable } from './screen-table.ts';
import { candidateAt, Segments } from './segments.ts';
import { NOBODY, type Slot, SlotView } from './slot-view.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** Campaigns without money that one search asks some for: the next slots ask for others. */
const WANTS_PER_SEARCH_MAX = 16;

/** What a slot gets. One object, overwritten by the next decision. */
export type Fill = {
  campaign: Index<'campaign'>;
  creative: CreativeFacts | undefined;
  rateMicros: Micros;
  impressionsEst: number;
  impressionsMax: number;
  costMicros: Micros;
  issueNumber: number;
};

/** A fill; any other answer of `decide` is the number of a no-fill reason. */
export const FILLED = -1;
/**
 * A campaign follows itself on a screen when it is so many times as far behind as the next one, or the next one is as many
 * times as far ahead. At 2, campaigns with few screens were left with half of their plays.
 */
const REPEAT_TIMES = 1.25;

export type EngineDependencies = {
  index: CandidateIndex;
  screens: ScreenTable;
  reservations: Reservations;
  /** How far ahead of its curve a campaign may be while there is no plan. */
  leadMax?: number;
};

export class Engine {
  readonly fill: Fill = {
    campaign: -1,
    creative: undefined,
    rateMicros: 0,
    impressionsEst: 0,
    impressionsMax: 0,
    costMicros: 0,
    issueNumber: 0,
  };
  readonly #index: CandidateIndex;
  readonly #screens: ScreenTable;
  readonly #reservations: Reservations;
  readonly #segments: Segments;
  /** The word of the bit sets from which the next search starts, so that it finds others than the last one. */
  #searchFrom = 0;
  #wantsLeft = 0;
  /** Made for the first slot, and set for each. */
  #view: SlotView | undefined;
  /** The campaign in the slot before could have this one. */
  #lastCanPlay = false;
  /** A candidate is refused because it competes with the campaign in the slot before. */
  #hasCompetitor = false;
  /** How far behind the first one of the last pass over the list is; less than 0: ahead. */
  #firstScore = 0;
  /** The largest reason of the candidates that were checked so far. */
  #reason = 0;

  constructor({ index, screens, reservations, leadMax = LEAD_MAX }: EngineDependencies) {
    this.#index = index;
    this.#screens = screens;
    this.#reservations = reservations;
    this.#segments = new Segments(index, reservations, leadMax);
  }

  /** Decides one slot: `FILLED`, and `fill` says what; or the number of the no-fill reason. */
  decide(slot: Slot): number {
    const { screen, maxDurationMs } = slot;
    const answer = this.#choose(slot);
    const ratio = this.#screens.adRatio(screen);
    const durationMs = answer === FILLED ? this.fill.creative!.durationMs : 0;
    const credit =
      this.#screens.adCreditMs(screen) + ratio * (answer === FILLED ? durationMs : maxDurationMs) - durationMs;
    this.#screens.setAdCreditMs(screen, Math.min(AD_CREDIT_MS_MAX, credit));
    // House content separates as another ad does.
    if (answer !== FILLED) this.#screens.setLastCampaign(screen, NOBODY);
    return answer;
  }

  /** How far ahead of its curve a campaign may be while there is no plan. */
  get leadMax(): number {
    return this.#segments.leadMax;
  }

  /** Forgets what it can make again: from here on it decides like an engine that starts with the same state. */
  forget(): void {
    this.#segments.forget();
    this.#searchFrom = 0;
  }

  /**
   * Makes the list that a slot of this screen would read, and asks for money for the campaigns on it, so that it has come by
   * then. Besides decisions, this and `refresh` alone can change a later answer.
   */
  prepare(screen: Index<'screen'>, atMs: Milliseconds): void {
    const segment = this.#segments.at(this.#index.groupOf(screen), atMs);
    for (let entry = 0; entry < segment.count; entry++) this.prepareCampaign(screen, candidateAt(segment, entry));
  }

  /** The same for one campaign. */
  prepareCampaign(screen: Index<'screen'>, campaign: Index<'campaign'>): void {
    const shortest = this.#index.shortestMs(campaign, this.#screens.side(screen));
    if (this.#index.state(campaign) !== LIVE || shortest === 0) return;
    const cost = this.#screens.venueAt(screen).costOf(shortest, this.#screens.hasSensor(screen));
    if (this.#reservations.available(campaign) < cost) this.#reservations.want(campaign, cost);
  }

  /** Whether there are short lists, which a refresh changes. */
  hasShortLists(): boolean {
    return this.#segments.hasShort();
  }

  /** Makes lists before they are asked for and keeps the short ones fresh, off the path of a request; false when nothing is left to do. @see Segments.makeReady @see Segments.refresh */
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
    const winner = this.#pick(view);
    return winner === NOBODY ? this.#reason : this.#take(winner, view);
  }

  #viewOf(slot: Slot): SlotView {
    this.#view ??= new SlotView(
      { index: this.#index, screens: this.#screens, reservations: this.#reservations, segments: this.#segments },
      slot,
      this.#index.groupOf(slot.screen),
    );
    this.#view.set(slot);
    return this.#view;
  }

  #pick(view: SlotView): number {
    const { segment, last } = view;
    this.#reason = REASON_NUMBER.no_campaign;
    this.#lastCanPlay = false;
    this.#hasCompetitor = false;
    this.#wantsLeft = segment.count;
    const furthest = this.#furthestListed(view);
    if (furthest !== NOBODY && this.#canPlay(furthest, view) && !isTooFarAhead(view, furthest, this.#firstScore))
      return furthest;
    const listed = this.#pickListed(view);
    if (listed !== NOBODY) return listed;
    const found = segment.isWhole ? NOBODY : this.#search(view);
    if (found !== NOBODY) {
      this.#segments.adopt(view.group, segment, found, last);
      return found;
    }
    if (this.#lastCanPlay && !this.#hasCompetitor) return last;
    this.#addStandingReasons(view);
    return NOBODY;
  }

  /**
   * The listed campaign furthest behind that does not compete with the last one, whether it can play or not: nearly always it
   * can, and no other need be checked. Whether one competes stands in the list, so that a slot after an ad of a category
   * which many candidates have looks none of them up.
   */
  #furthestListed({ atMs, segment, last }: SlotView): number {
    const { list, count } = segment;
    const sinceMs = atMs - segment.startMs;
    const category = last === NOBODY ? NOBODY : this.#index.categoryNumber(last);
    const workspace = last === NOBODY ? NOBODY : this.#index.workspace(last);
    let best = NOBODY;
    let bestScore = segment.advice === undefined ? -segment.leadMax : -Infinity;
    let isLastListed = false;
    let lastScore = 0;
    let hasCompetitor = false;
    for (let entry = 0; entry < count; entry++) {
      if (rememberedScore(segment, entry, sinceMs) <= bestScore) continue;
      const row = candidateRow(segment, entry);
      if (list[row + CATEGORY] === category && list[row + WORKSPACE] !== workspace) {
        hasCompetitor = true;
        continue;
      }
      const score = this.#scoreNow(segment, entry, sinceMs);
      if (score <= bestScore) continue;
      const campaign = list[row + CANDIDATE]!;
      if (campaign === last) {
        isLastListed = true;
        lastScore = score;
      } else {
        best = campaign;
        bestScore = score;
      }
    }
    if (isLastListed && mayRepeat(segment, lastScore, bestScore)) {
      // It goes first where no competitor waits, and if it is ahead, only where another one can play: `#pickListed` finds out.
      best = lastScore > 0 && !hasCompetitor ? last : NOBODY;
      bestScore = lastScore;
    }
    this.#firstScore = bestScore;
    return best;
  }

  /** The listed campaign furthest behind that can play. Only those that would win so far are checked. */
  #pickListed(view: SlotView): number {
    const { segment, last } = view;
    const { count } = segment;
    const sinceMs = view.atMs - segment.startMs;
    let best = NOBODY;
    let bestScore = -Infinity;
    let lastScore = -Infinity;
    for (let entry = 0; entry < count; entry++) {
      if (rememberedScore(segment, entry, sinceMs) <= bestScore) continue;
      const score = this.#scoreNow(segment, entry, sinceMs);
      if (score <= bestScore) continue;
      const campaign = candidateAt(segment, entry);
      if (!this.#canPlay(campaign, view)) continue;
      if (isTooFarAhead(view, campaign, score)) this.#noteReason(REASON_NUMBER.paced_out);
      else if (campaign === last) {
        this.#lastCanPlay = true;
        lastScore = score;
      } else {
        best = campaign;
        bestScore = score;
      }
    }
    return this.#lastCanPlay && !this.#hasCompetitor && mayRepeat(segment, lastScore, bestScore) ? last : best;
  }

  /** How far behind an entry of a list is now; the list remembers it. */
  #scoreNow(segment: Segment, entry: number, sinceMs: Milliseconds): number {
    const { list } = segment;
    const row = candidateRow(segment, entry);
    list[scoreRow(entry) + BEHIND] = list[row + SHARE]! - this.#index.progress(list[row + CANDIDATE]!);
    return rememberedScore(segment, entry, sinceMs);
  }

  /** Any candidate that can play, other than the last one; NOBODY only after all of them were checked. */
  #search(view: SlotView): number {
    const { group, atMs, last } = view;
    const { offered } = this.#index;
    const quarter = this.#segments.quarterOf(group, atMs);
    const length = Math.min(group.bits.words.length, quarter.running.words.length, offered.words.length);
    this.#wantsLeft = WANTS_PER_SEARCH_MAX;
    view.isSearching = true;
    for (let step = 0; step < length; step++) {
      const word = (this.#searchFrom + step) % length;
      for (
        let bits = group.bits.words[word]! & quarter.running.words[word]! & offered.words[word]!;
        bits !== 0;
        bits &= bits - 1
      ) {
        const campaign = lowestOf(word, bits);
        if (!this.#canPlay(campaign, view)) continue;
        if (isTooFarAhead(view, campaign, this.#scoreOf(campaign, view) - this.#index.ahead(campaign)))
          this.#noteReason(REASON_NUMBER.paced_out);
        else if (campaign === last) this.#lastCanPlay = true;
        else {
          this.#searchFrom = word + 1;
          return campaign;
        }
      }
    }
    return NOBODY;
  }

  #scoreOf(campaign: Index<'campaign'>, { group, atMs, segment }: SlotView): number {
    const quarter = this.#segments.quarterOf(group, atMs);
    this.#index.flights.ensureShare(quarter, campaign);
    return (
      quarter.share[campaign]! +
      quarter.sharePerMs[campaign]! * (atMs - segment.startMs) -
      this.#index.progress(campaign)
    );
  }

  #noteReason(reason: number): void {
    if (reason > this.#reason) this.#reason = reason;
  }

  /** Whether a candidate that runs in the quarter can play now; if not, its reason is noted. */
  #canPlay(campaign: Index<'campaign'>, view: SlotView): boolean {
    const reason = reasonInSlot(view, campaign);
    if (reason === ELIGIBLE) return true;
    this.#noteReason(reason);
    if (reason === REASON_NUMBER.separation) this.#hasCompetitor = true;
    else if (reason === REASON_NUMBER.no_lease || reason === REASON_NUMBER.budget_exhausted)
      this.#wantMoney(campaign, view);
    return false;
  }

  #wantMoney(campaign: Index<'campaign'>, view: SlotView): void {
    if (this.#wantsLeft-- > 0) this.#reservations.want(campaign, view.costMicros(view.shortestMs(campaign)));
  }

  /** Nobody can play: notes the reasons of candidates that were not checked, because their flights do not run or they have nothing to show. */
  #addStandingReasons(view: SlotView): void {
    const { group, atMs } = view;
    const { words } = group.bits;
    const { paused, unready } = this.#index;
    const { running, split, outsideDaypart } = this.#segments.quarterOf(group, atMs);
    view.isSearching = true;
    let candidates = false;
    for (let word = 0; word < words.length; word++) {
      const bits = words[word]!;
      if (bits === 0) continue;
      candidates = true;
      const sometimes = bits & (split.words[word] ?? 0);
      for (let rest = sometimes; rest !== 0; rest &= rest - 1) this.#canPlay(lowestOf(word, rest), view);
      const runs = bits & (running.words[word] ?? 0) & ~sometimes;
      if ((bits & ~sometimes) !== runs) this.#noteReason(REASON_NUMBER.outside_schedule);
      if ((bits & (outsideDaypart.words[word] ?? 0)) !== 0) this.#noteReason(REASON_NUMBER.outside_daypart);
      if ((runs & (paused.words[word] ?? 0)) !== 0) this.#noteReason(REASON_NUMBER.paused);
      if ((runs & (unready.words[word] ?? 0)) !== 0) this.#noteReason(REASON_NUMBER.creative_not_ready);
    }
    if (!candidates) this.#reason = this.#index.emptyReason(group);
  }

  /** Chooses the winner's creative, takes its money and its number, and remembers the fill. */
  #take(campaign: Index<'campaign'>, view: SlotView): number {
    const { fill } = this;
    const index = this.#index;
    const screens = this.#screens;
    const reservations = this.#reservations;
    const { screen, atMs, venue, hasSensor } = view;
    const creative = this.#chooseCreative(campaign, view);
    const costMicros = view.costMicros(creative.durationMs);
    const issueNumber = reservations.take(campaign, costMicros);
    if (issueNumber === NOT_TAKEN) return REASON_NUMBER.no_lease;
    fill.campaign = campaign;
    fill.creative = creative;
    fill.rateMicros = venue.rateMicros;
    fill.impressionsEst = venue.impressions(creative.durationMs);
    fill.impressionsMax = venue.impressionsMax(creative.durationMs, hasSensor);
    fill.costMicros = costMicros;
    fill.issueNumber = issueNumber;
    index.issued(campaign, costMicros);
    screens.setLastCampaign(screen, campaign);
    if (index.frequencyPerHourMax(campaign) !== 0) screens.recordFill(screen, campaign, atMs);
    return FILLED;
  }

  /** The creative whose turn it is among those that fit the slot and the money. There is at least one. */
  #chooseCreative(campaign: Index<'campaign'>, view: SlotView): CreativeFacts {
    const index = this.#index;
    const { side } = view;
    const turns = index.turns[campaign * 2 + side]!;
    const longestMs = index.longestMs(campaign, side);
    if (
      turns.length === 0 ||
      longestMs > view.limitMs ||
      (longestMs !== index.shortestMs(campaign, side) &&
        view.costMicros(longestMs) > this.#reservations.available(campaign))
    )
      return this.#chooseAmong(campaign, view);
    const turn = index.nextTurn(campaign, side);
    index.setNextTurn(campaign, side, turn + 1 < turns.length ? turn + 1 : 0);
    return turns[turn < turns.length ? turn : 0]!;
  }

  /** The same where not all of its creatives fit: a function of its own, since its closure would be made for every slot. */
  #chooseAmong(campaign: Index<'campaign'>, view: SlotView): CreativeFacts {
    const heldMicros = this.#reservations.available(campaign);
    const chosen = turnAmong(
      this.#index.creatives[campaign * 2 + view.side]!,
      creative => creative.durationMs <= view.limitMs && view.costMicros(creative.durationMs) <= heldMicros,
    );
    assert(chosen !== undefined, 'a campaign that can play has a creative that fits');
    return chosen;
  }
}

/**
 * How far behind an entry of a list is, by its campaign's progress when that was last looked up. It cannot be further behind
 * now, since progress only grows. A pass over a list reads this alone of most entries, which stands side by side.
 */
function rememberedScore({ list }: Segment, entry: number, sinceMs: Milliseconds): number {
  const row = scoreRow(entry);
  const score = list[row + BEHIND]! + list[row + SHARE_PER_MS]! * sinceMs;
  return score + (score > 0 ? list[row + FIRST]! : -list[row + AHEAD]!);
}

/**
 * Whether the campaign that was on the screen last goes before the next one: by plan, when the plan gives it the segment
 * and not the other, or when it is clearly further behind or less ahead. Otherwise a screen would give every second slot to
 * campaigns that have other screens too.
 */
function mayRepeat({ advice }: Segment, lastScore: number, otherScore: number): boolean {
  if (advice === undefined) return false;
  if (lastScore <= 0) return otherScore > -Infinity && otherScore < REPEAT_TIMES * lastScore;
  if (lastScore >= PLANNED_FIRST && otherScore < PLANNED_FIRST) return true;
  const tier = otherScore >= PLANNED_FIRST ? PLANNED_FIRST : 0;
  return lastScore - tier > REPEAT_TIMES * Math.max(0, otherScore - tier);
}
