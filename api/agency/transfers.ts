/** Transfers between the wallets of an agency and its client. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { transferBetween } from '#domain/money/ledger.ts';
import { isRefusal, refuseField } from '#domain/refusal.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { Postgres } from '#sql/postgres.ts';
import { lockClient, readBalances, refuseArchived } from '#sql/workspaces/clients.ts';
import type { Caller } from '../authentication/caller.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { money } from '../wire/shapes.ts';

type Transfer = {
  client: Handle<'workspace'>;
  direction: 'to_client' | 'to_agency';
  amountMicros: Micros;
  currency: string;
  now: Milliseconds;
};

/** Moves money between the wallets of the agency and its client, of the same currency and book. */
export async function transferMoney(
  sql: Postgres,
  caller: Caller,
  { client, direction, amountMicros, currency, now }: Transfer,
) {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const row = await lockClient(unit, caller, client);
    if (isRefusal(row)) return row;
    if (row.parent_handle === null) return refuseAbsent(); // an agency is not its own client
    const archived = refuseArchived(row);
    if (archived) return archived;
    const foreign = [caller.currency, row.currency].find(own => own !== currency);
    if (foreign !== undefined)
      return refuseField(
        '/amount/currency',
        'wrong_currency',
        `must be the currency of both wallets; one has ${foreign}`,
      );
    const book = caller.sandbox ? 'sandbox' : 'live';
    const [transfer] = await unit.tx<{ handle: Handle<'transfer'> }[]>`
      insert into wallet_transfers ${unit.tx({
        agency_handle: caller.workspace,
        client_handle: client,
        user_handle: caller.actor.handle!,
        direction,
        book,
        currency,
        amount_micros: amountMicros,
        created_at: unit.now,
      })} returning handle`;
    const handle = transfer!.handle;
    const [from, to] = direction === 'to_client' ? [caller.workspace, client] : [client, caller.workspace];
    await unit.post(transferBetween({ book, currency, amountMicros, from, to, reference: `transfer ${handle}` }));
    const amount = money(amountMicros, currency);
    const entity = {
      entityType: 'transfer',
      entityHandle: handle,
      action: 'wallet.transferred',
      diff: diffOfNew({ amount, direction, client_id: formatId('workspace', client) }),
    };
    for (const workspace of [caller.workspace, client]) unit.audit({ ...entity, workspace });
    const balances = await readBalances(unit.tx, [caller.workspace, client], caller.sandbox);
    return {
      id: formatId('transfer', handle),
      client_id: formatId('workspace', client),
      direction,
      amount,
      agency_balance: money(balances.get(caller.workspace) ?? 0, currency),
      client_balance: money(balances.get(client) ?? 0, currency),
      created_at: unit.now.toISOString(),
    };
  });
}
