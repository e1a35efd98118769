/**
 * Server time on a device whose own clock may say 1970, or jump while it is set. The base is the time in `welcome`,
 * half a round trip old; from there a clock that never jumps (`performance.now`) counts on. That clock stops while the
 * device sleeps, and the device's own does not: what it is ahead is added. A clock that was set forward looks the same,
 * so the time is in doubt until the next `welcome`. Before the first one, after a start without a network, the offset
 * of an earlier run is the best guess.
 */

/** Slower drift is left to the next `welcome`. The server moves a play by up to 5 s. */
const JUMP_MS_MIN = 2_000;
/** A device that is further ahead was not asleep: its clock was set, as from 1970. */
const SLEEP_MS_MAX = 7 * 86_400_000;

type ClockReading = { offsetMs: number; deviceMs: number; steadyMs: number };

/** The device's own clock, ms since 1970, and one that never jumps, ms since anything, read at once. */
type Reading = { deviceMs: number; steadyMs: number };

type TimeAnswer = { serverMs: number; sentAt: number; receivedAt: number; deviceMs: number };

/** Give it readings of the device's clocks; it answers server time. */
export class Clock {
  /** Server time less the device's own, ms: kept for the next start. */
  offsetMs: number;
  /** The clocks of the device disagree since the last `welcome`. */
  isDoubtful = false;
  #baseMs: number;
  #baseAt: number;
  #last: Reading;

  /**
   * @param deviceMs the device's own clock, ms since 1970
   * @param steadyMs a clock that never jumps, ms since anything
   */
  constructor({ offsetMs, deviceMs, steadyMs }: ClockReading) {
    this.offsetMs = offsetMs;
    this.#baseMs = deviceMs + offsetMs;
    this.#baseAt = steadyMs;
    this.#last = { deviceMs, steadyMs };
  }

  /** Takes over the server's time. `sentAt` and `receivedAt` are steady times of the `hello` and its `welcome`. */
  sync({ serverMs, sentAt, receivedAt, deviceMs }: TimeAnswer): void {
    this.#baseMs = serverMs + (receivedAt - sentAt) / 2;
    this.#baseAt = receivedAt;
    this.#last = { deviceMs, steadyMs: receivedAt };
    this.isDoubtful = false;
    this.offsetMs = Math.round(this.#baseMs - deviceMs);
  }

  /** Server time now, whole ms. */
  at({ deviceMs, steadyMs }: Reading): number {
    const jumpMs = deviceMs - this.#last.deviceMs - (steadyMs - this.#last.steadyMs);
    this.#last = { deviceMs, steadyMs };
    if (Math.abs(jumpMs) > JUMP_MS_MIN) {
      this.isDoubtful = true;
      if (jumpMs > 0 && jumpMs < SLEEP_MS_MAX) this.#baseMs += jumpMs;
    }
    return Math.round(this.#baseMs + steadyMs - this.#baseAt);
  }
}
