/** Files of payouts for the bank, as they are drawn and shown; `sql/payouts` says which payouts are in them. */
import { randomBytes } from 'node:crypto';
import type { Decider, UnitOptions } from '#books/unit-of-work.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { openIban } from '#sql/payouts/accounts.ts';
import { listUnanswered, readFile, takePayouts, type Debtor, type OrderedPayout } from '#sql/payouts/bank-files.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import type { Postgres } from '#sql/postgres.ts';
import { money } from '../../wire/shapes.ts';
import { drawBankFile, type BankPayment } from './pain-001.ts';
import type { BankFile, WrittenBankFile } from './schema.ts';

type Engines = { sql: Postgres; sealer: Sealer };

/** `waiting`: workspaces whose payouts are left out, because they have no account. */
export type DrawnFile = { id: string; xml: string; payments: BankPayment[]; waiting: Handle<'workspace'>[] };

/** Takes the waiting payouts into a new file. */
export async function writeNewFile(
  { sql, sealer }: Engines,
  options: UnitOptions,
  { payoutsMax, by }: { payoutsMax: number; by?: Decider },
): Promise<DrawnFile | Refusal> {
  const { now } = options;
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  const id = `MQ${day}${randomBytes(4).toString('hex').toUpperCase()}`;
  return takePayouts(sql, options, { id, payoutsMax, draw: drawing({ sealer, id, now }), ...(by && { by }) });
}

/** Draws an earlier file again. */
export async function drawAgain(
  { sql, sealer }: Engines,
  { id, now }: { id: string; now: Date },
): Promise<DrawnFile | Refusal> {
  const found = await readFile(sql, id);
  return isRefusal(found) ? found : drawing({ sealer, id, now })(found.rows, found.debtor);
}

function drawing({ sealer, ...file }: { sealer: Sealer; id: string; now: Date }) {
  return (rows: readonly OrderedPayout[], debtor: Debtor): DrawnFile => {
    const payments = rows.flatMap(row =>
      row.holder === null ? [] : [paymentOf({ ...row, holder: row.holder }, sealer)],
    );
    const waiting = rows.filter(({ holder }) => holder === null).map(({ workspace }) => workspace);
    return { id: file.id, xml: drawBankFile({ ...file, debtor, payments }), payments, waiting: [...new Set(waiting)] };
  };
}

function paymentOf(row: OrderedPayout & { holder: string }, sealer: Sealer): BankPayment {
  const { handle, currency, netMicros, holder, bic } = row;
  return { payout: handle, currency, netMicros, creditor: { name: holder, iban: openIban(sealer, row), bic } };
}

/** The newest files with payouts that the bank has not answered to. */
export async function unansweredFiles(sql: Postgres): Promise<BankFile[]> {
  const rows = await listUnanswered(sql);
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
