/** The map of docs/architecture.md against the code: what it names is there, and each of its arrows is an import. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importGraph, ROOT } from '../support/architecture/source-files.ts';

const MAP = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const FILE =
  '`((?:api|cli|delivery|domain|engines|ingest|runtime|sql|storage|web|workers)/[\\w./-]+\\.(?:ts|lua|sql))`';

const arrows = [...MAP.matchAll(new RegExp(`${FILE} → (?=${FILE})`, 'g'))].map(([, from, to]) => ({
  from: from!,
  to: to!,
}));

test('every file on the map exists', () => {
  const named = [...MAP.matchAll(new RegExp(FILE, 'g'))].map(match => match[1]!);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('every arrow between two files is an import in the first one', () => {
  expect(arrows.length).toBeGreaterThan(25);
  const imports = importGraph(arrows.map(({ from }) => from));
  expect(arrows.filter(({ from, to }) => !imports.get(from)!.includes(to))).toEqual([]);
});
