/**
 * One row for each decision, written once. It has two uses: the record that the stream sends to ingest, and the line of
 * the used number in the issue log. No decision waits for either: the log takes the rows on the next tick, the stream
 * once a second.
 *
 * While the stream is blocked there is no room for more records. Used numbers must be on file even then: the rows of
 * fills have room after the records until the log has taken them.
 */
import { assert } from '#domain/assertion.ts';
import { NO_HANDLE } from '#domain/id.ts';
import { type DecisionRecord, OF_PLAN, RecordBuffer } from '#domain/plays/decision-record.ts';
import { type UsedNumber, type UsedNumbers, WAITING_MAX } from '../money/issue-log.ts';
import { NOT_TAKEN } from '../decision/reservations.ts';

/** Between two flushes of a second: the slots of 160,000 screens, in 1 MiB. */
export const RECORDS_MAX = 16_384;
/** The log takes the rows of fills before this limit. */
const UNRECORDED_MAX = 2 * WAITING_MAX;
const ROWS_MAX = RECORDS_MAX + UNRECORDED_MAX;

export class DecisionRows implements UsedNumbers {
  readonly #buffer = new RecordBuffer(ROWS_MAX);
  /** The number used by a fill, by row; `NOT_TAKEN` for a slot without an ad. */
  readonly #numbers = new Uint32Array(ROWS_MAX);
  /** The first row that the log has not read, and the number of fills from there on. */
  #unlogged = 0;
  #waiting = 0;
  /** The argument for the log: one object for all rows. */
  readonly #used: UsedNumber = {
    campaign: NO_HANDLE,
    issueNumber: 0,
    screen: NO_HANDLE,
    startsAt: 0,
    micros: 0,
    plan: false,
  };

  /** How many records there are. */
  get length(): number {
    return Math.min(this.#buffer.length, RECORDS_MAX);
  }

  /** How many numbers were used that the log has not taken. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Writes the row of a decision. False if there is no more room for its record. */
  add(record: DecisionRecord, issueNumber: number): boolean {
    const row = this.#buffer.length;
    const isRecorded = row < RECORDS_MAX;
    if (!isRecorded && issueNumber === NOT_TAKEN) return false;
    assert(this.#buffer.add(record), 'the issue log takes what was used before there is no more room');
    this.#numbers[row] = issueNumber;
    if (issueNumber !== NOT_TAKEN) this.#waiting++;
    return isRecorded;
  }

  /** @see UsedNumbers.takeUsed */
  takeUsed(each: (used: UsedNumber) => void): void {
    const buffer = this.#buffer;
    const used = this.#used;
    for (let row = this.#unlogged; row < buffer.length; row++) {
      const issueNumber = this.#numbers[row]!;
      if (issueNumber === NOT_TAKEN) continue;
      used.campaign = buffer.campaignAt(row);
      used.issueNumber = issueNumber;
      used.screen = buffer.screenAt(row);
      used.startsAt = buffer.startsAtMsAt(row);
      used.micros = buffer.costMicrosAt(row);
      used.plan = (buffer.flagsAt(row) & OF_PLAN) !== 0;
      each(used);
    }
    buffer.length = this.length;
    this.#unlogged = buffer.length;
    this.#waiting = 0;
  }

  /** A copy of the bytes of the records from one number up to another. */
  bytes(from: number, to: number): Uint8Array {
    return this.#buffer.bytes(from, Math.min(to, RECORDS_MAX));
  }

  /** Clears all rows; the log has taken them. */
  clear(): void {
    assert(this.#waiting === 0, 'rows are forgotten when the issue log has taken them');
    this.#buffer.clear();
    this.#unlogged = 0;
  }
}
