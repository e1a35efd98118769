/** Facts that the console says once and by name, and fields that are the same everywhere, in a browser. */
import { expect, test } from 'vitest';
import { CURRENCIES } from '#domain/money/money.ts';
import { describeConsole, openAs } from '../support/console-under-test.ts';
import { openWithKey } from '../support/records.ts';

describeConsole('the console', at => {
  test('shows pace and impressions of a campaign once, the pace with its judgement as a word', async () => {
    const page = await openWithKey(at, at.records.keys.brand);
    type Detail = { pacing: object; budget: { amount: number; currency: string } };
    await page.route(`**/v1/campaigns/${at.records.campaign}`, async route => {
      const response = await route.fetch();
      const { pacing, budget, ...rest } = (await response.json()) as Detail;
      const expected_spend = { ...budget, amount: budget.amount / 2 };
      await route.fulfill({ response, json: { ...rest, budget, pacing: { ...pacing, expected_spend, ratio: 0.58 } } });
    });
    await page.route(`**/v1/reporting/campaigns/${at.records.campaign}?group=hour`, async route => {
      const response = await route.fetch();
      const { totals, ...rest } = (await response.json()) as { totals: object };
      await route.fulfill({ response, json: { ...rest, totals: { ...totals, impressions: 32_007 } } });
    });
    await page.goto(`${at.origin}/console/campaigns/${at.records.campaign}`);
    const tile = (name: string) => page.locator('.figure').filter({ has: page.getByText(name, { exact: true }) });
    await tile('Impressions').getByText('32,007', { exact: true }).waitFor();
    expect((await tile('Impressions').innerText()).split('\n')).toEqual(['Impressions', '32,007']);
    expect((await tile('Pace').innerText()).split('\n')).toEqual(['Pace', '58%', 'Behind pace']);
    await page.context().close();
  });

  test('lists the cost of plays in the wallet by day, and by campaign in an opened day, not by the minute', async () => {
    const page = await openWithKey(at, at.records.keys.brand);
    const spend = { amount: 12.5, currency: 'EUR' };
    const figures = { plays: 100, impressions: 0, scans: 0, spend };
    await page.route('**/v1/reporting/campaigns?*', async route => {
      const response = await route.fetch();
      const report = (await response.json()) as { series: object[]; campaigns: object[] };
      const shown = (rows: object[]) => rows.map(row => ({ ...row, ...figures }));
      await route.fulfill({
        response,
        json: { ...report, series: shown(report.series), campaigns: shown(report.campaigns) },
      });
    });
    const asked = page.waitForRequest(request => request.url().includes('/v1/wallet/transactions'));
    await page.goto(`${at.origin}/console/wallet`);
    expect(new URL((await asked).url()).searchParams.get('kind')!.split(',')).not.toContain('charge');
    const days = page.locator('.decisions > li');
    await days.first().getByText('€12.50', { exact: true }).waitFor();
    expect(await days.count()).toBe(30);
    await days.first().locator('summary').click();
    const campaign = days.first().locator('.facts > div').filter({ hasText: 'Autumn' });
    expect((await campaign.innerText()).split('\n')).toEqual(['Autumn', '€12.50']);
    await page.context().close();
  });

  test('names the venue of a scan and the record of an audit entry, with the id as a hint', async () => {
    const page = await openWithKey(at, at.records.keys.brand);
    const scan = { id: 'scan_1', at: '2026-11-28T12:00:00Z', daypart: 'midday', screen_id: 'scr_1', venue_id: 'ven_1' };
    await page.route('**/v1/reporting/scans?*', route =>
      route.fulfill({ json: { data: [scan], has_more: false, next_cursor: null } }),
    );
    await page.route(/\/v1\/reporting\/campaigns\/.*group_by=venue/, async route => {
      const response = await route.fetch();
      const report = (await response.json()) as { totals: { spend: object } };
      const group = { venue_id: 'ven_1', name: 'The Lantern', plays: 1, spend: report.totals.spend };
      await route.fulfill({ response, json: { ...report, groups: [group] } });
    });
    await page.goto(`${at.origin}/console/campaigns/${at.records.campaign}`);
    const scans = page.getByRole('table', { name: 'Scans' });
    await scans.getByRole('cell', { name: 'The Lantern' }).waitFor();
    expect(await scans.getByTitle('scr_1').innerText()).toBe('The Lantern');
    await page.goto(`${at.origin}/console/audit`);
    await page.getByTitle(at.records.campaign, { exact: true }).first().waitFor();
    expect(await page.getByTitle(at.records.campaign, { exact: true }).first().innerText()).toBe('Autumn');
    await page.context().close();
  });

  test('says in plain words that a key has no account', async () => {
    const page = await openAs(at, 'brand', '/account');
    await page.getByText('Keys have no account').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.context().close();
  });

  test('offers every currency in each field for one, the one of the workspace or the usual ones first', async () => {
    const page = await (await at.browser.newContext({ locale: 'en-GB' })).newPage();
    await page.goto(`${at.origin}/console/sign-up`);
    await page.getByLabel('Currency').waitFor();
    const options = await page.getByLabel('Currency').locator('option').allInnerTexts();
    expect(options.slice(0, 2)).toEqual(['EUR – Euro', 'USD – US Dollar']);
    expect(options).toHaveLength(CURRENCIES.length);
    await page.context().close();
    for (const [who, path, press] of [
      ['agency', '/clients', 'Add a client'],
      ['agency', '/reports', undefined],
      ['operator', '/workspaces', 'New workspace'],
    ] as const) {
      const other = await openAs(at, who, path);
      if (press) await other.getByRole('button', { name: press }).click();
      const field = other.getByRole('combobox', { name: 'Currency' });
      await field.waitFor();
      expect((await field.locator('option').allInnerTexts()).toSorted()).toEqual(options.toSorted());
      await other.context().close();
    }
  });
});
