/**
 * How long a screen waits before it connects again, by the close code of its last connection: the table of
 * docs/screen-protocol.md. Waits double and are spread over half to one and a half times their length, so that the
 * screens of a street that lost its power do not come back in one instant.
 */
type BackOff = {
  firstMs: number;
  longestMs: number;
  /** The longest of the first attempts, if another. */
  soonMs?: number;
};

/** About 36 s of the usual waits: a process of the server that ends is there again by then. */
const SOON_ATTEMPTS = 16;
const USUAL: BackOff = { firstMs: 500, longestMs: 30_000, soonMs: 2_500 };
const BY_CLOSE_CODE: Readonly<Record<number, BackOff>> = {
  4002: { firstMs: 5_000, longestMs: 300_000 }, // an unknown token: it may become known, but hardly within seconds
  4004: { firstMs: 60_000, longestMs: 600_000 }, // the screen is open elsewhere
  4005: { firstMs: 15_000, longestMs: 120_000 }, // too many messages
  4008: { firstMs: 200, longestMs: 5_000 }, // the server drains: another one takes the screen now
};

/**
 * @param attempt 0 for the first wait since the last welcome
 * @param random 0 to 1
 */
export function reconnectMs(closeCode: number, attempt: number, random: number): number {
  const { firstMs, longestMs, soonMs = longestMs } = BY_CLOSE_CODE[closeCode] ?? USUAL;
  return Math.min(attempt < SOON_ATTEMPTS ? soonMs : longestMs, firstMs * 2 ** Math.min(attempt, 30)) * (0.5 + random);
}
