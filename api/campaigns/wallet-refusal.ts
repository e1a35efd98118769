/** The refusal of a booking, a submission or a raise that the wallet does not cover: it names both amounts. */
import { bookOf } from '#domain/money/ledger.ts';
import { ceilToMinor, floorToMinor, formatAmount } from '#domain/money/money.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { InsufficientFunds, readBalance } from '#books/ledger.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';

/**
 * Runs `book`. The balance is read after its rollback, so that no lock waits for the refusal. In between money may have
 * come: the balance is then that of the next attempt.
 */
export async function refusingWithAmounts<T>(
  sql: Postgres,
  caller: Caller,
  book: () => Promise<T>,
): Promise<T | Refusal> {
  try {
    return await book();
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error;
    const { workspace, currency } = caller;
    const amount = (micros: Micros) => `${formatAmount(micros, currency)} ${currency}`;
    const needed = amount(ceilToMinor(error.neededMicros, currency));
    const wallet = { kind: 'wallet', book: bookOf(caller), currency, workspace } as const;
    const balanceMicros = await readBalance(sql, wallet);
    const balance = amount(floorToMinor(balanceMicros, currency));
    return refuse('insufficient_funds', `Needs ${needed}; the wallet has ${balance}. Add money or lower the budget.`);
  }
}
