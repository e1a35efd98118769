/** Bounds, close codes and sub-protocols of the screen protocol. Players rely on them. */

export const MESSAGE_BYTES_MAX = 64 * 1024;
/** Limit for the first message: a hello with 20 play ids in their longest form has 5 KiB. */
export const HELLO_BYTES_MAX = 16 * 1024;
/** The library closes a connection that sends a longer message. */
export const PAYLOAD_BYTES_MAX = 128 * 1024;
export const SLOTS_MAX = 20;
export const PLAYS_MAX = 200;
export const RECENT_MAX = 20;
/** Names of commands in a hello; there are three so far. */
export const COMMANDS_MAX = 20;
/** A slot begins at most 48 hours ahead. */
export const SLOT_FUTURE_MS_MAX = 48 * 3_600_000;
/**
 * The longest slot that a player may ask for: far above every creative, and 20 of them stay within the plan's horizon.
 */
export const SLOT_MS_MIN = 1_000;
export const SLOT_MS_MAX = 3_600_000;
/** A device token has 52 characters and a play id 104; longer texts are refused. */
export const TEXT_LENGTH_MAX = 256;
/** Longest time shown that a report may state: a day. */
export const PLAYED_MS_MAX = 86_400_000;
/** People that a sensing module may report for one play; the play id bounds what counts. */
export const AUDIENCE_MAX = 1_000_000;

/** Close codes of our own. */
export const CLOSE = {
  protocolError: 4000,
  unpaired: 4001,
  badToken: 4002,
  noHello: 4003,
  replaced: 4004,
  tooMany: 4005,
  draining: 4008,
} as const;

export const SUBPROTOCOLS = ['marquee.v1.json', 'marquee.v1.msgpack'] as const;
export type Subprotocol = (typeof SUBPROTOCOLS)[number];
