import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { CLUSTER_SETTINGS, migrationsForCluster, parseClusterName, renderForCluster } from '#sql/clickhouse-cluster.ts';
import { clickhouseMigrations } from '#sql/migrate.ts';

const TARGET = { cluster: 'east', database: 'marquee' };
const REPLICA = `'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'`;

describe('rendering for a cluster', () => {
  test.each([
    [
      'a table',
      'create table a (campaign_id String)\nengine = MergeTree\norder by (campaign_id, at)\nsettings non_replicated_deduplication_window = 10000',
      [
        `create table a_local on cluster 'east' (campaign_id String)\nengine = ReplicatedMergeTree(${REPLICA})\norder by (campaign_id, at)\nsettings replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 2592000`,
        `create table a on cluster 'east' as a_local engine = Distributed('east', 'marquee', 'a_local', cityHash64(campaign_id))`,
      ],
    ],
    [
      'a table that sums columns',
      'create table a (x UInt64)\nengine = SummingMergeTree((x, y))\norder by (campaign_handle, x)',
      [
        `create table a_local on cluster 'east' (x UInt64)\nengine = ReplicatedSummingMergeTree(${REPLICA}, (x, y))\norder by (campaign_handle, x)`,
        `create table a on cluster 'east' as a_local engine = Distributed('east', 'marquee', 'a_local', cityHash64(campaign_id))`,
      ],
    ],
    [
      'a table that aggregates, of screens',
      'create table a (x UInt64)\nengine = AggregatingMergeTree\norder by (screen_id, x)',
      [
        `create table a_local on cluster 'east' (x UInt64)\nengine = ReplicatedAggregatingMergeTree(${REPLICA})\norder by (screen_id, x)`,
        `create table a on cluster 'east' as a_local engine = Distributed('east', 'marquee', 'a_local', cityHash64(screen_id))`,
      ],
    ],
    [
      'a table that replaces by a version, of workspaces',
      'create table a (x UInt64) engine = ReplacingMergeTree(x) order by (day, workspace_handle)',
      [
        `create table a_local on cluster 'east' (x UInt64) engine = ReplicatedReplacingMergeTree(${REPLICA}, x) order by (day, workspace_handle)`,
        `create table a on cluster 'east' as a_local engine = Distributed('east', 'marquee', 'a_local', cityHash64(workspace_handle))`,
      ],
    ],
    [
      'a materialized view, on each shard, strings left as they are',
      `create materialized view v to b as select a.x, 'a b' as note from a group by x`,
      [
        `create materialized view v on cluster 'east' to b_local as select a_local.x, 'a b' as note from a_local group by x`,
      ],
    ],
    [
      'a view, over all shards',
      'create view v (x UInt8) as select x from a',
      [`create view v on cluster 'east' (x UInt8) as select x from a`],
    ],
    [
      'a change of columns, of both tables',
      'alter table a add column x UInt8 default 0',
      [
        `alter table a_local on cluster 'east' add column x UInt8 default 0`,
        `alter table a on cluster 'east' add column x UInt8 default 0`,
      ],
    ],
    [
      'a change of what is stored',
      'alter table a modify ttl at + interval 1 day',
      [`alter table a_local on cluster 'east' modify ttl at + interval 1 day`],
    ],
    [
      'a comment on a view',
      `alter table plays comment column a 'b'`,
      [`alter table plays on cluster 'east' comment column a 'b'`],
    ],
    [
      'a month that goes',
      'alter table a drop partition 202401',
      [`alter table a_local on cluster 'east' drop partition 202401`],
    ],
    [
      'a copy of rows',
      'insert into b (x) select x from a',
      ['insert into b (x) select x from a\nsettings distributed_foreground_insert = 1'],
    ],
  ])('%s', (_what, statement, rendered) => {
    expect(renderForCluster(statement, TARGET)).toEqual(rendered);
  });

  test.each([
    ['drop table a', 'no rule renders for a cluster: drop table a'],
    ['create table a (x UInt8) engine = Memory', 'a table without an engine that can be replicated'],
    ['create table a (x UInt8) engine = MergeTree order by (x)', 'a is sorted by nothing that could shard it'],
    [
      'create materialized view v engine = MergeTree order by x as select 1',
      'the view v has no table that it reads or writes',
    ],
  ])('refuses %s', (statement, message) => {
    expect(() => renderForCluster(statement, TARGET)).toThrow(message);
  });

  test.each(['', 'a b', `x' (`, 'x'.repeat(65)])('takes no name such as %j', name => {
    expect(() => parseClusterName(name)).toThrow(RangeError);
  });

  test('without a cluster every statement is the one of its file, byte for byte', () => {
    for (const { name, statements } of clickhouseMigrations(undefined)) {
      const text = readFileSync(join(import.meta.dirname, '../../sql/clickhouse', name), 'utf8')
        .split('\n')
        .filter(line => !line.trimStart().startsWith('--'))
        .join('\n');
      let at = 0;
      for (const statement of statements) {
        const found = text.indexOf(statement, at);
        expect([statement, found >= 0]).toEqual([statement, true]);
        at = found + statement.length;
      }
      expect(text.slice(at).trim()).toBe(';');
    }
  });
});

