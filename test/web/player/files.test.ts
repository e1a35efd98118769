/**
 * What the player keeps of what it is sent, and shows of it, where the network between lies: a portal's page in the
 * place of a file or of the player itself, a download that stands still, a page that nobody sees. In a real browser,
 * with a server under the test's hand.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page, Route, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFfmpeg } from '../../../engines/ffmpeg.ts';
import { buildPlayer } from '../../../web/player-build.ts';
import { startApi, type TestApi } from '../../api/support/app-under-test.ts';
import { findChromium, launchChromium } from '../../support/chromium.ts';

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';
const PATIENCE_MS = 30_000;
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
const HASH = createHash('sha256').update(PICTURE).digest('hex');
const PORTAL = '<h1>Please log in</h1>';
/** Runs in the page, which has made the database: the browser is a device that was paired before. */
const KEEP_TOKEN = `new Promise(resolve => {
  indexedDB.open('marquee-player', 1).onsuccess = ({ target }) => {
    const change = target.result.transaction('facts', 'readwrite');
    change.objectStore('facts').put('dt_1', 'token');
    change.oncomplete = () => resolve();
  };
})`;
/** The player waits for a download that stands still for 20 s; here it is half a second. */
const IN_HASTE = `{
  const { setTimeout } = window;
  window.setTimeout = (work, ms) => setTimeout(work, ms === 20_000 ? 500 : ms);
}`;
const SMALL_DISK = 'navigator.storage.estimate = () => Promise.resolve({ quota: 10_000 });';
const LARGE = PICTURE.padEnd(8_001);
const HIDE = `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
document.dispatchEvent(new Event('visibilitychange'));`;
type Said = Record<string, unknown> & { t: string };

