/** The wallet and its top-ups as the API shows them. */
import { formatId } from '#domain/id.ts';
import { bookOf } from '#domain/money/ledger.ts';
import type { StoredWallet } from '#sql/wallet/balance.ts';
import { stateOf, type TopUpRow } from '#sql/wallet/top-ups.ts';
import { money } from '../wire/shapes.ts';
import type { TopUp, Wallet } from './schema.ts';

export function walletRecord(caller: { sandbox: boolean }, { currency, ...wallet }: StoredWallet): Wallet {
  return {
    balance: money(wallet.balanceMicros, currency),
    reserved: money(wallet.reservedMicros, currency),
    refund_pending: money(wallet.refundPendingMicros, currency),
    book: bookOf(caller),
    pending_top_ups: wallet.pending.map(topUpRecord),
  };
}

export function topUpRecord(row: TopUpRow): TopUp {
  return {
    id: formatId('top_up', row.handle),
    amount: money(row.amount_micros, row.currency),
    status: stateOf(row),
    created_at: row.created_at.toISOString(),
    credited_at: row.credited_at?.toISOString() ?? null,
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
  };
}
