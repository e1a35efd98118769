/**
 * The lists that decisions read: for a group and a quarter of an hour, the candidates whose flights run. Up to 128 of them
 * are all listed. Where there are more, the list is short: 128 of them, replaced one by one by those further behind their
 * curves (`refresh`, between requests) and by those that a decision had to search for because nobody on the list could
 * play. So a decision costs the same however many campaigns there are.
 */
import { emptyKey, keyNumber, toggleHandle } from '#domain/allocation/network/segment-key.ts';
import type { Index } from '#domain/id.ts';
import { isOpen } from '#domain/screens/schedule.ts';
import { ORIENTATIONS } from '#domain/screens/screen.ts';
import type { Reservations } from './reservations.ts';
import { countCommon, hasBit, nextMember } from './columns/bits.ts';
import type { CandidateIndex } from './candidate-index.ts';
import { type Flights, type Quarter, QUARTER_MINUTES, QUARTER_MS } from './flights.ts';
import {
  AHEAD,
  BEHIND,
  CANDIDATE,
  candidateRow,
  CATEGORY,
  FIRST,
  type Group,
  PLANNED_FIRST,
  ROW_WIDTH,
  scoreRow,
  type Segment,
  SHARE,
  SHARE_PER_MS,
  WORKSPACE,
} from './places/group.ts';
import { NO_PLAN } from './plan-view.ts';
import { ZoneOffsets } from './zone-offsets.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Comparing so many takes half a microsecond; longer lists choose no better where screens have many campaigns. */
export const SHORTLIST_MAX = 128;
const ALL_MINUTES = (1 << QUARTER_MINUTES) - 1;
const MINUTE_MS = 60_000;
/** Enough for now and for offline plans of an hour or two; for times further apart segments are made again. */
const SEGMENTS_PER_GROUP_MAX = 16;
/**
 * The next quarter's lists are made in the last minutes of this one, for a millisecond in every twenty: 15 s in all, enough
 * for a quarter of a million lists.
 */
const AHEAD_MS = 5 * MINUTE_MS;
/** What making a list costs besides its entries, counted in candidates that a refresh could check instead. */
const MADE_STEPS = 32;
/** Short lists that are refreshed: those of the last few quarters of a few thousand groups. */
const SHORTLISTS_MAX = 20_000;

/** Which candidates are listed: those among `words` from one campaign up to another, offered ones only if so asked. */
type ListRange = { words: Uint32Array; from: number; to?: number; offeredOnly: boolean };

export class Segments {
  readonly #index: CandidateIndex;
  readonly #flights: Flights;
  readonly #reservations: Reservations;
  readonly leadMax: number;
  readonly #zones = new ZoneOffsets();
  readonly #short: { group: Group; segment: Segment }[] = [];
  #turn = 0;
  /** Where the next short list begins, so that groups with the same candidates begin with different ones. */
  #begin = 0;
  /** The group whose lists are made next, and what the lists are made for: quarters, campaigns and plan. */
  #readyFrom = 0;
  #readyFor = '';
  readonly #scores = new Float64Array(SHORTLIST_MAX);
  #listed = new Uint8Array(256);

  /** `leadMax` holds while there is no plan. */
  constructor(index: CandidateIndex, reservations: Reservations, leadMax: number) {
    this.#index = index;
    this.leadMax = leadMax;
    this.#flights = index.flights;
    this.#reservations = reservations;
  }

  /** The quarter that holds `atMs` where the group's screens are. */
  quarterOf(group: Group, atMs: Milliseconds): Quarter {
    return this.#flights.quarterAt(this.#zones.at(group.venue.timezone, atMs), atMs);
  }

