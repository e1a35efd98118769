/**
 * Counted plays from the rows in ClickHouse, for a rebuild of the authority. Everything is read in pages of bounded
 * size.
 */
import { readHandle, parseId, type Handle } from '#domain/id.ts';
import { playTag, tickOf, ticksOf } from '#domain/plays/screen-time.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { CountedNumbers } from '#authority/life.ts';
import type { ShownPlay, TakenHour } from '#authority/screen-time.ts';
import type { WrittenGroup } from '#ingest/queue/rebuild.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** The sums of a group's rows of one campaign, except late plays. */
export type CountedSum = { plays: number; micros: Micros };
/** A group with rows in a raw table, oldest first. `isCharged`: it has plays that are not late. */
export type WrittenSum = WrittenGroup & {
  writtenAtMs: Milliseconds;
  isCharged: boolean;
  sums: Map<Handle<'campaign'>, CountedSum>;
};
/** A range of campaigns whose counted plays are read at once. */
export type CampaignPage = { from: number; to: number };

/**
 * A play is accepted for 30 days after its slot, and a slot is requested up to 48 hours ahead: older plays are refused
 * before they are counted.
 */
const REPORTED_DAYS = 33;
/** Per page: ten megabytes of numbers. A campaign with more gets a page to itself. */
const PLAYS_AT_ONCE = 1_000_000;

/** Whether ClickHouse, if it is a single server, is writing rows of a group now. */
export async function insertRuns(clickhouse: Clickhouse): Promise<boolean> {
  const rows = await queryRows<{ running: number }>(clickhouse, {
    query: `select count() as running from system.processes
      where query_kind = 'Insert' and current_database = currentDatabase()`,
  });
  return rows[0]!.running > 0;
}

type GroupRow = {
  group_id: string;
  attempt: number;
  written_at: number;
  charged: number;
  campaigns: Handle<'campaign'>[];
  plays: number[];
  costs: number[];
};

/** The groups whose rows were written since `sinceMs`. */
export async function readWrittenGroups(clickhouse: Clickhouse, sinceMs: Milliseconds): Promise<WrittenSum[]> {
  const since = { since: Math.max(0, Math.floor(sinceMs / 1000)) };
  const plays = await queryRows<GroupRow>(clickhouse, {
    query: `select group_id, max(attempt) as attempt, toInt64(toUnixTimestamp64Milli(min(first_at))) as written_at,
      toUInt8(max(charged)) as charged,
        groupArray(toInt64(campaign)) as campaigns, groupArray(toInt64(counted)) as plays, groupArray(toInt64(cost)) as costs
      from (
        select group_id, campaign_handle as campaign, max(p.attempt) as attempt, min(inserted_at) as first_at,
          countIf(not late) as counted, toUInt8(counted > 0) as charged, sum(cost_micros) as cost
        from plays_raw as p where inserted_at >= fromUnixTimestamp64Milli(toInt64({since:UInt32}) * 1000)
        group by group_id, campaign
      ) group by group_id order by written_at`,
    query_params: since,
  });
  const scans = await queryRows<GroupRow>(clickhouse, {
    query: `select group_id, max(s.attempt) as attempt, toInt64(toUnixTimestamp64Milli(min(inserted_at))) as written_at,
      0 as charged, [] as campaigns, [] as plays, [] as costs
      from scans_raw as s where inserted_at >= fromUnixTimestamp64Milli(toInt64({since:UInt32}) * 1000)
      group by group_id order by written_at`,
    query_params: since,
  });
  return [...plays.map(row => sumOf(row, 'plays_raw')), ...scans.map(row => sumOf(row, 'scans_raw'))];
}

function sumOf(row: GroupRow, table: WrittenSum['table']): WrittenSum {
  return {
    group: row.group_id,
    table,
    attempt: Number(row.attempt),
    writtenAtMs: Number(row.written_at),
    isCharged: Number(row.charged) === 1,
    sums: new Map(
      row.campaigns.map((campaign, at) => [
        readHandle('campaign', campaign),
        { plays: Number(row.plays[at]), micros: Number(row.costs[at]) },
      ]),
    ),
  };
}

/** All campaigns with plays that may be reported again, in pages of bounded size. */
export async function pagesOfCounts(clickhouse: Clickhouse): Promise<CampaignPage[]> {
  const rows = await queryRows<{ campaign: Handle<'campaign'>; plays: number }>(clickhouse, {
    query: `select toInt64(campaign_handle) as campaign, toInt64(count()) as plays from plays_raw
      where slot_at > now() - interval ${REPORTED_DAYS} day group by campaign order by campaign`,
  });
  const pages: CampaignPage[] = [];
  let plays = Infinity;
  for (const row of rows) {
    plays += Number(row.plays);
    const campaign = readHandle('campaign', row.campaign);
    if (plays > PLAYS_AT_ONCE) {
      pages.push({ from: campaign, to: campaign });
      plays = Number(row.plays);
    } else pages.at(-1)!.to = campaign;
  }
  return pages;
}

