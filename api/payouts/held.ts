/**
 * What a workspace has earned and not withdrawn, by currency, and how much of it is held: because it was settled only a
 * few days ago, or because a finding is under review. Play money is never withdrawn, so it is never held.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Handle } from '#domain/id.ts';
import { heldFrom, releasedAtMs } from '#domain/money/earnings-hold.ts';
import type { Earnings } from '#domain/money/payout.ts';
import type { Queryable } from '#sql/postgres.ts';

export type EarningsOf = { workspace: Handle<'workspace'>; sandbox: boolean; holdDays: number; now: Milliseconds };

/** A date after every settlement. */
export const NEVER = '9999-12-31';

/** For how many days the earnings of a workspace are held: its own number, or that of the installation. */
export async function readHoldDays(
  sql: Queryable,
  workspace: Handle<'workspace'>,
  installationDays: number,
): Promise<number> {
  const [row] = await sql<
    { days: number | null }[]
  >`select earnings_hold_days as days from workspaces where handle = ${workspace}`;
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
    where a.kind = 'earnings' and a.book = ${sandbox ? 'sandbox' : 'live'} and a.workspace_handle = ${workspace}
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
