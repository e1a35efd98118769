/**
 * The record of one decision about a slot, as 64 bytes. Delivery writes it into a buffer that was allocated before;
 * ingest, the API and the replay read it. Layout: Six doubles, then integers of 32 bits: maximum duration, snapshot
 * revision, plan version, and one word of the creative's duration (16 bits), flags (8) and the code of the answer (8).
 */
import { assert } from '../assertion.ts';
import { NO_HANDLE, type Handle } from '../id.ts';
import { NO_FILL_REASONS, type NoFillReason } from './decision.ts';
import type { Micros, Milliseconds } from '../unit.ts';

export const RECORD_BYTES = 64;
const DOUBLES = RECORD_BYTES / 8;
const WORDS = RECORD_BYTES / 4;
/** The places of the doubles of a record, and of its words. */
const DECIDED_AT = 0;
const STARTS_AT = 1;
const SCREEN = 2;
const CAMPAIGN = 3;
const CREATIVE = 4;
const COST = 5;
const DURATION_MAX = 12;
const REVISION = 13;
const PLAN_VERSION = 14;
const REST = 15;
const FILLED = 0xff;

/**
 * The code of each reason in a record. Records wait in a queue and lie in the journal while programs are replaced, so a
 * code means the same forever, wherever its reason is in the order of the checks. A new reason takes the next code;
 * that of a removed reason is never given again.
 */
export const REASON_CODES: Readonly<Record<NoFillReason, number>> = {
  no_campaign: 0,
  screen_closed: 1,
  ad_ratio: 2,
  sandbox: 3,
  targeting: 4,
  venue_blocked: 5,
  outside_schedule: 6,
  outside_daypart: 7,
  paused: 8,
  creative_not_ready: 9,
  format: 10,
  budget_exhausted: 11,
  no_lease: 12,
  frequency: 13,
  separation: 14,
  paced_out: 15,
  restricted: 16,
};
/** The answer of a record with a code that this version does not know: a newer one wrote it. No reason's number. */
export const UNKNOWN_REASON = 0xff;

/** By the answer and one: -1, a fill, comes first. */
const CODE_OF_ANSWER = Uint8Array.from([FILLED, ...NO_FILL_REASONS.map(reason => REASON_CODES[reason])]);
const ANSWER_OF_CODE = new Int16Array(256).fill(UNKNOWN_REASON);
CODE_OF_ANSWER.forEach((code, place) => (ANSWER_OF_CODE[code] = place - 1));

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
  /** The number of the no-fill reason, or `UNKNOWN_REASON`; -1 for a fill. */
  answer: number;
  /** For a fill, else 0. */
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
    doubles[at + DECIDED_AT] = record.decidedAtMs;
    doubles[at + STARTS_AT] = record.startsAtMs;
    doubles[at + SCREEN] = record.screen;
    doubles[at + CAMPAIGN] = record.campaign;
    doubles[at + CREATIVE] = record.creative;
    doubles[at + COST] = record.costMicros;
    const word = this.length * WORDS;
    words[word + DURATION_MAX] = record.maxDurationMs;
    words[word + REVISION] = record.revision;
    words[word + PLAN_VERSION] = record.planVersion;
    words[word + REST] = (record.durationMs << 16) | (record.flags << 8) | CODE_OF_ANSWER[record.answer + 1]!;
    this.length++;
    return true;
  }

  campaignAt(record: number): Handle<'campaign'> {
    return this.#doubles[record * DOUBLES + CAMPAIGN] as Handle<'campaign'>;
  }

  screenAt(record: number): Handle<'screen'> {
    return this.#doubles[record * DOUBLES + SCREEN] as Handle<'screen'>;
  }

  startsAtMsAt(record: number): Milliseconds {
    return this.#doubles[record * DOUBLES + STARTS_AT]!;
  }

  costMicrosAt(record: number): Micros {
    return this.#doubles[record * DOUBLES + COST]!;
  }

  flagsAt(record: number): number {
    return (this.#words[record * WORDS + REST]! >>> 8) & 0xff;
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
    const word = record * WORDS;
    const last = words[word + REST]!;
    yield {
      decidedAtMs: doubles[at + DECIDED_AT]!,
      startsAtMs: doubles[at + STARTS_AT]!,
      screen: doubles[at + SCREEN] as Handle<'screen'>,
      campaign: doubles[at + CAMPAIGN] as Handle<'campaign'>,
      creative: doubles[at + CREATIVE] as Handle<'creative'>,
      costMicros: doubles[at + COST]!,
      maxDurationMs: words[word + DURATION_MAX]!,
      revision: words[word + REVISION]!,
      planVersion: words[word + PLAN_VERSION]!,
      durationMs: last >>> 16,
      flags: (last >>> 8) & 0xff,
      answer: ANSWER_OF_CODE[last & 0xff]!,
    };
  }
}
