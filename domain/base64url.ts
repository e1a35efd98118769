/** Base64url without padding (RFC 4648, section 5), strict: one text per byte string and one byte string per text. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Int8Array(128).fill(-1);
for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value;

/** Spells the first `length` bytes. */
export function encodeBase64url(bytes: Uint8Array, length: number = bytes.length): string {
  let text = '';
  for (let at = 0; at < length; at += 3) {
    const left = length - at;
    const group = (bytes[at]! << 16) | ((left > 1 ? bytes[at + 1]! : 0) << 8) | (left > 2 ? bytes[at + 2]! : 0);
    text += ALPHABET[group >>> 18]! + ALPHABET[(group >>> 12) & 63]!;
    if (left > 1) text += ALPHABET[(group >>> 6) & 63]!;
    if (left > 2) text += ALPHABET[group & 63]!;
  }
  return text;
}

/** The characters as bytes: one cache line. A table of pairs would be looked up half as often, and be 128 lines. */
const CODES = Uint8Array.from(ALPHABET, character => character.charCodeAt(0));

/** Characters of so many bytes. */
export function base64urlLength(bytes: number): number {
  return Math.ceil((bytes * 4) / 3);
}

/**
 * Spells the first `length` bytes as ASCII into `out` from `at` on, and answers where they end. Takes half the time of
 * building a text first.
 */
export function encodeBase64urlInto(bytes: Uint8Array, length: number, out: Uint8Array, at: number): number {
  let from = 0;
  let to = at;
  for (const whole = length - (length % 3); from < whole; from += 3) {
    const group = (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!;
    out[to] = CODES[group >>> 18]!;
    out[to + 1] = CODES[(group >>> 12) & 63]!;
    out[to + 2] = CODES[(group >>> 6) & 63]!;
    out[to + 3] = CODES[group & 63]!;
    to += 4;
  }
  const left = length - from;
  if (left === 0) return to;
  const group = (bytes[from]! << 16) | (left === 2 ? bytes[from + 1]! << 8 : 0);
  out[to++] = CODES[group >>> 18]!;
  out[to++] = CODES[(group >>> 12) & 63]!;
  if (left === 2) out[to++] = CODES[(group >>> 6) & 63]!;
  return to;
}

/**
 * Reads `text` into `out` and answers how many bytes it held, or -1 when it is not the canonical spelling of any bytes
 * (a foreign character, a length of 4n+1, left-over bits that are not zero) or does not fit into `out`.
 */
export function decodeBase64urlInto(text: string, out: Uint8Array): number {
  const length = text.length;
  const bytes = (length * 6) >>> 3;
  if (length % 4 === 1 || bytes > out.length) return -1;
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    const value = code < 128 ? VALUES[code]! : -1;
    if (value < 0) return -1;
    bits = (bits << 6) | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out[at++] = bits >>> held;
    bits &= (1 << held) - 1;
  }
  return bits === 0 ? at : -1;
}

/** The bytes of `text`, or undefined when it is not canonical base64url. */
export function decodeBase64url(text: string): Uint8Array | undefined {
  const out = new Uint8Array((text.length * 6) >>> 3);
  return decodeBase64urlInto(text, out) < 0 ? undefined : out;
}
