import { SLOT_DEFAULT_MS } from '#domain/creative.ts';
import { MINUTES_PER_DAY, openMinutesPerDay } from '#domain/schedule.ts';
import { type Orientation, ORIENTATIONS } from '#domain/screen.ts';
import { impressionsEstThousandths, venueRateMicros } from '#domain/venue.ts';
import { costMicros } from '#domain/money.ts';
import type { ScreenFacts, VenueFacts } from './facts.ts';

/**
 * Screens and venues by small integers. What changes with every slot (credit of the ad ratio, the last campaign) stands
 * in typed arrays by the screen's integer, so that a hundred thousand screens are a few arrays to the collector and not
 * as many objects. Integers are given once and kept for the life of the process.
 */

/** A screen without a group yet. */
export const NO_GROUP = -1;
const NO_CAMPAIGN = -1;

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
  rateMicros: number;
  private openMinutes: number | undefined;
  private readonly estimates = new Map<number, number>();
  /** Micros of one play by duration class, without and with a sensor (2 per class); 0 is not known yet. */
  costs = new Float64Array(0);
  /** Campaigns whose areas contain the venue, as text, and the version of the index that it was computed for. */
  areaKey = '';
  areaVersion = -1;

  constructor(facts: VenueFacts) {
    this.facts = facts;
    this.rateMicros = venueRateMicros(facts.type);
  }

  replace(facts: VenueFacts): void {
    this.facts = facts;
    this.rateMicros = venueRateMicros(facts.type);
    this.openMinutes = undefined;
    this.estimates.clear();
    this.costs = new Float64Array(0);
    this.areaVersion = -1;
  }

  /** Estimated impressions of one play, in thousandths. */
  impressions(durationMs: number): number {
    const known = this.estimates.get(durationMs);
    if (known !== undefined) return known;
    const { dailyVisitors, dwellMinutes, hours } = this.facts;
    // A walk over the minutes of a week: worth sparing where the answer is known.
    this.openMinutes ??= hours === undefined ? MINUTES_PER_DAY : openMinutesPerDay(hours);
    const estimate = impressionsEstThousandths({ dailyVisitors, dwellMinutes, openMinutesPerDay: this.openMinutes, durationMs });
    this.estimates.set(durationMs, estimate);
    return estimate;
  }
}

