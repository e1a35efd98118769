/** The homes in a browser: first steps tick themselves as records come, and what needs attention leads to its page. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '#domain/id.ts';
import { buildConsole } from '../../../web/console-build.ts';
import { campaignBody, createReadyCreative, VENUE, type TestApi } from '../../api/support/app-under-test.ts';
import { findChromium, launchChromium } from '../../support/chromium.ts';
import { byKeyboard } from '../support/hands.ts';
import { createKeys, listen, openWithKey, startConsole, type Keys } from '../support/records.ts';

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf(browserPath === '')(`a home${why}`, () => {
  let api: TestApi;
  let browser: Browser;
  let origin: string;
  let keys: Keys;

  beforeAll(async () => {
    await buildConsole();
    api = await startConsole();
    keys = await createKeys(api);
    origin = await listen(api);
    browser = await launchChromium(browserPath);
  });

  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  const openHome = async (key: string): Promise<Page> => {
    const page = await openWithKey({ browser, origin }, key);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    return page;
  };
  const post = async (key: string, path: string, body: object) => (await api.call('POST', path, { key, body })).body;

  test('of a new venue ticks each first step when its record exists, and hides the list after the last', async () => {
    const key = keys.venue;
    const page = await openHome(key);
    await page.getByText('0 of 4 done').waitFor();
    await page.getByRole('link', { name: 'Open: Add a venue' }).click();
    await page.getByRole('heading', { name: 'Venues', level: 1 }).waitFor();
    const { id: venue } = await post(key, '/v1/venues', { ...VENUE, opening_hours: null });
    await page.goto(`${origin}/console`);
    await page.getByText('1 of 4 done').waitFor();
    const hours = { mon: [{ start: '09:00', end: '17:00' }] };
    const saved = await api.call('PATCH', `/v1/venues/${venue}`, { key, body: { opening_hours: hours } });
    expect(saved.status).toBe(200);
    await api.sql`
      insert into screens (workspace_handle, venue_handle, ad_ratio, sandbox, created_at)
      select workspace_handle, handle, 0.5, false, now() from venues where handle = ${parseId('venue', venue!)!}`;
    await page.reload();
    await page.getByText('3 of 4 done').waitFor();
    await page.getByText('Paired, not connected yet').waitFor();
    const account = { holder: 'Corner bars', iban: 'DE89370400440532013000' };
    expect((await api.call('PUT', '/v1/payouts/account', { key, body: account })).status).toBe(200);
    await page.reload();
    await page.getByText('Needs attention').waitFor();
    expect(await page.getByText('First steps').count()).toBe(0);
    await page.context().close();
  });

  test('of a brand leads to the campaign to review, with the keyboard only', async () => {
    const creative = await createReadyCreative(api, keys.brand);
    const wine = campaignBody(api, [creative], { name: 'Wine of the month', category: 'alcohol' });
    await post(keys.brand, '/v1/campaigns', wine);
    await api.review();
    const page = await openHome(keys.brand);
    const unseen: string[] = [];
    await byKeyboard(page, unseen).press(/^Wine of the month/);
    await page.getByRole('heading', { name: 'Wine of the month', level: 1 }).waitFor();
    expect(unseen).toEqual([]);
    await page.context().close();
  });

  test('of the operator counts pending work as its page lists it', async () => {
    const page = await openHome(keys.operator);
    await page.getByRole('link', { name: '1 campaign to review' }).click();
    await page.getByText('Wine of the month').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/reviews');
    await page.context().close();
  });
});
