/**
 * The log of scans (`GET /v1/scans`): each with its screen, venue, creative and the time of day at the venue. It is
 * read from the raw scans in ClickHouse, a page at a time.
 */
import { exampleId, formatId, parseId, type Handle, type Kind } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { formatDate } from '#domain/time/calendar.ts';
import type { Daypart } from '#domain/time/daypart.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { CsvTable } from '../formats/csv.ts';
import { daypartSql } from '#sql/figures/daypart-sql.ts';
import { parseDaypartQuery } from '../figures/filter.ts';
import type { ZoneVenues } from '#sql/figures/read-figures.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { parseDays, startOfDay } from '#domain/reporting/report-range.ts';
import type { Scan, ScanParameters } from './schema/scans.ts';
import type { Milliseconds } from '#domain/unit.ts';

type ScanRow = Scan & { scanned_ms: Milliseconds };

/** A position in the log: time in ms, and the id of the scan. */
export const SCAN_POSITION = /^[0-9]{1,15} [A-Za-z0-9_-]{1,64}$/;

/**
 * The conditions of a statement, with their parameters. Those of a daypart need the time zones of the venues
 * (`daypartOfScans`).
 */
export type ScanFilter = { where: readonly string[]; query_params: Record<string, unknown>; daypart?: Daypart };

/** A daypart over midnight ends on the day after the one it belongs to, which may be another date at the venue. */
const DAYS_NEAR = { before: 1, after: 2 };

/** Parses the filters of the log, other than the campaign. */
export function parseScanFilter(query: ScanParameters): ScanFilter | Refusal {
  const days = parseDays(query);
  if ('refused' in days) return days;
  const { tz, first, last } = days;
  const query_params: Record<string, unknown> = { tz };
  const where: string[] = [];
  for (const kind of ['screen', 'venue', 'creative'] as const satisfies readonly Kind[]) {
    const id = query[kind];
    if (id === undefined) continue;
    if (parseId(kind, id) === undefined)
      return refuse('bad_query_parameter', `${kind} must be an id such as ${exampleId(kind)}.`);
    where.push(`${kind}_id = {${kind}:String}`);
    query_params[kind] = id;
  }
  const daypart = parseDaypartQuery(query.daypart);
  if (isRefusal(daypart)) return daypart;
  // With a daypart these bounds are rough: the sorting key can use them, and the exact ones are the daypart's.
  const { before, after } = daypart ? DAYS_NEAR : { before: 0, after: 0 };
  const atDay = (day: number) => `fromUnixTimestamp64Milli(${startOfDay(day, tz)}, 'UTC')`;
  if (first !== undefined) {
    where.push(`scanned_at >= ${atDay(first - before)}`);
    query_params['first'] = formatDate(first);
  }
  if (last !== undefined) {
    where.push(`scanned_at < ${atDay(last + 1 + after)}`);
    query_params['last'] = formatDate(last);
  }
  return { where, query_params, ...(daypart && { daypart }) };
}

/** The condition of a filter's daypart and of its days, as reports have it, for each time zone of the venues. */
export function daypartOfScans(
  daypart: Daypart,
  { query_params: { first, last } }: ScanFilter,
  zones: readonly ZoneVenues[],
): string {
  const of = ({ zone, venues }: ZoneVenues): string => {
    // The name of a zone needs no escaping: it was checked when it was stored.
    const { hours, day } = daypartSql(daypart, { at: 'scanned_at', zone: `'${zone}'` });
    const conditions = [
      ...(venues === undefined ? [] : [`venue_id in (${venues.map(venue => `'${venue}'`).join(',')})`]),
      hours,
      ...(first === undefined ? [] : [`${day} >= {first:Date}`]),
      ...(last === undefined ? [] : [`${day} <= {last:Date}`]),
    ];
    return `(${conditions.join(' and ')})`;
  };
  return zones.length === 0 ? 'false' : `(${zones.map(of).join(' or ')})`;
}

type ScanListQuery = { campaigns: readonly Handle<'campaign'>[]; sandbox: boolean; page: Page; filter: ScanFilter };

/** Lists the scans of these campaigns by time. */
export async function listScans(
  clickhouse: Clickhouse,
  { campaigns, sandbox, page, filter }: ScanListQuery,
): Promise<List<Scan>> {
  if (campaigns.length === 0) return envelope([], page, { positionOf: String, recordOf: scan => scan });
  const [ms = '', id = ''] = page.after?.split(' ') ?? [];
  const [before, direction] = page.isDescending ? ['<', 'desc'] : ['>', 'asc'];
  // Ids are formatted from integers, so they need no escaping. They are part of the statement and not parameters,
  // because parameters travel in the URL, whose length is bounded.
  const ids = campaigns.map(handle => `'${formatId('campaign', handle)}'`).join(',');
  const rows = await queryRows<ScanRow>(clickhouse, {
    query: `select scan_id as id, scanned_at as at, campaign_id, creative_id, screen_id, venue_id, daypart, slot_at,
        toUnixTimestamp64Milli(scanned_at) as scanned_ms
      from scans_raw where campaign_id in (${ids})
        and sandbox = {sandbox:Bool} ${filter.where.map(condition => `and ${condition}`).join(' ')}
      ${
        page.after === undefined
          ? ''
          : `and (scanned_at, scan_id) ${before} (fromUnixTimestamp64Milli({ms:Int64}, 'UTC'), {id:String})`
      }
      order by scanned_at ${direction}, scan_id ${direction} limit {rows:UInt32}`,
    query_params: {
      ...filter.query_params,
      sandbox,
      rows: page.limit + 1,
      ...(page.after !== undefined && { ms, id }),
    },
  });
  return envelope(rows, page, {
    positionOf: row => `${row.scanned_ms} ${row.id}`,
    recordOf: ({ scanned_ms: _ms, ...scan }) => scan,
  });
}

/** A page of the log as a table; the cursor of the next page is in a header. */
export function scansTable({ data, next_cursor }: List<Scan>): CsvTable {
  return {
    name: 'scans',
    columns: ['id', 'at', 'campaign_id', 'creative_id', 'screen_id', 'venue_id', 'daypart', 'slot_at'],
    rows: data.map(scan => [
      scan.id,
      scan.at,
      scan.campaign_id,
      scan.creative_id,
      scan.screen_id,
      scan.venue_id,
      scan.daypart,
      scan.slot_at,
    ]),
    ...(next_cursor !== null && { headers: { 'x-next-cursor': next_cursor } }),
  };
}
