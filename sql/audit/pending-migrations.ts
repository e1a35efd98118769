/**
 * The effect of `npm run migrate` of this version on a database, without applying it: the pending migrations, each with
 * the comment on top of its file. Read by `admin upgrade --check`.
 */
import { join } from 'node:path';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { assertSameHistory, migrationsOf, statementsOf, type Migration } from '#sql/migrate.ts';
import type { Postgres } from '#sql/postgres.ts';

export type PendingMigration = {
  engine: 'postgres' | 'clickhouse';
  /** The file, `0002_rate_cards.sql`. */
  name: string;
  /** Its own description. */
  about: string;
  /** Whether it was partly applied and interrupted; Postgres applies all of a file or nothing. */
  begun: boolean;
};

export type MigrationFolders = { postgres: string; clickhouse: string };
const FOLDERS: MigrationFolders = {
  postgres: join(import.meta.dirname, '../migrations/postgres'),
  clickhouse: join(import.meta.dirname, '../migrations/clickhouse'),
};

/**
 * The migrations that were not applied, those of Postgres first, in their order. An empty database lacks all.
 *
 * @throws Fault `other_history`, not retryable, if a number was applied under another name
 */
export async function pendingMigrations(
  engines: { sql: Postgres; clickhouse: Clickhouse },
  folders: MigrationFolders = FOLDERS,
): Promise<PendingMigration[]> {
  const inPostgres = new Map((await appliedInPostgres(engines.sql)).map(({ number, name }) => [number, name]));
  const inClickhouse = await appliedInClickhouse(engines.clickhouse);
  const namesInClickhouse = new Map(inClickhouse.map(({ number, name }) => [number, name]));
  const pending: PendingMigration[] = [];
  for (const migration of migrationsOf(folders.postgres)) {
    const name = inPostgres.get(migration.number);
    if (name !== undefined) assertSameHistory(migration.number, name, migration.name);
    else pending.push(pendingOf('postgres', migration, false));
  }
  for (const migration of migrationsOf(folders.clickhouse)) {
    assertSameHistory(migration.number, namesInClickhouse.get(migration.number) ?? migration.name, migration.name);
    const done = new Set(inClickhouse.filter(row => row.number === migration.number).map(row => row.statement));
    const isWhole = statementsOf(migration.text).every((_, statement) => done.has(statement));
    if (!isWhole) pending.push(pendingOf('clickhouse', migration, done.size > 0));
  }
  return pending;
}

const pendingOf = (
  engine: PendingMigration['engine'],
  { name, text }: Migration,
  begun: boolean,
): PendingMigration => ({ engine, name, about: aboutOf(text), begun });

/** The comment on top of a migration, as one line. */
function aboutOf(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex(line => !/^-- \S/.test(line));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map(line => line.slice(3))
    .join(' ');
}

async function appliedInPostgres(sql: Postgres): Promise<{ number: number; name: string }[]> {
  const [table] = await sql<{ found: boolean }[]>`select to_regclass('migrations') is not null as found`;
  return table?.found ? sql<{ number: number; name: string }[]>`select number, name from migrations` : [];
}

async function appliedInClickhouse(
  clickhouse: Clickhouse,
): Promise<{ number: number; statement: number; name: string }[]> {
  const [table] = await queryRows<{ result: number }>(clickhouse, { query: 'exists table migrations' });
  return table?.result === 1 ? queryRows(clickhouse, { query: 'select number, statement, name from migrations' }) : [];
}
