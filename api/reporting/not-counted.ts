/**
 * Reports of plays that were refused on arrival, and scans that were redirected without being counted, by rule. They
 * are in no other figure. Some may be missing after a flood or the crash of a process; no money depends on them. See
 * docs/invalid-traffic.md.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { ruleOfLabel } from '#domain/plays/traffic/invalid-traffic.ts';
import { formatId } from '#domain/id.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { createCachedReads } from '../joined/cached-reads.ts';
import type { NotCounted } from './schema/not-counted.ts';
import { cutsOf, rangeParameters, type FiguresQuery } from '#sql/figures/read-figures.ts';

/** How long it is remembered whether a campaign has any, so that most reports need no further statement. */
const KEEP_MS = 1_000;
const NONE: NotCounted = { plays: [], scans: [] };

/** Reads the uncounted events for a query of metrics. */
export type NotCountedReads = { of(query: FiguresQuery): Promise<NotCounted> };

export function createNotCountedReads({
  clickhouse,
  now,
}: {
  clickhouse: Clickhouse;
  now: () => Milliseconds;
}): NotCountedReads {
  const known = createCachedReads({
    keepMs: KEEP_MS,
    staleMs: KEEP_MS,
    now,
    read: campaigns => readHaving(clickhouse, campaigns),
  });
  return {
    async of(query) {
      if (query.filter?.zones.length === 0) return NONE;
      const having = await Promise.all(query.campaigns.map(campaign => known.get(formatId('campaign', campaign))));
      return having.includes(true) ? readNotCounted(clickhouse, query) : NONE;
    },
  };
}

/** Whether each of these campaigns has anything that was not counted. */
async function readHaving(clickhouse: Clickhouse, campaigns: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  // Ids are formatted from integers, so they need no escaping. They are part of the statement and not parameters,
  // because parameters travel in the URL, whose length is bounded.
  const among = `campaign_id in (${campaigns.map(id => `'${id}'`).join(',')})`;
  const rows = await queryRows<{ campaign_id: string }>(clickhouse, {
    query: `select distinct campaign_id from plays_not_counted where ${among} union distinct select distinct campaign_id
      from scans_not_counted where ${among}`,
  });
  const found = new Set(rows.map(row => row.campaign_id));
  return new Map(campaigns.map(id => [id, found.has(id)]));
}

async function readNotCounted(clickhouse: Clickhouse, query: FiguresQuery): Promise<NotCounted> {
  const branches = cutsOf(query.range, query.filter).flatMap(({ where }) => [
    `select 'plays' as kind, toString(rule) as label, plays as n from plays_not_counted where ${where}`,
    `select 'scans' as kind, toString(rule) as label, scans as n from scans_not_counted where ${where}`,
  ]);
  const rows = await queryRows<{ kind: 'plays' | 'scans'; label: string; number: number }>(clickhouse, {
    query: `select kind, label, toInt64(sum(n)) as number from (${branches.join(' union all ')}) group by kind, label
      order by kind, label`,
    query_params: rangeParameters(query),
  });
  const of = (kind: string) =>
    rows
      .filter(row => row.kind === kind)
      .map(({ label, number }) => ({ reason: ruleOfLabel(label)?.name ?? label, number }));
  return {
    plays: of('plays').map(({ reason, number }) => ({ reason, plays: number })),
    scans: of('scans').map(({ reason, number }) => ({ reason, scans: number })),
  };
}
