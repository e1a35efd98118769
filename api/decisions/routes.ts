/**
 * The routes of decisions, which tell how slots were decided: a venue asks by screen, a brand by campaign. The range of
 * slots is checked here; `store.ts` reads them.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { parseId } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { TIME_MS_MAX } from '../audit/filter.ts';
import type { Caller } from '../authentication/caller.ts';
import { findCampaign } from '../campaigns/store.ts';
import type { RouteDependencies } from '../dependencies.ts';
import { route } from '../http/route.ts';
import { listOf, type List, type Page } from '../lists/paging.ts';
import { refuseAbsent } from '../refusals.ts';
import { readScreen } from '../screens/store.ts';
import { idParams } from '../shapes.ts';
import {
  CampaignDecision,
  DECISION_SORTS,
  ListDecisionsQuery,
  ScreenDecision,
  type CampaignDecisionRecord,
  type ListDecisions,
  type ScreenDecisionRecord,
} from './schema.ts';
import { DECISION_POSITION, listCampaignDecisions, listScreenDecisions, type SlotRange } from './store.ts';

const HOUR_MS = 3_600_000;
const RANGE_MS_MAX = 24 * HOUR_MS;

/** The id is parsed in `handle`, because a wrong cursor and wrong times are refused before an unknown id. */
export const decisionRoutes = [
  route({
    method: 'GET',
    path: '/screens/:id/decisions',
    access: { resource: 'screens', verb: 'read' },
    operationId: 'listScreenDecisions',
    summary: 'List how the slots of a screen were decided',
    description:
      'Winners and slots without an ad of the last 30 days; of the last 24 hours also why each other campaign did not get the slot.',
    tags: ['Screens'],
    params: idParams,
    query: ListDecisionsQuery,
    page: { list: 'screen-decisions', sorts: DECISION_SORTS, position: DECISION_POSITION },
    response: { 200: listOf(ScreenDecision) },
    handle: ({ caller, params, query, page }, dependencies) =>
      ofScreen(dependencies, caller, { id: params.id, query, page }),
  }),

  route({
    method: 'GET',
    path: '/campaigns/:id/decisions',
    access: { resource: 'campaigns', verb: 'read' },
    operationId: 'listCampaignDecisions',
    summary: 'List which slots a campaign got, and why it lost others',
    description:
      'Slots that it got in the last 30 days; of the last 24 hours also those that it wanted and lost. A page may hold fewer records than asked for and still have a next one.',
    tags: ['Campaigns'],
    params: idParams,
    query: ListDecisionsQuery,
    page: { list: 'campaign-decisions', sorts: DECISION_SORTS, position: DECISION_POSITION },
    response: { 200: listOf(CampaignDecision) },
    handle: ({ caller, params, query, page }, dependencies) =>
      ofCampaign(dependencies, caller, { id: params.id, query, page }),
  }),
];

type DecisionsOptions = { id: string; query: ListDecisions; page: Page };

async function ofScreen(
  dependencies: RouteDependencies,
  caller: Caller,
  { id, query, page }: DecisionsOptions,
): Promise<List<ScreenDecisionRecord> | Refusal> {
  const now = dependencies.now();
  const range = parseSlotRange(query, now);
  if (isRefusal(range)) return range;
  const screen = parseId('screen', id);
  if (screen === undefined) return refuseAbsent();
  const found = await readScreen(dependencies.sql, caller, { handle: screen, now });
  return isRefusal(found) ? found : listScreenDecisions(dependencies, { screen, page, range, now });
}

async function ofCampaign(
  dependencies: RouteDependencies,
  caller: Caller,
  { id, query, page }: DecisionsOptions,
): Promise<List<CampaignDecisionRecord> | Refusal> {
  const now = dependencies.now();
  const range = parseSlotRange(query, now);
  if (isRefusal(range)) return range;
  const campaign = parseId('campaign', id);
  const row = campaign && (await findCampaign(dependencies.sql, caller, campaign));
  if (!row) return refuseAbsent();
  return listCampaignDecisions(dependencies, { campaign: row.handle, sandbox: row.sandbox, page, range, now });
}

/** The slots that a call asks for: the last hour by default, a day at most. */
export function parseSlotRange({ from, to }: ListDecisions, now: Milliseconds): SlotRange | Refusal {
  const toMs = to === undefined ? now : Date.parse(to);
  const fromMs = from === undefined ? toMs - HOUR_MS : Date.parse(from);
  if (Number.isNaN(fromMs) || Number.isNaN(toMs))
    return refuse('bad_query_parameter', 'from and to must be moments of the calendar in UTC.');
  if (fromMs >= toMs) return refuse('bad_query_parameter', 'to must be after from.');
  if (toMs - fromMs > RANGE_MS_MAX) return refuse('bad_query_parameter', 'from and to are at most 24 hours apart.');
  return { fromMs: Math.min(fromMs, TIME_MS_MAX), toMs: Math.min(toMs, TIME_MS_MAX) };
}
