/**
 * Picks the campaign for a slot among those that may have it. The eligible campaign furthest behind its curve wins. The
 * campaign last on the screen wins only if no other can play, or if it is much further behind. A competitor of the last
 * one (another owner, the same category) never follows it directly: without another campaign, the slot is left to house
 * content, so that both have their turn. If no campaign on a short list can play, all candidates are searched before a
 * slot is refused.
 */
import type { Index } from '#domain/id.ts';
import { REASON_NUMBER } from '#domain/plays/decision.ts';
import { ELIGIBLE, isTooFarAhead, reasonInSlot } from '#domain/plays/eligibility.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { CandidateIndex } from './candidate-index.ts';
import { lowestOf } from './columns/bits.ts';
import type { Segments } from './lists/segments.ts';
import {
  AHEAD,
  BEHIND,
  BRAND,
  brandOf,
  CANDIDATE,
  candidateAt,
  candidateRow,
  PLANNED_FIRST,
  scoreRow,
  type Segment,
  SHARE,
  SHARE_PER_MS,
} from './places/group.ts';
import type { Reservations } from './reservations.ts';
import { NOBODY, type SlotView } from './slot-view.ts';

/** Campaigns without money for which one search requests some: the next slots request for others. */
const WANTS_PER_SEARCH_MAX = 16;

/**
 * A campaign follows itself on a screen if it is this many times as far behind as the next one, or the next one is this
 * many times as far ahead. At 2, campaigns with few screens were left with half of their plays.
 */
const REPEAT_TIMES = 1.25;

export type PickerDependencies = { index: CandidateIndex; reservations: Reservations; segments: Segments };

export class Picker {
  /** The largest reason among the candidates of the last pick without a winner. */
  reason = 0;
  readonly #index: CandidateIndex;
  readonly #reservations: Reservations;
  readonly #segments: Segments;
  /** The word of the bit sets at which the next search starts, so that it finds other campaigns. */
  #searchFrom = 0;
  #wantsLeft = 0;
  /** The campaign of the previous slot could have this one. */
  #lastCanPlay = false;
  /** A candidate is refused because it competes with the campaign in the slot before. */
  #hasCompetitor = false;
  /** How far behind the first one of the last pass over the list is; less than 0: ahead. */
  #firstScore = 0;

  constructor({ index, reservations, segments }: PickerDependencies) {
    this.#index = index;
    this.#reservations = reservations;
    this.#segments = segments;
  }

  /** Searches start as in a new process. */
  forget(): void {
    this.#searchFrom = 0;
  }

  /** The campaign that gets the slot, or `NOBODY` with the reason in `reason`. */
  pick(view: SlotView): number {
    const { segment, last } = view;
    this.reason = REASON_NUMBER.no_campaign;
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
   * The listed campaign furthest behind that does not compete with the last one, whether it can play or not: nearly
   * always it can, and no other must be checked. The list has the competition keys, so a slot after an ad of a crowded
   * category looks up none of its campaigns.
   */
  #furthestListed(view: SlotView): number {
    const { atMs, segment, last } = view;
    const { list, count } = segment;
    const sinceMs = atMs - segment.startMs;
    // Brands between these two compete, except the brand of the last one itself.
    const category = last === NOBODY ? 0 : this.#index.categoryNumber(last);
    const brand = last === NOBODY ? 0 : brandOf(category, this.#index.workspace(last));
    const from = last === NOBODY ? Infinity : brandOf(category, 0);
    const to = brandOf(category + 1, 0);
    let best = NOBODY;
    let bestScore = segment.advice === undefined ? -segment.leadMax : -Infinity;
    let isLastListed = false;
    let lastScore = 0;
    let hasCompetitor = false;
    for (let entry = 0; entry < count; entry++) {
      const row = scoreRow(entry);
      if (rememberedScore(list, row, sinceMs) <= bestScore) continue;
      const ofEntry = Math.abs(list[row + BRAND]!);
      if (ofEntry >= from && ofEntry < to && ofEntry !== brand) {
        hasCompetitor = true;
        continue;
      }
      const score = this.#scoreNow(segment, entry, sinceMs);
      if (score <= bestScore) continue;
      const campaign = candidateAt(segment, entry);
      if (campaign === last) {
        isLastListed = true;
        lastScore = score;
      } else {
        best = campaign;
        bestScore = score;
      }
    }
    if (isLastListed && this.#mayRepeat(view, lastScore, bestScore)) {
      // It goes first if no competitor waits, and if it is ahead, only if another one can play: `#pickListed` checks.
      best = lastScore > 0 && !hasCompetitor ? last : NOBODY;
      bestScore = lastScore;
    }
    this.#firstScore = bestScore;
    return best;
  }

  /** The listed campaign furthest behind that can play. Only those that would win so far are checked. */
  #pickListed(view: SlotView): number {
    const { segment, last } = view;
    const { list, count } = segment;
    const sinceMs = view.atMs - segment.startMs;
    let best = NOBODY;
    let bestScore = -Infinity;
    let lastScore = -Infinity;
    for (let entry = 0; entry < count; entry++) {
      if (rememberedScore(list, scoreRow(entry), sinceMs) <= bestScore) continue;
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
    return this.#lastCanPlay && !this.#hasCompetitor && this.#mayRepeat(view, lastScore, bestScore) ? last : best;
  }

  /** How far behind an entry of a list is now; the list remembers it. */
  #scoreNow(segment: Segment, entry: number, sinceMs: Milliseconds): number {
    const { list } = segment;
    const scores = scoreRow(entry);
    const row = candidateRow(segment, entry);
    list[scores + BEHIND] = list[row + SHARE]! - this.#index.progress(list[row + CANDIDATE]!);
    return rememberedScore(list, scores, sinceMs);
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
        if (isTooFarAhead(view, campaign, this.#scoreOf(campaign, view))) this.#noteReason(REASON_NUMBER.paced_out);
        else if (campaign === last) this.#lastCanPlay = true;
        else {
          this.#searchFrom = word + 1;
          return campaign;
        }
      }
    }
    return NOBODY;
  }

