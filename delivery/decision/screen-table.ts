/**
 * Screens and venues by small integers. Fields that change with every slot (credit of the ad ratio, the last campaign)
 * are in typed arrays by the screen's integer, so that the garbage collector sees a few arrays and not a hundred
 * thousand objects. Integers are assigned once and kept for the life of the process.
 */
import { SLOT_DEFAULT_MS } from '#domain/screens/screen.ts';
import type { Index, Handle } from '#domain/id.ts';
import { type Orientation, ORIENTATIONS } from '#domain/screens/screen.ts';
import type { HourlyAudience } from '#domain/screens/venue.ts';
import type { ScreenFacts, VenueFacts } from './facts.ts';
import { Rows } from './columns/rows.ts';
import { Venue } from './places/venue.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** In columns of integers: the screen has no group yet, has shown no campaign, or is the last one of its venue. */
const NONE = -1;

const HOUR_MS = 3_600_000;
/** One entry per fill of a capped campaign within the hour: more than 600 stills of 6 s do not fit into it. */
const FREQUENCY_ENTRIES_MAX = 1024;
const FREQUENCY_ENTRIES_FIRST = 16;

/** The last fills of capped campaigns on one screen. `at` is seconds of the epoch. */
type FrequencyRing = { campaigns: Int32Array; at: Int32Array; next: number; used: number };

/**
 * A screen begins with credit for one default slot, so that a new one shows an ad at once; the ratio holds from then
 * on.
 */
const AD_CREDIT_FIRST_MS = SLOT_DEFAULT_MS;

/** The row of a screen: one cache line. `FLAGS` are the number of its orientation, and the two bits below. */
const WIDTH = 8;
const HANDLE = 0;
const VENUE = 1;
const GROUP = 2;
const LAST_CAMPAIGN = 3;
const AD_RATIO = 4;
const AD_CREDIT_MS = 5;
const FLAGS = 6;
const NEXT_OF_VENUE = 7;
const SIDE_BIT = 1;
const SENSOR_BIT = 2;
const SANDBOX_BIT = 4;

export class ScreenTable {
  size = 0;
  readonly #rows = new Rows(WIDTH);
  /** The number of screens of each group, and the groups without screens, which the candidate index frees. */
  readonly screensOfGroup: number[] = [];
  readonly emptiedGroups: number[] = [];
  readonly blocked: (readonly string[])[] = [];
  /** By screen; undefined: the venue's own figures count. */
  readonly audiences: (HourlyAudience | undefined)[] = [];
  readonly venues: Venue[] = [];
  readonly #indexOfScreen = new Map<Handle<'screen'>, Index<'screen'>>();
  readonly #indexOfVenue = new Map<Handle<'venue'>, Index<'venue'>>();
  readonly #rings: (FrequencyRing | undefined)[] = [];

  /** The integer of a screen, or undefined if it is unknown here. */
  screenIndex(handle: Handle<'screen'>): Index<'screen'> | undefined {
    return this.#indexOfScreen.get(handle);
  }

  handleAt(screen: Index<'screen'>): Handle<'screen'> {
    return this.#rows.values[screen * WIDTH + HANDLE] as Handle<'screen'>;
  }

  /** The number of its group, or less than 0 when it has none. */
  groupOf(screen: Index<'screen'>): number {
    return this.#rows.values[screen * WIDTH + GROUP]!;
  }

  /** The next screen of the same venue, or less than 0. */
  nextOfVenue(screen: Index<'screen'>): Index<'screen'> {
    return this.#rows.values[screen * WIDTH + NEXT_OF_VENUE]!;
  }

  /** The campaign of the previous slot, or less than 0 if it had none. */
  lastCampaign(screen: Index<'screen'>): Index<'campaign'> {
    return this.#rows.values[screen * WIDTH + LAST_CAMPAIGN]!;
  }

  setLastCampaign(screen: Index<'screen'>, campaign: Index<'campaign'>): void {
    this.#rows.values[screen * WIDTH + LAST_CAMPAIGN] = campaign;
  }

  /** The share of its time for ads, 0..1. */
  adRatio(screen: Index<'screen'>): number {
    return this.#rows.values[screen * WIDTH + AD_RATIO]!;
  }

  setAdRatio(screen: Index<'screen'>, ratio: number): void {
    this.#rows.values[screen * WIDTH + AD_RATIO] = ratio;
  }

  /** How much ad time it has saved up. */
  adCreditMs(screen: Index<'screen'>): Milliseconds {
    return this.#rows.values[screen * WIDTH + AD_CREDIT_MS]!;
  }

  setAdCreditMs(screen: Index<'screen'>, creditMs: Milliseconds): void {
    this.#rows.values[screen * WIDTH + AD_CREDIT_MS] = creditMs;
  }

  /** The number of its orientation. */
  side(screen: Index<'screen'>): number {
    return this.#flags(screen) & SIDE_BIT;
  }