/** With a sensing module a play may count up to twice the estimate, and as much is reserved. */
export function impressionsMaxOf(estimate: number, sensor: boolean): number {
  return sensor ? estimate * 2 : estimate;
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
  readonly blocked: (readonly string[])[] = [];
  readonly venues: Venue[] = [];
  private readonly indexOfScreen = new Map<number, number>();
  private readonly indexOfVenue = new Map<number, number>();
  private readonly rings: (FrequencyRing | undefined)[] = [];
  /** Durations (ms) that creatives have, by class. */
  private readonly durations: number[] = [];
  private readonly classOfDuration = new Map<number, number>();

  /** The integer of a screen, or undefined when it is not known here. */
  screenIndex(handle: number): number | undefined {
    return this.indexOfScreen.get(handle);
  }

  hasVenue(handle: number): boolean {
    return this.indexOfVenue.has(handle);
  }

  venueAt(screen: number): Venue {
    return this.venues[this.venueOf[screen]!]!;
  }

  orientationAt(screen: number): Orientation {
    return ORIENTATIONS[this.orientation[screen]!]!;
  }

  /** Adds or replaces a venue. */
  putVenue(facts: VenueFacts): void {
    const known = this.indexOfVenue.get(facts.handle);
    if (known === undefined) {
      this.indexOfVenue.set(facts.handle, this.venues.push(new Venue(facts)) - 1);
      return;
    }
    this.venues[known]!.replace(facts);
    for (let screen = 0; screen < this.size; screen++) if (this.venueOf[screen] === known) this.group[screen] = NO_GROUP;
  }

  /** Adds or replaces a screen and answers its integer. Its venue must be known. */
  putScreen(facts: ScreenFacts): number {
    const venue = this.indexOfVenue.get(facts.venue);
    if (venue === undefined) throw new Error(`venue ${facts.venue} of screen ${facts.handle} is not loaded`);
    let screen = this.indexOfScreen.get(facts.handle);
    if (screen === undefined) {
      screen = this.size++;
      if (screen >= this.handles.length) this.grow();
      this.indexOfScreen.set(facts.handle, screen);
      this.handles[screen] = facts.handle;
      this.lastCampaign[screen] = NO_CAMPAIGN;
      this.adCreditMs[screen] = (1 - facts.adRatio) * AD_CREDIT_FIRST_MS;
    }
    this.venueOf[screen] = venue;
    this.orientation[screen] = ORIENTATIONS.indexOf(facts.orientation);
    this.sensor[screen] = facts.sensor ? 1 : 0;
    this.sandbox[screen] = facts.sandbox ? 1 : 0;
    this.adRatio[screen] = facts.adRatio;
    this.blocked[screen] = facts.blockedCategories;
    this.group[screen] = NO_GROUP;
    return screen;
  }

  /** Every screen looks for its group again at its next slot. */
  forgetGroups(): void {
    this.group.fill(NO_GROUP);
  }

  /** The class of a duration: the same small integer for the same milliseconds. */
  durationClass(durationMs: number): number {
    const known = this.classOfDuration.get(durationMs);
    if (known !== undefined) return known;
    const made = this.durations.push(durationMs) - 1;
    this.classOfDuration.set(durationMs, made);
    return made;
  }

  /** What one play of this duration class reserves at a venue, in micros. */
  costOf(venue: Venue, durationClass: number, sensor: number): number {
    const at = durationClass * 2 + sensor;
    const known = at < venue.costs.length ? venue.costs[at]! : 0;
    if (known > 0) return known;
    if (at >= venue.costs.length) {
      const grown = new Float64Array(Math.max(this.durations.length * 2, at + 1));
      grown.set(venue.costs);
      venue.costs = grown;
    }
    const cost = costMicros(venue.rateMicros, impressionsMaxOf(venue.impressions(this.durations[durationClass]!), sensor === 1));
    venue.costs[at] = cost;
    return cost;
  }

  /** Remembers a fill of a capped campaign. */
  recordFill(screen: number, campaign: number, atMs: number): void {
    const ring = this.ringWithRoom(screen);
    ring.campaigns[ring.next] = campaign;
    ring.at[ring.next] = Math.floor(atMs / 1000);
    ring.next = (ring.next + 1) % ring.campaigns.length;
    ring.used = Math.min(ring.used + 1, ring.campaigns.length);
  }

  /** Fills of the campaign on this screen less than an hour before or after `atMs`. */
  fillsWithinHour(screen: number, campaign: number, atMs: number): number {
    const ring = this.rings[screen];
    if (ring === undefined) return 0;
    const at = Math.floor(atMs / 1000);
    let count = 0;
    for (let entry = 0; entry < ring.used; entry++) {
      if (ring.campaigns[entry] === campaign && Math.abs(ring.at[entry]! - at) * 1000 < HOUR_MS) count++;
    }
    return count;
  }

  /** Whether this very fill is remembered already. */
  hasFill(screen: number, campaign: number, atMs: number): boolean {
    const ring = this.rings[screen];
    if (ring === undefined) return false;
    const at = Math.floor(atMs / 1000);
    for (let entry = 0; entry < ring.used; entry++) if (ring.campaigns[entry] === campaign && ring.at[entry] === at) return true;
    return false;
  }

  private ringWithRoom(screen: number): FrequencyRing {
    const ring = this.rings[screen];
    if (ring === undefined) return (this.rings[screen] = emptyRing(FREQUENCY_ENTRIES_FIRST));
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
    return (this.rings[screen] = grown);
  }

  private grow(): void {
    const length = this.handles.length * 2;
    this.handles = grownFloats(this.handles, length);
    this.adRatio = grownFloats(this.adRatio, length);
    this.adCreditMs = grownFloats(this.adCreditMs, length);
    this.venueOf = grownIntegers(this.venueOf, length);
    this.lastCampaign = grownIntegers(this.lastCampaign, length);
    this.group = grownIntegers(this.group, length);
    this.orientation = grownBytes(this.orientation, length);
    this.sensor = grownBytes(this.sensor, length);
    this.sandbox = grownBytes(this.sandbox, length);
  }
}

function emptyRing(entries: number): FrequencyRing {
  return { campaigns: new Int32Array(entries), at: new Int32Array(entries), next: 0, used: 0 };
}

export function grownFloats(values: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(length);
  grown.set(values);
  return grown;
}

export function grownIntegers(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(length);
  grown.set(values);
  return grown;
}

export function grownBytes(values: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(length);
  grown.set(values);
  return grown;
}
