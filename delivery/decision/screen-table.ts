/**
 * Screens and venues by small integers. What changes with every slot (credit of the ad ratio, the last campaign) stands
 * in typed arrays by the screen's integer, so that to the garbage collector a hundred thousand screens are a few arrays and
 * not as many objects. Integers are given once and kept for the life of the process.
 */
import { SLOT_DEFAULT_MS } from '#domain/campaigns/creative.ts';
import type { Index, Handle } from '#domain/id.ts';
import { costMicros } from '#domain/money/money.ts';
import { venueRateMicros } from '#domain/money/rate-card.ts';
import { MINUTES_PER_DAY, openMinutesPerDay } from '#domain/screens/schedule.ts';
import { type Orientation, ORIENTATIONS } from '#domain/screens/screen.ts';
import { audienceMost, impressionsThousandths, meanAudience } from '#domain/screens/venue.ts';
import type { ScreenFacts, VenueFacts } from './facts.ts';
import { grownBytes, grownFloats, grownIntegers } from './columns/growth.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** In columns of integers: the screen has no group yet, was shown no campaign, or is the last one of its venue. */
const NONE = -1;
const NOT_KNOWN = -1;

const HOUR_MS = 3_600_000;
/** One entry per fill of a capped campaign within the hour: more than 600 stills of 6 s do not fit into it. */
const FREQUENCY_ENTRIES_MAX = 1024;
const FREQUENCY_ENTRIES_FIRST = 16;

/** The last fills of capped campaigns on one screen. `at` is seconds of the epoch. */
type FrequencyRing = { campaigns: Int32Array; at: Int32Array; next: number; used: number };

/** A screen begins with credit for one default slot, so that a new one shows an ad at once; the ratio holds from then on. */
const AD_CREDIT_FIRST_MS = SLOT_DEFAULT_MS;

/** A venue with what its plays cost. */
export class Venue {
  facts: VenueFacts;
  rateMicros: Micros;
  /** Campaigns whose areas contain the venue, in ascending order; undefined until a screen of it asked for its group. */
  areas: readonly number[] | undefined;
  /** The venue's screens, linked by `ScreenTable.nextOfVenue`. */
  firstScreen = NONE;
  /** People before one of its screens, or NOT_KNOWN. */
  #people = NOT_KNOWN;

  constructor(facts: VenueFacts) {
    this.facts = facts;
    this.rateMicros = venueRateMicros(facts.type);
  }

  replace(facts: VenueFacts): void {
    this.facts = facts;
    this.rateMicros = venueRateMicros(facts.type);
    this.#people = NOT_KNOWN;
    this.areas = undefined;
  }

