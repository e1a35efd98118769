/** The transactions of a wallet as the API shows them, and the filter of their list. */
import { readHandle, formatId } from '#domain/id.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { parseMoment, parseRangeEnd } from '#domain/time/calendar.ts';
import {
  TRANSACTION_KINDS,
  type TransactionFilter,
  type TransactionKind,
  type TransactionRow,
} from '#sql/wallet/transactions.ts';
import { TIME_MS_MAX } from '../audit/filter.ts';
import { money } from '../wire/shapes.ts';
import type { TransactionsParameters, WalletTransaction } from './schema.ts';

export function parseTransactionFilter({ kind, from, to }: TransactionsParameters): TransactionFilter | Refusal {
  const kinds = kind === undefined ? TRANSACTION_KINDS : ([...new Set(kind.split(','))] as TransactionKind[]);
  const fromMs = from === undefined ? 0 : parseMoment(from);
  const toMs = to === undefined ? TIME_MS_MAX : parseRangeEnd(to);
  if (fromMs === undefined || toMs === undefined)
    return refuse('bad_query_parameter', 'from and to must be days or moments of the calendar.');
  return fromMs <= toMs ? { kinds, fromMs, toMs } : refuse('bad_query_parameter', 'to must not be before from.');
}

export function transactionRecord(row: TransactionRow): WalletTransaction {
  const { handle, kind, at, currency, wallet, reserved, after } = row;
  return {
    id: formatId('transaction', handle),
    kind,
    at: at.toISOString(),
    balance_change: { amount: decimalFromMicros(wallet), currency },
    reserved_change: { amount: decimalFromMicros(reserved), currency },
    balance_after: after === null ? null : money(after, currency),
    refers_to: referenceOf(row),
  };
}

function referenceOf({ reference, campaign, other, name }: TransactionRow): WalletTransaction['refers_to'] {
  if (campaign !== null) return { type: 'campaign', id: formatId('campaign', campaign), name };
  if (other !== null) return { type: 'workspace', id: formatId('workspace', other), name };
  const [, topUp] = /^(?:refund of )?top-up ([1-9][0-9]*)(?::|$)/.exec(reference) ?? [];
  return topUp === undefined
    ? null
    : { type: 'top_up', id: formatId('top_up', readHandle('top_up', topUp)), name: null };
}
