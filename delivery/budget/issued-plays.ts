/**
 * The plays that this process issued, in the order of their issue, until they are counted: a ring of typed arrays, because
 * every fill passes through here. It answers four questions. Which plays of a screen were not reported, so that a
 * `settled_to` can give them back; which plays are still out after a minute, so that the authority learns their names;
 * which are out when the epoch is closed; and how much ad time of live slots a screen holds (`held`).
 *
 * A play is out until it was reported here and as_of has passed the moment at which that report was stored: only then is
 * it surely counted. The ring forgets its oldest when it is full; what was then still out and not named is summed up
 * per campaign, and stays in doubt when the epoch is closed.
 */
import type { Index, Handle } from '#domain/id.ts';
import type { IssuedPlay } from '#authority/epochs.ts';
import { HeldTime } from './held-time.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** About ten minutes of a process at its largest, in 38 MB; it grows to this as it is needed. */
const PLAYS_MAX = 2 ** 19;
const PLAYS_FIRST = 2 ** 10;
/** Most plays are reported within half a minute of their issue: naming those would be work for nothing. */
const NAMED_AFTER_MS = 60_000;

const OPEN = 0;
const REPORTED = 1;
const NONE = -1;

export type IssuedPlayFacts = {
  screen: Index<'screen'>;
  campaign: Handle<'campaign'>;
  epoch: number;
  issueNumber: number;
  micros: Micros;
  startsAtMs: Milliseconds;
  durationMs: Milliseconds;
  windowEndsAt: number;
  plan: boolean;
  nowMs: Milliseconds;
};
/** `screen` is the integer of the screen table, `campaign` a handle. */
type PlayName = { screen: Index<'screen'>; campaign: Handle<'campaign'>; epoch: number; issueNumber: number };
/** A play that will never be reported; `place` is where it stands here. */
export type Unplayed = {
  place: number;
  campaign: Handle<'campaign'>;
  epoch: number;
  issueNumber: number;
  reservationMicros: Micros;
};
/** Names by campaign, and what is known to be out without one. */
export type Outstanding = {
  names: Map<Handle<'campaign'>, IssuedPlay[]>;
  unknownMicros: Map<Handle<'campaign'>, number>;
};

export class IssuedPlays {
  /** Plans have a bound of their own (`plan-fills`). */
  readonly held = new HeldTime();
  #capacity = PLAYS_FIRST;
  #campaigns = new Float64Array(PLAYS_FIRST);
  #micros = new Float64Array(PLAYS_FIRST);
  #startsAt = new Float64Array(PLAYS_FIRST);
  #windowEnds = new Float64Array(PLAYS_FIRST);
  #issuedAt = new Float64Array(PLAYS_FIRST);
  /** When the report was stored (Redis ms); Infinity until it is. */
  #storedAt = new Float64Array(PLAYS_FIRST);
  /** Place of the screen's play before this one. */
  #older = new Float64Array(PLAYS_FIRST);
  #epochs = new Uint32Array(PLAYS_FIRST);
  #numbers = new Uint32Array(PLAYS_FIRST);
  #states = new Uint8Array(PLAYS_FIRST);
  #plans = new Uint8Array(PLAYS_FIRST);
  #screens = new Uint32Array(PLAYS_FIRST);
  #durations = new Uint16Array(PLAYS_FIRST);
  /** Places count up for ever; those from `oldest` to `next` are here. */
  #oldest = 0;
  #next = 0;
  #named = 0;
  /** Places of plays of offline plans that were not named yet: they are out for hours, and bounded over all processes. */
  #freshPlans: number[] = [];
  #plansCollected = 0;
  #asOf = 0;
  /** Place of each screen's newest play. */
  #newest = new Float64Array(1024).fill(NONE);
  #forgottenMicros = new Map<Handle<'campaign'>, number>();
  readonly #playsMax: number;

