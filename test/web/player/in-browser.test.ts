/**
 * The player in a real browser on the real services: from the blank prompt to plays in the campaign's report, without a
 * network in between, and back to the prompt. One screen goes through all of it; each test begins where the last one
 * ended.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Postgres } from '#sql/postgres.ts';
import { upload } from '../../../cli/demo/client.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { findFfmpeg } from '../../../engines/ffmpeg.ts';
import { layCable, type Cable } from '../../support/cable.ts';
import { findChromium, launchChromium } from '../../support/chromium.ts';
import { startTestInstance, type TestInstance } from '../../support/engines/instance.ts';
import { createCampaign, createSmallNetwork, eventually, type Network } from '../../support/network.ts';

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

/** A browser on a loaded machine: what takes two seconds there may take ten here. */
const PATIENCE_MS = 30_000;
const AD_IN_SIGHT = '.layer.is-front .scan';
const LABELS_IN_SIGHT = '.layer.is-front .labels text';

let instance: TestInstance;
let cable: Cable;
let sql: Postgres;
let network: Network;
let campaign: string;
let screenId: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Plays that were acknowledged before the page was loaded again, which counts from 0. */
let acknowledgedBefore = 0;
const complaints: string[] = [];

async function makeVideo(): Promise<Buffer> {
  const path = join(instance.dataDir, 'ad.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=440'];
  await promisify(execFile)(await findFfmpeg(), [
    '-loglevel',
    'error',
    ...source,
    '-t',
    '6',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
    path,
  ]);
  return readFile(path);
}

/** A campaign of one six-second film, ready to play. */
async function bookCampaign(): Promise<string> {
  const bytes = await makeVideo();
  const { brand } = network;
  const creative = await brand.post<{ id: string; upload_url: string }>('/v1/creatives', {
    name: 'A film',
    orientation: 'landscape',
    synthetic: true,
    duration_ms: 6000,
    filename: 'film.mp4',
  });
  await upload(creative.upload_url, bytes, 'video/mp4');
  await eventually(async () => {
    const { data } = await brand.get<{ data: { id: string }[] }>('/v1/creatives?status=ready');
    return data.some(one => one.id === creative.id) ? true : undefined;
  }, 60_000);
  return createCampaign(brand, { creatives: [creative.id] });
}

/** A screen of nothing but ads whose device has not confirmed yet, and the code that it waits for. */
async function mintCodeOfScreen(): Promise<{ code: string; id: string }> {
  const { venue, venueId } = network;
  const first = await venue.post<{ code: string }>('/v1/pairing', { venue_id: venueId });
  const { id } = await venue.post<{ id: string }>('/v1/screens', {
    venue_id: venueId,
    label: 'Above the bar',
    code: first.code,
  });
  await venue.patch(`/v1/screens/${id}`, { ad_ratio: 1 });
  const { code } = await venue.post<{ code: string }>('/v1/pairing', { venue_id: venueId, screen_id: id });
  return { code, id };
}

/** What the status overlay says in a row. */
async function statusOf(name: string): Promise<string> {
  return page
    .locator('.overlay-row', { has: page.getByText(name, { exact: true }) })
    .locator('.overlay-value')
    .innerText();
}

/** Plays by what became of them, as the overlay counts them. */
async function playsSeen(): Promise<{ acknowledged: number; kept: number; refused: number }> {
  const [acknowledged, kept, refused] = (await statusOf('Plays')).match(/\d+/g)!.map(Number);
  return { acknowledged: acknowledged!, kept: kept!, refused: refused! };
}

const commandsOf = async (id: string): Promise<string[]> =>
  (await network.venue.get<{ commands: string[] }>(`/v1/screens/${id}`)).commands;

async function command(name: string): Promise<void> {
  const { statusCode, body } = await request(`${instance.apiUrl}/v1/screens/${screenId}/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.venueKey}` },
  });
  await body.dump();
  expect(statusCode).toBeLessThan(300);
}

/** Asks the screen for a picture; what came of it. */
async function screenshot(): Promise<{ state: string; image: string | null }> {
  await command('screenshot');
  return eventually(async () => {
    const shot = await network.venue.get<{ state: string; image: string | null }>(`/v1/screens/${screenId}/screenshot`);
    return shot.state === 'requested' ? undefined : shot;
  }, PATIENCE_MS);
}

type Look = { width: number; height: number; colors: number };

/** Size of a picture, and how many colors it has. Runs in the page. */
const lookAt = (address: string | null): string => `(async () => {
  const image = new Image();
  image.src = '${address}';
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  return { width, height, colors: new Set(pixels).size };
})()`;

/** The browser's own switch stops requests, but not sockets: for those the cable is pulled. */
async function goOffline(): Promise<void> {
  cable.pull();
  await context.setOffline(true);
}

