/**
 * The routes of decisions, which show how slots were decided: for a venue by screen, for a brand by campaign.
 * `slot-range.ts` checks the range of slots, `store.ts` reads them.
 */
import { parseId } from '#domain/id.ts';
import type { Caller } from '../authentication/caller.ts';
import { findCampaign } from '#sql/campaigns/rows.ts';
import { findScreen } from '#sql/screens/rows.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { listOf } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { idParams } from '../wire/shapes.ts';
import {
  CampaignDecision,
  DECISION_SORTS,
  ListDecisionsQuery,
  ScreenDecision,
  ScreensNow,
  ScreensNowQuery,
} from './schema.ts';
import { decisionsOf } from './slot-range.ts';
import { readScreensNow } from './screens-now.ts';
import { DECISION_POSITION, listCampaignDecisions, listScreenDecisions, type DecisionEngines } from './store.ts';

type Dependencies = CallDependencies & DecisionEngines;
const route = routeFor<Dependencies>();

/** The id is parsed in `handle`, because a wrong cursor and wrong times are refused before an unknown id. */
export const decisionRoutes = [
  route({
    method: 'GET',
    path: '/screens/now',
    access: { resource: 'screens', verb: 'read' },
    summary: 'Read what screens show now, and the ads that each was given and has reported last',
    query: ScreensNowQuery,
    response: { 200: ScreensNow },
    handle({ caller, query: { screen = '' } }, { sql, clickhouse, now }) {
      const screens = screen.split(',').flatMap(id => parseId('screen', id) ?? []);
      return readScreensNow({ sql, clickhouse }, caller, { screens, now: now() });
    },
  }),

  route({
    method: 'GET',
    path: '/screens/:id/decisions',
    access: { resource: 'screens', verb: 'read' },
    summary: 'List how the slots of a screen were decided',
    description:
      'Winners and slots without an ad of the last 30 days; of the last 24 hours also why each other campaign did not get the slot.',
    params: idParams,
    query: ListDecisionsQuery,
    page: { list: 'screen-decisions', sorts: DECISION_SORTS, position: DECISION_POSITION },
    response: { 200: listOf(ScreenDecision) },
    handle: ({ caller, params, query, page }, dependencies) =>
      decisionsOf(
        { query, page, now: dependencies.now() },
        {
          find: () => findScreenOf(dependencies, caller, params.id),
          list: (screen, question) => listScreenDecisions(dependencies, { screen, ...question }),
        },
      ),
  }),

  route({
    method: 'GET',
    path: '/campaigns/:id/decisions',
    access: { resource: 'campaigns', verb: 'read' },
    summary: 'List which slots a campaign got, and why it lost others',
    description:
      'Slots that it got in the last 30 days; of the last 24 hours also those that it wanted and lost. A page may hold fewer records than asked for and still have a next one.',
    params: idParams,
    query: ListDecisionsQuery,
    page: { list: 'campaign-decisions', sorts: DECISION_SORTS, position: DECISION_POSITION },
    response: { 200: listOf(CampaignDecision) },
    handle: ({ caller, params, query, page }, dependencies) =>
      decisionsOf(
        { query, page, now: dependencies.now() },
        {
          find: () => findCampaignOf(dependencies, caller, params.id),
          list: ({ handle: campaign, sandbox }, question) =>
            listCampaignDecisions(dependencies, { campaign, sandbox, ...question }),
        },
      ),
  }),
];

async function findScreenOf({ sql, now }: Dependencies, caller: Caller, id: string) {
  const screen = parseId('screen', id);
  if (screen === undefined) return refuseAbsent();
  return (await findScreen(sql, caller, { handle: screen, now: now() })) ? screen : refuseAbsent();
}

async function findCampaignOf({ sql }: Dependencies, caller: Caller, id: string) {
  const campaign = parseId('campaign', id);
  return (campaign && (await findCampaign(sql, caller, campaign))) ?? refuseAbsent();
}
