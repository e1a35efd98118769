/** The report of several campaigns in a browser: chosen in the list, added up as the API does, kept by its address. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { parseId } from '#domain/id.ts';
import { campaignBody, createReadyCreative } from '../../api/support/app-under-test.ts';
import { describeConsole, openAs, readAs } from '../support/console-under-test.ts';
import { faultsOf, openWithCookie, SIZES, signInAsPerson, type Keys } from '../support/records.ts';

const SUMS = [
  { name: 'Winter', plays: 5, impressions: 500, scans: 1, spend: { amount: 6.25 } },
  { name: 'Autumn', plays: 3, impressions: 300, scans: 1, spend: { amount: 3.75 } },
];
const TOO_MANY = 'A report covers 1 to 100 campaigns and at most three years. Choose others in the list.';

describeConsole('a report of several campaigns', at => {
  const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const sumOf = (page: Page) => page.locator('.legend span').first();
  const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true });
  const numbersOf = async (cells: Locator) =>
    (await cells.allTextContents()).map(text => Number(text.replaceAll(/[€,]/g, '')));
  const shownRows = async (page: Page) => {
    const rows = await page.getByRole('table', { name: 'Campaigns' }).locator('tbody tr').all();
    return Promise.all(
      rows.map(async row => {
        const [plays, impressions, scans, amount] = await numbersOf(row.locator('.is-figure'));
        return { name: await row.getByRole('link').textContent(), plays, impressions, scans, spend: { amount } };
      }),
    );
  };
  let winter: string;

  /** Plays of a campaign a quarter of an hour ago, each of 100 impressions at €1.25, and one scan. */
  const play = async (campaign: string, plays: number) => {
    const { screen, venue } = at.records;
    const slot = new Date(Date.now() - 900_000).toISOString().replace('T', ' ').replace('Z', '');
    const of = { slot_at: slot, campaign_id: campaign, creative_id: 'cre_1', screen_id: screen, venue_id: venue };
    const values = Array.from({ length: plays }, (_, issue) => ({
      ...of,
      played_at: slot,
      received_at: slot,
      campaign_handle: parseId('campaign', campaign),
      epoch: 1,
      issue_number: issue,
      impressions_thousandths: 100_000,
      rate_micros: 12_500,
      cost_micros: 1_250_000,
    }));
    const scan = { ...of, scan_id: `scan_${campaign}`, scanned_at: slot, daypart: 'night' };
    await at.api.clickhouse.insert({ table: 'plays_raw', format: 'JSONEachRow', values });
    await at.api.clickhouse.insert({ table: 'scans_raw', format: 'JSONEachRow', values: [scan] });
  };

  test('opens from the list, has the sums of the API, and is the same after a reload', async () => {
    const key = at.records.keys.brand;
    const body = campaignBody(at.api, [await createReadyCreative(at.api, key)], { name: 'Winter' });
    winter = (await at.api.call('POST', '/v1/campaigns', { key, body })).body['id']!;
    await play(at.records.campaign, 3);
    await play(winter, 5);
    const ids = `${winter},${at.records.campaign}`;
    const { totals, campaigns } = await readAs(at, 'brand', `/v1/reporting/campaigns?campaign_id=${ids}`);
    expect(campaigns).toMatchObject(SUMS);
    expect(totals).toMatchObject({ plays: 8, impressions: 800, scans: 2, spend: { amount: 10 } });

    const page = await openAs(at, 'brand', '/campaigns');
    await page.getByRole('checkbox', { name: 'Select Winter', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select Autumn', exact: true }).check();
    await page.getByRole('link', { name: 'Report', exact: true }).click();
    for (let looks = 0; looks < 2; looks++) {
      await title(page, 'Report of 2 campaigns');
      expect(new URL(page.url()).searchParams.get('campaigns')).toBe(ids);
      expect(await page.locator('.page-lead').getByRole('link').allTextContents()).toEqual(['Winter', 'Autumn']);
      await expect.poll(() => sumOf(page).textContent()).toBe('Spend: €10.00');
      await choose(page, 'Plays');
      await expect.poll(() => sumOf(page).textContent()).toBe('Plays: 8');
      await expect.poll(() => shownRows(page)).toEqual(SUMS);
      await choose(page, 'By city');
      const cities = page.getByRole('table', { name: 'By city' }).locator('tbody tr');
      expect(await numbersOf(cities.locator('.is-figure'))).toEqual([8, 10]);
      await page.reload();
    }
    for (const size of SIZES) {
      await page.setViewportSize(size);
      expect(await faultsOf(page)).toEqual([]);
    }
    await page.context().close();
  });

  test('opens by its address for a colleague who may only look', async () => {
    const { cookie } = await signInAsPerson(at.api, at.records.keys.brand, 'viewer');
    const page = await openWithCookie(at, cookie);
    await page.goto(`${at.origin}/console/campaigns/report?campaigns=${winter},${at.records.campaign}`);
    await title(page, 'Report of 2 campaigns');
    await expect.poll(() => sumOf(page).textContent()).toBe('Spend: €10.00');
    await page.context().close();
  });

  test.each<[string, keyof Keys, () => string, string]>([
    ['of a campaign of another workspace', 'agency', () => at.records.campaign, 'Not found'],
    ['of an id that is none', 'brand', () => `${at.records.campaign},nonsense`, 'Not found'],
    ['of too many campaigns', 'brand', () => Array.from({ length: 101 }, (_, id) => `cmp_${id}`).join(), TOO_MANY],
    ['of none', 'brand', () => '', TOO_MANY],
  ])('%s says plainly that there is none, and leads to the list', async (_, who, ids, says) => {
    const page = await openAs(at, who, `/campaigns/report?campaigns=${ids()}`);
    await page.getByText(says).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: 'All campaigns' }).click();
    await title(page, 'Campaigns');
    await page.context().close();
  });
});
