/**
 * The record of one decision about a slot, as 64 bytes. Delivery writes it into a buffer that was allocated before;
 * ingest, the API and the replay read it. Layout: Six doubles, then integers of 32 bits: maximum duration, snapshot
 * revision, plan version, and one word of the creative's duration (16 bits), flags (8) and the answer (8).
 */
import { assert } from '../assertion.ts';
import { NO_HANDLE, type Handle } from '../id.ts';
import type { Micros, Milliseconds } from '../unit.ts';

export const RECORD_BYTES = 64;
const DOUBLES = RECORD_BYTES / 8;
const WORDS = RECORD_BYTES / 4;
const FILLED = 0xff;

/** The slot belongs to an offline plan. */
export const OF_PLAN = 1;
/** The screen already held as many ads as it may, of its offline plan or of live slots, so nothing was decided. */
export const NO_ROOM = 2;
/**
 * The winner's money could not be reserved for a technical reason: the issue log could not be written, or the authority
 * did not answer.
 */
export const NOT_ISSUED = 4;
export const OF_SANDBOX = 8;

/** Times are ms since 1970, durations ms; handles are integers. */
export type DecisionRecord = {
  decidedAtMs: Milliseconds;
  startsAtMs: Milliseconds;
  maxDurationMs: Milliseconds;
  screen: Handle<'screen'>;
  /** The number of the no-fill reason; -1 for a fill. */
  answer: number;
  /** Of a fill, else 0. */
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
  durationMs: Milliseconds;
  costMicros: Micros;
  flags: number;
  /** The snapshot's revision, and how many plans the process had taken in. */
  revision: number;
  planVersion: number;
};

assert(new Uint8Array(new Uint32Array([1]).buffer)[0] === 1, 'records are little endian');

export function emptyRecord(): DecisionRecord {
  return {
    decidedAtMs: 0,
    startsAtMs: 0,
    maxDurationMs: 0,
    screen: NO_HANDLE,
    answer: 0,
    campaign: NO_HANDLE,
    creative: NO_HANDLE,
    durationMs: 0,
    costMicros: 0,
    flags: 0,
    revision: 0,
    planVersion: 0,
  };
}

/** A buffer of records with a bound. Adding allocates nothing. */
export class RecordBuffer {
  length = 0;
  readonly #doubles: Float64Array;
  readonly #words: Uint32Array;
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#doubles = new Float64Array(capacity * DOUBLES);
    this.#words = new Uint32Array(this.#doubles.buffer);
  }

  /** False when there is no more room. */
  add(record: DecisionRecord): boolean {
    if (this.length === this.#capacity) return false;
    const doubles = this.#doubles;
    const words = this.#words;
    const at = this.length * DOUBLES;
    doubles[at] = record.decidedAtMs;
    doubles[at + 1] = record.startsAtMs;
    doubles[at + 2] = record.screen;
    doubles[at + 3] = record.campaign;
    doubles[at + 4] = record.creative;
    doubles[at + 5] = record.costMicros;
    const word = this.length * WORDS + 12;
    words[word] = record.maxDurationMs;
    words[word + 1] = record.revision;
    words[word + 2] = record.planVersion;
    words[word + 3] = (record.durationMs << 16) | (record.flags << 8) | (record.answer & 0xff);
    this.length++;
    return true;
  }

  /** A copy of the bytes of the records from one number up to another. */
  bytes(from: number, to: number): Uint8Array {
    return new Uint8Array(this.#doubles.buffer.slice(from * RECORD_BYTES, Math.min(to, this.length) * RECORD_BYTES));
  }

  clear(): void {
    this.length = 0;
  }
}

/** Reads records one after another, each a new object. @throws Bug when the bytes are no whole records */
export function* readRecords(bytes: Uint8Array): Generator<DecisionRecord> {
  assert(bytes.length % RECORD_BYTES === 0, 'records are whole');
  const copy = new Uint8Array(bytes); // views need their alignment
  const doubles = new Float64Array(copy.buffer);
  const words = new Uint32Array(copy.buffer);
  for (let record = 0; record < bytes.length / RECORD_BYTES; record++) {
    const at = record * DOUBLES;
    const word = record * WORDS + 12;
    const last = words[word + 3]!;
    const answer = last & 0xff;
    yield {
      decidedAtMs: doubles[at]!,
      startsAtMs: doubles[at + 1]!,
      screen: doubles[at + 2] as Handle<'screen'>,
      campaign: doubles[at + 3] as Handle<'campaign'>,
      creative: doubles[at + 4] as Handle<'creative'>,
      costMicros: doubles[at + 5]!,
      maxDurationMs: words[word]!,
      revision: words[word + 1]!,
      planVersion: words[word + 2]!,
      durationMs: last >>> 16,
      flags: (last >>> 8) & 0xff,
      answer: answer === FILLED ? -1 : answer,
    };
  }
}
