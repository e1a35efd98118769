import { parseId } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { parseDate } from '#domain/schedule.ts';
import { parseCategory } from '#domain/taxonomy.ts';
import { callerOf, type Caller } from '../authentication.ts';
import type { Api, ApiParts } from '../app.ts';
import { answer, refuseAbsent } from '../error-reply.ts';
import { HANDLE_POSITION, listOf, readPage } from '../paging.ts';
import { idParams } from '../shapes.ts';
import { campaignDetail, readDelivery } from './detail.ts';
import { parseCampaign } from './fields.ts';
import { listedCampaign } from './record.ts';
import { CampaignDetail, CampaignRecord, ChangeCampaignBody, CreateCampaignBody, CreatedCampaign, ListCampaignsQuery, ListedCampaign, type CreateCampaign, type ListCampaigns } from './schema.ts';
import { bindingsOf, changeCampaign, createCampaign, findCampaign, listCampaigns, type CampaignFilter } from './store.ts';
import { estimatePlan } from './supply.ts';

export function campaignRoutes(app: Api, parts: ApiParts): void {
  const { sql, now } = parts;
  app.get('/campaigns', {
    config: { access: { resource: 'campaigns', verb: 'read' } },
    schema: { summary: 'List the campaigns', tags: ['Campaigns'], querystring: ListCampaignsQuery, response: { 200: listOf(ListedCampaign) } },
  }, async (request, reply) => {
    const page = readPage(request.query, { list: 'campaigns', position: HANDLE_POSITION });
    const filter = parseFilter(request.query);
    if (isRefusal(page) || isRefusal(filter)) return answer(reply, 200, isRefusal(page) ? page : filter);
    const list = await listCampaigns(sql, callerOf(request), { page, filter });
    return answer(reply, 200, { ...list, data: list.data.map(listedCampaign) });
  });

  app.post('/campaigns', {
    config: { access: { resource: 'campaigns', verb: 'write' } },
    schema: { summary: 'Create a campaign', tags: ['Campaigns'], body: CreateCampaignBody, response: { 201: CreatedCampaign } },
  }, async (request, reply) => answer(reply, 201, await create(parts, callerOf(request), request.body)));

  app.get('/campaigns/:id', {
    config: { access: { resource: 'campaigns', verb: 'read' } },
    schema: { summary: 'Read a campaign with its delivery', tags: ['Campaigns'], params: idParams, response: { 200: CampaignDetail } },
  }, async (request, reply) => {
    const handle = parseId('campaign', request.params.id);
    return answer(reply, 200, handle === undefined ? refuseAbsent() : await readDetail(parts, callerOf(request), handle));
  });

  app.patch('/campaigns/:id', {
    config: { access: { resource: 'campaigns', verb: 'write' } },
    schema: { summary: 'Rename, pause or resume a campaign, or submit a draft', tags: ['Campaigns'], params: idParams, body: ChangeCampaignBody, response: { 200: CampaignRecord } },
  }, async (request, reply) => {
    const handle = parseId('campaign', request.params.id);
    return answer(reply, 200, handle === undefined ? refuseAbsent() : await changeCampaign(sql, callerOf(request), { handle, change: request.body, now: now() }));
  });
}

async function create({ sql, now }: ApiParts, caller: Caller, body: CreateCampaign) {
  const at = now();
  const fields = parseCampaign(body, { now: at, currency: caller.currency });
  if (isRefusal(fields)) return fields;
  const { targets, startsOn, endsOn, budgetMicros } = fields;
  const estimate = await estimatePlan(sql, { sandbox: caller.sandbox, plan: { targets, startsOn, endsOn, budgetMicros } });
  const campaign = await createCampaign(sql, caller, { fields, estimate, now: at });
  return isRefusal(campaign) ? campaign : { ...campaign, warnings: estimate.warnings };
}

async function readDetail({ sql, clickhouse, now }: ApiParts, caller: Caller, handle: number) {
  const row = await findCampaign(sql, caller, handle);
  if (!row) return refuseAbsent();
  const [bindings, delivery] = await Promise.all([bindingsOf(sql, handle), readDelivery(clickhouse, { campaign: handle, sandbox: row.sandbox })]);
  return campaignDetail(row, { bindings, delivery, now: now() });
}

function parseFilter({ status, category, from, to }: ListCampaigns): CampaignFilter | Refusal {
  const known = category === undefined ? undefined : parseCategory(category);
  if (category !== undefined && !known) return refuse('bad_query_parameter', 'category must be a tier-1 category of IAB Ad Product 2.0, by id or slug.');
  const days = [from, to].filter(text => text !== undefined);
  if (days.some(text => parseDate(text) === undefined)) return refuse('bad_query_parameter', 'from and to must be dates of the calendar, YYYY-MM-DD.');
  return { ...(status !== undefined && { status }), ...(known && { category: known.slug }), ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
