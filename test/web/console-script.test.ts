/**
 * Script in every text of the API, stored and reflected: each field of each body that takes it gets markup that would
 * run, then every page is opened. Nothing runs, the content security policy has nothing to stop, and the pages show the
 * texts as they were written.
 */
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationsOf } from '../../api/openapi/document.ts';
import { buildConsole } from '../../web/console-build.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  VENUE,
  type TestApi,
} from '../api/support/app-under-test.ts';
import { replaceAt, textsOf } from '../api/support/json-pointer.ts';
import { documentOf } from '../api/support/openapi-codes.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/network.ts';

/** Each way in which a page that is careless runs what it shows: as an element, an attribute, an address. */
const SCRIPT = `"'><script>window.ran=1</script><img src=x onerror=window.ran=1>`;
const ADDRESS = 'javascript:window.ran=1//';
/** Nothing waits any more, and nothing is on its way. */
const IS_QUIET =
  "document.querySelector('h1, .empty-title') !== null && document.querySelector('.skeleton, .loading') === null";
/** What of a payload has become more than text. */
const HAS_COME_ALIVE = `window.ran === 1 || document.querySelector('[onerror], img[src="x"], [href^="javascript:"]') !== null`;

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf(browserPath === '')(`scripts in texts${why}`, () => {
  let api: TestApi;
  let browser: Browser;
  let origin: string;
  const keys = { brand: '', venue: '', agency: '', operator: '' };
  /** Records by the name of their list, and by the prefix of their ids. */
  const ids: Record<string, string> = {};
  const faults: string[] = [];

  beforeAll(async () => {
    await buildConsole();
    api = await startApi();
    // An agency may have all that a brand and a venue have, each behind a key of its surface.
    const home = await createWorkspace(api, { kind: 'agency', funds: 1_000_000 });
    keys.brand = await createKey(api, home);
    keys.venue = await createKey(api, home, { surface: 'screen_manager' });
    keys.agency = await createKey(api, home, { surface: 'agency' });
    keys.operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
    await makeRecords();
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    browser = await launchChromium(browserPath);
  });

  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  const make = async (key: string, path: string, body: object): Promise<string> =>
    (await api.call('POST', path, { key, body })).body['id']!;

  const makeRecords = async (): Promise<void> => {
    const { brand, venue, agency } = keys;
    ids['creatives'] = await createReadyCreative(api, brand, SCRIPT);
    ids['campaigns'] = await make(brand, '/v1/campaigns', campaignBody(api, [ids['creatives']], { name: SCRIPT }));
    ids['webhooks'] = await make(brand, '/v1/webhooks', {
      url: 'https://x.example.com/',
      events: ['campaign.created'],
    });
    ids['venues'] = await make(venue, '/v1/venues', { ...VENUE, name: SCRIPT });
    const { code } = (await api.call('POST', '/v1/pairing', { key: venue, body: { venue_id: ids['venues'] } })).body;
    ids['screens'] = await make(venue, '/v1/screens', { venue_id: ids['venues'], label: SCRIPT, code });
    ids['playlists'] = await make(venue, '/v1/playlists', { name: SCRIPT, items: [{ type: 'ad_slot' }] });
    const client = { name: SCRIPT, billing_model: 'pass-through', currency: 'EUR' };
    ids['clients'] = await make(agency, '/v1/agency/clients', client);
  };

  /** An example of the document with the ids of records that there are. */
  const withIds = (body: unknown): unknown => {
    const known = Object.fromEntries(Object.values(ids).map(id => [id.split('_')[0], id]));
    return JSON.parse(JSON.stringify(body), (_, value: unknown) =>
      typeof value === 'string' ? (known[/^([a-z]+)_[0-9a-z]+$/.exec(value)?.[1] ?? ''] ?? value) : value,
    );
  };
  const pathOf = (path: string) =>
    path.replaceAll(/\/([a-z]+)\/\{\w+\}/g, (_, list: string) => `/${list}/${ids[list] ?? 'x'}`);

  /** Gives each text of a body the payload by itself, then all of those that took it together; which they were. */
  const fill = async (method: string, path: string, example: unknown): Promise<string[]> => {
    const url = pathOf(path);
    const body = withIds(example);
    const taken: [pointer: string, payload: string][] = [];
    const send = async (sent: unknown): Promise<boolean> => {
      for (const key of Object.values(keys)) {
        const { status } = await api.call(method, url, { key, body: sent });
        if (status !== 403) return status < 300;
      }
      return false;
    };
    for (const pointer of textsOf(body))
      for (const payload of [SCRIPT, ADDRESS])
        if (await send(replaceAt(body, pointer, payload))) taken.push([pointer, payload]);
    const scripts = taken.filter(([, payload]) => payload === SCRIPT);
    const all = scripts.reduce<unknown>((filled, [pointer, payload]) => replaceAt(filled, pointer, payload), body);
    if (scripts.length > 1) expect([method, path, await send(all)]).toEqual([method, path, true]);
    return taken.map(([pointer, payload]) => `${pointer}${payload === ADDRESS ? ' (address)' : ''}`);
  };

  const open = async (key: string, path: string): Promise<Page> => {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    page.on('dialog', dialog => void dialog.dismiss().then(() => faults.push(`${path}: a dialog`)));
    page.on('console', message => {
      if (message.text().includes('Content Security Policy')) faults.push(`${path}: ${message.text()}`);
    });
    await page.goto(`${origin}/console#key=${key}`);
    await page.locator('h1').waitFor();
    await page.goto(`${origin}/console${path}`);
    await settle(page, path);
    return page;
  };
  const settle = async (page: Page, path: string): Promise<void> => {
    await eventually(async () => ((await page.evaluate(IS_QUIET)) ? true : undefined), 20_000);
    if (await page.evaluate(HAS_COME_ALIVE)) faults.push(`${path}: it ran`);
  };

  test('texts with scripts are stored, and every page shows them as text', async () => {
    const taken: Record<string, string[]> = {};
    for (const { method, path, operation } of operationsOf(documentOf(api.app))) {
      const example = operation.requestBody?.content['application/json']?.example;
      if (example === undefined || operation.security?.length === 0) continue;
      const fields = await fill(method.toUpperCase(), path, example);
      if (fields.length > 0) taken[`${method} ${path}`] = fields;
    }
    // Texts of one's own take anything that can be shown; what is chosen from a list, or is an address, takes neither.
    expect(taken).toMatchObject({
      'post /v1/campaigns': expect.arrayContaining(['/name', '/targets/cities/0']),
      'post /v1/creatives': expect.arrayContaining(['/name']),
      'post /v1/agency/clients': expect.arrayContaining(['/name']),
      'put /v1/venues/{id}/menu': expect.arrayContaining(['/title', '/sections/0/items/0/description']),
      'put /v1/payouts/account': expect.arrayContaining(['/holder']),
    });
    expect(Object.entries(taken).filter(([, fields]) => fields.some(field => /url \(/.test(field)))).toEqual([]);
    await api.review();
  }, 120_000);

  test.each([
    ['brand', ['/campaigns', '/campaigns/new', '/campaigns/campaigns', '/creatives', '/wallet', '/invoices', '/keys']],
    ['brand', ['/webhooks', '/webhooks/webhooks', '/calls', '/audit', '/people']],
    ['venue', ['/screens', '/screens/screens', '/playlists', '/playlists/playlists', '/venues', '/venues/venues']],
    ['venue', ['/creatives', '/earnings', '/keys', '/audit']],
    ['agency', ['/clients', '/clients/clients', '/approvals', '/campaigns']],
    ['operator', ['/reviews', '/network', '/network/screens', '/operations', '/keys', '/audit']],
  ] as const)(
    'nothing runs on any page of a %s',
    async (who, paths) => {
      let shown = 0;
      for (const path of paths) {
        const [list, record] = path.split('/').slice(1) as [string, string | undefined];
        const page = await open(keys[who], record && ids[record] ? `/${list}/${ids[record]}` : path);
        if ((await page.locator('body').innerText()).includes('<script>window.ran=1')) shown += 1;
        await page.context().close();
      }
      expect(faults.splice(0)).toEqual([]);
      expect(shown).toBeGreaterThan(0);
    },
    120_000,
  );

  test('no script runs from an address or a search field', async () => {
    const inAddress = encodeURIComponent(SCRIPT);
    for (const path of [`/${inAddress}`, `/campaigns/${inAddress}`, `/campaigns?q=${inAddress}`]) {
      const page = await open(keys.brand, path);
      await page.context().close();
    }
    for (const path of [`/report#${SCRIPT}`, `/accept#${SCRIPT}`, `#key=${SCRIPT}`, `#oidc=${SCRIPT}`]) {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${origin}/console${path}`);
      await settle(page, path);
      await page.context().close();
    }
    for (const [who, path] of [
      ['brand', '/campaigns'],
      ['venue', '/screens'],
      ['venue', '/venues'],
      ['agency', '/clients'],
      ['operator', '/network'],
    ] as const) {
      const page = await open(keys[who], path);
      await page.locator('input[type="search"]').fill(SCRIPT);
      await settle(page, path);
      await page.context().close();
    }
    expect(faults.splice(0)).toEqual([]);
  }, 120_000);
});
