/**
 * `admin payout`: the accounts that payouts go to, the file of payouts for the bank, and what the bank answered to
 * each. A failed payout goes back to the earnings that it came from. Each change is audited as the operator's.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { randomBytes } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { HOLD_DAYS_MAX } from '#domain/money/earnings-hold.ts';
import { formatSelfBilledNumber } from '#domain/money/invoice.ts';
import { failPayout, payPayout } from '#domain/money/ledger.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { settlePayout, type PayoutState } from '#domain/money/payout.ts';
import { isRefusal } from '#domain/refusal.ts';
import { openIban } from '#records/payout-accounts.ts';
import { holdTakenOut } from '#records/traffic-findings.ts';
import { issueSelfBilled } from '#sql/invoices/self-billed-invoices.ts';
import { replaceDurably } from '#runtime/durable-file.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import { OPERATOR } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import { assertWorkspace, idOf, text } from '../parsers.ts';
import type { Runner } from '../program.ts';
import { confirmPayoutAccount, setPayoutAccount } from './payout-accounts.ts';
import { drawBankFile, type BankParty, type BankPayment } from './bank-file.ts';
import type { Micros } from '#domain/unit.ts';

/** A file of this size is taken by banks, and a person can still look through it. */
const PAYOUTS_PER_FILE_MAX = 10_000;
/** More than a bank leaves unanswered for long; the newest are listed. */
const FILES_LISTED_MAX = 50;

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
    .action(run(({ sql }, handle, { outcome }) => recordOutcome(sql, new Date(), { payout: handle, outcome })));
  payout
    .command('bank-file')
    .description('write the pending payouts into a file for the bank (pain.001)')
    .requiredOption('--out <file>', 'where to', text)
    .option('--message-id <id>', 'write the file of this id again')
    .action(
      run(({ sql, sealer }, { out: path, messageId: id }) => writeBankFile({ sql, sealer }, new Date(), { path, id })),
    );
}

type PayoutRow = {
  handle: Handle<'payout'>;
  workspace_handle: Handle<'workspace'>;
  currency: string;
  status: PayoutState;
  amount_micros: Micros;
  fee_micros: Micros;
};

/**
 * Records what the bank answered. Money of a failed payout goes back to the earnings it came from. A paid one gets its
 * self-billed invoice, if its workspace has agreed to that.
 * @throws UsageError for a payout that has an answer already
 */
export async function recordOutcome(
  sql: Postgres,
  now: Date,
  { payout, outcome }: { payout: Handle<'payout'>; outcome: 'paid' | 'failed' },
): Promise<Record<string, unknown>> {
  const id = formatId('payout', payout);
  const number = await inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    const row = await lockPayout(unit.tx, payout);
    if (!row) throw new UsageError(`There is no payout ${id}`);
    const status = settlePayout(row.status, outcome);
    if (isRefusal(status)) throw new UsageError(status.detail);
    const { workspace_handle: workspace, currency, amount_micros: amountMicros, fee_micros: feeMicros } = row;
    await unit.tx`update payouts set status = ${status}, settled_at = ${now} where handle = ${payout}`;
    if (outcome === 'failed') await returnEarnings(unit.tx, payout);
    const movement = {
      book: 'live',
      currency,
      workspace,
      amountMicros,
      feeMicros,
      reference: `payout:${payout}:${outcome}`,
    } as const;
    await unit.post(outcome === 'paid' ? payPayout(movement) : failPayout(movement));
    const document =
      outcome === 'paid' ? await issueSelfBilled(unit, { payout, workspace, currency, amountMicros }) : undefined;
    const number = document && formatSelfBilledNumber(document);
    const entity = { workspace, entityType: 'payout', entityHandle: payout };
    unit.audit({
      ...entity,
      action: `payout.${outcome}`,
      diff: {
        status: { from: row.status, to: status },
        ...(number !== undefined && { self_billed_invoice: { from: null, to: number } }),
      },
    });
    unit.emit({
      ...entity,
      type: `payout.${outcome}`,
      payload: {
        object: { id, status, amount: { value: decimalFromMicros(amountMicros), currency } },
        previous: { status: row.status },
      },
    });
    return number;
  });
  return { id, status: outcome, ...(number !== undefined && { self_billed_invoice: number }) };
}

