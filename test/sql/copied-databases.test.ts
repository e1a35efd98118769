/** The databases of the tests are copies, which are what the migrations make. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { migrateClickhouse, migratePostgres } from '#sql/migrate.ts';
import { freshClickhouse, freshPostgres } from '../support/engines/databases.ts';

const MIGRATED = 'test_migrated';
let copy: Awaited<ReturnType<typeof freshClickhouse>>;
let migrated: Clickhouse;

beforeAll(async () => {
  const url = new URL(inject('clickhouseUrl'));
  url.pathname = `/${MIGRATED}`;
  await migrateClickhouse(url.href);
  migrated = openClickhouse(url.href, { application: 'marquee-test', connectionsMax: 1 });
  copy = await freshClickhouse();
});
afterAll(async () => {
  await migrated.command({ query: `drop database ${MIGRATED}` });
  await Promise.all([migrated.close(), copy.drop()]);
});

async function rowsOf(client: Clickhouse, query: string): Promise<unknown[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json();
}

test('a copy in ClickHouse has every table and view of the migrations', async () => {
  const query = `select name, replaceAll(create_table_query, currentDatabase() || '.', '') as statement
    from system.tables where database = currentDatabase() order by name`;
  const expected = await rowsOf(migrated, query);
  expect(expected.length).toBeGreaterThan(20);
  expect(await rowsOf(copy.client, query)).toEqual(expected);
});

test('a copy in ClickHouse was migrated, and nothing is left to do', async () => {
  expect(await migrateClickhouse(copy.url)).toEqual([]);
  const query = 'select number, statement, name from migrations order by all';
  expect(await rowsOf(copy.client, query)).toEqual(await rowsOf(migrated, query));
});

test('a copy in Postgres was migrated, and nothing is left to do', async () => {
  const { url, sql, drop } = await freshPostgres();
  expect(await migratePostgres(url)).toEqual([]);
  expect(await sql`select count(*)::int as campaigns from campaigns`).toEqual([{ campaigns: 0 }]);
  await drop();
});
