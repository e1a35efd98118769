/**
 * How much ad time a screen may hold in unreported fills. A screen that takes fills and plays none would keep a budget
 * reserved for two days, so its limit follows from its shown time: a quarter of an hour of ads, plus half of the time
 * shown today and on the two days before. A player that plays its fills is far below that.
 *
 * This process knows which of its fills a screen holds (`money/held-time`). If a screen holds more than a few ads, the
 * process asks the authority for its fills from other processes and its shown time; a slot never waits for that.
 */
import type { Index, Handle } from '#domain/id.ts';
import { TICK_MS } from '#domain/plays/screen-time.ts';
import type { Log } from '#runtime/log.ts';
import type { HeldByScreen, ScreenStanding } from '#authority/held-time.ts';
import type { HeldTime } from '../money/held-time.ts';
import { grownFloats } from '../decision/columns/growth.ts';
import type { Milliseconds } from '#domain/unit.ts';

const MINUTE_MS = 60_000;
/**
 * Sixty ads of 15 s: three requests of the most slots, which a player that has just been paired may ask for at once.
 */
const UNPROVEN_MS = 15 * MINUTE_MS;
/** Enough for a player that loses every third ad. */
const PART_OF_SHOWN = 0.5;
/** Ten ads of 15 s: most players never hold that many, and the authority is not asked about them. */
const ASKED_FROM_MS = 2.5 * MINUTE_MS;
/**
 * Thirty ads of 15 s, until the authority has answered: a screen that holds less than ten may ask for the most slots at
 * once.
 */
const UNKNOWN_MS = 7.5 * MINUTE_MS;
/** A screen at its limit gets one ad in this time, so that it can prove that it plays again. */
const TRIAL_EVERY_MS = 60 * MINUTE_MS;
/** An older answer is no longer used; without Redis nothing is filled by then anyway. */
const ANSWER_MS_MAX = 2 * MINUTE_MS;
const ROUND_MS = 1_000;
/** The authority is asked again about a screen after this time. */
const TOLD_EVERY_MS = 10_000;
/** Screens per round: ten Redis calls. The others follow in the next round. */
const SCREENS_PER_ROUND = 2_000;
const NEVER = -Infinity;

type HeldTimesAuthority = { tell(process: string, screens: readonly HeldByScreen[]): Promise<ScreenStanding[]> };

export type HeldBoundDependencies = {
  held: HeldTime;
  /** The handle of a screen's integer in the table. */
  handleOf: (screen: Index<'screen'>) => Handle<'screen'>;
  authority: HeldTimesAuthority;
  /** Names this process to the authority: its first epoch. */
  process: string;
  log: Log;
  now: () => number;
};

export class HeldBound {
  readonly #dependencies: HeldBoundDependencies;
  /**
   * Screens that hold more than a few ads, or did at the last message to the authority, with the time of that message.
   */
  readonly #told = new Map<number, number>();
  /** By screen: its limit here by the last answer, and the time of that answer. */
  #mostMs = new Float64Array(1024);
  #answeredAt = new Float64Array(1024);
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(dependencies: HeldBoundDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#timer = setInterval(() => void this.ask(), ROUND_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** How many screens hold more than a few ads. */
  get size(): number {
    return this.#told.size;
  }

  /** The ad time that a screen (its integer in the table) may still take; 0 or less: none. */
  roomFor(screen: Index<'screen'>, nowMs: Milliseconds): number {
    const { held } = this.#dependencies;
    const heldMs = held.of(screen);
    if (heldMs < ASKED_FROM_MS) return UNKNOWN_MS - heldMs;
    if (!this.#told.has(screen)) this.#told.set(screen, NEVER);
    const isKnown = screen < this.#answeredAt.length && nowMs - this.#answeredAt[screen]! <= ANSWER_MS_MAX;
    const roomMs = (isKnown ? this.#mostMs[screen]! : UNKNOWN_MS) - heldMs;
    return roomMs > 0 || nowMs - held.openedAtOf(screen) < TRIAL_EVERY_MS ? roomMs : 1;
  }

  /**
   * Exchanges the held times of the next screens with the authority; one round at a time. Lapsed plays are forgotten.
   */
  ask(): Promise<void> {
    this.#dependencies.held.lapse(this.#dependencies.now());
    this.#round ??= this.#askOnce()
      .catch((error: unknown) => {
        this.#dependencies.log.warn(
          { err: error },
          'what screens hold elsewhere cannot be asked for; asked again later',
        );
      })
      .finally(() => {
        this.#round = undefined;
      });
    return this.#round;
  }

  async #askOnce(): Promise<void> {
    const { held, handleOf, authority, process, now } = this.#dependencies;
    const screens = this.#due(now());
    if (screens.length === 0) return;
    const told = screens.map(screen => ({
      screen: handleOf(screen),
      heldMs: held.of(screen) < ASKED_FROM_MS ? 0 : held.of(screen),
      endsAtMs: held.endsAtOf(screen),
    }));
    const standings = await authority.tell(process, told);
    const nowMs = now();
    for (const [at, screen] of screens.entries()) {
      this.#answered(screen, standings[at]!, nowMs);
      this.#told.delete(screen); // it goes to the end of the line
      if (told[at]!.heldMs > 0) this.#told.set(screen, nowMs);
    }
  }

  /** The screens with the oldest update come first. */
  #due(nowMs: Milliseconds): number[] {
    const screens: Index<'screen'>[] = [];
    for (const [screen, toldAtMs] of this.#told) {
      if (nowMs - toldAtMs < TOLD_EVERY_MS) continue;
      if (screens.push(screen) === SCREENS_PER_ROUND) break;
    }
    return screens;
  }

  #answered(screen: Index<'screen'>, { elsewhereMs, shownTicks }: ScreenStanding, nowMs: Milliseconds): void {
    if (screen >= this.#mostMs.length) {
      const length = Math.max(screen + 1, this.#mostMs.length * 2);
      this.#mostMs = grownFloats(this.#mostMs, length);
      this.#answeredAt = grownFloats(this.#answeredAt, length);
    }
    this.#mostMs[screen] = UNPROVEN_MS + PART_OF_SHOWN * shownTicks * TICK_MS - elsewhereMs;
    this.#answeredAt[screen] = nowMs;
  }
}
