/**
 * The delivery of campaigns so far: plays, screens and scans, and the spend by hour (UTC) of one day. It is read from
 * the rollups of ClickHouse, many campaigns in one statement.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { formatDate } from '#domain/time/calendar.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { SHOWN_DAYS } from '#sql/figures/read-figures.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

const MS_PER_DAY = 86_400_000;

export type CreativeCounts = {
  creative_id: string;
  plays: number;
  late_plays: number;
  impressions_thousandths: number;
  cost_micros: Micros;
};
export type HourSpend = { hour: number; cost_micros: Micros };
export type Delivery = { byCreative: CreativeCounts[]; screensUsed: number; scans: number; today: HourSpend[] };

/** The key of a campaign's delivery with the UTC day of `at`. */
export function deliveryKey(campaign: Handle<'campaign'>, { sandbox, at }: { sandbox: boolean; at: Milliseconds }) {
  return `${bookOf(formatId('campaign', campaign), sandbox)} ${formatDate(Math.floor(at / MS_PER_DAY))}`;
}

const bookOf = (campaignId: string, sandbox: boolean) => `${campaignId} ${sandbox ? 'sandbox' : 'live'}`;

/**
 * One statement answers three questions, because a statement costs ClickHouse more than the rows of a campaign do. `of`
 * says which question a row answers. For plays there is one row per creative, and one row without a creative for the
 * campaign as a whole.
 */
type FoundRow = CreativeCounts & {
  of: 'plays' | 'screens' | 'scans';
  campaign_id: string;
  sandbox: boolean;
  today: [hours: number[], costs: number[]];
  /** The number of screens, or of counted scans; 0 in a row of plays. */
  number: number;
};

/** Reads the deliveries of these keys. */
export async function readDeliveries(
  clickhouse: Clickhouse,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Delivery>> {
  const found = new Map<string, Delivery>(
    keys.map(key => [key, { byCreative: [], screensUsed: 0, scans: 0, today: [] }]),
  );
  const byBook = new Map<string, string[]>();
  for (const key of keys) {
    const book = key.slice(0, key.lastIndexOf(' '));
    byBook.set(book, [...(byBook.get(book) ?? []), key]);
  }
  for (const row of await queryRows<FoundRow>(clickhouse, { query: statementFor(keys) })) {
    const bookKeys = byBook.get(bookOf(row.campaign_id, row.sandbox)) ?? []; // empty for a row of the other book
    for (const key of bookKeys) addRow(found.get(key)!, row, key.split(' ')[2]!);
  }
  return found;
}

function statementFor(keys: readonly string[]): string {
  // Ids are formatted from integers, so they need no escaping. They are part of the statement and not parameters,
  // because parameters travel in the URL, whose length is bounded.
  const quoted = (part: number) => [...new Set(keys.map(key => `'${key.split(' ')[part]}'`))].join(',');
  const [ids, days] = [quoted(0), quoted(2)];
  const nothing = `'' as creative_id, toUInt64(0) as plays, toUInt64(0) as late_plays, toUInt64(0) as impressions_thousandths,
    toUInt64(0) as cost_micros, (cast([], 'Array(UInt32)'), cast([], 'Array(UInt64)')) as today`;
  return `select 'plays' as of, toString(campaign_id) as campaign_id, sandbox, toString(q.creative_id) as creative_id,
      sum(q.plays) as plays, sum(q.late_plays) as late_plays, sum(q.impressions_thousandths) as impressions_thousandths,
      sum(q.cost_micros) as cost_micros,
      sumMapIf([toUInt32(intDiv(toUnixTimestamp(bucket), 3600))], [q.cost_micros],
        toDate(bucket, 'UTC') in (${days})) as today,
      toUInt64(0) as number
    from plays_campaign_quarter_hour as q where campaign_id in (${ids})
    group by grouping sets ((campaign_id, sandbox, creative_id), (campaign_id, sandbox))
    union all
    select 'screens' as of, toString(campaign_id) as campaign_id, sandbox, ${nothing},
      countIf(days != 0) as number
    from (select campaign_id, sandbox, screen_id, ${SHOWN_DAYS} as days from plays_screen_day
      where campaign_id in (${ids}) group by campaign_id, sandbox, screen_id)
    group by campaign_id, sandbox
    union all
    select 'scans' as of, toString(campaign_id) as campaign_id, sandbox, ${nothing}, sum(s.scans) as number
    from scans_quarter_hour as s where campaign_id in (${ids}) group by campaign_id, sandbox`;
}

function addRow(delivery: Delivery, row: FoundRow, date: string): void {
  const { of, campaign_id: _id, sandbox: _sandbox, today, number, ...counts } = row;
  if (of === 'screens') delivery.screensUsed = number;
  else if (of === 'scans') delivery.scans = number;
  else if (counts.creative_id !== '') delivery.byCreative.push(counts);
  else delivery.today = hoursOfDay(date, ...today);
}

/** The spend of one day by hour. `hours` are counted since 1970. */
function hoursOfDay(date: string, hours: readonly number[], costs: readonly number[]): HourSpend[] {
  const first = (Date.parse(date) / MS_PER_DAY) * 24;
  return hours.flatMap((hour, index) =>
    hour >= first && hour < first + 24 ? [{ hour: hour - first, cost_micros: costs[index] ?? 0 }] : [],
  );
}
