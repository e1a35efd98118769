/** Unpacks a job of the queue of decisions. */
import { type DecisionRecord, readRecords, RECORD_BYTES, UNKNOWN_REASON } from '#domain/plays/decision-record.ts';
import type { DecisionBatch, JournalPart, RefusedSum } from '../queue/decision-batch.ts';
import { unpackPayload } from '../queue/batch.ts';

/** A batch with its records, parsed and as bytes. */
export type DecodedDecisions = Omit<DecisionBatch, 'records' | 'refused'> & {
  refused: readonly RefusedSum[];
  bytes: Uint8Array;
  records: DecisionRecord[];
};

/** Unpacks a batch of decisions, or returns its fault as a text. */
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
  const decisions = [...readRecords(records)];
  if (decisions.some(({ answer }) => answer === UNKNOWN_REASON))
    return 'a record has a reason that this version does not know';
  return {
    epoch,
    run,
    first,
    journal: journal as JournalPart[],
    refused: refused as RefusedSum[],
    bytes: records,
    records: decisions,
  };
}
