/**
 * Plays of a campaign that are not valid. Some were never charged, by the rule that decided when the play was counted.
 * Others were charged and taken out later, because a finding about them was upheld: these are adjustments. They are
 * listed beside the figures, which stay as they were published. See docs/invalid-traffic.md.
 */
import type { Handle } from '#domain/id.ts';
import type { Static } from 'typebox';
import { concernOf, ruleOfLabel } from '#domain/plays/traffic/invalid-traffic.ts';
import { roundThousandths } from '#domain/money/money.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { readTakings } from '#sql/findings/takings.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import { money } from '../wire/shapes.ts';
import { cutsOf, rangeParameters, type FiguresQuery } from '#sql/figures/read-figures.ts';
import type { AdjustmentsField, InvalidPlaysField } from './schema/report.ts';
import type { Micros } from '#domain/unit.ts';

type InvalidPlays = Static<typeof InvalidPlaysField>;
type Adjustments = Static<typeof AdjustmentsField>;
/** `removed`: the exact sums of all adjustments. */
export type Invalid = {
  plays: InvalidPlays;
  adjustments: Adjustments;
  removed: { plays: number; impressionsThousandths: number; costMicros: Micros };
};

const INVALID_TRAFFIC = 'invalid_traffic';

/**
 * Reads the invalid plays of a range. The caller's figures (`latePlays`) and the campaign's row tell whether there are
 * any; ClickHouse is asked only then.
 */
export async function readInvalid(
  { clickhouse, sql }: { clickhouse: Clickhouse; sql: Postgres },
  row: CampaignRow,
  { latePlays, ...query }: FiguresQuery & { latePlays: number },
): Promise<Invalid> {
  const isNowhere = query.filter?.zones.length === 0;
  const [reasons, adjustments] = await Promise.all([
    latePlays === 0 ? [] : readReasons(clickhouse, query, latePlays),
    row.taken_out_plays === 0 || isNowhere ? [] : readAdjustments({ clickhouse, sql }, query),
  ]);
  const sum = (pick: (adjustment: Adjustment) => number) =>
    adjustments.reduce((total, adjustment) => total + pick(adjustment), 0);
  const removed = {
    plays: sum(adjustment => adjustment.plays),
    impressionsThousandths: sum(adjustment => adjustment.impressions),
    costMicros: sum(adjustment => adjustment.cost),
  };
  return {
    plays: removed.plays === 0 ? reasons : [...reasons, { reason: INVALID_TRAFFIC, plays: removed.plays }],
    adjustments: adjustments.map(({ at, rule, plays, impressions, cost }) => ({
      at: at.toISOString(),
      concerns: concernOf(rule),
      plays,
      impressions: roundThousandths(impressions),
      spend: money(cost, row.currency),
    })),
    removed,
  };
}

/** Columns that give raw plays the shape of a rollup, so that `cutsOf` selects them in the same way. */
const AS_ROLLUP =
  "toDateTime(toStartOfInterval(slot_at, interval 15 minute, 'UTC'), 'UTC') as bucket, campaign_id, venue_id";
const NEAR_SLOT =
  "slot_at >= toDateTime({first:Date}, 'UTC') - interval 1 day and slot_at < toDateTime({last:Date}, 'UTC') + interval 3 day";
const LATE = 'late';

/**
 * Plays that were never charged, by reason. Raw plays are kept for 25 months. Older plays are only in the total
 * `latePlays`; their reason is `late`, the only one that there was then.
 */
async function readReasons(clickhouse: Clickhouse, query: FiguresQuery, latePlays: number): Promise<InvalidPlays> {
  const uncharged = `(select ${AS_ROLLUP}, sandbox, decided_by from plays_raw
    where campaign_handle in {handles:Array(UInt64)} and late and ${NEAR_SLOT})`;
  const branches = cutsOf(query.range, query.filter).map(
    ({ where }) => `select decided_by from ${uncharged} where ${where}`,
  );
  const rows = await queryRows<{ decided_by: string; plays: number }>(clickhouse, {
    query: `select decided_by, toInt64(count()) as plays from (${branches.join(' union all ')}) group by decided_by
      order by decided_by`,
    query_params: { ...rangeParameters(query), handles: query.campaigns },
  });
  const plays = new Map<string, number>([
    [LATE, Math.max(0, latePlays - rows.reduce((sum, row) => sum + row.plays, 0))],
  ]);
  for (const row of rows) {
    const rule = ruleOfLabel(row.decided_by)?.name ?? LATE;
    plays.set(rule, (plays.get(rule) ?? 0) + row.plays);
  }
  return [...plays].filter(([, count]) => count > 0).map(([reason, count]) => ({ reason, plays: count }));
}

type Adjustment = { at: Date; rule: string; plays: number; impressions: number; cost: number };
type AdjustmentRow = { finding: Handle<'finding'>; number: number; plays: number; impressions: number; cost: number };

/**
 * The adjustments of a range, oldest first. The time of an adjustment is that of the transaction that credited it.
 * Without such a transaction, the plays are not taken out yet.
 */
async function readAdjustments(
  { clickhouse, sql }: { clickhouse: Clickhouse; sql: Postgres },
  query: FiguresQuery,
): Promise<Adjustment[]> {
  const taken = `(select ${AS_ROLLUP}, false as sandbox, finding_handle, number, t.impressions_thousandths as i,
      t.cost_micros as c from plays_taken_out as t final
    where campaign_id in {campaigns:Array(String)} and ${NEAR_SLOT})`;
  const branches = cutsOf(query.range, query.filter).map(
    ({ where }) => `select finding_handle, number, i, c from ${taken} where ${where}`,
  );
  const rows = await queryRows<AdjustmentRow>(clickhouse, {
    query: `select toInt64(finding_handle) as finding, toInt64(number) as number, toInt64(count()) as plays,
        toInt64(sum(i)) as impressions, toInt64(sum(c)) as cost
      from (${branches.join(' union all ')}) group by finding, number`,
    query_params: rangeParameters(query),
  });
  const known = await readTakings(
    sql,
    rows.map(row => row.finding),
  );
  return known.flatMap(({ finding, number, at, rule }) =>
    rows.filter(row => row.finding === finding && row.number === number).map(row => ({ ...row, at, rule })),
  );
}
