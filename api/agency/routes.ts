/**
 * The routes of an agency: its client workspaces, the money that it moves between their wallets and its own, and its
 * report of costs and discounts.
 */
import { parseBudget } from '#domain/campaigns/campaign.ts';
import { refuseCurrency } from '#domain/money/money.ts';
import { isRefusal } from '#domain/refusal.ts';
import { readVatDetails } from '#domain/tax/vat-party.ts';
import type { Postgres } from '#sql/postgres.ts';
import { transferMoney, type MadeTransfer } from '#sql/wallet/transfers.ts';
import { changeClient, CLIENT_SORTS, createClient, findClient, listClients } from '#sql/workspaces/clients.ts';
import { archiveClient, restoreClient } from '#sql/workspaces/archive.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { BY_CREATION, listed, listOf } from '../lists/paging.ts';
import { listApprovals } from './approvals.ts';
import { clientRecord, transferRecord } from './record.ts';
import { parseReportRange, readAgencyReport } from './report.ts';
import {
  AgencyReport,
  AgencyReportQuery,
  ApprovalRecord,
  ApprovalsQuery,
  ChangeClientBody,
  ClientRecord,
  ClientsQuery,
  CreateClientBody,
  TransferBody,
  TransferRecord,
} from './schema.ts';

type Dependencies = CallDependencies & { reads: () => Postgres; forgetWorkspaces: () => void };
const route = routeFor<Dependencies>();

export const agencyRoutes = [
  route({
    method: 'GET',
    path: '/agency/clients',
    access: { resource: 'agency', verb: 'read' },
    summary: 'List the client workspaces',
    query: ClientsQuery,
    page: { list: 'clients', sorts: CLIENT_SORTS },
    response: { 200: listOf(ClientRecord) },
    async handle({ caller, page, query: { status, billing_model: model, currency, q, count } }, { sql, now }) {
      const filter = {
        isCounted: count === 'true',
        ...(status !== undefined && { statuses: status.split(',') }),
        ...(model !== undefined && { billingModels: model.split(',') }),
        ...(currency !== undefined && { currencies: currency.split(',') }),
        ...(q !== undefined && { name: q }),
      };
      const found = await listClients(sql, caller, { page, filter, now: new Date(now()) });
      return isRefusal(found) ? found : listed(found, page, { sorts: CLIENT_SORTS, recordOf: clientRecord });
    },
  }),

  route({
    method: 'POST',
    path: '/agency/clients',
    access: { resource: 'agency', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Create a client workspace',
    body: CreateClientBody,
    response: { 201: ClientRecord },
    handle: ({ caller, body }, { sql, now }) =>
      refuseCurrency(body.currency) ??
      replying(caller, { now: now(), render: clientRecord }, call => createClient(sql, call, body)),
  }),

  route({
    method: 'GET',
    path: '/agency/clients/:id',
    access: { resource: 'agency', verb: 'read' },
    summary: 'Read a client workspace, or what all clients inherit',
    description: 'The agency itself is read by its own id. A test key reads clients of the sandbox.',
    id: 'workspace',
    response: { 200: ClientRecord },
    async handle({ caller, id }, { sql, now }) {
      const client = await findClient(sql, caller, { handle: id, now: new Date(now()) });
      return isRefusal(client) ? client : clientRecord(client);
    },
  }),

  route({
    method: 'PATCH',
    path: '/agency/clients/:id',
    access: { resource: 'agency', verb: 'write' },
    summary: 'Change a client workspace, or what all clients inherit',
    description:
      'The sandbox changes clients of its own alone, not the agency itself. Fields that are objects or lists (`branding`, `billing_details`, `seats`) are replaced as a whole: send all of them that shall stay. A seat whose role reaches further than your own is neither given nor taken away (`role_forbidden`).',
    id: 'workspace',
    body: ChangeClientBody,
    response: { 200: ClientRecord },
    async handle({ caller, principal: { role }, id, body }, { sql, now }) {
      const details =
        body.billing_details && readVatDetails(body.billing_details, field => `/billing_details/${field}`);
      if (isRefusal(details)) return details;
      const changes = details ? { ...body, billing_details: details } : body;
      return replying(caller, { now: now(), render: clientRecord }, call =>
        changeClient(sql, call, { handle: id, changes, role }),
      );
    },
  }),

  route({
    method: 'DELETE',
    path: '/agency/clients/:id',
    access: { resource: 'agency', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Archive a client workspace',
    description:
      'Refused while a campaign of it runs, waits for its review or is paused (they are named), and while its wallet holds money. The sandbox of a live client does not count. An archived client can be read, and so can its campaigns, reports and invoices; nothing in it changes until it is restored.',
    id: 'workspace',
    async handle({ caller, id }, { sql, forgetWorkspaces, now }) {
      const refusal = await archiveClient(sql, { ...caller, now: new Date(now()) }, id);
      if (!refusal) forgetWorkspaces();
      return refusal;
    },
  }),

  route({
    method: 'POST',
    path: '/agency/clients/:id/restore',
    access: { resource: 'agency', verb: 'write' },
    summary: 'Restore an archived client workspace',
    id: 'workspace',
    response: { 200: ClientRecord },
    async handle({ caller, id }, { sql, forgetWorkspaces, now }) {
      const restored = await replying(caller, { now: now(), render: clientRecord }, call =>
        restoreClient(sql, call, id),
      );
      if (!isRefusal(restored)) forgetWorkspaces();
      return restored;
    },
  }),

  route({
    method: 'POST',
    path: '/agency/clients/:id/transfers',
    access: { resource: 'agency', verb: 'write' },
    refusals: ['insufficient_funds', 'state_conflict'],
    operationId: 'transferToClient',
    summary: 'Move money between the wallets of the agency and a client',
    id: 'workspace',
    body: TransferBody,
    response: { 201: TransferRecord },
    handle({ caller, id, body: { amount, direction } }, { sql, now }) {
      const parsed = parseBudget(amount, '/amount');
      if (isRefusal(parsed)) return parsed;
      const { budgetMicros: amountMicros, currency } = parsed;
      const transfer = { client: id, direction, amountMicros, currency };
      return replying(caller, { now: now(), render: (made: MadeTransfer) => transferRecord(made, transfer) }, call =>
        transferMoney(sql, call, transfer),
      );
    },
  }),

  route({
    method: 'GET',
    path: '/agency/approvals',
    access: { resource: 'agency', verb: 'read' },
    summary: 'List the campaigns of all clients that wait for the approval of the agency',
    description:
      'To approve one, act as its client (`X-Workspace-Id`) and send `PATCH /campaigns/{id}` with the status `pending_review`.',
    query: ApprovalsQuery,
    page: { list: 'approvals', sorts: BY_CREATION },
    response: { 200: listOf(ApprovalRecord) },
    handle: ({ caller, page, query }, { sql }) =>
      listApprovals(sql, caller, { page, isCounted: query.count === 'true' }),
  }),

  route({
    method: 'GET',
    path: '/agency/reports',
    access: { resource: 'agency', verb: 'read' },
    operationId: 'readAgencyReport',
    summary: 'Report of costs and discounts by client, region, daypart or campaign',
    query: AgencyReportQuery,
    response: { 200: AgencyReport },
    handle({ caller, query }, { reads, now }) {
      const range = parseReportRange(query, { currency: caller.currency, now: now() });
      return isRefusal(range) ? range : readAgencyReport(reads(), caller, range);
    },
  }),
];
