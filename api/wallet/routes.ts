/** The routes of the wallet: its balance, what was booked on it, and top-ups. */
import { parseBudget } from '#domain/campaigns/campaign.ts';
import { isRefusal, refuseField } from '#domain/refusal.ts';
import { readWallet } from '#sql/wallet/balance.ts';
import { findTopUp, listTopUps } from '#sql/wallet/top-ups.ts';
import { listTransactions, TRANSACTION_SORTS } from '#sql/wallet/transactions.ts';
import { requestTopUp, type ToppedUp } from '#sql/wallet/units.ts';
import { route, routeFor, type CallDependencies } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { envelope, listed, listOf } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { topUpRecord, walletRecord } from './record.ts';
import {
  TopUpBody,
  ToppedUpWallet,
  TopUpRecord,
  TopUpsQuery,
  TransactionRecord,
  TransactionsQuery,
  WalletRecord,
} from './schema.ts';
import { parseTransactionFilter, transactionRecord } from './transactions.ts';

const payableRoute = routeFor<CallDependencies & { payments?: object }>();

export const walletRoutes = [
  payableRoute({
    method: 'GET',
    path: '/wallet',
    access: { resource: 'wallet', verb: 'read' },
    summary: 'Read the wallet',
    response: { 200: WalletRecord },
    handle: async ({ caller }, { sql, payments }) => ({
      ...walletRecord(caller, await readWallet(sql, caller, caller.currency)),
      online_payments: payments !== undefined,
    }),
  }),

  route({
    method: 'GET',
    path: '/wallet/transactions',
    access: { resource: 'wallet', verb: 'read' },
    summary: 'List what was booked on the wallet',
    query: TransactionsQuery,
    page: { list: 'transactions', sorts: TRANSACTION_SORTS },
    response: { 200: listOf(TransactionRecord) },
    async handle({ caller, page, query }, { sql }) {
      const filter = parseTransactionFilter(query);
      if (isRefusal(filter)) return filter;
      const rows = await listTransactions(sql, caller, { page, filter });
      return envelope(rows, page, { positionOf: row => String(row.posting), recordOf: transactionRecord });
    },
  }),

  route({
    method: 'GET',
    path: '/wallet/top-ups',
    access: { resource: 'wallet', verb: 'read' },
    operationId: 'listTopUps',
    summary: 'List the top-ups',
    query: TopUpsQuery,
    page: { list: 'top-ups' },
    response: { 200: listOf(TopUpRecord) },
    async handle({ caller, page, query }, { sql }) {
      const rows = await listTopUps(sql, caller, { page, state: query.status });
      return listed({ rows }, page, { recordOf: topUpRecord });
    },
  }),

  route({
    method: 'GET',
    path: '/wallet/top-ups/:id',
    access: { resource: 'wallet', verb: 'read' },
    operationId: 'readTopUp',
    summary: 'Read a top-up',
    id: 'top_up',
    response: { 200: TopUpRecord },
    async handle({ caller, id }, { sql }) {
      const row = await findTopUp(sql, caller, id);
      return row ? topUpRecord(row) : refuseAbsent();
    },
  }),

  route({
    method: 'POST',
    path: '/wallet/top-ups',
    access: { resource: 'wallet', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Ask for money on the wallet; play money comes at once',
    body: TopUpBody,
    response: { 201: ToppedUpWallet },
    handle({ caller, body }, { sql, now }) {
      const amount = parseBudget(body.amount, '/amount');
      if (isRefusal(amount)) return amount;
      const { currency } = caller;
      if (amount.currency !== currency)
        return refuseField('/amount/currency', 'wrong_currency', `must be ${currency}, the currency of the workspace`);
      const render = ({ topUp, wallet }: ToppedUp) => ({ ...walletRecord(caller, wallet), top_up: topUpRecord(topUp) });
      return replying(caller, { now: now(), render }, call =>
        requestTopUp(sql, call, { currency, amountMicros: amount.budgetMicros }),
      );
    },
  }),
];
