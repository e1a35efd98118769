/**
 * Every table of Postgres is written from one folder, so that a person who changes a rule of a row finds all of its
 * writes beside each other. `SHARED` has the tables of which that is not true yet. The list may only shrink.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOfKind, ROOT } from './support/architecture/source-files.ts';

/** Folders above `sql/` whose noun has its home there: they hold no statement. The list may only grow. */
const WITHOUT_SQL = ['api', 'cli', 'delivery/screens', 'ingest/queue', 'ingest/scans', 'workers'];
const STATEMENT = /\b(?:sql|tx|connection)(?:<[^`]*>)?`/;
const FOLDERS = ['api', 'authority', 'cli', 'delivery', 'ingest', 'sql', 'workers'];
const WRITE = /\b(?:insert into|update|delete from)\s+(\w+)\b/g;

const SHARED: Record<string, readonly string[]> = {};

function tables(): Set<string> {
  const migrations = filesOfKind('sql/migrations/postgres', /\.sql$/).map(file =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  return new Set(migrations.flatMap(text => [...text.matchAll(/create table (\w+)/g)].map(match => match[1]!)));
}

/** The folders from which each table is written, by the statements in their sources. */
function writers(): Map<string, Set<string>> {
  const known = tables();
  const found = new Map<string, Set<string>>();
  for (const file of FOLDERS.flatMap(folder => filesOfKind(folder, /\.ts$/)))
    for (const [, table] of readFileSync(join(ROOT, file), 'utf8').matchAll(WRITE))
      if (known.has(table!)) found.set(table!, (found.get(table!) ?? new Set()).add(dirname(file)));
  return found;
}

test('each table is written from one folder, except the listed tables, which are written only from the listed folders', () => {
  const shared = [...writers()].filter(([, folders]) => folders.size > 1);
  expect(Object.fromEntries(shared.map(([table, folders]) => [table, [...folders].sort()]))).toEqual(SHARED);
});

test('the statements of all folders are found', () => {
  expect(writers().size).toBeGreaterThan(0.9 * tables().size);
});

test.each(WITHOUT_SQL)('%s holds no SQL', folder => {
  const files = filesOfKind(folder, /\.ts$/);
  expect(files.filter(file => STATEMENT.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});
