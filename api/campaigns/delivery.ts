import { formatId } from '#domain/id.ts';
import { formatDate } from '#domain/screens/schedule.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { createBatchedReads } from '../batched-reads.ts';

/** What was delivered of a campaign so far, from the quarter-hour rows; by hour of the day (UTC) for the day that is asked for. */
export type CreativeCounts = {
  creative_id: string;
  plays: number;
  late_plays: number;
  impressions_thousandths: number;
  cost_micros: number;
};
export type HourSpend = { hour: number; cost_micros: number };
export type Delivery = { byCreative: CreativeCounts[]; screensUsed: number; scans: number; today: HourSpend[] };

/** Figures of a campaign are read again after a second and are at most two old when they are told; reports promise 90 s. */
const KEEP_MS = 1_000;
const STALE_MS = 2_000;
const MS_PER_DAY = 86_400_000;

/** `at` (ms): of which day `today` is. */
export type DeliveryReads = { of(campaign: { handle: number; sandbox: boolean; at: number }): Promise<Delivery> };

export function createDeliveryReads({ clickhouse, now }: { clickhouse: Clickhouse; now: () => number }): DeliveryReads {
  const reads = createBatchedReads({
    keepMs: KEEP_MS,
    staleMs: STALE_MS,
    now,
    read: keys => readDeliveries(clickhouse, keys),
  });
  return {
    of: ({ handle, sandbox, at }) =>
      reads.get(`${bookOf(formatId('campaign', handle), sandbox)} ${formatDate(Math.floor(at / MS_PER_DAY))}`),
  };
}

const bookOf = (campaignId: string, sandbox: boolean) => `${campaignId} ${sandbox ? 'sandbox' : 'live'}`;

/** A row per creative, and one without a creative that stands for the campaign. */
type PlayRow = CreativeCounts & { campaign_id: string; sandbox: boolean; today: [hours: number[], costs: number[]] };
type ScreensRow = { campaign_id: string; sandbox: boolean; screens: number };
type ScanRow = { campaign_id: string; sandbox: boolean; scans: number };

async function readDeliveries(clickhouse: Clickhouse, keys: readonly string[]): Promise<ReadonlyMap<string, Delivery>> {
  // The ids are spelled by us from integers. They stand in the text because parameters travel in the address, which is bounded.
  const quoted = (part: number) => [...new Set(keys.map(key => `'${key.split(' ')[part]}'`))].join(',');
  const [ids, days] = [quoted(0), quoted(2)];
  const read = async <T>(query: string) => (await clickhouse.query({ query, format: 'JSONEachRow' })).json<T>();
  const [plays, screens, scans] = await Promise.all([
    read<PlayRow>(`select campaign_id, sandbox, creative_id, sum(q.plays) as plays, sum(q.late_plays) as late_plays,
      sum(q.impressions_thousandths) as impressions_thousandths, sum(q.cost_micros) as cost_micros,
      sumMapIf([intDiv(toUnixTimestamp(bucket), 3600)], [q.cost_micros], toDate(bucket, 'UTC') in (${days})) as today
      from plays_campaign_quarter_hour as q where campaign_id in (${ids}) group by grouping sets ((campaign_id, sandbox, creative_id), (campaign_id, sandbox))`),
    read<ScreensRow>(
      `select campaign_id, sandbox, uniqExactIf(screen_id, d.plays > 0) as screens from plays_screen_day as d where campaign_id in (${ids}) group by campaign_id, sandbox`,
    ),
    read<ScanRow>(
      `select campaign_id, sandbox, sum(scans_quarter_hour.scans) as scans from scans_quarter_hour where campaign_id in (${ids}) group by campaign_id, sandbox`,
    ),
  ]);
  const found = new Map<string, Delivery>(
    keys.map(key => [key, { byCreative: [], screensUsed: 0, scans: 0, today: [] }]),
  );
  const byBook = new Map<string, string[]>();
  for (const key of keys) {
    const book = key.slice(0, key.lastIndexOf(' '));
    byBook.set(book, [...(byBook.get(book) ?? []), key]);
  }
  const asked = ({ campaign_id: id, sandbox }: { campaign_id: string; sandbox: boolean }) =>
    byBook.get(bookOf(id, sandbox)) ?? []; // none for rows of the other book
  for (const {
    today: [hours, costs],
    ...counts
  } of plays) {
    for (const key of asked(counts)) {
      const delivery = found.get(key)!;
      const { campaign_id: _id, sandbox: _sandbox, ...figures } = counts;
      if (counts.creative_id !== '') delivery.byCreative.push(figures);
      else delivery.today = hoursOfDay(key.split(' ')[2]!, hours, costs);
    }
  }
  for (const row of screens) for (const key of asked(row)) found.get(key)!.screensUsed = row.screens;
  for (const row of scans) for (const key of asked(row)) found.get(key)!.scans = row.scans;
  return found;
}

/** Of hours since 1970 those of the day. */
function hoursOfDay(date: string, hours: readonly number[], costs: readonly number[]): HourSpend[] {
  const first = (Date.parse(date) / MS_PER_DAY) * 24;
  return hours.flatMap((hour, index) =>
    hour >= first && hour < first + 24 ? [{ hour: hour - first, cost_micros: costs[index] ?? 0 }] : [],
  );
}
