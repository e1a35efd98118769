/**
 * The final comparison, play id by play id: the plays promised to screens against those in ClickHouse, the rollups
 * against a recount of the rows, and both against the budgets.
 */
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { countOverspent } from '#sql/campaigns/budgets.ts';
import type { Postgres } from '#sql/postgres.ts';
import { readHandle, type Handle } from '#domain/id.ts';
import type { ScreenLog } from '../screen-swarm.ts';
import { bucketsSince } from './measure.ts';
import { playKeyOf } from './play-key.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

export type Verdict = { lost: number; doubleCounted: number; overspent: number; playsReported: number };

type CompareOptions = {
  logs: readonly ScreenLog[];
  clickhouse: Clickhouse;
  sql: Postgres;
  /** Start of the quarter of an hour from which plays are those of this run. */
  sinceMs?: Milliseconds;
};

export async function compare({ logs, clickhouse, sql, sinceMs = 0 }: CompareOptions): Promise<Verdict> {
  const rows = await readRows(clickhouse);
  const promised = new Set<string>();
  for (const log of logs) for (const playId of log.acked.keys()) promised.add(playKeyOf(playId));
  let missing = 0;
  for (const key of promised) if (!rows.counts.has(key)) missing += 1;
  let repeated = 0;
  for (const count of rows.counts.values()) repeated += count - 1;
  const rollup = await readRollup(clickhouse);
  return {
    lost: missing + Math.max(0, rows.total - rollup),
    doubleCounted: repeated + Math.max(0, rollup - rows.total),
    overspent: await overspentCampaigns(clickhouse, sql),
    playsReported: await readRollup(clickhouse, sinceMs),
  };
}

async function readRows(clickhouse: Clickhouse): Promise<{ counts: Map<string, number>; total: number }> {
  const rows = await queryRows<{ campaign_handle: Handle<'campaign'>; epoch: number; issue_number: number; n: number }>(
    clickhouse,
    {
      query:
        'select campaign_handle, epoch, issue_number, count() as n from plays_raw group by campaign_handle, epoch, issue_number',
    },
  );
  const counts = new Map<string, number>();
  let total = 0;
  for (const row of rows) {
    counts.set(`${row.campaign_handle}.${row.epoch}.${row.issue_number}`, Number(row.n));
    total += Number(row.n);
  }
  return { counts, total };
}

async function readRollup(clickhouse: Clickhouse, sinceMs: Milliseconds = 0): Promise<number> {
  const rows = await queryRows<{ plays: number }>(clickhouse, {
    query: `select sum(plays) + sum(late_plays) as plays from plays_quarter_hour where ${bucketsSince(sinceMs)}`,
  });
  return Number(rows[0]!.plays);
}

/** Campaigns whose counted plays, or whose charges, cost more than their budget. */
async function overspentCampaigns(clickhouse: Clickhouse, sql: Postgres): Promise<number> {
  const rows = await queryRows<{ campaign_handle: Handle<'campaign'>; cost: Micros }>(clickhouse, {
    query: 'select campaign_handle, sum(cost_micros) as cost from plays_raw group by campaign_handle',
  });
  return countOverspent(sql, new Map(rows.map(row => [readHandle('campaign', row.campaign_handle), Number(row.cost)])));
}
