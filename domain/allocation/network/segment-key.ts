/**
 * The name of a set of campaigns, equal in the planning and the deciding process, whatever numbers they gave the
 * campaigns. It is the exclusive or of one mixed word per handle, so the order does not matter and adding or removing
 * one campaign is one step. 52 bits: among 100,000 sets the chance of any two alike is one in a million.
 */
import type { Handle } from '../../id.ts';
export type SegmentKey = { high: number; low: number };

const HIGH_BITS = 20;

/** The key of no campaign. */
export function emptyKey(): SegmentKey {
  return { high: 0, low: 0 };
}

/** Adds a campaign, or removes it if it is in the set. Handles are integers 0..2^53 - 1. */
export function toggleHandle(key: SegmentKey, handle: Handle): void {
  const low = handle >>> 0;
  const high = Math.floor(handle / 0x1_0000_0000) >>> 0;
  key.low = (key.low ^ mix(low ^ mix(high ^ 0x9e37_79b9))) >>> 0;
  key.high = (key.high ^ (mix(low ^ mix(high ^ 0x85eb_ca6b)) >>> (32 - HIGH_BITS))) >>> 0;
}

/** The key as one number below 2^52. */
export function keyNumber(key: SegmentKey): number {
  return key.high * 0x1_0000_0000 + key.low;
}

/** The finisher of MurmurHash3: every bit of the input turns half of the bits of the output. */
function mix(value: number): number {
  let word = value >>> 0;
  word = Math.imul(word ^ (word >>> 16), 0x85eb_ca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2_ae35);
  return (word ^ (word >>> 16)) >>> 0;
}
