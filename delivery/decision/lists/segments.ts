/**
 * The lists that decisions read: for a group and a quarter of an hour, the candidates whose flights run. Up to 128 of
 * them are all listed. Longer lists are cut to 128. Their entries are replaced one by one: by campaigns further behind
 * their curves (`short-lists.ts`, between requests), and by campaigns that a decision found by search because no listed
 * one could play. So a decision costs the same for any number of campaigns.
 */
import { emptyKey, keyNumber, toggleHandle } from '#domain/allocation/network/segment-key.ts';
import type { Index } from '#domain/id.ts';
import { hourOfWeekAt, isOpen } from '#domain/screens/schedule.ts';
import { ORIENTATIONS } from '#domain/screens/screen.ts';
import type { Reservations } from '../reservations.ts';
import { countCommon, hasBit, nextMember } from '../columns/bits.ts';
import type { CandidateIndex } from '../candidate-index.ts';
import { type Quarter, QUARTER_MINUTES, QUARTER_MS } from '../flights.ts';
import {
  CANDIDATE_WIDTH,
  candidateAt,
  candidateRow,
  entryOf,
  type Group,
  SCORE_WIDTH,
  scoreRow,
  type Segment,
} from '../places/group.ts';
import { Entries } from './entries.ts';
import { SHORTLIST_MAX, ShortLists } from './short-lists.ts';
import { NO_PLAN } from '../plan-view.ts';
import type { Milliseconds } from '#domain/unit.ts';

const ALL_MINUTES = (1 << QUARTER_MINUTES) - 1;
const MINUTE_MS = 60_000;
/**
 * Enough for the present and for offline playlists of an hour or two; for times further apart segments are made again.
 */
const SEGMENTS_PER_GROUP_MAX = 16;
/**
 * The next quarter's lists are made in the last minutes of this one, for a millisecond in every twenty: 15 s in all,
 * enough for a quarter of a million lists.
 */
const AHEAD_MS = 5 * MINUTE_MS;
/** What making a list costs besides its entries, counted in candidates that a refresh could check instead. */
const MADE_STEPS = 32;

/** The listed candidates: those among `words` from one campaign to another, optionally only offered ones. */
type ListRange = { words: Uint32Array; from: number; to?: number; offeredOnly: boolean };

export class Segments {
  readonly #index: CandidateIndex;
  readonly leadMax: number;
  readonly #entries: Entries;
  readonly #shortLists: ShortLists;
  /** The start of the next short list, so that groups with the same candidates begin with different ones. */
  #begin = 0;
  /** The group whose lists are made next, and the quarters, campaigns and plan of the lists. */
  #readyFrom = 0;
  #readyFor = '';

  /** `leadMax` holds while there is no plan. */
  constructor(index: CandidateIndex, reservations: Reservations, leadMax: number) {
    this.#index = index;
    this.leadMax = leadMax;
    this.#entries = new Entries(index);
    this.#shortLists = new ShortLists(index, reservations, this.#entries);
  }

