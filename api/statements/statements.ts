/**
 * Statements of a workspace's live earnings, by month (UTC, by the time of booking) and currency. They are added up
 * from the bookings on request: a month that is over does not change any more. Nothing in them is rounded.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { roundThousandths } from '#domain/money/money.ts';
import type { PayoutState } from '#domain/money/payout.ts';
import type { Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import type { CsvTable } from '../formats/csv.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { payoutMoney } from '../payouts/schema.ts';
import type { Statement, StatementSummary } from './schema.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

export type PdfLink = (statement: { month: string; currency: string }) => { pdf_url: string; pdf_expires_at: string };
type SummaryRow = {
  month: string;
  currency: string;
  opening: Micros;
  earned: Micros;
  reversed: Micros;
  withdrawn: Micros;
  returned: Micros;
  closing: Micros;
};

/** A transaction that began in the month has ended by then. */
const FINAL_AFTER_MS = 3_600_000;
export const STATEMENT_POSITION = /^20[0-9]{2}-[0-9]{2} [A-Z]{3}$/;

type StatementsQuery = { page: Page; month: string | undefined; now: Milliseconds; link: PdfLink };

/** From the first month with a booking to this one. There are none of play money. */
export async function listStatements(
  sql: Postgres,
  caller: Caller,
  { page, month, now, link }: StatementsQuery,
): Promise<List<StatementSummary>> {
  const [afterMonth = '', afterCurrency = ''] = page.after?.split(' ') ?? [];
  const rows = caller.sandbox
    ? []
    : await sql<SummaryRow[]>`
    ${summaries(sql, caller.workspace, now)} select * from summary
    where true ${month === undefined ? sql`` : sql`and month = ${month}`}
    ${
      page.after === undefined
        ? sql``
        : sql`and (month, currency) ${page.isDescending ? sql`<` : sql`>`} (${afterMonth}, ${afterCurrency})`
    }
    order by ${page.isDescending ? sql`month desc, currency desc` : sql`month, currency`} limit ${page.limit + 1}`;
  return envelope(rows, page, {
    positionOf: row => `${row.month} ${row.currency}`,
    recordOf: row => summaryRecord(row, { now, link }),
  });
}

/** The statement of a month that has begun; one without bookings is of zeros. */
export async function readStatement(
  sql: Postgres,
  { workspace, sandbox }: Pick<Caller, 'workspace' | 'sandbox'>,
  { month, currency, now, link }: { month: string; currency: string; now: Milliseconds; link: PdfLink },
): Promise<Statement | Refusal> {
  if (sandbox || !/^20[0-9]{2}-(0[1-9]|1[0-2])$/.test(month) || month > monthOf(now)) return refuseAbsent();
  return sql.begin('isolation level repeatable read read only', async tx => {
    const [row] = await tx<SummaryRow[]>`
      ${summaries(tx, workspace, now)} select * from summary where month = ${month} and currency = ${currency}`;
    const summary = row ?? {
      month,
      currency,
      opening: 0,
      earned: 0,
      reversed: 0,
      withdrawn: 0,
      returned: 0,
      closing: 0,
    };
    const of = { workspace, currency, from: `${month}-01` };
    return {
      ...summaryRecord(summary, { now, link }),
      by_screen: await readScreens(tx, of, summary.earned),
      adjustment_lines: await readAdjustments(tx, of),
      withdrawal_lines: await readWithdrawals(tx, of),
      returned_lines: await readReturned(tx, of),
    };
  });
}

