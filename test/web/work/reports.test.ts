/** The figures of a campaign over time, for its owner and behind a shared link, and areas from a file, in a browser. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeConsole, openAs } from '../support/console-under-test.ts';

describeConsole('a report in the console', at => {
  const openCampaign = () => openAs(at, 'brand', `/campaigns/${at.records.campaign}`);
  const cardOf = (page: Page) => page.locator('section.card').filter({ hasText: 'Performance' });
  const choose = (card: Locator, name: string) => card.getByRole('radio', { name, exact: true }).check({ force: true });
  const save = async (card: Locator, name: string): Promise<{ name: string; bytes: Buffer }> => {
    const [file] = await Promise.all([
      card.page().waitForEvent('download'),
      card.getByRole('button', { name }).click(),
    ]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };

  test('shows a measure over the days that are chosen, beside the days before, and as files', async () => {
    const page = await openCampaign();
    const card = cardOf(page);
    await choose(card, '30 days');
    await choose(card, 'Plays');
    await card
      .locator('.legend')
      .getByText(/^Plays: \d+$/)
      .waitFor();
    await card
      .locator('.legend')
      .getByText(/^Previous period: \d+/)
      .waitFor();
    const csv = await save(card, 'Download CSV');
    const [head, ...lines] = csv.bytes.toString().trim().split('\r\n');
    expect(head).toBe('bucket,plays,impressions,scans,spend,currency');
    expect(lines).toHaveLength(30);
    expect(csv.name).toBe(`${lines[0]!.split(',')[0]}--${lines.at(-1)!.split(',')[0]}.csv`);
    const png = await save(card, 'Download PNG');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(png.bytes.length).toBeGreaterThan(2_000);
    await page.context().close();
  });

  test('says the figures beside the pointer, and nothing once it is gone', async () => {
    const page = await openCampaign();
    const chart = cardOf(page).locator('.chart');
    await chart.scrollIntoViewIfNeeded();
    await chart.hover({ position: { x: 200, y: 80 } });
    await page
      .locator('.chart-figures')
      .getByText(/^Spend: /)
      .waitFor();
    await page.mouse.move(5, 5);
    await expect.poll(() => page.locator('.chart-figures').count()).toBe(0);
    await page.context().close();
  });

  test('behind a shared link has each measure and group but venues, and no key', async () => {
    const page = await at.browser.newPage();
    await page.goto(`${at.origin}/console/report#${at.records.sharedToken}`);
    await choose(cardOf(page), 'Whole flight');
    await choose(cardOf(page), 'Impressions');
    await cardOf(page)
      .locator('.legend')
      .getByText(/^Impressions: \d+$/)
      .waitFor();
    for (const name of ['By city', 'By creative', 'By hour of the day'])
      await page.getByRole('radio', { name }).check({ force: true });
    expect(await page.getByRole('radio', { name: 'By venue' }).count()).toBe(0);
    await page.context().close();
  });

  test('behind a shared link is never wider than a phone, not even before a chart is fitted to it', async () => {
    const page = await (await at.browser.newContext({ viewport: { width: 900, height: 844 } })).newPage();
    await page.addInitScript('window.ResizeObserver = class { observe() {} unobserve() {} disconnect() {} }');
    await page.goto(`${at.origin}/console/report#${at.records.sharedToken}`);
    await cardOf(page).locator('.chart canvas').waitFor();
    await page.setViewportSize({ width: 320, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.context().close();
  });

  test('a booking takes the points of a file, or none of them and names the line', async () => {
    const page = await openAs(at, 'brand', '/campaigns/new');
    const file = page.getByLabel('Add points from a CSV file');
    const give = (text: string) =>
      file.setInputFiles({ name: 'points.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await give('lat,lng,radius_km\n52.52,13.405,2\n95,13.405');
    await page.getByText('Line 3 is not a point. Nothing was added.').waitFor();
    await page.getByText('No area').waitFor();
    await give('lat,lng,radius_km\n52.52,13.405,2\n48.2,16.37');
    await expect.poll(() => page.getByLabel(/^Latitude/).count()).toBe(2);
    await page.context().close();
  });
});
