import { parseBudget } from '#domain/campaigns/campaign.ts';
import { parseId } from '#domain/id.ts';
import { currencyDecimals } from '#domain/money/money.ts';
import { isRefusal, refuseField } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { idParams } from '../shapes.ts';
import { parseReportRange, readAgencyReport } from './report.ts';
import {
  AgencyReport,
  AgencyReportQuery,
  ChangeClientBody,
  CLIENT_SORTS,
  ClientRecord,
  ClientsQuery,
  CreateClientBody,
  TransferBody,
  TransferRecord,
} from './schema.ts';
import { archiveClient, restoreClient } from './archive.ts';
import { changeClient, createClient, listClients, transferMoney } from './store.ts';

export function agencyRoutes(app: Api, { sql, reads, now }: RouteDependencies): void {
  app.get(
    '/agency/clients',
    {
      config: { access: { resource: 'agency', verb: 'read' } },
      schema: {
        summary: 'List the client workspaces',
        tags: ['Agency'],
        querystring: ClientsQuery,
        response: { 200: listOf(ClientRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'clients', sorts: CLIENT_SORTS });
      return answer(
        reply,
        200,
        isRefusal(page) ? page : await listClients(sql, callerOf(request), { page, filter: request.query, now: now() }),
      );
    },
  );

  app.post(
    '/agency/clients',
    {
      config: { access: { resource: 'agency', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        summary: 'Create a client workspace',
        tags: ['Agency'],
        body: CreateClientBody,
        response: { 201: ClientRecord },
      },
    },
    async (request, reply) => {
      const fields = request.body;
      const refusal =
        currencyDecimals(fields.currency) === undefined
          ? refuseField('/currency', 'unknown_currency', 'must be a currency code of ISO 4217, such as EUR')
          : undefined;
      return answer(reply, 201, refusal ?? (await createClient(sql, callerOf(request), { fields, now: now() })));
    },
  );

  app.patch(
    '/agency/clients/:id',
    {
      config: { access: { resource: 'agency', verb: 'write' } },
      schema: {
        summary: 'Change a client workspace, or what all clients inherit',
        description:
          'Fields that are objects or lists (`branding`, `billing_details`, `seats`) are replaced as a whole: send all of them that shall stay.',
        tags: ['Agency'],
        params: idParams,
        body: ChangeClientBody,
        response: { 200: ClientRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('workspace', request.params.id);
      if (handle === undefined) return answer(reply, 200, refuseAbsent());
      return answer(
        reply,
        200,
        await changeClient(sql, callerOf(request), { handle, changes: request.body, now: now() }),
      );
    },
  );

  app.delete(
    '/agency/clients/:id',
    {
      config: { access: { resource: 'agency', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        summary: 'Archive a client workspace',
        tags: ['Agency'],
        params: idParams,
        description:
          'Refused while a campaign of it runs, waits for its review or is paused (they are named), and while its wallet holds money. An archived client can be read, and so can its campaigns, reports and invoices; nothing in it changes until it is restored.',
      },
    },
    async (request, reply) => {
      const handle = parseId('workspace', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined ? refuseAbsent() : await archiveClient(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );

  app.post(
    '/agency/clients/:id/restore',
    {
      config: { access: { resource: 'agency', verb: 'write' } },
      schema: {
        summary: 'Restore an archived client workspace',
        tags: ['Agency'],
        params: idParams,
        response: { 200: ClientRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('workspace', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined ? refuseAbsent() : await restoreClient(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );

  app.post(
    '/agency/clients/:id/transfers',
    {
      config: { access: { resource: 'agency', verb: 'write' }, refusals: ['insufficient_funds'] },
      schema: {
        operationId: 'transferToClient',
        summary: 'Move money between the wallets of the agency and a client',
        tags: ['Agency'],
        params: idParams,
        body: TransferBody,
        response: { 201: TransferRecord },
      },
    },
    async (request, reply) => {
      const client = parseId('workspace', request.params.id);
      if (client === undefined) return answer(reply, 201, refuseAbsent());
      const { amount, direction } = request.body;
      const parsed = parseBudget(amount, '/amount');
      return answer(
        reply,
        201,
        isRefusal(parsed)
          ? parsed
          : await transferMoney(sql, callerOf(request), {
              client,
              direction,
              amountMicros: parsed.budgetMicros,
              currency: parsed.currency,
              now: now(),
            }),
      );
    },
  );

  app.get(
    '/agency/reports',
    {
      config: { access: { resource: 'agency', verb: 'read' } },
      schema: {
        operationId: 'readAgencyReport',
        summary: 'Report of costs and discounts by client, region, daypart or campaign',
        tags: ['Agency'],
        querystring: AgencyReportQuery,
        response: { 200: AgencyReport },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const range = parseReportRange(request.query, { currency: caller.currency, now: now() });
      return answer(reply, 200, isRefusal(range) ? range : await readAgencyReport(reads(), caller, range));
    },
  );
}
