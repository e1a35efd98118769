/**
 * A table notes the token of an insert in a log and then takes the part in. The part is synced, the log is not: after a
 * cut of power the part could be there without its token, and a repeat would be counted twice. So the log's folder is
 * marked as one whose files are written through to the disk (Linux: ext4, xfs, btrfs). Tables that were there at the
 * start are marked by `deploy/clickhouse/forget-lost-tokens.sh`, new ones here, before the statement that made them is
 * answered.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from './connection.ts';
import { quoteString } from './statements/parameters.ts';
import type { Statement } from './statements/statement.ts';

const run = promisify(execFile);
/** If nothing can be marked (another system, another file system), it is logged once. */
let isSaid = false;

/** Marks the log of the table that a statement has made, if it was such a statement. */
export async function writeTokensThrough(
  connection: Connection,
  statement: Statement,
  database: string,
): Promise<void> {
  const made = tableMadeBy(statement, database);
  if (!made) return;
  const sql = `SELECT arrayJoin(data_paths) FROM system.tables
    WHERE database = ${quoteString(made.database)} AND name = ${quoteString(made.table)}`;
  const { bytes } = await connection.execute({ sql, database, settings: [], format: 'TabSeparatedRaw' });
  const logs = Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter(path => path !== '')
    .map(path => join(path, 'deduplication_logs'))
    .filter(path => existsSync(path));
  if (logs.length === 0) return;
  await run('chattr', ['-R', '+S', ...logs]).catch((error: Error) => {
    if (!isSaid)
      process.stderr.write(
        `tokens of inserts are not written through to this disk, a cut of power may lose them: ${error.message}\n`,
      );
    isSaid = true;
  });
}

function tableMadeBy({ verb, tokens }: Statement, database: string): { database: string; table: string } | undefined {
  const words = tokens.slice(0, 4).map(token => token.text.toUpperCase());
  if (verb !== 'CREATE' || !words.includes('TABLE')) return undefined;
  const behind = tokens.slice(words.indexOf('TABLE') + 1);
  const [first, dot, second] = behind[0]?.text.toUpperCase() === 'IF' ? behind.slice(3) : behind; // IF NOT EXISTS
  if (!first) return undefined;
  return dot?.text === '.' && second ? { database: first.text, table: second.text } : { database, table: first.text };
}
