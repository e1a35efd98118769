/** Earnings by day, screen, venue or category, with what is not settled yet. Their sums equal the ledger. */
import { readHandle, formatId, type Handle } from '#domain/id.ts';
import { heldFrom } from '#domain/money/earnings-hold.ts';
import { roundThousandths } from '#domain/money/money.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { formatDate } from '#domain/time/calendar.ts';
import type { PlayGroups } from '#ingest/queue/play-groups.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { nameScreens, nameVenues } from '#sql/names/names.ts';
import {
  readEarned,
  sumByCurrency,
  type EarnedDays,
  type EarnedSums,
  type EarningsGroup,
} from '#sql/payouts/earned-sums.ts';
import { readHoldDays } from '#sql/payouts/earnings.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import type { CsvTable } from '../formats/csv.ts';
import { envelope, type Page } from '../lists/paging.ts';
import { payoutMoney } from '../payouts/schema.ts';
import { playedSql, zonesOfWorkspace } from './earned-days.ts';
import type { Earned, EarningsRecord } from './schema.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

export const EARNINGS_POSITION = /^[A-Za-z0-9_.-]{0,80} [A-Z]{3}$/;

type EarningsFilter = {
  group: EarningsGroup;
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
  const { rows, totals, unsettled } = await readEarned(sql, caller, {
    ...options,
    from: caller.sandbox ? undefined : heldFrom(options.now, holdDays),
    groups,
  });
  const notSettled = await readNotSettled(
    { sql, clickhouse },
    { groups: unsettled, played: playedSql(zones, days), sandbox: caller.sandbox, screen: options.screen },
  );
  const nameOf = await namesOf(sql, group, rows);
  return {
    ...envelope(rows, page, {
      positionOf: row => `${row.key} ${row.currency}`,
      recordOf: row => ({ key: keyOf(group, row.key), name: nameOf(row.key), ...amountsOf(row) }),
    }),
    from: formatDate(days.first),
    to: formatDate(days.last),
    group_by: group,
    totals: totals.map(amountsOf),
    not_settled: notSettled,
    as_of: new Date(asOf).toISOString(),
  };
}

type Waiting = { groups: readonly string[]; played: string; sandbox: boolean; screen: Handle<'screen'> | undefined };

async function readNotSettled(
  { sql, clickhouse }: Pick<EarningsEngines, 'sql' | 'clickhouse'>,
  { groups, played, sandbox, screen }: Waiting,
): Promise<Earned['not_settled']> {
  if (groups.length === 0) return [];
  const rows = await queryRows<{ campaign: Handle<'campaign'>; plays: number; gross: Micros }>(clickhouse, {
    query: `select toInt64(p.campaign_handle) as campaign, toInt64(count()) as plays,
        toInt64(sum(p.cost_micros)) as gross from plays_raw as p
      where group_id in (${groups.map(quoted).join(',')}) and not late and sandbox = {sandbox:Bool}
        and ${played} ${screen === undefined ? '' : 'and screen_id = {screen:String}'} group by campaign`,
    query_params: { sandbox, ...(screen !== undefined && { screen: formatId('screen', screen) }) },
  });
  const sums = await sumByCurrency(sql, rows);
  return sums.map(({ currency, plays, gross }) => ({ currency, plays, ad_revenue: payoutMoney(gross, currency) }));
}

/**
 * A group's name as SQL text. Names are the product's own. They are not parameters: those travel in the URL, which is
 * bounded.
 */
function quoted(group: string): string {
  return `'${group.replaceAll(/[^A-Za-z0-9_.:-]/g, '')}'`;
}

/** The function that gives the name of a group by its key; only screens and venues have names. */
async function namesOf(
  sql: Postgres,
  group: EarningsGroup,
  rows: readonly { key: string }[],
): Promise<(key: string) => string | null> {
  const keys = rows.flatMap(({ key }) => (key === '' ? [] : [key]));
  if (group === 'screen') {
    const labels = await nameScreens(
      sql,
      keys.map(key => readHandle('screen', key)),
    );
    return key => (key === '' ? null : (labels.get(readHandle('screen', key)) ?? null));
  }
  if (group !== 'venue') return () => null;
  const venues = await nameVenues(
    sql,
    keys.map(key => readHandle('venue', key)),
  );
  return key => venues.get(readHandle('venue', key))?.name ?? null;
}

function keyOf(group: EarningsGroup, key: string): string | null {
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
}: EarnedSums): Omit<EarningsRecord, 'key' | 'name'> {
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
