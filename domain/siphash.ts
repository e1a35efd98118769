/**
 * SipHash-2-4 with a 128-bit tag (Aumasson and Bernstein, "SipHash: a fast short-input PRF"), as a pure function.
 *
 * A 64-bit word is two 32-bit halves in an Int32Array, because 32-bit integer arithmetic is what JavaScript engines do
 * without boxing; BigInt costs two orders of magnitude more. The scratch state is shared by all calls: the language
 * runs one call at a time to its end.
 */

/** The 128-bit key as four little-endian 32-bit words. */
export type SipKey = Int32Array;

/** Bytes of a key, and of a whole tag. */
export const SIP_KEY_BYTES = 16;
export const SIP_TAG_BYTES = 16;

/** v0..v3 as pairs (low, high). */
const state = new Int32Array(8);

/** Reads a key of exactly 16 bytes. */
export function sipKeyOf(bytes: Uint8Array): SipKey {
  if (bytes.length !== SIP_KEY_BYTES) throw new RangeError('a SipHash key has 16 bytes');
  return Int32Array.of(word(bytes, 0), word(bytes, 4), word(bytes, 8), word(bytes, 12));
}

/** Writes the 16-byte tag of the first `length` bytes of `message` into `tag` at `tagOffset`. */
export function sipHash128(key: SipKey, message: Uint8Array, length: number, tag: Uint8Array, tagOffset: number): void {
  seed(key);
  const whole = length - (length % 8);
  for (let at = 0; at < whole; at += 8) compress(word(message, at), word(message, at + 4));
  // The last block carries what is left of the message and, in its top byte, the length modulo 256.
  let low = 0;
  let high = length << 24;
  for (let at = whole; at < length; at++) {
    const shift = (at - whole) * 8;
    if (shift < 32) low |= message[at]! << shift;
    else high |= message[at]! << (shift - 32);
  }
  compress(low, high);
  state[4]! ^= 0xee;
  mix(4);
  write(tag, tagOffset);
  state[2]! ^= 0xdd;
  mix(4);
  write(tag, tagOffset + 8);
}

function seed(key: SipKey): void {
  const k0 = key[0]!;
  const k1 = key[1]!;
  const k2 = key[2]!;
  const k3 = key[3]!;
  // "somepseudorandomlygeneratedbytes"; 0xee in v1 marks the 128-bit variant.
  state[0] = 0x70736575 ^ k0;
  state[1] = 0x736f6d65 ^ k1;
  state[2] = 0x6e646f6d ^ k2 ^ 0xee;
  state[3] = 0x646f7261 ^ k3;
  state[4] = 0x6e657261 ^ k0;
  state[5] = 0x6c796765 ^ k1;
  state[6] = 0x79746573 ^ k2;
  state[7] = 0x74656462 ^ k3;
}

function compress(low: number, high: number): void {
  state[6]! ^= low;
  state[7]! ^= high;
  mix(2);
  state[0]! ^= low;
  state[1]! ^= high;
}

/** Runs `rounds` SipRounds over the state. The carry of a 32-bit sum is that it came out below one of its terms. */
function mix(rounds: number): void {
  let al = state[0]!, ah = state[1]!, bl = state[2]!, bh = state[3]!;
  let cl = state[4]!, ch = state[5]!, dl = state[6]!, dh = state[7]!;
  for (let round = 0; round < rounds; round++) {
    let turn = (al + bl) | 0;
    ah = (ah + bh + (turn >>> 0 < al >>> 0 ? 1 : 0)) | 0;
    al = turn;
    turn = (bl << 13) | (bh >>> 19);
    bh = ((bh << 13) | (bl >>> 19)) ^ ah;
    bl = turn ^ al;
    turn = al;
    al = ah;
    ah = turn;

    turn = (cl + dl) | 0;
    ch = (ch + dh + (turn >>> 0 < cl >>> 0 ? 1 : 0)) | 0;
    cl = turn;
    turn = (dl << 16) | (dh >>> 16);
    dh = ((dh << 16) | (dl >>> 16)) ^ ch;
    dl = turn ^ cl;

    turn = (al + dl) | 0;
    ah = (ah + dh + (turn >>> 0 < al >>> 0 ? 1 : 0)) | 0;
    al = turn;
    turn = (dl << 21) | (dh >>> 11);
    dh = ((dh << 21) | (dl >>> 11)) ^ ah;
    dl = turn ^ al;

    turn = (cl + bl) | 0;
    ch = (ch + bh + (turn >>> 0 < cl >>> 0 ? 1 : 0)) | 0;
    cl = turn;
    turn = (bl << 17) | (bh >>> 15);
    bh = ((bh << 17) | (bl >>> 15)) ^ ch;
    bl = turn ^ cl;
    turn = cl;
    cl = ch;
    ch = turn;
  }
  state[0] = al;
  state[1] = ah;
  state[2] = bl;
  state[3] = bh;
  state[4] = cl;
  state[5] = ch;
  state[6] = dl;
  state[7] = dh;
}

function write(tag: Uint8Array, offset: number): void {
  for (let half = 0; half < 2; half++) {
    const value = state[half]! ^ state[half + 2]! ^ state[half + 4]! ^ state[half + 6]!;
    for (let byte = 0; byte < 4; byte++) tag[offset + half * 4 + byte] = value >>> (byte * 8);
  }
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}