  /** Estimated impressions of one play, in thousandths. */
  impressions(durationMs: Milliseconds): number {
    return impressionsThousandths(this.#meanAudience(), durationMs);
  }

  /** The most that one play may count, in thousandths; as much is reserved. */
  impressionsMax(durationMs: Milliseconds, sensor: boolean): number {
    return impressionsThousandths(audienceMost(this.#meanAudience(), this.facts.audienceMax, sensor), durationMs);
  }

  /** What one play of this duration reserves, in micros. */
  costOf(durationMs: Milliseconds, sensor: boolean): number {
    return costMicros(this.rateMicros, this.impressionsMax(durationMs, sensor));
  }

  #meanAudience(): number {
    // A walk over the minutes of a week: done once, for the first play.
    if (this.#people === NOT_KNOWN)
      this.#people = meanAudience(
        this.facts,
        this.facts.hours === undefined ? MINUTES_PER_DAY : openMinutesPerDay(this.facts.hours),
      );
    return this.#people;
  }
}

export class ScreenTable {
  size = 0;
  handles = new Float64Array(256);
  venueOf = new Int32Array(256);
  orientation = new Uint8Array(256);
  sensor = new Uint8Array(256);
  sandbox = new Uint8Array(256);
  adRatio = new Float64Array(256);
  adCreditMs = new Float64Array(256);
  lastCampaign = new Int32Array(256);
  group = new Int32Array(256);
  nextOfVenue = new Int32Array(256);
  /** The number of screens of each group, and the groups that have lost their last one. The candidate index frees those. */
  readonly screensOfGroup: number[] = [];
  readonly emptiedGroups: number[] = [];
  readonly blocked: (readonly string[])[] = [];
  readonly venues: Venue[] = [];
  readonly #indexOfScreen = new Map<Handle<'screen'>, Index<'screen'>>();
  readonly #indexOfVenue = new Map<Handle<'venue'>, Index<'venue'>>();
  readonly #rings: (FrequencyRing | undefined)[] = [];

  /** The integer of a screen, or undefined when it is not known here. */
  screenIndex(handle: Handle<'screen'>): Index<'screen'> | undefined {
    return this.#indexOfScreen.get(handle);
  }

  handleAt(screen: Index<'screen'>): Handle<'screen'> {
    return this.handles[screen] as Handle<'screen'>;
  }

  hasVenue(handle: Handle<'venue'>): boolean {
    return this.#indexOfVenue.has(handle);
  }

  /** The screens of a venue's handle. */
  screensOfVenue(handle: Handle<'venue'>): Index<'screen'>[] {
    const screens: Index<'screen'>[] = [];
    const venue = this.#indexOfVenue.get(handle);
    if (venue === undefined) return screens;
    for (let screen = this.venues[venue]!.firstScreen; screen !== NONE; screen = this.nextOfVenue[screen]!)
      screens.push(screen);
    return screens;
  }

  venueAt(screen: Index<'screen'>): Venue {
    return this.venues[this.venueOf[screen]!]!;
  }

  orientationAt(screen: Index<'screen'>): Orientation {
    return ORIENTATIONS[this.orientation[screen]!]!;
  }

  /** Adds or replaces a venue. */
  putVenue(facts: VenueFacts): void {
    const known = this.#indexOfVenue.get(facts.handle);
    if (known === undefined) {
      this.#indexOfVenue.set(facts.handle, this.venues.push(new Venue(facts)) - 1);
      return;
    }
    const venue = this.venues[known]!;
    venue.replace(facts);
    for (let screen = venue.firstScreen; screen !== NONE; screen = this.nextOfVenue[screen]!) this.leaveGroup(screen);
  }

  /** Puts a screen into a group (its index). */
  joinGroup(screen: Index<'screen'>, group: number): void {
    this.group[screen] = group;
    this.screensOfGroup[group] = (this.screensOfGroup[group] ?? 0) + 1;
  }

  /** The screen looks for its group again at its next slot. */
  leaveGroup(screen: Index<'screen'>): void {
    const group = this.group[screen]!;
    if (group === NONE) return;
    this.group[screen] = NONE;
    if (--this.screensOfGroup[group]! === 0) this.emptiedGroups.push(group);
  }

  /** Whether the screen has a group. */
  isGrouped(screen: Index<'screen'>): boolean {
    return this.group[screen] !== NONE;
  }

  /** Adds or replaces a screen and answers its integer. Its venue must be known. */
  putScreen(facts: ScreenFacts): Index<'screen'> {
    const venue = this.#indexOfVenue.get(facts.venue);
    if (venue === undefined) throw new Error(`venue ${facts.venue} of screen ${facts.handle} is not loaded`);
    let screen = this.#indexOfScreen.get(facts.handle);
    if (screen === undefined) {
      screen = this.size++;
      if (screen >= this.handles.length) this.#grow();
      this.#indexOfScreen.set(facts.handle, screen);
      this.handles[screen] = facts.handle;
      this.lastCampaign[screen] = NONE;
      this.group[screen] = NONE;
      this.venueOf[screen] = NONE;
      this.adCreditMs[screen] = (1 - facts.adRatio) * AD_CREDIT_FIRST_MS;
    }
    this.#moveTo(screen, venue);
    this.orientation[screen] = ORIENTATIONS.indexOf(facts.orientation);
    this.sensor[screen] = facts.sensor ? 1 : 0;
    this.sandbox[screen] = facts.sandbox ? 1 : 0;
    this.adRatio[screen] = facts.adRatio;
    this.blocked[screen] = facts.blockedCategories;
    this.leaveGroup(screen);
    return screen;
  }

  /** Remembers a fill of a capped campaign. */
  recordFill(screen: Index<'screen'>, campaign: Index<'campaign'>, atMs: Milliseconds): void {
    const ring = this.#ringWithRoom(screen);
    ring.campaigns[ring.next] = campaign;
    ring.at[ring.next] = Math.floor(atMs / 1000);
    ring.next = (ring.next + 1) % ring.campaigns.length;
    ring.used = Math.min(ring.used + 1, ring.campaigns.length);
  }

  /** Fills of the campaign on this screen less than an hour before or after `atMs`. */
  fillsWithinHour(screen: Index<'screen'>, campaign: Index<'campaign'>, atMs: Milliseconds): number {
    const ring = this.#rings[screen];
    if (ring === undefined) return 0;
    const at = Math.floor(atMs / 1000);
    let count = 0;
    for (let entry = 0; entry < ring.used; entry++) {
      if (ring.campaigns[entry] === campaign && Math.abs(ring.at[entry]! - at) * 1000 < HOUR_MS) count++;
    }
    return count;
  }

  /** Whether this very fill is remembered already. */
  hasFill(screen: Index<'screen'>, campaign: Index<'campaign'>, atMs: Milliseconds): boolean {
    const ring = this.#rings[screen];
    if (ring === undefined) return false;
    const at = Math.floor(atMs / 1000);
    for (let entry = 0; entry < ring.used; entry++)
      if (ring.campaigns[entry] === campaign && ring.at[entry] === at) return true;
    return false;
  }

  /** What is remembered of capped campaigns on a screen, oldest first: pairs of campaign and second. */
  recentOf(screen: Index<'screen'>): [campaign: Index<'campaign'>, atSeconds: number][] {
    const ring = this.#rings[screen];
    if (ring === undefined) return [];
    const from = ring.used < ring.campaigns.length ? 0 : ring.next;
    return Array.from({ length: ring.used }, (_, step) => {
      const entry = (from + step) % ring.campaigns.length;
      return [ring.campaigns[entry]!, ring.at[entry]!];
    });
  }

  /** Forgets what was remembered of capped campaigns on a screen. */
  forgetRecent(screen: Index<'screen'>): void {
    this.#rings[screen] = undefined;
  }

  #moveTo(screen: Index<'screen'>, venue: Index<'venue'>): void {
    const before = this.venueOf[screen]!;
    if (before === venue) return;
    if (before !== NONE) this.#unlink(screen, this.venues[before]!);
    this.venueOf[screen] = venue;
    this.nextOfVenue[screen] = this.venues[venue]!.firstScreen;
    this.venues[venue]!.firstScreen = screen;
  }

  #unlink(screen: Index<'screen'>, venue: Venue): void {
    const next = this.nextOfVenue[screen]!;
    if (venue.firstScreen === screen) return void (venue.firstScreen = next);
    let at = venue.firstScreen;
    while (this.nextOfVenue[at] !== screen) at = this.nextOfVenue[at]!;
    this.nextOfVenue[at] = next;
  }

