/**
 * The time limit of an insert, which adapts to the duration of inserts. ClickHouse ends an insert at this limit. On a
 * starved machine a fixed limit would also end every repeat, and nothing would ever be written.
 */
import { Fault } from '#runtime/fault-error.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Many times what a healthy server needs: an insert of 10,000 plays takes a few tenths of a second. */
export const EXECUTION_S_MIN = 7;
/** Enough at a hundredth of the usual speed. A rebuild of the authority waits for running inserts. */
export const EXECUTION_S_MAX = 60;
/** The next insert may be larger, or the machine busier. */
const ROOM = 4;
/** On a starved machine each step costs an insert that was for nothing, so the steps to the maximum are few. */
const GROWTH = 4;
/** Code of ClickHouse: TIMEOUT_EXCEEDED. */
const TIMEOUT_EXCEEDED = '159';

export class InsertPace {
  /** By table: an insert of plays also fills the rollups, and takes several times as long as others. */
  readonly #executionS = new Map<string, number>();
  readonly #executionSMax: number;

  /**
   * @param isOneServer whether a rebuild of the authority can see running inserts there. Otherwise the limit is fixed,
   *   and with it the time after which no row can appear.
   */
  constructor({ isOneServer }: { isOneServer: boolean }) {
    this.#executionSMax = isOneServer ? EXECUTION_S_MAX : EXECUTION_S_MIN;
  }

  /** Seconds, whole. */
  executionS(table: string): number {
    return this.#executionS.get(table) ?? EXECUTION_S_MIN;
  }

  /** An insert was written after this time: the next ones have room. The limit falls at most by half. */
  ended(table: string, tookMs: Milliseconds): void {
    this.#set(table, Math.max(Math.ceil((ROOM * tookMs) / 1_000), Math.ceil(this.executionS(table) / 2)));
  }

  /** An insert failed. Only a timeout raises the limit. */
  failed(table: string, error: unknown): void {
    if (isTimeout(error)) this.#set(table, GROWTH * this.executionS(table));
  }

  #set(table: string, seconds: number): void {
    this.#executionS.set(table, Math.min(Math.max(seconds, EXECUTION_S_MIN), this.#executionSMax));
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Fault
    ? error.code === 'insert_timeout'
    : (error as { code?: string } | undefined)?.code === TIMEOUT_EXCEEDED;
}
