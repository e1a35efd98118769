/**
 * Money that arrived for a workspace by bank transfer: it is put on the wallet, once per reference, and pays the
 * top-ups that wait for it.
 */
import { inUnitOfWork, type Unit, type UnitOptions, type Decider } from '#books/unit-of-work.ts';
import type { Handle } from '#domain/id.ts';
import { topUp, type Book } from '#domain/money/ledger.ts';
import { currencyDecimals, decimalFromMicros } from '#domain/money/money.ts';
import { refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { refuseFullWallet } from './balance.ts';
import { creditTopUp } from './top-ups.ts';

type Transfer = {
  workspace: Handle<'workspace'>;
  amountMicros: Micros;
  /** Currency of the amount; absent: the workspace's currency. */
  currency?: string;
  book: Book;
  /** An entry under it is booked once per workspace and book. */
  reference: string;
  by?: Decider;
};

/** What was booked, and in which currency. `bookedBefore`: the reference was known. */
export type Funded = { currency: string; bookedBefore: boolean };

/**
 * Puts money on a wallet, from the funding account and in the workspace's currency. Refuses another amount under a
 * reference that was booked before. The workspace's row is locked, so that calls are booked one by one, and none while
 * the workspace is archived.
 */
export async function fundWallet(
  sql: Postgres,
  options: UnitOptions,
  { workspace, amountMicros, currency: given, book, reference, by }: Transfer,
): Promise<Funded | Refusal> {
  return inUnitOfWork<Funded | Refusal>(sql, options, async unit => {
    const [row] = await unit.tx<{ currency: string; is_archived: boolean }[]>`
      select currency, archived_at is not null as is_archived from workspaces
      where handle = ${workspace} ${book === 'live' ? unit.tx`and not sandbox` : unit.tx``} for no key update`;
    if (!row) return refuseAbsent();
    const { currency } = row;
    if (given !== undefined && given !== currency)
      return refuseField('/amount/currency', 'wrong_currency', `must be ${currency}, the currency of the workspace`);
    const movement = { book, currency, workspace, amountMicros };
    const entry = topUp({ ...movement, reference: `funding of ${workspace} ${book}: ${reference}` });
    const booked = await readToppedUp(unit.tx, entry.reference);
    if (booked !== undefined)
      return booked === amountMicros
        ? { currency, bookedBefore: true }
        : refuseOther({ booked, asked: amountMicros, currency, reference });
    const refusal = row.is_archived ? refuseArchived() : await refuseFullWallet(unit, movement);
    if (refusal) return refusal;
    await unit.post(entry);
    const audited = {
      sandbox: book === 'sandbox',
      action: 'wallet.funded',
      entityType: 'workspace',
      entityHandle: workspace,
      diff: { amount_micros: { from: null, to: amountMicros }, reference: { from: null, to: reference } },
    };
    unit.audit({ ...audited, workspace });
    if (by) unit.audit({ ...audited, workspace: by.workspace, actor: by.actor });
    await creditTopUps(unit, { workspace, book, amountMicros });
    return { currency, bookedBefore: false };
  });
}

type Difference = { booked: Micros; asked: Micros; currency: string; reference: string };

function refuseOther({ booked, asked, currency, reference }: Difference): Refusal {
  const shown = (micros: Micros): string => decimalFromMicros(micros).toFixed(currencyDecimals(currency));
  return refuse(
    'state_conflict',
    `${shown(booked)} ${currency} were booked under the reference '${reference}' already, not ${shown(asked)}.`,
  );
}

function refuseArchived(): Refusal {
  return refuse('state_conflict', 'This client is archived. Its agency has to restore it first.');
}

async function readToppedUp(tx: Queryable, reference: string): Promise<Micros | undefined> {
  const [row] = await tx<{ micros: Micros }[]>`
    select p.amount_micros as micros from ledger_transactions t
    join ledger_postings p on p.transaction_handle = t.handle join ledger_accounts a on a.handle = p.account_handle
    where t.reference = ${reference} and a.kind = 'wallet'`;
  return row?.micros;
}

type Funds = Pick<Transfer, 'workspace' | 'book' | 'amountMicros'>;

/** Credits the oldest top-ups that wait, as far as the money reaches. */
async function creditTopUps(unit: Unit, { workspace, book, amountMicros }: Funds): Promise<void> {
  const { tx, audit } = unit;
  // A top-up that is being paid on a checkout page is left out, because its own payment credits it.
  const waiting = await tx<{ handle: Handle<'top_up'>; amount_micros: Micros }[]>`
    select handle, amount_micros from top_ups t
    where workspace_handle = ${workspace} and book = ${book} and credited_at is null and cancelled_at is null
      and not exists (select from checkouts c where c.top_up_handle = t.handle and c.status in ('creating', 'open'))
      order by handle for update`;
  let leftMicros = amountMicros;
  for (const { handle, amount_micros: micros } of waiting) {
    if (micros > leftMicros) continue;
    leftMicros -= micros;
    await creditTopUp(unit, handle);
    audit({
      workspace,
      sandbox: book === 'sandbox',
      action: 'wallet.topped_up',
      entityType: 'top_up',
      entityHandle: handle,
      diff: { credited_at: { from: null, to: unit.now } },
    });
  }
}
