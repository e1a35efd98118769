/**
 * The routes of reports: campaigns in figures, the log of scans, and brand lift. The campaigns, days and filters of a
 * query are checked here; the other files of this folder read the figures.
 */
import { NO_HANDLE, parseId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Authority } from '#authority/authority.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { callersTime } from '#sql/sandbox/clock.ts';
import type { Caller } from '../authentication/caller.ts';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import { findCampaigns, listHandles } from '#sql/campaigns/rows.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { listOf, type List, type Page } from '../lists/paging.ts';
import { listBrandLift, recordResponses } from './brand-lift.ts';
import type { ReportFigures } from '#sql/figures/read-figures.ts';
import { resolveFilter, zonesOfScans } from '../figures/filter.ts';
import type { CampaignRecords } from '../campaigns/record-cache.ts';
import type { FigureReads } from '../figures/figure-reads.ts';
import { dimensionOf, groupsOf } from './groups.ts';
import { readInvalid } from './invalid-plays.ts';
import { parseRange } from '#domain/reporting/report-range.ts';
import { daypartOfScans, listScans, parseScanFilter, SCAN_POSITION, scansTable } from './scans.ts';
import {
  CampaignReport,
  CAMPAIGNS_OF_REPORT_MAX,
  CampaignsReport,
  CampaignsReportQuery,
  ReportQuery,
  type CampaignsReportParameters,
  type GroupBy,
  type Report,
  type ReportParameters,
} from './schema/report.ts';
import { BrandLiftQuery, BrandLiftReceipt, BrandLiftRecord, BrandLiftResponsesBody } from './schema/brand-lift.ts';
import { SCAN_SORTS, ScanRecord, ScansQuery, type Scan, type ScanParameters } from './schema/scans.ts';
import { statementTable } from './statement.ts';
import { latePlaysOf, readFinality, reportOf, reportOfSeveral, reportTable } from './store.ts';
import type { NotCountedReads } from './not-counted.ts';

export type ReportDependencies = CallDependencies & {
  clickhouse: Clickhouse;
  authority: Authority;
  playQueue: PlayQueue;
  campaigns: CampaignRecords;
  figures: FigureReads;
  notCountedReads: NotCountedReads;
};

const route = routeFor<ReportDependencies>();

/** A query names its campaigns one by one: 5,000 ids are 100 kB, well inside what ClickHouse parses (256 KiB). */
const CAMPAIGNS_MAX = 5_000;

export const reportingRoutes = [
  route({
    method: 'GET',
    path: '/reporting/campaigns/:id',
    access: { resource: 'reporting', verb: 'read' },
    refusals: ['validation_failed'],
    operationId: 'readCampaignReport',
    summary: 'Report of a campaign by day or hour, and by venue, city, creative or hour of the day',
    id: 'campaign',
    query: ReportQuery,
    response: { 200: CampaignReport },
    csv: (report, query) => (query.table === 'statement' ? statementTable(report) : reportTable(report)),
    handle: ({ caller, id, query }, dependencies) => readReport(dependencies, caller, { handle: id, query }),
  }),

  route({
    method: 'GET',
    path: '/reporting/campaigns',
    access: { resource: 'reporting', verb: 'read' },
    refusals: ['validation_failed', 'not_found'],
    operationId: 'readCampaignsReport',
    summary: 'Report of several campaigns in one call',
    description:
      'The totals are the sums of the reports of these campaigns. Without `from` and `to` the range runs from the first day of the earliest to the last day of the latest. What was taken out of a campaign later (`adjustments`, `net`) is in its own report.',
    query: CampaignsReportQuery,
    response: { 200: CampaignsReport },
    csv: reportTable,
    handle: ({ caller, query }, dependencies) => readSeveral(dependencies, caller, query),
  }),

  route({
    method: 'GET',
    path: '/reporting/scans',
    access: { resource: 'reporting', verb: 'read' },
    refusals: ['validation_failed'],
    operationId: 'listScans',
    summary: 'List the scans',
    query: ScansQuery,
    page: { list: 'scans', sorts: SCAN_SORTS, position: SCAN_POSITION },
    response: { 200: listOf(ScanRecord) },
    csv: scansTable,
    handle: ({ caller, page, query }, dependencies) => readScans(dependencies, caller, { page, query }),
  }),

  route({
    method: 'GET',
    path: '/reporting/brand-lift',
    access: { resource: 'reporting', verb: 'read' },
    refusals: ['state_conflict', 'not_found'],
    operationId: 'listBrandLift',
    summary: 'List the brand lift of campaigns',
    query: BrandLiftQuery,
    page: { list: 'brand-lift' },
    response: { 200: listOf(BrandLiftRecord) },
    handle({ caller, page, query }, { sql }) {
      const { campaign_id: id } = query;
      // What is no id becomes 0, which no campaign has as its handle.
      const campaign = id === undefined ? undefined : (parseId('campaign', id) ?? NO_HANDLE);
      return listBrandLift(sql, caller, { campaign, page });
    },
  }),

  route({
    method: 'POST',
    path: '/reporting/brand-lift/responses',
    access: { resource: 'reporting', verb: 'write' },
    operationId: 'createBrandLiftResponses',
    summary: 'Record survey answers about campaigns with brand lift',
    body: BrandLiftResponsesBody,
    response: { 201: BrandLiftReceipt },
    handle: ({ caller, body }, { sql, now }) => recordResponses(sql, caller, { responses: body.responses, now: now() }),
  }),
];

