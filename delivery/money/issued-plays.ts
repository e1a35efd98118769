/**
 * The plays that this process issued, in the order of their issue, until they are counted: a ring of typed arrays,
 * because every fill passes through here. It answers four questions: which plays of a screen are unreported, so that a
 * `settled_to` can return them; which plays are still out after a minute, so that the authority gets their names; which
 * are out at the close of the epoch; and how much ad time of live slots a screen holds (`held`).
 *
 * A play is out until it was reported here and as_of has passed the moment at which that report was stored: only then
 * is it certainly counted. A full ring forgets its oldest plays; those still out and unnamed are summed per campaign,
 * and stay in doubt at the close of the epoch.
 */
import type { Index, Handle } from '#domain/id.ts';
import type { IssuedPlay } from '#authority/epochs.ts';
import { type PlayFacts, windowEndsAt } from '#domain/plays/play.ts';
import { HeldTime } from './held-time.ts';
import { NameIndex } from './name-index.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/**
 * About ten minutes of a process at its largest, in 34 MB. They are reserved at once and not touched, so the system
 * provides pages on demand: copying a growing ring takes about 20 ms of one turn at its largest.
 */
const PLAYS_MAX = 2 ** 19;
/** Most plays are reported within half a minute of their issue, so naming them earlier would be wasted work. */
const NAMED_AFTER_MS = 60_000;
/**
 * While reports do not arrive, tens of thousands of plays need a name in one round of five seconds. Collecting this
 * many takes about a millisecond, and slots are filled between two pieces.
 */
const PLACES_AT_ONCE = 2_000;

const NONE = -1;

/**
 * The row of a play is one cache line: doubles first, then words of 32 bits in the same buffer. `STORED_AT`: when the
 * report was stored (Redis ms); Infinity until it is. `OLDER`: the place of the screen's play before it; plays in
 * between may have been reported since.
 */
const WIDTH = 8;
const CAMPAIGN = 0;
const MICROS = 1;
const STARTS_AT = 2;
const ISSUED_AT = 3;
const STORED_AT = 4;
const OLDER = 5;
const WORDS = WIDTH * 2;
const EPOCH = 12;
const NUMBER = 13;
const SCREEN = 14;
/** The duration in the lower 16 bits, then the bits of `PLAN` and of the state. */
const REST = 15;
const DURATION_MASK = 0xffff;
const PLAN_BIT = 1 << 16;
const REPORTED_BIT = 1 << 17;

/** The tracked fields of a play, from its id. */
export type IssuedPlayFacts = Pick<
  PlayFacts,
  'campaign' | 'epoch' | 'issueNumber' | 'startsAt' | 'durationMs' | 'plan'
>;
type PlayName = Pick<PlayFacts, 'campaign' | 'epoch' | 'issueNumber'>;
/** A play that will never be reported; `place` is its position here. */
export type Unplayed = {
  place: number;
  campaign: Handle<'campaign'>;
  epoch: number;
  issueNumber: number;
  reservationMicros: Micros;
};
/** By campaign. */
export type PlayNames = Map<Handle<'campaign'>, IssuedPlay[]>;
/** Names, and the amount that is out without a name. */
export type Outstanding = { names: PlayNames; unknownMicros: Map<Handle<'campaign'>, number> };

export class IssuedPlays {
  /** Offline playlists have their own bound (`plan-fills`). */
  readonly held = new HeldTime();
  readonly #capacity: number;
  readonly #values: Float64Array;
  readonly #words: Uint32Array;
  /** Positions count up forever; those from `oldest` to `next` are here. */
  #oldest = 0;
  #next = 0;
  #named = 0;
  /** Positions of unnamed plays of offline playlists: they are out for hours, and bounded over all processes. */
  #freshPlans: number[] = [];
  #plansCollected = 0;
  #asOf = 0;
  /** Place of each screen's newest play. */
  #newest = new Float64Array(1024).fill(NONE);
  #forgottenMicros = new Map<Handle<'campaign'>, number>();

  /** @param options.playsMax a power of two */
  constructor({ playsMax = PLAYS_MAX }: { playsMax?: number } = {}) {
    this.#capacity = playsMax;
    this.#values = new Float64Array(playsMax * WIDTH);
    this.#words = new Uint32Array(this.#values.buffer);
  }

  /** The number of tracked plays. */
  get size(): number {
    return this.#next - this.#oldest;
  }

