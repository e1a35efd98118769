/**
 * Payouts in Postgres: list, balance, and the withdrawal of earnings. The workers send them to the bank. See
 * docs/payouts.md.
 */
import { heldFrom } from '#domain/money/earnings-hold.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { issuePayout } from '#domain/money/ledger.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import {
  planWithdrawal,
  takeEarnings,
  usableAccount,
  withdrawalFee,
  type EarningLeft,
  type Earnings,
  type PayoutState,
  type PayoutTerms,
  type Withdrawal,
} from '#domain/money/payout.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { readAccount } from '#records/payout-accounts.ts';
import { findSelfBilled } from '#sql/invoices/self-billed-invoices.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { positionIn, sliceOf } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { NEVER, readEarnings, readHoldDays } from './held.ts';
import { lineItem, readLines } from './lines.ts';
import { PAYOUT_SORTS, payoutMoney, type Payout } from './schema.ts';
import { selfBilledRecord } from './self-billed.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

const NO_EARNINGS: Earnings = { availableMicros: 0, heldMicros: 0, reviewedMicros: 0, nextMs: undefined };

/** Venues named on a payout of a list; the payout itself names all. */
const VENUES_SHOWN_MAX = 100;

type PayoutRow = {
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

/** Withdrawals of the caller's workspace. Play money is never paid out, so test keys see none. */
export async function listPayouts(
  sql: Postgres,
  caller: Caller,
  { page, status }: { page: Page; status: string | undefined },
): Promise<List<Payout>> {
  const { behind, order } = sliceOf(sql, page, { sorts: PAYOUT_SORTS, handle: 'p.handle' });
  const rows = caller.sandbox
    ? []
    : await sql<PayoutRow[]>`
    ${selectPayouts(sql)} where p.workspace_handle = ${caller.workspace} ${behind}
      ${status === undefined ? sql`` : sql`and p.status = ${status}`}
    ${order}`;
  return envelope(rows, page, { positionOf: positionIn(page, PAYOUT_SORTS), recordOf: payoutRecord });
}

export async function readPayout(sql: Queryable, caller: Caller, handle: Handle<'payout'>) {
  if (caller.sandbox) return refuseAbsent();
  const [row] = await sql<
    PayoutRow[]
  >`${selectPayouts(sql)} where p.handle = ${handle} and p.workspace_handle = ${caller.workspace}`;
  if (!row) return refuseAbsent();
  const selfBilled = await findSelfBilled(sql, handle);
  return {
    ...payoutRecord(row),
    line_items: (await readLines(sql, handle)).map(line => lineItem(line, row.currency)),
    self_billed_invoice: selfBilled ? selfBilledRecord(selfBilled, row.currency) : null,
  };
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

/** Available and held earnings per currency. */
export async function readBalance(
  sql: Postgres,
  caller: Caller,
  { holdDays: installationDays, now }: { holdDays: number; now: Milliseconds },
) {
  const { workspace, sandbox } = caller;
  const [earnings, transit, terms] = await Promise.all([
    readEarnings(sql, { workspace, sandbox, holdDays: await readHoldDays(sql, workspace, installationDays), now }),
    sql<{ currency: string; micros: Micros }[]>`
      select currency, balance_micros as micros from ledger_accounts
      where workspace_handle = ${workspace} and book = ${sandbox ? 'sandbox' : 'live'} and kind = 'payout'`,
    readTerms(sql),
  ]);
  const inTransit = new Map(transit.map(({ currency, micros }) => [currency, micros]));
  return {
    balances: [...earnings].map(([currency, { availableMicros, heldMicros, reviewedMicros, nextMs }]) => ({
      available: payoutMoney(availableMicros, currency),
      held: payoutMoney(heldMicros, currency),
      under_review: payoutMoney(reviewedMicros, currency),
      next_release_at: nextMs === undefined ? null : new Date(nextMs).toISOString(),
      in_transit: payoutMoney(inTransit.get(currency) ?? 0, currency),
      fee: payoutMoney(withdrawalFee(terms.freeAboveMicros, currency, terms), currency),
    })),
    free_above: decimalFromMicros(terms.freeAboveMicros),
    fee: decimalFromMicros(terms.feeMicros),
  };
}

async function readTerms(sql: Queryable): Promise<PayoutTerms> {
  const [row] = await sql<
    PayoutTerms[]
  >`select payout_free_above_micros as "freeAboveMicros", payout_fee_micros as "feeMicros" from operator_settings`;
  return row!;
}

type PayoutRequest = { wantedMicros: Micros | undefined; currency: string; holdDays: number; now: Milliseconds };

/**
 * Withdraws earnings: the payout, what it takes of which day's earnings, and the ledger in one transaction. Withdrawals
 * of a workspace follow each other by the lock of its row, and the ledger refuses what the earnings do not hold.
 */
export async function createPayout(
  sql: Postgres,
  caller: Caller,
  { wantedMicros, currency, holdDays: installationDays, now }: PayoutRequest,
) {
  if (caller.sandbox) return refuse('state_conflict', 'Play money is not paid out.');
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    await unit.tx`select from workspaces where handle = ${caller.workspace} for no key update`;
    const account = usableAccount(await readAccount(unit.tx, caller.workspace), now);
    if (isRefusal(account)) return account;
    const holdDays = await readHoldDays(unit.tx, caller.workspace, installationDays);
    const earnings = (await readEarnings(unit.tx, { ...caller, holdDays, now })).get(currency) ?? NO_EARNINGS;
    const withdrawal = planWithdrawal({ wantedMicros, earnings, currency, terms: await readTerms(unit.tx) });
    if (isRefusal(withdrawal)) return withdrawal;
    const lefts = await lockEarnings(unit.tx, {
      workspace: caller.workspace,
      currency,
      amountMicros: withdrawal.amountMicros,
      from: heldFrom(now, holdDays),
    });
    const handle = isRefusal(lefts)
      ? lefts
      : await writePayout(unit, caller, { withdrawal, lefts, currency, account: account.handle });
    if (isRefusal(handle)) return handle;
    const payout = await readPayout(unit.tx, caller, handle);
    const { id, status, amount, gross_to_net: grossToNet } = payout as Payout;
    const entity = { workspace: caller.workspace, entityType: 'payout', entityHandle: handle };
    unit.audit({
      ...entity,
      action: 'payout.issued',
      diff: diffOfNew({ status, amount, sending_fee: grossToNet.sending_fee }),
    });
    unit.emit({
      ...entity,
      type: 'payout.issued',
      payload: { object: { id, status, amount, paid_out: grossToNet.paid_out } },
    });
    return payout;
  });
}

