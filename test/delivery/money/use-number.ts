/** Uses numbers as the recorder does: the row of a fill, which the issue log notes. */
import { emptyRecord, OF_PLAN } from '#domain/plays/decision-record.ts';
import type { IssueLog, UsedNumber } from '../../../delivery/money/issue-log.ts';
import { FILLED } from '../../../delivery/decision/engine.ts';
import type { DecisionRows } from '../../../delivery/recording/decision-rows.ts';

export function useNumber(rows: DecisionRows, issueLog: IssueLog, used: UsedNumber): void {
  const { campaign, issueNumber, screen, startsAt, micros, plan } = used;
  const flags = plan ? OF_PLAN : 0;
  const fill = { answer: FILLED, campaign, screen, startsAtMs: startsAt, costMicros: micros, flags };
  rows.add({ ...emptyRecord(), ...fill }, issueNumber);
  issueLog.used();
}
