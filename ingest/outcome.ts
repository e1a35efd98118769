/**
 * What becomes of one event: it goes on (`ok`), it is left out because another row stands for it (`drop`), or it
 * cannot be processed and is kept for a human (`dead_letter`). Nothing else can happen to something acknowledged.
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

/** The events of a group, sorted by what becomes of them. */
export type Sorted = {
  plays: VerifiedPlay[];
  scans: ScanEvent[];
  releases: { job: string; release: IssuedPlay }[];
  letters: DeadLetter[];
};

/** Adds the event to its list, or its letter to the dead ones. */
export function sortOutcome<T>(outcome: Outcome<T>, accepted: T[], letters: DeadLetter[]): void {
  if (outcome.kind === 'ok') accepted.push(outcome.value);
  if (outcome.kind === 'dead_letter') letters.push(outcome.letter);
}
