/** Withdrawals of earnings: the payouts of a workspace, their lines, and the unit of work that makes one. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { formatId, type Handle } from '#domain/id.ts';
import type { CommissionTier } from '#domain/money/commission.ts';
import { heldFrom } from '#domain/money/earnings-hold.ts';
import { bookOf, issuePayout } from '#domain/money/ledger.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import {
  planWithdrawal,
  usableAccount,
  type Earnings,
  type PayoutState,
  type PayoutTerms,
  type Withdrawal,
} from '#domain/money/payout.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { inUnitOfWork, type Call, type Owner } from '#books/unit-of-work.ts';
import { findSelfBilled, type SelfBilledRow } from '#sql/invoices/self-billed-invoices.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import type { PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { readAccount } from './accounts.ts';
import { lockEarnings, readEarnings, readHoldDays, withdrawEarnings } from './earnings.ts';

const NO_EARNINGS: Earnings = { availableMicros: 0, heldMicros: 0, reviewedMicros: 0, nextMs: undefined };

/** Venues named on a payout of a list; the payout itself names all. */
const VENUES_SHOWN_MAX = 100;

export type PayoutRow = {
  handle: Handle<'payout'>;
  currency: string;
  status: PayoutState;
  amount_micros: Micros;
  fee_micros: Micros;
  issued_at: Date;
  settled_at: Date | null;
  gross_micros: Micros;
  venues_count: number;
  venues: { venue: Handle<'venue'>; micros: Micros }[];
};

export type LineRow = {
  venue: Handle<'venue'>;
  name: string;
  tier: CommissionTier;
  share_millionths: number;
  first_day: string;
  last_day: string;
  plays: number;
  impressions_thousandths: number;
  gross_micros: Micros;
  earned_micros: Micros;
};

async function readLines(sql: Queryable, payout: Handle<'payout'>): Promise<LineRow[]> {
  return sql<LineRow[]>`
    select e.venue_handle as venue, v.name, e.tier, e.share_millionths, to_char(min(e.day), 'YYYY-MM-DD') as first_day,
      to_char(max(e.day), 'YYYY-MM-DD') as last_day,
      sum(l.plays)::bigint as plays, sum(l.impressions_thousandths)::bigint as impressions_thousandths,
        sum(l.gross_micros)::bigint as gross_micros, sum(l.earned_micros)::bigint as earned_micros
    from payout_lines l join venue_earnings e on e.handle = l.earning_handle join venues v on v.handle = e.venue_handle
    where l.payout_handle = ${payout} group by e.venue_handle, v.name, e.tier, e.share_millionths
    order by e.venue_handle, e.tier, e.share_millionths`;
}

/** A payout with its lines, and its self-billed invoice if there is one. */
export type FoundPayout = { row: PayoutRow; lines: LineRow[]; selfBilled: SelfBilledRow | undefined };

/** A payout is made when it is issued. */
export const PAYOUT_SORTS = { issued_at: 'handle' } as const;

/** A page of the withdrawals of a workspace. Play money is never paid out, so the sandbox has none. */
export async function listPayouts(
  sql: Postgres,
  { workspace, sandbox }: Owner,
  { page, status }: { page: PageOrder; status: string | undefined },
): Promise<PayoutRow[]> {
  if (sandbox) return [];
  const { behind, order } = sliceOf(sql, page, { sorts: PAYOUT_SORTS, handle: 'p.handle' });
  return sql<PayoutRow[]>`
    ${selectPayouts(sql)} where p.workspace_handle = ${workspace} ${behind}
      ${status === undefined ? sql`` : sql`and p.status = ${status}`}
    ${order}`;
}

/** One payout of the owner; undefined if there is none. */
export async function findPayout(
  sql: Queryable,
  { workspace, sandbox }: Owner,
  handle: Handle<'payout'>,
): Promise<FoundPayout | undefined> {
  if (sandbox) return undefined;
  const [row] = await sql<PayoutRow[]>`
    ${selectPayouts(sql)} where p.handle = ${handle} and p.workspace_handle = ${workspace}`;
  return row && { row, selfBilled: await findSelfBilled(sql, handle), lines: await readLines(sql, handle) };
}

