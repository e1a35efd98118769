/**
 * Assembles WebAssembly functions, which every JavaScript engine runs, from the bytes of their instructions
 * (WebAssembly Core Specification, section 5). For the few functions with words or vectors that JavaScript lacks.
 */

/** Bytes of instructions. */
export type Code = readonly number[];

/** Instructions by their bytes (section 5.4); those of vectors have a prefix and a number of their own. */
export const I32 = { add: 0x6a, and: 0x71, shl: 0x74, notEqual: 0x47, atLeast: 0x4f, toI64: 0xad };
export const I64 = { add: 0x7c, sub: 0x7d, and: 0x83, or: 0x84, xor: 0x85, shl: 0x86, rotl: 0x89 };
export const V128: Record<'and' | 'or', Code> = { and: vector(0x4e), or: vector(0x50) };
/** Sixteen bytes side by side, without a sign where that matters. */
export const I8X16: Record<'pick' | 'add' | 'subtractToZero' | 'isLess', Code> = {
  pick: vector(0x0e),
  add: vector(0x6e),
  subtractToZero: vector(0x73),
  isLess: vector(0x26),
};
/** Four words of 32 bits side by side. */
export const I32X4: Record<'shl' | 'shr', Code> = { shl: vector(0xab), shr: vector(0xad) };
export const CONTROL = { noResult: 0x40, block: 0x02, loop: 0x03, if: 0x04, branch: 0x0c, branchIf: 0x0d, end: 0x0b };
export const TYPE = { i32: 0x7f, i64: 0x7e, v128: 0x7b };

const TYPE_FUNCTION = 0x60;

export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
/** Loads and stores, little-endian, at an address that need not be aligned. */
export const load64 = (offset: number): Code => [0x29, 0, offset];
export const store64 = (offset: number): Code => [0x37, 0, offset];
export const load128: Code = [...vector(0x00), 0, 0];
export const store128: Code = [...vector(0x0b), 0, 0];
export const i32 = (value: number): Code => [0x41, ...signed(BigInt(value))];
export const i64 = (value: bigint): Code => [0x42, ...signed(value)];
/** A vector of these sixteen bytes, or of the same byte sixteen times. */
export const v128 = (bytes: readonly number[] | number): Code => [
  ...vector(0x0c),
  ...(typeof bytes === 'number' ? sameBytes(16, bytes) : bytes),
];

export function sameBytes(length: number, byte: number): Code {
  return Array.from({ length }, () => byte);
}

function vector(instruction: number): Code {
  return [0xfd, ...unsigned(instruction)];
}

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

const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
const section = (id: number, content: Code): Code => [id, ...sized(content)];
const textOf = (name: string): Code => sized(Array.from(name, character => character.charCodeAt(0)));

/** A function without a result: how many parameters of 32 bits, and which variables come behind these. */
export type FunctionParts = { parameters: number; variables: readonly (readonly [count: number, type: number])[] };

export type Memory = { buffer: ArrayBuffer };
type Exports = { memory: Memory; run(...parameters: number[]): void };
/** The used part of the engine's global; the types of browsers and Node are not available here. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports?: { of: { memory: Memory } }) => { exports: Exports };
};

/**
 * The function `run` of these instructions, over a memory of one page (64 KiB) of its own, or that of another function
 * (section 5.5).
 */
export function compile({ parameters, variables }: FunctionParts, code: Code, memory?: Memory): Exports {
  const limits = [0, 1];
  const body = [...unsigned(variables.length), ...variables.flat(), ...code, CONTROL.end];
  const parts = [
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, [1, TYPE_FUNCTION, ...sized(sameBytes(parameters, TYPE.i32)), 0]),
    memory === undefined ? [] : section(2, [1, ...textOf('of'), ...textOf('memory'), 2, ...limits]),
    section(3, [1, 0]),
    memory === undefined ? section(5, [1, ...limits]) : [],
    section(7, [2, ...textOf('memory'), 2, 0, ...textOf('run'), 0, 0]),
    section(10, [1, ...sized(body)]),
  ];
  const module = new WebAssembly.Module(Uint8Array.from(parts.flat()));
  return new WebAssembly.Instance(module, ...(memory === undefined ? [] : [{ of: { memory } }])).exports;
}
