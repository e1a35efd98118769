/**
 * One slot for the rules of eligibility (`#domain/plays/eligibility.ts`), over the columns of this process: campaigns
 * are integers, and each question reads an array. The engine has one such object and sets it for each decision, so
 * nothing is allocated on the path of a request.
 */
import type { Index } from '#domain/id.ts';
import { ELIGIBLE, type SlotRules } from '#domain/plays/eligibility.ts';
import type { Reservations } from './reservations.ts';
import type { CandidateIndex } from './candidate-index.ts';
import { hasBit } from './columns/bits.ts';
import { LIVE } from './candidate-index.ts';
import type { Group, Segment } from './places/group.ts';
import type { Venue } from './places/venue.ts';
import type { ScreenTable } from './screen-table.ts';
import type { Segments } from './lists/segments.ts';
import { type HourlyAudience, peopleAt } from '#domain/screens/venue.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The slot of a screen (its integer), its start, and the maximum duration of an ad. */
export type Slot = { screen: Index<'screen'>; atMs: Milliseconds; maxDurationMs: Milliseconds };

/** No campaign was shown before. */
export const NOBODY = -1;
const MINUTE_MS = 60_000;

export type SlotViewDependencies = {
  index: CandidateIndex;
  screens: ScreenTable;
  reservations: Reservations;
  segments: Segments;
};

export class SlotView implements SlotRules<number> {
  screen: Index<'screen'>;
  atMs: Milliseconds;
  maxDurationMs: Milliseconds;
  group: Group;
  segment: Segment;
  venue: Venue;
  /** The minute of the quarter, 0 .. 14. */
  minute: number;
  /** The longest ad that the slot and the screen's share of ads allow, in ms. */
  limitMs: Milliseconds;
  /** The number of the screen's orientation. */
  side: number;
  hasSensor: boolean;
  /** The screen's audience from a source. */
  audience: HourlyAudience | undefined;
  /** The campaign of the previous slot. */
  last: number;
  /**
   * Whether candidates come from a search: listed ones are known to run, unless one of them may run only in some
   * minutes.
   */
  isSearching = false;
  readonly #index: CandidateIndex;
  readonly #screens: ScreenTable;
  readonly #reservations: Reservations;
  readonly #segments: Segments;

  constructor({ index, screens, reservations, segments }: SlotViewDependencies, slot: Slot, group: Group) {
    this.#index = index;
    this.#screens = screens;
    this.#reservations = reservations;
    this.#segments = segments;
    this.group = group;
    this.segment = segments.at(group, slot.atMs);
    this.venue = screens.venueAt(slot.screen);
    this.screen = slot.screen;
    this.atMs = slot.atMs;
    this.maxDurationMs = slot.maxDurationMs;
    this.limitMs = slot.maxDurationMs;
    this.minute = 0;
    this.side = 0;
    this.hasSensor = false;
    this.audience = undefined;
    this.last = NOBODY;
  }

  /** Moves to another slot. */
  set({ screen, atMs, maxDurationMs }: Slot): void {
    const screens = this.#screens;
    this.screen = screen;
    this.atMs = atMs;
    this.maxDurationMs = maxDurationMs;
    this.group = this.#index.groups.of(screen);
    this.segment = this.#segments.at(this.group, atMs);
    this.venue = screens.venueAt(screen);
    this.minute = Math.floor((atMs - this.segment.startMs) / MINUTE_MS);
    this.limitMs = maxDurationMs;
    this.side = screens.side(screen);
    this.hasSensor = screens.hasSensor(screen);
    this.audience = screens.audiences[screen];
    this.last = screens.lastCampaign(screen);
    this.isSearching = false;
  }

  /** People before a play: those of the screen's audience in this hour, else the venue's own figure. */
  get people(): number {
    return this.audience === undefined ? this.venue.meanAudience() : peopleAt(this.audience, this.segment.hourOfWeek);
  }

  get leadMax(): number {
    return this.segment.leadMax;
  }

  get hasPlan(): boolean {
    return this.segment.advice !== undefined;
  }

  /** Whether the venue is open at the slot's minute. */
  get isOpen(): boolean {
    return ((this.segment.openMinutes >>> this.minute) & 1) === 1;
  }

  flightReason(campaign: Index<'campaign'>): number {
    if (!this.segment.hasSplit && !this.isSearching) return ELIGIBLE;
    const quarter = this.#segments.quarterOf(this.group, this.atMs);
    if (!hasBit(quarter.split.words, campaign)) return ELIGIBLE;
    return this.#index.flights.reasonAt(quarter, campaign, this.minute);
  }

  isOffered(campaign: Index<'campaign'>): boolean {
    return this.#index.isOffered(campaign);
  }

  isLive(campaign: Index<'campaign'>): boolean {
    return this.#index.state(campaign) === LIVE;
  }

  shortestMs(campaign: Index<'campaign'>): number {
    return this.#index.shortestMs(campaign, this.side);
  }

  costMicros(durationMs: Milliseconds): number {
    return this.audience === undefined
      ? this.venue.costOf(durationMs, this.hasSensor)
      : this.venue.costBefore(this.people, durationMs, this.hasSensor);
  }

  availableMicros(campaign: Index<'campaign'>): number {
    return this.#reservations.available(campaign);
  }

  isExhausted(campaign: Index<'campaign'>): boolean {
    return this.#reservations.isExhausted(campaign);
  }

  isCapReached(campaign: Index<'campaign'>): boolean {
    const most = this.#index.frequencyPerHourMax(campaign);
    return most !== 0 && this.#screens.fillsWithinHour(this.screen, campaign, this.atMs) >= most;
  }

  competesWithLast(campaign: Index<'campaign'>): boolean {
    const { last } = this;
    if (last === NOBODY || campaign === last) return false;
    const index = this.#index;
    return (
      index.categoryNumber(campaign) === index.categoryNumber(last) &&
      index.workspace(campaign) !== index.workspace(last)
    );
  }

  heldBack(campaign: Index<'campaign'>): number {
    return this.#index.heldBack(campaign);
  }

  goalInverse(campaign: Index<'campaign'>): number {
    return this.#index.goalInverse(campaign);
  }
}