  /** The group's segment for a time. The group is up to date. */
  at(group: Group, atMs: Milliseconds): Segment {
    const current = group.current;
    if (
      current !== undefined &&
      current.version === this.#index.version &&
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

  /** Puts a candidate that was searched for onto a short list, in place of any entry but that of `keep`. */
  adopt(group: Group, segment: Segment, campaign: Index<'campaign'>, keep: number): void {
    if (segment.isWhole) return;
    if (segment.count < SHORTLIST_MAX) segment.next = segment.count++;
    else if (candidateAt(segment, segment.next) === keep) segment.next = (segment.next + 1) % SHORTLIST_MAX;
    this.#place(segment, this.quarterOf(group, segment.startMs), { entry: segment.next, campaign });
    segment.next = (segment.next + 1) % SHORTLIST_MAX;
  }

  /**
   * Checks about `steps` candidates for some that are further behind than those on a short list; a thousand take some ten
   * microseconds. Answers false when there is no short list.
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

  /**
   * Makes whole lists before a decision has to: those of this quarter after an edit or a new plan, those of the next one
   * before it begins. They are the same as a decision would make. A short list depends on those made before it, and is left
   * to decisions. Works for about `steps`; answers false when all are ready.
   */
  makeReady(atMs: Milliseconds, steps: number): boolean {
    const index = this.#index;
    const quarter = Math.floor((atMs + AHEAD_MS) / QUARTER_MS);
    const wanted = `${quarter} ${Math.floor(atMs / QUARTER_MS)} ${index.version} ${index.plan.version} ${index.groupsEver}`;
    if (wanted === this.#readyFor && this.#readyFrom >= index.groupsMax) return false;
    if (wanted !== this.#readyFor) this.#readyFrom = 0;
    this.#readyFor = wanted;
    for (let left = steps; left > 0 && this.#readyFrom < index.groupsMax; this.#readyFrom++) {
      const group = index.groupNumbered(this.#readyFrom);
      left--;
      if (group === undefined) continue;
      left -= this.#makeWhole(group, quarter * QUARTER_MS);
      if (atMs < quarter * QUARTER_MS) left -= this.#makeWhole(group, atMs);
    }
    return this.#readyFrom < index.groupsMax;
  }

  /** Makes a group's list of a quarter, unless it is a short one; answers the steps that it took. */
  #makeWhole(group: Group, atMs: Milliseconds): number {
    const { words } = group.bits;
    const running = countCommon(words, this.quarterOf(group, atMs).running.words, SHORTLIST_MAX + 1);
    if (running > SHORTLIST_MAX) return words.length;
    this.at(group, atMs);
    return MADE_STEPS + words.length + running;
  }

  /** Whether there is a short list to refresh. */
  hasShort(): boolean {
    return this.#short.length > 0;
  }

  /** Forgets the lists: each is made again when it is asked for, as in a process that begins now. */
  forget(): void {
    this.#index.forget();
    this.#short.length = 0;
    this.#turn = 0;
    this.#begin = 0;
  }

  /** Takes in what a new plan says of the segment. */
  #follow(group: Group, segment: Segment): void {
    const { plan } = this.#index;
    const quarter = this.quarterOf(group, segment.startMs);
    if (segment.keyVersion !== plan.setVersion) {
      segment.key = this.#keyOf(group, quarter);
      segment.keyVersion = plan.setVersion;
    }
    segment.advice = plan.adviceFor(segment.key);
    segment.leadMax = segment.advice.leadMax;
    segment.planVersion = plan.version;
    for (let entry = 0; entry < segment.count; entry++)
      this.#place(segment, quarter, { entry, campaign: candidateAt(segment, entry) });
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

  /** The key that the plan gives the set of its campaigns that may play here. */
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

  #drop(at: number): void {
    const last = this.#short.pop()!;
    if (at < this.#short.length) this.#short[at] = last;
  }

  #add(group: Group, startMs: Milliseconds): Segment {
    if (group.segments.size >= SEGMENTS_PER_GROUP_MAX)
      for (const oldest of group.segments.keys()) {
        group.segments.delete(oldest);
        break;
      }
    const segment = this.#make(group, startMs);
    group.segments.set(startMs, segment);
    if (!segment.isWhole && this.#short.length < SHORTLISTS_MAX) this.#short.push({ group, segment });
    return segment;
  }

  #make(group: Group, startMs: Milliseconds): Segment {
    const quarter = this.quarterOf(group, startMs);
    const { words } = group.bits;
    const running = countCommon(words, quarter.running.words, SHORTLIST_MAX + 1);
    const isWhole = running <= SHORTLIST_MAX;
    const room = isWhole ? running : SHORTLIST_MAX;
    const segment: Segment = {
      startMs,
      openMinutes: openMinutesOf(group, quarter),
      version: this.#index.version,
      isWhole,
      hasSplit: false,
      count: 0,
      room,
      list: new Float64Array(room * 2 * ROW_WIDTH),
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
      this.#place(segment, quarter, { entry: segment.count++, campaign });
    }
  }

  #place(
    segment: Segment,
    quarter: Quarter,
    { entry, campaign }: { entry: number; campaign: Index<'campaign'> },
  ): void {
    this.#flights.ensureShare(quarter, campaign);
    const { list } = segment;
    const scores = scoreRow(entry);
    list[scores + BEHIND] = quarter.share[campaign]! - this.#index.progress(campaign);
    list[scores + SHARE_PER_MS] = quarter.sharePerMs[campaign]!;
    list[scores + AHEAD] = this.#index.ahead(campaign);
    list[scores + FIRST] = segment.advice?.planned.has(campaign) === true ? PLANNED_FIRST : 0;
    const candidate = candidateRow(segment, entry);
    list[candidate + CANDIDATE] = campaign;
    list[candidate + CATEGORY] = this.#index.categoryNumber(campaign);
    list[candidate + WORKSPACE] = this.#index.workspace(campaign);
    list[candidate + SHARE] = quarter.share[campaign]!;
    if (hasBit(quarter.split.words, campaign)) segment.hasSplit = true;
  }

  /** Takes in what changed since the segment was made. False: it is to be made again. */
  #bringUpToDate(group: Group, segment: Segment): boolean {
    const { version } = this.#index;
    if (segment.version === version) return true;
    const quarter = this.quarterOf(group, segment.startMs);
    for (let changed = segment.version + 1; changed <= version; changed++) {
      const campaign = this.#index.changedAt(changed);
      const isMember = hasBit(group.bits.words, campaign) && hasBit(quarter.running.words, campaign);
      const entry = entryOf(segment, campaign);
      if (segment.isWhole && (isMember || entry >= 0)) return false;
      if (isMember && entry >= 0) this.#place(segment, quarter, { entry, campaign });
      // A new or edited campaign is listed at once; the next decision sees how far behind it is.
      else if (isMember) this.adopt(group, segment, campaign, -1);
      else if (entry >= 0) this.#takeOff(segment, entry);
    }
    segment.version = version;
    // Other members have another key. The versions of no plan make the next decision take the plan in again.
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

  /** Checks the next candidates of one segment; answers the steps that are left. */
  #sweep(group: Group, segment: Segment, { atMs, steps }: { atMs: Milliseconds; steps: number }): number {
    if (
      group.version !== this.#index.version ||
      segment.version !== this.#index.version ||
      segment.planVersion !== this.#index.plan.version
    )
      return this.#leave(steps);
    const quarter = this.quarterOf(group, segment.startMs);
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
      this.#flights.ensureShare(quarter, campaign);
      const score = quarter.share[campaign]! + quarter.sharePerMs[campaign]! * sinceMs - this.#index.progress(campaign);
      if (score <= this.#scores[lowest]! || !this.#hasMoney(campaign)) continue;
      this.#listed[candidateAt(segment, lowest)] = 0;
      this.#listed[campaign] = 1;
      this.#place(segment, quarter, { entry: lowest, campaign });
      this.#scores[lowest] = score;
      lowest = this.#lowestEntry(segment.count);
      left -= segment.count;
    }
    for (let entry = 0; entry < segment.count; entry++) this.#listed[candidateAt(segment, entry)] = 0;
    segment.sweepFrom = Math.max(0, campaign);
    return campaign < 0 ? this.#leave(left) : left;
  }

  /** Goes on with the next short list. */
  #leave(steps: number): number {
    this.#turn++;
    return steps;
  }

