import { formatId, parseId } from '#domain/id.ts';
import { roundThousandths } from '#domain/money.ts';
import { compileCurve, curveShare } from '#domain/pacing.ts';
import { isRefusal } from '#domain/refusal.ts';
import { parseDate } from '#domain/schedule.ts';
import { parseTargets } from '#domain/targeting.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { money } from '../shapes.ts';
import { campaignRecord, type BindingRow, type CampaignRow } from './record.ts';
import type { CampaignDetailRecord } from './schema.ts';

const MS_PER_DAY = 86_400_000;

type CreativeCounts = { creative_id: string; plays: number; late_plays: number; impressions_thousandths: number; cost_micros: number };

export type Delivery = { byCreative: CreativeCounts[]; screensUsed: number; scans: number };

/** What was delivered of a campaign so far, from the quarter-hour rows. */
export async function readDelivery(clickhouse: Clickhouse, { campaign, sandbox }: { campaign: number; sandbox: boolean }): Promise<Delivery> {
  const query_params = { campaign: formatId('campaign', campaign), sandbox };
  const read = async <T>(query: string) => (await clickhouse.query({ query, query_params, format: 'JSONEachRow' })).json<T>();
  const from = 'from plays_quarter_hour where campaign_id = {campaign:String} and sandbox = {sandbox:Bool}';
  const [byCreative, screens, scans] = await Promise.all([
    read<CreativeCounts>(`select creative_id, sum(plays) as plays, sum(late_plays) as late_plays, sum(impressions_thousandths) as impressions_thousandths, sum(cost_micros) as cost_micros ${from} group by creative_id`),
    read<{ used: number }>(`select uniqExactIf(screen_id, plays > 0) as used ${from}`),
    read<{ scans: number }>('select sum(scans) as scans from scans_quarter_hour where campaign_id = {campaign:String} and sandbox = {sandbox:Bool}'),
  ]);
  return { byCreative, screensUsed: screens[0]?.used ?? 0, scans: scans[0]?.scans ?? 0 };
}

/** The campaign with its delivery. Creatives that played and were detached since stand in the totals. */
export function campaignDetail(row: CampaignRow, { bindings, delivery, now }: { bindings: readonly BindingRow[]; delivery: Delivery; now: number }): CampaignDetailRecord {
  const countsOf = new Map(delivery.byCreative.map(counts => [parseId('creative', counts.creative_id) as number | undefined, counts]));
  const sum = (pick: (counts: CreativeCounts) => number) => delivery.byCreative.reduce((total, counts) => total + pick(counts), 0);
  const spendMicros = sum(counts => counts.cost_micros);
  return {
    ...campaignRecord(row, bindings),
    creatives: bindings.map(({ creative, weight, status }) => ({
      id: formatId('creative', creative),
      weight,
      status,
      plays: countsOf.get(creative)?.plays ?? 0,
      impressions: roundThousandths(countsOf.get(creative)?.impressions_thousandths ?? 0),
    })),
    counters: {
      plays: sum(counts => counts.plays),
      impressions: roundThousandths(sum(counts => counts.impressions_thousandths)),
      scans: delivery.scans,
      late_plays: sum(counts => counts.late_plays),
      spend: money(spendMicros, row.currency),
      screens_used: delivery.screensUsed,
    },
    pacing: pacingOf(row, spendMicros, now),
  };
}

/** Against the even curve, read at UTC: a campaign of several zones has no single local time. */
function pacingOf(row: CampaignRow, spendMicros: number, now: number): CampaignDetailRecord['pacing'] {
  const targets = parseTargets(row.targets);
  const startsOn = parseDate(row.starts) ?? 0;
  const endsOn = parseDate(row.ends) ?? startsOn;
  const within = isRefusal(targets) ? {} : { ...(targets.daypart && { daypart: targets.daypart }), ...(targets.days !== undefined && { days: targets.days }) };
  const share = curveShare(compileCurve({ startsOn, endsOn, ...within }), startsOn * MS_PER_DAY, now);
  const expectedMicros = Math.round(row.budget_micros * share);
  return {
    expected_spend: money(expectedMicros, row.currency),
    actual_spend: money(spendMicros, row.currency),
    ratio: expectedMicros === 0 ? null : Math.round((spendMicros / expectedMicros) * 10_000) / 10_000,
  };
}
