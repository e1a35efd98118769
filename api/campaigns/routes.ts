/** The routes of campaigns: lists, creation, one campaign with its delivery, changes and deletion. */
import { may } from '#domain/access/permission.ts';
import { NO_HANDLE, parseId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import { parseDate } from '#domain/time/calendar.ts';
import { parseCategory } from '#domain/campaigns/taxonomy.ts';
import { CAMPAIGN_SORTS, listCampaigns, type CampaignFilter } from '#sql/campaigns/list.ts';
import { callersTime } from '#sql/sandbox/clock.ts';
import type { Caller } from '../authentication/caller.ts';
import type { Principal } from '../authentication/principal.ts';
import type { WrittenAnswer } from '../wire/reply.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { refusingWithAmounts } from '#sql/wallet/lacking-funds.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { listed, listOf } from '../lists/paging.ts';
import { deleteCampaign, patchCampaign, type ChangeDependencies } from './change.ts';
import { createCampaign, type CreationDependencies } from './new-campaign.ts';
import { parseCampaign, parseChange } from './fields.ts';
import { listedCampaign } from './record.ts';
import {
  CampaignDetail,
  CampaignRecord,
  CreatedCampaign,
  ListedCampaign,
  type CampaignDetailRecord,
} from './schema/record.ts';
import {
  ChangeCampaignBody,
  CreateCampaignBody,
  ListCampaignsQuery,
  type ChangeCampaign,
  type CreateCampaign,
  type ListCampaigns,
} from './schema/bodies.ts';
import { estimatePlan } from './supply.ts';
import type { DeliveryReads } from './delivery.ts';
import type { CampaignDetails } from './detail.ts';

type Dependencies = CallDependencies &
  ChangeDependencies &
  CreationDependencies & { deliveries: DeliveryReads; details: CampaignDetails };
const route = routeFor<Dependencies>();

export const campaignRoutes = [
  route({
    method: 'GET',
    path: '/campaigns',
    access: { resource: 'campaigns', verb: 'read' },
    summary: 'List the campaigns',
    query: ListCampaignsQuery,
    page: { list: 'campaigns', sorts: CAMPAIGN_SORTS },
    response: { 200: listOf(ListedCampaign) },
    async handle({ caller, page, query }, { sql, now }) {
      const filter = parseFilter(query);
      if (isRefusal(filter)) return filter;
      const found = await listCampaigns(sql, caller, { page, filter });
      const at = await callersTime(sql, caller, now());
      return listed(found, page, { sorts: CAMPAIGN_SORTS, recordOf: row => listedCampaign(row, at) });
    },
  }),

  route({
    method: 'POST',
    path: '/campaigns',
    access: { resource: 'campaigns', verb: 'write' },
    refusals: ['insufficient_funds', 'creative_not_ready'],
    summary: 'Create a campaign',
    body: CreateCampaignBody,
    response: { 201: CreatedCampaign },
    handle: ({ caller, principal, body }, dependencies) =>
      create(dependencies, caller, { body, actsForAgency: actsForAgency(principal) }),
  }),

  route({
    method: 'GET',
    path: '/campaigns/:id',
    access: { resource: 'campaigns', verb: 'read' },
    summary: 'Read a campaign with its delivery',
    id: 'campaign',
    response: { 200: CampaignDetail },
    handle: ({ caller, id, write }, dependencies) => readDetail(dependencies, caller, { handle: id, write }),
  }),

  route({
    method: 'PATCH',
    path: '/campaigns/:id',
    access: { resource: 'campaigns', verb: 'write' },
    refusals: ['state_conflict', 'insufficient_funds', 'creative_not_ready'],
    summary: 'Change, pause or resume a campaign, or submit a draft',
    description:
      'Fields that are objects or lists (`budget`, `targets`, `schedule`, `creatives`, `frequency`, `political`) are replaced as a whole: send all of them that shall stay.',
    id: 'campaign',
    body: ChangeCampaignBody,
    response: { 200: CampaignRecord },
    handle: ({ caller, principal, id, body }, dependencies) =>
      change(dependencies, caller, { handle: id, body, actsForAgency: actsForAgency(principal) }),
  }),

  route({
    method: 'DELETE',
    path: '/campaigns/:id',
    access: { resource: 'campaigns', verb: 'write' },
    summary: 'Delete a campaign and refund what it has not spent',
    id: 'campaign',
    handle: ({ caller, id }, dependencies) => deleteCampaign(dependencies, caller, id),
  }),
];

/** Whether the caller is an agency's owner or admin, acting on a client through X-Workspace-Id. */
function actsForAgency({ home, workspace, surface, role, access }: Principal): boolean {
  return home !== workspace && may(surface, role, access, 'agency', 'write') === undefined;
}

async function create(
  dependencies: Dependencies,
  caller: Caller,
  { body, actsForAgency }: { body: CreateCampaign; actsForAgency: boolean },
) {
  const { sql, forecasts } = dependencies;
  const now = dependencies.now();
  const fields = parseCampaign(body, { now: await callersTime(sql, caller, now), currency: caller.currency });
  if (isRefusal(fields)) return fields;
  const { targets, schedule, budgetMicros, category, frequency_per_hour_max: perHourMax } = fields;
  const plan = {
    sandbox: caller.sandbox,
    targets,
    frequencyPerHourMax: perHourMax,
    ...(category !== null && { category }),
  };
  const estimate = async (orientations: readonly Orientation[]) =>
    schedule && budgetMicros !== null
      ? estimatePlan(forecasts, { ...plan, ...schedule, budgetMicros, orientations })
      : undefined;
  return refusingWithAmounts(sql, { payer: caller, lower: 'the budget' }, () =>
    createCampaign(dependencies, caller, { fields, estimate, actsForAgency, now }),
  );
}

async function change(
  dependencies: Dependencies,
  caller: Caller,
  { handle, body, actsForAgency }: { handle: Handle<'campaign'>; body: ChangeCampaign; actsForAgency: boolean },
) {
  const fields = parseChange(body, {
    now: await callersTime(dependencies.sql, caller, dependencies.now()),
    currency: caller.currency,
  });
  return isRefusal(fields)
    ? fields
    : refusingWithAmounts(dependencies.sql, { payer: caller, lower: 'the budget' }, () =>
        patchCampaign(dependencies, caller, { handle, wanted: { fields, status: body.status, actsForAgency } }),
      );
}

type DetailOptions = {
  handle: Handle<'campaign'>;
  write: (detail: CampaignDetailRecord) => WrittenAnswer<CampaignDetailRecord>;
};

async function readDetail(
  { sql, now, campaigns, deliveries, details }: Dependencies,
  caller: Caller,
  { handle, write }: DetailOptions,
): Promise<WrittenAnswer<CampaignDetailRecord> | Refusal> {
  const campaign = await campaigns.find(caller, handle);
  if (!campaign) return refuseAbsent();
  const at = await callersTime(sql, caller, now());
  const delivery = await deliveries.of({ handle, sandbox: caller.sandbox, at });
  return details.of(campaign, { delivery, now: at, write });
}

function parseFilter({ status, category, q, creative, from, to, count }: ListCampaigns): CampaignFilter | Refusal {
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
    // An invalid id becomes 0, which is no creative's handle.
    ...(creative !== undefined && { creatives: creative.split(',').map(id => parseId('creative', id) ?? NO_HANDLE) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}
