import { parseBudget } from '#domain/campaign.ts';
import { isRefusal, refuse, refuseField } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, ApiParts } from '../app.ts';
import { answer } from '../error-reply.ts';
import { TopUpBody, WalletRecord } from './schema.ts';
import { readWallet, topUpSandbox } from './store.ts';

export function walletRoutes(app: Api, { sql, now }: ApiParts): void {
  app.get('/wallet', {
    config: { access: { resource: 'wallet', verb: 'read' } },
    schema: { summary: 'Read the wallet', tags: ['Wallet'], response: { 200: WalletRecord } },
  }, async (request, reply) => answer(reply, 200, await readWallet(sql, callerOf(request))));

  app.post('/wallet/top-ups', {
    config: { access: { resource: 'wallet', verb: 'write' } },
    schema: { summary: 'Add play money to the sandbox wallet', tags: ['Wallet'], body: TopUpBody, response: { 201: WalletRecord } },
  }, async (request, reply) => {
    const caller = callerOf(request);
    const amount = parseBudget(request.body.amount, '/amount');
    if (isRefusal(amount)) return answer(reply, 201, amount);
    if (amount.currency !== caller.currency) return answer(reply, 201, refuseField('/amount/currency', 'wrong_currency', `must be ${caller.currency}, the currency of the workspace`));
    if (!caller.sandbox) return answer(reply, 201, refuse('state_conflict', 'Live money is added by the operator; only a test key adds play money here.'));
    return answer(reply, 201, await topUpSandbox(sql, caller, { amountMicros: amount.budgetMicros, now: now() }));
  });
}
