import { parseBudget } from '#domain/campaigns/campaign.ts';
import { parseId } from '#domain/id.ts';
import { isRefusal, refuseField } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { endCheckout } from '../payments/checkouts.ts';
import { idParams } from '../shapes.ts';
import {
  TopUpBody,
  ToppedUpWallet,
  TopUpRecord,
  TopUpsQuery,
  TRANSACTION_SORTS,
  TransactionRecord,
  TransactionsQuery,
  WalletRecord,
} from './schema.ts';
import { readWallet, requestTopUp } from './store.ts';
import { cancelTopUp, listTopUps, readTopUp } from './top-ups.ts';
import { listTransactions, parseTransactionFilter } from './transactions.ts';

export function walletRoutes(app: Api, dependencies: RouteDependencies): void {
  balanceRoutes(app, dependencies);
  topUpRoutes(app, dependencies);
}

function balanceRoutes(app: Api, { sql }: RouteDependencies): void {
  app.get(
    '/wallet',
    {
      config: { access: { resource: 'wallet', verb: 'read' } },
      schema: { summary: 'Read the wallet', tags: ['Wallet'], response: { 200: WalletRecord } },
    },
    async (request, reply) => answer(reply, 200, await readWallet(sql, callerOf(request))),
  );

  app.get(
    '/wallet/transactions',
    {
      config: { access: { resource: 'wallet', verb: 'read' } },
      schema: {
        operationId: 'listWalletTransactions',
        summary: 'List what was booked on the wallet',
        tags: ['Wallet'],
        querystring: TransactionsQuery,
        response: { 200: listOf(TransactionRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'transactions', sorts: TRANSACTION_SORTS });
      const filter = parseTransactionFilter(request.query);
      if (isRefusal(page)) return answer(reply, 200, page);
      return answer(
        reply,
        200,
        isRefusal(filter) ? filter : await listTransactions(sql, callerOf(request), { page, filter }),
      );
    },
  );
}

function topUpRoutes(app: Api, dependencies: RouteDependencies): void {
  const { sql, now } = dependencies;
  app.get(
    '/wallet/top-ups',
    {
      config: { access: { resource: 'wallet', verb: 'read' } },
      schema: {
        operationId: 'listTopUps',
        summary: 'List the top-ups',
        tags: ['Wallet'],
        querystring: TopUpsQuery,
        response: { 200: listOf(TopUpRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'top-ups' });
      return answer(
        reply,
        200,
        isRefusal(page) ? page : await listTopUps(sql, callerOf(request), { page, status: request.query.status }),
      );
    },
  );

  app.get(
    '/wallet/top-ups/:id',
    {
      config: { access: { resource: 'wallet', verb: 'read' } },
      schema: {
        operationId: 'readTopUp',
        summary: 'Read a top-up',
        tags: ['Wallet'],
        params: idParams,
        response: { 200: TopUpRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('top_up', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined ? refuseAbsent() : await readTopUp(sql, callerOf(request), handle),
      );
    },
  );

  app.delete(
    '/wallet/top-ups/:id',
    {
      config: {
        access: { resource: 'wallet', verb: 'write' },
        refusals: ['state_conflict', 'payments_off', 'payment_refused', 'payment_provider_away'],
      },
      schema: {
        operationId: 'cancelTopUp',
        summary: 'Call a top-up off that has not been credited',
        tags: ['Wallet'],
        params: idParams,
      },
    },
    async (request, reply) => {
      const handle = parseId('top_up', request.params.id);
      if (handle === undefined) return answer(reply, 204, refuseAbsent());
      const refusal = await endCheckout(dependencies, callerOf(request), handle);
      return answer(reply, 204, refusal ?? (await cancelTopUp(sql, callerOf(request), { handle, now: now() })));
    },
  );

  app.post(
    '/wallet/top-ups',
    {
      config: { access: { resource: 'wallet', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        summary: 'Ask for money on the wallet; play money comes at once',
        tags: ['Wallet'],
        body: TopUpBody,
        response: { 201: ToppedUpWallet },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const amount = parseBudget(request.body.amount, '/amount');
      if (isRefusal(amount)) return answer(reply, 201, amount);
      if (amount.currency !== caller.currency)
        return answer(
          reply,
          201,
          refuseField(
            '/amount/currency',
            'wrong_currency',
            `must be ${caller.currency}, the currency of the workspace`,
          ),
        );
      return answer(reply, 201, await requestTopUp(sql, caller, { amountMicros: amount.budgetMicros, now: now() }));
    },
  );
}
