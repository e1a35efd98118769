/**
 * What a file may look like from outside: how it is named beside its neighbours, how long it is, and how wide its
 * comments and its SQL.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longStatements } from './support/architecture/long-statements.ts';
import { filesOfKind, ROOT, sourceFiles } from './support/architecture/source-files.ts';
import { wideComments } from './support/architecture/wide-comments.ts';

/** What is longer is two subjects; the longest file of a codebase that we learned from has 354 lines. */
const LINES_MAX = 360;
/** Not read from the first line to the last, so they may be as long as their list. */
const LISTS = [
  'sql/migrations/postgres/0001_schema.sql', // every table, in the order in which one explains them
  'sql/migrations/clickhouse/0001_schema.sql',
  'sdk/typescript/src/generated/openapi.d.ts', // generated
];
/** Frozen by a release, or generated. */
const UNCHANGED = ['sql/migrations/', 'sdk/typescript/src/generated/'];
/** A test's file is a list of sentences; one subject may need many of them. */
const judged = filesOfKind('', /\.(tsx?|sql|lua|css)$/).filter(file => !file.startsWith('test/'));

test(`no file has more than ${LINES_MAX} lines, except lists of a known kind`, () => {
  const tooLong = judged.filter(file => linesOf(file) > LINES_MAX);
  expect(tooLong.sort()).toEqual(LISTS.slice().sort());
});

test('no file is next to a folder of the same name', () => {
  const folderOf = (file: string) => join(ROOT, file.replace(/\.tsx?$/, ''));
  const isTwin = (file: string) => existsSync(folderOf(file)) && statSync(folderOf(file)).isDirectory();
  expect(sourceFiles('').filter(isTwin)).toEqual([]);
});

test('no comment is wider than 120 columns', () => {
  const source = filesOfKind('', /\.(tsx?|sql|lua|css)$/);
  const written = source.filter(file => !UNCHANGED.some(folder => file.startsWith(folder)));
  const found = written.map(file => [file, wideComments(readFileSync(join(ROOT, file), 'utf8'))] as const);
  expect(found.filter(([, lines]) => lines.length > 0)).toEqual([]);
});

test.each([
  ['a document', `/**\n * ${'a word '.repeat(18)}\n */`, [2]],
  ['a comment behind code', `const a = 1; // ${'a word '.repeat(18)}`, [1]],
  ['a script', `-- ${'a word '.repeat(18)}`, [1]],
  ['an address', `const a = 'https://example.com/${'word/'.repeat(20)}';`, []],
])('a wide comment is found in %s', (_, text, lines) => {
  expect(wideComments(text)).toEqual(lines);
});

test('no line of SQL is wider than 120 columns', () => {
  const sources = judged.filter(file => /\.tsx?$/.test(file) && !file.startsWith('bench/'));
  const found = sources.map(file => [file, longStatements(readFileSync(join(ROOT, file), 'utf8'))] as const);
  expect(found.filter(([, lines]) => lines.length > 0)).toEqual([]);
});

test.each([
  ['a statement', `sql\`select ${'a, '.repeat(40)} b from c\``, [1]],
  ['a line of one', `\n  where ${'a and '.repeat(20)} b`, [2]],
  ['a comment', `// where ${'a and '.repeat(20)} b`, []],
  ['a text', `'${'a text that nobody reads as SQL, '.repeat(4)}'`, []],
])('a wide line is found in %s', (_, text, lines) => {
  expect(longStatements(text)).toEqual(lines);
});

test('no file compares its URL with the path of the program: in a URL, spaces and umlauts are encoded', () => {
  const found = judged.filter(file => readFileSync(join(ROOT, file), 'utf8').includes('`file://${process.argv'));
  expect(found).toEqual([]);
});

function linesOf(file: string): number {
  return readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;
}
