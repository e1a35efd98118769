/** `admin payout account` and `confirm-account`: which account the payouts of a workspace go to. */
import { formatId, type Handle } from '#domain/id.ts';
import { parseBic, parseIban } from '#domain/money/iban.ts';
import { confirmAccount, setAccount } from '#sql/payouts/accounts.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import { OPERATOR } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import type { Result } from '../program.ts';

type BankAccount = { workspace: Handle<'workspace'>; holder: string; iban: string; bic: string | undefined };

/**
 * Sets the account that a workspace's payouts go to from now on. An account that the operator sets needs no pause.
 * @throws UsageError for an invalid IBAN or BIC
 */
export async function setPayoutAccount(
  engines: { sql: Postgres; sealer: Sealer },
  now: Date,
  input: BankAccount,
): Promise<Result> {
  const { workspace, holder } = input;
  const bank = readBankAccount(input);
  const call = { actor: OPERATOR, now };
  await setAccount(engines, call, {
    workspace,
    holder,
    ...bank,
    usableFrom: () => now,
    // Only the end of the account number: readers of the audit need not know the account.
    diffOf: (before, after) => ({
      holder: { from: before?.holder ?? null, to: holder },
      iban_masked: { from: before?.ibanMasked ?? null, to: after.ibanMasked },
    }),
  });
  return { workspace_id: formatId('workspace', workspace), holder, ...bank };
}

/**
 * Ends the pause of a changed account: the operator has asked the venue.
 * @throws UsageError if there is no account
 */
export async function confirmPayoutAccount(sql: Postgres, now: Date, workspace: Handle<'workspace'>): Promise<Result> {
  const id = formatId('workspace', workspace);
  const account = await confirmAccount(sql, { actor: OPERATOR, now }, workspace);
  if (!account) throw new UsageError(`${id} has no account that payouts go to`);
  const { holder, ibanMasked, usableFrom } = account;
  return { workspace_id: id, holder, iban_masked: ibanMasked, usable_from: usableFrom.toISOString() };
}

/** @throws UsageError for an invalid IBAN or BIC */
function readBankAccount({ iban, bic }: { iban: string; bic: string | undefined }): {
  iban: string;
  bic: string | null;
} {
  const [knownIban, knownBic] = [parseIban(iban), bic === undefined ? null : parseBic(bic)];
  if (knownIban === undefined) throw new UsageError(`--iban takes an IBAN with its check digits, not '${iban}'`);
  if (knownBic === undefined) throw new UsageError(`--bic takes a BIC of 8 or 11 characters, not '${bic}'`);
  return { iban: knownIban, bic: knownBic };
}