  #ringWithRoom(screen: Index<'screen'>): FrequencyRing {
    const ring = this.#rings[screen];
    if (ring === undefined) return (this.#rings[screen] = emptyRing(FREQUENCY_ENTRIES_FIRST));
    if (ring.used < ring.campaigns.length || ring.campaigns.length >= FREQUENCY_ENTRIES_MAX) return ring;
    const grown = emptyRing(ring.campaigns.length * 2);
    // A full ring that never wrapped starts at `next` 0; one that did starts at its oldest entry: both are copied in order.
    for (let step = 0; step < ring.used; step++) {
      const from = (ring.next + step) % ring.campaigns.length;
      grown.campaigns[step] = ring.campaigns[from]!;
      grown.at[step] = ring.at[from]!;
    }
    grown.next = ring.used;
    grown.used = ring.used;
    return (this.#rings[screen] = grown);
  }

  #grow(): void {
    const length = this.handles.length * 2;
    this.handles = grownFloats(this.handles, length);
    this.adRatio = grownFloats(this.adRatio, length);
    this.adCreditMs = grownFloats(this.adCreditMs, length);
    this.venueOf = grownIntegers(this.venueOf, length);
    this.lastCampaign = grownIntegers(this.lastCampaign, length);
    this.group = grownIntegers(this.group, length);
    this.nextOfVenue = grownIntegers(this.nextOfVenue, length);
    this.orientation = grownBytes(this.orientation, length);
    this.sensor = grownBytes(this.sensor, length);
    this.sandbox = grownBytes(this.sandbox, length);
  }
}

function emptyRing(entries: number): FrequencyRing {
  return { campaigns: new Int32Array(entries), at: new Int32Array(entries), next: 0, used: 0 };
}
