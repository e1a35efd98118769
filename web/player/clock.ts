/**
 * Server time on a device whose own clock may say 1970, or jump while it is set. The base is the time in `welcome`,
 * half a round trip old; from there a clock that never jumps (`performance.now`) counts on. Before the first
 * `welcome`, after a start without a network, the offset of an earlier run is the best guess.
 */

type ClockReading = { offsetMs: number; deviceMs: number; steadyMs: number };

type TimeAnswer = { serverMs: number; sentAt: number; receivedAt: number; deviceMs: number };

/** Give it readings of the device's clocks; it answers server time. */
export class Clock {
  /** Server time less the device's own, ms: kept for the next start. */
  offsetMs: number;
  #baseMs: number;
  #baseAt: number;

  /**
   * @param deviceMs the device's own clock, ms since 1970
   * @param steadyMs a clock that never jumps, ms since anything
   */
  constructor({ offsetMs, deviceMs, steadyMs }: ClockReading) {
    this.offsetMs = offsetMs;
    this.#baseMs = deviceMs + offsetMs;
    this.#baseAt = steadyMs;
  }

  /** Takes over the server's time. `sentAt` and `receivedAt` are steady times of the `hello` and its `welcome`. */
  sync({ serverMs, sentAt, receivedAt, deviceMs }: TimeAnswer): void {
    this.#baseMs = serverMs + (receivedAt - sentAt) / 2;
    this.#baseAt = receivedAt;
    this.offsetMs = Math.round(this.#baseMs - deviceMs);
  }

  /** Server time now, whole ms. */
  at(steadyMs: number): number {
    return Math.round(this.#baseMs + steadyMs - this.#baseAt);
  }
}
