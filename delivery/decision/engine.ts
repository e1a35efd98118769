/**
 * The decision: which campaign and creative a slot of a screen gets, or why none. One pass over the short list of the
 * screen's group in the slot's quarter, in typed arrays, without a socket, a queue or a clock; nothing is allocated but
 * what the pass leaves in `fill`. The eligible campaign furthest behind its even curve wins; the one that was on the
 * screen last only when no other can play. A competitor of the last one (another owner, the same category) never follows
 * it directly: where nobody else is there, the slot is left to house content, so that both have their turn. Where nobody on a short list can, all candidates are searched before a slot
 * is refused.
 */
import { assert } from '#domain/assertion.ts';
import type { Index } from '#domain/id.ts';
import { AD_CREDIT_MS_MAX, allowedAdMs, LEAD_PLAYS, REASON_NUMBER } from '#domain/plays/decision.ts';
import { LEAD_MAX } from '#domain/campaigns/pacing.ts';
import { NOT_TAKEN, type Reservations } from '../budget/reservations.ts';
import { hasBit, lowestOf } from './columns/bits.ts';
import { type CandidateIndex, type Group, LIVE } from './candidate-index.ts';
import { turnAmong } from './creative-turns.ts';
import type { CreativeFacts } from './facts.ts';
import type { ScreenTable, Venue } from './screen-table.ts';
import { PLANNED_FIRST, type Segment, Segments } from './segments.ts';

const MINUTE_MS = 60_000;
/** Campaigns without money that one search asks some for: the next slots ask for others. */
const WANTS_PER_SEARCH_MAX = 16;

/** What a slot gets. One object, overwritten by the next decision. */
export type Fill = {
  campaign: Index<'campaign'>;
  creative: CreativeFacts | undefined;
  rateMicros: number;
  impressionsEst: number;
  impressionsMax: number;
  costMicros: number;
  issueNumber: number;
};

export type Slot = { screen: Index<'screen'>; atMs: number; maxDurationMs: number };

/** A fill; any other answer of `decide` is the number of a no-fill reason. */
export const FILLED = -1;
/** A campaign follows itself on a screen when it is so many times as far behind as the next, or the next is as many times as far ahead: at 2, narrow campaigns were left with half of their screens. */
const REPEAT_TIMES = 1.25;
const CAN_PLAY = -1;
const NOBODY = -1;

