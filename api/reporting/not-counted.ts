import { Type, type Static } from 'typebox';
import { ruleOfLabel } from '#domain/invalid-traffic.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { cutsOf, rangeParameters, type FiguresQuery } from './figures.ts';

/** What was refused or led on as it came, and so is in no other figure, by the rule that said so. Written down as well as can be: it is no money. */
export const PlaysNotCountedField = Type.Array(Type.Object({
  reason: Type.String({ description: 'Name of the rule, such as `too_short` or `overlap`; `before_end` may be reported again and then counts.' }),
  plays: Type.Integer({ description: 'Number of reports. A play that was reported twice is twice in it.' }),
}), { description: 'Reports of plays that were refused as they came, by rule. Of a flood, or of a process that was killed, some may be missing.' });

export const ScansNotCountedField = Type.Array(Type.Object({
  reason: Type.String({ description: 'Name of the rule, such as `scan_repeat`.' }),
  scans: Type.Integer({ description: 'Number of scans.' }),
}), { description: 'Scans that were led on to the landing page and not counted, by rule. Of a flood, or of a process that was killed, some may be missing.' });

/** What a report says of both. */
export type NotCounted = { plays: Static<typeof PlaysNotCountedField>; scans: Static<typeof ScansNotCountedField> };

export async function readNotCounted(clickhouse: Clickhouse, query: FiguresQuery): Promise<NotCounted> {
  if (query.filter?.zones.length === 0) return { plays: [], scans: [] };
  const branches = cutsOf(query.range, query.filter).flatMap(({ where }) => [
    `select 'plays' as kind, toString(rule) as label, plays as n from plays_not_counted where ${where}`,
    `select 'scans' as kind, toString(rule) as label, scans as n from scans_not_counted where ${where}`,
  ]);
  const result = await clickhouse.query({
    query: `select kind, label, toInt64(sum(n)) as number from (${branches.join(' union all ')}) group by kind, label order by kind, label`,
    query_params: rangeParameters(query),
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ kind: 'plays' | 'scans'; label: string; number: number }>();
  const of = (kind: string) => rows.filter(row => row.kind === kind).map(({ label, number }) => ({ reason: ruleOfLabel(label)?.name ?? label, number }));
  return { plays: of('plays').map(({ reason, number }) => ({ reason, plays: number })), scans: of('scans').map(({ reason, number }) => ({ reason, scans: number })) };
}