/** Locks the workspace before the payout, as withdrawals do. */
async function lockPayout(tx: Unit['tx'], payout: number): Promise<PayoutRow | undefined> {
  await tx`select from workspaces where handle = (select workspace_handle from payouts where handle = ${payout})
    for no key update`;
  const [row] = await tx<
    PayoutRow[]
  >`select handle, workspace_handle, currency, status, amount_micros, fee_micros from payouts where handle = ${payout}
    for update`;
  return row;
}

/** Gives the earnings of a payout back, in the order in which all who change earnings lock them. */
async function returnEarnings(tx: Unit['tx'], payout: Handle<'payout'>): Promise<void> {
  await tx`select from venue_earnings where handle in (select earning_handle from payout_lines
      where payout_handle = ${payout})
    order by venue_handle, currency, sandbox, day, tier, share_millionths for update`;
  await tx`
    update venue_earnings as e set withdrawn_plays = withdrawn_plays - l.plays,
      withdrawn_impressions_thousandths = withdrawn_impressions_thousandths - l.impressions_thousandths,
      withdrawn_gross_micros = withdrawn_gross_micros - l.gross_micros,
        withdrawn_micros = withdrawn_micros - l.earned_micros
    from payout_lines l where l.payout_handle = ${payout} and e.handle = l.earning_handle`;
  await holdTakenOut(tx, payout);
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
): Promise<Record<string, unknown>> {
  const stored = days === 'default' ? null : Number(days);
  if (stored !== null && !(/^\d+$/.test(days) && stored <= HOLD_DAYS_MAX))
    throw new UsageError(`--earnings-hold-days takes 0 to ${HOLD_DAYS_MAX}, or default, not '${days}'`);
  const id = formatId('workspace', workspace);
  await inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    const [row] = await unit.tx<
      { days: number | null }[]
    >`select earnings_hold_days as days from workspaces where handle = ${workspace} for update`;
    if (!row) throw new UsageError(`There is no workspace ${id}`);
    if (row.days === stored) return;
    await unit.tx`update workspaces set earnings_hold_days = ${stored} where handle = ${workspace}`;
    unit.audit({
      workspace,
      action: 'workspace.updated',
      entityType: 'workspace',
      entityHandle: workspace,
      diff: { earnings_hold_days: { from: row.days ?? 'default', to: stored ?? 'default' } },
    });
  });
  return { id, earnings_hold_days: stored ?? 'default' };
}

type FileRow = {
  handle: Handle<'payout'>;
  workspace_handle: Handle<'workspace'>;
  currency: string;
  net_micros: Micros;
  holder: string | null;
  iban: string | null;
  iban_sealed: Uint8Array | null;
  bic: string | null;
};

type BankOrder = { path: string; id: string | undefined };
type Drawn = { xml: string; payouts: Handle<'payout'>[]; waiting: string[] };

/**
 * Writes the waiting payouts into a file for the bank. Each payout is in one file only, and goes to the account that
 * was set when it was issued. A payout that was issued without an account goes to the current account, or waits for
 * one. With `id`, an earlier file is written again, in case it was lost on the way to the bank; what the bank has
 * answered to since is left out, because the money of a failed payout may have been withdrawn anew.
 * @throws UsageError where the file cannot be written, or `id` names none
 */