  /** Scores the list, marks who is on it, and answers the entry that is worth least: one that cannot be shown or paid for. */
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

  /** Whether a campaign has money. One that has none asks for some, and is listed once it has come. */
  #hasMoney(campaign: Index<'campaign'>): boolean {
    if (this.#reservations.available(campaign) > 0) return true;
    if (!this.#reservations.isExhausted(campaign))
      this.#reservations.want(campaign, Math.max(1, this.#reservations.needMicros(campaign)));
    return false;
  }
}

/** The campaign in an entry of a segment's list. */
export function candidateAt(segment: Segment, entry: number): Index<'campaign'> {
  return segment.list[candidateRow(segment, entry) + CANDIDATE]!;
}

/** The entry of a campaign, or -1. */
function entryOf(segment: Segment, campaign: Index<'campaign'>): number {
  for (let entry = 0; entry < segment.count; entry++) if (candidateAt(segment, entry) === campaign) return entry;
  return -1;
}

function openMinutesOf({ venue: { hours } }: Group, { startMs, offsetMs }: Quarter): number {
  if (hours === undefined) return ALL_MINUTES;
  let mask = 0;
  for (let minute = 0; minute < QUARTER_MINUTES; minute++)
    if (isOpen(hours, offsetMs / MINUTE_MS, startMs + minute * MINUTE_MS)) mask |= 1 << minute;
  return mask;
}
