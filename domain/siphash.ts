/**
 * SipHash-2-4 with a 128-bit tag (Aumasson and Bernstein, "SipHash: a fast short-input PRF"), as a pure function. Its
 * words have 64 bits, which JavaScript has none of: with two halves for each a play id took three times as long, and
 * with BigInt a hundred times. So the function is put together here as WebAssembly, which every engine of JavaScript
 * runs; what it reads and writes lies in the memory of that, in bytes that `sipBytes` gives out.
 */
import { assert } from './assertion.ts';

/** The state before the first block of a message, low words first: v0 to v3 as the key makes them. */
export type SipKey = Int32Array;
/** Bytes that can be signed where they are. */
export type SipBytes = Uint8Array & { readonly __brand: 'signed in place' };

/** Bytes of a key, and of a whole tag. */
export const SIP_KEY_BYTES = 16;
export const SIP_TAG_BYTES = 16;

/** The numbers of the function's parameters and variables, as its instructions name them. */
const [MESSAGE, LENGTH, TAG, TAG_BYTES] = [0, 1, 2, 3] as const;
const [V0, V1, V2, V3, BLOCK, LAST_BLOCK] = [4, 5, 6, 7, 8, 9] as const;

type Code = readonly number[];
/** Instructions by their bytes (WebAssembly Core Specification, section 5.4). */
const I32 = { add: 0x6a, and: 0x71, shl: 0x74, notEqual: 0x47, atLeast: 0x4f, toI64: 0xad };
const I64 = { add: 0x7c, sub: 0x7d, and: 0x83, or: 0x84, xor: 0x85, shl: 0x86, rotl: 0x89 };
const [NO_RESULT, BLOCK_BEGIN, LOOP_BEGIN, IF, BRANCH, BRANCH_IF, END] = [0x40, 0x02, 0x03, 0x04, 0x0c, 0x0d, 0x0b];
const [TYPE_I32, TYPE_I64, TYPE_FUNCTION] = [0x7f, 0x7e, 0x60];

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
/** Loads and stores of 64 bits, little-endian, at an address that need not be aligned. */
const load = (offset: number): Code => [0x29, 0, offset];
const store = (offset: number): Code => [0x37, 0, offset];
const i32 = (value: number): Code => [0x41, ...signed(BigInt(value))];
const i64 = (value: bigint): Code => [0x42, ...signed(value)];

/** An integer in LEB128, from -2^63 to 2^63 - 1. */
function signed(value: bigint): Code {
  const low = Number(value & 127n);
  const rest = value >> 7n;
  const isLast = (rest === 0n && low < 64) || (rest === -1n && low >= 64);
  return isLast ? [low] : [low | 128, ...signed(rest)];
}

/** A length in LEB128. */
function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

const addTo = (sum: number, term: number): Code => [...get(sum), ...get(term), I64.add, ...set(sum)];
const xorInto = (local: number, value: Code): Code => [...get(local), ...value, I64.xor, ...set(local)];
const turn = (local: number, bits: bigint): Code => [...get(local), ...i64(bits), I64.rotl, ...set(local)];
const addTurned = (sum: number, term: number, bits: bigint): Code => [
  ...addTo(sum, term),
  ...turn(term, bits),
  ...xorInto(term, get(sum)),
];
const ROUND: Code = [
  ...addTurned(V0, V1, 13n),
  ...turn(V0, 32n),
  ...addTurned(V2, V3, 16n),
  ...addTurned(V0, V3, 21n),
  ...addTurned(V2, V1, 17n),
  ...turn(V2, 32n),
];
const COMPRESS: Code = [...xorInto(V3, get(BLOCK)), ...ROUND, ...ROUND, ...xorInto(V0, get(BLOCK))];
const FINISH: Code = [...ROUND, ...ROUND, ...ROUND, ...ROUND];
const HALF_OF_TAG: Code = [...get(V0), ...get(V1), I64.xor, ...get(V2), I64.xor, ...get(V3), I64.xor];

