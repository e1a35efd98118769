import { parseId } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { parseDate } from '#domain/screens/schedule.ts';
import { parseCategory } from '#domain/campaigns/taxonomy.ts';
import { callerOf, type Caller, type Principal } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answerTable, jsonOrCsv } from '../csv.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { withReply } from '../idempotency.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { idParams } from '../shapes.ts';
import { parseRange } from '../reporting/range.ts';
import { callersTime } from '../sandbox/clock.ts';
import { actsForAgency, firstReview } from './changes/approval.ts';
import { changeCampaign } from './changes/change.ts';
import { campaignDetail } from './detail.ts';
import { parseCampaign, parseChange } from './fields.ts';
import { listedCampaign } from './record.ts';
import { deleteCampaign } from './changes/removal.ts';
import { readResults, resultsTable } from './results.ts';
import {
  CampaignDetail,
  CampaignRecord,
  CampaignResults,
  ChangeCampaignBody,
  CreateCampaignBody,
  CreatedCampaign,
  ListCampaignsQuery,
  ListedCampaign,
  ResultsQuery,
  type Campaign,
  type ChangeCampaign,
  type CreateCampaign,
  type ListCampaigns,
  type Results,
  type ResultsParameters,
} from './schema.ts';
import { CAMPAIGN_SORTS } from './sorts.ts';
import { bindingsOf, createCampaign, findCampaign, listCampaigns, type CampaignFilter } from './store.ts';
import { estimatePlan } from './supply.ts';

