/**
 * What to play when the server is gone: fills asked for ahead with `plan: true`, for the next hour or until there are
 * 240 of them (the most that the server leaves open per screen). The screen keeps them over a restart. While the server
 * answers they are not played: those whose slot has passed are dropped, which frees their money.
 */
import { type BackOff, waitMs } from '#sdk/screen/back-off.ts';
import { isFill, type Fill, type Screen } from '#sdk/screen/index.ts';

const FILLS_MAX = 240;
const HORIZON_MS = 3_600_000;
const SLOTS_PER_REQUEST = 20; // the protocol's bound
const SLOT_MS = 15_000;
const ANSWER_MS_MAX = 2_000;
/** A fill may start so much before its slot; the server accepts 5 s. */
const EARLY_MS = 4_000;
/** While the server answers a fill is kept for this long after its slot: the network may go at any moment. */
const KEPT_MS = 60_000;
const BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 60_000 };

type PlanScreen = Pick<Screen, 'planned' | 'slots' | 'take' | 'drop'>;

export class Plan {
  readonly #screen: PlanScreen;
  /** Up to when slots were asked for, server time. */
  #askedUntil: number;
  #attempt = 0;
  /** By the steady clock. */
  #askAt = 0;
  #isAsking = false;

  constructor(screen: PlanScreen) {
    this.#screen = screen;
    this.#askedUntil = screen.planned.reduce((at, fill) => Math.max(at, endOf(fill)), 0);
  }

  /** By the time of their slots. */
  get fills(): readonly Fill[] {
    return this.#screen.planned;
  }

  /** The next fill that may start at `at`, and is then no longer in the plan. Those that have expired go too. */
  async take(at: number): Promise<Fill | undefined> {
    this.#dropIf(fill => fill.expires_at <= at);
    const [first] = this.fills;
    if (!first || first.starts_at > at + EARLY_MS) return undefined;
    await this.#screen.take(first).catch(() => undefined); // a full disk: only a restart would show it again
    return first;
  }

  /** The server is there again: it may be asked at once. */
  welcomed(): void {
    this.#attempt = this.#askAt = 0;
  }

  /** While the server answers: drops what has passed, and asks for more if the screen shows ads at all. */
  async extend({ now, showsAds }: { now: number; showsAds: boolean }): Promise<void> {
    if (this.#isAsking || performance.now() < this.#askAt) return;
    this.#dropIf(fill => fill.starts_at < now - KEPT_MS);
    const at = Math.max(this.#askedUntil, now);
    const count = Math.min(SLOTS_PER_REQUEST, FILLS_MAX - this.fills.length);
    if (!showsAds || count <= 0 || at >= now + HORIZON_MS) return;
    this.#isAsking = true;
    const slots =
      (await this.#screen.slots({ at, count, maxDurationMs: SLOT_MS, plan: true, withinMs: ANSWER_MS_MAX })) ?? [];
    this.#isAsking = false;
    // An answer without any fill says nothing of the time after it: it is asked for again.
    if (!slots.some(isFill)) {
      this.#attempt += 1;
      this.#askAt = performance.now() + waitMs(BACK_OFF, this.#attempt, Math.random());
      return;
    }
    this.#attempt = 0;
    this.#askedUntil = slots.reduce((until, slot) => (isFill(slot) ? endOf(slot) : until + SLOT_MS), at);
  }

  #dropIf(isOver: (fill: Fill) => boolean): void {
    for (const fill of this.fills) if (isOver(fill)) this.#screen.drop(fill);
  }
}

function endOf(fill: Fill): number {
  return fill.starts_at + fill.duration_ms;
}