/** Reads the state from the address 0 on, and writes the tag of the message's first bytes. */
const FUNCTION: Code = [
  [V0, V1, V2, V3].flatMap((local, word) => [...i32(0), ...load(word * 8), ...set(local)]),
  [...get(MESSAGE), ...get(LENGTH), ...i32(-8), I32.and, I32.add, ...set(LAST_BLOCK)],
  [BLOCK_BEGIN, NO_RESULT, LOOP_BEGIN, NO_RESULT],
  [...get(MESSAGE), ...get(LAST_BLOCK), I32.atLeast, BRANCH_IF, 1],
  [...get(MESSAGE), ...load(0), ...set(BLOCK), ...COMPRESS],
  [...get(MESSAGE), ...i32(8), I32.add, ...set(MESSAGE), BRANCH, 0],
  [END, END],
  // The last block: the bytes that are left, and in its top byte the length modulo 256.
  [...i64(1n), ...get(LENGTH), ...i32(7), I32.and, ...i32(3), I32.shl, I32.toI64, I64.shl, ...i64(1n), I64.sub],
  [...get(MESSAGE), ...load(0), I64.and, ...get(LENGTH), I32.toI64, ...i64(56n), I64.shl, I64.or],
  [...set(BLOCK), ...COMPRESS],
  [...xorInto(V2, i64(0xeen)), ...FINISH, ...get(TAG), ...HALF_OF_TAG, ...store(0)],
  [...get(TAG_BYTES), ...i32(8), I32.notEqual, IF, NO_RESULT],
  [...xorInto(V1, i64(0xddn)), ...FINISH, ...get(TAG), ...HALF_OF_TAG, ...store(8)],
  [END, END],
].flat();

const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
const section = (id: number, content: Code): Code => [id, ...sized(content)];
const textOf = (name: string): Code => sized(Array.from(name, character => character.charCodeAt(0)));
/** One page of memory, 64 KiB, and the function with its six variables (section 5.5 of the specification). */
const MODULE = Uint8Array.from(
  [
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, [1, TYPE_FUNCTION, ...sized([TYPE_I32, TYPE_I32, TYPE_I32, TYPE_I32]), 0]),
    section(3, [1, 0]),
    section(5, [1, 0, 1]),
    section(7, [2, ...textOf('memory'), 2, 0, ...textOf('tag'), 0, 0]),
    section(10, [1, ...sized([2, 5, TYPE_I64, 1, TYPE_I32, ...FUNCTION])]),
  ].flat(),
);

/** What is used of the global that engines have; the types of browsers and Node's are not at hand here. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => {
    exports: {
      memory: { buffer: ArrayBuffer };
      tag(message: number, length: number, tag: number, tagBytes: number): void;
    };
  };
};
const { memory, tag } = new WebAssembly.Instance(new WebAssembly.Module(MODULE)).exports;
const STATE_BYTES = 32;
const state = new Int32Array(memory.buffer, 0, STATE_BYTES / 4);
/** Whose state stands in the memory. */
let current: SipKey | undefined;
let given = STATE_BYTES;

/** Bytes for messages and tags. They are never given back: who signs keeps some for all that it signs. */
export function sipBytes(length: number): SipBytes {
  // A block is read as a whole, also where fewer bytes are left.
  assert(given + length + 8 <= memory.buffer.byteLength, 'there is no room left for bytes that are signed');
  given += length;
  return new Uint8Array(memory.buffer, given - length, length) as SipBytes;
}

/** Reads a key of exactly 16 bytes. */
export function sipKeyOf(bytes: Uint8Array): SipKey {
  if (bytes.length !== SIP_KEY_BYTES) throw new RangeError('a SipHash key has 16 bytes');
  const [k0, k1, k2, k3] = [word(bytes, 0), word(bytes, 4), word(bytes, 8), word(bytes, 12)];
  // "somepseudorandomlygeneratedbytes"; 0xee in v1 marks the 128-bit variant.
  return Int32Array.from(
    [
      [0x70736575 ^ k0, 0x736f6d65 ^ k1, 0x6e646f6d ^ k2 ^ 0xee, 0x646f7261 ^ k3],
      [0x6e657261 ^ k0, 0x6c796765 ^ k1, 0x79746573 ^ k2, 0x74656462 ^ k3],
    ].flat(),
  );
}

/**
 * Writes the 16-byte tag of the first `length` bytes into the bytes themselves, from `tagAt` on; or its first 8 bytes
 * alone, which takes a third less for a short message.
 */
export function sipHash128(
  key: SipKey,
  bytes: SipBytes,
  length: number,
  tagAt: number,
  tagBytes: 8 | 16 = SIP_TAG_BYTES,
): void {
  if (key !== current) {
    state.set(key);
    current = key;
  }
  const { byteOffset } = bytes;
  tag(byteOffset, length, byteOffset + tagAt, tagBytes);
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}
