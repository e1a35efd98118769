/**
 * Earnings that were not withdrawn, by currency, and how much of them is held: because they were settled only a few
 * days ago, or because a finding is under review. Play money is never withdrawn, so it is never held. Withdrawals take
 * earnings, and failed payouts give them back.
 */
import type { Handle } from '#domain/id.ts';
import { heldFrom, releasedAtMs } from '#domain/money/earnings-hold.ts';
import { bookOf } from '#domain/money/ledger.ts';
import { takeEarnings, type EarningLeft, type Earnings } from '#domain/money/payout.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Queryable, Transaction } from '#sql/postgres.ts';

type EarningsOf = { workspace: Handle<'workspace'>; sandbox: boolean; holdDays: number; now: Milliseconds };

/** A date after every settlement. */
export const NEVER = '9999-12-31';

/** For how many days the earnings of a workspace are held: its own number, or that of the installation. */
export async function readHoldDays(
  sql: Queryable,
  workspace: Handle<'workspace'>,
  installationDays: number,
): Promise<number> {
  const [row] = await sql<{ days: number | null }[]>`
    select earnings_hold_days as days from workspaces where handle = ${workspace}`;
  return row?.days ?? installationDays;
}

/** Reads everything in one statement: with two, a settlement in between would show held earnings as available. */
export async function readEarnings(
  sql: Queryable,
  { workspace, sandbox, holdDays, now }: EarningsOf,
): Promise<Map<string, Earnings>> {
  const from = sandbox ? undefined : heldFrom(now, holdDays);
  const rows = await sql<{ currency: string; balance: number; held: number; reviewed: number; first: string | null }[]>`
    with reviewed as (
      select distinct e.handle from findings f
      join venue_earnings e on e.venue_handle = f.venue_handle and e.day between f.first_day and f.last_day
      where f.workspace_handle = ${workspace} and f.is_holding and not e.sandbox
        and e.earned_micros > e.withdrawn_micros),
    held as (
      select handle from venue_earnings where workspace_handle = ${workspace} and not sandbox
        and earned_micros > withdrawn_micros and settled_on >= ${from ?? NEVER}::date union select handle from reviewed)
    select a.currency, a.balance_micros as balance, coalesce(h.micros, 0)::bigint as held,
      coalesce(h.reviewed, 0)::bigint as reviewed, h.first from ledger_accounts a left join (
      select currency, sum(earned_micros - withdrawn_micros) as micros,
        sum(earned_micros - withdrawn_micros) filter (where handle in (select handle from reviewed)) as reviewed,
        to_char(min(settled_on) filter (where handle not in (select handle from reviewed)), 'YYYY-MM-DD') as first
      from venue_earnings where handle in (select handle from held) and not ${sandbox}
      group by currency) h on h.currency = a.currency
    where a.kind = 'earnings' and a.book = ${bookOf({ sandbox })} and a.workspace_handle = ${workspace}
    order by a.currency`;
  return new Map(
    rows.map(({ currency, balance, held, reviewed, first }) => [
      currency,
      {
        availableMicros: balance - held,
        heldMicros: held,
        reviewedMicros: reviewed,
        nextMs: first === null ? undefined : releasedAtMs(first, holdDays),
      },
    ]),
  );
}

type LockedEarning = EarningLeft & { handle: Handle<'earning'>; day: string };

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
export async function lockEarnings(
  tx: Transaction,
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

/** Takes an amount of locked earnings, oldest first, as the lines of a payout. */
export async function withdrawEarnings(
  tx: Transaction,
  payout: Handle<'payout'>,
  { lefts, amountMicros }: { lefts: readonly LockedEarning[]; amountMicros: Micros },
): Promise<void> {
  const portions = takeEarnings(lefts, amountMicros);
  const column = (pick: (taken: EarningLeft) => number) => portions.map(({ taken }) => pick(taken));
  await tx`
    with line as (
      insert into payout_lines (payout_handle, earning_handle, plays, impressions_thousandths, gross_micros,
        earned_micros)
      select ${payout}::bigint, * from unnest(${portions.map(({ left }) => left.handle)}::bigint[],
        ${column(taken => taken.plays)}::bigint[], ${column(taken => taken.impressionsThousandths)}::bigint[],
        ${column(taken => taken.grossMicros)}::bigint[], ${column(taken => taken.earnedMicros)}::bigint[]) returning *)
    update venue_earnings as e set withdrawn_plays = withdrawn_plays + line.plays,
      withdrawn_impressions_thousandths = withdrawn_impressions_thousandths + line.impressions_thousandths,
      withdrawn_gross_micros = withdrawn_gross_micros + line.gross_micros,
        withdrawn_micros = withdrawn_micros + line.earned_micros
    from line where e.handle = line.earning_handle`;
}

/** Gives the earnings of a payout back, in the order in which all who change earnings lock them. */
export async function returnEarnings(tx: Transaction, payout: Handle<'payout'>): Promise<void> {
  await tx`select from venue_earnings where handle in (select earning_handle from payout_lines
      where payout_handle = ${payout})
    order by venue_handle, currency, sandbox, day, tier, share_millionths for update`;
  await tx`
    update venue_earnings as e set withdrawn_plays = withdrawn_plays - l.plays,
      withdrawn_impressions_thousandths = withdrawn_impressions_thousandths - l.impressions_thousandths,
      withdrawn_gross_micros = withdrawn_gross_micros - l.gross_micros,
        withdrawn_micros = withdrawn_micros - l.earned_micros
    from payout_lines l where l.payout_handle = ${payout} and e.handle = l.earning_handle`;
}
