import type { Transaction } from './postgres.ts';

/**
 * Writes movements of money. A transaction's postings sum to zero (a constraint of the database), a reference posts once,
 * and balances are kept by a trigger; rows are only ever added.
 */
type AccountRef = {
  kind: 'funding' | 'wallet' | 'reservation' | 'revenue' | 'discount' | 'credit' | 'commission' | 'earnings' | 'payout' | 'fee';
  book: 'live' | 'sandbox';
  currency: string;
  workspace?: number;
  campaign?: number;
};
export type LedgerEntry = {
  kind: 'top_up' | 'reserve' | 'refund' | 'charge' | 'transfer' | 'discount' | 'credit' | 'earning' | 'earning_reversed' | 'payout_issued' | 'payout_paid' | 'payout_failed';
  reference: string;
  postings: readonly { account: AccountRef; amountMicros: number }[];
};

/** Thrown out of a unit of work by `post` when a wallet, a reservation or earnings do not hold enough. */
export class InsufficientFunds extends Error {
  constructor() {
    super('the account does not hold enough');
    this.name = 'InsufficientFunds';
  }
}

const CHECK_VIOLATION = '23514';

/**
 * Posts entries with different references, all in a handful of statements. Answers the references that were not posted before.
 * @throws InsufficientFunds when an account falls below zero that must not
 */
export async function postEntries(tx: Transaction, entries: readonly LedgerEntry[], now: Date): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const made = await tx<{ handle: number; reference: string }[]>`
    insert into ledger_transactions (kind, reference, posted_at)
    select kind, reference, ${now} from unnest(${entries.map(entry => entry.kind)}::text[], ${entries.map(entry => entry.reference)}::text[]) as entry (kind, reference)
    on conflict (reference) do nothing returning handle, reference`;
  const transactions = new Map(made.map(row => [row.reference, row.handle]));
  const fresh = entries.filter(entry => transactions.has(entry.reference));
  const accounts = await accountHandles(tx, fresh.flatMap(entry => entry.postings.map(posting => posting.account)));
  const rows = fresh.flatMap(({ reference, postings }) => postings.filter(posting => posting.amountMicros !== 0).map(({ account, amountMicros }) => ({
    transaction_handle: transactions.get(reference)!, account_handle: accounts.get(nameOf(account))!, amount_micros: amountMicros,
  })));
  // Always in the order of the accounts, so that two transactions never wait for each other.
  await insertPostings(tx, rows.sort((a, b) => a.account_handle - b.account_handle));
  return new Set(transactions.keys());
}

type PostingRow = { transaction_handle: number; account_handle: number; amount_micros: number };

async function insertPostings(tx: Transaction, rows: readonly PostingRow[]): Promise<void> {
  if (rows.length === 0) return;
  try {
    await tx`
      insert into ledger_postings (transaction_handle, account_handle, amount_micros)
      select * from unnest(${rows.map(row => row.transaction_handle)}::bigint[], ${rows.map(row => row.account_handle)}::bigint[], ${rows.map(row => row.amount_micros)}::bigint[])`;
  } catch (error) {
    if ((error as { code?: string }).code === CHECK_VIOLATION) throw new InsufficientFunds();
    throw error;
  }
}

/** As the generated column of the table spells it. */
function nameOf({ kind, book, currency, workspace = 0, campaign = 0 }: AccountRef): string {
  return `${kind}:${book}:${currency}:${workspace}:${campaign}`;
}

/** Handles of accounts by their names; those that are not there yet are opened. */
async function accountHandles(tx: Transaction, refs: readonly AccountRef[]): Promise<Map<string, number>> {
  const accounts = new Map(refs.map(ref => [nameOf(ref), ref]));
  const found = await findAccounts(tx, [...accounts.keys()]);
  const missing = [...accounts].filter(([name]) => !found.has(name));
  if (missing.length === 0) return found;
  // In the order of their names, so that two transactions that open the same accounts never wait for each other.
  const rows = missing.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ref]) => ref);
  await tx`
    insert into ledger_accounts (kind, book, currency, workspace_handle, campaign_handle)
    select * from unnest(${rows.map(ref => ref.kind)}::text[], ${rows.map(ref => ref.book)}::text[], ${rows.map(ref => ref.currency)}::text[],
      ${rows.map(ref => ref.workspace ?? null)}::bigint[], ${rows.map(ref => ref.campaign ?? null)}::bigint[]) on conflict do nothing`;
  return findAccounts(tx, [...accounts.keys()]);
}

async function findAccounts(tx: Transaction, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx<{ name: string; handle: number }[]>`select name, handle from ledger_accounts where name = any(${[...names]}::text[])`;
  return new Map(rows.map(row => [row.name, row.handle]));
}