  constructor({ playsMax = PLAYS_MAX }: { playsMax?: number } = {}) {
    this.#playsMax = playsMax;
  }

  /** How many are looked after. */
  get size(): number {
    return this.#next - this.#oldest;
  }

  /** Notes a play before it is sent. */
  add({
    screen,
    campaign,
    epoch,
    issueNumber,
    micros,
    startsAtMs,
    durationMs,
    windowEndsAt,
    plan,
    nowMs,
  }: IssuedPlayFacts): void {
    if (this.#next - this.#oldest === this.#capacity) this.#makeRoom();
    if (screen >= this.#newest.length) this.#makeRoomFor(screen);
    const at = this.#next & (this.#capacity - 1);
    this.#campaigns[at] = campaign;
    this.#micros[at] = micros;
    this.#startsAt[at] = startsAtMs;
    this.#windowEnds[at] = windowEndsAt;
    this.#issuedAt[at] = nowMs;
    this.#storedAt[at] = Infinity;
    this.#older[at] = this.#newest[screen]!;
    this.#epochs[at] = epoch;
    this.#numbers[at] = issueNumber;
    this.#states[at] = OPEN;
    this.#plans[at] = plan ? 1 : 0;
    this.#screens[at] = screen;
    this.#durations[at] = durationMs;
    if (plan) this.#freshPlans.push(this.#next);
    else this.held.opened(screen, { durationMs, windowEndsAt }, nowMs);
    this.#newest[screen] = this.#next++;
  }

  /** The place of a play that was issued here and is not reported yet, or -1. */
  find({ screen, campaign, epoch, issueNumber }: PlayName): number {
    for (
      let place = this.#newestOf(screen);
      place >= this.#oldest;
      place = this.#older[place & (this.#capacity - 1)]!
    ) {
      const at = place & (this.#capacity - 1);
      if (this.#numbers[at] === issueNumber && this.#epochs[at] === epoch && this.#campaigns[at] === campaign)
        return this.#states[at] === OPEN ? place : NONE;
    }
    return NONE;
  }

  /** Plays of a screen whose slot began before `toMs` and that were not reported. */
  unplayed(screen: Index<'screen'>, toMs: Milliseconds): Unplayed[] {
    const found: Unplayed[] = [];
    for (
      let place = this.#newestOf(screen);
      place >= this.#oldest;
      place = this.#older[place & (this.#capacity - 1)]!
    ) {
      const at = place & (this.#capacity - 1);
      if (this.#states[at] !== OPEN || this.#startsAt[at]! >= toMs) continue;
      found.push({
        place,
        campaign: this.#campaigns[at] as Handle<'campaign'>,
        epoch: this.#epochs[at]!,
        issueNumber: this.#numbers[at]!,
        reservationMicros: this.#micros[at]!,
      });
    }
    return found;
  }

  /** These plays are in a report, or given back with one, that is about to be stored. */
  reported(places: readonly number[]): void {
    for (const place of places) if (place >= this.#oldest) this.#end(place & (this.#capacity - 1));
  }

  /** That report is stored. */
  stored(places: readonly number[], addedAt: number): void {
    for (const place of places) if (place >= this.#oldest) this.#storedAt[place & (this.#capacity - 1)] = addedAt;
  }

  /** Every report that was stored before is counted. */
  countedTo(asOf: number): void {
    this.#asOf = Math.max(this.#asOf, asOf);
  }

  /** Plays that are out for a minute, or of an offline plan, and have no name yet. Call `namedTo` with `next` once the authority has them. */
  unnamed(nowMs: Milliseconds): { names: Map<Handle<'campaign'>, IssuedPlay[]>; next: number } {
    const names = new Map<Handle<'campaign'>, IssuedPlay[]>();
    let place = Math.max(this.#named, this.#oldest);
    for (; place < this.#next && this.#issuedAt[place & (this.#capacity - 1)]! <= nowMs - NAMED_AFTER_MS; place++)
      this.#collect(names, place);
    for (const fresh of this.#freshPlans) if (fresh >= place) this.#collect(names, fresh);
    this.#plansCollected = this.#freshPlans.length;
    return { names, next: place };
  }

  /** What `unnamed` answered last has its names. */
  namedTo(next: number): void {
    this.#named = Math.max(this.#named, next);
    this.#freshPlans.splice(0, this.#plansCollected);
    this.#plansCollected = 0;
  }

  /** All that is out, for the close of the epoch. Afterwards everything here counts as named. */
  close(): Outstanding {
    const names = new Map<Handle<'campaign'>, IssuedPlay[]>();
    for (let place = Math.max(this.#named, this.#oldest); place < this.#next; place++) this.#collect(names, place);
    const unknownMicros = this.#forgottenMicros;
    this.#forgottenMicros = new Map();
    this.#named = this.#next;
    this.#freshPlans = [];
    this.#plansCollected = 0;
    return { names, unknownMicros };
  }

  #end(at: number): void {
    if (this.#states[at] !== OPEN) return;
    this.#states[at] = REPORTED;
    if (this.#plans[at] === 0)
      this.held.ended(this.#screens[at]!, { durationMs: this.#durations[at]!, windowEndsAt: this.#windowEnds[at]! });
  }

  #newestOf(screen: Index<'screen'>): number {
    return screen < this.#newest.length ? this.#newest[screen]! : NONE;
  }

  #isOut(at: number): boolean {
    return this.#states[at] === OPEN || this.#storedAt[at]! >= this.#asOf;
  }

  #collect(names: Map<Handle<'campaign'>, IssuedPlay[]>, place: number): void {
    const at = place & (this.#capacity - 1);
    if (place < this.#oldest || !this.#isOut(at)) return;
    const campaign = this.#campaigns[at] as Handle<'campaign'>;
    const play = {
      issueNumber: this.#numbers[at]!,
      reservationMicros: this.#micros[at]!,
      windowEndsAt: this.#windowEnds[at]!,
      plan: this.#plans[at] === 1,
    };
    const known = names.get(campaign);
    if (known === undefined) names.set(campaign, [play]);
    else known.push(play);
  }

  #makeRoom(): void {
    if (this.#capacity < this.#playsMax) return this.#grow();
    const at = this.#oldest & (this.#capacity - 1);
    if (this.#oldest >= this.#named && this.#isOut(at)) {
      const campaign = this.#campaigns[at] as Handle<'campaign'>;
      this.#forgottenMicros.set(campaign, (this.#forgottenMicros.get(campaign) ?? 0) + this.#micros[at]!);
    }
    this.#oldest++;
  }

  #grow(): void {
    const capacity = this.#capacity * 2;
    const moved = <T extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(values: T): T => {
      const larger = new (values.constructor as new (length: number) => T)(capacity);
      for (let place = this.#oldest; place < this.#next; place++)
        larger[place & (capacity - 1)] = values[place & (this.#capacity - 1)]!;
      return larger;
    };
    this.#campaigns = moved(this.#campaigns);
    this.#micros = moved(this.#micros);
    this.#startsAt = moved(this.#startsAt);
    this.#windowEnds = moved(this.#windowEnds);
    this.#issuedAt = moved(this.#issuedAt);
    this.#storedAt = moved(this.#storedAt);
    this.#older = moved(this.#older);
    this.#epochs = moved(this.#epochs);
    this.#numbers = moved(this.#numbers);
    this.#states = moved(this.#states);
    this.#plans = moved(this.#plans);
    this.#screens = moved(this.#screens);
    this.#durations = moved(this.#durations);
    this.#capacity = capacity;
  }

  #makeRoomFor(screen: Index<'screen'>): void {
    const larger = new Float64Array(Math.max(screen + 1, this.#newest.length * 2)).fill(NONE);
    larger.set(this.#newest);
    this.#newest = larger;
  }
}
