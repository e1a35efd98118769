/**
 * Plays and spend of all workspaces over the last seven days, today included, and over the seven before. Read from the
 * sums of a campaign by day (the projection `campaign_day`): one row for each, however many screens there are.
 */
import { NO_HANDLE, parseId } from '#domain/id.ts';
import { formatDate } from '#domain/time/calendar.ts';
import { MS_PER_DAY } from '#domain/reporting/report-range.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { nameCampaigns } from '#sql/names/names.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import { money } from '../../wire/shapes.ts';
import type { OperatorWeek } from './schema.ts';

const WEEK_DAYS = 7;

export type WeekEngines = { sql: Postgres; clickhouse: Clickhouse; playQueue: PlayQueue };
type Weeks = { now: number; before: number };
type CampaignWeeks = { campaign: string; playsNow: number; playsBefore: number; costNow: Micros; costBefore: Micros };

export async function readWeek({ sql, clickhouse, playQueue }: WeekEngines, now: Milliseconds): Promise<OperatorWeek> {
  const today = Math.floor(now / MS_PER_DAY);
  const from = formatDate(today - WEEK_DAYS + 1);
  // Before the figures are read: they have all that it says.
  const asOf = await playQueue.asOf();
  const rows = await readCampaigns(clickhouse, { since: formatDate(today - 2 * WEEK_DAYS + 1), from });
  const plays: Weeks = { now: 0, before: 0 };
  const spend = new Map<string, Weeks>();
  const campaigns = await nameCampaigns(
    sql,
    rows.flatMap(({ campaign }) => parseId('campaign', campaign) ?? []),
  );
  for (const { campaign, playsNow, playsBefore, costNow, costBefore } of rows) {
    plays.now += playsNow;
    plays.before += playsBefore;
    const currency = campaigns.get(parseId('campaign', campaign) ?? NO_HANDLE)?.currency;
    if (currency === undefined) continue; // Postgres was restored from before the campaign
    const { now: spent, before } = spend.get(currency) ?? { now: 0, before: 0 };
    spend.set(currency, { now: spent + costNow, before: before + costBefore });
  }
  return {
    from,
    to: formatDate(today),
    as_of: new Date(asOf).toISOString(),
    plays,
    spend: [...spend]
      .toSorted(([, a], [, b]) => b.now - a.now || b.before - a.before)
      .map(([currency, weeks]) => ({ now: money(weeks.now, currency), before: money(weeks.before, currency) })),
  };
}

/** By campaign. The inner statement is that of the projection, because ClickHouse reads the projection only then. */
async function readCampaigns(clickhouse: Clickhouse, range: { since: string; from: string }): Promise<CampaignWeeks[]> {
  return queryRows<CampaignWeeks>(clickhouse, {
    query: `select toString(campaign_id) as campaign, sumIf(p, day >= {from:Date}) as playsNow,
        sumIf(p, day < {from:Date}) as playsBefore, sumIf(c, day >= {from:Date}) as costNow,
        sumIf(c, day < {from:Date}) as costBefore
      from (select campaign_id, sandbox, day, sum(plays) as p, sum(cost_micros) as c from plays_screen_day
        where not sandbox and day >= {since:Date} group by campaign_id, sandbox, day)
      group by campaign_id`,
    query_params: range,
  });
}
