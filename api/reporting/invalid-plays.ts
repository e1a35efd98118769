/**
 * What was taken out of a campaign: plays that were never charged, by the rule that decided so, and those that were charged
 * and taken out later because a finding about them was upheld. The latter are adjustments: they stand beside the figures,
 * which stay as they were published.
 */
import type { Static } from 'typebox';
import { concernOf, ruleOfLabel } from '#domain/plays/invalid-traffic.ts';
import { roundThousandths } from '#domain/money/money.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { CampaignRow } from '../campaigns/record.ts';
import { money } from '../shapes.ts';
import { cutsOf, rangeParameters, type FiguresQuery } from './figures.ts';
import type { AdjustmentsField, InvalidPlaysField } from './schema.ts';

type InvalidPlays = Static<typeof InvalidPlaysField>;
type Adjustments = Static<typeof AdjustmentsField>;
/** `out`: sums of the adjustments, exact. */
export type Invalid = {
  plays: InvalidPlays;
  adjustments: Adjustments;
  out: { plays: number; impressionsThousandths: number; costMicros: number };
};

const INVALID_TRAFFIC = 'invalid_traffic';

/** Asks ClickHouse only where there is something: `latePlays` of the report's figures, and the campaign's own record. */
export async function readInvalid(
  { clickhouse, sql }: { clickhouse: Clickhouse; sql: Postgres },
  row: CampaignRow,
  { latePlays, ...query }: FiguresQuery & { latePlays: number },
): Promise<Invalid> {
  const isNowhere = query.filter?.zones.length === 0;
  const [reasons, takings] = await Promise.all([
    latePlays === 0 ? [] : readReasons(clickhouse, query, latePlays),
    row.taken_out_plays === 0 || isNowhere ? [] : readTakings({ clickhouse, sql }, query),
  ]);
  const sum = (pick: (taking: Taking) => number) => takings.reduce((total, taking) => total + pick(taking), 0);
  const out = {
    plays: sum(taking => taking.plays),
    impressionsThousandths: sum(taking => taking.impressions),
    costMicros: sum(taking => taking.cost),
  };
  return {
    plays: out.plays === 0 ? reasons : [...reasons, { reason: INVALID_TRAFFIC, plays: out.plays }],
    adjustments: takings.map(({ at, rule, plays, impressions, cost }) => ({
      at: at.toISOString(),
      concerns: concernOf(rule),
      plays,
      impressions: roundThousandths(impressions),
      spend: money(cost, row.currency),
    })),
    out,
  };
}

/** A row of these tables as one of a rollup. */
const AS_ROLLUP =
  "toDateTime(toStartOfInterval(slot_at, interval 15 minute, 'UTC'), 'UTC') as bucket, campaign_id, venue_id";
const NEAR_SLOT =
  "slot_at >= toDateTime({first:Date}, 'UTC') - interval 1 day and slot_at < toDateTime({last:Date}, 'UTC') + interval 3 day";
const LATE = 'late';

/** Of the plays that were never charged. Raw plays are kept for 25 months; of older ones, the reason is the one that there was then. */
async function readReasons(clickhouse: Clickhouse, query: FiguresQuery, latePlays: number): Promise<InvalidPlays> {
  const uncharged = `(select ${AS_ROLLUP}, sandbox, decided_by from plays_raw where campaign_handle in {handles:Array(UInt64)} and late and ${NEAR_SLOT})`;
  const branches = cutsOf(query.range, query.filter).map(
    ({ where }) => `select decided_by from ${uncharged} where ${where}`,
  );
  const result = await clickhouse.query({
    query: `select decided_by, toInt64(count()) as plays from (${branches.join(' union all ')}) group by decided_by order by decided_by`,
    query_params: { ...rangeParameters(query), handles: query.campaigns },
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ decided_by: string; plays: number }>();
  const plays = new Map<string, number>([
    [LATE, Math.max(0, latePlays - rows.reduce((sum, row) => sum + row.plays, 0))],
  ]);
  for (const row of rows) {
    const rule = ruleOfLabel(row.decided_by)?.name ?? LATE;
    plays.set(rule, (plays.get(rule) ?? 0) + row.plays);
  }
  return [...plays].filter(([, count]) => count > 0).map(([reason, count]) => ({ reason, plays: count }));
}

type Taking = { at: Date; rule: string; plays: number; impressions: number; cost: number };
type TakingRow = { finding: number; number: number; plays: number; impressions: number; cost: number };

/** What was taken out, oldest first. The time is that of the transaction that credited it: without one it is not taken out yet. */
async function readTakings(
  { clickhouse, sql }: { clickhouse: Clickhouse; sql: Postgres },
  query: FiguresQuery,
): Promise<Taking[]> {
  const taken = `(select ${AS_ROLLUP}, false as sandbox, finding_handle, number, t.impressions_thousandths as i, t.cost_micros as c from plays_taken_out as t final where campaign_id in {campaigns:Array(String)} and ${NEAR_SLOT})`;
  const branches = cutsOf(query.range, query.filter).map(
    ({ where }) => `select finding_handle, number, i, c from ${taken} where ${where}`,
  );
  const result = await clickhouse.query({
    query: `select toInt64(finding_handle) as finding, toInt64(number) as number, toInt64(count()) as plays, toInt64(sum(i)) as impressions, toInt64(sum(c)) as cost
      from (${branches.join(' union all ')}) group by finding, number`,
    query_params: rangeParameters(query),
    format: 'JSONEachRow',
  });
  const rows = await result.json<TakingRow>();
  const known = await sql<{ finding: number; number: number; at: Date; rule: string }[]>`
    select t.finding_handle as finding, t.number, t.taken_at as at, f.rule from play_takings t join findings f on f.handle = t.finding_handle
    where t.finding_handle = any(${[...new Set(rows.map(row => row.finding))]}::bigint[]) order by t.taken_at, t.handle`;
  return known.flatMap(({ finding, number, at, rule }) =>
    rows.filter(row => row.finding === finding && row.number === number).map(row => ({ ...row, at, rule })),
  );
}