  /** The group's segment for a time. The group is up to date. */
  at(group: Group, atMs: Milliseconds): Segment {
    const current = group.current;
    if (
      current !== undefined &&
      current.version === this.#index.groups.version &&
      atMs >= current.startMs &&
      atMs - current.startMs < QUARTER_MS
    )
      return current;
    const startMs = Math.floor(atMs / QUARTER_MS) * QUARTER_MS;
    let segment = group.segments.get(startMs);
    if (segment === undefined || !this.#bringUpToDate(group, segment)) segment = this.#add(group, startMs);
    if (segment.planVersion !== this.#index.plan.version) this.#follow(group, segment);
    group.current = segment;
    return segment;
  }

  /** Puts a candidate found by search onto a short list, in place of any entry except that of `keep`. */
  adopt(group: Group, segment: Segment, campaign: Index<'campaign'>, keep: number): void {
    if (segment.isWhole) return;
    if (segment.count < SHORTLIST_MAX) segment.next = segment.count++;
    else if (candidateAt(segment, segment.next) === keep) segment.next = (segment.next + 1) % SHORTLIST_MAX;
    this.#entries.place(segment, this.#entries.quarterOf(group, segment.startMs), { entry: segment.next, campaign });
    segment.next = (segment.next + 1) % SHORTLIST_MAX;
  }

  /**
   * Makes complete lists before a decision needs them: lists of this quarter after an edit or a new plan, lists of the
   * next one before it begins. They equal the lists that a decision would make. A short list depends on earlier ones,
   * and is left to decisions. Works for about `steps`; returns false if all are ready.
   */
  makeReady(atMs: Milliseconds, steps: number): boolean {
    const index = this.#index;
    const quarter = Math.floor((atMs + AHEAD_MS) / QUARTER_MS);
    const wanted = `${quarter} ${Math.floor(atMs / QUARTER_MS)} ${index.groups.version} ${index.plan.version} ${index.groups.groupsEver}`;
    if (wanted === this.#readyFor && this.#readyFrom >= index.groups.numbersMax) return false;
    if (wanted !== this.#readyFor) this.#readyFrom = 0;
    this.#readyFor = wanted;
    for (let left = steps; left > 0 && this.#readyFrom < index.groups.numbersMax; this.#readyFrom++) {
      const group = index.groups.numbered(this.#readyFrom);
      left--;
      if (group === undefined) continue;
      left -= this.#makeWhole(group, quarter * QUARTER_MS);
      if (atMs < quarter * QUARTER_MS) left -= this.#makeWhole(group, atMs);
    }
    return this.#readyFrom < index.groups.numbersMax;
  }

  /** Makes a group's list of a quarter unless it is a short one; returns the steps taken. */
  #makeWhole(group: Group, atMs: Milliseconds): number {
    const { words } = group.bits;
    const running = countCommon(words, this.#entries.quarterOf(group, atMs).running.words, SHORTLIST_MAX + 1);
    if (running > SHORTLIST_MAX) return words.length;
    this.at(group, atMs);
    return MADE_STEPS + words.length + running;
  }

  /** The quarter that holds `atMs` where the group's screens are. */
  quarterOf(group: Group, atMs: Milliseconds): Quarter {
    return this.#entries.quarterOf(group, atMs);
  }

  /** @see ShortLists.refresh */
  refresh(atMs: Milliseconds, steps: number): boolean {
    return this.#shortLists.refresh(atMs, steps);
  }

  /** Whether there is a short list to refresh. */
  hasShort(): boolean {
    return this.#shortLists.size > 0;
  }

  /** Drops the lists: each is made again on demand, as in a new process. */
  forget(): void {
    this.#index.groups.forgetLists();
    this.#shortLists.forget();
    this.#begin = 0;
  }

  /** Applies a new plan to the segment. */
  #follow(group: Group, segment: Segment): void {
    const { plan } = this.#index;
    const quarter = this.#entries.quarterOf(group, segment.startMs);
    if (segment.keyVersion !== plan.setVersion) {
      segment.key = this.#keyOf(group, quarter);
      segment.keyVersion = plan.setVersion;
    }
    segment.advice = plan.adviceFor(segment.key);
    segment.leadMax = segment.advice.leadMax;
    segment.planVersion = plan.version;
    for (let entry = 0; entry < segment.count; entry++)
      this.#entries.place(segment, quarter, { entry, campaign: candidateAt(segment, entry) });
    for (const campaign of segment.advice.planned) {
      if (
        !segment.isWhole &&
        entryOf(segment, campaign) < 0 &&
        hasBit(group.bits.words, campaign) &&
        hasBit(quarter.running.words, campaign)
      )
        this.adopt(group, segment, campaign, -1);
    }
  }

  /** The key in the plan of the set of campaigns that may play here. */
  #keyOf(group: Group, quarter: Quarter): number {
    const index = this.#index;
    const side = group.orientation === ORIENTATIONS[0] ? 0 : 1;
    const key = emptyKey();
    for (
      let campaign = nextMember(group.bits.words, 0);
      campaign >= 0;
      campaign = nextMember(group.bits.words, campaign + 1)
    ) {
      if (
        hasBit(quarter.running.words, campaign) &&
        hasBit(index.plan.members.words, campaign) &&
        index.shortestMs(campaign, side) > 0
      )
        toggleHandle(key, index.campaigns.handleAt(campaign));
    }
    return keyNumber(key);
  }

  #add(group: Group, startMs: Milliseconds): Segment {
    if (group.segments.size >= SEGMENTS_PER_GROUP_MAX)
      for (const oldest of group.segments.keys()) {
        group.segments.delete(oldest);
        break;
      }
    const segment = this.#make(group, startMs);
    group.segments.set(startMs, segment);
    if (!segment.isWhole) this.#shortLists.add(group, segment);
    return segment;
  }

  #make(group: Group, startMs: Milliseconds): Segment {
    const quarter = this.#entries.quarterOf(group, startMs);
    const { words } = group.bits;
    const running = countCommon(words, quarter.running.words, SHORTLIST_MAX + 1);
    const isWhole = running <= SHORTLIST_MAX;
    const room = isWhole ? running : SHORTLIST_MAX;
    const segment: Segment = {
      startMs,
      hourOfWeek: hourOfWeekAt(quarter.offsetMs / MINUTE_MS, startMs),
      openMinutes: openMinutesOf(group, quarter),
      version: this.#index.groups.version,
      isWhole,
      hasSplit: false,
      count: 0,
      room,
      list: new Float64Array(room * (SCORE_WIDTH + CANDIDATE_WIDTH)),
      leadMax: this.leadMax,
      planVersion: NO_PLAN.version,
      key: 0,
      keyVersion: NO_PLAN.setVersion,
      advice: undefined,
      next: 0,
      sweepFrom: 0,
    };
    if (isWhole) this.#list(segment, quarter, { words, from: 0, offeredOnly: false });
    else {
      this.#begin = nextMember(words, this.#begin + SHORTLIST_MAX);
      if (this.#begin < 0) this.#begin = 0;
      this.#list(segment, quarter, { words, from: this.#begin, offeredOnly: true });
      if (segment.count < room) this.#list(segment, quarter, { words, from: 0, to: this.#begin, offeredOnly: true });
    }
    return segment;
  }

  #list(segment: Segment, quarter: Quarter, { words, from, to = Infinity, offeredOnly }: ListRange): void {
    const { room } = segment;
    for (
      let campaign = nextMember(words, from);
      campaign >= 0 && campaign < to && segment.count < room;
      campaign = nextMember(words, campaign + 1)
    ) {
      if (!hasBit(quarter.running.words, campaign) || (offeredOnly && !hasBit(this.#index.offered.words, campaign)))
        continue;
      this.#entries.place(segment, quarter, { entry: segment.count++, campaign });
    }
  }

  /** Applies changes since the segment was made. False: make it again. */
  #bringUpToDate(group: Group, segment: Segment): boolean {
    const { version } = this.#index.groups;
    if (segment.version === version) return true;
    const quarter = this.#entries.quarterOf(group, segment.startMs);
    for (let changed = segment.version + 1; changed <= version; changed++) {
      const campaign = this.#index.groups.changedAt(changed);
      const isMember = hasBit(group.bits.words, campaign) && hasBit(quarter.running.words, campaign);
      const entry = entryOf(segment, campaign);
      if (segment.isWhole && (isMember || entry >= 0)) return false;
      if (isMember && entry >= 0) this.#entries.place(segment, quarter, { entry, campaign });
      // A new or edited campaign is listed at once; the next decision sees how far behind it is.
      else if (isMember) this.adopt(group, segment, campaign, -1);
      else if (entry >= 0) this.#takeOff(segment, entry);
    }
    segment.version = version;
    // Other members have another key. The version 0 makes the next decision apply the plan again.
    segment.keyVersion = NO_PLAN.setVersion;
    segment.planVersion = NO_PLAN.version;
    return true;
  }

  #takeOff(segment: Segment, entry: number): void {
    const last = --segment.count;
    const { list } = segment;
    list.copyWithin(scoreRow(entry), scoreRow(last), scoreRow(last + 1));
    list.copyWithin(candidateRow(segment, entry), candidateRow(segment, last), candidateRow(segment, last + 1));
    segment.next = 0;
  }
}

function openMinutesOf({ venue: { hours } }: Group, { startMs, offsetMs }: Quarter): number {
  if (hours === undefined) return ALL_MINUTES;
  let mask = 0;
  for (let minute = 0; minute < QUARTER_MINUTES; minute++)
    if (isOpen(hours, offsetMs / MINUTE_MS, startMs + minute * MINUTE_MS)) mask |= 1 << minute;
  return mask;
}
