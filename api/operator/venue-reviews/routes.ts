/** The routes of figures of venues that wait for the operator. */
import { formatId, type Handle } from '#domain/id.ts';
import { refuseField, type Refusal } from '#domain/refusal.ts';
import type { FigureDecision, VenueRow } from '#domain/screens/stored-venue.ts';
import { parseMoment } from '#domain/time/calendar.ts';
import { listWaitingFigures, type WaitingVenueRow } from '#sql/venues/rows.ts';
import { decideFigures } from '#sql/venues/units.ts';
import { asOperator } from '../../authentication/as-operator.ts';
import type { Caller } from '../../authentication/caller.ts';
import { route, type CallDependencies } from '../../http/route.ts';
import { replying } from '../../idempotency/idempotency.ts';
import { figuresRecord, limitsRecord } from '../../venues/record.ts';
import { BY_CREATION, listed, listOf } from '../../lists/paging.ts';
import { ApproveFiguresBody, DecidedFigures, RejectFiguresBody, VenueReview, VenueReviewsQuery } from './schema.ts';

export const venueReviewRoutes = [
  route({
    method: 'GET',
    path: '/operator/venue-reviews',
    access: { resource: 'reviews', verb: 'read' },
    operationId: 'listVenueReviews',
    summary: 'List the venues whose figures wait for the operator',
    description: 'With the figures in force, those that were asked for, and what is plausible for the type of venue.',
    query: VenueReviewsQuery,
    page: { list: 'venue-reviews', sorts: BY_CREATION },
    response: { 200: listOf(VenueReview) },
    handle: async ({ caller: { sandbox }, page, query }, { sql }) => {
      const found = await listWaitingFigures(sql, { page, sandbox, isCounted: query.count === 'true' });
      return listed(found, page, { recordOf });
    },
  }),

  route({
    method: 'POST',
    path: '/operator/venue-reviews/:id/approve',
    access: { resource: 'reviews', verb: 'write' },
    refusals: ['state_conflict'],
    operationId: 'approveVenueFigures',
    summary: 'Approve the figures of a venue',
    description:
      'They are in force from now on, and later changes are compared with them. Send `requested_at`, so that you approve the figures that you have read.',
    id: 'venue',
    body: ApproveFiguresBody,
    response: { 200: DecidedFigures },
    handle: ({ caller, id, body }, dependencies) =>
      decide(dependencies, caller, { venue: id, body, decision: { audienceMax: body.audience_max } }),
  }),

  route({
    method: 'POST',
    path: '/operator/venue-reviews/:id/reject',
    access: { resource: 'reviews', verb: 'write' },
    refusals: ['state_conflict'],
    operationId: 'rejectVenueFigures',
    summary: 'Reject the figures of a venue, with a reason that it reads',
    description: 'The figures in force stay.',
    id: 'venue',
    body: RejectFiguresBody,
    response: { 200: DecidedFigures },
    handle: ({ caller, id, body }, dependencies) =>
      decide(dependencies, caller, { venue: id, body, decision: { reason: body.reason } }),
  }),
];

function recordOf(row: WaitingVenueRow): VenueReview {
  return {
    venue_id: formatId('venue', row.handle),
    name: row.name,
    workspace: { id: formatId('workspace', row.workspace_handle), name: row.workspace_name },
    figures: figuresRecord(row),
    limits: limitsRecord(row),
  };
}

type Decided = { venue: Handle<'venue'>; body: { requested_at?: string }; decision: FigureDecision };

async function decide(
  { sql, now }: CallDependencies,
  caller: Caller,
  { venue, body: { requested_at: asked }, decision: decided }: Decided,
): Promise<DecidedFigures | Refusal> {
  const requestedAt = asked === undefined ? undefined : parseMoment(asked);
  if (asked !== undefined && requestedAt === undefined)
    return refuseField('/requested_at', 'bad_format', 'must be a time of ISO 8601 such as 2037-09-03T09:00:00.000Z');
  const decision = { ...decided, requestedAt };
  const { workspace, actor, sandbox } = caller;
  return replying(caller, { now: now(), render: decidedOf }, call =>
    decideFigures(sql, asOperator(call, call.now), { venue, decision, by: { workspace, actor }, book: sandbox }),
  );
}

function decidedOf(row: VenueRow): DecidedFigures {
  return { venue_id: formatId('venue', row.handle), figures: figuresRecord(row) };
}