export function campaignRoutes(app: Api, dependencies: RouteDependencies): void {
  const { sql } = dependencies;
  app.get(
    '/campaigns',
    {
      config: { access: { resource: 'campaigns', verb: 'read' } },
      schema: {
        summary: 'List the campaigns',
        tags: ['Campaigns'],
        querystring: ListCampaignsQuery,
        response: { 200: listOf(ListedCampaign) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'campaigns', sorts: CAMPAIGN_SORTS });
      const filter = parseFilter(request.query);
      if (isRefusal(page) || isRefusal(filter)) return answer(reply, 200, isRefusal(page) ? page : filter);
      const list = await listCampaigns(sql, callerOf(request), { page, filter });
      return answer(reply, 200, { ...list, data: list.data.map(listedCampaign) });
    },
  );

  app.post(
    '/campaigns',
    {
      config: {
        access: { resource: 'campaigns', verb: 'write' },
        refusals: ['insufficient_funds', 'creative_not_ready'],
      },
      schema: {
        summary: 'Create a campaign',
        tags: ['Campaigns'],
        body: CreateCampaignBody,
        response: { 201: CreatedCampaign },
      },
    },
    async (request, reply) =>
      answer(
        reply,
        201,
        await create(dependencies, callerOf(request), {
          body: request.body,
          actsForAgency: actsForAgency(principalOf(request)),
        }),
      ),
  );

  app.get(
    '/campaigns/:id',
    {
      config: { access: { resource: 'campaigns', verb: 'read' } },
      schema: {
        summary: 'Read a campaign with its delivery',
        tags: ['Campaigns'],
        params: idParams,
        response: { 200: CampaignDetail },
      },
    },
    async (request, reply) => {
      const handle = parseId('campaign', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined ? refuseAbsent() : await readDetail(dependencies, callerOf(request), handle),
      );
    },
  );

  app.patch(
    '/campaigns/:id',
    {
      config: {
        access: { resource: 'campaigns', verb: 'write' },
        refusals: ['state_conflict', 'insufficient_funds', 'creative_not_ready'],
      },
      schema: {
        summary: 'Change, pause or resume a campaign, or submit a draft',
        description:
          'Fields that are objects or lists (`budget`, `targets`, `schedule`, `creatives`, `frequency`) are replaced as a whole: send all of them that shall stay.',
        tags: ['Campaigns'],
        params: idParams,
        body: ChangeCampaignBody,
        response: { 200: CampaignRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('campaign', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined
          ? refuseAbsent()
          : await change(dependencies, callerOf(request), {
              handle,
              body: request.body,
              actsForAgency: actsForAgency(principalOf(request)),
            }),
      );
    },
  );

  app.delete(
    '/campaigns/:id',
    {
      config: { access: { resource: 'campaigns', verb: 'write' } },
      schema: { summary: 'Delete a campaign and refund what it has not spent', tags: ['Campaigns'], params: idParams },
    },
    async (request, reply) => {
      const handle = parseId('campaign', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined ? refuseAbsent() : await deleteCampaign(dependencies, callerOf(request), handle),
      );
    },
  );

  app.get(
    '/campaigns/:id/results',
    {
      config: { access: { resource: 'campaigns', verb: 'read' } },
      schema: {
        summary: 'Results by day, hour and screen',
        tags: ['Campaigns'],
        params: idParams,
        querystring: ResultsQuery,
        response: { 200: jsonOrCsv(CampaignResults) },
      },
    },
    async (request, reply) => {
      const handle = parseId('campaign', request.params.id);
      const result =
        handle === undefined
          ? refuseAbsent()
          : await results(dependencies, callerOf(request), { handle, query: request.query });
      return answerTable<Results>(request, reply, { result, tableOf: resultsTable });
    },
  );
}

async function create(
  { sql, forecasts, now }: RouteDependencies,
  caller: Caller,
  { body, actsForAgency }: { body: CreateCampaign; actsForAgency: boolean },
) {
  const at = now();
  const fields = parseCampaign(body, { now: await callersTime(sql, caller, at), currency: caller.currency });
  if (isRefusal(fields)) return fields;
  const { targets, startsOn, endsOn, budgetMicros, category } = fields;
  const estimate = await estimatePlan(forecasts, {
    sandbox: caller.sandbox,
    targets,
    startsOn,
    endsOn,
    budgetMicros,
    category,
  });
  const waitsFor = await firstReview(sql, { workspace: caller.workspace, actsForAgency });
  const shown = (campaign: Campaign) => ({ ...campaign, warnings: estimate.warnings });
  const campaign = await createCampaign(sql, withReply(caller, shown), { fields, estimate, waitsFor, now: at });
  return isRefusal(campaign) ? campaign : shown(campaign);
}

async function change(
  dependencies: RouteDependencies,
  caller: Caller,
  { handle, body, actsForAgency }: { handle: number; body: ChangeCampaign; actsForAgency: boolean },
) {
  const fields = parseChange(body, {
    now: await callersTime(dependencies.sql, caller, dependencies.now()),
    currency: caller.currency,
  });
  return isRefusal(fields)
    ? fields
    : changeCampaign(dependencies, caller, { handle, change: { fields, status: body.status, actsForAgency } });
}

async function results(
  { sql, clickhouse, intake, now }: RouteDependencies,
  caller: Caller,
  { handle, query }: { handle: number; query: ResultsParameters },
): Promise<Results | Refusal> {
  const row = await findCampaign(sql, caller, handle);
  if (!row) return refuseAbsent();
  const at = await callersTime(sql, caller, now());
  const range = parseRange({ ...query, group: 'day' }, { campaign: row, now: at });
  if (isRefusal(range)) return range;
  const asOf = await intake.asOf(); // before the query, so that it promises no more than the query saw
  return readResults({ clickhouse, sql }, row, { range, asOf, now: at });
}

async function readDetail({ sql, now, deliveries }: RouteDependencies, caller: Caller, handle: number) {
  const row = await findCampaign(sql, caller, handle);
  if (!row) return refuseAbsent();
  const at = await callersTime(sql, caller, now());
  const [bindings, delivery] = await Promise.all([
    bindingsOf(sql, handle),
    deliveries.of({ handle, sandbox: row.sandbox, at }),
  ]);
  return campaignDetail(row, { bindings, delivery, now: at });
}

function principalOf({ principal }: { principal: Principal | null }): Principal {
  if (!principal) throw new Error('a public route has no caller');
  return principal;
}

function parseFilter({ status, category, q, from, to, count }: ListCampaigns): CampaignFilter | Refusal {
  const categories = category?.split(',').map(text => parseCategory(text)?.slug);
  if (categories?.includes(undefined))
    return refuse(
      'bad_query_parameter',
      'category must be tier-1 categories of IAB Ad Product 2.0, by id or slug (GET /v1/categories).',
    );
  const days = [from, to].filter(text => text !== undefined);
  if (days.some(text => parseDate(text) === undefined))
    return refuse('bad_query_parameter', 'from and to must be dates of the calendar, YYYY-MM-DD.');
  return {
    isCounted: count === 'true',
    ...(status !== undefined && { statuses: status.split(',') }),
    ...(categories && { categories: categories as string[] }),
    ...(q !== undefined && { name: q }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}
