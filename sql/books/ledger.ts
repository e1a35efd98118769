/**
 * Writes movements of money. The postings of an entry sum to zero (a constraint of the database), an entry's reference
 * is posted only once, and balances are kept by a trigger. Rows are only ever added.
 */
import { NO_HANDLE } from '#domain/id.ts';
import { jsonb, type Queryable, type Transaction } from '#sql/postgres.ts';
import type { AccountRef, LedgerTransaction } from '#domain/money/ledger.ts';
import type { Micros } from '#domain/unit.ts';

/** Thrown out of a unit of work by `post` when a wallet, a reservation or earnings do not hold enough. */
export class InsufficientFunds extends Error {
  /** The debit of wallets by the entries that were not posted. */
  readonly neededMicros: Micros;

  constructor(entries: readonly LedgerTransaction[]) {
    super('the account does not hold enough');
    this.name = 'InsufficientFunds';
    const debits = entries
      .flatMap(({ postings }) => postings)
      .filter(({ account, amountMicros }) => account.kind === 'wallet' && amountMicros < 0);
    this.neededMicros = debits.reduce((sum, { amountMicros }) => sum - amountMicros, 0);
  }
}

const OVERDRAWN = 'ledger_accounts_not_overdrawn_check';

/**
 * Posts entries with different references, all in one statement. Answers the references that were not posted before.
 * @throws InsufficientFunds when an account that must not be overdrawn would fall below zero
 */
export async function postEntries(
  tx: Transaction,
  entries: readonly LedgerTransaction[],
  now: Date,
): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  try {
    const { entries: named, postings } = postingsOf(entries);
    const [made] = await tx<{ references: string[] }[]>`
      select post_entries(${jsonb(tx, named)}, ${jsonb(tx, postings)}, ${now}) as references`;
    return new Set(made!.references);
  } catch (error) {
    throw isOverdrawn(error) ? new InsufficientFunds(entries) : error;
  }
}

/** The balance of an account; 0 if nothing was ever posted on it. */
export async function readBalance(sql: Queryable, account: AccountRef): Promise<Micros> {
  const [row] = await sql<{ balance_micros: Micros }[]>`
    select balance_micros from ledger_accounts where name = ${nameOf(account)}`;
  return row?.balance_micros ?? 0;
}

/** Whether a statement failed because an account that must not be overdrawn would fall below zero. */
export function isOverdrawn(error: unknown): boolean {
  return (error as { constraint_name?: string }).constraint_name === OVERDRAWN;
}

/** Entries and their postings as the function `post_entries` takes them. */
export function postingsOf(entries: readonly LedgerTransaction[]) {
  return {
    entries: entries.map(({ kind, reference }) => ({ kind, reference })),
    postings: entries.flatMap(({ reference, postings }) =>
      postings.map(({ account, amountMicros }) => ({
        reference,
        name: nameOf(account),
        ...account,
        amount: amountMicros,
      })),
    ),
  };
}

/** An account's name, in the form of the table's generated column. */
function nameOf({ kind, book, currency, workspace = NO_HANDLE, campaign = NO_HANDLE }: AccountRef): string {
  return `${kind}:${book}:${currency}:${workspace}:${campaign}`;
}
