/**
 * The short lists of quarters in which more campaigns may play than a list has room for. Between requests each is
 * checked for candidates further behind their curves than those on it, so that a decision finds them there.
 */
import type { Index } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { CandidateIndex } from '../candidate-index.ts';
import { hasBit, nextMember } from '../columns/bits.ts';
import { QUARTER_MS } from '../flights.ts';
import { candidateAt, candidateRow, type Group, scoreRow, type Segment, SHARE, SHARE_PER_MS } from '../places/group.ts';
import type { Reservations } from '../reservations.ts';
import type { Entries } from './entries.ts';

/** Comparing this many takes half a microsecond; longer lists choose no better if screens have many campaigns. */
export const SHORTLIST_MAX = 128;
/** The number of refreshed short lists: those of the last few quarters of a few thousand groups. */
const SHORTLISTS_MAX = 20_000;

export class ShortLists {
  readonly #index: CandidateIndex;
  readonly #reservations: Reservations;
  readonly #entries: Entries;
  readonly #short: { group: Group; segment: Segment }[] = [];
  #turn = 0;
  readonly #scores = new Float64Array(SHORTLIST_MAX);
  #listed = new Uint8Array(256);

  constructor(index: CandidateIndex, reservations: Reservations, entries: Entries) {
    this.#index = index;
    this.#reservations = reservations;
    this.#entries = entries;
  }

  get size(): number {
    return this.#short.length;
  }

  /** Refreshes this list from now on, while its group has it. */
  add(group: Group, segment: Segment): void {
    if (this.#short.length < SHORTLISTS_MAX) this.#short.push({ group, segment });
  }

  forget(): void {
    this.#short.length = 0;
    this.#turn = 0;
  }

  /**
   * Checks about `steps` candidates for some further behind than those on a short list; a thousand take about ten
   * microseconds. Returns false if there is no short list.
   */
  refresh(atMs: Milliseconds, steps: number): boolean {
    let left = steps;
    while (left > 0) {
      if (this.#short.length === 0) return false;
      this.#turn %= this.#short.length;
      const { group, segment } = this.#short[this.#turn]!;
      if (segment.startMs + QUARTER_MS <= atMs || group.segments.get(segment.startMs) !== segment)
        this.#drop(this.#turn);
      else left = this.#sweep(group, segment, { atMs: Math.max(atMs, segment.startMs), steps: left });
      left--;
    }
    return true;
  }

  #drop(at: number): void {
    const last = this.#short.pop()!;
    if (at < this.#short.length) this.#short[at] = last;
  }

  /** Checks the next candidates of one segment; returns the remaining steps. */
  #sweep(group: Group, segment: Segment, { atMs, steps }: { atMs: Milliseconds; steps: number }): number {
    if (
      group.version !== this.#index.groups.version ||
      segment.version !== this.#index.groups.version ||
      segment.planVersion !== this.#index.plan.version
    )
      return this.#leave(steps);
    const quarter = this.#entries.quarterOf(group, segment.startMs);
    const sinceMs = atMs - segment.startMs;
    let lowest = this.#scoreList(segment, sinceMs);
    let left = steps - segment.count;
    let campaign = nextMember(group.bits.words, segment.sweepFrom);
    for (; campaign >= 0 && left > 0; campaign = nextMember(group.bits.words, campaign + 1), left--) {
      if (
        this.#listed[campaign] === 1 ||
        !hasBit(quarter.running.words, campaign) ||
        !hasBit(this.#index.offered.words, campaign)
      )
        continue;
      this.#index.flights.ensureShare(quarter, campaign);
      const score = quarter.share[campaign]! + quarter.sharePerMs[campaign]! * sinceMs - this.#index.progress(campaign);
      if (score <= this.#scores[lowest]! || !this.#hasMoney(campaign)) continue;
      this.#listed[candidateAt(segment, lowest)] = 0;
      this.#listed[campaign] = 1;
      this.#entries.place(segment, quarter, { entry: lowest, campaign });
      this.#scores[lowest] = score;
      lowest = this.#lowestEntry(segment.count);
      left -= segment.count;
    }
    for (let entry = 0; entry < segment.count; entry++) this.#listed[candidateAt(segment, entry)] = 0;
    segment.sweepFrom = Math.max(0, campaign);
    return campaign < 0 ? this.#leave(left) : left;
  }

  /** Continues with the next short list. */
  #leave(steps: number): number {
    this.#turn++;
    return steps;
  }

  /** Scores the list, marks its campaigns, and returns the least useful entry: one that cannot be shown or paid for. */
  #scoreList(segment: Segment, sinceMs: Milliseconds): number {
    if (this.#listed.length < this.#index.campaigns.size) this.#listed = new Uint8Array(this.#index.campaigns.size * 2);
    const { list } = segment;
    for (let entry = 0; entry < segment.count; entry++) {
      const campaign = candidateAt(segment, entry);
      this.#listed[campaign] = 1;
      const canPlay = hasBit(this.#index.offered.words, campaign) && this.#reservations.available(campaign) > 0;
      this.#scores[entry] = canPlay
        ? list[candidateRow(segment, entry) + SHARE]! +
          list[scoreRow(entry) + SHARE_PER_MS]! * sinceMs -
          this.#index.progress(campaign)
        : -Infinity;
    }
    return this.#lowestEntry(segment.count);
  }

  #lowestEntry(count: number): number {
    let lowest = 0;
    for (let entry = 1; entry < count; entry++) if (this.#scores[entry]! < this.#scores[lowest]!) lowest = entry;
    return lowest;
  }

  /** Whether a campaign has money. A campaign without money requests some, and is listed once it has arrived. */
  #hasMoney(campaign: Index<'campaign'>): boolean {
    if (this.#reservations.available(campaign) > 0) return true;
    if (!this.#reservations.isExhausted(campaign))
      this.#reservations.want(campaign, Math.max(1, this.#reservations.needMicros(campaign)));
    return false;
  }
}