function monthOf(ms: Milliseconds): string {
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

type StatementScope = { workspace: Handle<'workspace'>; currency: string; from: string };
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

/** The rest beyond the lines of screens was booked before lines existed. */
async function readScreens(
  tx: Queryable,
  { workspace, currency, from }: StatementScope,
  earnedMicros: Micros,
): Promise<Statement['by_screen']> {
  const rows = await tx<ScreenRow[]>`
    select l.screen_handle as screen, s.label, e.venue_handle as venue, v.name, sum(l.plays)::bigint as plays,
      sum(l.impressions_thousandths)::bigint as impressions,
      sum(l.gross_micros)::bigint as gross, sum(l.earned_micros)::bigint as earned
    from venue_earnings e join earning_lines l on l.earning_handle = e.handle
    join screens s on s.handle = l.screen_handle join venues v on v.handle = e.venue_handle
    where e.workspace_handle = ${workspace} and not e.sandbox and e.currency = ${currency}
      and l.settled_on >= ${from}::date and l.settled_on < ${from}::date + interval '1 month'
    group by 1, 2, 3, 4 order by venue, screen`;
  const of = (micros: Micros) => payoutMoney(micros, currency);
  const restMicros = earnedMicros - rows.reduce((sum, row) => sum + row.earned, 0);
  return [
    ...rows.map(row => ({
      screen_id: formatId('screen', row.screen),
      screen_label: row.label,
      venue_id: formatId('venue', row.venue),
      venue_name: row.name,
      plays: row.plays,
      impressions: roundThousandths(row.impressions),
      ad_revenue: of(row.gross),
      earnings: of(row.earned),
    })),
    ...(restMicros === 0
      ? []
      : [
          {
            screen_id: null,
            screen_label: null,
            venue_id: null,
            venue_name: null,
            plays: null,
            impressions: null,
            ad_revenue: null,
            earnings: of(restMicros),
          },
        ]),
  ];
}

async function readAdjustments(
  tx: Queryable,
  { workspace, currency, from }: StatementScope,
): Promise<Statement['adjustment_lines']> {
  const rows = await tx<{ at: Date; finding: Handle<'finding'>; micros: Micros }[]>`
    select t.taken_at as at, t.finding_handle as finding, sum(r.earned_micros)::bigint as micros
    from venue_earnings e join earning_reversals r on r.earning_handle = e.handle
    join play_takings t on t.handle = r.taking_handle
    where e.workspace_handle = ${workspace} and not e.sandbox and e.currency = ${currency}
      and t.taken_at >= ${from}::date and t.taken_at < ${from}::date + interval '1 month'
    group by t.handle having sum(r.earned_micros) > 0 order by t.taken_at, t.handle`;
  return rows.map(({ at, finding, micros }) => ({
    at: at.toISOString(),
    finding_id: formatId('finding', finding),
    reversed: payoutMoney(micros, currency),
  }));
}

async function readWithdrawals(
  tx: Queryable,
  { workspace, currency, from }: StatementScope,
): Promise<Statement['withdrawal_lines']> {
  const rows = await tx<{ handle: Handle<'payout'>; at: Date; status: PayoutState; amount: number; fee: number }[]>`
    select handle, issued_at as at, status, amount_micros as amount, fee_micros as fee from payouts
    where workspace_handle = ${workspace} and currency = ${currency} and issued_at >= ${from}::date
      and issued_at < ${from}::date + interval '1 month' order by handle`;
  return rows.map(row => ({
    payout_id: formatId('payout', row.handle),
    at: row.at.toISOString(),
    status: row.status,
    amount: payoutMoney(row.amount, currency),
    sending_fee: payoutMoney(row.fee, currency),
  }));
}

async function readReturned(
  tx: Queryable,
  { workspace, currency, from }: StatementScope,
): Promise<Statement['returned_lines']> {
  const rows = await tx<{ handle: Handle<'payout'>; at: Date; amount: number }[]>`
    select handle, settled_at as at, amount_micros as amount from payouts
    where workspace_handle = ${workspace} and currency = ${currency} and status = 'failed'
      and settled_at >= ${from}::date and settled_at < ${from}::date + interval '1 month' order by settled_at, handle`;
  return rows.map(row => ({
    payout_id: formatId('payout', row.handle),
    at: row.at.toISOString(),
    amount: payoutMoney(row.amount, currency),
  }));
}

function summaryRecord(
  { month, currency, opening, earned, reversed, withdrawn, returned, closing }: SummaryRow,
  { now, link }: { now: Milliseconds; link: PdfLink },
): StatementSummary {
  const of = (micros: Micros) => payoutMoney(micros, currency);
  return {
    month,
    currency,
    is_final: monthOf(now - FINAL_AFTER_MS) > month,
    opening_balance: of(opening),
    earnings: of(earned),
    adjustments: of(reversed),
    withdrawals: of(withdrawn),
    returned: of(returned),
    closing_balance: of(closing),
    ...link({ month, currency }),
  };
}

/** A statement as lines whose amounts add up, from the opening balance on, to the closing balance. */
export function statementTable(statement: Statement): CsvTable {
  const { month, currency, opening_balance: opening, closing_balance: closing } = statement;
  const line = (
    type: string,
    amount: number,
    {
      at = '',
      id = '',
      name = '',
      plays = '',
      revenue = '',
    }: Partial<Record<'at' | 'id' | 'name', string> & Record<'plays' | 'revenue', string | number>> = {},
  ) => [type, at, id, name, plays, revenue, amount, currency];
  return {
    name: `statement-${month}-${currency}`,
    columns: ['type', 'at', 'id', 'name', 'plays', 'ad_revenue', 'amount', 'currency'],
    rows: [
      line('opening_balance', opening.value, { at: `${month}-01` }),
      ...statement.by_screen.map(row =>
        line('earnings', row.earnings.value, {
          id: row.screen_id ?? '',
          name: row.screen_id === null ? '' : `${row.venue_name}, ${row.screen_label}`,
          plays: row.plays ?? '',
          revenue: row.ad_revenue?.value ?? '',
        }),
      ),
      ...statement.adjustment_lines.map(row =>
        line('adjustment', -row.reversed.value, { at: row.at, id: row.finding_id }),
      ),
      ...statement.withdrawal_lines.map(row =>
        line('withdrawal', -row.amount.value, { at: row.at, id: row.payout_id }),
      ),
      ...statement.returned_lines.map(row => line('returned', row.amount.value, { at: row.at, id: row.payout_id })),
      line('closing_balance', closing.value),
    ],
  };
}
