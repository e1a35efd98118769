/**
 * `admin backup` and `admin restore`: all of Postgres and ClickHouse into a folder while everything runs, and from the
 * folder into an installation without data. What Redis held is rebuilt afterwards by the workers.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { resolve } from 'node:path';
import { backUp, restore, type Manifest } from '#audit/backup.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { text } from '../parsers.ts';
import type { Runner } from '../program.ts';

type BackupOptions = { clickhouseUrl: string; out: string; now: Date };

/** A table of a hundred million rows is read in minutes. */
const QUERY_MS_MAX = 3_600_000;

export function declareBackupCommands(program: CommandUnknownOpts, run: Runner): void {
  program
    .command('backup')
    .description('write all of Postgres and ClickHouse into a folder, while everything runs')
    .requiredOption('--out <folder>', 'new or empty', text)
    .action(
      run(async (installation, { out }) =>
        backUpInstance(installation.sql, { clickhouseUrl: await installation.clickhouseUrl(), out, now: new Date() }),
      ),
    );
  program
    .command('restore')
    .description('bring a backup into an installation without data')
    .requiredOption('--from <folder>', 'of a backup', text)
    .action(
      run(async (installation, { from }) =>
        restoreInstance(installation.sql, { clickhouseUrl: await installation.clickhouseUrl(), from }),
      ),
    );
}

function backUpInstance(sql: Postgres, { clickhouseUrl, out, now }: BackupOptions): Promise<Record<string, unknown>> {
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
