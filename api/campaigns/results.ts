import { formatId } from '#domain/id.ts';
import { roundThousandths } from '#domain/money.ts';
import { formatDate } from '#domain/schedule.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { ReportRange } from '../reporting/range.ts';
import { readFigures } from '../reporting/store.ts';
import { money } from '../shapes.ts';
import type { CampaignRow } from './record.ts';
import type { Results } from './schema.ts';

/** Results of a campaign cut three ways. Each row is of something that happened; a report shows the empty buckets too. */
const HOURS_DAYS_MAX = 31; // 744 rows, as in a report by hour
const SCREENS_MAX = 10_000; // 2 MB of answer

type ScreenFigures = { screen_id: string; venue_id: string; plays: number; impressions_thousandths: number; cost_micros: number; scans: number };
type Figures = { plays: number; impressions_thousandths: number; cost_micros: number; scans: number };

/** Reads and writes out the results of a range whose `group` is `day`. `asOf` (ms) was read before. */
export async function readResults(clickhouse: Clickhouse, row: CampaignRow, { range, asOf }: { range: ReportRange; asOf: number }): Promise<Results> {
  const { counted } = range;
  const campaign = { campaign: row.handle, sandbox: row.sandbox };
  const hours: ReportRange = { ...range, group: 'hour', counted: { first: Math.max(counted.first, counted.last - HOURS_DAYS_MAX + 1), last: counted.last } };
  const [byDay, byHour, byScreen] = await Promise.all([
    readFigures(clickhouse, { ...campaign, range }),
    readFigures(clickhouse, { ...campaign, range: hours }),
    readScreens(clickhouse, { ...campaign, range }),
  ]);
  return {
    campaign_id: formatId('campaign', row.handle),
    by_day: byDay.buckets.map(({ label, ...figures }) => ({ day: label, ...shown(figures, row) })),
    by_hour: byHour.buckets.map(({ label, ...figures }) => ({ hour: label, ...shown(figures, row) })),
    by_screen: byScreen.map(({ screen_id, venue_id, ...figures }) => ({ screen_id, venue_id, ...shown(figures, row) })),
    as_of: new Date(asOf).toISOString(),
    tz: range.tz,
  };
}

function shown({ plays, impressions_thousandths: thousandths, cost_micros: costMicros, scans }: Figures, { currency }: CampaignRow) {
  return { plays, impressions: roundThousandths(thousandths), scans, spend: money(costMicros, currency) };
}

async function readScreens(clickhouse: Clickhouse, { campaign, sandbox, range }: { campaign: number; sandbox: boolean; range: ReportRange }): Promise<ScreenFigures[]> {
  const within = `campaign_id = {campaign:String} and sandbox = {sandbox:Bool} and toDate(bucket, {tz:String}) between {first:Date} and {last:Date}`;
  const result = await clickhouse.query({
    query: `select screen_id, venue_id, sum(p) as plays, sum(i) as impressions_thousandths, sum(c) as cost_micros, sum(s) as scans from (
        select screen_id, venue_id, plays as p, impressions_thousandths as i, cost_micros as c, 0 as s from plays_quarter_hour where ${within}
        union all select screen_id, venue_id, 0 as p, 0 as i, 0 as c, scans as s from scans_quarter_hour where ${within}
      ) group by screen_id, venue_id order by plays desc, scans desc, screen_id limit {rows:UInt32}`,
    query_params: { campaign: formatId('campaign', campaign), sandbox, tz: range.tz, first: formatDate(range.counted.first), last: formatDate(range.counted.last), rows: SCREENS_MAX },
    format: 'JSONEachRow',
  });
  return result.json<ScreenFigures>();
}