describe('on the real engine', () => {
  const rendered = clickhouseMigrations(TARGET).flatMap(({ name, statements }) =>
    statements.map((statement, index) => ({ name: `${name}, ${index}`, statement })),
  );
  let client: Clickhouse;
  const database = `cluster_${process.pid}`;

  beforeAll(async () => {
    const url = new URL(inject('clickhouseUrl'));
    url.pathname = '/default';
    const bare = openClickhouse(url.href, { application: 'marquee-test', connectionsMax: 1 });
    await bare.command({ query: `create database ${database}` });
    await bare.close();
    url.pathname = `/${database}`;
    client = openClickhouse(url.href, { application: 'marquee-test', connectionsMax: 1 });
  });
  afterAll(async () => {
    await client.command({ query: `drop database ${database}` });
    await client.close();
  });

  const formatted = async (query: string): Promise<string> => {
    const result = await client.query({
      query: 'select formatQuery({query:String}) as text',
      query_params: { query },
      format: 'JSONEachRow',
    });
    return (await result.json<{ text: string }>())[0]!.text;
  };

  test('every rendered statement of every migration is parsed, and is for the whole cluster', async () => {
    expect(rendered.length).toBeGreaterThan(30);
    for (const { name, statement } of rendered) {
      const text = await formatted(statement);
      expect([name, statement.startsWith('insert') || / ON CLUSTER east\b/.test(text)]).toEqual([name, true]);
    }
    expect(
      await formatted(
        migrationsForCluster(
          'create table if not exists migrations (number UInt32) engine = MergeTree order by (number, statement)',
          TARGET,
        ),
      ),
    ).toContain('ON CLUSTER east');
    await expect(
      formatted('create table a on cluster east (x UInt8) engine = ReplicatedMergeTree( order by x'),
    ).rejects.toThrow('Syntax error');
  });

  test('every table is a replicated one under a distributed one, with a window for tokens', () => {
    const tables = clickhouseMigrations(undefined).flatMap(({ statements }) =>
      statements.flatMap(statement => /^create table (\w+)/.exec(statement)?.[1] ?? []),
    );
    for (const table of tables) {
      const stored = rendered.find(({ statement }) => statement.startsWith(`create table ${table}_local `))!.statement;
      expect(stored).toMatch(/Replicated\w*MergeTree\('/);
      expect(stored).toMatch(
        /[ ,]replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 2592000/,
      );
      expect(
        rendered.some(({ statement }) =>
          statement.startsWith(`create table ${table} on cluster 'east' as ${table}_local engine = Distributed(`),
        ),
      ).toBe(true);
    }
  });

  // One server has no Keeper and no cluster. What stands for them: plain tables for replicated ones, and Merge, which reads
  // through to the stored table as Distributed does, for the distributed ones.
  test('the rendered tables and views work together: a repeated insert is dropped, and the views say what was inserted', async () => {
    for (const { statement } of rendered) {
      await client.command({
        query: statement
          .replace(` on cluster 'east'`, '')
          .replace(/Replicated(\w*MergeTree)\('[^']*', '\{replica\}'(?:, )?/, '$1(')
          .replace(
            /replicated_deduplication_window = (\d+), replicated_deduplication_window_seconds = \d+/,
            'non_replicated_deduplication_window = $1',
          )
          .replace(
            /engine = Distributed\('east', 'marquee', '(\w+)', cityHash64\(\w+\)\)/,
            (_, stored: string) => `engine = Merge('${database}', '^${stored}$')`,
          )
          .replace(/^insert into (\w+) /, 'insert into $1_local '),
      });
    }
    const insert = () =>
      client.insert({
        table: 'plays_raw_local',
        values: [
          {
            played_at: '2026-06-01 12:00:03.000',
            slot_at: '2026-06-01 12:00:00.000',
            received_at: '2026-06-01 12:00:20.000',
            campaign_id: 'cmp_1',
            creative_id: 'cre_1',
            screen_id: 'scr_1',
            venue_id: 'ven_1',
            impressions_thousandths: 1500,
            cost_micros: 20_000,
          },
        ],
        format: 'JSONEachRow',
        clickhouse_settings: {
          insert_deduplication_token: 'g:1',
          insert_deduplicate: 1,
          deduplicate_blocks_in_dependent_materialized_views: 1,
        },
      });
    await insert();
    await insert();
    const plays = await client.query({
      query: 'select campaign_id, impressions, cost from plays',
      format: 'JSONEachRow',
    });
    expect(await plays.json()).toEqual([{ campaign_id: 'cmp_1', impressions: 1.5, cost: 0.02 }]);
    for (const table of [
      'plays_by_hour',
      'plays_quarter_hour',
      'plays_campaign_quarter_hour',
      'plays_venue_quarter_hour',
      'plays_screen_day',
    ]) {
      const rows = await client.query({ query: `select sum(plays) as plays from ${table}`, format: 'JSONEachRow' });
      expect([table, await rows.json()]).toEqual([table, [{ plays: 1 }]]);
    }
  });

  test('knows every setting that a connection to a cluster asks for', async () => {
    const result = await client.query({
      query: 'select name from system.settings where name in {names:Array(String)}',
      query_params: { names: Object.keys(CLUSTER_SETTINGS) },
      format: 'JSONEachRow',
    });
    expect((await result.json()).length).toBe(Object.keys(CLUSTER_SETTINGS).length);
  });

  test('parses the grants of deploy/clickhouse/users.xml and knows its settings', async () => {
    const users = readFileSync(join(import.meta.dirname, '../../deploy/clickhouse/users.xml'), 'utf8');
    const grants = [...users.matchAll(/<query>(.*)<\/query>/g)].map(match => match[1]!);
    expect(grants.length).toBeGreaterThan(5);
    for (const grant of grants) expect(await formatted(`${grant} TO analyst`)).toContain('GRANT');
    const profiles = users.slice(users.indexOf('<profiles>'), users.indexOf('</profiles>'));
    const names = [...new Set([...profiles.matchAll(/<([a-z][a-z0-9_]*)>/g)].map(match => match[1]!))].filter(
      name => !['profiles', 'default', 'analyst', 'constraints', 'min', 'max'].includes(name),
    );
    const result = await client.query({
      query: 'select name from system.settings where name in {names:Array(String)}',
      query_params: { names },
      format: 'JSONEachRow',
    });
    const known = new Set((await result.json<{ name: string }>()).map(row => row.name));
    expect([names.length > 15, names.filter(name => !known.has(name))]).toEqual([true, []]);
  });
});
