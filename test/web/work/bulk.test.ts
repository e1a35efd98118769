/** The list of campaigns in a browser: in another order, and several of them paused or resumed at once. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { campaignBody, createReadyCreative, dataOf } from '../../api/support/app-under-test.ts';
import { describeConsole, openAs, readAs } from '../support/console-under-test.ts';
import { byKeyboard } from '../support/hands.ts';
import { faultsOf, openWithCookie, SIZES, signInAsPerson } from '../support/records.ts';

describeConsole('the list of campaigns', at => {
  const head = (page: Page, name: string) => page.getByRole('columnheader', { name });
  const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
  const bar = (page: Page) => page.getByRole('region', { name: 'Selected campaigns' });
  const names = (page: Page) => page.locator('main tbody a').allTextContents();
  const book = async (name: string, days: number): Promise<string> => {
    const key = at.records.keys.brand;
    const day = (from: number) => new Date(Date.now() + (from + days) * 86_400_000).toISOString().slice(0, 10);
    const body = campaignBody(at.api, [await createReadyCreative(at.api, key)], {
      name,
      schedule: { starts: day(0), ends: day(7) },
      budget: { amount: 10 + days, currency: 'EUR' },
    });
    return (await at.api.call('POST', '/v1/campaigns', { key, body })).body['id']!;
  };
  const statusOf = async (name: string) =>
    dataOf({ body: await readAs(at, 'brand', '/v1/campaigns') }).find(one => one['name'] === name)?.['status'];

  test('is sorted by what is chosen, and says so to screen readers', async () => {
    await book('Winter', 1);
    await at.api.review();
    const page = await openAs(at, 'brand', '/campaigns');
    await expect.poll(() => names(page)).toEqual(['Winter', 'Wine of the month', 'Autumn']);
    expect(await head(page, 'Campaign').getAttribute('aria-sort')).toBeNull();
    await page.getByLabel('Sort by').selectOption('name');
    await expect.poll(() => names(page)).toEqual(['Autumn', 'Wine of the month', 'Winter']);
    expect(await head(page, 'Campaign').getAttribute('aria-sort')).toBe('ascending');
    await page.getByLabel('Sort by').selectOption({ label: 'Latest start' });
    await expect.poll(async () => (await names(page))[0]).toBe('Winter');
    expect(await head(page, 'Flight').getAttribute('aria-sort')).toBe('descending');
    expect(await head(page, 'Campaign').getAttribute('aria-sort')).toBeNull();
    await page.getByLabel('Sort by').selectOption({ label: 'Smallest budget' });
    await expect.poll(async () => (await names(page))[0]).toBe('Winter');
    expect(new URL(page.url()).search).toBe('?sort=budget');
    await page.context().close();
  });

  test('pauses by keyboard all that are shown, and a toast resumes them', async () => {
    const page = await openAs(at, 'brand', '/campaigns');
    const unseen: string[] = [];
    const hand = byKeyboard(page, unseen);
    await hand.tick('Select all shown');
    await bar(page).getByText('3 campaigns selected').waitFor(); // one of which waits for its review
    await hand.press('Pause');
    await page.getByText('2 campaigns are paused.').waitFor();
    expect([await statusOf('Autumn'), await statusOf('Winter')]).toEqual(['paused', 'paused']);
    expect(await bar(page).count()).toBe(0);
    await hand.press('Undo');
    await page.getByText('2 campaigns are live again.').waitFor();
    expect([await statusOf('Autumn'), await statusOf('Winter')]).toEqual(['live', 'live']);
    expect(unseen).toEqual([]);
    await page.context().close();
  });

  test('names the campaign that was not paused, and why, and pauses the others', async () => {
    const gone = await book('Gone', 2);
    await at.api.review();
    const page = await openAs(at, 'brand', '/campaigns');
    await box(page, 'Select Gone').check();
    await box(page, 'Select Autumn').check();
    await at.api.call('DELETE', `/v1/campaigns/${gone}`, { key: at.records.keys.brand });
    await bar(page).getByRole('button', { name: 'Pause' }).click();
    await bar(page)
      .getByText(/^Gone: \S/)
      .waitFor();
    expect(await statusOf('Autumn')).toBe('paused');
    expect(await bar(page).getByRole('listitem').count()).toBe(1);
    await bar(page).getByRole('button', { name: 'Clear selection' }).click();
    await expect.poll(() => bar(page).count()).toBe(0);
    await page.context().close();
  });

  test('has boxes, and a bar for what is chosen, that fit onto a phone', async () => {
    const page = await openAs(at, 'brand', '/campaigns');
    await box(page, 'Select Winter').check();
    await bar(page).waitFor();
    for (const size of [...SIZES, { width: 320, height: 640 }]) {
      await page.setViewportSize(size);
      expect(await faultsOf(page)).toEqual([]);
    }
    await box(page, 'Select Autumn').check();
    await bar(page).getByText('2 campaigns selected').waitFor();
    await bar(page).getByRole('link', { name: 'Report' }).click();
    await page.getByRole('heading', { name: 'Report of 2 campaigns', level: 1 }).waitFor();
    await page.context().close();
  });

  test('leads only to a report for somebody who may only look', async () => {
    const { cookie } = await signInAsPerson(at.api, at.records.keys.brand, 'viewer');
    const page = await openWithCookie(at, cookie);
    await page.goto(`${at.origin}/console/campaigns`);
    await box(page, 'Select Autumn').check();
    await bar(page).getByRole('link', { name: 'Report' }).waitFor();
    expect(await bar(page).getByRole('button').allTextContents()).toEqual(['Clear selection']);
    await page.context().close();
  });
});