  hasSensor(screen: Index<'screen'>): boolean {
    return (this.#flags(screen) & SENSOR_BIT) !== 0;
  }

  isSandbox(screen: Index<'screen'>): boolean {
    return (this.#flags(screen) & SANDBOX_BIT) !== 0;
  }

  hasVenue(handle: Handle<'venue'>): boolean {
    return this.#indexOfVenue.has(handle);
  }

  /** The screens of a venue's handle. */
  screensOfVenue(handle: Handle<'venue'>): Index<'screen'>[] {
    const screens: Index<'screen'>[] = [];
    const venue = this.#indexOfVenue.get(handle);
    if (venue === undefined) return screens;
    for (let screen = this.venues[venue]!.firstScreen; screen !== NONE; screen = this.nextOfVenue(screen))
      screens.push(screen);
    return screens;
  }

  venueIndexOf(screen: Index<'screen'>): Index<'venue'> {
    return this.#rows.values[screen * WIDTH + VENUE]!;
  }

  venueAt(screen: Index<'screen'>): Venue {
    return this.venues[this.venueIndexOf(screen)]!;
  }

  orientationAt(screen: Index<'screen'>): Orientation {
    return ORIENTATIONS[this.side(screen)]!;
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
    for (let screen = venue.firstScreen; screen !== NONE; screen = this.nextOfVenue(screen)) this.leaveGroup(screen);
  }

  /** Puts a screen into a group (its index). */
  joinGroup(screen: Index<'screen'>, group: number): void {
    this.#rows.values[screen * WIDTH + GROUP] = group;
    this.screensOfGroup[group] = (this.screensOfGroup[group] ?? 0) + 1;
  }

  /** The screen finds its group again at its next slot. */
  leaveGroup(screen: Index<'screen'>): void {
    const group = this.groupOf(screen);
    if (group === NONE) return;
    this.#rows.values[screen * WIDTH + GROUP] = NONE;
    if (--this.screensOfGroup[group]! === 0) this.emptiedGroups.push(group);
  }

  isGrouped(screen: Index<'screen'>): boolean {
    return this.groupOf(screen) !== NONE;
  }

  /** Adds or replaces a screen and returns its integer. Its venue must be known. */
  putScreen(facts: ScreenFacts): Index<'screen'> {
    const venue = this.#indexOfVenue.get(facts.venue);
    if (venue === undefined) throw new Error(`venue ${facts.venue} of screen ${facts.handle} is not loaded`);
    let screen = this.#indexOfScreen.get(facts.handle);
    if (screen === undefined) {
      screen = this.size++;
      this.#rows.reserve(this.size);
      this.#indexOfScreen.set(facts.handle, screen);
      const { values } = this.#rows;
      const row = screen * WIDTH;
      values[row + HANDLE] = facts.handle;
      values[row + LAST_CAMPAIGN] = NONE;
      values[row + GROUP] = NONE;
      values[row + VENUE] = NONE;
      values[row + AD_CREDIT_MS] = (1 - facts.adRatio) * AD_CREDIT_FIRST_MS;
    }
    this.#moveTo(screen, venue);
    this.#rows.values[screen * WIDTH + FLAGS] =
      ORIENTATIONS.indexOf(facts.orientation) | (facts.sensor ? SENSOR_BIT : 0) | (facts.sandbox ? SANDBOX_BIT : 0);
    this.setAdRatio(screen, facts.adRatio);
    this.blocked[screen] = facts.blockedCategories;
    this.audiences[screen] = facts.audience;
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

  /** The remembered fills of capped campaigns on a screen, oldest first: pairs of campaign and second. */
  recentOf(screen: Index<'screen'>): [campaign: Index<'campaign'>, atSeconds: number][] {
    const ring = this.#rings[screen];
    if (ring === undefined) return [];
    const from = ring.used < ring.campaigns.length ? 0 : ring.next;
    return Array.from({ length: ring.used }, (_, step) => {
      const entry = (from + step) % ring.campaigns.length;
      return [ring.campaigns[entry]!, ring.at[entry]!];
    });
  }

  /** Forgets those. */
  forgetRecent(screen: Index<'screen'>): void {
    this.#rings[screen] = undefined;
  }

  #moveTo(screen: Index<'screen'>, venue: Index<'venue'>): void {
    const { values } = this.#rows;
    const row = screen * WIDTH;
    const before = values[row + VENUE]!;
    if (before === venue) return;
    if (before !== NONE) this.#unlink(screen, this.venues[before]!);
    values[row + VENUE] = venue;
    values[row + NEXT_OF_VENUE] = this.venues[venue]!.firstScreen;
    this.venues[venue]!.firstScreen = screen;
  }

  #unlink(screen: Index<'screen'>, venue: Venue): void {
    const next = this.nextOfVenue(screen);
    if (venue.firstScreen === screen) return void (venue.firstScreen = next);
    let at = venue.firstScreen;
    while (this.nextOfVenue(at) !== screen) at = this.nextOfVenue(at);
    this.#rows.values[at * WIDTH + NEXT_OF_VENUE] = next;
  }

  #ringWithRoom(screen: Index<'screen'>): FrequencyRing {
    const ring = this.#rings[screen];
    if (ring === undefined) return (this.#rings[screen] = emptyRing(FREQUENCY_ENTRIES_FIRST));
    if (ring.used < ring.campaigns.length || ring.campaigns.length >= FREQUENCY_ENTRIES_MAX) return ring;
    const grown = emptyRing(ring.campaigns.length * 2);
    // A full ring that never wrapped starts at `next` 0, and one that did at its oldest entry: both are copied in
    // order.
    for (let step = 0; step < ring.used; step++) {
      const from = (ring.next + step) % ring.campaigns.length;
      grown.campaigns[step] = ring.campaigns[from]!;
      grown.at[step] = ring.at[from]!;
    }
    grown.next = ring.used;
    grown.used = ring.used;
    return (this.#rings[screen] = grown);
  }

  #flags(screen: Index<'screen'>): number {
    return this.#rows.values[screen * WIDTH + FLAGS]!;
  }
}

function emptyRing(entries: number): FrequencyRing {
  return { campaigns: new Int32Array(entries), at: new Int32Array(entries), next: 0, used: 0 };
}