  /** Notes a play before it is sent. `screen` is its integer in the screen table, `micros` its reservation. */
  add(facts: IssuedPlayFacts, screen: Index<'screen'>, micros: Micros, nowMs: Milliseconds): void {
    const { plan, durationMs } = facts;
    if (this.#next - this.#oldest === this.#capacity) this.#forgetOldest();
    if (screen >= this.#newest.length) this.#makeRoomFor(screen);
    const row = this.#next & (this.#capacity - 1);
    const values = this.#values;
    values[row * WIDTH + CAMPAIGN] = facts.campaign;
    values[row * WIDTH + MICROS] = micros;
    values[row * WIDTH + STARTS_AT] = facts.startsAt;
    values[row * WIDTH + ISSUED_AT] = nowMs;
    values[row * WIDTH + STORED_AT] = Infinity;
    values[row * WIDTH + OLDER] = this.#newest[screen]!;
    const words = this.#words;
    words[row * WORDS + EPOCH] = facts.epoch;
    words[row * WORDS + NUMBER] = facts.issueNumber;
    words[row * WORDS + SCREEN] = screen;
    words[row * WORDS + REST] = durationMs | (plan ? PLAN_BIT : 0);
    if (plan) this.#freshPlans.push(this.#next);
    else this.held.opened(screen, durationMs, windowEndsAt(facts), nowMs);
    this.#newest[screen] = this.#next++;
  }

  /**
   * For each of these plays of a screen its position if it was issued here and is unreported, else -1. All issued plays
   * of the screen are visited once: after an outage these are thousands of plays, and a message has hundreds.
   */
  findAll(screen: Index<'screen'>, names: readonly PlayName[]): number[] {
    const places = names.map(() => NONE);
    const wanted = new NameIndex(names);
    let left = names.length;
    for (let place = this.#newestOpen(screen); left > 0 && place >= this.#oldest; place = this.#olderOpen(place)) {
      const row = this.#rowOf(place);
      const issueNumber = this.#words[row * WORDS + NUMBER]!;
      for (let at = wanted.first(issueNumber); at !== NONE; at = wanted.next(at)) {
        const name = names[at]!;
        if (name.issueNumber !== issueNumber || name.campaign !== this.#values[row * WIDTH + CAMPAIGN]) continue;
        if (name.epoch !== this.#words[row * WORDS + EPOCH]) continue;
        places[at] = place;
        left--;
      }
    }
    return places;
  }

  /** Plays of a screen whose slot began before `toMs` and that were not reported. */
  unplayed(screen: Index<'screen'>, toMs: Milliseconds): Unplayed[] {
    const found: Unplayed[] = [];
    for (let place = this.#newestOpen(screen); place >= this.#oldest; place = this.#olderOpen(place)) {
      const row = this.#rowOf(place);
      if (this.#values[row * WIDTH + STARTS_AT]! >= toMs) continue;
      found.push({
        place,
        campaign: this.#values[row * WIDTH + CAMPAIGN] as Handle<'campaign'>,
        epoch: this.#words[row * WORDS + EPOCH]!,
        issueNumber: this.#words[row * WORDS + NUMBER]!,
        reservationMicros: this.#values[row * WIDTH + MICROS]!,
      });
    }
    return found;
  }

  /** These plays are in a report that is about to be stored, or returned with it. */
  reported(places: readonly number[]): void {
    for (const place of places) if (place >= this.#oldest) this.#end(this.#rowOf(place));
  }

  /** That report is stored. */
  stored(places: readonly number[], addedAt: number): void {
    for (const place of places)
      if (place >= this.#oldest) this.#values[this.#rowOf(place) * WIDTH + STORED_AT] = addedAt;
  }

  /** Every report that was stored before is counted. */
  countedTo(asOf: number): void {
    this.#asOf = Math.max(this.#asOf, asOf);
  }

  /**
   * Adds to `names` a piece of the unnamed plays that are out for a minute or belong to an offline playlist. Repeat
   * from `next` until done, and call `namedTo` with `next` once the authority has them.
   */
  unnamed(names: PlayNames, nowMs: Milliseconds, from: number = this.#named): { next: number; areAll: boolean } {
    let place = Math.max(from, this.#oldest);
    const last = Math.min(this.#next, place + PLACES_AT_ONCE);
    while (place < last && this.#values[this.#rowOf(place) * WIDTH + ISSUED_AT]! <= nowMs - NAMED_AFTER_MS)
      this.#collect(names, place++);
    const areAll = place < last || last === this.#next;
    if (areAll) {
      for (const fresh of this.#freshPlans) if (fresh >= place) this.#collect(names, fresh);
      this.#plansCollected = this.#freshPlans.length;
    }
    return { next: place, areAll };
  }

  /** The last result of `unnamed` has its names. */
  namedTo(next: number): void {
    this.#named = Math.max(this.#named, next);
    this.#freshPlans.splice(0, this.#plansCollected);
    this.#plansCollected = 0;
  }

  /** All plays that are out, for the close of the epoch. Afterwards everything here counts as named. */
  close(): Outstanding {
    const names: PlayNames = new Map();
    for (let place = Math.max(this.#named, this.#oldest); place < this.#next; place++) this.#collect(names, place);
    const unknownMicros = this.#forgottenMicros;
    this.#forgottenMicros = new Map();
    this.#named = this.#next;
    this.#freshPlans = [];
    this.#plansCollected = 0;
    return { names, unknownMicros };
  }

  #end(row: number): void {
    if (!this.#isOpen(row)) return;
    const rest = (this.#words[row * WORDS + REST]! |= REPORTED_BIT);
    if ((rest & PLAN_BIT) === 0)
      this.held.ended(
        this.#words[row * WORDS + SCREEN]!,
        rest & DURATION_MASK,
        windowEndsAt({ startsAt: this.#values[row * WIDTH + STARTS_AT]!, plan: false }),
      );
  }

  /** The row of a place. */
  #rowOf(place: number): number {
    return place & (this.#capacity - 1);
  }

  #isOpen(row: number): boolean {
    return (this.#words[row * WORDS + REST]! & REPORTED_BIT) === 0;
  }

  /** A screen's newest unreported play; reported ones are unlinked on the way. */
  #newestOpen(screen: Index<'screen'>): number {
    if (screen >= this.#newest.length) return NONE;
    return (this.#newest[screen] = this.#openFrom(this.#newest[screen]!));
  }

  /** The previous play of the same screen, in the same way. */
  #olderOpen(place: number): number {
    const at = this.#rowOf(place) * WIDTH + OLDER;
    return (this.#values[at] = this.#openFrom(this.#values[at]!));
  }

  /** The first unreported one, backwards from this position. */
  #openFrom(newest: number): number {
    let place = newest;
    while (place >= this.#oldest && !this.#isOpen(this.#rowOf(place)))
      place = this.#values[this.#rowOf(place) * WIDTH + OLDER]!;
    return place;
  }

  #isOut(row: number): boolean {
    return this.#isOpen(row) || this.#values[row * WIDTH + STORED_AT]! >= this.#asOf;
  }

  #collect(names: PlayNames, place: number): void {
    const row = this.#rowOf(place);
    if (place < this.#oldest || !this.#isOut(row)) return;
    const campaign = this.#values[row * WIDTH + CAMPAIGN] as Handle<'campaign'>;
    const plan = (this.#words[row * WORDS + REST]! & PLAN_BIT) !== 0;
    const play = {
      issueNumber: this.#words[row * WORDS + NUMBER]!,
      reservationMicros: this.#values[row * WIDTH + MICROS]!,
      windowEndsAt: windowEndsAt({ startsAt: this.#values[row * WIDTH + STARTS_AT]!, plan }),
      plan,
    };
    const known = names.get(campaign);
    if (known === undefined) names.set(campaign, [play]);
    else known.push(play);
  }

  #forgetOldest(): void {
    const row = this.#rowOf(this.#oldest);
    if (this.#oldest >= this.#named && this.#isOut(row)) {
      const campaign = this.#values[row * WIDTH + CAMPAIGN] as Handle<'campaign'>;
      const micros = this.#values[row * WIDTH + MICROS]!;
      this.#forgottenMicros.set(campaign, (this.#forgottenMicros.get(campaign) ?? 0) + micros);
    }
    this.#oldest++;
  }

  #makeRoomFor(screen: Index<'screen'>): void {
    const larger = new Float64Array(Math.max(screen + 1, this.#newest.length * 2)).fill(NONE);
    larger.set(this.#newest);
    this.#newest = larger;
  }
}
