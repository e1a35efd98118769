/**
 * The console as the API serves it and as a browser shows it: what its page may load, how much it loads, and the task
 * of every brand, from sign-in to a campaign that is booked and seen.
 */
import { gzipSync } from 'node:zlib';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildConsole } from '../../web/console-build.ts';
import {
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  type TestApi,
} from '../api/support/app-under-test.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { byKeyboard, withMouse } from './support/hands.ts';

const FIRST_VIEW_BYTES_MAX = 150_000;
const MARKUP = '<script>document.title = "ran"</script>';

let api: TestApi;
let key: string;

beforeAll(async () => {
  await buildConsole();
  api = await startApi();
  const brand = await createWorkspace(api, { funds: 1_000_000_000 });
  key = await createKey(api, brand);
});

afterAll(() => api.close());

describe('/console', () => {
  test('allows scripts and style sheets of this server alone, none of them inline', async () => {
    const { status, headers, raw } = await api.call('GET', '/console');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    const policy = headers['content-security-policy']!.split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.join(' ')).not.toContain('unsafe');
    expect(raw.toString()).not.toMatch(/<script(?![^>]* src=)/);
  });

  test('has a nonce of its own in each answer', async () => {
    const [first, second] = [await api.call('GET', '/console'), await api.call('GET', '/console')];
    const nonce = /marquee-nonce" content="([\w-]{22})"/.exec(first.raw.toString())![1]!;
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    expect(second.raw.toString()).not.toContain(nonce);
  });

  test('is where / leads, and stands at the address of each of its pages', async () => {
    const { status, headers } = await api.call('GET', '/');
    expect([status, headers['location']]).toEqual([302, '/console']);
    expect((await api.call('GET', '/console/campaigns/new')).status).toBe(200);
  });

  test('names files that are kept for ever, and has no others', async () => {
    const files = (await api.call('GET', '/console')).raw.toString().match(/\/console\/assets\/[^"]+/g)!;
    for (const file of files) expect((await api.call('GET', file)).headers['cache-control']).toContain('immutable');
    for (const path of ['/console/assets/nothing.js', '/console/assets/..%2findex.html'])
      expect((await api.call('GET', path)).status).toBe(404);
  });
});

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf(browserPath === '')(`in a browser${why}`, () => {
  let browser: Browser;
  let page: Page;
  let origin: string;
  const faults: string[] = [];
  const scripts = new Map<string, number>();
  const hosts = new Set<string>();

  beforeAll(async () => {
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    browser = await launchChromium(browserPath);
    page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    page.on('pageerror', error => faults.push(error.message));
    page.on('console', message => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    page.on('response', response => {
      hosts.add(new URL(response.url()).host);
      if (response.url().endsWith('.js'))
        void response.body().then(
          bytes => scripts.set(response.url(), gzipSync(bytes).length),
          () => undefined, // the page went on before the body was read
        );
    });
    await createReadyCreative(api, key, MARKUP);
  });

  afterAll(() => browser.close());

  test('a key that is not good is refused with the reason', async () => {
    await page.goto(`${origin}/`);
    await page.getByRole('button', { name: 'Sign in with an API key' }).click();
    await page.getByLabel('API key').fill('sk_live_nothing');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true');
  });

  test(`a brand signs in and sees its campaigns with at most ${FIRST_VIEW_BYTES_MAX} bytes of scripts`, async () => {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('No campaigns yet').waitFor();
    const bytes = [...scripts.values()].reduce((sum, size) => sum + size, 0);
    expect(scripts.size).toBeGreaterThan(1);
    expect(bytes).toBeLessThanOrEqual(FIRST_VIEW_BYTES_MAX);
  });

  test.each([
    ['with the mouse', withMouse],
    ['by the keyboard alone', byKeyboard],
  ])('a campaign is booked in one flow and seen %s; markup in its fields stays text', async (how, grip) => {
    const hand = grip(page, faults);
    const name = `${MARKUP} ${how}`;
    await hand.press('Campaigns');
    await hand.press('Book a campaign');
    await hand.fill('Budget in EUR', '25');
    await hand.fill('Name of the campaign', name);
    await hand.choose('Category', 'Travel and tourism');
    await page.getByText('Screens that fit').waitFor();
    await hand.tick(MARKUP);
    await hand.press('Book it');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('The automatic review looks at it').waitFor();
    await api.review();
    await page.getByText('Live', { exact: true }).waitFor();
    await hand.press('Campaigns');
    await page.getByRole('link', { name }).waitFor();
    expect(await page.title()).toBe('Campaigns · Marquee');
  });

  test('nothing was asked of another host, and no rule of the policy was broken', () => {
    expect([...hosts].filter(host => host !== new URL(origin).host)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
