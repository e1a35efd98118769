/**
 * Earnings by day, screen, venue or category: the rows of `venue_earnings`, divided into their lines. Rows from before
 * lines existed have a remainder without screen and category, so that all sums equal the ledger to the micro-unit.
 */
import { readHandle, formatId, type Handle } from '#domain/id.ts';
import { heldFrom } from '#domain/money/earnings-hold.ts';
import { roundThousandths } from '#domain/money/money.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { formatDate } from '#domain/time/calendar.ts';
import type { PlayGroups } from '#ingest/queue/play-groups.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import type { CsvTable } from '../formats/csv.ts';
import { envelope, type Page } from '../lists/paging.ts';
import { playedSql, zonesOfWorkspace, type EarnedDays } from './earned-days.ts';
import type { Earned, EarningsRecord, Group } from './schema.ts';
import { NEVER, readHoldDays } from '#sql/payouts/earnings.ts';
import { payoutMoney } from '../payouts/schema.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

type EarningsFilter = {
  group: Group;
  days: EarnedDays;
  venue: Handle<'venue'> | undefined;
  screen: Handle<'screen'> | undefined;
  page: Page;
};
export type EarningsEngines = { sql: Postgres; clickhouse: Clickhouse; playQueue: PlayQueue; playGroups: PlayGroups };
type Options = EarningsFilter & { holdDays: number; now: Milliseconds };

/**
 * Groups of plays normally wait seconds for settlement; this many come in an hour. Their names take 100 kB of the 256
 * KiB of a query.
 */
const GROUPS_MAX = 2_000;

export async function listEarnings(
  { sql, clickhouse, playQueue, playGroups }: EarningsEngines,
  caller: Caller,
  options: Options,
): Promise<Earned | Refusal> {
  const { group, days, page, venue } = options;
  // Read in this order: what is complete at `as_of` is in these groups, or was settled before the snapshot of Postgres.
  const asOf = await playQueue.asOf();
  const groups = await playGroups.unsettled(GROUPS_MAX);
  const zones = await zonesOfWorkspace(sql, { workspace: caller.workspace, venue });
  if (isRefusal(zones)) return zones;
  const holdDays = await readHoldDays(sql, caller.workspace, options.holdDays);
  const { rows, totals, waiting } = await sql.begin('isolation level repeatable read read only', async tx => {
    const parts = partsOf(tx, caller, {
      ...options,
      from: caller.sandbox ? undefined : heldFrom(options.now, holdDays),
    });
    return { ...(await readSums(tx, parts, options)), waiting: await unsettledOf(tx, groups) };
  });
  const notSettled = await readNotSettled(
    { sql, clickhouse },
    { groups: waiting, played: playedSql(zones, days), sandbox: caller.sandbox, screen: options.screen },
  );
  const names = await readNames(sql, group, rows);
  return {
    ...envelope(rows, page, {
      positionOf: row => `${row.key} ${row.currency}`,
      recordOf: row => ({ key: keyOf(group, row.key), name: names.get(row.key) ?? null, ...amountsOf(row) }),
    }),
    from: formatDate(days.first),
    to: formatDate(days.last),
    group_by: group,
    totals: totals.map(amountsOf),
    not_settled: notSettled,
    as_of: new Date(asOf).toISOString(),
  };
}

