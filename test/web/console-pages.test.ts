/**
 * Every page of the console under axe-core (https://github.com/dequelabs/axe-core): no violation of WCAG 2.2 AA and
 * nothing that is too wide, in both themes, on a desk and on a phone; with records, with none, and while the API is in
 * trouble; and on the smallest phone in both languages. The addresses are those of the router: one that nobody walks
 * fails a test.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildConsole } from '../../web/console-build.ts';
import type { TestApi } from '../api/support/app-under-test.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import {
  createKeys,
  faultsOf,
  invite,
  listen,
  LOOKS,
  makeRecords,
  openWithCookie,
  openWithKey,
  overflowOf,
  routesOfRouter,
  signInAsPerson,
  startConsole,
  type Records,
  type Who,
} from './support/records.ts';

/** By whom each address is walked; `$id` is the record of its list. */
const WALKS: Readonly<Record<Who, readonly string[]>> = {
  brand: [
    '/',
    '/campaigns',
    '/campaigns/$id',
    '/campaigns/$id/edit',
    '/campaigns/new',
    '/creatives',
    '/wallet',
    '/invoices',
    '/keys',
    '/webhooks',
    '/webhooks/$id',
    '/calls',
    '/audit',
  ],
  venue: [
    '/screens',
    '/screens/$id',
    '/playlists',
    '/playlists/$id',
    '/venues',
    '/venues/$id',
    '/creatives',
    '/earnings',
    '/keys',
    '/audit',
  ],
  agency: ['/clients', '/clients/$id', '/approvals', '/campaigns'],
  operator: ['/reviews', '/network', '/network/$id', '/operations', '/keys', '/audit'],
};
/** Of people, who are signed in without a key. */
const PERSON_PAGES = ['/people', '/account'];
const THEMES = ['light', 'dark'] as const;
/** Of most phones, and of the smallest. */
const PHONE_WIDTHS = [390, 320] as const;

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

test('every address of the router is walked', () => {
  const walked = new Set([...Object.values(WALKS).flat(), ...PERSON_PAGES]);
  const known = routesOfRouter();
  expect(known.length).toBeGreaterThan(20);
  expect([...walked].toSorted()).toEqual([...known].toSorted());
});

