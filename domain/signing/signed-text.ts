/**
 * Encodes signed bytes in base64url without padding (RFC 4648, section 5), sixteen characters at a time: every fill has
 * two such texts. The steps are those of Wojciech Muła and Daniel Lemire ("Faster Base64 Encoding and Decoding Using
 * AVX2 Instructions", ACM Transactions on the Web, 2018), as WebAssembly over the memory in which the bytes were
 * signed.
 */
import { assert } from '../assertion.ts';
import { base64urlLength, CHARACTER_CODES } from '../base64url.ts';
import { type SipBytes, sipBytes, sipMemory } from './siphash.ts';
import {
  type Code,
  compile,
  CONTROL,
  get,
  I32,
  i32,
  I32X4,
  I8X16,
  load128,
  sameBytes,
  set,
  store128,
  TYPE,
  V128,
  v128,
} from './webassembly.ts';

/** Characters of one text at most: twice those of a play id. */
const CHARACTERS_MAX = 208;
/** A step encodes as many bytes. */
const STEP_BYTES = 12;
const STEP_CHARACTERS = 16;

/** The numbers of the function's parameters and variables. */
const [FROM, END, TO, GROUPS, VALUES] = [0, 1, 2, 3, 4] as const;

/** Three bytes of the text as the number that they are in each word of 32 bits; a place that does not exist is 0. */
const GROUPED = [2, 1, 0, 16, 5, 4, 3, 16, 8, 7, 6, 16, 11, 10, 9, 16];
/** The bits of one value in a byte of each word. */
const valueIn = (byte: number): number[] =>
  Array.from({ length: STEP_CHARACTERS }, (_, at) => (at % 4 === byte ? 63 : 0));
const shifted = (shift: Code, by: number, mask: number[]): Code => [
  ...get(GROUPS),
  ...i32(by),
  ...shift,
  ...v128(mask),
  ...V128.and,
];

/**
 * The offset from a value to its character, by kind: 13 for A to Z, 0 for a to z, 1 to 10 for the digits, 11 and 12 for
 * the two signs.
 */
const CAPITALS = 26;
const LETTERS = 52;
const CAPITAL_KIND = 13;
const OFFSETS = [97 - 26, ...sameBytes(10, 48 - 52), 45 - 62, 95 - 63, 65, 0, 0].map(offset => offset & 255);

const FUNCTION: Code = [
  [CONTROL.block, CONTROL.noResult, CONTROL.loop, CONTROL.noResult],
  [...get(FROM), ...get(END), I32.atLeast, CONTROL.branchIf, 1],
  [...get(FROM), ...load128, ...v128(GROUPED), ...I8X16.pick, ...set(GROUPS)],
  // The first value is what the highest six of 24 bits say, and goes into the lowest byte.
  [...shifted(I32X4.shr, 18, valueIn(0)), ...shifted(I32X4.shr, 4, valueIn(1)), ...V128.or],
  [
    ...shifted(I32X4.shl, 10, valueIn(2)),
    ...V128.or,
    ...shifted(I32X4.shl, 24, valueIn(3)),
    ...V128.or,
    ...set(VALUES),
  ],
  [...get(TO), ...get(VALUES), ...v128(OFFSETS)],
  [...get(VALUES), ...v128(LETTERS - 1), ...I8X16.subtractToZero],
  [...get(VALUES), ...v128(CAPITALS), ...I8X16.isLess, ...v128(CAPITAL_KIND), ...V128.and, ...V128.or],
  [...I8X16.pick, ...I8X16.add, ...store128],
  [...get(FROM), ...i32(STEP_BYTES), I32.add, ...set(FROM)],
  [...get(TO), ...i32(STEP_CHARACTERS), I32.add, ...set(TO), CONTROL.branch, 0],
  [CONTROL.end, CONTROL.end],
].flat();

const { run } = compile({ parameters: 3, variables: [[2, TYPE.v128]] }, FUNCTION, sipMemory);
const text = sipBytes(CHARACTERS_MAX);
/** Views of the text by its length: signed bytes have few lengths, and a view costs more than what it shows. */
const views = Array.from({ length: CHARACTERS_MAX + 1 }, (_, length) => text.subarray(0, length));

/** Encodes the first `length` bytes (at most 156) as ASCII into `out` at `at`, and returns their end. */
export function spellSigned(bytes: SipBytes, length: number, out: Uint8Array, at: number): number {
  const characters = base64urlLength(length);
  assert(characters <= CHARACTERS_MAX, 'a text of signed bytes is short');
  run(bytes.byteOffset, bytes.byteOffset + length, text.byteOffset);
  if (length % 3 !== 0) text[characters - 1] = lastCharacter(bytes, length);
  out.set(views[characters]!, at);
  return at + characters;
}

/** For the rest without a whole group of three: the bytes after them in memory do not count. */
function lastCharacter(bytes: SipBytes, length: number): number {
  const last = bytes[length - 1]!;
  return CHARACTER_CODES[length % 3 === 1 ? (last & 3) << 4 : (last & 15) << 2]!;
}