type Sums = {
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
type Row = Sums & { key: string };
type Fragment = ReturnType<Queryable>;

/**
 * The key of a group in the cursor and in the order of the list. Handles have a fixed width; a missing key comes last.
 */
const KEYS: Readonly<Record<Group, string>> = {
  day: `to_char(day, 'YYYY-MM-DD')`,
  screen: `coalesce(lpad(screen_handle::text, 16, '0'), '')`,
  venue: `lpad(venue_handle::text, 16, '0')`,
  category: `coalesce(category, '')`,
};
export const EARNINGS_POSITION = /^[A-Za-z0-9_.-]{0,80} [A-Z]{3}$/;

const SUMS = `currency, sum(plays)::bigint as plays, sum(impressions)::bigint as impressions, sum(gross)::bigint as gross, sum(earned)::bigint as earned, sum(withdrawn)::bigint as withdrawn,
  sum(case when is_held then 0 else earned - withdrawn end)::bigint as available, sum(case when is_held then earned - withdrawn else 0 end)::bigint as held, sum(reversed)::bigint as reversed`;
const SUMS_OF_GROUPS = ['plays', 'impressions', 'gross', 'earned', 'withdrawn', 'available', 'held', 'reversed']
  .map(name => `sum(${name})::bigint as ${name}`)
  .join();

/** The groups of a page and the sums of all groups, in one statement, which finds the rows of a group once. */
async function readSums(
  tx: Queryable,
  parts: Fragment,
  { group, page }: Options,
): Promise<{ rows: Row[]; totals: Sums[] }> {
  const [key = '', currency = ''] = page.after?.split(/ (?=[A-Z]{3}$)/) ?? [];
  const order = page.isDescending ? tx`key desc, currency collate "C" desc` : tx`key, currency collate "C"`;
  const found = await tx<(Sums & { key: string | null })[]>`
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
  { workspace, sandbox }: Caller,
  { group, days, venue, screen, from }: Options & { from: string | undefined },
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

async function unsettledOf(tx: Queryable, groups: readonly string[]): Promise<string[]> {
  if (groups.length === 0) return [];
  const rows = await tx<{ name: string }[]>`select name from unnest(${[...groups]}::text[]) as g (name)
    where not exists (select from settled_groups s where s.group_id = g.name)`;
  return rows.map(row => row.name);
}

type Waiting = { groups: readonly string[]; played: string; sandbox: boolean; screen: Handle<'screen'> | undefined };

async function readNotSettled(
  { sql, clickhouse }: Pick<EarningsEngines, 'sql' | 'clickhouse'>,
  { groups, played, sandbox, screen }: Waiting,
): Promise<Earned['not_settled']> {
  if (groups.length === 0) return [];
  const result = await clickhouse.query({
    query: `select toInt64(p.campaign_handle) as campaign, toInt64(count()) as plays,
        toInt64(sum(p.cost_micros)) as gross from plays_raw as p
      where group_id in (${groups.map(quoted).join(',')}) and not late and sandbox = {sandbox:Bool}
        and ${played} ${screen === undefined ? '' : 'and screen_id = {screen:String}'} group by campaign`,
    query_params: { sandbox, ...(screen !== undefined && { screen: formatId('screen', screen) }) },
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ campaign: Handle<'campaign'>; plays: number; gross: Micros }>();
  const sums = await sql<{ currency: string; plays: number; gross: Micros }[]>`
    select c.currency, sum(p.plays)::bigint as plays, sum(p.gross)::bigint as gross
    from unnest(${rows.map(row => row.campaign)}::bigint[], ${rows.map(row => row.plays)}::bigint[],
      ${rows.map(row => row.gross)}::bigint[]) as p (campaign, plays, gross)
    join campaigns c on c.handle = p.campaign group by 1 order by 1`;
  return sums.map(({ currency, plays, gross }) => ({ currency, plays, ad_revenue: payoutMoney(gross, currency) }));
}

/**
 * A group's name as SQL text. Names are the product's own. They are not parameters: those travel in the URL, which is
 * bounded.
 */
function quoted(group: string): string {
  return `'${group.replaceAll(/[^A-Za-z0-9_.:-]/g, '')}'`;
}

async function readNames(sql: Queryable, group: Group, rows: readonly Row[]): Promise<Map<string, string>> {
  if (group !== 'screen' && group !== 'venue') return new Map();
  const handles = rows.filter(row => row.key !== '').map(row => Number(row.key));
  const named =
    group === 'screen'
      ? await sql<{ handle: Handle<'screen'>; name: string }[]>`
        select handle, label as name from screens where handle = any(${handles}::bigint[])`
      : await sql<{ handle: Handle<'venue'>; name: string }[]>`
        select handle, name from venues where handle = any(${handles}::bigint[])`;
  return new Map(named.map(({ handle, name }) => [String(handle).padStart(16, '0'), name]));
}

function keyOf(group: Group, key: string): string | null {
  if (key === '') return null;
  return group === 'screen' || group === 'venue' ? formatId(group, readHandle(group, key)) : key;
}

function amountsOf({
  currency,
  plays,
  impressions,
  gross,
  earned,
  available,
  held,
  withdrawn,
  reversed,
}: Sums): Omit<EarningsRecord, 'key' | 'name'> {
  const of = (micros: Micros) => payoutMoney(micros, currency);
  return {
    currency,
    plays,
    impressions: roundThousandths(impressions),
    ad_revenue: of(gross),
    earnings: of(earned),
    available: of(available),
    held: of(held),
    withdrawn: of(withdrawn),
    reversed: of(reversed),
  };
}

/** A page of earnings as a table; the cursor of the next page is in a header. */
export function earningsTable({ data, group_by, as_of, next_cursor }: Earned): CsvTable {
  return {
    name: `earnings-by-${group_by}`,
    columns: [
      group_by,
      'name',
      'currency',
      'plays',
      'impressions',
      'ad_revenue',
      'earnings',
      'available',
      'held',
      'withdrawn',
      'reversed',
    ],
    rows: data.map(row => [
      row.key ?? '',
      row.name ?? '',
      row.currency,
      row.plays,
      row.impressions,
      row.ad_revenue.value,
      row.earnings.value,
      row.available.value,
      row.held.value,
      row.withdrawn.value,
      row.reversed.value,
    ]),
    headers: { 'x-as-of': as_of, ...(next_cursor !== null && { 'x-next-cursor': next_cursor }) },
  };
}
