/** Transfers between the wallets of an agency and its client. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { bookOf, transferBetween } from '#domain/money/ledger.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { isRefusal, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { inUnitOfWork, type Call } from '#books/unit-of-work.ts';
import type { Postgres } from '#sql/postgres.ts';
import { lockClient, readBalances, refuseArchived } from '#sql/workspaces/clients.ts';
import { refuseFullWallet } from './balance.ts';
import { refusingWithAmounts } from './lacking-funds.ts';

export type Transfer = {
  client: Handle<'workspace'>;
  direction: 'to_client' | 'to_agency';
  amountMicros: Micros;
  currency: string;
};
/** A transfer that was made, and both balances after it. */
export type MadeTransfer = { handle: Handle<'transfer'>; at: Date; agencyMicros: Micros; clientMicros: Micros };

/** Moves money between the wallets of the agency and its client, of the same currency and book. */
export async function transferMoney(
  sql: Postgres,
  call: Call & { currency: string },
  transfer: Transfer,
): Promise<MadeTransfer | Refusal> {
  const { client, direction, currency } = transfer;
  const workspace = direction === 'to_client' ? call.workspace : client;
  const payer = { workspace, sandbox: call.sandbox, currency };
  return refusingWithAmounts(sql, { payer, lower: 'the amount' }, () => bookTransfer(sql, call, transfer));
}

/** @throws InsufficientFunds when the wallet that pays does not cover the amount */
async function bookTransfer(
  sql: Postgres,
  call: Call & { currency: string },
  { client, direction, amountMicros, currency }: Transfer,
): Promise<MadeTransfer | Refusal> {
  const { workspace: agency } = call;
  return inUnitOfWork<MadeTransfer | Refusal>(sql, call, async unit => {
    const row = await lockClient(unit, call, client);
    if (isRefusal(row)) return row;
    if (row.parent_handle === null) return refuseAbsent(); // an agency is not its own client
    const archived = refuseArchived(row);
    if (archived) return archived;
    const foreign = [call.currency, row.currency].find(own => own !== currency);
    if (foreign !== undefined)
      return refuseField(
        '/amount/currency',
        'wrong_currency',
        `must be the currency of both wallets; one has ${foreign}`,
      );
    const book = bookOf(call);
    const [from, to] = direction === 'to_client' ? [agency, client] : [client, agency];
    const full = await refuseFullWallet(unit, { book, currency, workspace: to, amountMicros });
    if (full) return full;
    const [transfer] = await unit.tx<{ handle: Handle<'transfer'> }[]>`
      insert into wallet_transfers ${unit.tx({
        agency_handle: agency,
        client_handle: client,
        user_handle: call.actor.handle!,
        direction,
        book,
        currency,
        amount_micros: amountMicros,
        created_at: unit.now,
      })} returning handle`;
    const { handle } = transfer!;
    await unit.post(transferBetween({ book, currency, amountMicros, from, to, reference: `transfer ${handle}` }));
    const amount = { amount: decimalFromMicros(amountMicros), currency };
    const entity = {
      entityType: 'transfer',
      entityHandle: handle,
      action: 'wallet.transferred',
      diff: diffOfNew({ amount, direction, client_id: formatId('workspace', client) }),
    };
    for (const workspace of [agency, client]) unit.audit({ ...entity, workspace });
    const balances = await readBalances(unit.tx, [agency, client], call.sandbox);
    return { handle, at: unit.now, agencyMicros: balances.get(agency) ?? 0, clientMicros: balances.get(client) ?? 0 };
  });
}
