/**
 * Earnings by day, screen, venue or category: the rows of `venue_earnings`, divided into their lines. Rows from before
 * lines existed have a remainder without screen and category, so that all sums equal the ledger to the micro-unit.
 */
import type { Handle } from '#domain/id.ts';
import { formatDate } from '#domain/time/calendar.ts';
import type { Micros } from '#domain/unit.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { readSettled } from '#sql/campaigns/settled-groups.ts';
import type { PageOrder } from '#sql/lists/sorts.ts';
import type { Fragment, Postgres, Queryable } from '#sql/postgres.ts';
import { NEVER } from './earnings.ts';

export const EARNINGS_GROUPS = ['day', 'screen', 'venue', 'category'] as const;
export type EarningsGroup = (typeof EARNINGS_GROUPS)[number];

/** Days of the venues, both included. */
export type EarnedDays = { first: number; last: number };
type EarningsFilter = {
  group: EarningsGroup;
  days: EarnedDays;
  venue: Handle<'venue'> | undefined;
  screen: Handle<'screen'> | undefined;
  page: PageOrder;
};

export type EarnedSums = {
  currency: string;
  plays: number;
  impressions: number;
  gross: Micros;
  earned: Micros;
  available: Micros;
  held: Micros;
  withdrawn: Micros;
  reversed: Micros;
};
export type EarnedRow = EarnedSums & { key: string };

/**
 * The key of a group in the cursor and in the order of the list. Handles have a fixed width; a missing key comes last.
 */
const KEYS: Readonly<Record<EarningsGroup, string>> = {
  day: `to_char(day, 'YYYY-MM-DD')`,
  screen: `coalesce(lpad(screen_handle::text, 16, '0'), '')`,
  venue: `lpad(venue_handle::text, 16, '0')`,
  category: `coalesce(category, '')`,
};

const SUMS = `currency, sum(plays)::bigint as plays, sum(impressions)::bigint as impressions, sum(gross)::bigint as gross, sum(earned)::bigint as earned, sum(withdrawn)::bigint as withdrawn,
  sum(case when is_held then 0 else earned - withdrawn end)::bigint as available, sum(case when is_held then earned - withdrawn else 0 end)::bigint as held, sum(reversed)::bigint as reversed`;
const SUMS_OF_GROUPS = ['plays', 'impressions', 'gross', 'earned', 'withdrawn', 'available', 'held', 'reversed']
  .map(name => `sum(${name})::bigint as ${name}`)
  .join();

/**
 * A page of the groups, the totals of all groups, and which of the given groups of plays were not settled when those
 * were read. `from`: earnings that were settled on this day or later are held; undefined: none is, in the sandbox.
 */
export async function readEarned(
  sql: Postgres,
  owner: Owner,
  { groups, ...filter }: EarningsFilter & { from: string | undefined; groups: readonly string[] },
): Promise<{ rows: EarnedRow[]; totals: EarnedSums[]; unsettled: string[] }> {
  return sql.begin('isolation level repeatable read read only', async tx => {
    const sums = await readSums(tx, partsOf(tx, owner, filter), filter);
    const settled = await readSettled(tx, groups);
    return { ...sums, unsettled: groups.filter(group => !settled.has(group)) };
  });
}

/** The groups of a page and the sums of all groups, in one statement, which finds the rows of a group once. */
async function readSums(
  tx: Queryable,
  parts: Fragment,
  { group, page }: EarningsFilter,
): Promise<{ rows: EarnedRow[]; totals: EarnedSums[] }> {
  const [key = '', currency = ''] = page.after?.split(/ (?=[A-Z]{3}$)/) ?? [];
  const order = page.isDescending ? tx`key desc, currency collate "C" desc` : tx`key, currency collate "C"`;
  const found = await tx<(EarnedSums & { key: string | null })[]>`
    ${parts},
    grouped as (select ${tx.unsafe(KEYS[group])} collate "C" as key, ${tx.unsafe(SUMS)} from parts group by 1, 2),
    page as (select * from grouped
      ${
        page.after === undefined
          ? tx``
          : tx`where (key, currency) ${page.isDescending ? tx`<` : tx`>`} (${key} collate "C", ${currency} collate "C")`
      }
      order by ${order} limit ${page.limit + 1})
    select * from (
      select * from page
      union all select null, currency, ${tx.unsafe(SUMS_OF_GROUPS)} from grouped group by currency) as listed
    order by key is null, ${order}`;
  const totals = found.filter(row => row.key === null);
  return {
    rows: found.flatMap(row => (row.key === null ? [] : [{ ...row, key: row.key }])),
    totals: page.isDescending ? totals.reverse() : totals,
  };
}

/**
 * The common table `parts`: the rows of earnings with their state and what of them was withdrawn and reversed; divided
 * by screen and category only on request, because that costs several times as much.
 */
