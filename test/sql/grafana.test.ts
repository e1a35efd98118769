/**
 * The dashboard in docs/grafana: each of its queries runs as the analyst on a real ClickHouse, with Grafana's macros
 * put in as its plugin does.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ClickHouseClient } from '@clickhouse/client';
import { openAnalyst } from '../support/analyst.ts';
import { freshClickhouse } from '../support/engines/databases.ts';

type Target = { rawSql: string; format: number };
type Panel = { title: string; description: string; type: string; targets: Target[] };
const dashboard = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/grafana/marquee.json'), 'utf8')) as {
  uid: string;
  panels: Panel[];
  templating: { list: { type: string }[] };
};

let database: Awaited<ReturnType<typeof freshClickhouse>>;
let analyst: ClickHouseClient;

beforeAll(async () => {
  database = await freshClickhouse();
  analyst = openAnalyst({ ...inject('analyst'), database: new URL(database.url).pathname.slice(1) });
  await database.client.command({
    query: `insert into plays_raw (played_at, slot_at, received_at, campaign_id, creative_id, screen_id, venue_id, campaign_handle, epoch, issue_number, sandbox, late, played_ms, audience, impressions_thousandths, rate_micros, cost_micros, group_id, job_id)
      select now64(3) as at, at, at, 'cmp_a', 'cre_a', 'scr_a', 'ven_a', 1, 1, number, false, number = 0, 10000, null, 8200, 6000, 49200, 'g', 'j' from numbers(10)`,
  });
  await database.client.command({
    query: `insert into scans_raw (scan_id, scanned_at, slot_at, campaign_id, creative_id, screen_id, venue_id, daypart, sandbox, group_id) select 'scan_a', now64(3), now64(3), 'cmp_a', 'cre_a', 'scr_a', 'ven_a', 'night', false, 'g'`,
  });
});
afterAll(async () => {
  await analyst.close();
  await database.drop();
});

function expand(sql: string): string {
  const seconds = (column: string, comparison: string, offset: string) =>
    `${column} ${comparison} toDateTime(now()) ${offset}`;
  const text = sql
    .replaceAll(
      /\$__timeFilter\(([^)]+)\)/g,
      (_, column: string) => `(${seconds(column, '>=', '- 86400')} and ${seconds(column, '<=', '+ 3600')})`,
    )
    .replaceAll(
      /\$__timeInterval\(([^)]+)\)/g,
      (_, column: string) => `toStartOfInterval(toDateTime(${column}), interval 60 second)`,
    );
  if (text.includes('$')) throw new Error(`a macro is not known here: ${text}`);
  return text;
}

describe('the dashboard', () => {
  test.each(dashboard.panels.map(panel => [panel.title, panel] as const))(
    '%s asks what the analyst may ask, and finds something',
    async (_, { targets, type, description }) => {
      expect(description).toMatch(/\.$/);
      for (const { rawSql, format } of targets) {
        const result = await analyst.query({ query: expand(rawSql), format: 'JSON' });
        const { data, meta } = (await result.json()) as {
          data: Record<string, unknown>[];
          meta: { name: string; type: string }[];
        };
        expect(data.length).toBeGreaterThan(0);
        expect(Object.values(data[0]!).some(value => value !== 0 && value !== null && value !== '')).toBe(true);
        const isOverTime = meta[0]!.name === 'time' && meta[0]!.type.startsWith('DateTime');
        expect([isOverTime, format === 0]).toEqual([type === 'timeseries', type === 'timeseries']);
      }
    },
  );

  test('lets the reader choose the data source', () => {
    expect(dashboard.templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }]);
    expect(dashboard.panels.length).toBeGreaterThanOrEqual(10);
  });
});
