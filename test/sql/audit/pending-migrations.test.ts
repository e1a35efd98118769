/** What an upgrade would change is read from a database without a change of it. Real Postgres and ClickHouse. */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { migrateClickhouse } from '#sql/migrate.ts';
import { pendingMigrations } from '#audit/pending-migrations.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { ROOT } from '../../support/architecture/source-files.ts';
import { freshPostgres } from '../../support/engines/databases.ts';
import { makeDataDir, removeDataDir } from '../../support/engines/engines.ts';

const folder = makeDataDir();
const NEWER = { postgres: join(folder, 'postgres'), clickhouse: join(folder, 'clickhouse') };
const database = `test_pending_${randomBytes(6).toString('hex')}`;
let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let clickhouse: Clickhouse;

beforeAll(async () => {
  for (const engine of ['postgres', 'clickhouse'])
    cpSync(join(ROOT, 'sql/migrations', engine), join(folder, engine), { recursive: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(NEWER.postgres, '9998_rate_cards.sql'),
    '-- Rate cards with seasons.\n-- It locks no table.\n\nselect 1;\n',
  );
  writeFileSync(
    join(NEWER.clickhouse, '9999_weather.sql'),
    '-- Weather of plays.\nalter table plays_raw add column weather String;\nalter table plays_raw add column wind String;\n',
  );
  postgres = await freshPostgres();
  clickhouse = clickhouseOf(database);
  await migrateClickhouse(urlOf(database));
});
afterAll(async () => {
  await clickhouse?.command({ query: `drop database ${database}` });
  await clickhouse?.close();
  await postgres?.drop();
  await removeDataDir(folder);
});

function urlOf(name: string): string {
  const url = new URL(inject('clickhouseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}
const clickhouseOf = (name: string): Clickhouse =>
  openClickhouse(urlOf(name), { application: 'marquee-test', connectionsMax: 1 });
const engines = (): { sql: Postgres; clickhouse: Clickhouse } => ({ sql: postgres.sql, clickhouse });

test('a database of this version lacks nothing', async () => {
  expect(await pendingMigrations(engines())).toEqual([]);
});

test('a newer version lists its migrations, Postgres first, without applying them', async () => {
  const wanted = [
    {
      engine: 'postgres',
      name: '9998_rate_cards.sql',
      about: 'Rate cards with seasons. It locks no table.',
      begun: false,
    },
    { engine: 'clickhouse', name: '9999_weather.sql', about: 'Weather of plays.', begun: false },
  ];
  expect(await pendingMigrations(engines(), NEWER)).toEqual(wanted);
  expect(await pendingMigrations(engines(), NEWER)).toEqual(wanted);
});

test('an interrupted ClickHouse migration is listed as begun', async () => {
  await clickhouse.insert({
    table: 'migrations',
    values: [{ number: 9_999, statement: 0, name: '9999_weather.sql' }],
    columns: ['number', 'statement', 'name'],
    format: 'JSONEachRow',
  });
  expect(await pendingMigrations(engines(), NEWER)).toMatchObject([{}, { name: '9999_weather.sql', begun: true }]);
});

test('an empty database lacks all migrations', async () => {
  const server = openPostgres(inject('databaseUrl'), { connectionsMax: 1, applicationName: 'marquee-test' });
  const empty = openClickhouse(urlOf('default'), { application: 'marquee-test', connectionsMax: 1 });
  expect(await pendingMigrations({ sql: server, clickhouse: empty })).toMatchObject([
    { engine: 'postgres', name: '0001_schema.sql' },
    { engine: 'postgres', name: '0002_hindsight.sql' },
    { engine: 'postgres', name: '0003_last_plays.sql' },
    { engine: 'postgres', name: '0004_overload_least_floor.sql' },
    { engine: 'postgres', name: '0005_tell_client_changes.sql' },
    { engine: 'postgres', name: '0006_rejected_uploads.sql' },
    { engine: 'postgres', name: '0007_venue_zones.sql' },
    { engine: 'postgres', name: '0008_foreseen.sql' },
    { engine: 'postgres', name: '0009_folded_addresses.sql' },
    { engine: 'postgres', name: '0010_one_address_each.sql' },
    { engine: 'postgres', name: '0011_won_disputes.sql' },
    { engine: 'postgres', name: '0012_audit_export_filter.sql' },
    { engine: 'postgres', name: '0013_forget_renditions.sql' },
    { engine: 'postgres', name: '0014_drafts_of_a_name.sql' },
    { engine: 'postgres', name: '0015_vat.sql' },
    { engine: 'postgres', name: '0016_self_billed_invoices.sql' },
    { engine: 'postgres', name: '0017_place_rules.sql' },
    { engine: 'postgres', name: '0018_declarations.sql' },
    { engine: 'postgres', name: '0019_invoice_proofs.sql' },
    { engine: 'postgres', name: '0020_alerts.sql' },
    { engine: 'postgres', name: '0021_audiences.sql' },
    { engine: 'postgres', name: '0022_political.sql' },
    { engine: 'postgres', name: '0023_screen_commands.sql' },
    { engine: 'postgres', name: '0024_weekly_reports.sql' },
    { engine: 'postgres', name: '0025_password_resets.sql' },
    { engine: 'postgres', name: '0026_key_last_use.sql' },
    { engine: 'clickhouse', name: '0001_schema.sql' },
    { engine: 'clickhouse', name: '0002_audience_number.sql' },
  ]);
  await empty.close();
  await server.end({ timeout: 5 });
});

test('a database of another history is refused', async () => {
  writeFileSync(join(NEWER.clickhouse, '9999_weather.sql'), '');
  await clickhouse.insert({
    table: 'migrations',
    values: [{ number: 9_998, statement: 0, name: '9998_other.sql' }],
    columns: ['number', 'statement', 'name'],
    format: 'JSONEachRow',
  });
  writeFileSync(join(NEWER.clickhouse, '9998_ours.sql'), 'select 1;\n');
  await expect(pendingMigrations(engines(), NEWER)).rejects.toThrow('9998_other.sql');
});
