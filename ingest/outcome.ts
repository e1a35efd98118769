/**
 * The outcome of one event: it continues (`ok`), it is dropped because another row represents it (`drop`), or it cannot
 * be processed and is stored for an operator (`dead_letter`). An acknowledged event has no other outcome.
 */
import type { VerifiedPlay } from './steps/verify.ts';
import type { IssuedPlay, ScanEvent } from './queue/batch.ts';

export type DeadLetter = {
  job: string;
  kind: 'batch' | 'play' | 'scan' | 'release';
  position: number;
  step: 'decode' | 'verify';
  reason: string;
  payload: unknown;
};

export type Outcome<T> =
  { kind: 'ok'; value: T } | { kind: 'drop'; reason: 'repeated_scan' } | { kind: 'dead_letter'; letter: DeadLetter };

/** The events of a group by outcome. */
export type Sorted = {
  plays: VerifiedPlay[];
  scans: ScanEvent[];
  releases: { job: string; release: IssuedPlay }[];
  letters: DeadLetter[];
};

/** Adds the event to its list, or a dead letter for it. */
export function sortOutcome<T>(outcome: Outcome<T>, accepted: T[], letters: DeadLetter[]): void {
  if (outcome.kind === 'ok') accepted.push(outcome.value);
  if (outcome.kind === 'dead_letter') letters.push(outcome.letter);
}
