/** Base64url without padding (RFC 4648, section 5), strict: one text per byte string and one byte string per text. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Int8Array(128).fill(-1);
for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value;

/** Encodes the first `length` bytes. */
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

/** The characters as bytes, by their values. */
export const CHARACTER_CODES = Uint8Array.from(ALPHABET, character => character.charCodeAt(0));

/** The number of characters for a number of bytes. */
export function base64urlLength(bytes: number): number {
  return Math.ceil((bytes * 4) / 3);
}

/**
 * Decodes `text` into `out` and returns the number of bytes, or -1 if it is not canonical (a foreign character, a
 * length of 4n+1, left-over bits that are not zero) or does not fit into `out`.
 */
export function decodeBase64urlInto(text: string, out: Uint8Array): number {
  const length = text.length;
  const bytes = (length * 6) >>> 3;
  if (length % 4 === 1 || bytes > out.length) return -1;
  // Whether all characters are in the alphabet is checked once, at the end.
  let codes = 0;
  let values = 0;
  let from = 0;
  let to = 0;
  for (const whole = length - (length % 4); from < whole; from += 4) {
    const first = text.charCodeAt(from);
    const second = text.charCodeAt(from + 1);
    const third = text.charCodeAt(from + 2);
    const fourth = text.charCodeAt(from + 3);
    const one = VALUES[first & 127]!;
    const two = VALUES[second & 127]!;
    const three = VALUES[third & 127]!;
    const four = VALUES[fourth & 127]!;
    codes |= first | second | third | fourth;
    values |= one | two | three | four;
    out[to] = (one << 2) | (two >>> 4);
    out[to + 1] = (two << 4) | (three >>> 2);
    out[to + 2] = (three << 6) | four;
    to += 3;
  }
  let held = 0;
  for (; from < length; from++) {
    const code = text.charCodeAt(from);
    const value = VALUES[code & 127]!;
    codes |= code;
    values |= value;
    held = (held << 6) | (value & 63);
  }
  if (codes > 127 || values < 0) return -1;
  if (to === bytes) return to;
  // Two characters hold a byte and four bits that must be zero, three hold two bytes and two such bits.
  const isTwo = bytes - to === 2;
  if ((held & (isTwo ? 3 : 15)) !== 0) return -1;
  if (isTwo) out[to++] = held >>> 10;
  out[to++] = isTwo ? held >>> 2 : held >>> 4;
  return to;
}

/** The bytes of `text`, or undefined if it is not canonical base64url. */
export function decodeBase64url(text: string): Uint8Array | undefined {
  const out = new Uint8Array((text.length * 6) >>> 3);
  return decodeBase64urlInto(text, out) < 0 ? undefined : out;
}
