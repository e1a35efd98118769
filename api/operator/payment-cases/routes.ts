/**
 * The routes of payment cases: the operator lists them, and takes the money of each from the wallet or does not. Events
 * that could not be read are listed beside them.
 */
import { listCases } from '#sql/payments/cases.ts';
import { bookPaymentCase, closePaymentCase } from '#sql/payments/decisions.ts';
import { route } from '../../http/route.ts';
import { BY_CREATION, listed, listOf } from '../../lists/paging.ts';
import { asOperator } from '../../authentication/as-operator.ts';
import { CloseCaseBody, EndedCase, PaymentCase, PaymentCasesQuery, UnreadableEvents } from './schema.ts';
import { caseRecord, listUnreadableEvents } from './record.ts';

const READ = { resource: 'payments', verb: 'read' } as const;
const WRITE = { resource: 'payments', verb: 'write' } as const;

export const paymentCaseRoutes = [
  route({
    method: 'GET',
    path: '/operator/payment-cases',
    access: READ,
    mode: 'live',
    operationId: 'listPaymentCases',
    summary: 'List refunds, disputes and unmatched payments',
    query: PaymentCasesQuery,
    page: { list: 'payment-cases', sorts: BY_CREATION },
    response: { 200: listOf(PaymentCase) },
    async handle({ page, query: { status, count } }, { sql }) {
      const found = await listCases(sql, page, { statuses: status?.split(','), isCounted: count === 'true' });
      return listed(found, page, { recordOf: caseRecord });
    },
  }),

  route({
    method: 'POST',
    path: '/operator/payment-cases/:id/book',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict', 'insufficient_funds'],
    operationId: 'bookPaymentCase',
    summary: 'Take the money of a refund or a dispute from the wallet',
    id: 'payment_case',
    response: { 200: EndedCase },
    handle: ({ caller, id }, { sql, now }) =>
      bookPaymentCase(sql, asOperator(caller, new Date(now())), { handle: id, by: caller }),
  }),

  route({
    method: 'POST',
    path: '/operator/payment-cases/:id/close',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'closePaymentCase',
    summary: 'Close a case without a debit',
    id: 'payment_case',
    body: CloseCaseBody,
    response: { 200: EndedCase },
    handle: ({ caller, id, body: { note } }, { sql, now }) =>
      closePaymentCase(sql, asOperator(caller, new Date(now())), { handle: id, note, by: caller }),
  }),

  route({
    method: 'GET',
    path: '/operator/payment-events',
    access: READ,
    mode: 'live',
    operationId: 'listUnreadableEvents',
    summary: 'List events of the payment provider that could not be read',
    description: 'They had no effect here: look each up at the provider. A newer version may know its form.',
    response: { 200: UnreadableEvents },
    handle: async (_call, { sql }) => ({ events: await listUnreadableEvents(sql) }),
  }),
];
