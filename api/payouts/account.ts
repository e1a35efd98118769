/** The bank account that payouts go to, as the API takes and shows it. Its number is never shown again. */
import { diffOfChange } from '#domain/access/audit-diff.ts';
import { parseBic, parseIban } from '#domain/money/iban.ts';
import { accountUsableFromMs } from '#domain/money/payout.ts';
import { isRefusal, refuse, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import { openIban, readAccount, setAccount, type PayoutAccount, type WantedAccount } from '#sql/payouts/accounts.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { replying } from '../idempotency/idempotency.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import type { Account, SetAccount } from './schema.ts';

/** The account of the workspace, with its number masked. */
export async function showAccount(sql: Postgres, caller: Caller): Promise<Account | Refusal> {
  const account = caller.sandbox ? undefined : await readAccount(sql, caller.workspace);
  return account ? accountRecord(account) : refuseAbsent();
}

type AccountDependencies = { sql: Postgres; sealer: Sealer; pauseMs: Milliseconds };

/** Sets or changes the account. The same account again changes nothing, so that its pause does not start again. */
export async function replaceAccount(
  engines: AccountDependencies,
  caller: Caller,
  { fields, now }: { fields: SetAccount; now: Milliseconds },
): Promise<Account | Refusal> {
  if (caller.sandbox)
    return refuse(
      'state_conflict',
      'Play money is not paid out, so the sandbox has no account: set it with a live key.',
    );
  const read = readFields(fields);
  if (isRefusal(read)) return read;
  const wanted = { ...read, workspace: caller.workspace };
  return replying(caller, { now, render: accountRecord }, call =>
    setAccount(engines, call, {
      ...wanted,
      usableFrom: before =>
        before && isSame(engines.sealer, before, wanted)
          ? undefined
          : new Date(accountUsableFromMs({ isFirst: before === undefined, nowMs: now, pauseMs: engines.pauseMs })),
      diffOf: (before, after) => diffOfChange(before ? accountRecord(before) : {}, accountRecord(after)),
    }),
  );
}

function isSame(sealer: Sealer, before: PayoutAccount, { workspace, holder, iban, bic }: WantedAccount): boolean {
  return before.holder === holder && before.bic === bic && openIban(sealer, { workspace, ...before }) === iban;
}

function readFields({
  holder,
  iban,
  bic = null,
}: SetAccount): { holder: string; iban: string; bic: string | null } | Refusal {
  const [knownIban, knownBic] = [parseIban(iban), bic === null ? null : parseBic(bic)];
  const faults: FieldFault[] = [];
  if (knownIban === undefined)
    faults.push({ pointer: '/iban', code: 'bad_format', detail: 'must be an IBAN with matching check digits' });
  if (knownBic === undefined)
    faults.push({ pointer: '/bic', code: 'bad_format', detail: 'must be a BIC of 8 or 11 characters' });
  return knownIban === undefined || knownBic === undefined
    ? refuseFields(faults)
    : { holder: holder.trim(), iban: knownIban, bic: knownBic };
}

function accountRecord({ holder, ibanMasked, bic, setAt, usableFrom }: PayoutAccount): Account {
  return { holder, iban_masked: ibanMasked, bic, set_at: setAt.toISOString(), usable_from: usableFrom.toISOString() };
}
