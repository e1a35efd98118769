/** How cards read reports: owners those of one campaign or several, readers a shared one. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useRead } from '../../api/api.ts';
import type { Asked } from '../../ui/states.tsx';

export type CampaignsReport = AnswerOf<OperationOf<'/v1/reporting/campaigns', 'get'>>;
/** The part that the reports of one campaign and of several have in common. */
export type Report = Pick<CampaignsReport, 'totals' | 'series' | 'groups' | 'as_of' | 'is_final'>;
export const REPORT_GROUPS = ['venue', 'city', 'creative', 'hour'] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];
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

/** The report of several campaigns, whose ids are comma-separated. */
export function useReportOfSeveral(ids: string, query: ReportQuestion, isWanted = true): Asked<CampaignsReport> {
  return useRead(
    ['reports', ids, query],
    (api, signal) => api.get('/v1/reporting/campaigns', { query: { ...query, campaign_id: ids }, signal }),
    { isLive: true, isHeavy: true, isWanted, keepsPrevious: true },
  );
}
