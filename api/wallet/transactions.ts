/**
 * The transactions of a wallet, newest first. Each is one posting of the ledger: on the wallet or, for a charge, on the
 * reservation of its campaign. Postings of a wallet are found by kind, those of reservations campaign by campaign.
 */
import { readHandle, formatId, type Handle } from '#domain/id.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { parseMoment, parseRangeEnd } from '#domain/time/calendar.ts';
import type { Postgres } from '#sql/postgres.ts';
import { TIME_MS_MAX } from '../audit/filter.ts';
import type { Caller } from '../authentication/caller.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { money } from '../wire/shapes.ts';
import { bookOf } from './store.ts';
import {
  TRANSACTION_KINDS,
  TRANSACTION_SORTS,
  type TransactionKind,
  type TransactionsParameters,
  type WalletTransaction,
} from './schema.ts';
import type { Milliseconds, Micros } from '#domain/unit.ts';

export type TransactionFilter = { kinds: readonly TransactionKind[]; fromMs: Milliseconds; toMs: Milliseconds };
type Row = {
  posting: number;
  handle: Handle<'transaction'>;
  kind: TransactionKind;
  reference: string;
  at: Date;
  currency: string;
  after: Micros | null;
  wallet: Micros;
  reserved: Micros;
  campaign: Handle<'campaign'> | null;
  other: Handle<'workspace'> | null;
  name: string | null;
};

export function parseTransactionFilter({ kind, from, to }: TransactionsParameters): TransactionFilter | Refusal {
  const kinds = kind === undefined ? TRANSACTION_KINDS : ([...new Set(kind.split(','))] as TransactionKind[]);
  const fromMs = from === undefined ? 0 : parseMoment(from);
  const toMs = to === undefined ? TIME_MS_MAX : parseRangeEnd(to);
  if (fromMs === undefined || toMs === undefined)
    return refuse('bad_query_parameter', 'from and to must be days or moments of the calendar.');
  return fromMs <= toMs ? { kinds, fromMs, toMs } : refuse('bad_query_parameter', 'to must not be before from.');
}

export async function listTransactions(
  sql: Postgres,
  caller: Caller,
  { page, filter: { kinds, fromMs, toMs } }: { page: Page; filter: TransactionFilter },
): Promise<List<WalletTransaction>> {
  const { workspace } = caller;
  const { behind, order } = sliceOf(sql, page, { sorts: TRANSACTION_SORTS, handle: 'p.handle' });
  const account = sql`select handle from ledger_accounts
    where workspace_handle = ${workspace} and book = ${bookOf(caller)}`;
  const direction = page.isDescending ? sql`desc` : sql`asc`;
  const within = sql`t.posted_at between ${new Date(fromMs)} and ${new Date(toMs)}`;
  const rows = await sql<Row[]>`
    with found as (
      select p.* from (${account} and kind = 'wallet') a,
        unnest(${kinds.filter(kind => kind !== 'charge')}::text[]) as k (kind), lateral (
        select p.handle, p.transaction_handle, p.balance_after_micros from ledger_postings p
        join ledger_transactions t on t.handle = p.transaction_handle
        where p.account_handle = a.handle and p.wallet_kind = k.kind and ${within} ${behind} ${order}) p
      union all
      select p.* from (${account} and kind = 'reservation' and ${kinds.includes('charge')}) a, lateral (
        select p.handle, p.transaction_handle, null::bigint from ledger_postings p
        join ledger_transactions t on t.handle = p.transaction_handle
        where p.account_handle = a.handle and t.kind = 'charge' and ${within} ${behind} ${order}) p
      order by handle ${direction} limit ${page.limit + 1}),
    booked as (select f.handle as posting, t.handle, t.kind, t.reference, t.posted_at as at, f.balance_after_micros as after,
      min(a.currency) as currency,
      coalesce(sum(p.amount_micros) filter (where a.kind = 'wallet' and a.workspace_handle = ${workspace}),
        0)::bigint as wallet,
      coalesce(sum(p.amount_micros) filter (where a.kind = 'reservation' and a.workspace_handle = ${workspace}),
        0)::bigint as reserved,
      max(a.campaign_handle) as campaign, max(a.workspace_handle) filter (where a.workspace_handle <> ${workspace}) as
        other
    from found f join ledger_transactions t on t.handle = f.transaction_handle
    join ledger_postings p on p.transaction_handle = t.handle join ledger_accounts a on a.handle = p.account_handle
    group by f.handle, t.handle, t.kind, t.reference, t.posted_at, f.balance_after_micros)
    select b.*, coalesce(c.name, w.name) as name from booked b
    left join campaigns c on c.handle = b.campaign left join workspaces w on w.handle = b.other
    order by b.posting ${direction}`;
  return envelope(rows, page, { positionOf: row => String(row.posting), recordOf: transactionRecord });
}

function transactionRecord(row: Row): WalletTransaction {
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

function referenceOf({ reference, campaign, other, name }: Row): WalletTransaction['refers_to'] {
  if (campaign !== null) return { type: 'campaign', id: formatId('campaign', campaign), name };
  if (other !== null) return { type: 'workspace', id: formatId('workspace', other), name };
  const [, topUp] = /^(?:refund of )?top-up ([1-9][0-9]*)(?::|$)/.exec(reference) ?? [];
  return topUp === undefined
    ? null
    : { type: 'top_up', id: formatId('top_up', readHandle('top_up', topUp)), name: null };
}