export async function writeBankFile(
  { sql, sealer }: { sql: Postgres; sealer: Sealer },
  now: Date,
  { path, id }: BankOrder,
): Promise<Record<string, unknown>> {
  const debtor = await readDebtor(sql);
  await assertWritable(path);
  const name =
    id ?? `MQ${now.toISOString().slice(0, 10).replaceAll('-', '')}${randomBytes(4).toString('hex').toUpperCase()}`;
  const draw = (rows: readonly FileRow[]): Drawn => drawRows(rows, { sealer, id: name, now, debtor });
  const { xml, payouts, waiting } = await (id === undefined
    ? takePayouts(sql, name, draw)
    : drawAgain(sql, name, draw));
  if (payouts.length === 0)
    return { file: null, payouts: [], without_account: waiting, unanswered: await listUnanswered(sql) };
  try {
    replaceDurably({ path: resolve(path), text: xml, mode: 0o600 });
  } catch (error) {
    throw new UsageError(
      `${path} was not written (${(error as Error).message}). Its payouts are taken: write the file again with --message-id ${name} and another --out.`,
    );
  }
  return {
    file: path,
    message_id: name,
    payouts: payouts.map(payout => formatId('payout', payout)),
    without_account: waiting,
  };
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

type Drawing = { sealer: Sealer; id: string; now: Date; debtor: BankParty };

function drawRows(rows: readonly FileRow[], { sealer, ...file }: Drawing): Drawn {
  const payments = rows.flatMap(row =>
    row.holder === null ? [] : [paymentOf({ ...row, holder: row.holder }, sealer)],
  );
  const waiting = rows.filter(row => row.holder === null).map(row => formatId('workspace', row.workspace_handle));
  return {
    xml: drawBankFile({ ...file, payments }),
    payouts: payments.map(({ payout }) => payout),
    waiting: [...new Set(waiting)],
  };
}

async function readDebtor(sql: Postgres): Promise<BankParty> {
  const [row] = await sql<
    { name: string; iban: string | null; bic: string | null }[]
  >`select name, iban, bic from operator_settings`;
  if (!row || row.iban === null)
    throw new UsageError('Say first from which account is paid: operator update --name N --iban I');
  return { name: row.name, iban: row.iban, bic: row.bic };
}

/**
 * Draws the waiting payouts and marks them before their file is written: after a crash in between, the file can be
 * written again, and no payout is ever in two files. None is marked that cannot be drawn.
 */
async function takePayouts(sql: Postgres, name: string, draw: (rows: readonly FileRow[]) => Drawn): Promise<Drawn> {
  return sql.begin(async tx => {
    const drawn = draw(await readPayouts(tx, tx`p.status = 'issued' and p.bank_file is null`));
    if (drawn.payouts.length > 0) await tx`update payouts set bank_file = ${name} where handle in ${tx(drawn.payouts)}`;
    return drawn;
  });
}

async function drawAgain(sql: Postgres, name: string, draw: (rows: readonly FileRow[]) => Drawn): Promise<Drawn> {
  const rows = await sql.begin(tx => readPayouts(tx, tx`p.status = 'issued' and p.bank_file = ${name}`));
  if (rows.length === 0) throw new UsageError(`--message-id: no payout of a file ${name} waits for the bank's answer`);
  return draw(rows);
}

/** The newest files with payouts that the bank has not answered to: one that was never sent is among them. */
async function listUnanswered(sql: Postgres): Promise<{ message_id: string; payouts: number }[]> {
  return sql<{ message_id: string; payouts: number }[]>`
    select bank_file as message_id, count(*) as payouts from payouts
    where status = 'issued' and bank_file is not null group by 1 order by max(issued_at) desc
    limit ${FILES_LISTED_MAX}`;
}

async function readPayouts(tx: Unit['tx'], which: ReturnType<Unit['tx']>): Promise<FileRow[]> {
  return tx<FileRow[]>`
    select p.handle, p.workspace_handle, p.currency, p.amount_micros - p.fee_micros as net_micros, a.holder, a.iban,
      a.iban_sealed, a.bic
    from payouts p left join payout_accounts a on a.handle = p.account_handle or p.account_handle is null
      and a.workspace_handle = p.workspace_handle and a.replaced_at is null
    where ${which} order by a.handle is null, p.handle limit ${PAYOUTS_PER_FILE_MAX} for update of p`;
}

function paymentOf(
  {
    handle,
    workspace_handle: workspace,
    currency,
    net_micros: netMicros,
    holder,
    iban: plain,
    iban_sealed: ibanSealed,
    bic,
  }: FileRow & { holder: string },
  sealer: Sealer,
): BankPayment {
  const iban = openIban(sealer, { workspace, iban: plain, ibanSealed });
  return { payout: handle, currency, netMicros, creditor: { name: holder, iban, bic } };
}
