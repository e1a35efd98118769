import { formatId } from '#domain/id.ts';
import { roundThousandths } from '#domain/money.ts';
import { formatDate } from '#domain/schedule.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Authority } from '#sql/redis.ts';
import { envelope, type List, type Page } from '../paging.ts';
import type { CampaignRow } from '../campaigns/record.ts';
import { money } from '../shapes.ts';
import { labelsOf, type ReportRange } from './range.ts';
import type { Report, Scan } from './schema.ts';

/**
 * Reports are summed from the quarter-hour rows, which every zone's hours and days can be cut from. Impressions stay in
 * thousandths and money in micro-units until the answer is written.
 */
type Bucket = { label: string; plays: number; late_plays: number; impressions_thousandths: number; cost_micros: number; scans: number };
export type ReportFigures = { buckets: Bucket[] };

const LABELS = {
  day: `toString(toDate(bucket, {tz:String}))`,
  hour: `formatDateTime(bucket, '%Y-%m-%dT%H:00', {tz:String})`,
};
// The first two lines let ClickHouse skip what is far away by its sorting key; the third cuts exactly, in the zone.
const WITHIN = `campaign_id = {campaign:String} and sandbox = {sandbox:Bool}
  and bucket >= toDateTime({first:Date}, 'UTC') - interval 1 day and bucket < toDateTime({last:Date}, 'UTC') + interval 3 day
  and toDate(bucket, {tz:String}) between {first:Date} and {last:Date}`;

/** The buckets of a range in which something happened. */
export async function readFigures(clickhouse: Clickhouse, { campaign, sandbox, range }: { campaign: number; sandbox: boolean; range: ReportRange }): Promise<ReportFigures> {
  const { tz, group, counted } = range;
  const query_params = { campaign: formatId('campaign', campaign), sandbox, tz, first: formatDate(counted.first), last: formatDate(counted.last) };
  // One statement for both tables: a query costs ClickHouse more than the rows of a campaign do.
  const result = await clickhouse.query({
    query: `select label, sum(p) as plays, sum(l) as late_plays, sum(i) as impressions_thousandths, sum(c) as cost_micros, sum(s) as scans from (
      select ${LABELS[group]} as label, plays as p, late_plays as l, impressions_thousandths as i, cost_micros as c, 0 as s from plays_quarter_hour where ${WITHIN}
      union all select ${LABELS[group]} as label, 0, 0, 0, 0, scans from scans_quarter_hour where ${WITHIN}) group by label order by label`,
    query_params, format: 'JSONEachRow',
  });
  return { buckets: await result.json<Bucket>() };
}

/** The report of these figures. `asOf` (ms) was read before them. */
export function reportOf(row: CampaignRow, { range, figures, asOf, isFinal, now }: { range: ReportRange; figures: ReportFigures; asOf: number; isFinal: boolean; now: number }): Report {
  const bucketOf = new Map(figures.buckets.map(bucket => [bucket.label, bucket]));
  const labels = [...new Set([...labelsOf(range, now), ...bucketOf.keys()])].sort();
  const sum = (pick: (bucket: Bucket) => number) => figures.buckets.reduce((total, bucket) => total + pick(bucket), 0);
  const impressions = roundThousandths(sum(bucket => bucket.impressions_thousandths));
  const scans = sum(bucket => bucket.scans);
  return {
    campaign_id: formatId('campaign', row.handle),
    totals: {
      plays: sum(bucket => bucket.plays),
      impressions,
      scans,
      scan_rate: impressions === 0 ? 0 : Math.round((scans / impressions) * 1_000_000) / 1_000_000,
      spend: money(sum(bucket => bucket.cost_micros), row.currency),
    },
    series: labels.map(label => ({
      bucket: label,
      plays: bucketOf.get(label)?.plays ?? 0,
      impressions: roundThousandths(bucketOf.get(label)?.impressions_thousandths ?? 0),
      scans: bucketOf.get(label)?.scans ?? 0,
      spend: money(bucketOf.get(label)?.cost_micros ?? 0, row.currency),
    })),
    late_plays: sum(bucket => bucket.late_plays),
    as_of: new Date(asOf).toISOString(),
    is_final: isFinal,
    tz: range.tz,
  };
}

/**
 * Whether nothing of a range can change any more: it has ended before `asOf`, no play of the campaign is open or in
 * doubt, and everything counted is settled. Asked of the whole campaign, which may answer no for a while longer than
 * the range needs, never yes too early.
 */
export async function isFinal({ authority, clickhouse }: { authority: Authority; clickhouse: Clickhouse }, row: CampaignRow, { range, asOf }: { range: ReportRange; asOf: number }): Promise<boolean> {
  if (asOf <= range.endsAt) return false;
  const { open, inDoubt } = await authority.amounts(row.handle);
  if (open !== 0 || inDoubt !== 0) return false;
  const result = await clickhouse.query({
    query: 'select sum(cost_micros) as cost_micros from plays_quarter_hour where campaign_id = {campaign:String}',
    query_params: { campaign: formatId('campaign', row.handle) },
    format: 'JSONEachRow',
  });
  const [total] = await result.json<{ cost_micros: number }>();
  return total?.cost_micros === row.charged_micros;
}

type ScanRow = Scan & { scanned_ms: number };

export const SCAN_POSITION = /^[0-9]{1,15} [A-Za-z0-9_-]{1,64}$/;

/** Scans of these campaigns, newest first. */
export async function listScans(clickhouse: Clickhouse, { campaigns, sandbox, page }: { campaigns: readonly number[]; sandbox: boolean; page: Page }): Promise<List<Scan>> {
  if (campaigns.length === 0) return envelope([], page, { positionOf: String, recordOf: scan => scan });
  const [ms = '', id = ''] = page.after?.split(' ') ?? [];
  // The ids are spelled by us from integers. They stand in the text because parameters travel in the address, which is bounded.
  const ids = campaigns.map(handle => `'${formatId('campaign', handle)}'`).join(',');
  const result = await clickhouse.query({
    query: `select scan_id as id, scanned_at as at, campaign_id, creative_id, screen_id, venue_id, daypart, slot_at, toUnixTimestamp64Milli(scanned_at) as scanned_ms
      from scans_raw where campaign_id in (${ids}) and sandbox = {sandbox:Bool}
      ${page.after === undefined ? '' : 'and (scanned_at, scan_id) < (fromUnixTimestamp64Milli({ms:Int64}, \'UTC\'), {id:String})'}
      order by scanned_at desc, scan_id desc limit {rows:UInt32}`,
    query_params: { sandbox, rows: page.limit + 1, ...(page.after !== undefined && { ms, id }) },
    format: 'JSONEachRow',
  });
  const rows = await result.json<ScanRow>();
  return envelope(rows, page, { positionOf: row => `${row.scanned_ms} ${row.id}`, recordOf: ({ scanned_ms: _ms, ...scan }) => scan });
}
