/**
 * Sends the records and the sums of refused plays to ingest once a second. A batch is retried under its id until it is
 * stored; while Redis is down the recorder fills up and then drops. No decision waits for anything here.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Bug } from '#domain/assertion.ts';
import { RECORD_BYTES } from '#domain/plays/decision-record.ts';
import type { DecisionBatch, JournalPart } from '#ingest/queue/decision-batch.ts';
import type { DecisionQueue } from '#ingest/queue/decision-queue.ts';
import type { Log } from '#runtime/log.ts';
import type { DecisionRecorder } from './recorder.ts';
import type { RefusedPlays } from './refused-plays.ts';

const FLUSH_MS = 1_000;
/** Refused plays are outside of runs. */
const NO_RUN = 0;
/** Records of one job: 64 KiB, which become a job in 1.3 ms. Four times as many took 6.3 ms, which delayed slots. */
const BATCH_BYTES_MAX = 1_024 * RECORD_BYTES;
/** Lines of one job: the same. */
const PART_CHARACTERS_MAX = 64 * 1024;

export type DecisionStream = {
  /** Stores the pending records; resolves when they are stored or cannot be stored now. */
  flush(): Promise<void>;
  stop(): void;
};

export type DecisionStreamOptions = {
  recorder: DecisionRecorder;
  refused: RefusedPlays;
  decisionQueue: DecisionQueue;
  /** Names the batches of this process: its first epoch. */
  node: number;
  log: Log;
  now: () => number;
};

export function startDecisionStream(options: DecisionStreamOptions): DecisionStream {
  const { recorder, refused, decisionQueue, node, log, now } = options;
  const { counts } = recorder;
  const batches = batchesOf({ recorder, refused, now }, node);
  let waiting: (DecisionBatch & { id: string }) | undefined;
  let flushing: Promise<void> | undefined;

  const send = async (): Promise<void> => {
    recorder.beginWhenDue(now());
    for (;;) {
      if (waiting === undefined) {
        const next = batches.next();
        if (next === undefined) return;
        if (next === 'pause') {
          await nextTurn();
          continue;
        }
        waiting = next;
      }
      if (!(await decisionQueue.add(waiting))) {
        counts.dropped += waiting.records.length / RECORD_BYTES;
        recorder.breakOff();
        counts.dropped += batches.drop();
      }
      waiting = undefined;
    }
  };
  const flush = (): Promise<void> =>
    (flushing ??= send()
      .catch((error: unknown) => {
        if (error instanceof Bug) throw error;
        log.debug({ err: error }, 'decisions cannot be stored yet');
      })
      .finally(() => {
        flushing = undefined;
      }));
  const timer = setInterval(() => void flush(), FLUSH_MS);
  return { flush, stop: () => clearInterval(timer) };
}

/** Cuts the records into batches: the state of a new run, then the records since. `pause`: yields to other work. */
function batchesOf(
  { recorder, refused, now }: { recorder: DecisionRecorder; refused: RefusedPlays; now: () => number },
  node: number,
): { next(): (DecisionBatch & { id: string }) | 'pause' | undefined; drop(): number } {
  const ready: DecisionBatch[] = [];
  let batchNumber = 0;
  let changesNumber = 0;
  let state: { epoch: number; run: number; number: number; lines: Generator<string> } | undefined;
  let looked = false;
  const fill = (): 'pause' | undefined => {
    const begun = recorder.takeState();
    if (begun !== undefined) state = { ...begun, number: 0 };
    if (state !== undefined) {
      const { epoch, run, number, lines } = state;
      const text = textOf(lines);
      if (text === '') state = undefined;
      else {
        ready.push({ epoch, run, first: 0, records: new Uint8Array(0), journal: [{ part: 'state', number, text }] });
        state.number++;
      }
      return 'pause';
    }
    if (looked) {
      looked = false;
      return undefined;
    }
    looked = true;
    const sums = refused.take(now());
    if (sums.length > 0)
      ready.push({ epoch: node, run: NO_RUN, first: 0, records: new Uint8Array(0), journal: [], refused: sums });
    for (const { epoch, run, first, records, changes } of recorder.take()) {
      const lines = changes.values();
      const journal: JournalPart[] = [];
      for (let text = textOf(lines); text !== ''; text = textOf(lines))
        journal.push({ part: 'changes', number: changesNumber++, text });
      // All parts except the last go ahead; the last comes with the first decisions, so that no reader finds decisions
      // without it.
      for (const part of journal.splice(0, journal.length - 1))
        ready.push({ epoch, run, first, records: new Uint8Array(0), journal: [part] });
      for (let from = 0; from === 0 || from < records.length; from += BATCH_BYTES_MAX) {
        ready.push({
          epoch,
          run,
          first: first + from / RECORD_BYTES,
          records: records.subarray(from, from + BATCH_BYTES_MAX),
          journal: journal.splice(0),
        });
      }
    }
    return 'pause';
  };
  return {
    next() {
      const next = ready.shift();
      return next === undefined ? fill() : { ...next, id: `d${node}-${++batchNumber}` };
    },
    /** Drops the pending batches, because earlier ones are lost. Returns the number of dropped decisions. */
    drop() {
      state = undefined;
      return ready.splice(0).reduce((sum, { records }) => sum + records.length / RECORD_BYTES, 0);
    },
  };
}

/** Some of the lines as one text; empty if none are left. */
function textOf(lines: Iterator<string>): string {
  let text = '';
  while (text.length < PART_CHARACTERS_MAX) {
    const next = lines.next();
    if (next.done === true) break;
    text += `${next.value}\n`;
  }
  return text;
}
