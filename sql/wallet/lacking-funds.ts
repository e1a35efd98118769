/** The refusal of an amount that a wallet does not cover: it names both amounts. */
import type { Handle } from '#domain/id.ts';
import { bookOf } from '#domain/money/ledger.ts';
import { refuseFunds } from '#domain/money/money.ts';
import type { Refusal } from '#domain/refusal.ts';
import { InsufficientFunds, readBalance } from '#books/ledger.ts';
import type { Postgres } from '#sql/postgres.ts';

type Payer = { workspace: Handle<'workspace'>; sandbox: boolean; currency: string };

/**
 * Runs `book`. The balance is read after its rollback, so that no lock waits for the refusal. In between money may have
 * come: the balance is then that of the next attempt.
 *
 * @param lower what may be lowered instead: the budget
 */
export async function refusingWithAmounts<T>(
  sql: Postgres,
  { payer, lower }: { payer: Payer; lower: string },
  book: () => Promise<T>,
): Promise<T | Refusal> {
  try {
    return await book();
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error;
    const { workspace, currency } = payer;
    const wallet = { kind: 'wallet', book: bookOf(payer), currency, workspace } as const;
    const funds = { neededMicros: error.neededMicros, availableMicros: await readBalance(sql, wallet), currency };
    return refuseFunds(funds, balance => `the wallet has ${balance}. Add money or lower ${lower}.`);
  }
}