function selectPayouts(sql: Queryable) {
  return sql`
    select p.*, lines.* from payouts p, lateral (
      select coalesce(sum(gross), 0)::bigint as gross_micros, count(*) as venues_count,
        coalesce(jsonb_agg(jsonb_build_object('venue', venue, 'micros', micros)
        order by micros desc, venue) filter (where place <= ${VENUES_SHOWN_MAX}), '[]') as venues
      from (select e.venue_handle as venue, sum(l.gross_micros) as gross, sum(l.earned_micros) as micros,
        row_number() over (order by sum(l.earned_micros) desc, e.venue_handle) as place
        from payout_lines l join venue_earnings e on e.handle = l.earning_handle where l.payout_handle = p.handle
        group by e.venue_handle) as venue
    ) as lines`;
}

/** What has left the earnings and is not at the bank yet, by currency. */
export async function readInTransit(sql: Queryable, { workspace, sandbox }: Owner): Promise<Map<string, Micros>> {
  const rows = await sql<{ currency: string; micros: Micros }[]>`
    select currency, balance_micros as micros from ledger_accounts
    where workspace_handle = ${workspace} and book = ${bookOf({ sandbox })} and kind = 'payout'`;
  return new Map(rows.map(({ currency, micros }) => [currency, micros]));
}

export async function readTerms(sql: Queryable): Promise<PayoutTerms> {
  const [row] = await sql<PayoutTerms[]>`
    select payout_free_above_micros as "freeAboveMicros", payout_fee_micros as "feeMicros" from operator_settings`;
  return row!;
}

/** `wantedMicros` undefined: all that is available. `holdDays` is the installation's number. */
type PayoutRequest = { wantedMicros: Micros | undefined; currency: string; holdDays: number };

/**
 * Withdraws earnings: the payout, what it takes of which day's earnings, and the ledger in one transaction. Withdrawals
 * of a workspace follow each other by the lock of its row, and the ledger refuses what the earnings do not hold.
 */
export async function createPayout(
  sql: Postgres,
  call: Call,
  { wantedMicros, currency, holdDays: installationDays }: PayoutRequest,
): Promise<FoundPayout | Refusal> {
  const { workspace, sandbox } = call;
  if (sandbox) return refuse('state_conflict', 'Play money is not paid out.');
  return inUnitOfWork<FoundPayout | Refusal>(sql, call, async unit => {
    const { tx } = unit;
    const now = unit.now.getTime();
    await tx`select from workspaces where handle = ${workspace} for no key update`;
    const account = usableAccount(await readAccount(tx, workspace), now);
    if (isRefusal(account)) return account;
    const holdDays = await readHoldDays(tx, workspace, installationDays);
    const earnings = (await readEarnings(tx, { workspace, sandbox, holdDays, now })).get(currency) ?? NO_EARNINGS;
    const withdrawal = planWithdrawal({ wantedMicros, earnings, currency, terms: await readTerms(tx) });
    if (isRefusal(withdrawal)) return withdrawal;
    const { amountMicros, feeMicros } = withdrawal;
    const lefts = await lockEarnings(tx, { workspace, currency, amountMicros, from: heldFrom(now, holdDays) });
    if (isRefusal(lefts)) return lefts;
    const handle = await insertPayout(tx, {
      ...withdrawal,
      workspace,
      currency,
      account: account.handle,
      at: unit.now,
    });
    await withdrawEarnings(tx, handle, { lefts, amountMicros });
    const reference = `payout:${handle}:issued`;
    await unit.post(issuePayout({ book: 'live', currency, workspace, amountMicros, feeMicros, reference }));
    const money = (micros: Micros) => ({ value: decimalFromMicros(micros), currency });
    const entity = { workspace, entityType: 'payout', entityHandle: handle };
    const shown = { status: 'issued', amount: money(amountMicros) };
    unit.audit({ ...entity, action: 'payout.issued', diff: diffOfNew({ ...shown, sending_fee: money(feeMicros) }) });
    const object = { id: formatId('payout', handle), ...shown, paid_out: money(amountMicros - feeMicros) };
    unit.emit({ ...entity, type: 'payout.issued', payload: { object } });
    return (await findPayout(tx, call, handle))!;
  });
}

type NewPayout = Withdrawal & {
  workspace: Handle<'workspace'>;
  currency: string;
  account: Handle<'payout_account'>;
  at: Date;
};

async function insertPayout(tx: Transaction, payout: NewPayout): Promise<Handle<'payout'>> {
  const [row] = await tx<{ handle: Handle<'payout'> }[]>`
    insert into payouts (workspace_handle, currency, status, amount_micros, fee_micros, issued_at, account_handle)
    values (${payout.workspace}, ${payout.currency}, 'issued', ${payout.amountMicros}, ${payout.feeMicros},
      ${payout.at}, ${payout.account}) returning handle`;
  return row!.handle;
}
