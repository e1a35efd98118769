import { parseBudget } from '#domain/campaign.ts';
import { isRefusal, refuseField } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, ApiParts } from '../app.ts';
import { answer } from '../error-reply.ts';
import { TopUpBody, ToppedUpWallet, WalletRecord } from './schema.ts';
import { readWallet, requestTopUp } from './store.ts';

export function walletRoutes(app: Api, { sql, now }: ApiParts): void {
  app.get('/wallet', {
    config: { access: { resource: 'wallet', verb: 'read' } },
    schema: { summary: 'Read the wallet', tags: ['Wallet'], response: { 200: WalletRecord } },
  }, async (request, reply) => answer(reply, 200, await readWallet(sql, callerOf(request))));

  app.post('/wallet/top-ups', {
    config: { access: { resource: 'wallet', verb: 'write' }, refusals: ['state_conflict'] },
    schema: { summary: 'Ask for money on the wallet; play money comes at once', tags: ['Wallet'], body: TopUpBody, response: { 201: ToppedUpWallet } },
  }, async (request, reply) => {
    const caller = callerOf(request);
    const amount = parseBudget(request.body.amount, '/amount');
    if (isRefusal(amount)) return answer(reply, 201, amount);
    if (amount.currency !== caller.currency) return answer(reply, 201, refuseField('/amount/currency', 'wrong_currency', `must be ${caller.currency}, the currency of the workspace`));
    return answer(reply, 201, await requestTopUp(sql, caller, { amountMicros: amount.budgetMicros, now: now() }));
  });
}
