/** The earnings of a venue over days that somebody chooses, on the page and as a file, in a browser. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeConsole, openAs } from '../support/console-under-test.ts';

describeConsole('earnings', at => {
  test('are those of the chosen days, also after a reload and as a file', async () => {
    const page = await openAs(at, 'venue', '/earnings');
    const choose = (name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true });
    const rows = () => page.locator('main table tbody tr').allInnerTexts();
    await page.getByText('Nothing earned in these days').waitFor();
    await choose('Venue');
    await choose('Custom');
    await page.getByLabel('First day').fill('2026-02-28');
    await page.getByLabel('Last day').fill('2026-03-02');
    await page.getByRole('cell', { name: 'Corner bar' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?by=venue&days=custom&from=2026-02-28&to=2026-03-02');
    await page.reload();
    await page.getByRole('cell', { name: 'Corner bar' }).waitFor();
    expect(await rows()).toEqual([expect.stringContaining('€41.50')]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('earnings-by-venue-2026-02-28--2026-03-02.csv');
    const [head, ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head).toMatch(/^venue,name,currency,/);
    expect(lines).toEqual([expect.stringMatching(/^ven_\w+,Corner bar,EUR,10,.*,41\.5,/)]);
    await page.getByLabel('Last day').fill('2026-02-28');
    await page.getByText('Nothing earned in these days').waitFor();
    await page.context().close();
  });

  test('of more days than there are at once, and single plays of the last of them, are no error', async () => {
    const page = await openAs(at, 'venue', '/earnings?days=custom&from=1999-01-01&to=2026-03-02');
    await page.getByRole('cell', { name: '€41.50' }).first().waitFor();
    await page.getByRole('radio', { name: 'Single plays' }).check({ force: true });
    await page.getByText('Nothing earned in these days').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.context().close();
  });
});
