/** A recorder over an engine, with an issue log that takes what was used when it is written, and keeps it here. */
import type { UsedNumber } from '../../../delivery/money/issue-log.ts';
import { DecisionRows } from '../../../delivery/recording/decision-rows.ts';
import { DecisionRecorder, type RecorderDependencies } from '../../../delivery/recording/recorder.ts';

export type RecorderOver = { recorder: DecisionRecorder; used: UsedNumber[] };

export function recorderOver(
  parts: Omit<RecorderDependencies, 'rows' | 'current' | 'revision'>,
  epoch: number,
): RecorderOver {
  const rows = new DecisionRows();
  const used: UsedNumber[] = [];
  const write = (): void => rows.takeUsed(number => used.push({ ...number }));
  const current = { epoch, issueLog: { used: () => undefined, write } };
  return { recorder: new DecisionRecorder({ ...parts, rows, current, revision: () => 1 }), used };
}
