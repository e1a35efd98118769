/**
 * What was decided, always on and in bounded memory: how often each answer was given, and the last decisions of all
 * screens in one ring of typed arrays.
 */
import type { Index } from '#domain/id.ts';
import { NO_FILL_REASONS, type NoFillReason, reasonOf } from '#domain/plays/decision.ts';
import { FILLED } from './engine.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The last decisions of the process: about the last minutes of a few thousand screens, in 1 MB. */
const RING_LENGTH = 65_536;

export type Decision =
  { atMs: Milliseconds; campaign: Index<'campaign'> } | { atMs: Milliseconds; reason: NoFillReason };

export class Trace {
  fills = 0;
  readonly noFills = new Float64Array(NO_FILL_REASONS.length);
  readonly #screens = new Int32Array(RING_LENGTH).fill(-1);
  readonly #campaigns = new Int32Array(RING_LENGTH);
  readonly #at = new Float64Array(RING_LENGTH);
  #next = 0;

  /** Records one answer. `answer` is that of `Engine.decide`; `campaign` is read for a fill only. */
  record(slot: { screen: Index<'screen'>; atMs: Milliseconds }, answer: number, campaign: Index<'campaign'>): void {
    const entry = this.#next;
    this.#next = (entry + 1) % RING_LENGTH;
    this.#screens[entry] = slot.screen;
    this.#at[entry] = slot.atMs;
    this.#campaigns[entry] = answer === FILLED ? campaign : -1 - answer;
    if (answer === FILLED) this.fills++;
    else this.noFills[answer]!++;
  }

  /** The decisions of a screen that are still in the ring, newest first, at most `limit`. */
  lastOf(screen: Index<'screen'>, limit: number): Decision[] {
    const found: Decision[] = [];
    for (let step = 1; step <= RING_LENGTH && found.length < limit; step++) {
      const entry = (this.#next - step + RING_LENGTH) % RING_LENGTH;
      if (this.#screens[entry] !== screen) continue;
      const campaign = this.#campaigns[entry]!;
      found.push(
        campaign >= 0
          ? { atMs: this.#at[entry]!, campaign }
          : { atMs: this.#at[entry]!, reason: reasonOf(-1 - campaign) },
      );
    }
    return found;
  }
}
