/**
 * A person who switches the console to the sandbox and back, in a browser on the real services: simulated screens, play
 * money, a campaign and the clock there, and nothing of them in live.
 */
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { createClient } from '../../../cli/demo/client.ts';
import { startInstance, type Instance } from '../../../cli/instance/instance.ts';
import { buildConsole } from '../../../web/console-build.ts';
import { findChromium, launchChromium } from '../../support/chromium.ts';
import { makeDataDir, removeDataDir } from '../../support/engines/engines.ts';
import { PIXEL } from '../../support/media.ts';
import { createCampaign, createReadyCreative, createSmallNetwork, type Network } from '../../support/network.ts';
import { withMouse, type Hand } from '../support/hands.ts';
import { faultsOf, PASSWORD } from '../support/records.ts';

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';
/** A machine that others use plays a week slowly. */
const PATIENCE_MS = 60_000;

describe.skipIf(browserPath === '')(`the switch to the sandbox${why}`, () => {
  let instance: Instance;
  let dataDir: string;
  let sql: Postgres;
  let browser: Browser;
  let network: Network;
  let page: Page;
  let hand: Hand;
  const faults: string[] = [];

  beforeAll(async () => {
    await buildConsole();
    dataDir = makeDataDir();
    instance = await startInstance({
      dataDir,
      port: 0,
      deliveryPort: 0,
      deliveryProcesses: 1,
      ingestProcesses: 1,
      logLevel: 'error',
      onRestart: () => undefined,
      env: {},
    });
    sql = openPostgres(instance.urls.databaseUrl, { connectionsMax: 2, applicationName: 'marquee-test' });
    network = await createSmallNetwork(sql, instance.apiUrl);
    const creatives = [await createReadyCreative(network.brand, 'A live still')];
    await createCampaign(network.brand, { name: 'On real screens', creatives });
    browser = await launchChromium(browserPath);
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await sql.end({ timeout: 5 });
    await instance.stop();
    await removeDataDir(dataDir);
  });

  beforeEach(async () => {
    await page?.context().close();
    const email = `person-${randomBytes(4).toString('hex')}@example.com`;
    const { token } = await network.brand.post<{ token: string }>('/v1/invitations', { email, role: 'admin' });
    await createClient(instance.apiUrl, undefined).post('/v1/invitations/accept', { token, password: PASSWORD });
    page = await (await browser.newContext({ locale: 'en-GB', bypassCSP: true })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', error => faults.push(error.message));
    hand = withMouse(page, faults);
    await page.goto(`${instance.apiUrl}/console`);
    await hand.fill('Email', email);
    await hand.fill('Password', PASSWORD);
    await hand.press('Sign in');
    await heading('Home');
  });

  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const dialog = () => page.getByRole('dialog');
  const strip = (of = page) => of.locator('.sandbox-strip');
  const go = async (name: string, title = name): Promise<void> => {
    await hand.press(name);
    await heading(title);
  };

  const addScreens = async (): Promise<void> => {
    await hand.press('Add simulated screens');
    await hand.fill('Number of screens', '2');
    await page.getByLabel('Venue type').selectOption('entertainment.bars');
    await hand.fill('City', 'Berlin');
    await hand.choose('Time zone', 'Europe/Berlin');
    await hand.fill('Latitude', '52.52');
    await hand.fill('Longitude', '13.4');
    await hand.fill('Visitors a day', '400');
    await hand.fill('Average visit (minutes)', '45');
    await dialog().getByRole('button', { name: 'Add simulated screens' }).click();
    await dialog().waitFor({ state: 'detached' });
  };

  const addPlayMoney = async (): Promise<void> => {
    await go('Wallet');
    await hand.press('Add money');
    await page.getByText('Play money, available at once.').waitFor();
    await hand.fill('Amount in EUR', '1000');
    await hand.press('Request top-up');
    await page.locator('.figure', { hasText: 'Balance' }).getByText('€1,000.00').waitFor();
  };

  const uploadStill = async (): Promise<void> => {
    await go('Creatives');
    await page.getByText('No creatives yet').waitFor();
    await hand.press('Upload a creative');
    const file = { name: 'A test still.png', mimeType: 'image/png', buffer: PIXEL };
    await page.getByLabel('Video or picture').setInputFiles(file);
    await hand.press('Upload file');
    await page.locator('.status', { hasText: 'Ready' }).waitFor();
  };

  /** Books a campaign, and returns the path of its page. */
  const book = async (name: string): Promise<string> => {
    await go('Campaigns');
    await page.getByText('No campaigns yet').waitFor();
    await go('Book a campaign');
    await hand.fill('Budget in EUR', '200');
    await hand.fill('Campaign name', name);
    await hand.choose('Category', 'Travel and tourism');
    await hand.tick('A test still');
    await hand.press('Book campaign');
    await heading(name);
    await page.getByText('Live', { exact: true }).waitFor();
    return new URL(page.url()).pathname;
  };

  /** Moves the clock by a week, and returns how many plays there were. */
  const playWeek = async (): Promise<string> => {
    await go('Sandbox');
    await hand.choose('Advance by', '7 days');
    await hand.press('Advance clock');
    await page.getByText('Advancing to').waitFor();
    await page.getByText('Ready', { exact: true }).waitFor();
    return page.locator('dt:has-text("Plays of the last advance") + dd').innerText();
  };

  test('shows a campaign with play money from its booking to its report, and nothing of it once it is left', async () => {
    await go('Open the sandbox', 'Sandbox');
    await strip().waitFor();
    await addScreens();
    expect(await faultsOf(page)).toEqual([]);
    await addPlayMoney();
    await uploadStill();
    const path = await book('On simulated screens');
    const plays = await playWeek();
    expect(plays).toMatch(/^[1-9]/);
    await page.goto(instance.apiUrl + path);
    await strip().waitFor();
    await page
      .locator('.figure', { has: page.getByText('Plays', { exact: true }) })
      .getByText(plays)
      .waitFor();
    const report = page.locator('section.card').filter({ hasText: 'Performance' });
    for (const name of ['Whole flight', 'Plays'])
      await report.getByRole('radio', { name, exact: true }).check({ force: true });
    await report.locator('.legend').getByText(`Plays: ${plays}`).waitFor();

    const other = await page.context().newPage();
    await other.goto(`${instance.apiUrl}/console/campaigns`);
    await other.getByText('On real screens').waitFor();
    expect(await strip(other).count()).toBe(0);
    await other.close();

    await go('Leave the sandbox', 'Home');
    await strip().waitFor({ state: 'detached' });
    await page.locator('.figure', { hasText: 'Wallet' }).getByText('€9,500.00').waitFor();
    await go('Campaigns');
    await page.getByText('On real screens').waitFor();
    expect(await page.getByText('On simulated screens').count()).toBe(0);
    await page.goto(instance.apiUrl + path);
    await page.getByText('Not found').waitFor();
    const { data } = await network.brand.get<{ data: { name: string }[] }>('/v1/campaigns');
    expect(data.map(({ name }) => name)).toEqual(['On real screens']);
    expect(faults.splice(0)).toEqual([]);
  }, 240_000);

  test('waits until a form with changes may be left', async () => {
    await go('Campaigns');
    await go('Book a campaign');
    await hand.fill('Campaign name', 'Half done');
    await hand.press('Open the sandbox');
    await hand.press('Keep editing');
    expect(await page.getByLabel('Campaign name').inputValue()).toBe('Half done');
    expect(await strip().count()).toBe(0);
    await hand.press('Open the sandbox');
    await hand.press('Leave page');
    await heading('Sandbox');
    await strip().waitFor();

    await go('Campaigns');
    await go('Book a campaign');
    await hand.fill('Campaign name', 'Half done, too');
    await hand.press('Leave the sandbox');
    await hand.press('Keep editing');
    await hand.press('Home');
    await hand.press('Leave page');
    await heading('Home');
    await go('Campaigns');
    expect(await strip().count()).toBe(1);
    expect(faults.splice(0)).toEqual([]);
  });

  test('is found by the search, says which pages it lacks, and ends with the sign-out', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await dialog().getByRole('combobox').fill('open the sandbox');
    await dialog().getByRole('option', { name: 'Open the sandbox', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await strip().waitFor();
    await page.goto(`${instance.apiUrl}/console/account`);
    await page.getByText('This page is not part of the sandbox').waitFor();
    await hand.press('Sign out');
    await page.getByLabel('Email', { exact: true }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate('sessionStorage.getItem("marquee-mode")')).toBeNull();
    expect(faults.splice(0)).toEqual([]);
  });
});
