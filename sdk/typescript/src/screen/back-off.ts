/**
 * How long a screen waits before it connects again, by the close code of its last connection: the table of
 * docs/screen-protocol.md. Waits double and are spread over half to one and a half times their length, so that the
 * screens of a street that lost its power do not come back in one instant.
 */
export type BackOff = {
  firstMs: number;
  longestMs: number;
  /** The longest of the first attempts, if another. */
  soonMs?: number;
};

/** About 36 s of the usual waits: a process of the server that ends is there again by then. */
const SOON_ATTEMPTS = 16;
/**
 * A server process restarts in some 4 s and welcomes 3,000 screens a second. Its 15,000 screens come faster than that
 * with waits of 2.5 s. A screen opens at most 20 connections a minute with them, of the 30 that it may.
 */
const USUAL: BackOff = { firstMs: 500, longestMs: 30_000, soonMs: 2_500 };
const BY_CLOSE_CODE: Readonly<Record<number, BackOff>> = {
  4002: { firstMs: 5_000, longestMs: 300_000 }, // an unknown token: it may become known, but hardly within seconds
  4004: { firstMs: 60_000, longestMs: 600_000 }, // open elsewhere: an early return would only end that connection
  4005: { firstMs: 15_000, longestMs: 120_000 }, // too many messages
  4008: { firstMs: 200, longestMs: 5_000 }, // the server drains: another one takes the screen now
};

/** The back-off after a connection that ended with this code (1006 if there was none). */
export function backOffAfter(closeCode: number): BackOff {
  return BY_CLOSE_CODE[closeCode] ?? USUAL;
}

/**
 * @param attempt 0 for the first wait
 * @param random 0 to 1: the position of the wait within its spread
 */
export function waitMs({ firstMs, longestMs, soonMs = longestMs }: BackOff, attempt: number, random: number): number {
  const longest = attempt < SOON_ATTEMPTS ? soonMs : longestMs;
  return Math.round(Math.min(longest, firstMs * 2 ** Math.min(attempt, 30)) * (0.5 + random));
}

/** After repeated 4004 and 4005 the waits keep doubling over welcomes, until a connection has lasted this long. */
const THROWN_OUT: ReadonlySet<number> = new Set([4004, 4005]);
const LASTING_MS = 600_000;
/** The protocol's bound, whatever the waits say. */
const CONNECTIONS_MAX = 30;
const CONNECTIONS_WITHIN_MS = 60_000;

/** The connections that a screen has opened, and how long it waits before the next. Times are steady ms. */
export class Attempts {
  #sinceWelcome = 0;
  #thrownOut = 0;
  /** When the last ones were opened, the oldest first. */
  #openedAt: number[] = [];

  opened(at: number): void {
    this.#openedAt = [...this.#openedAt, at].slice(-CONNECTIONS_MAX);
  }

  welcomed(): void {
    this.#sinceWelcome = 0;
  }

  /** How long to wait after a connection that has ended at `at`. */
  waitMs(closeCode: number, at: number, random: number): number {
    const last = this.#openedAt[this.#openedAt.length - 1];
    if (last === undefined || at - last >= LASTING_MS) this.#thrownOut = 0;
    const isThrownOut = THROWN_OUT.has(closeCode);
    const attempt = Math.max(this.#sinceWelcome, isThrownOut ? this.#thrownOut : 0);
    this.#sinceWelcome += 1;
    if (isThrownOut) this.#thrownOut += 1;
    return Math.max(this.leastMs(at), waitMs(backOffAfter(closeCode), attempt, random));
  }

  /** How long to wait at least before another one. */
  leastMs(at: number): number {
    return this.#openedAt.length < CONNECTIONS_MAX ? 0 : this.#openedAt[0]! + CONNECTIONS_WITHIN_MS - at;
  }
}
