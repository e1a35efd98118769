/** The bank accounts of workspaces, for the API and for the runs of payouts. */
import type { Handle } from '#domain/id.ts';
import type { Queryable, Transaction } from '#sql/postgres.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';

/** A workspace's payout accounts: the current one, and earlier ones with a payout. */
export type PayoutAccount = {
  handle: Handle<'payout_account'>;
  holder: string;
  iban: string | null;
  ibanSealed: Uint8Array | null;
  ibanMasked: string;
  bic: string | null;
  setAt: Date;
  usableFrom: Date;
};
export type NewAccount = {
  workspace: Handle<'workspace'>;
  holder: string;
  iban: string;
  ibanMasked: string;
  bic: string | null;
  usableFrom: Date;
  now: Date;
};

/** The current account; undefined where none was set. */
export async function readAccount(sql: Queryable, workspace: Handle<'workspace'>): Promise<PayoutAccount | undefined> {
  const [row] = await sql<PayoutAccount[]>`
    select handle, holder, iban, iban_sealed as "ibanSealed", iban_masked as "ibanMasked", bic, set_at as "setAt",
      usable_from as "usableFrom" from payout_accounts where workspace_handle = ${workspace} and replaced_at is null`;
  return row;
}

/** Replaces the current account. The caller has locked the workspace, as withdrawals do. */
export async function replaceAccount(
  tx: Transaction,
  sealer: Sealer,
  { workspace, holder, iban, ibanMasked, bic, usableFrom, now }: NewAccount,
): Promise<PayoutAccount> {
  await tx`
    delete from payout_accounts a where workspace_handle = ${workspace} and replaced_at is null
      and not exists (select from payouts p where p.account_handle = a.handle)`;
  await tx`update payout_accounts set replaced_at = ${now}
    where workspace_handle = ${workspace} and replaced_at is null`;
  await tx`
    insert into payout_accounts (workspace_handle, holder, iban_sealed, iban_masked, bic, set_at, usable_from)
    values (${workspace}, ${holder}, ${sealer.seal(iban, purposeOf(workspace))}, ${ibanMasked}, ${bic}, ${now},
      ${usableFrom})`;
  return (await readAccount(tx, workspace))!;
}

/** Payouts may go to the account from now on. */
export async function makeUsable(
  tx: Transaction,
  { account, now }: { account: PayoutAccount['handle']; now: Date },
): Promise<void> {
  await tx`update payout_accounts set usable_from = ${now} where handle = ${account}`;
}

type StoredAccount = { workspace: Handle<'workspace'>; iban: string | null; ibanSealed: Uint8Array | null };

/** The number of an account as it was set. @throws Fault `sealed_with_another_key` */
export function openIban(sealer: Sealer, { workspace, iban, ibanSealed }: StoredAccount): string {
  // A constraint of the table: one of them is there.
  return ibanSealed === null ? iban! : sealer.open(ibanSealed, purposeOf(workspace));
}

function purposeOf(workspace: Handle<'workspace'>): string {
  return `payout account of workspace ${workspace}`;
}
