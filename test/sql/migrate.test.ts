import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { clickhouseMigrations, migrateClickhouse } from '#sql/migrate.ts';

/** A migration of ClickHouse that was cut off between a statement and its record. */
const statements = clickhouseMigrations(undefined).flatMap(({ number, name, statements: ofOne }) =>
  ofOne.map((query, statement) => ({ number, name, statement, query })),
);
const databases: string[] = [];
let admin: Clickhouse;
let whole: string;

beforeAll(async () => {
  admin = openClickhouse(inject('clickhouseUrl'), { application: 'marquee-test', connectionsMax: 1 });
  whole = await schemaOf(await newDatabase(migrateClickhouse));
});
afterAll(async () => {
  for (const database of databases) await admin.command({ query: `drop database ${database}` });
  await admin.close();
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
  await client.command({
    query:
      'create table migrations (number UInt32, statement UInt32, name String, applied_at DateTime default now()) engine = MergeTree order by (number, statement) settings fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1',
  });
  for (const { query } of statements.slice(0, last + 1)) await client.command({ query });
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
  ['a column', 'alter table plays_raw add column attempt'],
  ['a materialized view', 'create materialized view'],
  ['a view', 'create view'],
  ['a copy of rows', 'insert into'],
  ['a setting', 'alter table plays_raw modify setting'],
])('goes on where it was cut off before the record of %s', async (_what, beginning) => {
  const last = statements.findIndex(({ query }) => query.startsWith(beginning));
  expect(last).toBeGreaterThan(0);
  const database = await newDatabase(async url => {
    await cutOffAfter(url, last);
    await migrateClickhouse(url);
    expect(await migrateClickhouse(url)).toEqual([]);
  });
  expect(await schemaOf(database)).toBe(whole);
});

test('stops at a table of that name that it has not made itself', async () => {
  await newDatabase(async url => {
    await cutOffAfter(url, 0);
    const client = openClickhouse(url, { application: 'marquee-test', connectionsMax: 1 });
    await client.command({ query: 'create table scans_raw (x UInt8) engine = MergeTree order by x' });
    await client.close();
    await expect(migrateClickhouse(url)).rejects.toThrow('scans_raw already exists');
  });
});
