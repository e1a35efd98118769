import { formatId } from '#domain/id.ts';
import { formatDate } from '#domain/schedule.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { createBatchedReads } from '../batched-reads.ts';

/** What was delivered of a campaign so far, from the quarter-hour rows; by hour of the day (UTC) for today. */
export type CreativeCounts = { creative_id: string; plays: number; late_plays: number; impressions_thousandths: number; cost_micros: number };
export type HourSpend = { hour: number; cost_micros: number };
export type Delivery = { byCreative: CreativeCounts[]; screensUsed: number; scans: number; today: HourSpend[] };

/** Figures of a campaign are read again after a second and are at most two old when they are told; reports promise 90 s. */
const KEEP_MS = 1_000;
const STALE_MS = 2_000;
const MS_PER_DAY = 86_400_000;

export type DeliveryReads = { of(campaign: { handle: number; sandbox: boolean }): Promise<Delivery> };

export function createDeliveryReads({ clickhouse, now }: { clickhouse: Clickhouse; now: () => number }): DeliveryReads {
  const reads = createBatchedReads({ keepMs: KEEP_MS, staleMs: STALE_MS, now, read: keys => readDeliveries(clickhouse, { keys, now: now() }) });
  return { of: ({ handle, sandbox }) => reads.get(keyOf(formatId('campaign', handle), sandbox)) };
}

const keyOf = (campaignId: string, sandbox: boolean) => `${campaignId} ${sandbox ? 'sandbox' : 'live'}`;

/** A row per creative, and one without a creative that stands for the campaign. */
type PlayRow = CreativeCounts & { campaign_id: string; sandbox: boolean; today: [hours: number[], costs: number[]] };
type ScreensRow = { campaign_id: string; sandbox: boolean; screens: number };
type ScanRow = { campaign_id: string; sandbox: boolean; scans: number };

async function readDeliveries(clickhouse: Clickhouse, { keys, now }: { keys: readonly string[]; now: number }): Promise<ReadonlyMap<string, Delivery>> {
  // The ids are spelled by us from integers. They stand in the text because parameters travel in the address, which is bounded.
  const ids = keys.map(key => `'${key.split(' ')[0]}'`).join(',');
  const query_params = { today: formatDate(Math.floor(now / MS_PER_DAY)) };
  const read = async <T>(query: string) => (await clickhouse.query({ query, query_params, format: 'JSONEachRow' })).json<T>();
  const [plays, screens, scans] = await Promise.all([
    read<PlayRow>(`select campaign_id, sandbox, creative_id, sum(q.plays) as plays, sum(q.late_plays) as late_plays,
      sum(q.impressions_thousandths) as impressions_thousandths, sum(q.cost_micros) as cost_micros,
      sumMapIf([toHour(bucket, 'UTC')], [q.cost_micros], bucket >= toDateTime({today:Date}, 'UTC') and bucket < toDateTime({today:Date}, 'UTC') + interval 1 day) as today
      from plays_campaign_quarter_hour as q where campaign_id in (${ids}) group by grouping sets ((campaign_id, sandbox, creative_id), (campaign_id, sandbox))`),
    read<ScreensRow>(`select campaign_id, sandbox, uniqExactIf(screen_id, d.plays > 0) as screens from plays_screen_day as d where campaign_id in (${ids}) group by campaign_id, sandbox`),
    read<ScanRow>(`select campaign_id, sandbox, sum(scans_quarter_hour.scans) as scans from scans_quarter_hour where campaign_id in (${ids}) group by campaign_id, sandbox`),
  ]);
  const found = new Map<string, Delivery>(keys.map(key => [key, { byCreative: [], screensUsed: 0, scans: 0, today: [] }]));
  for (const { campaign_id: id, sandbox, today: [hours, costs], ...counts } of plays) {
    const delivery = found.get(keyOf(id, sandbox));
    if (!delivery) continue; // rows of the other book
    if (counts.creative_id !== '') delivery.byCreative.push(counts);
    else Object.assign(delivery, { today: hours.map((hour, index) => ({ hour, cost_micros: costs[index] ?? 0 })) });
  }
  for (const { campaign_id: id, sandbox, screens: count } of screens) Object.assign(found.get(keyOf(id, sandbox)) ?? {}, { screensUsed: count });
  for (const { campaign_id: id, sandbox, scans: count } of scans) Object.assign(found.get(keyOf(id, sandbox)) ?? {}, { scans: count });
  return found;
}
