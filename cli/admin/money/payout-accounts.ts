/** `admin payout account` and `confirm-account`: which account the payouts of a workspace go to. */
import { inUnitOfWork } from '#books/unit-of-work.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { maskIban, parseBic, parseIban } from '#domain/money/iban.ts';
import { makeUsable, readAccount, replaceAccount } from '#records/payout-accounts.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import { OPERATOR } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';

type BankAccount = { workspace: Handle<'workspace'>; holder: string; iban: string; bic: string | undefined };

/**
 * Sets the account that a workspace's payouts go to from now on. An account that the operator sets needs no pause.
 * @throws UsageError for an invalid IBAN or BIC, or an unknown workspace
 */
export async function setPayoutAccount(
  { sql, sealer }: { sql: Postgres; sealer: Sealer },
  now: Date,
  input: BankAccount,
): Promise<Record<string, unknown>> {
  const { workspace, holder } = input;
  const { iban, bic } = readBankAccount(input);
  const ibanMasked = maskIban(iban);
  await inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    await unit.tx`select from workspaces where handle = ${workspace} for no key update`;
    const before = await readAccount(unit.tx, workspace);
    await replaceAccount(unit.tx, sealer, { workspace, holder, iban, ibanMasked, bic, usableFrom: now, now });
    // Only the end of the account number: readers of the audit need not know the account.
    unit.audit({
      workspace,
      action: 'payout_account.updated',
      entityType: 'workspace',
      entityHandle: workspace,
      diff: {
        holder: { from: before?.holder ?? null, to: holder },
        iban_masked: { from: before?.ibanMasked ?? null, to: ibanMasked },
      },
    });
  });
  return { workspace_id: formatId('workspace', workspace), holder, iban, bic };
}

/**
 * Ends the pause of a changed account: the operator has asked the venue.
 * @throws UsageError if there is no account
 */
export async function confirmPayoutAccount(
  sql: Postgres,
  now: Date,
  workspace: Handle<'workspace'>,
): Promise<Record<string, unknown>> {
  return inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    await unit.tx`select from workspaces where handle = ${workspace} for no key update`;
    const account = await readAccount(unit.tx, workspace);
    if (!account) throw new UsageError(`${formatId('workspace', workspace)} has no account that payouts go to`);
    const { handle, holder, ibanMasked, usableFrom } = account;
    const from = usableFrom > now ? now : usableFrom;
    if (usableFrom > now) {
      await makeUsable(unit.tx, { account: handle, now });
      unit.audit({
        workspace,
        action: 'payout_account.confirmed',
        entityType: 'workspace',
        entityHandle: workspace,
        diff: { usable_from: { from: usableFrom, to: now }, iban_masked: { from: ibanMasked, to: ibanMasked } },
      });
    }
    return {
      workspace_id: formatId('workspace', workspace),
      holder,
      iban_masked: ibanMasked,
      usable_from: from.toISOString(),
    };
  });
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
