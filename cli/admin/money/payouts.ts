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
  const payout = program.command('payout').description('payouts to venues');
  payout
    .command('account')
    .description('set the payout account of a workspace')
    .requiredOption('--workspace <id>', 'id of the workspace', idOf('workspace'))
    .requiredOption('--name <holder>', 'account holder', text)
    .requiredOption('--iban <iban>', 'IBAN of the account', text)
    .option('--bic <bic>', 'BIC of the bank')
    .action(
      run(async ({ sql, sealer }, { workspace, name: holder, iban, bic }) => {
        await assertWorkspace(sql, workspace);
        return setPayoutAccount({ sql, sealer }, new Date(), { workspace, holder, iban, bic });
      }),
    );
  payout
    .command('confirm-account')
    .description('lift the hold on a changed account')
    .requiredOption('--workspace <id>', 'id of the workspace', idOf('workspace'))
    .action(
      run(async ({ sql }, { workspace }) => {
        await assertWorkspace(sql, workspace);
        return confirmPayoutAccount(sql, new Date(), workspace);
      }),
    );
  payout
    .command('settle')
    .description('record the outcome of a payout')
    .argument('<payout>', 'id of the payout', idOf('payout'))
    .addOption(
      new Option('--outcome <outcome>', 'outcome at the bank').choices(['paid', 'failed']).makeOptionMandatory(),
    )
    .option('--reference <text>', 'bank reference for the audit log', paymentReference)
    .action(run(({ sql }, handle, options) => recordOutcome(sql, new Date(), { payout: handle, ...options })));
  payout
    .command('bank-file')
    .description('write a bank file (pain.001) of the pending payouts')
    .requiredOption('--out <file>', 'path of the new file', text)
    .option('--message-id <id>', 'repeat the file of this id')
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