type NewPayout = { withdrawal: Withdrawal; lefts: readonly LockedEarning[]; currency: string; account: number };

async function writePayout(
  { tx, now, post }: Unit,
  { workspace }: Caller,
  { withdrawal: { amountMicros, feeMicros }, lefts, currency, account }: NewPayout,
): Promise<Handle<'payout'>> {
  const portions = takeEarnings(lefts, amountMicros);
  const [row] = await tx<{ handle: Handle<'payout'> }[]>`
    insert into payouts ${tx({
      workspace_handle: workspace,
      currency,
      status: 'issued',
      amount_micros: amountMicros,
      fee_micros: feeMicros,
      issued_at: now,
      account_handle: account,
    })} returning handle`;
  const handle = row!.handle;
  const column = (pick: (taken: EarningLeft) => number) => portions.map(({ taken }) => pick(taken));
  await tx`
    with line as (
      insert into payout_lines (payout_handle, earning_handle, plays, impressions_thousandths, gross_micros,
        earned_micros)
      select ${handle}::bigint, * from unnest(${portions.map(({ left }) => left.handle)}::bigint[],
        ${column(taken => taken.plays)}::bigint[], ${column(taken => taken.impressionsThousandths)}::bigint[],
        ${column(taken => taken.grossMicros)}::bigint[], ${column(taken => taken.earnedMicros)}::bigint[]) returning *)
    update venue_earnings as e set withdrawn_plays = withdrawn_plays + line.plays,
      withdrawn_impressions_thousandths = withdrawn_impressions_thousandths + line.impressions_thousandths,
      withdrawn_gross_micros = withdrawn_gross_micros + line.gross_micros,
        withdrawn_micros = withdrawn_micros + line.earned_micros
    from line where e.handle = line.earning_handle`;
  await post(
    issuePayout({ book: 'live', currency, workspace, amountMicros, feeMicros, reference: `payout:${handle}:issued` }),
  );
  return handle;
}

