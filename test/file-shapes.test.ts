/** What a file may look like from outside: how it is named beside its neighbours, and how long it is. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOfKind, ROOT, sourceFiles } from './support/architecture/source-files.ts';

/** What is longer is two subjects; the longest file of a codebase that we learned from has 354 lines. */
const LINES_MAX = 360;
/** Not read from the first line to the last, so they may be as long as their list. */
const LISTS = [
  'web/console/text/de.ts', // every text of the console, in German
  'web/console/text/en.ts', // every text of the console, in English
  'sql/migrations/postgres/0001_schema.sql', // every table, in the order in which one explains them
  'sql/migrations/clickhouse/0001_schema.sql',
  'sdk/typescript/src/generated/openapi.d.ts', // generated
];
/** A test's file is a list of sentences; one subject may need many of them. */
const judged = filesOfKind('', /\.(tsx?|sql|lua|css)$/).filter(file => !file.startsWith('test/'));

test(`no file has more than ${LINES_MAX} lines, except lists of a known kind`, () => {
  const tooLong = judged.filter(file => linesOf(file) > LINES_MAX);
  expect(tooLong.sort()).toEqual(LISTS.slice().sort());
});

test('no file stands beside a folder of its own name, where nobody knows which of the two to open', () => {
  const folderOf = (file: string) => join(ROOT, file.replace(/\.tsx?$/, ''));
  const isTwin = (file: string) => existsSync(folderOf(file)) && statSync(folderOf(file)).isDirectory();
  expect(sourceFiles('').filter(isTwin)).toEqual([]);
});

function linesOf(file: string): number {
  return readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;
}
