/**
 * What the bank answered: to one payout, or to all of a file. A failed payout goes back to the earnings that it came
 * from. A paid one gets its self-billed invoice, if its workspace has agreed to that.
 */
import { inUnitOfWork, type Decider, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { formatSelfBilledNumber } from '#domain/money/invoice.ts';
import { failPayout, payPayout } from '#domain/money/ledger.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { settlePayout as stateAfter, type PayoutState } from '#domain/money/payout.ts';
import { isRefusal, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { holdTakenOut } from '#sql/findings/findings.ts';
import { issueSelfBilled } from '#sql/invoices/self-billed-invoices.ts';
import type { Postgres } from '#sql/postgres.ts';
import { returnEarnings } from './earnings.ts';

type PayoutRow = {
  payout: Handle<'payout'>;
  workspace: Handle<'workspace'>;
  currency: string;
  status: PayoutState;
  amountMicros: Micros;
  feeMicros: Micros;
};
/** The bank's answer, with its reference for the audit log. */
type Answer = { outcome: 'paid' | 'failed'; reference?: string };
type Settlement = Answer & { payout: Handle<'payout'>; by?: Decider };

type SettledPayout = { id: string; status: Answer['outcome']; self_billed_invoice?: string };

/** Records what the bank answered to a payout. Refuses one that has an answer. */
export async function settlePayout(
  sql: Postgres,
  options: UnitOptions,
  { payout, by, ...answer }: Settlement,
): Promise<SettledPayout | Refusal> {
  return inUnitOfWork<SettledPayout | Refusal>(sql, options, async unit => {
    const [row] = await lockPayouts(unit.tx, [payout]);
    if (!row) return refuseAbsent();
    const status = stateAfter(row.status, answer.outcome);
    if (isRefusal(status)) return status;
    const numbers = await recordAnswer(unit, [row], answer);
    const number = numbers.get(payout);
    if (by) unit.audit({ ...entryOf(row, answer, number), ...by });
    return {
      id: formatId('payout', payout),
      status: answer.outcome,
      ...(number !== undefined && { self_billed_invoice: number }),
    };
  });
}

type FileSettlement = Pick<Answer, 'reference'> & { id: string; payoutsMax: number; by: Decider };

/** Numbers of payouts, but for `message_id`. `unanswered` ones are left for the next call. */
type SettledBankFile = {
  message_id: string;
  paid: number;
  answered_before: number;
  unanswered: number;
  self_billed_invoices: number;
};

/**
 * Records that the bank paid all payouts of a file, at most `payoutsMax` in one transaction. Those that it has answered
 * to before stay as they are.
 */
export async function settleBankFile(
  sql: Postgres,
  options: UnitOptions,
  { id, payoutsMax, by, ...body }: FileSettlement,
): Promise<SettledBankFile | Refusal> {
  return inUnitOfWork<SettledBankFile | Refusal>(sql, options, async unit => {
    const found = await unit.tx<{ payout: Handle<'payout'>; status: PayoutState }[]>`
      select handle as payout, status from payouts where bank_file = ${id} order by handle`;
    if (found.length === 0) return refuseAbsent();
    const open = found.filter(({ status }) => status === 'issued').map(({ payout }) => payout);
    const taken = open.slice(0, payoutsMax);
    // Another call may have answered to some of them before they were locked.
    const rows = (await lockPayouts(unit.tx, taken)).filter(({ status }) => status === 'issued');
    const numbers = await recordAnswer(unit, rows, { ...body, outcome: 'paid' });
    const { reference } = body;
    if (rows.length > 0)
      unit.audit({
        ...by,
        action: 'bank_file.paid',
        entityType: 'workspace',
        entityHandle: by.workspace,
        diff: {
          bank_file: { from: id, to: id },
          payouts: { from: null, to: rows.length },
          ...(reference !== undefined && { reference: { from: null, to: reference } }),
        },
      });
    const unanswered = open.length - taken.length;
    return {
      message_id: id,
      paid: rows.length,
      answered_before: found.length - rows.length - unanswered,
      unanswered,
      self_billed_invoices: numbers.size,
    };
  });
}

/** Locks the workspaces before the payouts, as withdrawals do, each in the order of their handles. */
async function lockPayouts(tx: Unit['tx'], payouts: Handle<'payout'>[]): Promise<PayoutRow[]> {
  if (payouts.length === 0) return [];
  await tx`select from workspaces where handle in (select workspace_handle from payouts where handle in ${tx(payouts)})
    order by handle for no key update`;
  return tx<PayoutRow[]>`
    select handle as payout, workspace_handle as workspace, currency, status, amount_micros as "amountMicros",
      fee_micros as "feeMicros"
    from payouts where handle in ${tx(payouts)} order by handle for update`;
}

/** Writes the answer of the bank to payouts that wait for it. Returns the numbers of their self-billed invoices. */
async function recordAnswer(
  unit: Unit,
  rows: readonly PayoutRow[],
  answer: Answer,
): Promise<Map<Handle<'payout'>, string>> {
  const numbers = new Map<Handle<'payout'>, string>();
  if (rows.length === 0) return numbers;
  const { outcome } = answer;
  const payouts = rows.map(({ payout }) => payout);
  await unit.tx`update payouts set status = ${outcome}, settled_at = ${unit.now} where handle in ${unit.tx(payouts)}`;
  for (const row of rows) {
    if (outcome === 'failed') {
      await returnEarnings(unit.tx, row.payout);
      await holdTakenOut(unit.tx, row.payout);
    }
    const document = outcome === 'paid' ? await issueSelfBilled(unit, row) : undefined;
    if (document) numbers.set(row.payout, formatSelfBilledNumber(document));
  }
  await unit.postAll(rows.map(row => postingOf(row, outcome)));
  for (const row of rows) {
    const { payout, workspace, currency, amountMicros } = row;
    const entry = entryOf(row, answer, numbers.get(payout));
    unit.audit({ ...entry, workspace });
    const amount = { value: decimalFromMicros(amountMicros), currency };
    const object = { id: formatId('payout', payout), status: outcome, amount };
    const payload = { object, previous: { status: row.status } };
    unit.emit({ entityType: 'payout', entityHandle: payout, workspace, type: entry.action, payload });
  }
  return numbers;
}

function postingOf({ payout, ...movement }: PayoutRow, outcome: Answer['outcome']) {
  const { workspace, currency, amountMicros, feeMicros } = movement;
  const reference = `payout:${payout}:${outcome}`;
  const posted = { book: 'live', currency, workspace, amountMicros, feeMicros, reference } as const;
  return outcome === 'paid' ? payPayout(posted) : failPayout(posted);
}

/** What the audit log says of an answer. */
function entryOf({ payout, status }: PayoutRow, { outcome, reference }: Answer, number: string | undefined) {
  return {
    action: `payout.${outcome}`,
    entityType: 'payout',
    entityHandle: payout,
    diff: {
      status: { from: status, to: outcome },
      ...(reference !== undefined && { reference: { from: null, to: reference } }),
      ...(number !== undefined && { self_billed_invoice: { from: null, to: number } }),
    },
  };
}
