import type { Handle } from '#domain/id.ts';
import { type DecisionRecord, readRecords, RECORD_BYTES } from '#domain/plays/decision-record.ts';
import type { PlayRefusal } from '#domain/plays/play.ts';
import { unpackPayload } from './decode.ts';

/** A part of a run's journal, as lines: its state at the beginning, or changes since. Numbers grow by one in each part. */
export type JournalPart = { part: 'state' | 'changes'; number: number; text: string };

/** Decisions of one process: `first` is the number of the first record in it. Run 0 is outside of every run. */
export type DecisionBatch = {
  epoch: number;
  run: number;
  first: number;
  records: Uint8Array;
  journal: readonly JournalPart[];
  refused?: readonly RefusedSum[];
};
/** Reports of plays that were refused by a rule, of one campaign, creative and screen, whose slots begin in the 15 minutes from `bucketMs` on. */
export type RefusedSum = {
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  sandbox: boolean;
  bucketMs: number;
  rule: PlayRefusal;
  plays: number;
};
export type DecodedDecisions = Omit<DecisionBatch, 'records' | 'refused'> & {
  refused: readonly RefusedSum[];
  bytes: Uint8Array;
  records: DecisionRecord[];
};

/** Unpacks a batch of decisions. Answers what is wrong as a text, when it is none. */
export function decodeDecisions(payload: string): DecodedDecisions | string {
  const value = unpackPayload(payload);
  if (typeof value === 'string') return value;
  const { epoch, run, first, records, journal, refused = [] } = value as Partial<DecisionBatch>;
  if (
    typeof epoch !== 'number' ||
    typeof run !== 'number' ||
    typeof first !== 'number' ||
    !Array.isArray(journal) ||
    !Array.isArray(refused)
  )
    return 'the payload is no batch of decisions';
  if (!(records instanceof Uint8Array) || records.length % RECORD_BYTES !== 0) return 'the records are not whole';
  return {
    epoch,
    run,
    first,
    journal: journal as JournalPart[],
    refused: refused as RefusedSum[],
    bytes: records,
    records: [...readRecords(records)],
  };
}