type LockedEarning = EarningLeft & { handle: Handle<'payout'>; day: string };

type EarningsToLock = {
  workspace: Handle<'workspace'>;
  currency: string;
  amountMicros: Micros;
  from: string | undefined;
};

/**
 * The oldest earnings that are not held (those settled on or after `from` are, and those that a finding is about) and
 * cover an amount, oldest first; locked in the order of the table's key, as settlement locks them.
 */
async function lockEarnings(
  tx: Unit['tx'],
  { workspace, currency, amountMicros, from = NEVER }: EarningsToLock,
): Promise<LockedEarning[] | Refusal> {
  const rows = await tx<LockedEarning[]>`
    select handle, to_char(day, 'YYYY-MM-DD') as day, plays - withdrawn_plays as plays,
      impressions_thousandths - withdrawn_impressions_thousandths as "impressionsThousandths",
      gross_micros - withdrawn_gross_micros as "grossMicros", earned_micros - withdrawn_micros as "earnedMicros"
    from venue_earnings where handle in (
      select handle from (select handle, sum(earned_micros - withdrawn_micros) over (order by day,
        handle) - (earned_micros - withdrawn_micros) as before
        from venue_earnings where workspace_handle = ${workspace} and currency = ${currency} and not sandbox
          and earned_micros > withdrawn_micros and settled_on < ${from}::date
          and not exists (select from findings f
            where f.is_holding and f.venue_handle = venue_earnings.venue_handle
            and venue_earnings.day between f.first_day and f.last_day)) as open
      where before < ${amountMicros}) and settled_on < ${from}::date
    order by venue_handle, currency, sandbox, day, tier, share_millionths for update`;
  // A settlement that added to an old day while this waited for its lock holds that whole day again.
  if (rows.reduce((sum, row) => sum + row.earnedMicros, 0) < amountMicros)
    return refuse(
      'earnings_held',
      'Plays of a day that was released were settled just now, which holds it again. Ask for what is available.',
    );
  return rows.sort((a, b) => (a.day === b.day ? a.handle - b.handle : a.day < b.day ? -1 : 1));
}

function payoutRecord(row: PayoutRow): Payout {
  const { currency } = row;
  const settledAt = row.settled_at?.toISOString() ?? null;
  return {
    id: formatId('payout', row.handle),
    period: row.issued_at.toISOString().slice(0, 7),
    status: row.status,
    amount: payoutMoney(row.amount_micros, currency),
    issued_at: row.issued_at.toISOString(),
    paid_at: row.status === 'paid' ? settledAt : null,
    failed_at: row.status === 'failed' ? settledAt : null,
    venues_count: row.venues_count,
    venues: row.venues.map(({ venue, micros }) => ({
      venue_id: formatId('venue', venue),
      earnings: payoutMoney(micros, currency),
    })),
    gross_to_net: {
      ad_revenue: payoutMoney(row.gross_micros, currency),
      platform_share: payoutMoney(row.gross_micros - row.amount_micros, currency),
      earnings: payoutMoney(row.amount_micros, currency),
      sending_fee: payoutMoney(row.fee_micros, currency),
      paid_out: payoutMoney(row.amount_micros - row.fee_micros, currency),
    },
  };
}
