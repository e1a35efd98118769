/**
 * SipHash-2-4 with a 128-bit tag (Aumasson and Bernstein, "SipHash: a fast short-input PRF"), as a pure function. Its
 * words have 64 bits, which JavaScript lacks: with two halves for each a play id took three times as long, and with
 * BigInt a hundred times. So the function is assembled here as WebAssembly, which every JavaScript engine runs; its
 * input and output are in its memory, in bytes from `sipBytes`.
 */
import { assert } from '../assertion.ts';
import { type Code, compile, CONTROL, get, I32, i32, I64, i64, load64, set, store64, TYPE } from './webassembly.ts';

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
  [V0, V1, V2, V3].flatMap((local, word) => [...i32(0), ...load64(word * 8), ...set(local)]),
  [...get(MESSAGE), ...get(LENGTH), ...i32(-8), I32.and, I32.add, ...set(LAST_BLOCK)],
  [CONTROL.block, CONTROL.noResult, CONTROL.loop, CONTROL.noResult],
  [...get(MESSAGE), ...get(LAST_BLOCK), I32.atLeast, CONTROL.branchIf, 1],
  [...get(MESSAGE), ...load64(0), ...set(BLOCK), ...COMPRESS],
  [...get(MESSAGE), ...i32(8), I32.add, ...set(MESSAGE), CONTROL.branch, 0],
  [CONTROL.end, CONTROL.end],
  // The last block: the bytes that are left, and in its top byte the length modulo 256.
  [...i64(1n), ...get(LENGTH), ...i32(7), I32.and, ...i32(3), I32.shl, I32.toI64, I64.shl, ...i64(1n), I64.sub],
  [...get(MESSAGE), ...load64(0), I64.and, ...get(LENGTH), I32.toI64, ...i64(56n), I64.shl, I64.or],
  [...set(BLOCK), ...COMPRESS],
  [...xorInto(V2, i64(0xeen)), ...FINISH, ...get(TAG), ...HALF_OF_TAG, ...store64(0)],
  [...get(TAG_BYTES), ...i32(8), I32.notEqual, CONTROL.if, CONTROL.noResult],
  [...xorInto(V1, i64(0xddn)), ...FINISH, ...get(TAG), ...HALF_OF_TAG, ...store64(8)],
  [CONTROL.end],
].flat();

const VARIABLES = [
  [5, TYPE.i64],
  [1, TYPE.i32],
] as const;
const { memory, run: tag } = compile({ parameters: 4, variables: VARIABLES }, FUNCTION);
/** The memory that `sipBytes` lie in, for functions that read them. */
export const sipMemory = memory;
const STATE_BYTES = 32;
const VECTOR_BYTES = 16;
const state = new Int32Array(memory.buffer, 0, STATE_BYTES / 4);
/** The owner of the state in memory. */
let current: SipKey | undefined;
let given = STATE_BYTES;

/** Bytes for messages and tags. They are never freed: each signer keeps its own for all signatures. */
export function sipBytes(length: number): SipBytes {
  // A block or a vector is read as a whole, even if fewer bytes are left.
  assert(given + length + VECTOR_BYTES <= memory.buffer.byteLength, 'there is no room left for bytes that are signed');
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