  /** How far behind any candidate is; less than 0: ahead, with its hold-back. */
  #scoreOf(campaign: Index<'campaign'>, { group, atMs, segment }: SlotView): number {
    const quarter = this.#segments.quarterOf(group, atMs);
    this.#index.flights.ensureShare(quarter, campaign);
    const share = quarter.share[campaign]! + quarter.sharePerMs[campaign]! * (atMs - segment.startMs);
    const behind = share - this.#index.progress(campaign);
    return behind > 0 ? behind : behind - this.#index.ahead(campaign);
  }

  /**
   * Whether the campaign last on the screen goes before the next one: if only it has a share of the segment in the
   * plan, or if it is clearly further behind or less ahead. Otherwise a screen would give every second slot to
   * campaigns that also have other screens.
   */
  #mayRepeat({ segment: { advice }, last }: SlotView, lastScore: number, otherScore: number): boolean {
    if (advice === undefined) return false;
    if (lastScore <= 0) {
      const lead = -lastScore - this.#index.heldBack(last);
      return otherScore > -Infinity && otherScore < lastScore - (REPEAT_TIMES - 1) * lead;
    }
    if (lastScore >= PLANNED_FIRST && otherScore < PLANNED_FIRST) return true;
    const tier = otherScore >= PLANNED_FIRST ? PLANNED_FIRST : 0;
    return lastScore - tier > REPEAT_TIMES * Math.max(0, otherScore - tier);
  }

  #noteReason(reason: number): void {
    if (reason > this.reason) this.reason = reason;
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

  /**
   * No campaign can play: notes the reasons of candidates that were not checked, because their flights do not run or
   * they have nothing to show.
   */
  #addStandingReasons(view: SlotView): void {
    const { group, atMs } = view;
    const { words } = group.bits;
    const { paused, unready } = this.#index;
    const { running, split, outsideDaypart, restricted } = this.#segments.quarterOf(group, atMs);
    view.isSearching = true;
    let candidates = false;
    for (let word = 0; word < words.length; word++) {
      const candidatesHere = words[word]!;
      if (candidatesHere === 0) continue;
      candidates = true;
      const forbidden = candidatesHere & (restricted.words[word] ?? 0);
      if (forbidden !== 0) this.#noteReason(REASON_NUMBER.restricted);
      const bits = candidatesHere & ~forbidden;
      const sometimes = bits & (split.words[word] ?? 0);
      for (let rest = sometimes; rest !== 0; rest &= rest - 1) this.#canPlay(lowestOf(word, rest), view);
      const runs = bits & (running.words[word] ?? 0) & ~sometimes;
      if ((bits & ~sometimes) !== runs) this.#noteReason(REASON_NUMBER.outside_schedule);
      if ((bits & (outsideDaypart.words[word] ?? 0)) !== 0) this.#noteReason(REASON_NUMBER.outside_daypart);
      if ((runs & (paused.words[word] ?? 0)) !== 0) this.#noteReason(REASON_NUMBER.paused);
      if ((runs & (unready.words[word] ?? 0)) !== 0) this.#noteReason(REASON_NUMBER.creative_not_ready);
    }
    if (!candidates) this.reason = this.#index.groups.emptyReason(group);
  }
}

/**
 * How far behind an entry of a list is, by its campaign's progress at the last look-up. It cannot be further behind
 * now, because progress only grows. A pass over a list reads only this of most entries, from adjacent memory.
 */
function rememberedScore(list: Float64Array, row: number, sinceMs: Milliseconds): number {
  const score = list[row + BEHIND]! + list[row + SHARE_PER_MS]! * sinceMs;
  if (score <= 0) return score - list[row + AHEAD]!;
  return list[row + BRAND]! < 0 ? score + PLANNED_FIRST : score;
}
