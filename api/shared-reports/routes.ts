/**
 * The routes of shared reports: members make, list and end links, and anyone with a link reads the report. Reading
 * needs no key, so reads are limited by network address.
 */
import { isReportToken } from '#domain/access/key.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import { parseZone } from '#domain/screens/schedule.ts';
import {
  endSharedReport,
  findShared,
  listSharedReports,
  shareReport,
  type MadeLink,
} from '#sql/shared-reports/links.ts';
import { KEYLESS_BYTES_MAX } from '../http/body-bounds.ts';
import { routeFor, type PublicCall } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { listed, listOf } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { readReport, type ReportDependencies } from '../reporting/routes.ts';
import type { GuessLimit } from '../rate-limit/guess-limit.ts';
import {
  DAYS_DEFAULT,
  MadeSharedReport,
  ReadSharedBody,
  ShareBody,
  SharedReportRecord,
  SharedReportShown,
  SharedReportsQuery,
  type ReadShared,
} from './schema.ts';
import { madeRecord, sharedReportRecord } from './record.ts';

type Dependencies = ReportDependencies & { urls: { public: string }; sharedReportReads: GuessLimit };
const route = routeFor<Dependencies>();

export const sharedReportRoutes = [
  route({
    method: 'GET',
    path: '/campaigns/:id/shared-reports',
    access: { resource: 'reporting', verb: 'read' },
    operationId: 'listSharedReports',
    summary: "List the links to a campaign's report",
    id: 'campaign',
    query: SharedReportsQuery,
    page: { list: 'shared-reports' },
    response: { 200: listOf(SharedReportRecord) },
    async handle({ caller, id, page }, { sql, now }) {
      const rows = await listSharedReports(sql, caller, { campaign: id, page });
      return isRefusal(rows) ? rows : listed({ rows }, page, { recordOf: row => sharedReportRecord(row, now()) });
    },
  }),

  route({
    method: 'POST',
    path: '/campaigns/:id/shared-reports',
    access: { resource: 'reporting', verb: 'write' },
    refusals: ['state_conflict'],
    secretReply: true,
    operationId: 'shareReport',
    summary: "Share a campaign's report by a link",
    description:
      'Anyone with the link reads the report of this campaign without a key, until the link ends; nothing else, and they change nothing.',
    id: 'campaign',
    body: ShareBody,
    response: { 201: MadeSharedReport },
    handle({ caller, id, body: { name = '', days = DAYS_DEFAULT } }, { sql, urls, now }) {
      const shown = { publicUrl: urls.public, now: now() };
      return replying(caller, { now: shown.now, render: (made: MadeLink) => madeRecord(made, shown) }, call =>
        shareReport(sql, call, { campaign: id, name, days }),
      );
    },
  }),

  route({
    method: 'DELETE',
    path: '/shared-reports/:id',
    access: { resource: 'reporting', verb: 'write' },
    operationId: 'endSharedReport',
    summary: 'End a link to a report',
    id: 'shared_report',
    handle: ({ caller, id }, { sql, now }) => endSharedReport(sql, { ...caller, now: new Date(now()) }, id),
  }),

  route({
    method: 'POST',
    path: '/shared-reports/read',
    access: 'public',
    refusals: ['not_found', 'link_expired', 'rate_limited'],
    operationId: 'readSharedReport',
    summary: 'Read a shared report',
    description:
      'For the page behind the link. It changes nothing: it is a POST so that no address contains the token. An address reads at most 120 times a minute.',
    body: ReadSharedBody,
    bodyBytesMax: KEYLESS_BYTES_MAX,
    guesses: ({ sharedReportReads }) => sharedReportReads,
    response: { 200: SharedReportShown },
    handle: readShared,
  }),
];

/** The report as its owner reads it, of the book in which the campaign is; by city if the reader does not say. */
async function readShared(
  { body: { token, group_by = 'city', ...days } }: PublicCall<ReadShared>,
  dependencies: Dependencies,
): Promise<SharedReportShown | Refusal> {
  const { sql, campaigns, now } = dependencies;
  const shared = isReportToken(token) ? await findShared(sql, { token, now: now() }) : refuseAbsent();
  if (isRefusal(shared)) return shared;
  const { campaign: handle, workspaceName, expiresAt } = shared;
  const campaign = await campaigns.find(shared, handle);
  if (!campaign) return refuseAbsent();
  const report = await readReport(dependencies, shared, { handle, query: { ...days, group_by } });
  if (isRefusal(report)) return report.code === 'bad_query_parameter' ? refuseDays(days, report.detail) : report;
  const { name, starts, ends } = campaign.row;
  return {
    workspace: { name: workspaceName },
    campaign: { name, starts, ends },
    report,
    expires_at: expiresAt.toISOString(),
  };
}

/** What a report says of the parameters of a query is said of the fields of this body. */
function refuseDays({ tz = 'UTC' }: Pick<ReadShared, 'tz'>, detail: string): Refusal {
  return refuseField(parseZone(tz) === undefined ? '/tz' : '/from', 'out_of_range', detail);
}
