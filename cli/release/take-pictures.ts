/**
 * Takes the pictures of the console in `docs/console/`, and the moving one of the README, from a running demo:
 * `npx tsx cli/release/take-pictures.ts <file>`, where the file has what `npm run demo -- --json` prints. Take them
 * when the demo has run for some minutes, so that there is something to see.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import sharp from 'sharp';

const FOLDER = join(import.meta.dirname, '../../docs/console');
const VIEWPORT = { width: 1280, height: 860 };
/** The moving picture: so wide, so long each frame. */
const FILM_WIDTH = 960;
const FRAME_MS = 1_200;
/** After this time the newest figures are shown and the map is drawn. */
const SETTLE_MS = 6_000;

type Keys = { ads_manager: string; screen_manager: string; agency: string; operator: string };
type Demo = { api: string; keys: Keys };
/** `prepare`: the actions on the page before the screenshot. */
type Picture = { name: string; key: string; path: string; prepare?: (page: Page) => Promise<unknown> };

async function main([file]: readonly string[]): Promise<void> {
  if (file === undefined) throw new Error('Say the file that has what `npm run demo -- --json` prints.');
  const { api: url, keys } = readDemo(file);
  const { oldest: campaign, largest } = await findCampaigns(url, keys.ads_manager);
  // The list that each works with, as the captions in the docs say, and the two pages for which a brand comes.
  const pictures: Picture[] = [
    { name: 'brand', key: keys.ads_manager, path: '/campaigns' },
    { name: 'campaign', key: keys.ads_manager, path: `/campaigns/${campaign}` },
    { name: 'booking', key: keys.ads_manager, path: '/campaigns/new', prepare: drawArea },
    { name: 'venue', key: keys.screen_manager, path: '/screens' },
    { name: 'agency', key: keys.agency, path: '/clients' },
    { name: 'operator', key: keys.operator, path: '/reviews' },
  ];
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    for (const picture of pictures) await takePicture(browser, url, picture);
    await takeFilm(browser, url, { key: keys.ads_manager, campaign: largest });
  } finally {
    await browser.close();
  }
}

/** The line of the demo that has its address and keys. */
function readDemo(file: string): Demo {
  const lines = readFileSync(file, 'utf8').split('\n');
  const line = lines.find(one => one.startsWith('{') && one.includes('"keys"'));
  if (line === undefined) throw new Error('No line of the file has the keys of the demo.');
  return JSON.parse(line) as Demo;
}

/** Of the live campaigns, the oldest has most history, and that with the largest budget plays most. */
async function findCampaigns(url: string, key: string): Promise<{ oldest: string; largest: string }> {
  const response = await fetch(`${url}/v1/campaigns?status=live&sort=created_at&limit=100`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await response.json()) as { data: { id: string; budget: { amount: number } }[] };
  if (!data[0]) throw new Error('No campaign is live. Wait a minute and try again.');
  const [largest] = data.toSorted((one, other) => other.budget.amount - one.budget.amount);
  return { oldest: data[0].id, largest: largest!.id };
}

/** A circle around London and Berlin, which have screens of the demo: wide enough to be seen on a map of the world. */
async function drawArea(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add radius' }).click();
  await page.getByLabel('Latitude of area 1').fill('52');
  await page.getByLabel('Longitude of area 1').fill('7');
  await page.getByLabel('Radius of area 1 in km').fill('1800');
  await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
}

async function takePicture(browser: Browser, url: string, { name, key, path, prepare }: Picture): Promise<void> {
  const page = await openConsole(browser, url, key);
  await page.goto(`${url}/console${path}`);
  await prepare?.(page);
  await page.waitForTimeout(SETTLE_MS);
  const taken = sharp(await page.screenshot());
  await taken.png({ palette: true, quality: 90, effort: 10 }).toFile(join(FOLDER, `${name}.png`));
  await page.context().close();
}

/** A brand looks at its campaigns, draws an area for a new one, and watches another play. */
async function takeFilm(
  browser: Browser,
  url: string,
  { key, campaign }: { key: string; campaign: string },
): Promise<void> {
  const page = await openConsole(browser, url, key);
  const frames: Buffer[] = [];
  const take = async (count: number): Promise<void> => {
    for (let frame = 0; frame < count; frame++) {
      await page.waitForTimeout(FRAME_MS);
      frames.push(
        await sharp(await page.screenshot())
          .resize(FILM_WIDTH)
          .png()
          .toBuffer(),
      );
    }
  };
  const scenes: { path: string; frames: number; prepare?: (page: Page) => Promise<unknown> }[] = [
    { path: '/campaigns', frames: 2 },
    { path: '/campaigns/new', frames: 3, prepare: drawArea },
    { path: `/campaigns/${campaign}`, frames: 5 },
  ];
  for (const scene of scenes) {
    await page.goto(`${url}/console${scene.path}`);
    await page.waitForTimeout(SETTLE_MS);
    await scene.prepare?.(page);
    await take(scene.frames);
  }
  await page.context().close();
  const film = sharp(frames, { join: { animated: true } });
  await film.webp({ quality: 70, delay: frames.map(() => FRAME_MS), loop: 0 }).toFile(join(FOLDER, 'demo.webp'));
}

async function openConsole(browser: Browser, url: string, key: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  await page.goto(`${url}/console#key=${key}`);
  await page.locator('h1').waitFor();
  return page;
}

await main(process.argv.slice(2));
