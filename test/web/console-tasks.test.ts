/**
 * The five tasks for which people open the console, from the sign-in to what they came for, and two more: an edit, and
 * a job that is run now. On the real services, each with the mouse, and each by the keyboard alone.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { createClient, type Client } from '../../cli/demo/client.ts';
import { startInstance, type Instance } from '../../cli/instance/instance.ts';
import { parseId } from '../../domain/id.ts';
import { maskIban } from '../../domain/money/iban.ts';
import { buildConsole } from '../../web/console-build.ts';
import { addEarnings, IBAN } from '../api/support/earnings.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';
import {
  createCampaign,
  createParty,
  createReadyCreative,
  createSmallNetwork,
  bodyOfCampaign,
  eventually,
  pairScreen,
  type Network,
  type PairedScreen,
} from '../support/network.ts';
import { ScreenClient } from '../support/screen-client.ts';
import { byKeyboard, withMouse, type Hand } from './support/hands.ts';

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';
const PASSWORD = 'correct horse battery';
/** The services plan once a second or less often; a machine that others use is slower. */
const PATIENCE_MS = 60_000;
const HANDS = [
  ['with the mouse', withMouse],
  ['by the keyboard alone', byKeyboard],
] as const;

describe.skipIf(browserPath === '')(`the five tasks${why}`, () => {
  let instance: Instance;
  let dataDir: string;
  let sql: Postgres;
  let browser: Browser;
  let operator: Client;

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
      env: { PAYOUT_ACCOUNT_PAUSE_HOURS: '0' },
    });
    sql = openPostgres(instance.urls.databaseUrl, { connectionsMax: 2, applicationName: 'marquee-test' });
    operator = createClient(instance.apiUrl, (await createParty(sql, 'operator', 'operator')).key);
    browser = await launchChromium(browserPath);
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await sql.end({ timeout: 5 });
    await instance.stop();
    await removeDataDir(dataDir);
  });

  describe.each(HANDS)('%s', (_, grip) => {
    let network: Network;
    let screen: PairedScreen;
    let creative: string;
    let page: Page;
    let hand: Hand;
    const faults: string[] = [];

    beforeAll(async () => {
      network = await createSmallNetwork(sql, instance.apiUrl);
      screen = await pairScreen(network, instance.apiUrl);
      creative = await createReadyCreative(network.brand);
    });

    /** A page of its own for each task, in which a member of the workspace signs in. */
    const signIn = async (client: Client): Promise<void> => {
      const email = `person-${randomBytes(4).toString('hex')}@example.com`;
      const { token } = await client.post<{ token: string }>('/v1/invitations', { email, role: 'admin' });
      await createClient(instance.apiUrl, undefined).post('/v1/invitations/accept', { token, password: PASSWORD });
      const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
      page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      page.on('pageerror', error => faults.push(error.message));
      hand = grip(page, faults);
      await page.goto(`${instance.apiUrl}/console`);
      await hand.fill('Email', email);
      await hand.fill('Password', PASSWORD);
      await hand.press('Sign in');
    };
    /** Closes the page; what was wrong on the way. */
    const leave = async (): Promise<string[]> => {
      await page.context().close();
      return faults.splice(0);
    };
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

    test('a brand books a campaign on the map', async () => {
      await signIn(network.brand);
      await hand.press('Campaigns');
      await hand.press('Book a campaign');
      await heading('Book a campaign');
      await hand.press(/^Berlin: /);
      await hand.fill('Budget in EUR', '120');
      await hand.fill('Campaign name', 'Winter');
      await hand.choose('Category', 'Travel and tourism');
      await hand.tick('A still');
      await hand.press('Book campaign');
      await heading('Winter');
      await page.getByText('Live', { exact: true }).waitFor();
      const booked = await network.brand.get(new URL(page.url()).pathname.replace('/console', '/v1'));
      expect(booked).toMatchObject({ budget: { amount: 120 }, targets: { cities: ['Berlin'] } });
      expect(await leave()).toEqual([]);
    }, 120_000);

    test('a brand books political ads, and reads the notice when the operator has approved them', async () => {
      await signIn(network.brand);
      await hand.press('Campaigns');
      await hand.press('Book a campaign');
      await heading('Book a campaign');
      await hand.fill('Campaign name', 'Ballot');
      await hand.choose('Category', 'Politics');
      await hand.tick('A still');
      await hand.fill('Sponsor', 'Example Party');
      await hand.fill('Election, referendum or law (optional)', 'Election'.repeat(12));
      await hand.press('Book campaign');
      await page.locator('.field-error', { hasText: 'is required if there is no address' }).waitFor();
      await hand.fill('Email of the sponsor (optional)', 'office@example.org');
      await hand.fill('Controlled by (optional)', 'Example Holding');
      await hand.choose('Money is public or private', 'Private');
      await hand.choose('Money comes from', 'Inside the EU');
      await hand.press('Book campaign');
      await heading('Ballot');
      await page.getByText('Inside the EU').waitFor();
      await page.getByText('Example Party, office@example.org').waitFor();
      const id = new URL(page.url()).pathname.replace('/console/campaigns/', '');
      await eventually(async () => {
        const { data } = await operator.get<{ data: { campaign_id: string }[] }>('/v1/operator/reviews');
        return data.some(review => review.campaign_id === id) ? true : undefined;
      }, PATIENCE_MS);
      await operator.post(`/v1/operator/reviews/${id}/approve`, undefined);
      const opened = page.context().waitForEvent('page');
      await page.getByRole('link', { name: 'Transparency notice' }).waitFor();
      await hand.press('Transparency notice');
      const notice = await opened;
      await notice.getByRole('heading', { name: 'Political ad: transparency notice' }).waitFor();
      expect(await notice.locator('dd').first().innerText()).toBe('Example Party\noffice@example.org');
      await notice.getByText('Private money, from inside the European Union').waitFor();
      await notice.setViewportSize({ width: 320, height: 640 });
      expect(await notice.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
      expect(await leave()).toEqual([]);
    }, 120_000);

    test('a brand edits a campaign; each refusal is shown at its field', async () => {
      const second = await createReadyCreative(network.brand, 'Another still');
      const name = 'To be changed';
      const id = await createCampaign(network.brand, { name, creatives: [creative, second] });
      await signIn(network.brand);
      await hand.press('Campaigns');
      await hand.press(name);
      await heading(name);
      await hand.press('Edit');
      await heading(`Edit ${name}`);
      await page.getByText('No changes yet.').waitFor();
      await page.getByText('Before your changes:').waitFor();
      await hand.press(/^Berlin: /);
      await hand.tick('Fri');
      await hand.fill('Budget in EUR', '550');
      await page.getByText('€50.00 more is reserved').waitFor();
      await hand.fill('Frequency cap: plays per hour and screen (optional)', '7');
      await hand.fill('Weight of Another still', '3');
      await page.getByText('75% of plays').waitFor();
      await hand.fill('QR code link (optional)', 'http://example.com/');
      const asked = page.waitForRequest(request => request.method() === 'PATCH');
      await hand.press('Save changes');
      expect((await asked).headers()['idempotency-key']).toBeTruthy();
      await page.locator('[aria-invalid="true"]:focus').waitFor();
      expect(await page.locator(':focus').getAttribute('type')).toBe('url');
      await hand.fill('QR code link (optional)', 'https://example.org/');
      await hand.press('Save changes');
      await page.getByText('7 an hour').waitFor();
      expect(await network.brand.get(`/v1/campaigns/${id}`)).toMatchObject({
        budget: { amount: 550 },
        targets: { cities: ['Berlin'], days: ['fri'] },
        frequency: { max_per_hour: 7 },
        landing_url: 'https://example.org/',
        creatives: expect.arrayContaining([expect.objectContaining({ id: second, weight: 3 })]) as unknown,
      });
      expect(await leave()).toEqual([]);
    }, 120_000);

    test('a brand finds out why a campaign does not play', async () => {
      await network.venue.patch(`/v1/venues/${network.venueId}`, { blocked_categories: ['travel_and_tourism'] });
      await createCampaign(network.brand, { name: 'Nowhere to be seen', creatives: [creative] });
      const asking = askForSlots();
      try {
        await signIn(network.brand);
        await hand.press('Campaigns');
        await hand.press('Nowhere to be seen');
        await heading('Nowhere to be seen');
        await page.getByText('The venue blocks the category').waitFor();
        await page.getByText('Choose other venues').waitFor();
      } finally {
        await asking.stop();
        await network.venue.patch(`/v1/venues/${network.venueId}`, { blocked_categories: [] });
      }
      expect(await leave()).toEqual([]);
    }, 120_000);

    test('a venue pairs a screen and sees its first play', async () => {
      await createCampaign(network.brand, { name: 'To be seen', creatives: [creative] });
      await signIn(network.venue);
      await hand.press('Screens');
      await hand.press('Pair a screen');
      await hand.press('Get a code');
      const code = (await page.locator('.pair-code').innerText()).replaceAll(/\D/g, '');
      const device = await page.context().newPage();
      await device.goto(`${instance.apiUrl}/player`);
      await device.locator('.prompt').waitFor();
      await device.keyboard.type(code);
      await page.bringToFront();
      await hand.press('View screen');
      await page.locator('.decisions strong', { hasText: 'Travel and tourism' }).first().waitFor();
      expect(await leave()).toEqual([]);
    }, 120_000);

    test('a venue withdraws what it has earned', async () => {
      const venue = parseId('venue', network.venueId)!;
      const now = () => Date.now();
      await addEarnings({ sql, clock: { now, offsetMs: 0 } }, { workspace: network.venueWorkspace, venue, amount: 42 });
      await signIn(network.venue);
      await hand.press('Earnings');
      await hand.press('Withdraw');
      await hand.fill('Account holder', 'A bar');
      await hand.fill('IBAN', IBAN);
      await hand.press('Save');
      await page.getByText(maskIban(IBAN)).waitFor();
      await page.getByText(/€[\d.]+ arrives at your bank/).waitFor();
      await hand.press('Change account');
      await hand.fill('Account holder', 'The bar');
      await hand.fill('IBAN', IBAN);
      await hand.press('Save');
      await page.getByText('Withdrawals go to The bar').waitFor();
      await hand.press('Withdraw €42.00');
      await page.locator('.periods', { hasText: '€42.00' }).waitFor();
      expect(await leave()).toEqual([]);
    }, 120_000);

    test('an operator approves a creative', async () => {
      const body = bodyOfCampaign({ name: 'Wine of the month', category: 'alcohol', creatives: [creative] });
      const { id } = await network.brand.post<{ id: string }>('/v1/campaigns', body);
      await signIn(operator);
      await hand.press('Reviews');
      await page.getByRole('img', { name: 'A still' }).waitFor();
      await hand.press('Approve: Wine of the month');
      await page.getByText('No campaigns to review').waitFor();
      const { status } = await network.brand.get<{ status: string }>(`/v1/campaigns/${id}`);
      expect(status).toBe('live');
      expect(await leave()).toEqual([]);
    }, 120_000);

    test('an operator starts an hourly job of the workers at once', async () => {
      const job = 'forget-audit';
      type Told = { jobs: { name: string; asked_at: string | null; last_round: { ended_at: string } | null }[] };
      const told = async () => (await operator.get<Told>('/v1/operator/jobs')).jobs.find(({ name }) => name === job);
      const before = Date.now();
      await signIn(operator);
      await hand.press('Operations');
      await hand.press('Show all jobs');
      const row = page.getByRole('listitem').filter({ has: page.getByText(job, { exact: true }) });
      await hand.press(`Run now: ${job}`);
      const endedAt = async () => Date.parse((await told())?.last_round?.ended_at ?? '1970-01-01');
      await expect.poll(endedAt, { timeout: PATIENCE_MS }).toBeGreaterThan(before);
      await row.getByText('nothing to do').waitFor();
      await row.getByText('Next run: requested').waitFor({ state: 'detached' });
      expect(await row.getByRole('button', { name: `Run now: ${job}` }).isEnabled()).toBe(true);
      expect(await told()).toMatchObject({ asked_at: null });
      expect(await leave()).toEqual([]);
    }, 120_000);

    /** Makes the screen ask for an ad a few times a second until the test stops it. */
    const askForSlots = () => {
      const stopped = new AbortController();
      const asked = (async () => {
        const { client } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
        for (let id = 1; !stopped.signal.aborted; id++) {
          client.send({ t: 'slot', id, count: 1 });
          await client.next('fill', id);
          await setTimeout(500);
        }
        client.close();
      })();
      return {
        stop: async () => {
          stopped.abort();
          await asked;
        },
      };
    };
  });
});
