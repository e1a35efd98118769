/**
 * SipHash-2-4 with a 128-bit tag (Aumasson and Bernstein, "SipHash: a fast short-input PRF"), as a pure function.
 *
 * A 64-bit word is two 32-bit halves, because 32-bit integer arithmetic is what JavaScript engines do without boxing;
 * BigInt costs two orders of magnitude more. The halves of the state are local variables of one function, so that the
 * engine keeps them in registers; that is why the round stands in its loop and not in a function of its own.
 */

/** The 128-bit key as four little-endian 32-bit words. */
export type SipKey = Int32Array;

/** Bytes of a key, and of a whole tag. */
export const SIP_KEY_BYTES = 16;
export const SIP_TAG_BYTES = 16;

const COMPRESSION_ROUNDS = 2;
const FINAL_ROUNDS = 4;

/** Reads a key of exactly 16 bytes. */
export function sipKeyOf(bytes: Uint8Array): SipKey {
  if (bytes.length !== SIP_KEY_BYTES) throw new RangeError('a SipHash key has 16 bytes');
  return Int32Array.of(word(bytes, 0), word(bytes, 4), word(bytes, 8), word(bytes, 12));
}

/**
 * Writes the 16-byte tag of the first `length` bytes of `message` into `tag` at `tagOffset`; or its first 8 bytes
 * alone, which takes a third less for a short message.
 */
export function sipHash128(
  key: SipKey,
  message: Uint8Array,
  length: number,
  tag: Uint8Array,
  tagOffset: number,
  tagBytes: 8 | 16 = SIP_TAG_BYTES,
): void {
  const k0 = key[0]!,
    k1 = key[1]!,
    k2 = key[2]!,
    k3 = key[3]!;
  // v0..v3 as pairs (low, high): "somepseudorandomlygeneratedbytes"; 0xee in v1 marks the 128-bit variant.
  let al = 0x70736575 ^ k0,
    ah = 0x736f6d65 ^ k1,
    bl = 0x6e646f6d ^ k2 ^ 0xee,
    bh = 0x646f7261 ^ k3;
  let cl = 0x6e657261 ^ k0,
    ch = 0x6c796765 ^ k1,
    dl = 0x79746573 ^ k2,
    dh = 0x74656462 ^ k3;
  const blocks = (length >>> 3) + 1;
  // A step for each block of the message, and one for each half of the tag.
  const steps = blocks + (tagBytes >>> 3);
  for (let step = 0; step < steps; step++) {
    let low = 0,
      high = 0,
      rounds = COMPRESSION_ROUNDS;
    if (step < blocks - 1) {
      low = word(message, step * 8);
      high = word(message, step * 8 + 4);
    } else if (step === blocks - 1) {
      low = restWord(message, step * 8, length);
      // The last block carries in its top byte the length modulo 256.
      high = restWord(message, step * 8 + 4, length) | (length << 24);
    } else {
      rounds = FINAL_ROUNDS;
      if (step === blocks) cl ^= 0xee;
      else bl ^= 0xdd;
    }
    dl ^= low;
    dh ^= high;
    // The carry of a 32-bit sum is that it came out below one of its terms.
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
    al ^= low;
    ah ^= high;
    if (step < blocks) continue;
    const half = tagOffset + (step - blocks) * 8;
    writeWord(tag, half, al ^ bl ^ cl ^ dl);
    writeWord(tag, half + 4, ah ^ bh ^ ch ^ dh);
  }
}

function writeWord(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/** A word of which only the bytes before `end` are there. */
function restWord(bytes: Uint8Array, at: number, end: number): number {
  let value = 0;
  for (let byte = at; byte < at + 4 && byte < end; byte++) value |= bytes[byte]! << ((byte - at) * 8);
  return value;
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}
