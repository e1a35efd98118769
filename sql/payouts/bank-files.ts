/**
 * Which payouts go into a file for the bank. Each is in one file only, and goes to the account that was set when it was
 * issued. A payout that was issued without an account goes to the current account, or waits for one.
 */
import { inUnitOfWork, type Decider, type UnitOptions } from '#books/unit-of-work.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import type { Fragment, Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { accountOf } from './all-payouts.ts';

/** A file of this size is taken by banks, and a person can still look through it. */
export const PAYOUTS_PER_FILE_MAX = 10_000;
/** More than a bank leaves unanswered for long; the newest are listed. */
const FILES_LISTED_MAX = 50;

/** Whose account payouts are paid from. */
export type Debtor = { name: string; iban: string; bic: string | null };
export type OrderedPayout = {
  handle: Handle<'payout'>;
  workspace: Handle<'workspace'>;
  currency: string;
  netMicros: Micros;
  holder: string | null;
  iban: string | null;
  ibanSealed: Uint8Array | null;
  bic: string | null;
};
type NewFile<File> = {
  id: string;
  payoutsMax: number;
  /** Draws the file, and says which payouts are in it. */
  draw: (rows: readonly OrderedPayout[], debtor: Debtor) => File;
  by?: Decider;
};

/**
 * Takes the waiting payouts into a new file. They are marked before the file exists: after a crash in between it can be
 * created again, and no payout is ever in two files. Payouts that cannot be written are not marked.
 */
export async function takePayouts<File extends { payments: readonly { payout: Handle<'payout'> }[] }>(
  sql: Postgres,
  options: UnitOptions,
  { id, payoutsMax, draw, by }: NewFile<File>,
): Promise<File | Refusal> {
  return inUnitOfWork<File | Refusal>(sql, options, async unit => {
    const debtor = await readDebtor(unit.tx);
    if (isRefusal(debtor)) return debtor;
    const rows = await lockOrdered(unit.tx, unit.tx`p.status = 'issued' and p.bank_file is null`, payoutsMax);
    const drawn = draw(rows, debtor);
    const taken = drawn.payments.map(({ payout }) => payout);
    if (taken.length === 0) return drawn;
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
 * The payouts of an earlier file, in case it was lost on the way to the bank. What the bank has answered to since is
 * left out, because the money of a failed payout may have been withdrawn anew.
 */
export async function readFile(
  sql: Postgres,
  id: string,
): Promise<{ rows: OrderedPayout[]; debtor: Debtor } | Refusal> {
  return sql.begin(async tx => {
    const debtor = await readDebtor(tx);
    if (isRefusal(debtor)) return debtor;
    const rows = await lockOrdered(tx, tx`p.status = 'issued' and p.bank_file = ${id}`, PAYOUTS_PER_FILE_MAX);
    return rows.length === 0 ? refuseAbsent() : { rows, debtor };
  });
}

export type UnansweredRow = { id: string; payouts: number; currency: string; micros: Micros };

/** The newest files with payouts that the bank has not answered to: one that was never sent is among them. */
export async function listUnanswered(sql: Queryable): Promise<UnansweredRow[]> {
  return sql<UnansweredRow[]>`
    with newest as (
      select bank_file, max(issued_at) as at from payouts where status = 'issued' and bank_file is not null
      group by 1 order by 2 desc limit ${FILES_LISTED_MAX})
    select p.bank_file as id, count(*)::int as payouts, p.currency,
      sum(p.amount_micros - p.fee_micros)::bigint as micros
    from newest n join payouts p on p.bank_file = n.bank_file and p.status = 'issued'
    group by n.at, p.bank_file, p.currency order by n.at desc, p.bank_file, p.currency`;
}

async function readDebtor(sql: Queryable): Promise<Debtor | Refusal> {
  const [row] = await sql<{ name: string; iban: string | null; bic: string | null }[]>`
    select name, iban, bic from operator_settings`;
  return !row || row.iban === null
    ? refuse(
        'state_conflict',
        'Set from which account payouts are paid: PATCH /v1/operator/details, or admin operator update --name N --iban I',
      )
    : { name: row.name, iban: row.iban, bic: row.bic };
}

async function lockOrdered(tx: Transaction, which: Fragment, rowsMax: number): Promise<OrderedPayout[]> {
  return tx<OrderedPayout[]>`
    select p.handle, p.workspace_handle as workspace, p.currency, p.amount_micros - p.fee_micros as "netMicros",
      a.holder, a.iban, a.iban_sealed as "ibanSealed", a.bic
    from payouts p ${accountOf(tx)}
    where ${which} order by a.handle is null, p.handle limit ${rowsMax} for update of p`;
}
