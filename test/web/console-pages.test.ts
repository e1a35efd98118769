/**
 * Every page of the console under axe-core (https://github.com/dequelabs/axe-core): no violation of WCAG 2.2 AA and
 * nothing that is too wide, in both themes, on a desk and on a phone; with records, with none, and while the API is in
 * trouble; and on the smallest phone in both languages. The addresses are those of the router: one that nobody walks
 * fails a test.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  addressOf,
  createKeys,
  faultsOf,
  inTabs,
  invite,
  openWithCookie,
  openWithKey,
  overflowOf,
  routesOfRouter,
  showTheme,
  signInAsPerson,
  SIZES,
  THEMES,
  type Keys,
} from './support/records.ts';
import { describeConsole } from './support/console-under-test.ts';
import { PERSON_PAGES, WALKS } from './support/walks.ts';

/** Of most phones, and of the smallest. */
const PHONE_WIDTHS = [390, 320] as const;
/** The answer of a server whose engines are down. */
const TROUBLE = {
  status: 503,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: 'about:blank',
    status: 503,
    code: 'engine_unavailable',
    title: 'Away',
    detail: 'Try again.',
  }),
};

type Look = (page: Page, path: string) => Promise<unknown>;

test('every address of the router is visited', () => {
  const walked = new Set([...Object.values(WALKS).flat(), ...PERSON_PAGES]);
  const known = routesOfRouter();
  expect(known.length).toBeGreaterThan(20);
  expect([...walked].toSorted()).toEqual([...known].toSorted());
});

describeConsole('the pages of the console', at => {
  /** Looks at each address in both themes, once `look` has seen what it waits for. */
  const walk = async (open: () => Promise<Page>, paths: readonly string[], look?: Look) => {
    const found: Record<string, string[]> = {};
    await inTabs(open, paths, async (page, path) => {
      await page.goto(`${at.origin}/console${addressOf(at.records, path)}`);
      await look?.(page, path);
      const faults = await faultsOf(page);
      if (faults.length > 0) found[path] = faults;
    });
    return found;
  };

  test.each(SIZES)(
    'have no errors before the sign-in at $width px',
    async viewport => {
      const page = await (await at.browser.newContext({ viewport, bypassCSP: true })).newPage();
      const { token } = await invite(at.api, at.records.keys.brand);
      const found: Record<string, string[]> = {};
      for (const path of [
        '',
        '/sign-up',
        '/forgot',
        '/reset#reset_none',
        `/accept#${token}`,
        `/report#${at.records.sharedToken}`,
        '/report#report_none',
      ]) {
        await page.goto('about:blank'); // another fragment alone would not load the page again
        await page.goto(`${at.origin}/console${path}`);
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
    const keyOf = (keys: Keys) => keys[who as keyof Keys];

    test.each(SIZES)(
      'have no fault at $width px',
      async viewport => {
        expect(await walk(() => openWithKey(at, keyOf(at.records.keys), { viewport }), paths)).toEqual({});
      },
      240_000,
    );

    test.each(SIZES)(
      'have no errors without a record at $width px',
      async viewport => {
        const key = keyOf(await createKeys(at.api));
        // Another's record is none. The operator sees the screens of all.
        const isSaid: Look = async (page, path) => {
          if (/\/(\$id|report)$/.test(path) && who !== 'operator') await page.getByText('Not found').waitFor();
        };
        expect(await walk(() => openWithKey(at, key, { viewport }), paths, isSaid)).toEqual({});
      },
      240_000,
    );

    test.each(SIZES)(
      'have no errors and show the problem while the API fails at $width px',
      async viewport => {
        const openInTrouble = async () => {
          const page = await openWithKey(at, keyOf(at.records.keys), { viewport });
          await page.route(/\/v1\/(?!me$)/, route => route.fulfill(TROUBLE));
          return page;
        };
        const isSaid: Look = async (page, path) => {
          // The booking begins with fields, and asks for what is in them.
          if (path !== '/campaigns/new') await page.getByRole('alert').first().waitFor({ timeout: 30_000 });
        };
        expect(await walk(openInTrouble, paths, isSaid)).toEqual({});
      },
      600_000,
    );
  });

  test.each(SIZES)(
    'of a person have no errors at $width px',
    async viewport => {
      const { cookie } = await signInAsPerson(at.api, at.records.keys.brand);
      await invite(at.api, at.records.keys.brand);
      expect(await walk(() => openWithCookie(at, cookie, { viewport }), PERSON_PAGES)).toEqual({});
    },
    120_000,
  );

  test.each(SIZES)(
    'have no errors with an invalid area at $width px',
    async viewport => {
      const page = await openWithKey(at, at.records.keys.brand, { viewport });
      await page.goto(`${at.origin}/console/campaigns/new`);
      // Beside the city's bubble, which is in the middle: what is under an area is chosen below the map, too.
      await page.locator('.map canvas').click({ position: { x: 80, y: 210 } });
      await page.getByLabel('Latitude of area 1').fill('91');
      await page.getByText('Enter -90 to 90.').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.context().close();
    },
    60_000,
  );

  /** Looks at pages in both themes at each width of a phone, without loading them again; where something is cut. */
  const cutOn = async (open: () => Promise<Page>, paths: readonly string[]): Promise<string[]> => {
    const cut: string[] = [];
    await inTabs(open, paths, async (page, path) => {
      await page.goto('about:blank'); // another fragment alone would not load the page again
      await page.goto(`${at.origin}/console${addressOf(at.records, path)}`);
      for (const theme of THEMES)
        for (const width of PHONE_WIDTHS) {
          await page.setViewportSize({ width, height: 844 });
          await showTheme(page, theme);
          const overflow = await overflowOf(page);
          if (overflow > 0) cut.push(`${path} at ${width} px, ${theme}: ${overflow} px`);
        }
    });
    return cut;
  };

  test.each(['en-GB', 'de-DE'])(
    'are not cut and do not scroll sideways on a phone in %s',
    async locale => {
      const look = { locale, viewport: { width: PHONE_WIDTHS[0], height: 844 } };
      const stranger = async () => (await at.browser.newContext({ ...look, bypassCSP: true })).newPage();
      const { token } = await invite(at.api, at.records.keys.brand);
      const cut = await cutOn(stranger, ['', '/sign-up', `/accept#${token}`, `/report#${at.records.sharedToken}`]);
      const { cookie } = await signInAsPerson(at.api, at.records.keys.brand);
      cut.push(...(await cutOn(() => openWithCookie(at, cookie, look), PERSON_PAGES)));
      for (const [who, paths] of Object.entries(WALKS))
        cut.push(...(await cutOn(() => openWithKey(at, at.records.keys[who as keyof Keys], look), paths)));
      expect(cut).toEqual([]);
    },
    240_000,
  );
});
