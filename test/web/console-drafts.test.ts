/**
 * Drafts in the console: one with only a name in the list, on its page, and in the form that completes it; one that the
 * booking keeps; and the copy of a campaign.
 */
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildConsole } from '../../web/console-build.ts';
import {
  createKey,
  createReadyCreative,
  createWorkspace,
  dateFromNow,
  startApi,
  type TestApi,
} from '../api/support/app-under-test.ts';
import { rowsOf } from '../api/support/answer.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { withMouse, type Hand } from './support/hands.ts';

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf(browserPath === '')(`a draft${why}`, () => {
  let api: TestApi;
  let key: string;
  let id: string;
  let origin: string;
  let browser: Browser;
  let page: Page;
  let hand: Hand;
  const faults: string[] = [];

  beforeAll(async () => {
    await buildConsole();
    api = await startApi();
    key = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
    await createReadyCreative(api, key, 'Spot');
    const { body } = await api.call('POST', '/v1/campaigns', { key, body: { name: 'Idea', status: 'draft' } });
    id = body['id']!;
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    browser = await launchChromium(browserPath);
    page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    page.on('pageerror', error => faults.push(error.message));
    hand = withMouse(page, faults);
    await page.goto(`${origin}/console#key=${key}`);
    await page.getByRole('link', { name: 'Campaigns' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  /** The campaign that was made last. */
  const newest = async () => {
    const [made] = rowsOf<{ id: string }>((await api.call('GET', '/v1/campaigns?limit=1', { key })).body['data']);
    return (await api.call('GET', `/v1/campaigns/${made!.id}`, { key })).body;
  };
  const read = async () => (await api.call('GET', `/v1/campaigns/${id}`, { key })).body;

  test('with only a name is in the list, with its missing fields', async () => {
    await page.goto(`${origin}/console/campaigns`);
    const row = page.getByRole('row').filter({ hasText: 'Idea' });
    await row.waitFor();
    const cells = await row.innerText();
    const shown = ['Draft', 'No category yet', 'No budget yet', 'No days yet'];
    expect(shown.filter(text => !cells.includes(text))).toEqual([]);
    await hand.choose('Status', 'Draft');
    await row.waitFor();
  });

  test('has a page with its missing fields, and cannot be submitted there', async () => {
    await page.goto(`${origin}/console/campaigns/${id}`);
    await page.getByText('Add before sending it for review: category, budget, days, creatives.').waitFor();
    expect(await page.getByRole('button', { name: 'Send for review' }).isDisabled()).toBe(true);
  });

  test('is saved with one more field, and submitted once it is complete', async () => {
    await page.goto(`${origin}/console/campaigns/${id}/edit`);
    await page.getByText('Choose days and a budget to see the forecast.').waitFor();
    await hand.choose('Category', 'Travel and tourism');
    await hand.press('Save changes');
    await page.getByText('Add before sending it for review: budget, days, creatives.').waitFor();
    expect(await read()).toMatchObject({ category: 'travel_and_tourism', budget: null, schedule: null });
    await hand.press('Edit');
    await hand.fill('First day', dateFromNow(api, 0));
    await hand.fill('Last day', dateFromNow(api, 7));
    await hand.fill('Budget in EUR', '25');
    await hand.tick('Spot');
    await page.getByText('No matching screens. Add places or hours.').waitFor();
    await hand.press('Save changes');
    await hand.press('Send for review');
    await page.getByText('The automatic review takes a few seconds').waitFor();
    expect(await read()).toMatchObject({ status: 'pending_review', budget: { amount: 25, currency: 'EUR' } });
  });

  test('is kept by the booking, with what is filled in', async () => {
    await page.goto(`${origin}/console/campaigns/new`);
    const keep = page.getByRole('button', { name: 'Save as draft' });
    expect(await keep.isDisabled()).toBe(true);
    await hand.fill('Campaign name', 'Kept');
    await hand.tick('Landscape');
    await hand.tick('Entertainment');
    await hand.choose('Narrower venue type (optional)', 'Entertainment: bars');
    await hand.press('Save as draft');
    await page.getByText('Add before sending it for review: category, creatives.').waitFor();
    const kept = {
      status: 'draft',
      category: null,
      targets: { orientations: ['landscape'], venue_types: ['entertainment.bars'] },
      creatives: [],
    };
    expect(await newest()).toMatchObject({ name: 'Kept', ...kept });
  });

  test('is the copy of a campaign, with its weights, and for as many days from today', async () => {
    const creatives = [
      { id: await createReadyCreative(api, key, 'Long'), weight: 3 },
      { id: await createReadyCreative(api, key, 'Short'), weight: 1 },
    ];
    const days = { starts: dateFromNow(api, 0), ends: dateFromNow(api, 9) };
    await api.call('PATCH', `/v1/campaigns/${id}`, { key, body: { creatives, schedule: days } });
    await api.sql`update campaigns set starts_on = starts_on - 5, ends_on = ends_on - 5 where name = 'Idea'`;
    await page.goto(`${origin}/console/campaigns/${id}`);
    await hand.press('Duplicate');
    await page.getByRole('heading', { name: 'Edit Idea (copy)' }).waitFor();
    const copy = await newest();
    expect(copy).toMatchObject({ name: 'Idea (copy)', status: 'draft', schedule: days, budget: { amount: 25 } });
    expect(copy['creatives']).toMatchObject(creatives);
  });

  test('cannot be booked at once for more than the wallet has: both amounts are named, with a link to the wallet', async () => {
    const { body } = await api.call('GET', '/v1/wallet', { key });
    const balance = Number(body['balance']!['amount']).toFixed(2);
    await page.goto(`${origin}/console/campaigns/new`);
    await hand.fill('Campaign name', 'Too large');
    await hand.choose('Category', 'Travel and tourism');
    await hand.fill('Budget in EUR', '5000');
    await hand.tick('Spot');
    await hand.press('Book campaign');
    const alert = page.getByRole('alert').filter({ hasText: `Needs €5,000.00; €${balance} available.` });
    expect(await alert.getByRole('link', { name: 'Add money' }).getAttribute('href')).toBe('/console/wallet');
  });

  test('breaks no page on the way', () => {
    expect(faults).toEqual([]);
  });
});
