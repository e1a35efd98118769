import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { callerOf, type Caller } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answerTable, jsonOrCsv } from '../csv.ts';
import { readPage } from '../lists/paging.ts';
import { parseEarnedDays, parseNamed } from './earned-days.ts';
import { earnedPlaysTable, listEarnedPlays, PLAY_POSITION } from './earned-plays.ts';
import { EARNINGS_POSITION, earningsTable, listEarnings } from './earnings.ts';
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

/** What venues earn, before any withdrawal and down to plays. */
export function earningsRoutes(app: Api, dependencies: RouteDependencies): void {
  app.get(
    '/payouts/earnings',
    {
      config: { access: { resource: 'payouts', verb: 'read' } },
      schema: {
        operationId: 'listEarnings',
        summary: 'List earnings by day, screen, venue or category',
        tags: ['Payouts'],
        querystring: EarningsQuery,
        response: { 200: jsonOrCsv(EarningsList) },
      },
    },
    async (request, reply) =>
      answerTable<Earned>(request, reply, {
        result: await readEarnings(dependencies, callerOf(request), request.query),
        tableOf: earningsTable,
      }),
  );

  app.get(
    '/payouts/earnings/plays',
    {
      config: { access: { resource: 'payouts', verb: 'read' } },
      schema: {
        operationId: 'listEarnedPlays',
        summary: 'List the plays behind earnings',
        tags: ['Payouts'],
        querystring: EarnedPlaysQuery,
        response: { 200: jsonOrCsv(EarnedPlaysList) },
      },
    },
    async (request, reply) =>
      answerTable<EarnedPlays>(request, reply, {
        result: await readPlays(dependencies, callerOf(request), request.query),
        tableOf: earnedPlaysTable,
      }),
  );
}

async function readEarnings(
  dependencies: RouteDependencies,
  caller: Caller,
  query: EarningsParameters,
): Promise<Earned | Refusal> {
  const group = query.group_by ?? 'day';
  const page = readPage(query, { list: `earnings-${group}`, sorts: EARNINGS_SORTS, position: EARNINGS_POSITION });
  if (isRefusal(page)) return page;
  const now = dependencies.now();
  const days = parseEarnedDays(query, { now, days: EARNINGS_DAYS, daysMax: EARNINGS_DAYS_MAX });
  if (isRefusal(days)) return days;
  const [venue, screen] = [parseNamed('venue', query.venue), parseNamed('screen', query.screen)];
  if (isRefusal(venue)) return venue;
  if (isRefusal(screen)) return screen;
  return listEarnings(dependencies, caller, {
    group,
    days,
    venue,
    screen,
    page,
    holdDays: dependencies.withdrawals.holdDays,
    now,
  });
}

async function readPlays(
  dependencies: RouteDependencies,
  caller: Caller,
  query: EarnedPlaysParameters,
): Promise<EarnedPlays | Refusal> {
  const page = readPage(query, { list: 'earned-plays', sorts: EARNED_PLAY_SORTS, position: PLAY_POSITION });
  if (isRefusal(page)) return page;
  const days = parseEarnedDays(query, { now: dependencies.now(), days: 2, daysMax: PLAYS_DAYS_MAX });
  if (isRefusal(days)) return days;
  const [venue, screen] = [parseNamed('venue', query.venue), parseNamed('screen', query.screen)];
  if (isRefusal(venue)) return venue;
  if (isRefusal(screen)) return screen;
  return listEarnedPlays(dependencies, caller, { days, venue, screen, page });
}
