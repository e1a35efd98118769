/**
 * Statements of live earnings by month (UTC, by the time of booking) and currency. They are added up from the bookings
 * on request: a month that is over does not change any more. Nothing in them is rounded.
 */
import type { Handle } from '#domain/id.ts';
import type { PayoutState } from '#domain/money/payout.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Owner } from '#books/unit-of-work.ts';
import type { PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';

export type StatementRow = {
  month: string;
  currency: string;
  opening: Micros;
  earned: Micros;
  reversed: Micros;
  withdrawn: Micros;
  returned: Micros;
  closing: Micros;
};
type ScreenRow = {
  screen: Handle<'screen'>;
  label: string;
  venue: Handle<'venue'>;
  name: string;
  plays: number;
  impressions: number;
  gross: Micros;
  earned: Micros;
};
type AdjustmentRow = { at: Date; finding: Handle<'finding'>; micros: Micros };
type WithdrawalRow = { handle: Handle<'payout'>; at: Date; status: PayoutState; amount: Micros; fee: Micros };
type ReturnedRow = { handle: Handle<'payout'>; at: Date; amount: Micros };

/** A statement with its lines. What was earned beyond the lines of screens was booked before lines existed. */
export type StoredStatement = {
  summary: StatementRow;
  screens: ScreenRow[];
  adjustments: AdjustmentRow[];
  withdrawals: WithdrawalRow[];
  returned: ReturnedRow[];
};

const NO_BOOKINGS = { opening: 0, earned: 0, reversed: 0, withdrawn: 0, returned: 0, closing: 0 };

export const statementPositionOf = ({ month, currency }: StatementRow): string => `${month} ${currency}`;

/** A page of statements, from the first month with a booking to this one. There are none of play money. */
export async function listStatements(
  sql: Postgres,
  { workspace, sandbox }: Owner,
  { page, month, now }: { page: PageOrder; month: string | undefined; now: Milliseconds },
): Promise<StatementRow[]> {
  if (sandbox) return [];
  const [afterMonth = '', afterCurrency = ''] = page.after?.split(' ') ?? [];
  return sql<StatementRow[]>`
    ${summaries(sql, workspace, now)} select * from summary
    where true ${month === undefined ? sql`` : sql`and month = ${month}`}
    ${
      page.after === undefined
        ? sql``
        : sql`and (month, currency) ${page.isDescending ? sql`<` : sql`>`} (${afterMonth}, ${afterCurrency})`
    }
    order by ${page.isDescending ? sql`month desc, currency desc` : sql`month, currency`} limit ${page.limit + 1}`;
}

/** The statement of a month that has begun; one without bookings is of zeros. Undefined for other months. */
export async function findStatement(
  sql: Postgres,
  { workspace, sandbox }: Owner,
  { month, currency, now }: { month: string; currency: string; now: Milliseconds },
): Promise<StoredStatement | undefined> {
  if (sandbox || !/^20[0-9]{2}-(0[1-9]|1[0-2])$/.test(month) || month > monthOf(now)) return undefined;
  const scope = { workspace, currency, from: `${month}-01` };
  return sql.begin('isolation level repeatable read read only', async tx => {
    const [row] = await tx<StatementRow[]>`
      ${summaries(tx, workspace, now)} select * from summary where month = ${month} and currency = ${currency}`;
    return {
      summary: row ?? { month, currency, ...NO_BOOKINGS },
      screens: await readScreens(tx, scope),
      adjustments: await readAdjustments(tx, scope),
      withdrawals: await readWithdrawals(tx, scope),
      returned: await readReturned(tx, scope),
    };
  });
}

export function monthOf(ms: Milliseconds): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** The common table `summary`: each month with its balances. */
function summaries(sql: Queryable, workspace: Handle<'workspace'>, now: Milliseconds) {
  return sql`
    with booked as (
      select currency, settled_on as day, earned_micros as earned, 0 as reversed, 0 as withdrawn, 0 as returned
      from earnings_days where workspace_handle = ${workspace} and not sandbox
      union all select e.currency, (t.taken_at at time zone 'UTC')::date, 0, r.earned_micros, 0, 0
        from venue_earnings e join earning_reversals r on r.earning_handle = e.handle
        join play_takings t on t.handle = r.taking_handle where e.workspace_handle = ${workspace} and not e.sandbox
      union all select currency, (issued_at at time zone 'UTC')::date, 0, 0, amount_micros, 0 from payouts
      where workspace_handle = ${workspace}
      union all select currency, (settled_at at time zone 'UTC')::date, 0, 0, 0, amount_micros from payouts
      where workspace_handle = ${workspace} and status = 'failed'),
    months as (
      select currency, generate_series(min(date_trunc('month', day)), ${`${monthOf(now)}-01`}::date,
        interval '1 month')::date as first from booked group by currency),
    summed as (
      select m.currency, m.first, coalesce(sum(b.earned), 0) as earned, coalesce(sum(b.reversed), 0) as reversed,
        coalesce(sum(b.withdrawn), 0) as withdrawn, coalesce(sum(b.returned), 0) as returned
      from months m left join booked b on b.currency = m.currency and b.day >= m.first
        and b.day < m.first + interval '1 month' group by 1, 2),
    balanced as (select *, sum(earned - reversed - withdrawn + returned) over (partition by currency
      order by first) as closing from summed),
    summary as (
      select to_char(first, 'YYYY-MM') as month, currency, earned::bigint, reversed::bigint, withdrawn::bigint,
        returned::bigint, closing::bigint,
        (closing - earned + reversed + withdrawn - returned)::bigint as opening from balanced)`;
}

type Scope = { workspace: Handle<'workspace'>; currency: string; from: string };

async function readScreens(tx: Queryable, { workspace, currency, from }: Scope): Promise<ScreenRow[]> {
  return tx<ScreenRow[]>`
    select l.screen_handle as screen, s.label, e.venue_handle as venue, v.name, sum(l.plays)::bigint as plays,
      sum(l.impressions_thousandths)::bigint as impressions,
      sum(l.gross_micros)::bigint as gross, sum(l.earned_micros)::bigint as earned
    from venue_earnings e join earning_lines l on l.earning_handle = e.handle
    join screens s on s.handle = l.screen_handle join venues v on v.handle = e.venue_handle
    where e.workspace_handle = ${workspace} and not e.sandbox and e.currency = ${currency}
      and l.settled_on >= ${from}::date and l.settled_on < ${from}::date + interval '1 month'
    group by 1, 2, 3, 4 order by venue, screen`;
}

async function readAdjustments(tx: Queryable, { workspace, currency, from }: Scope): Promise<AdjustmentRow[]> {
  return tx<AdjustmentRow[]>`
    select t.taken_at as at, t.finding_handle as finding, sum(r.earned_micros)::bigint as micros
    from venue_earnings e join earning_reversals r on r.earning_handle = e.handle
    join play_takings t on t.handle = r.taking_handle
    where e.workspace_handle = ${workspace} and not e.sandbox and e.currency = ${currency}
      and t.taken_at >= ${from}::date and t.taken_at < ${from}::date + interval '1 month'
    group by t.handle having sum(r.earned_micros) > 0 order by t.taken_at, t.handle`;
}

async function readWithdrawals(tx: Queryable, { workspace, currency, from }: Scope): Promise<WithdrawalRow[]> {
  return tx<WithdrawalRow[]>`
    select handle, issued_at as at, status, amount_micros as amount, fee_micros as fee from payouts
    where workspace_handle = ${workspace} and currency = ${currency} and issued_at >= ${from}::date
      and issued_at < ${from}::date + interval '1 month' order by handle`;
}

async function readReturned(tx: Queryable, { workspace, currency, from }: Scope): Promise<ReturnedRow[]> {
  return tx<ReturnedRow[]>`
    select handle, settled_at as at, amount_micros as amount from payouts
    where workspace_handle = ${workspace} and currency = ${currency} and status = 'failed'
      and settled_at >= ${from}::date and settled_at < ${from}::date + interval '1 month' order by settled_at, handle`;
}

/** The names on the PDF of a statement: who pays, and who is paid. */
export async function readParties(
  sql: Queryable,
  workspace: Handle<'workspace'>,
): Promise<{ operator: string; venue: string }> {
  const [parties] = await sql<{ operator: string; venue: string }[]>`
    select o.name as operator, w.name as venue from operator_settings o, workspaces w where w.handle = ${workspace}`;
  return parties!;
}
