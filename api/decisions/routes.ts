import { parseId } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { TIME_MS_MAX } from '../audit/filter.ts';
import { findCampaign } from '../campaigns/store.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { readScreen } from '../screens/store.ts';
import { idParams } from '../shapes.ts';
import { CampaignDecision, DECISION_SORTS, ListDecisionsQuery, ScreenDecision, type ListDecisions } from './schema.ts';
import { DECISION_POSITION, listCampaignDecisions, listScreenDecisions, type SlotRange } from './store.ts';

const HOUR_MS = 3_600_000;
const RANGE_MS_MAX = 24 * HOUR_MS;

/** How slots were decided: for a venue by screen, for a brand by campaign. */
export function decisionRoutes(app: Api, dependencies: RouteDependencies): void {
  const { sql, now } = dependencies;
  app.get(
    '/screens/:id/decisions',
    {
      config: { access: { resource: 'screens', verb: 'read' } },
      schema: {
        operationId: 'listScreenDecisions',
        summary: 'List how the slots of a screen were decided',
        tags: ['Screens'],
        params: idParams,
        querystring: ListDecisionsQuery,
        description:
          'Winners and slots without an ad of the last 30 days; of the last 24 hours also why each other campaign did not get the slot.',
        response: { 200: listOf(ScreenDecision) },
      },
    },
    async (request, reply) => {
      const asked = parseAsked(request.query, { list: 'screen-decisions', now: now() });
      if (isRefusal(asked)) return answer(reply, 200, asked);
      const screen = parseId('screen', request.params.id);
      const found =
        screen === undefined
          ? refuseAbsent()
          : await readScreen(sql, callerOf(request), { handle: screen, now: now() });
      if (isRefusal(found) || screen === undefined)
        return answer(reply, 200, isRefusal(found) ? found : refuseAbsent());
      return answer(reply, 200, await listScreenDecisions(dependencies, { screen, ...asked, now: now() }));
    },
  );

  app.get(
    '/campaigns/:id/decisions',
    {
      config: { access: { resource: 'campaigns', verb: 'read' } },
      schema: {
        operationId: 'listCampaignDecisions',
        summary: 'List which slots a campaign got, and why it lost others',
        tags: ['Campaigns'],
        params: idParams,
        querystring: ListDecisionsQuery,
        description:
          'Slots that it got in the last 30 days; of the last 24 hours also those that it wanted and lost. A page may hold fewer records than asked for and still have a next one.',
        response: { 200: listOf(CampaignDecision) },
      },
    },
    async (request, reply) => {
      const asked = parseAsked(request.query, { list: 'campaign-decisions', now: now() });
      if (isRefusal(asked)) return answer(reply, 200, asked);
      const caller = callerOf(request);
      const handle = parseId('campaign', request.params.id);
      const row = handle === undefined ? undefined : await findCampaign(sql, caller, handle);
      if (row === undefined) return answer(reply, 200, refuseAbsent());
      return answer(
        reply,
        200,
        await listCampaignDecisions(dependencies, { campaign: row.handle, sandbox: row.sandbox, ...asked, now: now() }),
      );
    },
  );
}

function parseAsked(query: ListDecisions, { list, now }: { list: string; now: number }) {
  const page = readPage(query, { list, sorts: DECISION_SORTS, position: DECISION_POSITION });
  if (isRefusal(page)) return page;
  const range = parseSlotRange(query, now);
  return isRefusal(range) ? range : { page, range };
}

function parseSlotRange({ from, to }: ListDecisions, now: number): SlotRange | Refusal {
  const toMs = to === undefined ? now : Date.parse(to);
  const fromMs = from === undefined ? toMs - HOUR_MS : Date.parse(from);
  if (Number.isNaN(fromMs) || Number.isNaN(toMs))
    return refuse('bad_query_parameter', 'from and to must be moments of the calendar in UTC.');
  if (fromMs >= toMs) return refuse('bad_query_parameter', 'to must be after from.');
  if (toMs - fromMs > RANGE_MS_MAX) return refuse('bad_query_parameter', 'from and to are at most 24 hours apart.');
  return { fromMs: Math.min(fromMs, TIME_MS_MAX), toMs: Math.min(toMs, TIME_MS_MAX) };
}
