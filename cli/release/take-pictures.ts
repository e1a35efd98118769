/**
 * Takes the pictures of the console in `docs/console/` from a running demo: `npx tsx cli/release/take-pictures.ts <url>
 * <brand's key> <venue's key>`, with the address and keys that `npm run demo -- --json` prints. Take them when the demo
 * has run for some minutes, so that there is something to see.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const FOLDER = join(import.meta.dirname, '../../docs/console');
const VIEWPORT = { width: 1280, height: 860 };
/** After this time the newest figures are shown and the map is drawn. */
const SETTLE_MS = 6_000;

type Picture = { name: string; key: string; path: string };

async function main([url, brand, venue]: readonly string[]): Promise<void> {
  if (url === undefined || brand === undefined || venue === undefined)
    throw new Error("Say the address of the API, the brand's key and the venue's key.");
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const campaign = await findCampaign(url, brand);
    await takePicture(browser, url, { name: 'campaign', key: brand, path: `/campaigns/${campaign}` });
    await takePicture(browser, url, { name: 'booking', key: brand, path: '/campaigns/new' });
    await takePicture(browser, url, { name: 'screens', key: venue, path: '/screens' });
  } finally {
    await browser.close();
  }
}

/** The oldest campaign that is live: it has played most. */
async function findCampaign(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/campaigns?status=live&sort=created_at&limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await response.json()) as { data: { id: string }[] };
  if (!data[0]) throw new Error('No campaign is live. Wait a minute and try again.');
  return data[0].id;
}

async function takePicture(browser: Browser, url: string, { name, key, path }: Picture): Promise<void> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  await page.goto(`${url}/console#key=${key}`);
  await page.locator('h1').waitFor();
  await page.goto(`${url}/console${path}`);
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await context.close();
}

await main(process.argv.slice(2));
