/**
 * The guide for analysts (docs/analysts.md) holds: its queries run, and it names every table and column. A real
 * ClickHouse with the schema, asked by the analyst's user.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { openAnalyst } from '../support/analyst.ts';
import { freshClickhouse } from '../support/engines/databases.ts';

let client: Clickhouse;
/** On the same database, with the rights and limits of an analyst. */
let analyst: ClickHouseClient;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await freshClickhouse();
  ({ client, drop } = database);
  analyst = openAnalyst({ ...inject('analyst'), database: new URL(database.url).pathname.slice(1) });
});
afterAll(async () => {
  await analyst.close();
  await drop();
});

const guide = readFileSync(join(import.meta.dirname, '../../docs/analysts.md'), 'utf8');
const queries = [...guide.matchAll(/```sql\n([\s\S]*?)```/g)].map(match => match[1]!);

describe("the analyst's guide", () => {
  test('has at least twenty questions with answers', () => {
    expect(queries.length).toBeGreaterThanOrEqual(20);
  });

  test('shows every event table, rollup and view in its diagram', async () => {
    const result = await client.query({
      query:
        "select name from system.tables where database = currentDatabase() and name not like '%\\_to\\_%' and name not like 'private\\_%' and name <> 'migrations'",
      format: 'JSONEachRow',
    });
    const drawn = /```mermaid\n([\s\S]*?)```/.exec(guide)![1]!;
    const names = (await result.json<{ name: string }>()).map(row => row.name);
    expect(names.length).toBeGreaterThanOrEqual(9);
    expect(names.filter(name => !new RegExp(`\\b${name}\\b`).test(drawn))).toEqual([]);
  });

  test.each(queries.map((query, index) => [index + 1, query]))('query %i runs', async (_, query) => {
    const result = await analyst.query({ query: String(query), format: 'JSONEachRow' });
    await expect(result.json()).resolves.toBeInstanceOf(Array);
  });

  test('lists every column of the views, and each has a comment', async () => {
    const result = await client.query({
      query:
        "select table, name, comment from system.columns where database = currentDatabase() and table in ('plays', 'plays_by_hour', 'scans')",
      format: 'JSONEachRow',
    });
    const columns = await result.json<{ table: string; name: string; comment: string }>();
    expect(columns.length).toBeGreaterThan(20);
    expect(columns.filter(column => column.comment === '')).toEqual([]);
    expect(
      columns
        .filter(column => !new RegExp(`\\| \`${column.table}\` .*\`${column.name}\``).test(guide))
        .map(column => `${column.table}.${column.name}`),
    ).toEqual([]);
  });

  test('every column of every table has a comment', async () => {
    const result = await client.query({
      query:
        "select concat(table, '.', name) as name from system.columns where database = currentDatabase() and comment = '' and table not in ('migrations') and table not like '%\\_to\\_%'",
      format: 'JSONEachRow',
    });
    expect(await result.json()).toEqual([]);
  });
});

describe('the materialised views', () => {
  test('a replayed insert changes neither the raw table nor the rollup', async () => {
    const row = {
      played_at: '2026-03-01 10:07:00.000',
      slot_at: '2026-03-01 10:07:00.000',
      received_at: '2026-03-01 10:07:20.000',
      campaign_id: 'cmp_a',
      creative_id: 'cre_a',
      screen_id: 'scr_a',
      venue_id: 'ven_a',
      campaign_handle: 1,
      epoch: 1,
      issue_number: 1,
      sandbox: false,
      late: false,
      played_ms: 6000,
      audience: null,
      impressions_thousandths: 2500,
      rate_micros: 6000,
      cost_micros: 15,
      group_id: 'g1',
      job_id: 'j1',
    };
    const insert = () =>
      client.insert({
        table: 'plays_raw',
        values: [row, { ...row, issue_number: 2, late: true, impressions_thousandths: 0, cost_micros: 0 }],
        format: 'JSONEachRow',
        clickhouse_settings: {
          insert_deduplication_token: 'g1:1',
          deduplicate_blocks_in_dependent_materialized_views: 1,
        },
      });
    await insert();
    await insert();
    const raw = await (
      await client.query({ query: 'select count() as n from plays_raw', format: 'JSONEachRow' })
    ).json<{ n: number }>();
    const rollup = await (
      await client.query({
        query:
          'select toString(bucket) as at, sum(plays) as plays, sum(late_plays) as late_plays, sum(impressions_thousandths) as impressions, sum(cost_micros) as cost from plays_quarter_hour group by bucket',
        format: 'JSONEachRow',
      })
    ).json();
    expect(Number(raw[0]!.n)).toBe(2);
    expect(rollup).toEqual([{ at: '2026-03-01 10:00:00', plays: 1, late_plays: 1, impressions: 2500, cost: 15 }]);
  });
});
