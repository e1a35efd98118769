/**
 * The server's time between two welcomes. It counts on by a clock that never jumps (`performance.now`), which stops
 * while the device sleeps. The device's own clock does not stop: what it is ahead is added. A clock that was set
 * forward looks the same, so the time is in doubt until the next welcome.
 */

/** Slower drift is left to the next welcome. The server moves a play by up to 5 s. */
const JUMP_MS_MIN = 2_000;
/** A device that is further ahead was not asleep: its clock was set, as from 1970. */
const SLEEP_MS_MAX = 7 * 86_400_000;

export class ServerClock {
  /** The clocks of the device disagree since the welcome. */
  isDoubtful = false;
  /** Server time less steady time. */
  #offsetMs: number;
  /** Device time less steady time, as it was read last. */
  #deviceMs = Date.now() - performance.now();

  /** The server's time now. */
  constructor(serverMs: number) {
    this.#offsetMs = serverMs - performance.now();
  }

  /** Server time less device time: the best guess after a restart without a network. */
  get deviceOffsetMs(): number {
    return Math.round(this.now() - Date.now());
  }

  now(): number {
    const steadyMs = performance.now();
    const jumpMs = Date.now() - steadyMs - this.#deviceMs;
    this.#deviceMs += jumpMs;
    if (Math.abs(jumpMs) > JUMP_MS_MIN) {
      this.isDoubtful = true;
      if (jumpMs > 0 && jumpMs < SLEEP_MS_MAX) this.#offsetMs += jumpMs;
    }
    return steadyMs + this.#offsetMs;
  }
}
