/** A console over records of every kind, in Chromium: what walks over its pages begin with. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { buildConsole } from '../../../web/console-build.ts';
import type { TestApi } from '../../api/support/app-under-test.ts';
import { findChromium, launchChromium } from '../../support/chromium.ts';
import { listen, makeRecords, openWithKey, startConsole, type Keys, type Records } from './records.ts';

/** Its parts are there once the tests run. */
export type ConsoleUnderTest = { api: TestApi; records: Records; origin: string; browser: Browser };

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

/** Describes what a browser shows of a console of its own; a machine without a browser says why it is skipped. */
export function describeConsole(title: string, tests: (at: ConsoleUnderTest) => void): void {
  describe.skipIf(browserPath === '')(`${title}${why}`, () => {
    const at = {} as ConsoleUnderTest;
    beforeAll(async () => {
      await buildConsole();
      at.api = await startConsole();
      at.records = await makeRecords(at.api);
      at.origin = await listen(at.api);
      at.browser = await launchChromium(browserPath);
    });
    afterAll(async () => {
      await at.browser.close();
      await at.api.close();
    });
    tests(at);
  });
}

/** A page as one of the records' owners, signed in with the key. */
export async function openAs(at: ConsoleUnderTest, who: keyof Keys, path: string): Promise<Page> {
  const page = await openWithKey(at, at.records.keys[who]);
  page.setDefaultTimeout(10_000);
  await page.goto(`${at.origin}/console${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

export async function readAs(at: ConsoleUnderTest, who: keyof Keys, path: string) {
  return (await at.api.call('GET', path, { key: at.records.keys[who] })).body;
}
