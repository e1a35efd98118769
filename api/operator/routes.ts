/**
 * The routes of the operator: campaigns that wait for a person, every screen, how any slot was decided, and how the
 * installation runs. Keys of the surface `operator` alone reach them (`domain/access/permission.ts`).
 */
import { parseId } from '#domain/id.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { isScreen, listNetwork, readNetworkPlaces } from '#sql/screens/network.ts';
import type { Caller } from '../authentication/caller.ts';
import { DECISION_SORTS, ListDecisionsQuery } from '../decisions/schema.ts';
import { decisionsOf } from '../decisions/slot-range.ts';
import { DECISION_POSITION } from '../decisions/store.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { BY_CREATION, listed, listOf } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { idParams } from '../wire/shapes.ts';
import { listNetworkDecisions } from './decisions.ts';
import { readHindsight } from './hindsight.ts';
import { readIntegrations } from './integrations.ts';
import { askForJob, readJobs } from './jobs.ts';
import { AskedJob, JobParams, ScheduledJobs } from './jobs-schema.ts';
import { networkRecord } from './network.ts';
import { readDeadLetters, readStatus, retryDeadLetters, type OperationsEngines } from './operations.ts';
import {
  DeadLetterGroups,
  HindsightDays,
  Integrations,
  OperationsStatus,
  RetriedLetters,
  RetryLettersBody,
} from './operations-schema.ts';
import { approveReview, listReviews, rejectReview, type ReviewDependencies } from './reviews.ts';
import {
  DecidedReview,
  NetworkDecision,
  NetworkPlaces,
  NetworkQuery,
  NetworkScreen,
  RejectBody,
  ReviewRecord,
  ReviewsQuery,
} from './schema.ts';

type Dependencies = CallDependencies & ReviewDependencies & OperationsEngines & { clickhouse: Clickhouse };
const route = routeFor<Dependencies>();

/** Cities of a network that covers a continent; a map of more shows nothing. */
const PLACES_MAX = 1_000;