function partsOf(
  tx: Queryable,
  { workspace, sandbox }: Owner,
  { group, days, venue, screen, from }: EarningsFilter & { from: string | undefined },
): Fragment {
  const isHeld = sandbox
    ? tx`false`
    : tx`(e.settled_on >= ${from ?? NEVER}::date
        or exists (select from findings f where f.is_holding and f.venue_handle = e.venue_handle
        and e.day between f.first_day and f.last_day))`;
  const isWhole = screen === undefined && (group === 'day' || group === 'venue');
  return tx`
    with earning as (
      select e.*, ${isHeld} as is_held from venue_earnings e
      where workspace_handle = ${workspace} and sandbox = ${sandbox}
        and day between ${formatDate(days.first)}::date and ${formatDate(days.last)}::date
        ${venue === undefined ? tx`` : tx`and venue_handle = ${venue}`}),
    turned_back as (select earning_handle, sum(earned_micros)::bigint as micros from earning_reversals
      where earning_handle in (select handle from earning) group by 1),
    ${isWhole ? wholeParts(tx) : dividedParts(tx, screen)}`;
}

function wholeParts(tx: Queryable): Fragment {
  return tx`
    parts as (
      select e.currency, e.day, e.venue_handle, e.is_held, e.plays, e.impressions_thousandths as impressions,
        e.gross_micros as gross, e.earned_micros as earned, e.withdrawn_micros as withdrawn,
        coalesce(r.micros, 0) as reversed
      from earning e left join turned_back r on r.earning_handle = e.handle)`;
}

/**
 * The withdrawn part of a row is divided among its lines. If none or all of it was withdrawn, each line is computed
 * alone. Otherwise the lines share it in a fixed order, so that the shares add up. Sums are cast back at once: sums of
 * bigints are numerics, which cost several times as much.
 */
function dividedParts(tx: Queryable, screen: Handle<'screen'> | undefined): Fragment {
  const sums = tx.unsafe(
    ['plays', 'impressions', 'gross', 'earned', 'reversed'].map(name => `sum(${name})::bigint as ${name}`).join(),
  );
  return tx`
    line as (
      select earning_handle, screen_handle, category, plays, impressions_thousandths as impressions,
        gross_micros as gross, earned_micros as earned, 0::bigint as reversed
      from earning_lines where earning_handle in (select handle from earning)
      union all
      select earning_handle, screen_handle, category, -plays, -impressions_thousandths, -gross_micros, -earned_micros,
        earned_micros
      from earning_reversal_lines where earning_handle in (select handle from earning)),
    every as (
      select * from line union all
      select e.handle, null, null, e.plays - coalesce(k.plays, 0),
        e.impressions_thousandths - coalesce(k.impressions, 0), e.gross_micros - coalesce(k.gross, 0),
        e.earned_micros - coalesce(k.earned, 0),
        coalesce(r.micros, 0) - coalesce(k.reversed, 0)
      from earning e
      left join (select earning_handle, ${sums} from line group by 1) k on k.earning_handle = e.handle
      left join turned_back r on r.earning_handle = e.handle
      where (e.plays, e.gross_micros, e.earned_micros, coalesce(r.micros, 0)) <> (coalesce(k.plays, 0),
        coalesce(k.gross, 0), coalesce(k.earned, 0), coalesce(k.reversed, 0))),
    shared as (
      select v.*, e.currency, e.day, e.venue_handle, e.is_held,
        case when e.withdrawn_micros = 0 then 0 else v.earned end as withdrawn
      from every v join earning e on e.handle = v.earning_handle where e.withdrawn_micros in (0, e.earned_micros)
      union all
      select v.*, e.currency, e.day, e.venue_handle, e.is_held,
        (floor(sum(v.earned) over w * e.withdrawn_micros / e.earned_micros) - floor((sum(v.earned) over w - v.earned) *
          e.withdrawn_micros / e.earned_micros))::bigint
      from (select earning_handle, screen_handle, category, ${sums} from every
          where earning_handle in (select handle from earning where withdrawn_micros not in (0, earned_micros))
          group by 1, 2, 3) v
        join earning e on e.handle = v.earning_handle
      window w as (partition by v.earning_handle
        order by v.screen_handle nulls last, v.category nulls last rows unbounded preceding)),
    parts as (select * from shared ${screen === undefined ? tx`` : tx`where screen_handle = ${screen}`})`;
}

type CampaignSum = { campaign: Handle<'campaign'>; plays: number; gross: Micros };

/** Sums of campaigns, added up by the currency of the campaign. */
export async function sumByCurrency(
  sql: Queryable,
  sums: readonly CampaignSum[],
): Promise<{ currency: string; plays: number; gross: Micros }[]> {
  return sql<{ currency: string; plays: number; gross: Micros }[]>`
    select c.currency, sum(p.plays)::bigint as plays, sum(p.gross)::bigint as gross
    from unnest(${sums.map(sum => sum.campaign)}::bigint[], ${sums.map(sum => sum.plays)}::bigint[],
      ${sums.map(sum => sum.gross)}::bigint[]) as p (campaign, plays, gross)
    join campaigns c on c.handle = p.campaign group by 1 order by 1`;
}
