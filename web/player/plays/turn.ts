/**
 * Whose turn it is: the next item of the playlist, or an ad. The server keeps the ad ratio; for that it must know of
 * all the time of the screen, and a slot that it does not fill lasts `max_duration_ms`. So at an ad slot of the list
 * the player asks for a slot as long as the house items that come next: filled, the ad plays and it asks again; not
 * filled, those items play. In this way the server sees every millisecond once, ads stay at the places that the venue
 * gave them, and a place that has had more than its weight's share of ad time (`ad_ms` per round) is passed over until
 * it is behind again.
 */
import type { PlaylistItem } from '../settings.ts';

export type HouseItem = Exclude<PlaylistItem, { type: 'ad_slot' }> | { type: 'card'; duration_ms: number };
export type Turn = { kind: 'ask'; maxDurationMs: number } | { kind: 'house'; item: HouseItem };

/** The default slot. A shorter one would exclude the usual ads, so house items are joined up to this duration. */
const SLOT_MS = 15_000;
const SLOT_MS_MAX = 3_600_000; // the protocol's bound
/** A playlist of one-second items fills the default slot within this many rounds. */
const ROUNDS_MAX = 16;
/** Ad time that a place may have gathered while nothing was filled: a block of ads, not an hour of them. */
const DUE_MS_MAX = 60_000;
/**
 * A screen with only ads requests again 2 s after a no-fill, then less and less often: only the card is shown
 * meanwhile.
 */
const IDLE_MS_FIRST = 2_000;

/** House items, the position after them, and whether that is an ad slot with ad time due. */
type Run = { items: HouseItem[]; position: number; dues: number[]; isDue: boolean };

export class Turns {
  #items: PlaylistItem[] = [];
  #ratio = 0;
  /** The current position of the list; the house items up to it are in `waiting`. */
  #position = -1;
  #isDue = false;
  /** By position: ad time in ms that is due at an ad slot. Above 0 it is requested; shown time is subtracted. */
  #dues: number[] = [];
  #waiting: HouseItem[] = [];
  /** The items to play if the pending request is not filled. */
  #run: Run = { items: [], position: -1, dues: [], isDue: false };
  #idleMs = IDLE_MS_FIRST;

  /** Starts the list from its beginning. `ratio`: share of ads in the time, 0..1. */
  set(playlist: readonly PlaylistItem[], ratio: number): void {
    this.#items = withAdSlots(playlist);
    this.#ratio = ratio;
    this.#position = -1;
    this.#dues = this.#items.map(() => 0);
    this.#idleMs = IDLE_MS_FIRST;
    this.#take(this.#walk(0));
  }

  /** The next turn. After an `ask`, say `filled` or `unfilled` before the next one. */
  next(): Turn {
    if (this.#waiting.length === 0) {
      this.#run = this.#houseRun();
      if (this.#ratio > 0 && this.#isDue)
        return { kind: 'ask', maxDurationMs: Math.max(SLOT_MS, Math.min(SLOT_MS_MAX, durationOf(this.#run.items))) };
      this.#take(this.#run);
    }
    return { kind: 'house', item: this.#waiting.shift()! };
  }

  /** The request was filled with an ad of this length: the same ad slot is requested again after it. */
  filled(durationMs: number): void {
    this.#idleMs = IDLE_MS_FIRST;
    if (this.#position >= 0) this.#dues[this.#position] = this.#dues[this.#position]! - durationMs;
  }

  /**
   * The ask was not: the house items that it stood for are next. `isSoon`: another ask may well be answered otherwise.
   */
  unfilled({ isSoon }: { isSoon: boolean }): void {
    this.#take(this.#run);
    this.#idleMs = isSoon ? IDLE_MS_FIRST : Math.min(this.#idleMs * 2, SLOT_MS);
  }

  #take({ items, position, dues, isDue }: Run): void {
    this.#waiting = items;
    this.#position = position;
    this.#dues = dues;
    this.#isDue = isDue;
  }

  #houseRun(): Run {
    const run = this.#walk(SLOT_MS);
    // Nothing but ads: the card. Where ads may fill all the time its length means nothing to the server, and it may be
    // short.
    if (run.items.length === 0)
      run.items.push({ type: 'card', duration_ms: this.#ratio >= 1 ? this.#idleMs : SLOT_MS });
    return run;
  }

  /** The house items from here to the next ad slot that is due once they last `leastMs`. */
  #walk(leastMs: number): Run {
    const run: Run = { items: [], position: this.#position, dues: this.#dues.slice(), isDue: false };
    const hasHouse = this.#items.some(item => item.type !== 'ad_slot');
    let passedMs = 0;
    // Where every place has had far more than its share, the first one is asked for all the same: the server must see
    // the time.
    let ahead: Run | undefined;
    for (let steps = this.#items.length * ROUNDS_MAX; steps > 0; steps--) {
      run.position = (run.position + 1) % this.#items.length;
      const item = this.#items[run.position]!;
      if (item.type !== 'ad_slot') {
        run.items.push(item);
        passedMs += item.duration_ms;
        continue;
      }
      const due = Math.min(DUE_MS_MAX, run.dues[run.position]! + (item.ad_ms === null ? DUE_MS_MAX : item.ad_ms));
      run.dues[run.position] = due;
      const isLongEnough = passedMs >= leastMs || !hasHouse;
      if (due > 0 && isLongEnough) return { ...run, isDue: true };
      if (isLongEnough && item.ad_ms !== 0)
        ahead ??= { items: run.items.slice(), position: run.position, dues: run.dues.slice(), isDue: true };
    }
    return ahead ?? run;
  }
}

/** A list without ad slots gets one after each item; an empty list means only ads. */
function withAdSlots(playlist: readonly PlaylistItem[]): PlaylistItem[] {
  if (playlist.length === 0) return [{ type: 'ad_slot', ad_ms: null }];
  if (playlist.some(item => item.type === 'ad_slot')) return playlist.slice();
  return playlist.reduce<PlaylistItem[]>((all, item) => all.concat(item, { type: 'ad_slot', ad_ms: null }), []);
}

function durationOf(items: readonly HouseItem[]): number {
  return items.reduce((sum, item) => sum + item.duration_ms, 0);
}