export const operatorRoutes = [
  route({
    method: 'GET',
    path: '/operator/reviews',
    access: { resource: 'reviews', verb: 'read' },
    operationId: 'listReviews',
    summary: 'List the campaigns that wait for the operator',
    description: 'With what each would show, and why campaigns of its category wait for a person.',
    query: ReviewsQuery,
    page: { list: 'reviews', sorts: BY_CREATION },
    response: { 200: listOf(ReviewRecord) },
    handle: ({ caller, page, query }, dependencies) =>
      listReviews(dependencies, caller, { page, isCounted: query.count === 'true' }),
  }),

  route({
    method: 'POST',
    path: '/operator/reviews/:id/approve',
    access: { resource: 'reviews', verb: 'write' },
    refusals: ['state_conflict'],
    operationId: 'approveReview',
    summary: 'Let a campaign go live that is in review',
    id: 'campaign',
    response: { 200: DecidedReview },
    handle: ({ caller, id }, dependencies) =>
      approveReview(dependencies, caller, { campaign: id, now: new Date(dependencies.now()) }),
  }),

  route({
    method: 'POST',
    path: '/operator/reviews/:id/reject',
    access: { resource: 'reviews', verb: 'write' },
    refusals: ['state_conflict'],
    operationId: 'rejectReview',
    summary: 'Reject a campaign that is in review, live or paused',
    description: 'What it has not spent goes back to its wallet. Its owner reads the reason.',
    id: 'campaign',
    body: RejectBody,
    response: { 200: DecidedReview },
    handle: ({ caller, id, body }, dependencies) =>
      rejectReview(dependencies, caller, { campaign: id, body, now: new Date(dependencies.now()) }),
  }),

  route({
    method: 'GET',
    path: '/operator/screens',
    access: { resource: 'network', verb: 'read' },
    operationId: 'listNetworkScreens',
    summary: 'List the paired screens of all workspaces',
    query: NetworkQuery,
    page: { list: 'network', sorts: BY_CREATION },
    response: { 200: listOf(NetworkScreen) },
    async handle({ caller, page, query: { status, q, count } }, { sql, now }) {
      const found = await listNetwork(sql, caller.sandbox, {
        page,
        statuses: status?.split(','),
        text: q,
        isCounted: count === 'true',
        now: now(),
      });
      return listed(found, page, { recordOf: networkRecord });
    },
  }),

  route({
    method: 'GET',
    path: '/operator/places',
    access: { resource: 'network', verb: 'read' },
    operationId: 'readNetworkPlaces',
    summary: 'Read where the screens of all workspaces stand',
    response: { 200: NetworkPlaces },
    handle: async ({ caller }, { sql, now }) => ({
      places: await readNetworkPlaces(sql, caller.sandbox, { placesMax: PLACES_MAX, now: now() }),
    }),
  }),

  route({
    method: 'GET',
    path: '/operator/screens/:id/decisions',
    access: { resource: 'network', verb: 'read' },
    operationId: 'listNetworkDecisions',
    summary: 'List how the slots of any screen were decided',
    description:
      'Winners and slots without an ad of the last 30 days; of the last 24 hours also why each other campaign did not get the slot.',
    params: idParams,
    query: ListDecisionsQuery,
    page: { list: 'network-decisions', sorts: DECISION_SORTS, position: DECISION_POSITION },
    response: { 200: listOf(NetworkDecision) },
    handle: ({ caller, params, query, page }, dependencies) =>
      decisionsOf(
        { query, page, now: dependencies.now() },
        {
          find: () => findScreen(dependencies, caller, params.id),
          list: (screen, question) => listNetworkDecisions(dependencies, { screen, ...question }),
        },
      ),
  }),

  route({
    method: 'GET',
    path: '/operator/status',
    access: { resource: 'operations', verb: 'read' },
    mode: 'live',
    operationId: 'readOperationsStatus',
    summary: 'Read whether the installation keeps what it promises',
    description: 'What the hourly check of every invariant found, and what somebody has to look at.',
    response: { 200: OperationsStatus },
    handle: (_call, dependencies) => readStatus(dependencies, dependencies.now()),
  }),

  route({
    method: 'GET',
    path: '/operator/hindsight',
    access: { resource: 'operations', verb: 'read' },
    mode: 'live',
    operationId: 'readHindsight',
    summary: 'Read what was delivered each day beside the most that could have been',
    description: 'And why there is a difference: slots left idle or given to the wrong campaign, caps, late bookings.',
    response: { 200: HindsightDays },
    handle: (_call, { sql }) => readHindsight(sql),
  }),

  route({
    method: 'GET',
    path: '/operator/integrations',
    access: { resource: 'operations', verb: 'read' },
    mode: 'live',
    operationId: 'readIntegrations',
    summary: 'Read which software calls the API',
    description: 'Counts of the header `X-Service-Sdk` over the last 30 days.',
    response: { 200: Integrations },
    handle: (_call, { clickhouse, now }) => readIntegrations(clickhouse, now()),
  }),

  route({
    method: 'GET',
    path: '/operator/jobs',
    access: { resource: 'operations', verb: 'read' },
    mode: 'live',
    operationId: 'listJobs',
    summary: 'List the scheduled jobs of the workers',
    description: 'With the last round of each, as the workers tell of it every two seconds.',
    response: { 200: ScheduledJobs },
    handle: (_call, dependencies) => readJobs(dependencies),
  }),

  route({
    method: 'POST',
    path: '/operator/jobs/:name/run',
    access: { resource: 'operations', verb: 'write' },
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'runJob',
    summary: 'Have a scheduled job run now',
    description:
      'A worker runs one round of it within seconds, in its turn. A job that waits for that is not asked for twice.',
    params: JobParams,
    response: { 202: AskedJob },
    handle: ({ caller, params }, dependencies) =>
      askForJob(dependencies, caller, { name: params.name, now: new Date(dependencies.now()) }),
  }),

  route({
    method: 'GET',
    path: '/operator/dead-letters',
    access: { resource: 'operations', verb: 'read' },
    mode: 'live',
    operationId: 'readDeadLetters',
    summary: 'Read which events could not be processed',
    description: 'By where and why they failed. Nothing that was acknowledged is dropped: they wait here.',
    response: { 200: DeadLetterGroups },
    handle: (_call, { sql }) => readDeadLetters(sql),
  }),

  route({
    method: 'POST',
    path: '/operator/dead-letters/retry',
    access: { resource: 'operations', verb: 'write' },
    mode: 'live',
    operationId: 'retryDeadLetters',
    summary: 'Send events again that could not be processed',
    description:
      'Once what they failed on is mended. What was counted meanwhile is not counted again; what fails again waits again.',
    body: RetryLettersBody,
    response: { 200: RetriedLetters },
    handle: ({ caller, body }, dependencies) =>
      retryDeadLetters(dependencies, caller, { filter: body, now: new Date(dependencies.now()) }),
  }),
];

async function findScreen({ sql }: Dependencies, caller: Caller, id: string) {
  const screen = parseId('screen', id);
  return screen !== undefined && (await isScreen(sql, caller.sandbox, screen)) ? screen : refuseAbsent();
}