describe.skipIf(browserPath === '')(`the pages of the console${why}`, () => {
  let api: TestApi;
  let browser: Browser;
  let origin: string;
  let records: Records;

  beforeAll(async () => {
    await buildConsole();
    api = await startConsole();
    records = await makeRecords(api);
    origin = await listen(api);
    browser = await launchChromium(browserPath);
  });

  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  const addressOf = (path: string): string => {
    const { campaign, webhook, screen, playlist, venue, client } = records;
    const ids: Record<string, string> = {
      campaigns: campaign,
      webhooks: webhook,
      screens: screen,
      network: screen,
      playlists: playlist,
      venues: venue,
      clients: client,
    };
    return path.replace('$id', ids[path.split('/')[1]!] ?? '');
  };
  /** Looks at each address, once `look` has seen what it waits for. */
  const walk = async (page: Page, paths: readonly string[], look?: (path: string) => Promise<void>) => {
    const found: Record<string, string[]> = {};
    for (const path of paths) {
      await page.goto(`${origin}/console${addressOf(path)}`);
      await look?.(path);
      const faults = await faultsOf(page);
      if (faults.length > 0) found[path] = faults;
    }
    await page.context().close();
    return found;
  };

  test.each(LOOKS)(
    'have no fault before somebody is known at $width px in the $theme theme',
    async ({ options }) => {
      const page = await (await browser.newContext({ ...options, bypassCSP: true })).newPage();
      const { token } = await invite(api, records.keys.brand);
      const found: Record<string, string[]> = {};
      for (const path of ['', `/accept#${token}`, `/report#${records.sharedToken}`, '/report#report_none']) {
        await page.goto('about:blank'); // another fragment alone would not load the page again
        await page.goto(`${origin}/console${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const faults = await faultsOf(page);
        if (faults.length > 0) found[path] = faults;
      }
      await page.context().close();
      expect(found).toEqual({});
    },
    120_000,
  );

  describe.each(Object.entries(WALKS))('of a %s', (who, paths) => {
    const keyOf = (keys: Record<Who, string>) => keys[who as Who];

    test.each(LOOKS)(
      'have no fault at $width px in the $theme theme',
      async ({ options }) => {
        const page = await openWithKey({ browser, origin }, keyOf(records.keys), options);
        expect(await walk(page, paths)).toEqual({});
      },
      240_000,
    );

    test.each(LOOKS)(
      'have no fault without a record at $width px in the $theme theme',
      async ({ options }) => {
        const page = await openWithKey({ browser, origin }, keyOf(await createKeys(api)), options);
        // Another's record is none. The operator sees the screens of all.
        const isSaid = (path: string) =>
          path.endsWith('$id') && who !== 'operator'
            ? page.getByText('There is none at this address').waitFor()
            : Promise.resolve();
        expect(await walk(page, paths, isSaid)).toEqual({});
      },
      240_000,
    );

    test.each(LOOKS)(
      'have no fault and say what is wrong while the API is in trouble at $width px in the $theme theme',
      async ({ options }) => {
        const page = await openWithKey({ browser, origin }, keyOf(records.keys), options);
        await page.route(/\/v1\/(?!me$)/, route =>
          route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              type: 'about:blank',
              status: 503,
              code: 'engine_unavailable',
              title: 'Away',
              detail: 'Try again.',
            }),
          }),
        );
        const isSaid = (path: string) =>
          // The booking begins with fields, and asks for what is in them.
          path === '/campaigns/new' ? Promise.resolve() : page.getByRole('alert').first().waitFor({ timeout: 30_000 });
        expect(await walk(page, paths, isSaid)).toEqual({});
      },
      600_000,
    );
  });

  test.each(LOOKS)(
    'of a person have no fault at $width px in the $theme theme',
    async ({ options }) => {
      const { cookie } = await signInAsPerson(api, records.keys.brand);
      await invite(api, records.keys.brand);
      expect(await walk(await openWithCookie({ browser, origin }, cookie, options), PERSON_PAGES)).toEqual({});
    },
    120_000,
  );

  test.each(LOOKS)(
    'have no fault when an area is drawn wrong at $width px in the $theme theme',
    async ({ options }) => {
      const page = await openWithKey({ browser, origin }, records.keys.brand, options);
      await page.goto(`${origin}/console/campaigns/new`);
      // Beside the city's bubble, which stands in the middle: what is under an area is chosen below the map, too.
      await page.locator('.map canvas').click({ position: { x: 80, y: 210 } });
      await page.getByLabel('Latitude of area 1').fill('91');
      await page.getByText('Must be from').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.context().close();
    },
    60_000,
  );

  /** Looks at a page in both themes at each width of a phone, without loading it again. */
  const cutOn = async (page: Page, path: string): Promise<string[]> => {
    await page.goto(`${origin}/console${addressOf(path)}`);
    const cut: string[] = [];
    for (const colorScheme of THEMES)
      for (const width of PHONE_WIDTHS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 844 });
        const overflow = await overflowOf(page);
        if (overflow > 0) cut.push(`${path} at ${width} px, ${colorScheme}: ${overflow} px`);
      }
    return cut;
  };

  test.each(['en-GB', 'de-DE'])(
    'are not cut and do not scroll sideways on a phone in %s',
    async locale => {
      const look = { locale, viewport: { width: PHONE_WIDTHS[0], height: 844 } };
      const cut: string[] = [];
      const stranger = await (await browser.newContext({ ...look, bypassCSP: true })).newPage();
      const { token } = await invite(api, records.keys.brand);
      for (const path of ['', `/accept#${token}`, `/report#${records.sharedToken}`])
        cut.push(...(await cutOn(stranger, path)));
      await stranger.context().close();
      const { cookie } = await signInAsPerson(api, records.keys.brand);
      const person = await openWithCookie({ browser, origin }, cookie, look);
      for (const path of PERSON_PAGES) cut.push(...(await cutOn(person, path)));
      await person.context().close();
      for (const [who, paths] of Object.entries(WALKS)) {
        const page = await openWithKey({ browser, origin }, records.keys[who as Who], look);
        for (const path of paths) cut.push(...(await cutOn(page, path)));
        await page.context().close();
      }
      expect(cut).toEqual([]);
    },
    240_000,
  );
});
