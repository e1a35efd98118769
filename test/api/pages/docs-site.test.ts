/**
 * The documentation as the API serves it: every page that the repository has, its Markdown, the list for programs, and
 * a content security policy under which a real browser shows it without a fault and without a request to another host.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDocs } from '../../../web/docs-build.ts';
import { findChromium, launchChromium } from '../../support/chromium.ts';
import { ROOT } from '../../support/architecture/source-files.ts';
import { startApi, type TestApi } from '../support/app-under-test.ts';

const PAGES = execFileSync('git', ['ls-files', 'docs/*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map(file => file.slice('docs/'.length).replace('README.md', 'index.md'));

let api: TestApi;

beforeAll(async () => {
  await buildDocs();
  api = await startApi();
}, 120_000);

afterAll(() => api.close());

test.each(PAGES)('%s is a page, with its Markdown beside it', async name => {
  const path = name.replace(/(index)?\.md$/, '');
  const page = await api.call('GET', `/docs/${path}`);
  expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ]);
  const text = await api.call('GET', `/docs/${name}`);
  expect([text.status, text.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(text.raw.toString()).toBe(
    readFileSync(join(ROOT, 'docs', name === 'decisions/index.md' ? 'decisions/README.md' : name), 'utf8'),
  );
});

test('programs find every page in /llms.txt', async () => {
  const { raw } = await api.call('GET', '/llms.txt');
  const listed = [...raw.toString().matchAll(/\]\(\/docs\/([^)]+)\)/g)].map(match => match[1]!);
  expect(listed.sort()).toEqual([...PAGES].sort());
});

test('/docs leads to the first page', async () => {
  const { status, headers } = await api.call('GET', '/docs');
  expect([status, headers['location']]).toEqual([308, '/docs/']);
});

test.each(['/docs/nothing', '/docs/inline-scripts.json', '/docs/..%2fpackage.json', '/docs/.vitepress/config.ts'])(
  'there is no %s',
  async path => {
    expect(await api.call('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  },
);

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf(browserPath === '')(`in a browser${why}`, () => {
  test('pages load without an error under their policy, are found by search, and load only from this host', async () => {
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    const browser = await launchChromium(browserPath);
    try {
      const page = await browser.newPage();
      const faults: string[] = [];
      const hosts = new Set<string>();
      page.on('console', message => message.type() === 'error' && faults.push(message.text()));
      page.on('pageerror', error => faults.push(error.message));
      page.on('request', request => hosts.add(new URL(request.url()).origin));
      await page.goto(`${origin}/docs/`);
      await page.getByRole('button', { name: 'Search' }).first().click();
      await page.getByRole('searchbox').fill('idempotency');
      await page.getByRole('option').first().click();
      await page.waitForURL(url => url.pathname.length > '/docs/'.length);
      await expect.poll(() => page.locator('main h1').count()).toBe(1);
      expect({ faults, hosts: [...hosts] }).toEqual({ faults: [], hosts: [origin] });
    } finally {
      await browser.close();
    }
  });
});
