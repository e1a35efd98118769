/** The bank account that payouts go to. Its number is stored encrypted and is never shown again. */
import { maskIban, parseBic, parseIban } from '#domain/money/iban.ts';
import { accountUsableFromMs } from '#domain/money/payout.ts';
import { isRefusal, refuse, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { openIban, readAccount, replaceAccount, type PayoutAccount } from '#records/payout-accounts.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfChange } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import type { Account, SetAccount } from './schema.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The account of the workspace, with its number masked. */
export async function showAccount(sql: Postgres, caller: Caller): Promise<Account | Refusal> {
  const account = caller.sandbox ? undefined : await readAccount(sql, caller.workspace);
  return account ? accountRecord(account) : refuseAbsent();
}

type AccountDependencies = { sql: Postgres; sealer: Sealer; pauseMs: Milliseconds };

/** Sets or changes the account. The same account again changes nothing, so that its pause does not start again. */
export async function setAccount(
  { sql, sealer, pauseMs }: AccountDependencies,
  caller: Caller,
  { fields, now }: { fields: SetAccount; now: Milliseconds },
): Promise<Account | Refusal> {
  if (caller.sandbox)
    return refuse(
      'state_conflict',
      'Play money is not paid out, so the sandbox has no account: set it with a live key.',
    );
  const wanted = readFields(fields);
  if (isRefusal(wanted)) return wanted;
  const { workspace } = caller;
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    await unit.tx`select from workspaces where handle = ${workspace}
      for no key update`; // as withdrawals do: one sees the old account or the new one
    const before = await readAccount(unit.tx, workspace);
    const { holder, iban, bic } = wanted;
    if (before && before.holder === holder && before.bic === bic && openIban(sealer, { workspace, ...before }) === iban)
      return accountRecord(before);
    const usableFrom = new Date(accountUsableFromMs({ isFirst: before === undefined, nowMs: now, pauseMs }));
    const after = accountRecord(
      await replaceAccount(unit.tx, sealer, {
        workspace,
        holder,
        iban,
        ibanMasked: maskIban(iban),
        bic,
        usableFrom,
        now: unit.now,
      }),
    );
    unit.audit({
      workspace,
      action: 'payout_account.updated',
      entityType: 'workspace',
      entityHandle: workspace,
      diff: diffOfChange(before ? accountRecord(before) : {}, after),
    });
    return after;
  });
}

function readFields({
  holder,
  iban,
  bic = null,
}: SetAccount): { holder: string; iban: string; bic: string | null } | Refusal {
  const [knownIban, knownBic] = [parseIban(iban), bic === null ? null : parseBic(bic)];
  const faults: FieldFault[] = [];
  if (knownIban === undefined)
    faults.push({ pointer: '/iban', code: 'bad_format', detail: 'must be an IBAN whose check digits are right' });
  if (knownBic === undefined)
    faults.push({ pointer: '/bic', code: 'bad_format', detail: 'must be a BIC of 8 or 11 characters' });
  return knownIban === undefined || knownBic === undefined
    ? refuseFields(faults)
    : { holder: holder.trim(), iban: knownIban, bic: knownBic };
}

function accountRecord({ holder, ibanMasked, bic, setAt, usableFrom }: PayoutAccount): Account {
  return { holder, iban_masked: ibanMasked, bic, set_at: setAt.toISOString(), usable_from: usableFrom.toISOString() };
}
