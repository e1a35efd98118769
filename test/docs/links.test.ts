/**
 * The pages of documentation as git lists them: links and anchors lead somewhere, and the scripts and files that they
 * name are there. Links to other sites are not fetched, because tests need no network: their hosts are listed here.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** The sites that pages lead to. */
const OTHER_SITES = [
  'docs.broadsign.com',
  'github.com',
  'help.vistarmedia.com',
  'img.shields.io',
  'semver.org',
  'systemd.io',
  'www.standardwebhooks.com',
  'xibosignage.com',
];
/** The home page, the specification as it was commissioned, and decisions, which their own page lists. */
const OUTSIDE_NAVIGATION = /^docs\/(index|interface-specification|decisions\/.*)\.md$/;
/** Pages of the site that hosts the repository, as seen from its README. */
const HOST_PAGES = /^\.\.\/\.\.\/(actions|issues)\b/;

/** Headings as the sites that show Markdown make addresses of them. */
function anchorsOf(page: string): Set<string> {
  const headings = [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(match => match[1]!);
  return new Set(
    headings.map(text =>
      text
        .toLowerCase()
        .replaceAll(/[`*]/g, '')
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/** Relative links of a page that lead nowhere. */
function brokenLinks(page: string): string[] {
  const text = read(page).replaceAll(/```[\s\S]*?```/g, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(match => match[1]!)
    .filter(link => !/^[a-z]+:/.test(link) && !(page === 'README.md' && HOST_PAGES.test(link)));
  return links.filter(link => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    return (
      !existsSync(join(ROOT, target)) ||
      (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor))
    );
  });
}

test.each(PAGES)('every link of %s leads to an existing file and heading', page => {
  expect(brokenLinks(page)).toEqual([]);
});

test('every link to another site is a well-formed address by https, on a host that is known', () => {
  const links = PAGES.flatMap(page => [...read(page).matchAll(/\]\(([a-z]+:[^)]*)\)/g)].map(match => match[1]!));
  expect(links.filter(link => !URL.canParse(link) || new URL(link).protocol !== 'https:')).toEqual([]);
  expect([...new Set(links.map(link => new URL(link).host))].sort()).toEqual(OTHER_SITES);
});

test('every page of the site is in its navigation', () => {
  const links = new Set([...read('docs/.vitepress/config.ts').matchAll(/link: '([^']+)'/g)].map(match => match[1]!));
  const pages = PAGES.filter(page => page.startsWith('docs/') && !OUTSIDE_NAVIGATION.test(page));
  expect(
    pages.map(page => page.slice('docs'.length).replace(/(index)?\.md$/, '')).filter(page => !links.has(page)),
  ).toEqual([]);
});

test('CONTRIBUTING names existing files', () => {
  const named = [
    ...read('CONTRIBUTING.md').matchAll(/`((?:api|delivery|domain|ingest|sql|test|docs|workers|bench)\/[\w./-]+)`/g),
  ].map(match => match[1]!);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(path => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every script in the documents is in package.json', () => {
  const scripts = new Set(
    Object.keys((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts),
  );
  const named = PAGES.flatMap(page => [...read(page).matchAll(/npm run ([a-z][\w:-]*\w)/g)].map(match => match[1]!));
  expect([...new Set(named)].filter(name => !scripts.has(name))).toEqual([]);
});
