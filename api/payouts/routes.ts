/**
 * The routes of payouts: the account that they go to, what may be withdrawn, what is held back and why, and
 * withdrawals. There are two tables because the OpenAPI document lists the account before earnings and statements, and
 * the rest after.
 */
import { microsFromDecimal } from '#domain/money/money.ts';
import { isRefusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { createPayout, findPayout, listPayouts, PAYOUT_SORTS } from '#sql/payouts/withdrawals.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { listed, listOf, pageQuery } from '../lists/paging.ts';
import { DOCUMENT_FILE_TYPES, DocumentQuery, wantedFile } from '../e-invoices/file-formats.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { strict } from '../wire/shapes.ts';
import { replaceAccount, showAccount } from './account.ts';
import { listHolds } from './holds.ts';
import {
  AccountBody,
  AccountRecord,
  CreatePayoutBody,
  EarningsBalance,
  HOLD_SORTS,
  HoldRecord,
  PayoutDetail,
  PayoutRecord,
  PayoutsQuery,
} from './schema.ts';
import { payoutDetail, payoutRecord, readBalance } from './record.ts';
import { drawSelfBilledFile } from './self-billed.ts';

type Dependencies = CallDependencies & { withdrawals: { holdDays: number; accountPauseMs: Milliseconds } };
const route = routeFor<Dependencies>();

export const payoutAccountRoutes = [
  route({
    method: 'GET',
    path: '/payouts/account',
    access: { resource: 'payouts', verb: 'read' },
    refusals: ['not_found'],
    operationId: 'readPayoutAccount',
    summary: 'Read where payouts go',
    response: { 200: AccountRecord },
    handle: ({ caller }, { sql }) => showAccount(sql, caller),
  }),

  route({
    method: 'PUT',
    path: '/payouts/account',
    access: { resource: 'payouts', verb: 'write' },
    refusals: ['state_conflict'],
    operationId: 'replacePayoutAccount',
    summary: 'Say where payouts go',
    body: AccountBody,
    response: { 200: AccountRecord },
    handle: ({ caller, body }, { sql, sealer, withdrawals, now }) =>
      replaceAccount({ sql, sealer, pauseMs: withdrawals.accountPauseMs }, caller, { fields: body, now: now() }),
  }),
];

export const payoutRoutes = [
  route({
    method: 'GET',
    path: '/payouts',
    access: { resource: 'payouts', verb: 'read' },
    summary: 'List the payouts',
    query: PayoutsQuery,
    page: { list: 'payouts', sorts: PAYOUT_SORTS },
    response: { 200: listOf(PayoutRecord) },
    async handle({ caller, page, query }, { sql }) {
      const rows = await listPayouts(sql, caller, { page, status: query.status });
      return listed({ rows }, page, { sorts: PAYOUT_SORTS, recordOf: payoutRecord });
    },
  }),

  route({
    method: 'GET',
    path: '/payouts/balance',
    access: { resource: 'payouts', verb: 'read' },
    operationId: 'readEarningsBalance',
    summary: 'Read what may be withdrawn',
    response: { 200: EarningsBalance },
    handle: ({ caller }, { sql, withdrawals, now }) =>
      readBalance(sql, caller, { holdDays: withdrawals.holdDays, now: now() }),
  }),

  route({
    method: 'GET',
    path: '/payouts/holds',
    access: { resource: 'payouts', verb: 'read' },
    operationId: 'listEarningsHolds',
    summary: 'List why earnings are held',
    query: strict(pageQuery(HOLD_SORTS)),
    page: { list: 'holds', sorts: HOLD_SORTS },
    response: { 200: listOf(HoldRecord) },
    handle: ({ caller, page }, { sql }) => listHolds(sql, caller, page),
  }),

  route({
    method: 'GET',
    path: '/payouts/:id',
    access: { resource: 'payouts', verb: 'read' },
    summary: 'Read a payout with its line items',
    description:
      'As JSON; or its self-billed invoice, by `Accept` or `format` as PDF or as XML of EN 16931. `application/xml` is UBL; CII has `format=cii` alone. A payout without a self-billed invoice has no file (`state_conflict`).',
    id: 'payout',
    query: DocumentQuery,
    refusals: ['state_conflict'],
    response: { 200: PayoutDetail },
    files: DOCUMENT_FILE_TYPES,
    async handle({ caller, id, query, request, setHeaders }, { sql }) {
      setHeaders({ vary: 'accept' });
      const wanted = wantedFile(request, query.format);
      const payout = await findPayout(sql, caller, id);
      if (!payout) return refuseAbsent();
      return wanted === undefined ? payoutDetail(payout) : drawSelfBilledFile(payout, wanted);
    },
  }),

  route({
    method: 'POST',
    path: '/payouts',
    access: { resource: 'payouts', verb: 'write' },
    refusals: [
      'insufficient_funds',
      'earnings_held',
      'payout_account_missing',
      'payout_account_changed',
      'state_conflict',
    ],
    summary: 'Withdraw earnings',
    body: CreatePayoutBody,
    response: { 201: PayoutDetail },
    handle({ caller, body: { amount } }, { sql, withdrawals, now }) {
      const currency = amount?.currency ?? caller.currency;
      const wantedMicros = amount && microsFromDecimal(amount.value, currency, '/amount', 'value');
      return isRefusal(wantedMicros)
        ? wantedMicros
        : replying(caller, { now: now(), render: payoutDetail }, call =>
            createPayout(sql, call, { wantedMicros, currency, holdDays: withdrawals.holdDays }),
          );
    },
  }),
];
