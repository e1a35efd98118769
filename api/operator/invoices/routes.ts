/** The routes of invoices: the operator lists those of all workspaces, and records which were paid. */
import { pdfLinkOf, type LinkDependencies } from '../../invoices/pdf-link.ts';
import { routeFor, type CallDependencies } from '../../http/route.ts';
import { BY_CREATION, listOf } from '../../lists/paging.ts';
import { asOperator } from '../../authentication/as-operator.ts';
import { SettledInvoice, SettleInvoiceBody, WorkspaceInvoice, WorkspaceInvoicesQuery } from './schema.ts';
import { listWorkspaceInvoices, settleInvoice } from './store.ts';

type Dependencies = CallDependencies & LinkDependencies;
const route = routeFor<Dependencies>();

export const workspaceInvoiceRoutes = [
  route({
    method: 'GET',
    path: '/operator/invoices',
    access: { resource: 'payments', verb: 'read' },
    mode: 'live',
    operationId: 'listWorkspaceInvoices',
    summary: 'List the invoices and credit notes of all workspaces',
    tags: ['Operator'],
    query: WorkspaceInvoicesQuery,
    page: { list: 'workspace-invoices', sorts: BY_CREATION },
    response: { 200: listOf(WorkspaceInvoice) },
    handle: ({ page, query: { status, kind, q, count } }, dependencies) =>
      listWorkspaceInvoices(dependencies.sql, {
        page,
        link: pdfLinkOf(dependencies),
        filter: {
          isCounted: count === 'true',
          ...(status !== undefined && { statuses: status.split(',') }),
          ...(kind !== undefined && { kinds: kind.split(',') }),
          ...(q !== undefined && { text: q }),
        },
      }),
  }),

  route({
    method: 'POST',
    path: '/operator/invoices/:id/settle',
    access: { resource: 'payments', verb: 'write' },
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'settleInvoice',
    summary: 'Record that an invoice was paid',
    tags: ['Operator'],
    id: 'invoice',
    body: SettleInvoiceBody,
    response: { 200: SettledInvoice },
    handle: ({ caller, id, body }, { sql, now }) =>
      settleInvoice(sql, asOperator(caller, new Date(now())), { ...body, invoice: id, by: caller }),
  }),
];
