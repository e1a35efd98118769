/**
 * Files of payouts for the bank. Each payout is in one file only, and goes to the account that was set when it was
 * issued. A payout that was issued without an account goes to the current account, or waits for one.
 */
import { randomBytes } from 'node:crypto';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { openIban } from '#records/payout-accounts.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { refuseAbsent } from '../../wire/refusals.ts';
import { money } from '../../wire/shapes.ts';
import type { Decider } from '../../authentication/as-operator.ts';
import { drawBankFile, type BankParty, type BankPayment } from './pain-001.ts';
import type { BankFile, WrittenBankFile } from './schema.ts';
import { accountOf } from './store.ts';

/** A file of this size is taken by banks, and a person can still look through it. */
export const PAYOUTS_PER_FILE_MAX = 10_000;
/** More than a bank leaves unanswered for long; the newest are listed. */
const FILES_LISTED_MAX = 50;

type Engines = { sql: Postgres; sealer: Sealer };
type FileRow = {
  handle: Handle<'payout'>;
  workspace: Handle<'workspace'>;
  currency: string;
  netMicros: Micros;
  holder: string | null;
  iban: string | null;
  ibanSealed: Uint8Array | null;
  bic: string | null;
};

/** `waiting`: workspaces whose payouts are left out, because they have no account. */
export type DrawnFile = { id: string; xml: string; payments: BankPayment[]; waiting: Handle<'workspace'>[] };

type NewFile = { payoutsMax: number; by?: Decider };

/**
 * Takes the waiting payouts into a new file. They are marked before the file exists: after a crash in between it can be
 * created again, and no payout is ever in two files. Payouts that cannot be written are not marked.
 */
export async function takePayouts(
  { sql, sealer }: Engines,
  options: UnitOptions,
  { payoutsMax, by }: NewFile,
): Promise<DrawnFile | Refusal> {
  const day = options.now.toISOString().slice(0, 10).replaceAll('-', '');
  const id = `MQ${day}${randomBytes(4).toString('hex').toUpperCase()}`;
  return inUnitOfWork<DrawnFile | Refusal>(sql, options, async unit => {
    const debtor = await readDebtor(unit.tx);
    if (isRefusal(debtor)) return debtor;
    const rows = await lockPayouts(unit.tx, unit.tx`p.status = 'issued' and p.bank_file is null`, payoutsMax);
    const drawn = draw(rows, { sealer, id, now: unit.now, debtor });
    if (drawn.payments.length === 0) return drawn;
    const taken = drawn.payments.map(({ payout }) => payout);
    await unit.tx`update payouts set bank_file = ${id} where handle in ${unit.tx(taken)}`;
    if (by)
      unit.audit({
        ...by,
        action: 'bank_file.written',
        entityType: 'workspace',
        entityHandle: by.workspace,
        diff: { bank_file: { from: null, to: id }, payouts: { from: null, to: taken.length } },
      });
    return drawn;
  });
}

/**
 * Draws an earlier file again, in case it was lost on the way to the bank. What the bank has answered to since is left
 * out, because the money of a failed payout may have been withdrawn anew.
 */
export async function drawAgain(
  { sql, sealer }: Engines,
  { id, now }: { id: string; now: Date },
): Promise<DrawnFile | Refusal> {
  return sql.begin(async tx => {
    const debtor = await readDebtor(tx);
    if (isRefusal(debtor)) return debtor;
    const rows = await lockPayouts(tx, tx`p.status = 'issued' and p.bank_file = ${id}`, PAYOUTS_PER_FILE_MAX);
    return rows.length === 0 ? refuseAbsent() : draw(rows, { sealer, id, now, debtor });
  });
}

type UnansweredRow = { id: string; payouts: number; currency: string; micros: Micros };

/** The newest files with payouts that the bank has not answered to: one that was never sent is among them. */
export async function listUnanswered(sql: Queryable): Promise<BankFile[]> {
  const rows = await sql<UnansweredRow[]>`
    with newest as (
      select bank_file, max(issued_at) as at from payouts where status = 'issued' and bank_file is not null
      group by 1 order by 2 desc limit ${FILES_LISTED_MAX})
    select p.bank_file as id, count(*)::int as payouts, p.currency,
      sum(p.amount_micros - p.fee_micros)::bigint as micros
    from newest n join payouts p on p.bank_file = n.bank_file and p.status = 'issued'
    group by n.at, p.bank_file, p.currency order by n.at desc, p.bank_file, p.currency`;
  const ids = [...new Set(rows.map(({ id }) => id))];
  return ids.map(id => {
    const ofFile = rows.filter(row => row.id === id);
    return {
      message_id: id,
      payouts: ofFile.reduce((sum, { payouts }) => sum + payouts, 0),
      amounts: ofFile.map(({ micros, currency }) => money(micros, currency)),
    };
  });
}

/** A drawn file as its record. */
export function fileRecord({ id, payments }: DrawnFile): BankFile {
  const currencies = [...new Set(payments.map(({ currency }) => currency))].sort();
  const totalOf = (wanted: string): Micros =>
    payments.reduce((sum, { currency, netMicros }) => sum + (currency === wanted ? netMicros : 0), 0);
  return {
    message_id: id,
    payouts: payments.length,
    amounts: currencies.map(currency => money(totalOf(currency), currency)),
  };
}

/** The record of a new file: without an id if there are no payouts, and so no file. */
export function writtenRecord(drawn: DrawnFile): WrittenBankFile {
  return {
    ...fileRecord(drawn),
    message_id: drawn.payments.length === 0 ? null : drawn.id,
    without_account: drawn.waiting.map(workspace => formatId('workspace', workspace)),
  };
}

async function readDebtor(sql: Queryable): Promise<BankParty | Refusal> {
  const [row] = await sql<
    { name: string; iban: string | null; bic: string | null }[]
  >`select name, iban, bic from operator_settings`;
  return !row || row.iban === null
    ? refuse(
        'state_conflict',
        'Set from which account payouts are paid: PATCH /v1/operator/details, or admin operator update --name N --iban I',
      )
    : { name: row.name, iban: row.iban, bic: row.bic };
}

async function lockPayouts(tx: Unit['tx'], which: ReturnType<Unit['tx']>, rowsMax: number): Promise<FileRow[]> {
  return tx<FileRow[]>`
    select p.handle, p.workspace_handle as workspace, p.currency, p.amount_micros - p.fee_micros as "netMicros",
      a.holder, a.iban, a.iban_sealed as "ibanSealed", a.bic
    from payouts p ${accountOf(tx)}
    where ${which} order by a.handle is null, p.handle limit ${rowsMax} for update of p`;
}

type Drawing = { sealer: Sealer; id: string; now: Date; debtor: BankParty };

function draw(rows: readonly FileRow[], { sealer, ...file }: Drawing): DrawnFile {
  const payments = rows.flatMap(row =>
    row.holder === null ? [] : [paymentOf({ ...row, holder: row.holder }, sealer)],
  );
  const waiting = rows.filter(({ holder }) => holder === null).map(({ workspace }) => workspace);
  return { id: file.id, xml: drawBankFile({ ...file, payments }), payments, waiting: [...new Set(waiting)] };
}

function paymentOf(row: FileRow & { holder: string }, sealer: Sealer): BankPayment {
  const { handle, currency, netMicros, holder, bic } = row;
  return { payout: handle, currency, netMicros, creditor: { name: holder, iban: openIban(sealer, row), bic } };
}
