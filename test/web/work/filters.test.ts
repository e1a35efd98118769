/** The filters of lists in the address: what a reload, the way back and a shared link keep, in a browser. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeConsole, openAs } from '../support/console-under-test.ts';

describeConsole('a filter of a list', at => {
  const search = (page: Page) => new URL(page.url()).search;
  const names = (page: Page) => page.locator('main tbody a');
  const shows = async (page: Page, ...wanted: string[]) => {
    await expect.poll(() => names(page).allTextContents()).toEqual(wanted);
  };

  test('is kept by a reload and by the way back, and the navigation leads to the whole list', async () => {
    const page = await openAs(at, 'brand', '/campaigns');
    await shows(page, 'Wine of the month', 'Autumn');
    await page.getByLabel('Find by name').fill('Autumn');
    await page.getByLabel('Status').selectOption('live');
    await shows(page, 'Autumn');
    await expect.poll(() => search(page)).toBe('?q=Autumn&status=live');
    await page.reload();
    await shows(page, 'Autumn');
    expect(await page.getByLabel('Find by name').inputValue()).toBe('Autumn');
    expect(await page.getByLabel('Status').inputValue()).toBe('live');
    await names(page).click();
    await page.getByRole('heading', { name: 'Autumn', level: 1 }).waitFor();
    await page.goBack();
    await shows(page, 'Autumn');
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click();
    await shows(page, 'Wine of the month', 'Autumn');
    expect([search(page), await page.getByLabel('Find by name').inputValue()]).toEqual(['', '']);
    await page.context().close();
  });

  test('finds the campaigns of some days, and the screens of a tile', async () => {
    const page = await openAs(at, 'brand', '/campaigns');
    await shows(page, 'Wine of the month', 'Autumn');
    await page.getByLabel('To', { exact: true }).fill('2000-01-31');
    await page.getByText('No matching campaigns').waitFor();
    await page.getByLabel('To', { exact: true }).fill('');
    await page.getByLabel('From', { exact: true }).fill('2000-01-01');
    await shows(page, 'Wine of the month', 'Autumn');
    expect(search(page)).toBe('?from=2000-01-01');
    await page.context().close();
    const wall = await openAs(at, 'venue', '/screens');
    const tile = (name: string) => wall.locator('label.tab', { hasText: new RegExp(`^${name}\\b`) });
    const shown = async () => Number(await wall.locator('main table').getAttribute('aria-rowcount'));
    await expect.poll(async () => (await tile('All').textContent())?.trim()).toBe(`All ${await shown()}`);
    await tile('Not connected yet').click();
    await expect.poll(() => search(wall)).toBe('?status=paired_idle');
    await wall.context().close();
  });

  test('finds creatives by name and status, also after a reload', async () => {
    const page = await openAs(at, 'brand', '/creatives');
    const found = () => page.getByRole('button', { name: /^Show / });
    await expect.poll(() => found().count()).toBeGreaterThan(0);
    await page.getByLabel('Find by name').fill('spo');
    await expect.poll(() => found().count()).toBeGreaterThan(0);
    await page.getByLabel('Status').selectOption('rejected');
    await page.getByText('No matching creatives').waitFor();
    await page.reload();
    await page.getByText('No matching creatives').waitFor();
    expect(search(page)).toBe('?q=spo&status=rejected');
    await page.context().close();
  });

  test('keeps the place in its text while somebody types in the middle of it', async () => {
    const page = await openAs(at, 'brand', '/campaigns');
    const field = page.getByLabel('Find by name');
    await field.pressSequentially('Aumn');
    for (let letters = 0; letters < 2; letters++) await field.press('ArrowLeft');
    await field.pressSequentially('tu');
    expect(await field.inputValue()).toBe('Autumn');
    await page.context().close();
  });

  test.each([
    ['brand', '/campaigns', `?status=nonsense&q=${'a'.repeat(201)}`, ['Wine of the month', 'Autumn']],
    ['brand', '/campaigns', '?q=%00', ['Wine of the month', 'Autumn']],
    ['venue', '/screens', '?status=1&status[]=2', undefined],
    ['brand', '/inventory', '?venue_type=nonsense&start=2026-02-30&cpm_max=free&sort=-nothing', undefined],
    ['agency', '/clients', '?sort=nonsense&status=deleted', ['Alpine Tours']],
    ['agency', '/reports', '?group=nonsense&from=yesterday&currency=EURO', undefined],
    ['brand', '/audit', '?source=nonsense&from=yesterday', undefined],
  ] as const)('of a %s on %s that does not exist counts as none: %s', async (who, path, text, wanted) => {
    const page = await openAs(at, who, `${path}${text}`);
    await page.waitForFunction(`document.querySelector('.skeleton, .loading') === null`);
    if (wanted) await shows(page, ...wanted);
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    await page.context().close();
  });

  test('that a form applies is in the address once it is sent, and in the form after a reload', async () => {
    const page = await openAs(at, 'brand', '/audit');
    await page.getByLabel('Source').selectOption('SYSTEM');
    await page.getByLabel('From').fill('2026-01-31');
    expect(search(page)).toBe('');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => search(page)).toBe('?from=2026-01-31&source=SYSTEM');
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByLabel('Source').inputValue()).toBe('SYSTEM');
    expect(await page.getByLabel('From').inputValue()).toBe('2026-01-31');
    await page.context().close();
  });

  test('that a form does not take is marked at its field, and the list stays as it is', async () => {
    const page = await openAs(at, 'brand', '/inventory');
    const price = page.getByLabel('Highest CPM in EUR');
    await price.fill('1e3');
    await price.press('Enter');
    await page.getByText('Enter an amount in digits, such as 5 or 0.50.').waitFor();
    expect([search(page), await price.inputValue()]).toEqual(['', '1e3']);
    await price.fill('.5');
    await price.press('Enter');
    await expect.poll(() => search(page)).toBe('?cpm_max=0.5');
    expect(await price.getAttribute('aria-invalid')).toBe('false');
    await page.context().close();
  });
});
