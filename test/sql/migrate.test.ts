/**
 * Migrations that were cut off go on where they stopped, and a database of another history is refused as it is. Real
 * Postgres and ClickHouse, cut at each statement; the schema is that of the product and one migration more.
 */
import { randomBytes } from 'node:crypto';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { clickhouseMigrations, migrateClickhouse, migratePostgres } from '#sql/migrate.ts';
import { openPostgres } from '#sql/postgres.ts';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';

const folder = makeDataDir();
cpSync(join(import.meta.dirname, '../../sql/migrations/clickhouse'), folder, { recursive: true });
writeFileSync(
  join(folder, '9999_more.sql'),
  `-- A column with the rows that are there.
alter table plays_raw add column weather String;
insert into plays_taken_out (campaign_id) values ('cmp_1');
alter table plays_raw modify setting parts_to_throw_insert = 5000;
alter table plays_raw comment column weather 'Weather, of tests';
`,
);

/** A migration of ClickHouse that was cut off between a statement and its record. */
const statements = clickhouseMigrations(undefined, folder).flatMap(({ number, name, statements: ofOne }) =>
  ofOne.map((query, statement) => ({ number, name, statement, query })),
);
const migrate = (url: string) => migrateClickhouse(url, { folder });
const MIGRATIONS =
  'create table migrations (number UInt32, statement UInt32, name String, applied_at DateTime default now()) engine = MergeTree order by (number, statement) settings fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1';
const databases: string[] = [];
let admin: Clickhouse;
let whole: string;

beforeAll(async () => {
  admin = openClickhouse(inject('clickhouseUrl'), { application: 'marquee-test', connectionsMax: 1 });
  whole = await schemaOf(await newDatabase(migrate));
});
afterAll(async () => {
  for (const database of databases) await admin.command({ query: `drop database ${database}` });
  await admin.close();
  await removeDataDir(folder);
});

/** @returns the name of a database, after `make` has done what it does with its URL */
async function newDatabase(make: (url: string) => Promise<unknown>): Promise<string> {
  const database = `test_migrate_${randomBytes(6).toString('hex')}`;
  databases.push(database);
  await admin.command({ query: `create database ${database}` });
  const url = new URL(inject('clickhouseUrl'));
  url.pathname = `/${database}`;
  await make(url.href);
  return database;
}

async function schemaOf(database: string): Promise<string> {
  const result = await admin.query({
    query:
      'select name, create_table_query as text from system.tables where database = {database:String} order by name',
    query_params: { database },
    format: 'JSONEachRow',
  });
  return (await result.json<{ text: string }>()).map(({ text }) => text.replaceAll(database, 'd')).join('\n');
}

/** Carries out the statements up to the `last`, and records all but that one. */
async function cutOffAfter(url: string, last: number): Promise<void> {
  const client = openClickhouse(url, { application: 'marquee-test', connectionsMax: 1 });
  await client.command({ query: MIGRATIONS });
  for (const { number, statement, query } of statements.slice(0, last + 1)) {
    const token = { insert_deduplication_token: `migration ${number}.${statement}` };
    await client.command({ query, ...(query.startsWith('insert') && { clickhouse_settings: token }) });
  }
  await client.insert({
    table: 'migrations',
    values: statements.slice(0, last).map(({ number, statement, name }) => ({ number, statement, name })),
    columns: ['number', 'statement', 'name'],
    format: 'JSONEachRow',
  });
  await client.close();
}

test.each([
  ['a table', 'create table plays_quarter_hour'],
  ['a column', 'alter table plays_raw add column'],
  ['a materialized view', 'create materialized view'],
  ['a view', 'create view'],
  ['a copy of rows', 'insert into'],
  ['a setting', 'alter table plays_raw modify setting'],
])('continues an interrupted run before the record of %s', async (_what, beginning) => {
  const last = statements.findIndex(({ query }) => query.startsWith(beginning));
  expect(last).toBeGreaterThan(0);
  const database = await newDatabase(async url => {
    await cutOffAfter(url, last);
    await migrate(url);
    expect(await migrate(url)).toEqual([]);
  });
  expect(await schemaOf(database)).toBe(whole);
  const copied = await admin.query({
    query: `select count() as rows from ${database}.plays_taken_out`,
    format: 'JSONEachRow',
  });
  expect(await copied.json()).toEqual([{ rows: 1 }]);
});

test('stops at a table of that name that it did not create', async () => {
  await newDatabase(async url => {
    await cutOffAfter(url, 0); // plays_raw
    const client = openClickhouse(url, { application: 'marquee-test', connectionsMax: 1 });
    await client.command({ query: 'create table plays_quarter_hour (x UInt8) engine = MergeTree order by x' });
    await client.close();
    await expect(migrateClickhouse(url)).rejects.toThrow('plays_quarter_hour already exists');
  });
});

describe('a database of another history', () => {
  const REFUSAL = 'migration 1 of this database is 0001_base.sql, that of this version is 0001_schema.sql';

  test('is refused in PostgreSQL, and stays unchanged', async () => {
    const server = openPostgres(inject('databaseUrl'), { connectionsMax: 1, applicationName: 'marquee-test' });
    const name = `test_migrate_${randomBytes(6).toString('hex')}`;
    await server`create database ${server(name)}`;
    const url = new URL(inject('databaseUrl'));
    url.pathname = `/${name}`;
    const sql = openPostgres(url.href, { connectionsMax: 1, applicationName: 'marquee-test' });
    await sql`create table migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())`;
    await sql`insert into migrations (number, name) values (1, '0001_base.sql')`;
    await expect(migratePostgres(url.href)).rejects.toThrow(REFUSAL);
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public'`;
    expect(tables).toEqual([{ name: 'migrations' }]);
    await sql.end({ timeout: 5 });
    await server`drop database ${server(name)} with (force)`;
    await server.end({ timeout: 5 });
  });

  test('is refused in ClickHouse, and stays unchanged', async () => {
    const database = await newDatabase(async url => {
      const client = openClickhouse(url, { application: 'marquee-test', connectionsMax: 1 });
      await client.command({ query: MIGRATIONS });
      await client.command({
        query: `insert into migrations (number, statement, name) values (1, 0, '0001_base.sql')`,
      });
      await client.close();
      await expect(migrateClickhouse(url)).rejects.toThrow(REFUSAL);
    });
    expect(await schemaOf(database)).toMatch(/^CREATE TABLE d\.migrations [^\n]*$/);
  });
});
