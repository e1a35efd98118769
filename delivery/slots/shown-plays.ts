/**
 * The recent plays of each screen that were reported here: a ring of typed arrays, so that an overlapping play is
 * refused at once with a reason for its screen. Ingest applies the same rule over all processes and days, and finds
 * overlaps with plays forgotten here or reported elsewhere. The plays of a screen are linked, newest first.
 */
import type { Index } from '#domain/id.ts';
import {
  NO_PLACE,
  placeAmong,
  SHIFT_TICKS_MAX,
  type Taken,
  tickOf,
  ticksOf,
  playTag,
} from '#domain/plays/screen-time.ts';
import type { PlayFacts } from '#domain/plays/play.ts';

/** Four minutes of a process at its largest (500 plays a second), in 3 MB; it grows to this as it is needed. */
const PLAYS_MAX = 2 ** 17;
const PLAYS_FIRST = 2 ** 10;
/**
 * The number of compared plays of one screen: an hour and a half of the shortest ads. A screen may send anything, so
 * there is a bound.
 */
const COMPARED_MAX = 1_000;
const NONE = -1;

export class ShownPlays {
  #capacity = PLAYS_FIRST;
  #starts = new Float64Array(PLAYS_FIRST);
  #ends = new Float64Array(PLAYS_FIRST);
  #tags = new Uint32Array(PLAYS_FIRST);
  /** Position of the screen's previous play. */
  #older = new Float64Array(PLAYS_FIRST);
  /** Positions count up forever; those from `oldest` to `next` are here. */
  #oldest = 0;
  #next = 0;
  /** Place of each screen's newest play. */
  #newest = new Float64Array(1024).fill(NONE);
  readonly #playsMax: number;
  /** Plays that reach into the time around the reported one: the maximum with plays of one tick each. */
  readonly #near: Taken = { starts: new Float64Array(512), ends: new Float64Array(512), count: 0 };

  constructor({ playsMax = PLAYS_MAX }: { playsMax?: number } = {}) {
    this.#playsMax = playsMax;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#next - this.#oldest;
  }

  /**
   * Takes the time of a play of this screen (its integer in the table); repeating it is allowed. False: another play
   * has the time, and nothing was taken.
   */
  take(screen: Index<'screen'>, facts: PlayFacts, startedAt: number): boolean {
    const ticks = ticksOf(facts.durationMs);
    const start = tickOf(startedAt);
    const tag = playTag(facts);
    if (
      ticks === 0 ||
      this.#isKnown(screen, { tag, from: start - SHIFT_TICKS_MAX, to: start + ticks + SHIFT_TICKS_MAX })
    )
      return true;
    const place = placeAmong(this.#near, start, ticks);
    if (place === NO_PLACE) return false;
    this.#add(screen, { start: place, ticks, tag });
    return true;
  }

  /** Whether the play is here; else `near` has the plays that reach into that time. */
  #isKnown(screen: Index<'screen'>, { tag, from, to }: { tag: number; from: number; to: number }): boolean {
    const near = this.#near;
    near.count = 0;
    let left = COMPARED_MAX;
    for (
      let place = screen < this.#newest.length ? this.#newest[screen]! : NONE;
      place >= this.#oldest && left > 0;
      left--
    ) {
      const at = place & (this.#capacity - 1);
      if (this.#tags[at] === tag) return true;
      if (this.#starts[at]! < to && this.#ends[at]! > from && near.count < near.starts.length) {
        near.starts[near.count] = this.#starts[at]!;
        near.ends[near.count++] = this.#ends[at]!;
      }
      place = this.#older[at]!;
    }
    return false;
  }

  #add(screen: Index<'screen'>, { start, ticks, tag }: { start: number; ticks: number; tag: number }): void {
    if (this.#next - this.#oldest === this.#capacity) {
      if (this.#capacity < this.#playsMax) this.#grow();
      else this.#oldest++;
    }
    if (screen >= this.#newest.length) this.#makeRoomFor(screen);
    const at = this.#next & (this.#capacity - 1);
    this.#starts[at] = start;
    this.#ends[at] = start + ticks;
    this.#tags[at] = tag;
    this.#older[at] = this.#newest[screen]!;
    this.#newest[screen] = this.#next++;
  }

  #grow(): void {
    const capacity = this.#capacity * 2;
    const moved = <T extends Float64Array | Uint32Array>(values: T): T => {
      const larger = new (values.constructor as new (length: number) => T)(capacity);
      for (let place = this.#oldest; place < this.#next; place++)
        larger[place & (capacity - 1)] = values[place & (this.#capacity - 1)]!;
      return larger;
    };
    this.#starts = moved(this.#starts);
    this.#ends = moved(this.#ends);
    this.#tags = moved(this.#tags);
    this.#older = moved(this.#older);
    this.#capacity = capacity;
  }

  #makeRoomFor(screen: Index<'screen'>): void {
    const larger = new Float64Array(Math.max(screen + 1, this.#newest.length * 2)).fill(NONE);
    larger.set(this.#newest);
    this.#newest = larger;
  }
}