/** Looks at every frame from now on for a layer in front that has nothing to show. Runs in the page. */
const WATCH_FOR_GAPS = `
  window.gaps = window.frames_seen = 0;
  const look = () => {
    const front = document.querySelector('.stage > .is-front');
    const isVideo = front !== null && front.classList.contains('has-video');
    const hasPicture = front !== null && (front.classList.contains('card') || (isVideo ? front.querySelector('video').readyState >= 2 : front.querySelector('img, iframe') !== null));
    window.frames_seen += 1;
    if (!hasPicture) window.gaps += 1;
    requestAnimationFrame(look);
  };
  look();`;

describe.skipIf(browserPath === '')(`the player in a browser${why}`, () => {
  beforeAll(async () => {
    const deliveryPort = await freePort();
    cable = await layCable(deliveryPort);
    const env = { DELIVERY_URL: `ws://127.0.0.1:${cable.port}/v1/screens/socket` };
    instance = await startTestInstance({ deliveryPort, env });
    ({ sql } = instance);
    network = await createSmallNetwork(sql, instance.apiUrl);
    [campaign, browser] = await Promise.all([bookCampaign(), launchChromium(browserPath)]);
    context = await browser.newContext({ viewport: { width: 960, height: 540 } });
    page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', error => complaints.push(error.message));
    page.on('console', message => {
      if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
    });
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await cable.close();
    await instance.remove();
  });

  test('starts as a blank prompt that says what is wrong with a code', async () => {
    await page.goto(`${instance.apiUrl}/player`);
    await page.locator('.prompt').waitFor();
    await page.keyboard.type('000000');
    await page.locator('.is-problem', { hasText: 'not known' }).waitFor();
    expect(await page.locator('.code-row').innerText()).toBe('');
  }, 60_000);

  test('becomes a screen by the six digits of its code and shows the ad with a code to scan', async () => {
    const minted = await mintCodeOfScreen();
    screenId = minted.id;
    for (const digit of minted.code.slice(0, 3)) await page.locator('.key', { hasText: digit }).click();
    await page.keyboard.type(minted.code.slice(3));
    await page.locator(AD_IN_SIGHT).waitFor();
    await page.evaluate(WATCH_FOR_GAPS);
    await page.keyboard.press('i');
    expect(await statusOf('Screen')).toBe(screenId);
    expect(await statusOf('On screen')).toBe(`ad of ${campaign}`);
  }, 60_000);

  test('shows that AI made the ad, beside the code and not over it', async () => {
    await page.locator(LABELS_IN_SIGHT).waitFor();
    expect(await page.locator(LABELS_IN_SIGHT).textContent()).toBe('AI-generated');
    const [label, code] = await Promise.all([
      page.locator(LABELS_IN_SIGHT).boundingBox(),
      page.locator(`${AD_IN_SIGHT} rect`).boundingBox(),
    ]);
    expect(label!.height).toBeGreaterThan(540 * 0.03);
    expect(label!.x).toBeGreaterThan(0);
    expect(label!.y + label!.height).toBeLessThanOrEqual(540);
    expect(label!.x + label!.width).toBeLessThan(code!.x);
  }, 60_000);

  test('names the sponsor of political ads in front of it, in lines that leave the code free', async () => {
    const sponsor = { name: 'Example Party for a Good Many Things', email: 'office@example.org' };
    const process = 'Example referendum on the length of the texts on screens';
    await network.brand.patch(`/v1/campaigns/${campaign}`, { political: { sponsor, process } });
    const lines = page.locator(LABELS_IN_SIGHT);
    await page.locator(LABELS_IN_SIGHT, { hasText: 'Political ad' }).waitFor();
    expect((await lines.allTextContents()).join(' ')).toBe(
      `Political ad · Sponsor: ${sponsor.name} · ${process} · AI-generated`,
    );
    const code = await page.locator(`${AD_IN_SIGHT} rect`).boundingBox();
    const boxes = await Promise.all((await lines.all()).map(line => line.boundingBox()));
    expect(boxes.length).toBeGreaterThan(1);
    for (const box of boxes) expect(box!.x + box!.width).toBeLessThan(code!.x);
  }, 60_000);

  test('keeps playing without a network, even after a restart', async () => {
    await eventually(
      async () =>
        Number((await statusOf('Offline plan')).split(' ')[0]) >= 3 && /^[1-9]/.test(await statusOf('Files here'))
          ? true
          : undefined,
      PATIENCE_MS,
    );
    await eventually(async () => ((await playsSeen()).acknowledged >= 1 ? true : undefined), PATIENCE_MS);
    await goOffline();
    await eventually(async () => ((await playsSeen()).kept >= 1 ? true : undefined), PATIENCE_MS);
    expect(await statusOf('Connection')).not.toBe('open');
    const [gaps, frames] = await page.evaluate<[number, number]>('[window.gaps, window.frames_seen]');
    expect(frames).toBeGreaterThan(10);
    expect(gaps).toBe(0);
    acknowledgedBefore = (await playsSeen()).acknowledged;
    await page.reload();
    await page.locator(AD_IN_SIGHT).waitFor();
    await page.keyboard.press('i');
    expect((await playsSeen()).kept).toBeGreaterThanOrEqual(1);
  }, 90_000);

  test("reports its plays when the network is back, and each is in the campaign's report once", async () => {
    cable.plugIn();
    await context.setOffline(false);
    await eventually(async () => ((await playsSeen()).acknowledged >= 2 ? true : undefined), PATIENCE_MS);
    // A pause ends the asking, so that what was acknowledged can be counted: the plan is withdrawn, the ad in sight
    // ends.
    await network.brand.patch(`/v1/campaigns/${campaign}`, { status: 'paused' });
    await eventually(
      async () =>
        (await statusOf('Offline plan')) === '0 ads' &&
        (await statusOf('On screen')) === 'house content' &&
        (await playsSeen()).kept === 0
          ? true
          : undefined,
      PATIENCE_MS,
    );
    const { acknowledged, refused } = await playsSeen();
    const plays = acknowledgedBefore + acknowledged;
    expect(plays).toBeGreaterThanOrEqual(3);
    expect(refused).toBe(0);
    const counters = await eventually(async () => {
      const { counters } = await network.brand.get<{ counters: { plays: number; spend: { amount: number } } }>(
        `/v1/campaigns/${campaign}`,
      );
      return counters.plays >= plays ? counters : undefined;
    }, PATIENCE_MS);
    expect(counters.plays).toBe(plays);
    const report = await network.brand.get<{ totals: { impressions: number; spend: { amount: number } } }>(
      `/v1/reporting/campaigns/${campaign}`,
    );
    expect(report.totals.impressions).toBeGreaterThan(0);
    expect(report.totals.spend.amount).toBeGreaterThan(0);
  }, 90_000);

  test('returns to the blank prompt within two seconds of being unpaired', async () => {
    const prompt = page.locator('.prompt', { hasText: 'was unpaired' });
    const { statusCode, body } = await request(`${instance.apiUrl}/v1/screens/${screenId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${network.venueKey}` },
    });
    await body.dump();
    expect(statusCode).toBeLessThan(300);
    await prompt.waitFor({ timeout: 2_000 });
    await page.reload();
    await page.locator('.prompt').waitFor();
  }, 30_000);

  test('is claimed by opening the address of a code on the device, after a confirmation', async () => {
    const minted = await network.venue.post<{ code: string; claim_url: string }>('/v1/pairing', {
      venue_id: network.venueId,
    });
    const polled = () =>
      network.venue.get<{ claimed: boolean; screen_id: string | null }>(`/v1/pairing/${minted.code}`);
    await page.goto(minted.claim_url);
    expect((await page.locator('.code-row').innerText()).replace(/\D/g, '')).toBe(minted.code);
    expect((await polled()).claimed).toBe(false);
    await page.keyboard.press('Enter');
    await page.locator('.stage').waitFor();
    expect(new URL(page.url()).pathname).toBe('/player');
    expect((await polled()).claimed).toBe(true);
    screenId = (await polled()).screen_id!;
  }, 60_000);

  test('shows its name over the picture on request', async () => {
    await network.venue.patch(`/v1/screens/${screenId}`, { label: 'Beside the door', ad_ratio: 1 });
    await eventually(async () => ((await commandsOf(screenId)).length === 3 ? true : undefined), PATIENCE_MS);
    await command('identify');
    const name = page.locator('.screen-name');
    await name.waitFor();
    expect(await name.innerText()).toBe('Beside the door');
    expect((await name.boundingBox())!.height).toBe(540);
  }, 60_000);

  test('sends a small screenshot of the current ad on request', async () => {
    expect(await screenshot()).toMatchObject({ state: 'failed', fault: 'nothing', image: null });
    await network.brand.patch(`/v1/campaigns/${campaign}`, { status: 'live' });
    await page.locator(AD_IN_SIGHT).waitFor();
    const { state, image } = await screenshot();
    expect(state).toBe('taken');
    const { width, height, colors } = await page.evaluate<Look>(lookAt(image));
    expect([width, height]).toEqual([320, 180]);
    expect(colors).toBeGreaterThan(100); // the test picture is colorful
  }, 60_000);

  test('reloads on request, and shows ads again', async () => {
    const loaded = page.waitForEvent('load');
    await command('reload');
    await loaded;
    await page.locator(AD_IN_SIGHT).waitFor();
    expect(await page.locator('html').getAttribute('data-state')).toBe('playing');
  }, 60_000);

  test('has violated no rule of its page policy in these tests', () => {
    expect(complaints).toEqual([]);
  });
});
