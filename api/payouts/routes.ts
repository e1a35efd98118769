import { parseId } from '#domain/id.ts';
import { microsFromDecimal } from '#domain/money/money.ts';
import { isRefusal } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { declareRoutes } from '../http/route.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, pageQuery, readPage } from '../lists/paging.ts';
import { idParams, strict } from '../shapes.ts';
import { setAccount, showAccount } from './account-store.ts';
import { earningsRoutes } from '../earnings/routes.ts';
import {
  AccountBody,
  AccountRecord,
  CreatePayoutBody,
  EarningsBalance,
  HOLD_SORTS,
  HoldRecord,
  PAYOUT_SORTS,
  PayoutDetail,
  PayoutRecord,
  PayoutsQuery,
} from './schema.ts';
import { listHolds } from './holds.ts';
import { statementPdfRoutes, statementRoutes } from '../statements/routes.ts';
import { createPayout, listPayouts, readBalance, readPayout } from './store.ts';

export function payoutRoutes(app: Api, dependencies: RouteDependencies): void {
  accountRoutes(app, dependencies);
  earningsRoutes(app, dependencies);
  declareRoutes(app, dependencies, statementRoutes);
  statementPdfRoutes(app, dependencies);
  withdrawalRoutes(app, dependencies);
}

function withdrawalRoutes(app: Api, { sql, withdrawals: { holdDays }, now }: RouteDependencies): void {
  app.get(
    '/payouts',
    {
      config: { access: { resource: 'payouts', verb: 'read' } },
      schema: {
        summary: 'List the payouts',
        tags: ['Payouts'],
        querystring: PayoutsQuery,
        response: { 200: listOf(PayoutRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'payouts', sorts: PAYOUT_SORTS });
      return answer(
        reply,
        200,
        isRefusal(page) ? page : await listPayouts(sql, callerOf(request), { page, status: request.query.status }),
      );
    },
  );

  app.get(
    '/payouts/balance',
    {
      config: { access: { resource: 'payouts', verb: 'read' } },
      schema: {
        operationId: 'readEarningsBalance',
        summary: 'Read what may be withdrawn',
        tags: ['Payouts'],
        response: { 200: EarningsBalance },
      },
    },
    async (request, reply) => answer(reply, 200, await readBalance(sql, callerOf(request), { holdDays, now: now() })),
  );

  app.get(
    '/payouts/holds',
    {
      config: { access: { resource: 'payouts', verb: 'read' } },
      schema: {
        operationId: 'listEarningsHolds',
        summary: 'List why earnings are held',
        tags: ['Payouts'],
        querystring: strict(pageQuery(HOLD_SORTS)),
        response: { 200: listOf(HoldRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'holds', sorts: HOLD_SORTS });
      return answer(reply, 200, isRefusal(page) ? page : await listHolds(sql, callerOf(request), page));
    },
  );

  app.get(
    '/payouts/:id',
    {
      config: { access: { resource: 'payouts', verb: 'read' } },
      schema: {
        summary: 'Read a payout with its line items',
        tags: ['Payouts'],
        params: idParams,
        response: { 200: PayoutDetail },
      },
    },
    async (request, reply) => {
      const handle = parseId('payout', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined ? refuseAbsent() : await readPayout(sql, callerOf(request), handle),
      );
    },
  );

  app.post(
    '/payouts',
    {
      config: {
        access: { resource: 'payouts', verb: 'write' },
        refusals: [
          'insufficient_funds',
          'earnings_held',
          'payout_account_missing',
          'payout_account_changed',
          'state_conflict',
        ],
      },
      schema: {
        summary: 'Withdraw earnings',
        tags: ['Payouts'],
        body: CreatePayoutBody,
        response: { 201: PayoutDetail },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { amount } = request.body;
      const currency = amount?.currency ?? caller.currency;
      const wantedMicros =
        amount === undefined ? undefined : microsFromDecimal(amount.value, currency, '/amount', 'value');
      return answer(
        reply,
        201,
        isRefusal(wantedMicros)
          ? wantedMicros
          : await createPayout(sql, caller, { wantedMicros, currency, holdDays, now: now() }),
      );
    },
  );
}

function accountRoutes(app: Api, { sql, sealer, withdrawals, now }: RouteDependencies): void {
  app.get(
    '/payouts/account',
    {
      config: { access: { resource: 'payouts', verb: 'read' }, refusals: ['not_found'] },
      schema: {
        operationId: 'readPayoutAccount',
        summary: 'Read where payouts go',
        tags: ['Payouts'],
        response: { 200: AccountRecord },
      },
    },
    async (request, reply) => answer(reply, 200, await showAccount(sql, callerOf(request))),
  );

  app.put(
    '/payouts/account',
    {
      config: { access: { resource: 'payouts', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        operationId: 'replacePayoutAccount',
        summary: 'Say where payouts go',
        tags: ['Payouts'],
        body: AccountBody,
        response: { 200: AccountRecord },
      },
    },
    async (request, reply) =>
      answer(
        reply,
        200,
        await setAccount({ sql, sealer, pauseMs: withdrawals.accountPauseMs }, callerOf(request), {
          fields: request.body,
          now: now(),
        }),
      ),
  );
}