/** The issue numbers of these campaigns' plays that have a row. */
export async function readCounts(clickhouse: Clickhouse, { from, to }: CampaignPage): Promise<CountedNumbers[]> {
  const rows = await queryRows<{ campaign: Handle<'campaign'>; epoch: number; counted: number[]; late_ones: number[] }>(
    clickhouse,
    {
      query: `select toInt64(campaign_handle) as campaign, epoch, groupArrayIf(issue_number, not late) as counted,
      groupArrayIf(issue_number, late) as late_ones
      from plays_raw where campaign_handle between {from:UInt64} and {to:UInt64}
      and slot_at > now() - interval ${REPORTED_DAYS} day group by campaign, epoch`,
      query_params: { from, to },
    },
  );
  return rows.map(row => ({
    campaign: readHandle('campaign', row.campaign),
    epoch: row.epoch,
    counted: row.counted,
    late: row.late_ones,
  }));
}

/** Screens whose handles are the same modulo `pages`. */
type ScreenPage = { page: number; pages: number };

/** Rows per page: thirty megabytes on the wire. */
const SCREEN_ROWS_AT_ONCE = 200_000;
/**
 * The authority's data of a screen's time (`authority/screen-time.ts`): plays of three days, and hourly sums of nine
 * days.
 */
const TIMED_HOURS = 73;
const TAKEN_DAYS = 9;
/** A play of an offline playlist is started up to 48 hours after its slot: rows are found by their slots. */
const START_DAYS = 2;
/** A screen is in one page, by its id. */
const IN_PAGE = 'cityHash64(screen_id) % {pages:UInt32} = {page:UInt32}';

/** All screens with counted plays of the last days, in pages of bounded size. */
export async function pagesOfScreens(clickhouse: Clickhouse): Promise<ScreenPage[]> {
  const [row] = await queryRows<{ plays: number; screens: number }>(clickhouse, {
    query: `select toInt64(countIf(played_at > now() - interval ${TIMED_HOURS} hour)) as plays,
      toInt64(uniq(screen_id)) as screens
      from plays_raw where not late and slot_at > now() - interval ${TAKEN_DAYS + START_DAYS} day`,
  });
  const { plays, screens } = row!;
  const pages = Math.ceil(Math.max(Number(plays), Number(screens) * TAKEN_DAYS * 24) / SCREEN_ROWS_AT_ONCE);
  return Array.from({ length: pages }, (_, page) => ({ page, pages }));
}

/** The counted plays of these screens whose time may still be requested, by screen and start. */
export async function readTimedPlays(clickhouse: Clickhouse, page: ScreenPage): Promise<ShownPlay[]> {
  const result = await clickhouse.query({
    query: `select screen_id, toInt64(toUnixTimestamp64Milli(played_at)), duration_ms, toInt64(campaign_handle), epoch,
      issue_number from plays_raw
      where not late and slot_at > now() - interval ${TIMED_HOURS + START_DAYS * 24} hour
      and played_at > now() - interval ${TIMED_HOURS} hour and ${IN_PAGE} order by screen_id, played_at`,
    query_params: page,
    format: 'JSONCompactEachRow',
  });
  const rows = await result.json<[string, number, number, number, number, number]>();
  return rows.map(([screen, startedAt, durationMs, campaign, epoch, issueNumber]) => ({
    screen: handleOf(screen),
    start: tickOf(Number(startedAt)),
    ticks: ticksOf(durationMs),
    tag: playTag({ campaign: readHandle('campaign', campaign), epoch, issueNumber }),
  }));
}

/** The time taken by counted plays of these screens, by screen and hour. */
export async function readTakenHours(clickhouse: Clickhouse, page: ScreenPage): Promise<TakenHour[]> {
  const result = await clickhouse.query({
    query: `select screen_id, toInt64(intDiv(toUnixTimestamp(played_at), 3600)) as hour,
      groupArray((duration_ms, plays)) from (
        select screen_id, toStartOfHour(played_at) as played_at, duration_ms, toInt64(count()) as plays
        from plays_raw as p
        where not late and slot_at > now() - interval ${TAKEN_DAYS + START_DAYS} day
        and p.played_at > now() - interval ${TAKEN_DAYS} day and ${IN_PAGE} group by screen_id, played_at, duration_ms
      ) group by screen_id, hour order by screen_id, hour`,
    query_params: page,
    format: 'JSONCompactEachRow',
  });
  const rows = await result.json<[string, number, [number, number][]]>();
  return rows.map(([screen, hour, durations]) => ({
    screen: handleOf(screen),
    hour: Number(hour),
    ticks: durations.reduce((sum, [durationMs, plays]) => sum + ticksOf(durationMs) * Number(plays), 0),
  }));
}

/** The handle of a row's screen, from its id. */
function handleOf(screen: string): Handle<'screen'> {
  const handle = parseId('screen', screen);
  if (handle === undefined) throw new Error(`'${screen}' is no screen`);
  return handle;
}
