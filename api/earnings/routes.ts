/**
 * The routes of earnings: the income of venues, before any withdrawal and down to plays. The days and filters of a
 * query are checked here; the other files of this folder read the rows.
 */
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import type { Caller } from '../authentication/caller.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { readPage, type Page } from '../lists/paging.ts';
import { parseEarnedDays, parseNamed } from './earned-days.ts';
import { earnedPlaysTable, listEarnedPlays, PLAY_POSITION } from './earned-plays.ts';
import { EARNINGS_POSITION, earningsTable, listEarnings, type EarningsEngines } from './earnings.ts';
import {
  EARNED_PLAY_SORTS,
  EarnedPlaysList,
  EarnedPlaysQuery,
  EARNINGS_DAYS,
  EARNINGS_DAYS_MAX,
  EARNINGS_SORTS,
  EarningsList,
  EarningsQuery,
  PLAYS_DAYS_MAX,
  type Earned,
  type EarnedPlays,
  type EarnedPlaysParameters,
  type EarningsParameters,
} from './schema.ts';

type Dependencies = CallDependencies & EarningsEngines & { withdrawals: { holdDays: number } };
const route = routeFor<Dependencies>();

export const earningsRoutes = [
  route({
    method: 'GET',
    path: '/payouts/earnings',
    access: { resource: 'payouts', verb: 'read' },
    operationId: 'listEarnings',
    summary: 'List earnings by day, screen, venue or category',
    query: EarningsQuery,
    response: { 200: EarningsList },
    csv: earningsTable,
    handle: ({ caller, query }, dependencies) => readEarnings(dependencies, caller, query),
  }),

  route({
    method: 'GET',
    path: '/payouts/earnings/plays',
    access: { resource: 'payouts', verb: 'read' },
    operationId: 'listEarnedPlays',
    summary: 'List the plays behind earnings',
    query: EarnedPlaysQuery,
    page: { list: 'earned-plays', sorts: EARNED_PLAY_SORTS, position: PLAY_POSITION },
    response: { 200: EarnedPlaysList },
    csv: earnedPlaysTable,
    handle: ({ caller, page, query }, dependencies) => readPlays(dependencies, caller, { page, query }),
  }),
];

/** Each grouping is a separate list with its own cursors. */
async function readEarnings(
  dependencies: Dependencies,
  caller: Caller,
  query: EarningsParameters,
): Promise<Earned | Refusal> {
  const group = query.group_by ?? 'day';
  const order = { list: `earnings-${group}`, sorts: EARNINGS_SORTS, position: EARNINGS_POSITION };
  const page = readPage(query, order, dependencies.sealer);
  if (isRefusal(page)) return page;
  const now = dependencies.now();
  const days = parseEarnedDays(query, { now, days: EARNINGS_DAYS, daysMax: EARNINGS_DAYS_MAX });
  if (isRefusal(days)) return days;
  const [venue, screen] = [parseNamed('venue', query.venue), parseNamed('screen', query.screen)];
  if (isRefusal(venue)) return venue;
  if (isRefusal(screen)) return screen;
  const { holdDays } = dependencies.withdrawals;
  return listEarnings(dependencies, caller, { group, days, venue, screen, page, holdDays, now });
}

async function readPlays(
  dependencies: Dependencies,
  caller: Caller,
  { page, query }: { page: Page; query: EarnedPlaysParameters },
): Promise<EarnedPlays | Refusal> {
  const days = parseEarnedDays(query, { now: dependencies.now(), days: 2, daysMax: PLAYS_DAYS_MAX });
  if (isRefusal(days)) return days;
  const [venue, screen] = [parseNamed('venue', query.venue), parseNamed('screen', query.screen)];
  if (isRefusal(venue)) return venue;
  if (isRefusal(screen)) return screen;
  return listEarnedPlays(dependencies, caller, { days, venue, screen, page });
}
