/**
 * A backup of an instance, and a restore into one without data, for the operator's tool and for `npm start`: all of
 * Postgres and ClickHouse. The workers rebuild Redis after a restore.
 */
import { resolve } from 'node:path';
import { backUp, restore, type Manifest } from '#audit/backup.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';

type BackupOptions = { clickhouseUrl: string; out: string; now: Date };

/** A table of a hundred million rows is read in minutes. */
const QUERY_MS_MAX = 3_600_000;

/** Writes a backup into a folder, while everything runs. */
export function backUpInstance(
  sql: Postgres,
  { clickhouseUrl, out, now }: BackupOptions,
): Promise<Record<string, unknown>> {
  return withClickhouse(clickhouseUrl, async clickhouse =>
    summaryOf(resolve(out), await backUp({ sql, clickhouse }, resolve(out), now)),
  );
}

/** Brings a backup into an installation that has no data yet. */
export function restoreInstance(
  sql: Postgres,
  { clickhouseUrl, from }: { clickhouseUrl: string; from: string },
): Promise<Record<string, unknown>> {
  return withClickhouse(clickhouseUrl, async clickhouse =>
    summaryOf(resolve(from), await restore({ sql, clickhouse }, resolve(from))),
  );
}

async function withClickhouse<T>(
  url: string,
  act: (clickhouse: ReturnType<typeof openClickhouse>) => Promise<T>,
): Promise<T> {
  const clickhouse = openClickhouse(url, {
    application: 'marquee-admin',
    connectionsMax: 1,
    requestTimeoutMs: QUERY_MS_MAX,
  });
  try {
    return await act(clickhouse);
  } finally {
    await clickhouse.close();
  }
}

function summaryOf(folder: string, { taken_at, postgres, clickhouse }: Manifest): Record<string, unknown> {
  const rows = (tables: readonly { rows: number }[]): number => tables.reduce((sum, table) => sum + table.rows, 0);
  return { folder, taken_at, postgres_rows: rows(postgres), clickhouse_rows: rows(clickhouse) };
}
