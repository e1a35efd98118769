/**
 * Every page of the console under axe-core (https://github.com/dequelabs/axe-core): no violation of WCAG 2.2 AA, in
 * both themes, on a desk and on a phone.
 */
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOidcProvider } from '../../api/oidc/provider.ts';
import { buildConsole } from '../../web/console-build.ts';
import { createJobRounds } from '../../workers/rounds/job-rounds.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  VENUE,
  type TestApi,
} from '../api/support/app-under-test.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
/** Of most phones, and of the smallest. */
const PHONE_WIDTHS = [390, 320] as const;
const THEMES = ['light', 'dark'] as const;
const BRAND_PAGES = [
  '/campaigns',
  '/campaigns/new',
  '/creatives',
  '/wallet',
  '/invoices',
  '/keys',
  '/webhooks',
  '/calls',
  '/audit',
];
const VENUE_PAGES = ['/screens', '/playlists', '/venues', '/creatives', '/earnings', '/keys'];
/** Of people, who are signed in without a key. */
const PERSON_PAGES = ['/people', '/account'];
const AGENCY_PAGES = ['/clients', '/approvals', '/campaigns'];
const OPERATOR_PAGES = ['/reviews', '/network', '/operations', '/keys', '/audit'];
/** By how many pixels something of a long address is too wide: the page, or a table, which is cut at its frame. */
const OVERFLOW = `Math.max(document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll('.table-frame')].map(frame => frame.scrollWidth - frame.clientWidth))`;
/** Nothing waits any more, and nothing is on its way. */
const IS_QUIET = "document.querySelector('h1') !== null && document.querySelector('.skeleton, .loading') === null";

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf(browserPath === '')(`the console${why}`, () => {
  let api: TestApi;
  let browser: Browser;
  let origin: string;
  const keys = { brand: '', venue: '', agency: '', operator: '' };
  let campaign: string;
  let webhook: string;
  let sharedToken: string;
  /** Pages of one record each. */
  const details: Record<'venue' | 'agency', string[]> = { venue: [], agency: [] };

  beforeAll(async () => {
    await buildConsole();
    // Asked only when somebody signs in with it: the pages show its button and its card.
    const nowhere = 'http://127.0.0.1:9';
    const away = { issuer: nowhere, redirectUri: nowhere, signedOutUri: nowhere };
    api = await startApi({ oidc: createOidcProvider({ ...away, clientId: 'x', clientSecret: 'x' }) });
    const [brand, venue] = [
      await createWorkspace(api, { funds: 1_000_000_000 }),
      await createWorkspace(api, { kind: 'venue' }),
    ];
    keys.brand = await createKey(api, brand);
    keys.venue = await createKey(api, venue, { surface: 'screen_manager' });
    keys.agency = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
    const creative = await createReadyCreative(api, keys.brand);
    const areas = [{ lat: 52.52, lng: 13.4, radiusKm: 5 }];
    const body = campaignBody(api, [creative], { targets: { areas } });
    const booked = await api.call('POST', '/v1/campaigns', { key: keys.brand, body });
    campaign = booked.body['id']!;
    const share = { key: keys.brand, body: { name: 'For the board' } };
    sharedToken = (await api.call('POST', `/v1/campaigns/${campaign}/shared-reports`, share)).body['token']!;
    const receiver = { url: 'https://hooks.example.com/marquee', events: ['campaign.created', 'campaign.paused'] };
    webhook = (await api.call('POST', '/v1/webhooks', { key: keys.brand, body: receiver })).body['id']!;
    await api.call('POST', `/v1/webhooks/${webhook}/test`, { key: keys.brand });
    keys.operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
    const waiting = campaignBody(api, [creative], { name: 'Wine of the month', category: 'alcohol' });
    await api.call('POST', '/v1/campaigns', { key: keys.brand, body: waiting });
    await addVenuePages();
    await addClientPage();
    await tellOfJobs();
    await api.review();
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    browser = await launchChromium(browserPath);
  });

  /** A venue with a screen and a playlist that has an item of each kind that needs no file of its own. */
  const addVenuePages = async (): Promise<void> => {
    const key = keys.venue;
    const made = async (path: string, body: object) => (await api.call('POST', path, { key, body })).body['id']!;
    const venue = await made('/v1/venues', VENUE);
    const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
    const body = { platform: 'linux', player: '1' };
    const screen = (await api.call('POST', `/v1/pairing/${code}/confirm`, { body })).body['screen_id']!;
    const items = [
      { type: 'ai_menu', template: 'board', duration_ms: 30_000 },
      { type: 'ad_slot' },
      { type: 'creative', creative_id: await createReadyCreative(api, key) },
      { type: 'sponsorship_card', sponsor: 'The brewery', duration_ms: 8_000 },
    ];
    const playlist = await made('/v1/playlists', { name: 'Evening', items, ad_ratio: 0.3 });
    details.venue = [`/venues/${venue}`, `/screens/${screen}`, `/playlists/${playlist}`];
  };

  /** As workers tell of them: one that did something, one that failed, and one that has not run yet. */
  const tellOfJobs = async (): Promise<void> => {
    const known = ['issue-invoices', 'look-back', 'check-uploads'].map(name => ({ name, everyMs: 60_000 }));
    const round = { endedAtMs: Date.now(), tookMs: 12, did: 3, fault: null, nextAtMs: Date.now() + 3_600_000 };
    await createJobRounds(api.redis).tell(
      known.map(job => ({ ...job, canRun: job.name !== 'check-uploads' })),
      [
        { name: 'issue-invoices', ...round },
        { name: 'look-back', ...round, did: 0, fault: 'Error: ClickHouse is away' },
      ],
    );
  };

  const addClientPage = async (): Promise<void> => {
    const body = { name: 'Alpine Tours', billing_model: 'pass-through', currency: 'EUR' };
    const { body: client } = await api.call('POST', '/v1/agency/clients', { key: keys.agency, body });
    details.agency = [`/clients/${client['id']}`];
  };

  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  const violationsOf = async (page: Page): Promise<string[]> => {
    await page.waitForFunction(IS_QUIET);
    await page.evaluate(axe.source);
    return page.evaluate<string[]>(`axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(node => id + ': ' + node.html.slice(0, 200))))`);
  };

  const openAs = async (key: string, options: object = {}): Promise<Page> => {
    const context = await browser.newContext({ locale: 'en-GB', bypassCSP: true, ...options });
    const page = await context.newPage();
    await page.goto(`${origin}/console#key=${key}`);
    await page.waitForFunction(IS_QUIET);
    return page;
  };

  let people = 0;
  const invite = async (email = `person-${(people += 1)}@example.com`): Promise<string> => {
    const body = { email, role: 'admin' };
    return (await api.call('POST', '/v1/invitations', { key: keys.brand, body })).body['token']!;
  };

  /** Somebody who joined the brand, in a browser that is signed in; another one is invited. */
  const openAsPerson = async (options: object): Promise<Page> => {
    const email = `member-${(people += 1)}@a-house-with-a-rather-long-name.example.com`;
    const password = 'correct horse battery';
    await api.call('POST', '/v1/invitations/accept', { body: { token: await invite(email), password } });
    const signedIn = await api.call('POST', '/v1/sessions', {
      body: { email, password },
      headers: { 'x-requested-with': 'marquee-console' },
    });
    const value = /marquee_session=([^;]+)/.exec(String(signedIn.headers['set-cookie']))![1]!;
    const context = await browser.newContext({ locale: 'en-GB', bypassCSP: true, ...options });
    await context.addCookies([{ name: 'marquee_session', value, url: origin }]);
    return context.newPage();
  };

  /** With the pages of one record each, which exist when the test begins. */
  const pagesOfRoles = () =>
    [
      ['brand', [...BRAND_PAGES, `/campaigns/${campaign}`, `/campaigns/${campaign}/edit`, `/webhooks/${webhook}`]],
      ['venue', [...VENUE_PAGES, ...details.venue]],
      ['agency', [...AGENCY_PAGES, ...details.agency]],
      ['operator', OPERATOR_PAGES],
    ] as const;

  test.each(SIZES.flatMap(viewport => THEMES.map(theme => ({ viewport, theme, width: viewport.width }))))(
    'has no violation on any page at $width px in the $theme theme',
    async ({ viewport, theme }) => {
      const found: Record<string, string[]> = {};
      const look = { viewport, colorScheme: theme };
      const stranger = await (await browser.newContext({ ...look, bypassCSP: true })).newPage();
      await stranger.goto(`${origin}/console`);
      found['sign-in'] = await violationsOf(stranger);
      await stranger.goto(`${origin}/console/accept#${await invite()}`);
      found['accept'] = await violationsOf(stranger);
      for (const token of [sharedToken, 'report_none']) {
        await stranger.goto('about:blank'); // another fragment alone would not load the page again
        await stranger.goto(`${origin}/console/report#${token}`);
        await stranger.getByRole('heading', { level: 1 }).waitFor();
        found[`report ${token === sharedToken}`] = await violationsOf(stranger);
      }
      const person = await openAsPerson(look);
      for (const path of PERSON_PAGES) {
        await person.goto(`${origin}/console${path}`);
        found[`person ${path}`] = await violationsOf(person);
        const overflow = await person.evaluate<number>(OVERFLOW);
        expect([path, overflow]).toEqual([path, 0]);
      }
      await person.context().close();
      for (const [role, paths] of pagesOfRoles()) {
        const page = await openAs(keys[role], look);
        for (const path of paths) {
          await page.goto(`${origin}/console${path}`);
          found[`${role} ${path}`] = await violationsOf(page);
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          expect([path, overflow]).toEqual([path, 0]);
          if (path !== '/campaigns/new') continue;
          // Beside the city's bubble, which stands in the middle: what is under an area is chosen below the map, too.
          await page.locator('.map canvas').click({ position: { x: 80, y: 210 } });
          await page.getByLabel('Latitude of area 1').fill('91');
          await page.getByText('Must be from').waitFor();
          found[`${role} ${path} with an area`] = await violationsOf(page);
        }
        await page.context().close();
      }
      await stranger.context().close();
      expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([]);
    },
    240_000,
  );

  /** Looks at a page in both themes at each width of a phone, without loading it again. */
  const cutOn = async (page: Page, path: string): Promise<string[]> => {
    await page.goto(`${origin}/console${path}`);
    await page.waitForFunction(IS_QUIET);
    const cut: string[] = [];
    for (const colorScheme of THEMES)
      for (const width of PHONE_WIDTHS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 844 });
        const overflow = await page.evaluate<number>(OVERFLOW);
        if (overflow > 0) cut.push(`${path} at ${width} px, ${colorScheme}: ${overflow} px`);
      }
    return cut;
  };

  test.each(['en-GB', 'de-DE'])(
    'no page of any role is cut or scrolls sideways on a phone in %s',
    async locale => {
      const look = { locale, viewport: { width: PHONE_WIDTHS[0], height: 844 } };
      const cut: string[] = [];
      const stranger = await (await browser.newContext({ ...look, bypassCSP: true })).newPage();
      for (const path of ['', `/accept#${await invite()}`, `/report#${sharedToken}`])
        cut.push(...(await cutOn(stranger, path)));
      await stranger.context().close();
      const person = await openAsPerson(look);
      for (const path of PERSON_PAGES) cut.push(...(await cutOn(person, path)));
      await person.context().close();
      for (const [role, paths] of pagesOfRoles()) {
        const page = await openAs(keys[role], look);
        for (const path of paths) cut.push(...(await cutOn(page, path)));
        await page.context().close();
      }
      expect(cut).toEqual([]);
    },
    240_000,
  );
});
