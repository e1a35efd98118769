/**
 * What to play when the server is gone: fills asked for ahead with `plan: true`. The next hour is filled as it would be
 * with a network, and the two days after it get an ad every half hour, so that a long outage still shows some. The
 * server leaves 240 of them open per screen. The screen keeps them over a restart. While the server answers they are
 * not played: those whose slot has passed are dropped, which frees their money. Without it a fill is played within 15
 * minutes of its slot or never: a daypart, or the hours of a law, may end after that.
 */
import { type BackOff, waitMs } from '#sdk/screen/back-off.ts';
import { isFill, type Fill, type Screen, type Slot } from '#sdk/screen/index.ts';

const HOUR_MS = 3_600_000;
/** The protocol's bound is 48 hours ahead of the server's clock. */
const FAR_MS_MAX = 47 * HOUR_MS;
const FAR_EVERY_MS = HOUR_MS / 2;
/** The part of the 240 fills that the hours after the first do not need. */
const NEAR_FILLS_MAX = 240 - (FAR_MS_MAX - HOUR_MS) / FAR_EVERY_MS - 1;
const SLOTS_PER_REQUEST = 20; // the protocol's bound
const SLOT_MS = 15_000;
const ANSWER_MS_MAX = 2_000;
/** A fill may start so much before its slot; the server accepts 5 s. */
const EARLY_MS = 4_000;
/** How long after its slot a fill may start without a network: as long as a fill that is no part of a plan. */
const LATE_MS_MAX = 15 * 60_000;
/** While the server answers a fill is kept for this long after its slot: the network may fail at any moment. */
const KEPT_MS = 60_000;
const BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 60_000 };

type PlanScreen = Pick<Screen, 'planned' | 'slots' | 'take' | 'drop'>;

export class Plan {
  readonly #screen: PlanScreen;
  /** The end of the requested slots of the next hour, server time; undefined before the first. */
  #nearUntil: number | undefined;
  /** The same for the hours after it. */
  #farUntil: number;
  #attempt = 0;
  /** By the steady clock. */
  #askAt = 0;
  #isAsking = false;

  constructor(screen: PlanScreen) {
    this.#screen = screen;
    this.#farUntil = lastEnd(screen.planned) + FAR_EVERY_MS;
  }

  /** By the time of their slots. */
  get fills(): readonly Fill[] {
    return this.#screen.planned;
  }

  /** The next fill that may start at `at`, and is then no longer in the plan. Those that are too late go too. */
  async take(at: number): Promise<Fill | undefined> {
    this.#dropIf(fill => Math.min(fill.expires_at, fill.starts_at + LATE_MS_MAX) <= at);
    const [first] = this.fills;
    if (!first || first.starts_at > at + EARLY_MS) return undefined;
    await this.#screen.take(first).catch(() => undefined); // a full disk: only a restart would show it again
    return first;
  }

  /** The server is back: it may be asked at once. */
  welcomed(): void {
    this.#attempt = this.#askAt = 0;
  }

  /**
   * While the server answers: drops past fills, and requests more if the screen shows ads. Beyond the next hour it
   * requests them only if the device has room: an ad whose file is not on it cannot be shown without a network.
   */
  async extend({ now, showsAds, hasRoom }: { now: number; showsAds: boolean; hasRoom: boolean }): Promise<void> {
    if (this.#isAsking || performance.now() < this.#askAt) return;
    this.#dropIf(fill => fill.starts_at < now - KEPT_MS);
    if (!showsAds) return;
    this.#isAsking = true;
    const near = await this.#askNear(now);
    const isEmpty = near === undefined || (near.length > 0 && !near.some(isFill));
    const asked = (isEmpty && hasRoom ? await this.#askFar(now) : undefined) ?? near;
    this.#isAsking = false;
    if (asked === undefined) return;
    this.#attempt = asked.some(isFill) ? 0 : this.#attempt + 1;
    if (this.#attempt > 0) this.#askAt = performance.now() + waitMs(BACK_OFF, this.#attempt, Math.random());
  }

  /** Slots of the next hour, one after the other; undefined if all were requested. */
  async #askNear(now: number): Promise<readonly Slot[] | undefined> {
    const near = this.fills.filter(fill => fill.starts_at < now + HOUR_MS);
    const at = Math.max((this.#nearUntil ??= lastEnd(near)), now);
    const count = Math.min(SLOTS_PER_REQUEST, NEAR_FILLS_MAX - near.length);
    if (count <= 0 || at >= now + HOUR_MS) return undefined;
    const slots = await this.#ask(at, count);
    // An answer without any fill says nothing about later times: it is requested again.
    if (slots.some(isFill))
      this.#nearUntil = slots.reduce((until, slot) => (isFill(slot) ? endOf(slot) : until + SLOT_MS), at);
    return slots;
  }

  /** A slot in half an hour's time after the last; undefined if two days are planned. */
  async #askFar(now: number): Promise<readonly Slot[] | undefined> {
    const at = Math.max(this.#farUntil, now + HOUR_MS);
    if (at > now + FAR_MS_MAX) return undefined;
    const slots = await this.#ask(at, 1);
    // Unanswered slots are requested again. A slot that stays empty, as in a closed venue, is skipped.
    if (slots.length > 0) this.#farUntil = at + FAR_EVERY_MS;
    return slots;
  }

  async #ask(at: number, count: number): Promise<readonly Slot[]> {
    return (await this.#screen.slots({ at, count, maxDurationMs: SLOT_MS, plan: true, withinMs: ANSWER_MS_MAX })) ?? [];
  }

  #dropIf(isOver: (fill: Fill) => boolean): void {
    for (const fill of this.fills) if (isOver(fill)) this.#screen.drop(fill);
  }
}

/** When the last of the fills ends; 0 if there are none. */
function lastEnd(fills: readonly Fill[]): number {
  return fills.reduce((at, fill) => Math.max(at, endOf(fill)), 0);
}

function endOf(fill: Fill): number {
  return fill.starts_at + fill.duration_ms;
}
