/** A venue for decisions: its facts, its campaigns by area, its screens, and the prices of its plays. */
import { costMicros } from '#domain/money/money.ts';
import { venueRateMicros } from '#domain/money/rate-card.ts';
import { openMinutesPerDay } from '#domain/screens/schedule.ts';
import { audienceMost, impressionsThousandths, meanAudience } from '#domain/screens/venue.ts';
import { MINUTES_PER_DAY } from '#domain/time/calendar.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { VenueFacts } from '../facts.ts';

const NOT_KNOWN = -1;
/** It has no screen yet. */
const NONE = -1;

/** Prices that a venue remembers, a power of two; two durations within a second of each other share a place. */
const PRICES = 8;
const PRICE_WIDTH = 2;

/** A venue with the prices of its plays. */
export class Venue {
  facts: VenueFacts;
  rateMicros: Micros;
  /**
   * Campaigns whose areas contain the venue, in ascending order; undefined until one of its screens needs its group.
   */
  areas: readonly number[] | undefined;
  /** The venue's screens, linked by `ScreenTable.nextOfVenue`. */
  firstScreen = NONE;
  /** People before one of its screens, or NOT_KNOWN. */
  #people = NOT_KNOWN;
  /** Pairs of a duration, with the sensor's bit, and its price; made for the first play. */
  #prices: Float64Array | undefined;

  constructor(facts: VenueFacts) {
    this.facts = facts;
    this.rateMicros = venueRateMicros(facts.type);
  }

  replace(facts: VenueFacts): void {
    this.facts = facts;
    this.rateMicros = venueRateMicros(facts.type);
    this.#people = NOT_KNOWN;
    this.#prices = undefined;
    this.areas = undefined;
  }

  /** The maximum count of one play before these people, in thousandths; this is reserved. */
  impressionsMax(people: number, durationMs: Milliseconds, sensor: boolean): number {
    return impressionsThousandths(audienceMost(people, this.facts.audienceMax, sensor), durationMs);
  }

  /** The reservation of a play before these people, in micros: for a screen with its own audience. */
  costBefore(people: number, durationMs: Milliseconds, sensor: boolean): number {
    return costMicros(this.rateMicros, this.impressionsMax(people, durationMs, sensor));
  }

  /** The same by the venue's own figures. The last prices are remembered: creatives have few durations. */
  costOf(durationMs: Milliseconds, sensor: boolean): number {
    this.#prices ??= new Float64Array(PRICES * PRICE_WIDTH);
    const at = ((durationMs >>> 10) & (PRICES - 1)) * PRICE_WIDTH;
    const key = durationMs * 2 + (sensor ? 1 : 0);
    if (this.#prices[at] !== key) {
      this.#prices[at + 1] = this.costBefore(this.meanAudience(), durationMs, sensor);
      this.#prices[at] = key;
    }
    return this.#prices[at + 1]!;
  }

  /** People before one of its screens, by the venue's own figures. */
  meanAudience(): number {
    // A loop over the minutes of a week: done once, for the first play.
    if (this.#people === NOT_KNOWN)
      this.#people = meanAudience(
        this.facts,
        this.facts.hours === undefined ? MINUTES_PER_DAY : openMinutesPerDay(this.facts.hours),
      );
    return this.#people;
  }
}
