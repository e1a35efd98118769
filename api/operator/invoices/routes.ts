/** The routes of invoices: the operator lists those of all workspaces, and records which were paid. */
import { formatId } from '#domain/id.ts';
import { listWorkspaceInvoices, type WorkspaceInvoiceRow } from '#sql/invoices/rows.ts';
import { settleInvoice } from '#sql/invoices/settling.ts';
import { invoiceRecord } from '../../invoices/record.ts';
import { pdfLinkOf, type LinkDependencies } from '../../invoices/pdf-link.ts';
import { routeFor, type CallDependencies } from '../../http/route.ts';
import { BY_CREATION, listed, listOf } from '../../lists/paging.ts';
import { asOperator } from '../../authentication/as-operator.ts';
import { SettledInvoice, SettleInvoiceBody, WorkspaceInvoice, WorkspaceInvoicesQuery } from './schema.ts';

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
    query: WorkspaceInvoicesQuery,
    page: { list: 'workspace-invoices', sorts: BY_CREATION },
    response: { 200: listOf(WorkspaceInvoice) },
    async handle({ page, query: { status, kind, q, count } }, dependencies) {
      const filter = {
        isCounted: count === 'true',
        ...(status !== undefined && { statuses: status.split(',') }),
        ...(kind !== undefined && { kinds: kind.split(',') }),
        ...(q !== undefined && { text: q }),
      };
      const found = await listWorkspaceInvoices(dependencies.sql, { page, filter });
      const link = pdfLinkOf(dependencies);
      const recordOf = (row: WorkspaceInvoiceRow) => ({
        ...invoiceRecord(row, link),
        workspace: { id: formatId('workspace', row.workspace), name: row.workspace_name },
      });
      return listed(found, page, { recordOf });
    },
  }),

  route({
    method: 'POST',
    path: '/operator/invoices/:id/settle',
    access: { resource: 'payments', verb: 'write' },
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'settleInvoice',
    summary: 'Record that an invoice was paid',
    id: 'invoice',
    body: SettleInvoiceBody,
    response: { 200: SettledInvoice },
    handle: ({ caller, id, body }, { sql, now }) =>
      settleInvoice(sql, asOperator(caller, new Date(now())), { ...body, invoice: id, by: caller }),
  }),
];
