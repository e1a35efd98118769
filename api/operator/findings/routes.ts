/** The routes of findings: the operator lists them, reads the evidence, and clears or upholds each. */
import { decideFinding } from '#sql/findings/decisions.ts';
import { route } from '../../http/route.ts';
import { BY_CREATION, listOf } from '../../lists/paging.ts';
import { refuseAbsent } from '../../wire/refusals.ts';
import { asOperator } from '../../authentication/as-operator.ts';
import { DecidedFinding, DecisionBody, FindingEvidence, FindingsQuery, TrafficFinding } from './schema.ts';
import { listTrafficFindings, readTrafficFinding } from './record.ts';

const READ = { resource: 'findings', verb: 'read' } as const;
const WRITE = { resource: 'findings', verb: 'write' } as const;

export const findingRoutes = [
  route({
    method: 'GET',
    path: '/operator/findings',
    access: READ,
    mode: 'live',
    operationId: 'listFindings',
    summary: 'List the findings about the traffic of screens',
    query: FindingsQuery,
    page: { list: 'findings', sorts: BY_CREATION },
    response: { 200: listOf(TrafficFinding) },
    handle: ({ page, query: { status, count } }, { sql }) =>
      listTrafficFindings(sql, page, { statuses: status?.split(','), isCounted: count === 'true' }),
  }),

  route({
    method: 'GET',
    path: '/operator/findings/:id',
    access: READ,
    mode: 'live',
    operationId: 'readFinding',
    summary: 'Read a finding with its rule and evidence',
    description: 'What its rules mean and which honest reasons there are: docs/invalid-traffic.md.',
    id: 'finding',
    response: { 200: FindingEvidence },
    handle: async ({ id }, { sql }) => (await readTrafficFinding(sql, id)) ?? refuseAbsent(),
  }),

  route({
    method: 'POST',
    path: '/operator/findings/:id/clear',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'clearFinding',
    summary: 'Clear a finding, which releases the earnings that it holds',
    description: 'The same rule raises nothing about the screen or venue for 30 days.',
    id: 'finding',
    body: DecisionBody,
    response: { 200: DecidedFinding },
    handle: ({ caller, id, body: { note } }, { sql, now }) =>
      decideFinding(sql, asOperator(caller, new Date(now())), { finding: id, decision: 'clear', note, by: caller }),
  }),

  route({
    method: 'POST',
    path: '/operator/findings/:id/uphold',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'upholdFinding',
    summary: 'Uphold a finding, which takes its plays out',
    description: 'Brands are credited what they paid for them; the venue loses what it earned and has not withdrawn.',
    id: 'finding',
    body: DecisionBody,
    response: { 200: DecidedFinding },
    handle: ({ caller, id, body: { note } }, { sql, now }) =>
      decideFinding(sql, asOperator(caller, new Date(now())), { finding: id, decision: 'uphold', note, by: caller }),
  }),
];