describe.skipIf(browserPath === '')(`a player behind a faulty network${why}`, () => {
  let api: TestApi;
  let origin: string;
  let browser: Browser;
  let page: Page;
  let socket: WebSocketRoute;
  let heard: Said[];

  beforeAll(async () => {
    await buildPlayer();
    api = await startApi();
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium(browserPath);
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  const say = (message: object): void => socket.send(JSON.stringify(message));
  const withPage = async (work: () => Promise<void>): Promise<void> => {
    const context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    heard = [];
    try {
      await work();
    } finally {
      await context.close();
    }
  };
  /** A screen whose server welcomes it so, and answers as the test says. */
  const openScreen = async (settings: object, answer: (message: Said) => void = () => undefined): Promise<void> => {
    await page.routeWebSocket(/delivery\.test/, route => {
      socket = route;
      route.onMessage(text => {
        const message = JSON.parse(String(text)) as Said;
        heard.push(message);
        if (message.t === 'hello') say({ t: 'welcome', screen_id: 'scr_1', time: Date.now(), ...settings });
        if (message.t === 'plays') say({ t: 'ack', id: message['id'] });
        answer(message);
      });
    });
    await page.goto(`${origin}/player`);
    await page.locator('.prompt').waitFor();
    await page.evaluate(KEEP_TOKEN);
    await page.reload();
    await page.locator('.stage').waitFor();
    await expect.poll(() => heard.length, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  };
  const serve = (route: Route, body: string | Buffer, contentType = 'image/svg+xml'): Promise<void> =>
    route.fulfill({ body, contentType, headers: { 'access-control-allow-origin': '*' } });
  const keptFiles = (): Promise<string[]> =>
    page.evaluate<string[]>(
      `caches.open('marquee-assets').then(cache => cache.keys()).then(all => all.map(one => new URL(one.url).pathname))`,
    );
  const asset = (name: string, sha256 = HASH) => ({ url: `http://api.test/assets/${name}`, sha256, bytes: 0 });

  test(
    'keeps only a file with the announced content',
    () =>
      withPage(async () => {
        await page.route('http://api.test/assets/*', route =>
          serve(route, route.request().url().endsWith('portal.svg') ? PORTAL : PICTURE),
        );
        await openScreen({ ad_ratio: 0 });
        say({ t: 'prefetch', list: 'one', assets: [asset('portal.svg'), asset('right.svg')] });
        await expect.poll(keptFiles, { timeout: PATIENCE_MS }).toContain('/assets/right.svg');
        expect(await keptFiles()).toEqual(['/assets/right.svg']);
      }),
    90_000,
  );

  test(
    'fetches an unplayable file again if its content was not announced',
    () =>
      withPage(async () => {
        let isPortal = true;
        let asked = 0;
        await page.route('http://api.test/assets/*', route => {
          asked += 1;
          return isPortal ? serve(route, PORTAL, 'text/html') : serve(route, PICTURE);
        });
        await openScreen({
          ad_ratio: 0,
          playlist: [{ type: 'image', url: 'http://api.test/assets/own.svg', duration_ms: 1_000 }],
        });
        await expect.poll(() => asked, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
        await page.locator('.stage > .card.is-front').waitFor();
        isPortal = false;
        await page.locator('.layer.is-front img').waitFor();
      }),
    90_000,
  );

  test(
    'does not keep fetching a file that this device cannot show',
    () =>
      withPage(async () => {
        const asked = { image: 0, fetch: 0 };
        await page.route('http://api.test/assets/*', route => {
          asked[route.request().resourceType() as 'image' | 'fetch'] += 1;
          return serve(route, 'of a kind that is not known here', 'image/x-new');
        });
        await openScreen({
          ad_ratio: 0,
          playlist: [{ type: 'image', url: 'http://api.test/assets/new', duration_ms: 1_000 }],
        });
        await expect.poll(() => asked.image, { timeout: PATIENCE_MS }).toBeGreaterThan(4);
        expect(asked.fetch).toBe(1);
      }),
    90_000,
  );

  test(
    'deletes no file for one that would not fit in any case',
    () =>
      withPage(async () => {
        await page.addInitScript(SMALL_DISK);
        await page.route('http://api.test/assets/*', route =>
          serve(route, route.request().url().endsWith('large.svg') ? LARGE : PICTURE),
        );
        await openScreen({ ad_ratio: 0 });
        say({ t: 'prefetch', list: 'one', assets: [asset('right.svg'), asset('large.svg', ''), asset('last.svg')] });
        await expect.poll(keptFiles, { timeout: PATIENCE_MS }).toContain('/assets/last.svg');
        expect(await keptFiles()).toEqual(['/assets/right.svg', '/assets/last.svg']);
      }),
    90_000,
  );

  test(
    'gives up a stalled download, and fetches the next files',
    () =>
      withPage(async () => {
        await page.addInitScript(IN_HASTE);
        await page.route('http://api.test/assets/*', route =>
          route.request().url().endsWith('still.svg') ? undefined : serve(route, PICTURE),
        );
        await openScreen({ ad_ratio: 0 });
        say({ t: 'prefetch', list: 'one', assets: [asset('still.svg'), asset('right.svg')] });
        await expect.poll(keptFiles, { timeout: PATIENCE_MS }).toEqual(['/assets/right.svg']);
      }),
    90_000,
  );

  test(
    'hands back a film that ran while the page was hidden',
    () =>
      withPage(async () => {
        const film = await makeFilm();
        await page.route('http://api.test/assets/*', route => serve(route, film, 'video/mp4'));
        const fill = {
          play_id: 'film',
          campaign_id: 'cmp_1',
          creative_id: 'cre_1',
          kind: 'video',
          url: 'http://api.test/assets/film.mp4',
          duration_ms: 4_000,
          scan_url: '',
        };
        let asks = 0;
        await openScreen({ ad_ratio: 1 }, ({ t, id, plan }) => {
          if (t !== 'slot') return;
          if (plan === false) asks += 1;
          const isFirst = plan === false && asks === 1;
          const times = { starts_at: Date.now(), expires_at: Date.now() + 900_000 };
          say({ t: 'fill', id, slots: [isFirst ? { ...fill, ...times } : { no_fill: 'paced_out' }] });
        });
        await page.locator('.layer.is-front.has-video').waitFor();
        await page.evaluate(HIDE);
        const ends = () => heard.filter(message => JSON.stringify(message).includes('"film"'));
        await expect.poll(() => ends()[0], { timeout: PATIENCE_MS }).toBeTruthy();
        expect(ends()[0]).toMatchObject({ t: 'cannot_play', play_id: 'film', reason: 'other' });
      }),
    90_000,
  );

  test(
    'starts from the device if a proxy answers with its own page',
    () =>
      withPage(async () => {
        let isAway = false;
        const proxy = await openProxy(origin, () => isAway);
        try {
          const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/player`;
          await page.goto(address);
          const hasWorker = () => page.evaluate<boolean>('navigator.serviceWorker.controller !== null');
          await expect.poll(hasWorker, { timeout: PATIENCE_MS }).toBe(true);
          isAway = true;
          for (let times = 0; times < 2; times++) {
            await page.reload();
            await page.locator('.prompt').waitFor();
          }
        } finally {
          proxy.closeAllConnections();
          proxy.close();
        }
      }),
    90_000,
  );
});

/** Four seconds of a test picture. */
async function makeFilm(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-film-'));
  const path = join(folder, 'film.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=25', '-t', '4'];
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
  try {
    await promisify(execFile)(await findFfmpeg(), ['-loglevel', 'error', ...source, ...encoding, path]);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Passes everything on, but for the page while the server is said to be down. */
async function openProxy(origin: string, isAway: () => boolean): Promise<Server> {
  const server = createServer((request, response) => {
    void (async () => {
      if (isAway() && request.url === '/player')
        return response.setHeader('content-type', 'text/html').end('<h1>We are back soon</h1>');
      const answer = await fetch(`${origin}${request.url}`);
      for (const name of ['content-type', 'cache-control', 'service-worker-allowed', 'content-security-policy'])
        if (answer.headers.has(name)) response.setHeader(name, answer.headers.get(name)!);
      response.statusCode = answer.status;
      return response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}