/** The report of one campaign, for callers who may read it. */
export async function readReport(
  dependencies: ReportDependencies,
  caller: Pick<Caller, 'workspace' | 'sandbox'>,
  { handle, query }: { handle: Handle<'campaign'>; query: ReportParameters },
): Promise<Report | Refusal> {
  const campaign = await dependencies.campaigns.find(caller, handle);
  if (!campaign) return refuseAbsent();
  const { row } = campaign;
  const now = await callersTime(dependencies.sql, caller, dependencies.now());
  const range = parseRange(query, { campaign: row, now });
  if (isRefusal(range)) return range;
  const filter = await resolveFilter(dependencies, [handle], query);
  if (isRefusal(filter)) return filter;
  const asOf = await dependencies.playQueue.asOf(); // before the queries, so that it promises no more than they saw
  const scope = { campaigns: [handle], sandbox: row.sandbox, range, filter };
  const [final, figures, notCounted] = await Promise.all([
    readFinality(dependencies, [row], { range, asOf }),
    dependencies.figures.of({ ...scope, ...(query.group_by && { dimensions: [dimensionOf(query.group_by)] }) }),
    dependencies.notCountedReads.of(scope),
  ]);
  const [invalid, groups] = await Promise.all([
    readInvalid(dependencies, row, { ...scope, latePlays: latePlaysOf(figures) }),
    readGroups(dependencies.sql, query.group_by, { figures, currency: row.currency }),
  ]);
  return reportOf(row, { range, figures, groups, invalid, notCounted, asOf, final, now });
}

async function readSeveral(
  dependencies: ReportDependencies,
  caller: Caller,
  query: CampaignsReportParameters,
): Promise<CampaignsReport | Refusal> {
  const rows = await campaignsNamed(dependencies.sql, caller, query.campaign_id);
  if (isRefusal(rows)) return rows;
  const now = await callersTime(dependencies.sql, caller, dependencies.now());
  const days = {
    starts: rows.flatMap(row => row.starts ?? []).sort()[0] ?? null,
    ends:
      rows
        .flatMap(row => row.ends ?? [])
        .sort()
        .at(-1) ?? null,
  };
  const range = parseRange(query, { campaign: days, now });
  if (isRefusal(range)) return range;
  const campaigns = rows.map(row => row.handle);
  const filter = await resolveFilter(dependencies, campaigns, query);
  if (isRefusal(filter)) return filter;
  const asOf = await dependencies.playQueue.asOf(); // before the queries, so that it promises no more than they saw
  const dimensions = [...new Set(['campaign' as const, ...(query.group_by ? [dimensionOf(query.group_by)] : [])])];
  const [final, figures] = await Promise.all([
    readFinality(dependencies, rows, { range, asOf }),
    dependencies.figures.of({ campaigns, sandbox: caller.sandbox, range, filter, dimensions }),
  ]);
  const groups = await readGroups(dependencies.sql, query.group_by, { figures, currency: rows[0]!.currency });
  return reportOfSeveral(rows, { range, figures, groups, asOf, final, now });
}

/** The campaigns of a list of ids, each once. The refusal names the first that is not the caller's. */
async function campaignsNamed(sql: Postgres, caller: Caller, list: string): Promise<CampaignRow[] | Refusal> {
  const ids = [...new Set(list.split(','))];
  if (ids.length > CAMPAIGNS_OF_REPORT_MAX)
    return refuse('bad_query_parameter', `A report covers at most ${CAMPAIGNS_OF_REPORT_MAX} campaigns.`);
  const handles = ids.map(id => parseId('campaign', id));
  const rows = await findCampaigns(
    sql,
    caller,
    handles.flatMap(handle => handle ?? []),
  );
  const unknown = ids.find((_, index) => !rows.some(row => row.handle === handles[index]));
  return unknown === undefined
    ? rows
    : refuse('not_found', `campaign_id names ${JSON.stringify(unknown)}, which is no campaign of this workspace.`);
}

async function readGroups<By extends GroupBy>(
  sql: Postgres,
  groupBy: By | undefined,
  { figures, currency }: { figures: ReportFigures; currency: string },
) {
  return groupBy === undefined
    ? undefined
    : {
        group_by: groupBy,
        groups: await groupsOf(sql, { groupBy, figures: figures.groups.get(dimensionOf(groupBy))!, currency }),
      };
}

async function readScans(
  { sql, clickhouse }: ReportDependencies,
  caller: Caller,
  { page, query }: { page: Page; query: ScanParameters },
): Promise<List<Scan> | Refusal> {
  const filter = parseScanFilter(query);
  if (isRefusal(filter)) return filter;
  const campaigns = await campaignsOf(sql, caller, query.campaign_id);
  if (isRefusal(campaigns)) return campaigns;
  const { daypart } = filter;
  const zones = daypart && campaigns.length > 0 ? await zonesOfScans({ sql, clickhouse }, campaigns) : [];
  if (isRefusal(zones)) return zones;
  const narrowed = daypart ? { ...filter, where: [...filter.where, daypartOfScans(daypart, filter, zones)] } : filter;
  return listScans(clickhouse, { campaigns, sandbox: caller.sandbox, page, filter: narrowed });
}

/** Handles of the campaigns whose scans the caller may see: the one named, or all, including deleted ones. */
async function campaignsOf(
  sql: Postgres,
  caller: Caller,
  id: string | undefined,
): Promise<Handle<'campaign'>[] | Refusal> {
  // What is no id becomes 0, which no campaign has as its handle.
  const named = id === undefined ? undefined : (parseId('campaign', id) ?? NO_HANDLE);
  const handles = await listHandles(sql, caller, { named, limit: CAMPAIGNS_MAX + 1 });
  if (named !== undefined && handles.length === 0) return refuseAbsent();
  if (handles.length > CAMPAIGNS_MAX)
    return refuse('bad_query_parameter', `There are more than ${CAMPAIGNS_MAX} campaigns: name one by campaign_id.`);
  return handles;
}
