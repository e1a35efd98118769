import { parseId } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import { callerOf, type Caller } from '../authentication.ts';
import type { Api, ApiParts } from '../app.ts';
import { findCampaign } from '../campaigns/store.ts';
import { answer, refuseAbsent } from '../error-reply.ts';
import { listOf, readPage } from '../paging.ts';
import { idParams } from '../shapes.ts';
import { parseRange } from './range.ts';
import { CampaignReport, ReportQuery, ScanRecord, ScansQuery, type ReportParameters } from './schema.ts';
import { isFinal, listScans, readFigures, reportOf, SCAN_POSITION } from './store.ts';

/** A query names its campaigns one by one: 5,000 ids are 100 kB, well inside what ClickHouse parses (256 KiB). */
const CAMPAIGNS_MAX = 5_000;

export function reportingRoutes(app: Api, parts: ApiParts): void {
  app.get('/reporting/campaigns/:id', {
    config: { access: { resource: 'reporting', verb: 'read' } },
    schema: { operationId: 'readCampaignReport', summary: 'Report of a campaign by day or hour', tags: ['Reporting'], params: idParams, querystring: ReportQuery, response: { 200: CampaignReport } },
  }, async (request, reply) => {
    const handle = parseId('campaign', request.params.id);
    return answer(reply, 200, handle === undefined ? refuseAbsent() : await readReport(parts, callerOf(request), { handle, query: request.query }));
  });

  app.get('/reporting/scans', {
    config: { access: { resource: 'reporting', verb: 'read' } },
    schema: { operationId: 'listScans', summary: 'List the scans', tags: ['Reporting'], querystring: ScansQuery, response: { 200: listOf(ScanRecord) } },
  }, async (request, reply) => {
    const page = readPage(request.query, { list: 'scans', position: SCAN_POSITION });
    const caller = callerOf(request);
    const campaigns = await campaignsOf(parts.sql, caller, request.query.campaign_id);
    if (isRefusal(page) || isRefusal(campaigns)) return answer(reply, 200, isRefusal(page) ? page : campaigns);
    return answer(reply, 200, await listScans(parts.clickhouse, { campaigns, sandbox: caller.sandbox, page }));
  });
}

async function readReport(parts: ApiParts, caller: Caller, { handle, query }: { handle: number; query: ReportParameters }) {
  const row = await findCampaign(parts.sql, caller, handle);
  if (!row) return refuseAbsent();
  const now = parts.now();
  const range = parseRange(query, { campaign: row, now });
  if (isRefusal(range)) return range;
  const asOf = await parts.intake.asOf(); // before the query, so that it promises no more than the query saw
  const final = await isFinal(parts, row, { range, asOf });
  const figures = await readFigures(parts.clickhouse, { campaign: handle, sandbox: row.sandbox, range });
  return reportOf(row, { range, figures, asOf, isFinal: final, now });
}

/** Handles of the campaigns whose scans the caller may see: the one named, or all, the deleted ones too. */
async function campaignsOf(sql: Postgres, caller: Caller, id: string | undefined): Promise<number[] | Refusal> {
  const named = id === undefined ? undefined : parseId('campaign', id) ?? 0; // 0 is no handle: nothing is found
  const rows = await sql<{ handle: number }[]>`
    select handle from campaigns where workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}
    ${named === undefined ? sql`` : sql`and handle = ${named}`} limit ${CAMPAIGNS_MAX + 1}`;
  if (named !== undefined && rows.length === 0) return refuseAbsent();
  if (rows.length > CAMPAIGNS_MAX) return refuse('bad_query_parameter', `There are more than ${CAMPAIGNS_MAX} campaigns: name one by campaign_id.`);
  return rows.map(row => row.handle);
}
