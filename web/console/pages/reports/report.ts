/** How cards read the reports that they show: of a campaign by its owner, or of a shared report by its reader. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useRead } from '../../api/api.ts';
import type { Asked } from '../../ui/states.tsx';

export type Report = AnswerOf<OperationOf<'/v1/reporting/campaigns/{id}', 'get'>>;
export type ReportGroup = 'venue' | 'city' | 'creative' | 'hour';
export type ReportQuestion<Group extends ReportGroup = ReportGroup> = {
  tz: string;
  from?: string;
  to?: string;
  group?: 'hour' | 'day';
  group_by?: Group;
};
/** Asks for one report; not yet, if it is not wanted. What was shown before stays until the answer is there. */
export type UseReport<Group extends ReportGroup = ReportGroup> = (
  query: ReportQuestion<Group>,
  isWanted?: boolean,
) => Asked<Report>;

/** The reports of a campaign for its owner. Those over days of one's choice hold many buckets, and are asked seldom. */
export function useReportOf(id: string, query: ReportQuestion, isWanted = true): Asked<Report> {
  return useRead(
    ['report', id, query],
    (api, signal) => api.get('/v1/reporting/campaigns/{id}', { path: { id }, query, signal }),
    { isLive: true, isHeavy: query.from !== undefined, isWanted, keepsPrevious: true },
  );
}
