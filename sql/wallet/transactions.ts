/**
 * The transactions of a wallet. Each is one posting of the ledger: on the wallet or, for a charge, on the reservation
 * of its campaign. Postings of a wallet are found by kind, those of reservations campaign by campaign.
 */
import type { Handle } from '#domain/id.ts';
import { bookOf } from '#domain/money/ledger.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import type { PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres } from '#sql/postgres.ts';

/** All but `charge` change the balance of the wallet. */
export const TRANSACTION_KINDS = [
  'top_up',
  'top_up_refunded',
  'reserve',
  'refund',
  'charge',
  'discount',
  'credit',
  'transfer',
] as const;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];
export const TRANSACTION_SORTS = { at: 'handle' } as const;

export type TransactionFilter = { kinds: readonly TransactionKind[]; fromMs: Milliseconds; toMs: Milliseconds };
export type TransactionRow = {
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

/** A page of the transactions of a wallet. */
export async function listTransactions(
  sql: Postgres,
  owner: Owner,
  { page, filter: { kinds, fromMs, toMs } }: { page: PageOrder; filter: TransactionFilter },
): Promise<TransactionRow[]> {
  const { workspace } = owner;
  const { behind, order } = sliceOf(sql, page, { sorts: TRANSACTION_SORTS, handle: 'p.handle' });
  const account = sql`select handle from ledger_accounts
    where workspace_handle = ${workspace} and book = ${bookOf(owner)}`;
  const direction = page.isDescending ? sql`desc` : sql`asc`;
  const within = sql`t.posted_at between ${new Date(fromMs)} and ${new Date(toMs)}`;
  return sql<TransactionRow[]>`
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
}
