/**
 * Each page of the console loads the texts that it shows: a page without them shows their keys, such as
 * `political.sponsor`, to a person who opens it directly. Read from the sources, by the names of the texts in them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

const CONSOLE = join(import.meta.dirname, '../../../web/console');
/** A page or a part of one that is loaded later, most of them together with texts. */
const LOADED_LATER = /(?:with(More)?Texts\(\s*(?:(\[[^\]]*\]),\s*)?)?import\('(\.[^']+\.tsx)'\)/g;
const WITH_TEXTS = /with(?:More)?Texts\([^)]*import\('[^']+'\)/g;
const SOURCES = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.tsx') && !file.includes('dist'))
  .map(file => join(CONSOLE, file));
/** Only homes of agencies show what this finds out; those of others import the rules beside it. */
const NOT_SHOWN = join(CONSOLE, 'pages/agency/risk.ts');
/** The texts of the first view are always there. */
const FIRST = 'first-view';

const texts = new Map<string, readonly string[]>();

beforeAll(async () => {
  const load = async (file: string) =>
    (await import(/* @vite-ignore */ join(CONSOLE, 'text/en', `${file}.ts`))) as Record<string, object>;
  for (const part of ['agency', 'business', 'more', 'operations', 'operator'])
    texts.set(part, Object.keys((await load(part))[part]!));
  texts.set(FIRST, Object.keys((await load(FIRST))['catalogue']!));
});

const pages = SOURCES.flatMap(file =>
  [...readFileSync(file, 'utf8').matchAll(LOADED_LATER)]
    .filter(([, isMore, parts]) => isMore || parts || file.startsWith(join(CONSOLE, 'app')))
    .map(([, isMore, parts, page]) => {
      const path = join(dirname(file), page!);
      return [relative(CONSOLE, path), path, isMore ? ['more'] : (parts?.match(/\w+/g) ?? [])] as const;
    }),
);

/** A file and all that it imports, without the texts themselves and without what it loads with texts of its own. */
function filesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(file) || file.includes('/text/en') || file.includes('/text/de')) return found;
  found.add(file);
  for (const [, path] of sourceOf(file).matchAll(/(?:from |import\()'(\.[^']+\.tsx?)'/g))
    filesOf(join(dirname(file), path!), found);
  return found;
}

function sourceOf(file: string): string {
  return readFileSync(file, 'utf8').replace(WITH_TEXTS, '');
}

/** The keys that a file may show: whole, or up to the place at which a value is put in (`alerts.kind.`). */
function keysOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const whole = [...source.matchAll(/'([a-zA-Z]+(?:\.\w+)+)'/g)].map(([, key]) => key!);
  return [...whole, ...[...source.matchAll(/t\(`([\w.]+\.)\$\{/g)].map(([, start]) => start!)];
}

const isIn = (key: string, part: string): boolean =>
  texts.get(part)!.some(one => (key.endsWith('.') ? one.startsWith(key) : one === key));

describe('a page of the console', () => {
  test.each(pages)('has all of its texts: %s', (_name, page, parts) => {
    const shown = [...filesOf(page)]
      .filter(file => file !== NOT_SHOWN)
      .flatMap(keysOf)
      .filter(key => [...texts.keys()].some(part => isIn(key, part)));
    expect(shown.filter(key => ![FIRST, ...parts].some(part => isIn(key, part)))).toEqual([]);
  });

  test('is found in these sources', () => {
    expect(pages.length).toBeGreaterThan(45);
  });
});
