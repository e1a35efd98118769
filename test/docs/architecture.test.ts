/** The map of docs/architecture.md against the code: what it names is there, and each of its arrows is an import. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const MAP = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const DOORS = Object.entries(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { imports: Record<string, string> }).imports,
);
const FILE =
  '`((?:api|cli|delivery|domain|engines|ingest|runtime|sql|storage|web|workers)/[\\w./-]+\\.(?:ts|lua|sql))`';

/** The path that an import of `file` leads to; undefined for a package. */
function pathOf(file: string, target: string): string | undefined {
  if (target.startsWith('.')) return normalize(join(dirname(file), target));
  for (const [door, folder] of DOORS) {
    const [before = '', after] = door.split('*');
    if (after === undefined ? target === door : target.startsWith(before))
      return normalize(folder.replace('*', target.slice(before.length)));
  }
  return undefined;
}

function importsOf(file: string): (string | undefined)[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/\bfrom '([^']+)'/g)].map(match => pathOf(file, match[1]!));
}

const arrows = [...MAP.matchAll(new RegExp(`${FILE} → (?=${FILE})`, 'g'))].map(([, from, to]) => ({
  from: from!,
  to: to!,
}));

test('every file that the map names is there', () => {
  const named = [...MAP.matchAll(new RegExp(FILE, 'g'))].map(match => match[1]!);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('every arrow between two files is an import of the first', () => {
  expect(arrows.length).toBeGreaterThan(25);
  expect(arrows.filter(({ from, to }) => !importsOf(from).includes(to))).toEqual([]);
});
