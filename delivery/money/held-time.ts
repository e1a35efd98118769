/**
 * How much ad time each screen holds: the durations of its fills of live slots that were issued here and neither
 * reported nor returned. A play without any report is held until the end of the day (UTC) in which its window ends. A
 * play costs by its duration, so this also measures the budget that a screen keeps reserved.
 */
import type { Index } from '#domain/id.ts';
import { Rows } from '../decision/columns/rows.ts';
import type { Milliseconds } from '#domain/unit.ts';

const DAY_MS = 86_400_000;
/**
 * A window ends 96 hours from now at the latest (a slot 48 hours ahead, and 48 hours to report it); a power of two
 * above those days.
 */
const DAYS = 8;

/**
 * The row of a screen: its held ms, the latest time at which they lapse, the issue time of its last fill, and its held
 * ms by day.
 */
const HELD_MS = 0;
const ENDS_AT = 1;
const OPENED_AT = 2;
const BY_DAY = 3;
const WIDTH = BY_DAY + DAYS;

/** By the screen's integer in the table. */
export class HeldTime {
  readonly #rows = new Rows(WIDTH);
  /** Everything up to this day has lapsed; none before the first check. */
  #today = -1;

  opened(screen: Index<'screen'>, durationMs: Milliseconds, windowEndsAt: number, nowMs: Milliseconds): void {
    this.#rows.reserve(screen + 1);
    const { values } = this.#rows;
    const row = screen * WIDTH;
    values[row + HELD_MS]! += durationMs;
    values[row + BY_DAY + (dayOf(windowEndsAt) % DAYS)]! += durationMs;
    values[row + ENDS_AT] = Math.max(values[row + ENDS_AT]!, windowEndsAt);
    values[row + OPENED_AT] = nowMs;
  }

  ended(screen: Index<'screen'>, durationMs: Milliseconds, windowEndsAt: number): void {
    const day = dayOf(windowEndsAt);
    if (day < this.#today) return; // not held any more
    const { values } = this.#rows;
    values[screen * WIDTH + HELD_MS]! -= durationMs;
    values[screen * WIDTH + BY_DAY + (day % DAYS)]! -= durationMs;
  }

  /** Forgets lapsed plays. */
  lapse(nowMs: Milliseconds): void {
    const today = dayOf(nowMs);
    const { values } = this.#rows;
    const from = this.#today < 0 ? today : Math.max(this.#today, today - DAYS);
    for (let day = from; day < today; day++) {
      for (let row = 0; row < values.length; row += WIDTH) {
        values[row + HELD_MS]! -= values[row + BY_DAY + (day % DAYS)]!;
        values[row + BY_DAY + (day % DAYS)] = 0;
      }
    }
    this.#today = Math.max(this.#today, today);
  }

  /** In ms. */
  of(screen: Index<'screen'>): number {
    return this.#rows.values[screen * WIDTH + HELD_MS] ?? 0;
  }

  /** When everything it holds has lapsed. */
  endsAtOf(screen: Index<'screen'>): number {
    return this.#rows.values[screen * WIDTH + ENDS_AT] ?? 0;
  }

  /** When its last fill was issued; 0 when none was. */
  openedAtOf(screen: Index<'screen'>): number {
    return this.#rows.values[screen * WIDTH + OPENED_AT] ?? 0;
  }
}

function dayOf(ms: Milliseconds): number {
  return Math.floor(ms / DAY_MS);
}
