/**
 * Whether the machine does the same work in the same time at the beginning of a run and at its end: the reference of
 * benchmarks that have none. A probe hashes a block of memory some times by the clock, so that it is slower when
 * another process takes its core, when the machine is one of many on a host, and when the processor slows down.
 */
import { createHash } from 'node:crypto';
import { median } from '../protocol.ts';

/** Some 50 ms: longer than a turn of the scheduler, so that a competitor takes its share of it. */
const BLOCK_BYTES = 64 * 1024 * 1024;
/** A second and a half in all: less than a thousandth of the longest run, and enough for a middle that stays. */
const PROBES = 31;

/** Megabytes a second: the middle of some probes, since a moment's pause is nothing to a run of minutes. */
export function probeMachine(blockBytes = BLOCK_BYTES): number {
  const block = Buffer.alloc(blockBytes, 7);
  return median(Array.from({ length: PROBES }, () => speedOf(block)));
}

function speedOf(block: Buffer): number {
  const from = performance.now();
  createHash('sha256').update(block).digest();
  return block.length / 1e3 / (performance.now() - from);
}
