/**
 * `admin payout`: the accounts that payouts go to, the file of payouts for the bank, and what the bank answered to
 * each. A failed payout goes back to the earnings that it came from. Each change is audited as the operator's.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { formatId, type Handle } from '#domain/id.ts';
import { HOLD_DAYS_MAX } from '#domain/money/earnings-hold.ts';
import { replaceDurably } from '#runtime/durable-file.ts';
import { changeSetting } from '#sql/workspaces/operator.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import { PAYOUTS_PER_FILE_MAX } from '#sql/payouts/bank-files.ts';
import { drawAgain, unansweredFiles, writeNewFile } from '../../../api/operator/payouts/bank-files.ts';
import { settlePayout } from '#sql/payouts/settling.ts';
import { OPERATOR, wanted } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import { assertWorkspace, idOf, paymentReference, text } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';
import { confirmPayoutAccount, setPayoutAccount } from './payout-accounts.ts';

export function declarePayoutCommands(program: CommandUnknownOpts, run: Runner): void {
  const payout = program.command('payout').description('money that goes to venues');
  payout
    .command('account')
    .description('set the account for the payouts of a workspace')
    .requiredOption('--workspace <id>', 'whose payouts', idOf('workspace'))
    .requiredOption('--name <holder>', 'holder of the account', text)
    .requiredOption('--iban <iban>', 'number of the account', text)
    .option('--bic <bic>', 'its bank')
    .action(
      run(async ({ sql, sealer }, { workspace, name: holder, iban, bic }) => {
        await assertWorkspace(sql, workspace);
        return setPayoutAccount({ sql, sealer }, new Date(), { workspace, holder, iban, bic });
      }),
    );
  payout
    .command('confirm-account')
    .description('end the pause that follows a change of the account')
    .requiredOption('--workspace <id>', 'whose account', idOf('workspace'))
    .action(
      run(async ({ sql }, { workspace }) => {
        await assertWorkspace(sql, workspace);
        return confirmPayoutAccount(sql, new Date(), workspace);
      }),
    );
  payout
    .command('settle')
    .description('record the answer of the bank to a payout')
    .argument('<payout>', 'its id', idOf('payout'))
    .addOption(new Option('--outcome <outcome>', 'the answer').choices(['paid', 'failed']).makeOptionMandatory())
    .option('--reference <text>', "the bank's reference of the transfer, for the audit log", paymentReference)
    .action(run(({ sql }, handle, options) => recordOutcome(sql, new Date(), { payout: handle, ...options })));
  payout
    .command('bank-file')
    .description('write the pending payouts into a file for the bank (pain.001)')
    .requiredOption('--out <file>', 'where to', text)
    .option('--message-id <id>', 'write the file of this id again')
    .action(
      run(({ sql, sealer }, { out: path, messageId: id }) => writeBankFile({ sql, sealer }, new Date(), { path, id })),
    );
}

type Outcome = { payout: Handle<'payout'>; outcome: 'paid' | 'failed'; reference?: string | undefined };

/**
 * Records the bank's answer.
 * @throws UsageError if there is no such payout, or it has an answer already
 */
export async function recordOutcome(
  sql: Postgres,
  now: Date,
  { payout, outcome, reference }: Outcome,
): Promise<Result> {
  const given = { payout, outcome, ...(reference !== undefined && { reference }) };
  const settled = await settlePayout(sql, { actor: OPERATOR, now }, given);
  return wanted(settled, `There is no payout ${formatId('payout', payout)}`);
}

/**
 * Sets for how many days the earnings of a workspace are held. `default` means as long as the installation's own
 * setting.
 * @throws UsageError for a number that is not allowed
 */
export async function setHoldDays(
  sql: Postgres,
  now: Date,
  { workspace, days }: { workspace: Handle<'workspace'>; days: string },
): Promise<Result> {
  const stored = days === 'default' ? null : Number(days);
  if (stored !== null && !(/^\d+$/.test(days) && stored <= HOLD_DAYS_MAX))
    throw new UsageError(`--earnings-hold-days takes 0 to ${HOLD_DAYS_MAX}, or default, not '${days}'`);
  const id = formatId('workspace', workspace);
  const call = { actor: OPERATOR, now };
  const set = await changeSetting(sql, call, { workspace, name: 'earnings_hold_days', value: stored });
  wanted(set, `There is no workspace ${id}`);
  return { id, earnings_hold_days: stored ?? 'default' };
}

type BankOrder = { path: string; id: string | undefined };

/**
 * Writes the waiting payouts into a file for the bank. With `id`, an earlier file is written again, in case it was lost
 * on the way to the bank.
 * @throws UsageError if the file cannot be written, or `id` names none
 */
export async function writeBankFile(
  engines: { sql: Postgres; sealer: Sealer },
  now: Date,
  { path, id }: BankOrder,
): Promise<Result> {
  await assertWritable(path);
  const written = await (id === undefined
    ? writeNewFile(engines, { actor: OPERATOR, now }, { payoutsMax: PAYOUTS_PER_FILE_MAX })
    : drawAgain(engines, { id, now }));
  const drawn = wanted(written, `--message-id: no payout of a file ${id} waits for the bank's answer`);
  const waiting = drawn.waiting.map(workspace => formatId('workspace', workspace));
  if (drawn.payments.length === 0)
    return { file: null, payouts: [], without_account: waiting, unanswered: await unanswered(engines.sql) };
  try {
    replaceDurably({ path: resolve(path), text: drawn.xml, mode: 0o600 });
  } catch (error) {
    throw new UsageError(
      `${path} was not written (${(error as Error).message}). Its payouts are taken: write the file again with --message-id ${drawn.id} and another --out.`,
    );
  }
  return {
    file: path,
    message_id: drawn.id,
    payouts: drawn.payments.map(({ payout }) => formatId('payout', payout)),
    without_account: waiting,
  };
}

async function unanswered(sql: Postgres): Promise<{ message_id: string; payouts: number }[]> {
  return (await unansweredFiles(sql)).map(({ message_id, payouts }) => ({ message_id, payouts }));
}

/** Before payouts are taken: a slip of the name must not take them. */
async function assertWritable(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  await access(folder, constants.W_OK).catch((error: unknown) => {
    throw new UsageError(
      `--out takes a file in a folder that can be written, not ${path}: ${(error as Error).message}`,
    );
  });
}
