/**
 * The format of a batch of decisions from delivery to ingest: records of decisions, the journal for replays of a run,
 * and sums of the reports that delivery refused.
 */
import type { PlayRefusal } from '#domain/plays/play.ts';
import type { Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';

/**
 * A part of a run's journal, as lines: its state at the beginning, or changes since. Numbers grow by one in each part.
 */
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
/**
 * Reports of plays that were refused by a rule, of one campaign, creative and screen, whose slots begin in the 15
 * minutes from `bucketMs` on.
 */
export type RefusedSum = {
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  sandbox: boolean;
  bucketMs: Milliseconds;
  rule: PlayRefusal;
  plays: number;
};