/** A slot with what its screen allows. One object, overwritten by the next decision. */
type Look = Slot & {
  group: Group;
  venue: Venue;
  segment: Segment;
  minute: number;
  limitMs: number;
  side: number;
  sensor: boolean;
  last: number;
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
  /** Told before what may change a later answer, besides decisions: lists that are made or refreshed. */
  onPrepare: (screen: Index<'screen'>, atMs: number) => void = () => undefined;
  onRefresh: (atMs: number, steps: number) => void = () => undefined;
  readonly #index: CandidateIndex;
  readonly #screens: ScreenTable;
  readonly #reservations: Reservations;
  readonly #segments: Segments;
  /** The word from which the next search starts, so that it finds others than the last one. */
  #searchFrom = 0;
  #wantsLeft = 0;
  #look: Look | undefined;
  #lastCanPlay = false;
  /** Somebody is refused because it competes with the last one. */
  #hasCompetitor = false;
  /** Those on a list are known by it; whoever is searched for may run in some minutes only. */
  #isSearching = false;
  /** The entry of the list that the last pass found to be first. */
  #seenFirst = NOBODY;
  /** How far behind it is, or less than 0. */
  #seenScore = 0;
  /** The largest reason of those looked at so far. */
  #reason = 0;

  constructor({
    index,
    screens,
    reservations,
    leadMax = LEAD_MAX,
  }: {
    index: CandidateIndex;
    screens: ScreenTable;
    reservations: Reservations;
    leadMax?: number;
  }) {
    this.#index = index;
    this.#screens = screens;
    this.#reservations = reservations;
    this.#segments = new Segments(index, reservations, leadMax);
  }

  /** Decides one slot: `FILLED`, and `fill` says what; or the number of the no-fill reason. */
  decide(slot: Slot): number {
    const { screen, maxDurationMs } = slot;
    const answer = this.#choose(slot);
    const ratio = this.#screens.adRatio[screen]!;
    const durationMs = answer === FILLED ? this.fill.creative!.durationMs : 0;
    const credit =
      this.#screens.adCreditMs[screen]! + ratio * (answer === FILLED ? durationMs : maxDurationMs) - durationMs;
    this.#screens.adCreditMs[screen] = Math.min(AD_CREDIT_MS_MAX, credit);
    // House content separates as another ad does.
    if (answer !== FILLED) this.#screens.lastCampaign[screen] = NOBODY;
    return answer;
  }

  /** How far ahead of its curve a campaign may be while there is no plan. */
  get leadMax(): number {
    return this.#segments.leadMax;
  }

  /** Forgets what it can make again, so that it decides from here on like one that begins with the same state. */
  forget(): void {
    this.#segments.forget();
    this.#searchFrom = 0;
  }

  /** Asks for money for the campaigns that a slot of this screen would look at first, so that it is there before it. */
  prepare(screen: Index<'screen'>, atMs: number): void {
    this.onPrepare(screen, atMs);
    const { candidates, count } = this.#segments.at(this.#index.groupOf(screen), atMs);
    for (let entry = 0; entry < count; entry++) this.prepareCampaign(screen, candidates[entry]!);
  }

  /** The same for one campaign. */
  prepareCampaign(screen: Index<'screen'>, campaign: Index<'campaign'>): void {
    const shortest = this.#index.shortestMs[campaign * 2 + this.#screens.orientation[screen]!]!;
    if (this.#index.state[campaign] !== LIVE || shortest === 0) return;
    const cost = this.#screens.venueAt(screen).costOf(shortest, this.#screens.sensor[screen] === 1);
    if (this.#reservations.available(campaign) < cost) this.#reservations.want(campaign, cost);
  }

  /** Makes lists before they are asked for and keeps the short ones fresh, off the path of a request; false when nothing is left to do. @see Segments.makeReady @see Segments.refresh */
  refresh(atMs: number, steps: number): boolean {
    const isMoreToMake = this.#segments.makeReady(atMs, steps);
    if (this.#segments.hasShort()) this.onRefresh(atMs, steps);
    return this.#segments.refresh(atMs, steps) || isMoreToMake;
  }

  #choose(slot: Slot): number {
    const { screen, atMs, maxDurationMs } = slot;
    const screens = this.#screens;
    const group = this.#index.groupOf(screen);
    const segment = this.#segments.at(group, atMs);
    const minute = Math.floor((atMs - segment.startMs) / MINUTE_MS);
    if (((segment.openMinutes >>> minute) & 1) === 0) return REASON_NUMBER.screen_closed;
    const allowedMs = allowedAdMs(screens.adRatio[screen]!, screens.adCreditMs[screen]!);
    if (allowedMs === 0) return REASON_NUMBER.ad_ratio;
    const look = this.#lookAt(slot, { group, segment, minute, limitMs: Math.min(maxDurationMs, allowedMs) });
    const winner = this.#pick(look);
    return winner === NOBODY ? this.#reason : this.#take(winner, look);
  }

  #lookAt(
    { screen, atMs, maxDurationMs }: Slot,
    { group, segment, minute, limitMs }: Pick<Look, 'group' | 'segment' | 'minute' | 'limitMs'>,
  ): Look {
    const screens = this.#screens;
    const venue = screens.venueAt(screen);
    const side = screens.orientation[screen]!;
    const sensor = screens.sensor[screen] === 1;
    const last = screens.lastCampaign[screen]!;
    const look = this.#look;
    if (look === undefined)
      return (this.#look = { screen, atMs, maxDurationMs, group, venue, segment, minute, limitMs, side, sensor, last });
    look.screen = screen;
    look.atMs = atMs;
    look.maxDurationMs = maxDurationMs;
    look.group = group;
    look.venue = venue;
    look.segment = segment;
    look.minute = minute;
    look.limitMs = limitMs;
    look.side = side;
    look.sensor = sensor;
    look.last = last;
    return look;
  }

  #pick(look: Look): number {
    const { segment, last } = look;
    this.#reason = REASON_NUMBER.no_campaign;
    this.#lastCanPlay = false;
    this.#hasCompetitor = false;
    this.#isSearching = false;
    this.#wantsLeft = segment.count;
    const furthest = this.#furthestListed(look);
    if (furthest !== NOBODY && this.#canPlay(furthest, look) && !this.#isTooFarAhead(furthest, this.#seenScore, look))
      return furthest;
    const listed = this.#pickListed(look);
    if (listed !== NOBODY) return listed;
    const found = segment.isWhole ? NOBODY : this.#search(look);
    if (found !== NOBODY) {
      this.#segments.adopt(look.group, segment, found, last);
      return found;
    }
    if (this.#lastCanPlay && !this.#hasCompetitor) return last;
    this.#addStandingReasons(look);
    return NOBODY;
  }

  /**
   * The listed campaign furthest behind, whether it can play or not: nearly always it can, and nothing else need be asked.
   * The pass is over what was last seen of each, side by side in memory, and nobody is further behind than that; so if it
   * still holds of the first one, it is the first. If not, all are looked up again.
   */
  #furthestListed(look: Look): number {
    const { segment } = look;
    const entry = this.#furthestAsSeen(look);
    if (entry === NOBODY) return NOBODY;
    const { candidates, share, behind, count } = segment;
    const { progress } = this.#index;
    if (behind[entry] === share[entry]! - progress[candidates[entry]!]!) return candidates[entry]!;
    for (let other = 0; other < count; other++) behind[other] = share[other]! - progress[candidates[other]!]!;
    const again = this.#furthestAsSeen(look);
    return again === NOBODY ? NOBODY : candidates[again]!;
  }

  #furthestAsSeen({ atMs, segment, last }: Look): number {
    const { candidates, behind, ahead, first, sharePerMs, count, startMs } = segment;
    const sinceMs = atMs - startMs;
    let best = NOBODY;
    let lastEntry = NOBODY;
    let lastScore = 0;
    let bestScore = segment.advice === undefined ? -segment.leadMax : -Infinity;
    for (let entry = 0; entry < count; entry++) {
      let score = behind[entry]! + sharePerMs[entry]! * sinceMs;
      score += score > 0 ? first[entry]! : -ahead[entry]!;
      if (score <= bestScore) continue;
      if (candidates[entry] === last) {
        lastEntry = entry;
        lastScore = score;
      } else {
        best = entry;
        bestScore = score;
      }
    }
    if (lastEntry !== NOBODY && mayRepeat(segment, lastScore, bestScore)) {
      // Ahead as it is, it goes first only where another can play: whether one can, the second look finds out.
      best = lastScore > 0 ? lastEntry : NOBODY;
      bestScore = lastScore;
    }
    this.#seenFirst = best;
    this.#seenScore = bestScore;
    return best;
  }

  /** The listed campaign furthest behind that can play. One is asked whether it can only when it would win so far. */
  #pickListed(look: Look): number {
    const { segment, last } = look;
    const { candidates, share, first, sharePerMs, count } = segment;
    const { progress, ahead } = this.#index;
    const sinceMs = look.atMs - segment.startMs;
    let best = NOBODY;
    let bestScore = -Infinity;
    let lastScore = -Infinity;
    for (let entry = 0; entry < count; entry++) {
      const campaign = candidates[entry]!;
      // In the order of the quick pass: both must round alike.
      let score = share[entry]! - progress[campaign]! + sharePerMs[entry]! * sinceMs;
      score += score > 0 ? first[entry]! : -ahead[campaign]!;
      if (score <= bestScore) continue;
      if (!this.#canPlay(campaign, look)) continue;
      if (this.#isTooFarAhead(campaign, score, look)) this.#noteReason(REASON_NUMBER.paced_out);
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

  /** Any candidate that can play, other than the last one; nobody only after all of them were looked at. */
  #search(look: Look): number {
    const { group, atMs, last } = look;
    const { offered } = this.#index;
    const quarter = this.#segments.quarterOf(group, atMs);
    const length = Math.min(group.bits.words.length, quarter.running.words.length, offered.words.length);
    this.#wantsLeft = WANTS_PER_SEARCH_MAX;
    this.#isSearching = true;
    for (let step = 0; step < length; step++) {
      const word = (this.#searchFrom + step) % length;
      for (
        let bits = group.bits.words[word]! & quarter.running.words[word]! & offered.words[word]!;
        bits !== 0;
        bits &= bits - 1
      ) {
        const campaign = lowestOf(word, bits);
        if (!this.#canPlay(campaign, look)) continue;
        if (this.#isTooFarAhead(campaign, this.#scoreOf(campaign, look) - this.#index.ahead[campaign]!, look))
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

  #scoreOf(campaign: Index<'campaign'>, { group, atMs, segment }: Look): number {
    const quarter = this.#segments.quarterOf(group, atMs);
    this.#index.flights.ensureShare(quarter, campaign);
    return (
      quarter.share[campaign]! +
      quarter.sharePerMs[campaign]! * (atMs - segment.startMs) -
      this.#index.progress[campaign]!
    );
  }

  /** By plan, a few plays are never too far: a small budget is shown at once, and its curve is made of plays. */
  #isTooFarAhead(campaign: Index<'campaign'>, score: number, { segment, venue, side, sensor }: Look): boolean {
    if (score >= -segment.leadMax) return false;
    if (segment.advice === undefined) return true;
    const playMicros = venue.costOf(this.#index.shortestMs[campaign * 2 + side]!, sensor);
    return score < -LEAD_PLAYS * playMicros * this.#index.goalInverse[campaign]!;
  }

  #noteReason(reason: number): void {
    if (reason > this.#reason) this.#reason = reason;
  }

  /** Whether a candidate that runs in the quarter can play now; if not, its reason is noted. */
  #canPlay(campaign: Index<'campaign'>, look: Look): boolean {
    const reason = this.#reasonAgainst(campaign, look);
    if (reason === CAN_PLAY) return true;
    this.#noteReason(reason);
    return false;
  }

  #reasonAgainst(
    campaign: Index<'campaign'>,
    { screen, atMs, maxDurationMs, group, venue, segment, minute, limitMs, side, sensor, last }: Look,
  ): number {
    const index = this.#index;
    const reservations = this.#reservations;
    if ((segment.hasSplit || this.#isSearching) && !this.#runs(campaign, { group, atMs, minute }))
      return this.#outsideReason(campaign, { group, atMs, minute });
    if (!hasBit(index.offered.words, campaign))
      return index.state[campaign] === LIVE ? REASON_NUMBER.creative_not_ready : REASON_NUMBER.paused;
    const shortest = index.shortestMs[campaign * 2 + side]!;
    if (shortest === 0 || shortest > maxDurationMs) return REASON_NUMBER.format;
    if (shortest > limitMs) return REASON_NUMBER.ad_ratio;
    const cost = venue.costOf(shortest, sensor);
    if (reservations.available(campaign) < cost) return this.#missMoney(campaign, cost);
    const most = index.frequencyPerHourMax[campaign]!;
    if (most !== 0 && this.#screens.fillsWithinHour(screen, campaign, atMs) >= most) return REASON_NUMBER.frequency;
    if (last === NOBODY || campaign === last || !this.#compete(campaign, last)) return CAN_PLAY;
    this.#hasCompetitor = true;
    return REASON_NUMBER.separation;
  }

  /** Whether two campaigns of other owners advertise the same category. */
  #compete(campaign: Index<'campaign'>, other: number): boolean {
    const { category, workspace } = this.#index;
    return category[campaign] === category[other] && workspace[campaign] !== workspace[other];
  }

  #runs(campaign: Index<'campaign'>, { group, atMs, minute }: { group: Group; atMs: number; minute: number }): boolean {
    const quarter = this.#segments.quarterOf(group, atMs);
    return !hasBit(quarter.split.words, campaign) || this.#index.flights.reasonAt(quarter, campaign, minute) < 0;
  }

  #outsideReason(
    campaign: Index<'campaign'>,
    { group, atMs, minute }: { group: Group; atMs: number; minute: number },
  ): number {
    return this.#index.flights.reasonAt(this.#segments.quarterOf(group, atMs), campaign, minute);
  }

  #missMoney(campaign: Index<'campaign'>, costMicros: number): number {
    if (this.#wantsLeft-- > 0) this.#reservations.want(campaign, costMicros);
    return this.#reservations.exhausted[campaign] === 1 ? REASON_NUMBER.budget_exhausted : REASON_NUMBER.no_lease;
  }

  /** Nobody can play: the reasons of those that were not looked at, because their flights do not run or nothing of them could be shown. */
  #addStandingReasons(look: Look): void {
    const { group, atMs } = look;
    const { words } = group.bits;
    const { paused, unready } = this.#index;
    const { running, split, outsideDaypart } = this.#segments.quarterOf(group, atMs);
    this.#isSearching = true;
    let candidates = false;
    for (let word = 0; word < words.length; word++) {
      const bits = words[word]!;
      if (bits === 0) continue;
      candidates = true;
      const sometimes = bits & (split.words[word] ?? 0);
      for (let rest = sometimes; rest !== 0; rest &= rest - 1) this.#canPlay(lowestOf(word, rest), look);
      const runs = bits & (running.words[word] ?? 0) & ~sometimes;
      if ((bits & ~sometimes) !== runs) this.#noteReason(REASON_NUMBER.outside_schedule);
      if ((bits & (outsideDaypart.words[word] ?? 0)) !== 0) this.#noteReason(REASON_NUMBER.outside_daypart);
      if ((runs & (paused.words[word] ?? 0)) !== 0) this.#noteReason(REASON_NUMBER.paused);
      if ((runs & (unready.words[word] ?? 0)) !== 0) this.#noteReason(REASON_NUMBER.creative_not_ready);
    }
    if (!candidates) this.#reason = this.#index.emptyReason(group);
  }

  /** Chooses the winner's creative, takes its money and its number, and remembers the fill. */
  #take(campaign: Index<'campaign'>, look: Look): number {
    const { fill } = this;
    const index = this.#index;
    const screens = this.#screens;
    const reservations = this.#reservations;
    const { screen, atMs, venue, sensor } = look;
    const creative = this.#chooseCreative(campaign, look);
    const costMicros = venue.costOf(creative.durationMs, sensor);
    const issueNumber = reservations.take(campaign, costMicros);
    if (issueNumber === NOT_TAKEN) return REASON_NUMBER.no_lease;
    fill.campaign = campaign;
    fill.creative = creative;
    fill.rateMicros = venue.rateMicros;
    fill.impressionsEst = venue.impressions(creative.durationMs);
    fill.impressionsMax = venue.impressionsMax(creative.durationMs, sensor);
    fill.costMicros = costMicros;
    fill.issueNumber = issueNumber;
    index.issued(campaign, costMicros);
    const { segment } = look;
    if (this.#seenFirst >= 0 && segment.candidates[this.#seenFirst] === campaign)
      segment.behind[this.#seenFirst] = segment.share[this.#seenFirst]! - index.progress[campaign]!;
    screens.lastCampaign[screen] = campaign;
    if (index.frequencyPerHourMax[campaign] !== 0) screens.recordFill(screen, campaign, atMs);
    return FILLED;
  }

  /** The creative whose turn it is among those that fit the slot and the money. There is at least one. */
  #chooseCreative(campaign: Index<'campaign'>, { venue, limitMs, side, sensor }: Look): CreativeFacts {
    const index = this.#index;
    const at = campaign * 2 + side;
    const longest = index.longestMs[at]!;
    const heldMicros = this.#reservations.available(campaign);
    const turns = index.turns[at]!;
    if (
      turns.length > 0 &&
      longest <= limitMs &&
      (longest === index.shortestMs[at] || venue.costOf(longest, sensor) <= heldMicros)
    ) {
      const turn = index.nextTurn[at]!;
      index.nextTurn[at] = turn + 1 < turns.length ? turn + 1 : 0;
      return turns[turn < turns.length ? turn : 0]!;
    }
    const chosen = turnAmong(
      index.creatives[at]!,
      creative => creative.durationMs <= limitMs && venue.costOf(creative.durationMs, sensor) <= heldMicros,
    );
    assert(chosen !== undefined, 'a campaign that can play has a creative that fits');
    return chosen;
  }
}

/**
 * Whether the campaign that was on the screen last goes before the next one: by plan, when the plan gives it the segment
 * and not the other, or when it is clearly further behind or less ahead. Else a screen would give every second slot to whoever has
 * somewhere else to go.
 */
function mayRepeat({ advice }: Segment, lastScore: number, otherScore: number): boolean {
  if (advice === undefined) return false;
  if (lastScore <= 0) return otherScore > -Infinity && otherScore < REPEAT_TIMES * lastScore;
  if (lastScore >= PLANNED_FIRST && otherScore < PLANNED_FIRST) return true;
  const tier = otherScore >= PLANNED_FIRST ? PLANNED_FIRST : 0;
  return lastScore - tier > REPEAT_TIMES * Math.max(0, otherScore - tier);
}
