/**
 * The payouts of all workspaces, and what the bank answered to each. A failed payout goes back to the earnings that it
 * came from. A paid one gets its self-billed invoice, if its workspace has agreed to that.
 */
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { formatId, NO_HANDLE, parseId, type Handle } from '#domain/id.ts';
import { formatSelfBilledNumber } from '#domain/money/invoice.ts';
import { failPayout, payPayout } from '#domain/money/ledger.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { settlePayout as stateAfter, type PayoutState } from '#domain/money/payout.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { holdTakenOut } from '#records/traffic-findings.ts';
import { issueSelfBilled } from '#sql/invoices/self-billed-invoices.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { positionIn, readCounted } from '../../lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../../lists/paging.ts';
import { refuseAbsent } from '../../refusals.ts';
import { likeText, money } from '../../shapes.ts';
import type { Decider } from '../as-operator.ts';
import type { PayoutStage, SettledPayout, SettlePayoutBody, WorkspacePayout } from './schema.ts';

type ListedRow = {
  handle: Handle<'payout'>;
  workspace: Handle<'workspace'>;
  workspace_name: string;
  currency: string;
  stage: PayoutStage;
  amount: Micros;
  fee: Micros;
  holder: string | null;
  iban_masked: string | null;
  bank_file: string | null;
  issued_at: Date;
  settled_at: Date | null;
};
export type PayoutFilter = { stages?: readonly string[]; text?: string; isCounted: boolean };

const stageOf = (sql: Queryable) => sql`
  case when p.status <> 'issued' then p.status when p.bank_file is null then 'waiting' else 'sent' end`;

/** The account of a payout `p`: as it was when the payout was issued, or the current one if there was none then. */
export const accountOf = (sql: Queryable) => sql`
  left join payout_accounts a on a.handle = coalesce(p.account_handle, (select handle from payout_accounts
    where workspace_handle = p.workspace_handle and replaced_at is null))`;

export async function listWorkspacePayouts(
  sql: Postgres,
  { page, filter: { stages, text, isCounted } }: { page: Page; filter: PayoutFilter },
): Promise<List<WorkspacePayout>> {
  const wanted = sql`
    select p.handle from payouts p where true
      ${stages === undefined ? sql`` : sql`and ${stageOf(sql)} = any(${[...stages]}::text[])`}
      ${text === undefined ? sql`` : sql`and ${isFoundBy(sql, text)}`}`;
  const records = sql`
    select p.handle, p.workspace_handle as workspace, w.name as workspace_name, p.currency, ${stageOf(sql)} as stage,
      p.amount_micros as amount, p.fee_micros as fee, a.holder, a.iban_masked, p.bank_file, p.issued_at, p.settled_at
    from payouts p join workspaces w on w.handle = p.workspace_handle ${accountOf(sql)}`;
  const { rows, ...total } = await readCounted<ListedRow>(sql, page, {
    sorts: BY_CREATION,
    wanted,
    records,
    isCounted,
  });
  return { ...envelope(rows, page, { positionOf: positionIn(page, BY_CREATION), recordOf }), ...total };
}

function isFoundBy(sql: Queryable, text: string) {
  return sql`(p.handle = ${parseId('payout', text) ?? NO_HANDLE} or p.bank_file = ${text}
    or p.workspace_handle in (select handle from workspaces where name ilike ${likeText(text)}))`;
}

function recordOf(row: ListedRow): WorkspacePayout {
  const { handle, workspace, stage, amount, fee, currency, holder, iban_masked: masked } = row;
  return {
    id: formatId('payout', handle),
    stage,
    workspace: { id: formatId('workspace', workspace), name: row.workspace_name },
    amount: money(amount, currency),
    fee: money(fee, currency),
    arrives: money(amount - fee, currency),
    account: holder === null || masked === null ? null : { holder, iban_masked: masked },
    bank_file: row.bank_file,
    issued_at: row.issued_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
  };
}

type PayoutRow = {
  workspace: Handle<'workspace'>;
  currency: string;
  status: PayoutState;
  amountMicros: Micros;
  feeMicros: Micros;
};

type Settlement = SettlePayoutBody & { payout: Handle<'payout'>; by?: Decider };

/** Records the bank's answer to a payout. */
export async function settlePayout(
  sql: Postgres,
  options: UnitOptions,
  { payout, outcome, reference, by }: Settlement,
): Promise<SettledPayout | Refusal> {
  const id = formatId('payout', payout);
  return inUnitOfWork<SettledPayout | Refusal>(sql, options, async unit => {
    const row = await lockPayout(unit.tx, payout);
    if (!row) return refuseAbsent();
    const status = stateAfter(row.status, outcome);
    if (isRefusal(status)) return status;
    const { workspace, currency, amountMicros, feeMicros } = row;
    await unit.tx`update payouts set status = ${status}, settled_at = ${unit.now} where handle = ${payout}`;
    if (outcome === 'failed') await returnEarnings(unit.tx, payout);
    const posting = `payout:${payout}:${outcome}`;
    const movement = { book: 'live', currency, workspace, amountMicros, feeMicros, reference: posting } as const;
    await unit.post(outcome === 'paid' ? payPayout(movement) : failPayout(movement));
    const document =
      outcome === 'paid' ? await issueSelfBilled(unit, { payout, workspace, currency, amountMicros }) : undefined;
    const number = document && formatSelfBilledNumber(document);
    const entity = { entityType: 'payout', entityHandle: payout };
    const entry = {
      ...entity,
      action: `payout.${outcome}`,
      diff: {
        status: { from: row.status, to: status },
        ...(reference !== undefined && { reference: { from: null, to: reference } }),
        ...(number !== undefined && { self_billed_invoice: { from: null, to: number } }),
      },
    };
    unit.audit({ ...entry, workspace });
    if (by) unit.audit({ ...entry, ...by });
    unit.emit({
      ...entity,
      workspace,
      type: `payout.${outcome}`,
      payload: {
        object: { id, status, amount: { value: decimalFromMicros(amountMicros), currency } },
        previous: { status: row.status },
      },
    });
    return { id, status: outcome, ...(number !== undefined && { self_billed_invoice: number }) };
  });
}

/** Locks the workspace before the payout, as withdrawals do. */
async function lockPayout(tx: Unit['tx'], payout: Handle<'payout'>): Promise<PayoutRow | undefined> {
  await tx`select from workspaces where handle = (select workspace_handle from payouts where handle = ${payout})
    for no key update`;
  const [row] = await tx<PayoutRow[]>`
    select workspace_handle as workspace, currency, status, amount_micros as "amountMicros", fee_micros as "feeMicros"
    from payouts where handle = ${payout} for update`;
  return row;
}

/** Returns the earnings of a payout, in the common lock order of earnings. */
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
