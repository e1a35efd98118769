/** The bank accounts that payouts go to. Their numbers are stored encrypted. Withdrawals lock the workspace as well. */
import type { Diff } from '#domain/access/audit-diff.ts';
import type { Handle } from '#domain/id.ts';
import { maskIban } from '#domain/money/iban.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';

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
/** The current account; undefined where none was set. */
export async function readAccount(sql: Queryable, workspace: Handle<'workspace'>): Promise<PayoutAccount | undefined> {
  const [row] = await sql<PayoutAccount[]>`
    select handle, holder, iban, iban_sealed as "ibanSealed", iban_masked as "ibanMasked", bic, set_at as "setAt",
      usable_from as "usableFrom" from payout_accounts where workspace_handle = ${workspace} and replaced_at is null`;
  return row;
}

export type WantedAccount = { workspace: Handle<'workspace'>; holder: string; iban: string; bic: string | null };
type SettingAccount = WantedAccount & {
  /** From when withdrawals may go to it; undefined leaves the account as it is. */
  usableFrom: (before: PayoutAccount | undefined) => Date | undefined;
  diffOf: (before: PayoutAccount | undefined, after: PayoutAccount) => Diff;
};

/** Sets or replaces the account of a workspace. */
export async function setAccount(
  { sql, sealer }: { sql: Postgres; sealer: Sealer },
  call: UnitOptions,
  { usableFrom, diffOf, ...wanted }: SettingAccount,
): Promise<PayoutAccount> {
  const { workspace } = wanted;
  return inUnitOfWork(sql, call, async unit => {
    await lockWorkspace(unit, workspace);
    const before = await readAccount(unit.tx, workspace);
    const from = usableFrom(before);
    if (before && !from) return before;
    const after = await replaceAccount(unit, sealer, { ...wanted, usableFrom: from! });
    const diff = diffOf(before, after);
    unit.audit({ workspace, action: 'payout_account.updated', entityType: 'workspace', entityHandle: workspace, diff });
    return after;
  });
}

async function lockWorkspace({ tx }: Unit, workspace: Handle<'workspace'>): Promise<void> {
  await tx`select from workspaces where handle = ${workspace} for no key update`;
}

/** Replaces the account; the one before stays with its payouts. The caller has locked the workspace. */
export async function replaceAccount(
  { tx, now }: Pick<Unit, 'tx' | 'now'>,
  sealer: Sealer,
  { workspace, holder, iban, bic, usableFrom }: WantedAccount & { usableFrom: Date },
): Promise<PayoutAccount> {
  await tx`
    delete from payout_accounts a where workspace_handle = ${workspace} and replaced_at is null
      and not exists (select from payouts p where p.account_handle = a.handle)`;
  await tx`update payout_accounts set replaced_at = ${now}
    where workspace_handle = ${workspace} and replaced_at is null`;
  await tx`
    insert into payout_accounts (workspace_handle, holder, iban_sealed, iban_masked, bic, set_at, usable_from)
    values (${workspace}, ${holder}, ${sealer.seal(iban, purposeOf(workspace))}, ${maskIban(iban)}, ${bic}, ${now},
      ${usableFrom})`;
  return (await readAccount(tx, workspace))!;
}

/** Ends the pause of a changed account. Returns the account as it is then; undefined if there is none. */
export async function confirmAccount(
  sql: Postgres,
  call: UnitOptions,
  workspace: Handle<'workspace'>,
): Promise<PayoutAccount | undefined> {
  return inUnitOfWork(sql, call, async unit => {
    const { tx, now } = unit;
    await lockWorkspace(unit, workspace);
    const account = await readAccount(tx, workspace);
    if (!account || account.usableFrom <= now) return account;
    await tx`update payout_accounts set usable_from = ${now} where handle = ${account.handle}`;
    const { ibanMasked, usableFrom } = account;
    unit.audit({
      workspace,
      action: 'payout_account.confirmed',
      entityType: 'workspace',
      entityHandle: workspace,
      diff: { usable_from: { from: usableFrom, to: now }, iban_masked: { from: ibanMasked, to: ibanMasked } },
    });
    return { ...account, usableFrom: now };
  });
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
