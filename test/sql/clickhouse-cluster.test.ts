/**
 * The schema of ClickHouse as it is rendered for a cluster. Texts are compared; then a real ClickHouse parses every
 * statement, and runs them as a cluster of one shard.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import {
  CLUSTER_SETTINGS,
  distributedTables,
  parseClusterName,
  renderForCluster,
  storedTable,
} from '#sql/clickhouse-cluster.ts';
import { clickhouseMigrations } from '#sql/migrate.ts';
import { Connection } from '../../engines/clickhouse/connection.ts';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';

const TARGET = { cluster: 'east', database: 'marquee' };

describe('rendering for a cluster', () => {
  test.each([
    [
      'a table',
      'create table a (campaign_id String)\nengine = MergeTree\norder by campaign_id\nsettings non_replicated_deduplication_window = 10000',
      `create table a on cluster 'east' (campaign_id String)\nengine = ReplicatedMergeTree\norder by campaign_id\nsettings replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 2592000`,
    ],
    [
      'a table that sums columns',
      'create table a\n(x UInt64)\nengine = SummingMergeTree((x, y))\norder by x',
      `create table a on cluster 'east'\n(x UInt64)\nengine = ReplicatedSummingMergeTree((x, y))\norder by x`,
    ],
    [
      'a materialized view',
      'create materialized view v to b as select x from a',
      `create materialized view v on cluster 'east' to b as select x from a`,
    ],
    [
      'a view',
      'create view v (x UInt8) as select x from a',
      `create view v on cluster 'east' (x UInt8) as select x from a`,
    ],
    ['a change', 'alter table a add column x UInt8', `alter table a on cluster 'east' add column x UInt8`],
  ])('%s', (_what, statement, rendered) => {
    expect(renderForCluster(statement, TARGET)).toBe(rendered);
  });

  test.each(['drop table a', 'insert into b (x) select x from a'])('refuses %s', statement => {
    expect(() => renderForCluster(statement, TARGET)).toThrow(`no rule renders for a cluster: ${statement}`);
  });

  test('names a stored table on every server that stores it', () => {
    expect(storedTable('plays_raw', undefined)).toBe('plays_raw');
    expect(storedTable('plays_raw', TARGET)).toBe(`marquee_local.plays_raw on cluster 'east'`);
  });

  test.each(['', 'a b', `x' (`, 'x'.repeat(65)])('accepts no name such as %j', name => {
    expect(() => parseClusterName(name)).toThrow(RangeError);
  });
});

describe('on the real engine', () => {
  const rendered = clickhouseMigrations(TARGET).flatMap(({ statements }) => statements);
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

  test('every statement for a cluster parses, and applies to the whole cluster', async () => {
    const statements = [
      ...rendered,
      ...distributedTables(TARGET),
      `alter table ${storedTable('a', TARGET)} drop partition 1`,
    ];
    expect(statements.length).toBeGreaterThan(40);
    for (const statement of statements) expect(await formatted(statement)).toMatch(/ ON CLUSTER east\b/);
  });

  test('every table that stores rows is replicated and has a deduplication window', () => {
    const tables = rendered.filter(statement => statement.startsWith('create table '));
    expect(tables.length).toBeGreaterThan(10);
    for (const table of tables) {
      expect(table).toMatch(/\nengine = Replicated\w*MergeTree\b/);
      expect(table).toMatch(
        /[ ,]replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 2592000/,
      );
      expect(table).not.toContain('non_replicated');
    }
  });

  test('every table and view of the schema has a distributed table', () => {
    const names = rendered.flatMap(statement => /^create (?:table|view) (\w+)/.exec(statement)?.[1] ?? []);
    const distributed = distributedTables(TARGET).map(statement => / as marquee_local\.(\w+) /.exec(statement)![1]!);
    expect(distributed.sort()).toEqual(names.sort());
  });

  test('knows every setting of a connection to a cluster', async () => {
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

/**
 * The embedded engine has no Keeper, so that a table is not replicated in it and `on cluster` has nowhere to go.
 * Distributed tables it has: here they are those of a cluster of one shard, which is the engine itself.
 */
describe('on a cluster of one shard', () => {
  const folder = makeDataDir();
  let connection: Connection;

  beforeAll(async () => {
    const config = join(folder, 'config.xml');
    writeFileSync(
      config,
      `<clickhouse>
        <users><default><password/><networks><ip>::/0</ip></networks></default></users>
        <profiles><default/></profiles><quotas><default/></quotas>
        <tcp_port>9000</tcp_port>
        <remote_servers><east><shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard></east></remote_servers>
      </clickhouse>`,
    );
    const settings = Object.entries(CLUSTER_SETTINGS)
      .filter(([name]) => !name.startsWith('insert_quorum'))
      .map(([name, value]) => ({ name, value: String(value) }));
    connection = await Connection.open({
      folder: join(folder, 'engine'),
      args: [`--config-file=${config}`],
      settings,
      isReadonly: false,
    });
    for (const database of ['marquee', 'marquee_local']) await run(`create database ${database}`, 'default');
    for (const { statements } of clickhouseMigrations(undefined))
      for (const statement of statements) await run(statement, 'marquee_local');
    await distribute();
  });
  afterAll(async () => {
    connection.close();
    await removeDataDir(folder);
  });

  async function run(sql: string, database = 'marquee'): Promise<object[]> {
    const { bytes } = await connection.execute({ sql, database, settings: [], format: 'JSONEachRow' });
    const text = Buffer.from(bytes).toString().trim();
    return text === '' ? [] : text.split('\n').map(line => JSON.parse(line) as object);
  }

  async function distribute(): Promise<void> {
    for (const statement of distributedTables(TARGET)) await run(statement.replace(` on cluster 'east'`, ''));
  }

  const insert = (campaign: string, token: string) =>
    run(`insert into plays_raw (played_at, slot_at, received_at, campaign_id, impressions_thousandths, cost_micros)
      settings insert_deduplication_token = '${token}', insert_deduplicate = 1, deduplicate_blocks_in_dependent_materialized_views = 1
      values ('2026-06-01 12:00:03.000', '2026-06-01 12:00:00.000', '2026-06-01 12:00:20.000', '${campaign}', 1500, 20000)`);

  test('a repeated insert is dropped, and every rollup and view has the inserted rows', async () => {
    await insert('cmp_1', 'g:1');
    await insert('cmp_1', 'g:1');
    expect(await run(`select campaign_id, impressions, cost from plays where campaign_id = 'cmp_1'`)).toEqual([
      { campaign_id: 'cmp_1', impressions: 1.5, cost: 0.02 },
    ]);
    for (const table of [
      'plays_by_hour',
      'plays_quarter_hour',
      'plays_campaign_quarter_hour',
      'plays_venue_quarter_hour',
      'plays_screen_day',
    ])
      expect([table, await run(`select toUInt32(sum(plays)) as plays from ${table}`)]).toEqual([table, [{ plays: 1 }]]);
  });

  test('a column of a migration is in the distributed table of the next run, with its rows', async () => {
    await insert('cmp_2', 'g:2');
    await run(`alter table plays_raw add column weather String default 'sun'`, 'marquee_local');
    await distribute();
    expect(await run(`select weather from plays_raw where campaign_id = 'cmp_2'`)).toEqual([{ weather: 'sun' }]);
  });

  test('a distributed table has comments on its columns', async () => {
    const [row] = await run(
      `select toUInt32(countIf(comment = '')) as silent, toUInt32(count()) as columns from system.columns where database = 'marquee'`,
    );
    expect(row).toMatchObject({ silent: 1 }); // the column of the test above
  });
});
