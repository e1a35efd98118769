/** The routes of the wallet: its balance, what was booked on it, and top-ups. */
import { parseBudget } from '#domain/campaigns/campaign.ts';
import { isRefusal, refuseField } from '#domain/refusal.ts';
import { route } from '../http/route.ts';
import { listOf } from '../lists/paging.ts';
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
import { listTopUps, readTopUp } from './top-ups.ts';
import { listTransactions, parseTransactionFilter } from './transactions.ts';

export const walletRoutes = [
  route({
    method: 'GET',
    path: '/wallet',
    access: { resource: 'wallet', verb: 'read' },
    summary: 'Read the wallet',
    tags: ['Wallet'],
    response: { 200: WalletRecord },
    handle: ({ caller }, { sql }) => readWallet(sql, caller),
  }),

  route({
    method: 'GET',
    path: '/wallet/transactions',
    access: { resource: 'wallet', verb: 'read' },
    operationId: 'listWalletTransactions',
    summary: 'List what was booked on the wallet',
    tags: ['Wallet'],
    query: TransactionsQuery,
    page: { list: 'transactions', sorts: TRANSACTION_SORTS },
    response: { 200: listOf(TransactionRecord) },
    handle({ caller, page, query }, { sql }) {
      const filter = parseTransactionFilter(query);
      return isRefusal(filter) ? filter : listTransactions(sql, caller, { page, filter });
    },
  }),

  route({
    method: 'GET',
    path: '/wallet/top-ups',
    access: { resource: 'wallet', verb: 'read' },
    operationId: 'listTopUps',
    summary: 'List the top-ups',
    tags: ['Wallet'],
    query: TopUpsQuery,
    page: { list: 'top-ups' },
    response: { 200: listOf(TopUpRecord) },
    handle: ({ caller, page, query }, { sql }) => listTopUps(sql, caller, { page, status: query.status }),
  }),

  route({
    method: 'GET',
    path: '/wallet/top-ups/:id',
    access: { resource: 'wallet', verb: 'read' },
    operationId: 'readTopUp',
    summary: 'Read a top-up',
    tags: ['Wallet'],
    id: 'top_up',
    response: { 200: TopUpRecord },
    handle: ({ caller, id }, { sql }) => readTopUp(sql, caller, id),
  }),

  route({
    method: 'POST',
    path: '/wallet/top-ups',
    access: { resource: 'wallet', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Ask for money on the wallet; play money comes at once',
    tags: ['Wallet'],
    body: TopUpBody,
    response: { 201: ToppedUpWallet },
    handle({ caller, body }, { sql, now }) {
      const amount = parseBudget(body.amount, '/amount');
      if (isRefusal(amount)) return amount;
      return amount.currency === caller.currency
        ? requestTopUp(sql, caller, { amountMicros: amount.budgetMicros, now: now() })
        : refuseField(
            '/amount/currency',
            'wrong_currency',
            `must be ${caller.currency}, the currency of the workspace`,
          );
    },
  }),
];
