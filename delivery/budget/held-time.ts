/**
 * How much ad time each screen holds: the durations of its fills of live slots that were issued here and neither reported
 * nor given back. What is never heard of again is held until the end of the day (UTC) in which its window ends. A play costs
 * by its duration, so this is also what a screen keeps reserved of budgets.
 */
import type { Index } from '#domain/id.ts';
import { grownFloats } from '../decision/columns/growth.ts';
import type { Milliseconds } from '#domain/unit.ts';

const DAY_MS = 86_400_000;
/** A window ends 96 hours from now at the latest (a slot 48 hours ahead, and 48 hours to report it); a power of two above those days. */
const DAYS = 8;

type Held = { durationMs: Milliseconds; windowEndsAt: number };

/** By the screen's integer in the table. */
export class HeldTime {
  #heldMs = new Float64Array(1024);
  #heldByDay = new Float64Array(1024 * DAYS);
  #endsAt = new Float64Array(1024);
  #openedAt = new Float64Array(1024);
  /** Up to this day all has lapsed; none before the first look. */
  #today = -1;

  opened(screen: Index<'screen'>, { durationMs, windowEndsAt }: Held, nowMs: Milliseconds): void {
    if (screen >= this.#heldMs.length) this.#makeRoomFor(screen);
    this.#heldMs[screen]! += durationMs;
    this.#heldByDay[screen * DAYS + (dayOf(windowEndsAt) % DAYS)]! += durationMs;
    this.#endsAt[screen] = Math.max(this.#endsAt[screen]!, windowEndsAt);
    this.#openedAt[screen] = nowMs;
  }

  ended(screen: Index<'screen'>, { durationMs, windowEndsAt }: Held): void {
    const day = dayOf(windowEndsAt);
    if (day < this.#today) return; // not held any more
    this.#heldMs[screen]! -= durationMs;
    this.#heldByDay[screen * DAYS + (day % DAYS)]! -= durationMs;
  }

  /** Forgets what has lapsed by now. */
  lapse(nowMs: Milliseconds): void {
    const today = dayOf(nowMs);
    const from = this.#today < 0 ? today : Math.max(this.#today, today - DAYS);
    for (let day = from; day < today; day++) {
      for (let screen = 0, at = day % DAYS; screen < this.#heldMs.length; screen++, at += DAYS) {
        this.#heldMs[screen]! -= this.#heldByDay[at]!;
        this.#heldByDay[at] = 0;
      }
    }
    this.#today = Math.max(this.#today, today);
  }

  /** In ms. */
  of(screen: Index<'screen'>): number {
    return screen < this.#heldMs.length ? this.#heldMs[screen]! : 0;
  }

  /** When nothing of what it holds can be held any more. */
  endsAtOf(screen: Index<'screen'>): number {
    return screen < this.#endsAt.length ? this.#endsAt[screen]! : 0;
  }

  /** When its last fill was issued; 0 when none was. */
  openedAtOf(screen: Index<'screen'>): number {
    return screen < this.#openedAt.length ? this.#openedAt[screen]! : 0;
  }

  #makeRoomFor(screen: Index<'screen'>): void {
    const length = Math.max(screen + 1, this.#heldMs.length * 2);
    this.#heldMs = grownFloats(this.#heldMs, length);
    this.#heldByDay = grownFloats(this.#heldByDay, length * DAYS);
    this.#endsAt = grownFloats(this.#endsAt, length);
    this.#openedAt = grownFloats(this.#openedAt, length);
  }
}

function dayOf(ms: Milliseconds): number {
  return Math.floor(ms / DAY_MS);
}
