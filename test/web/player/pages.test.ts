/**
 * The player's page as the API serves it, and what the player does at the rare words of a server: those are said by a
 * socket under the test's hand.
 */
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPlayer } from '../../../web/player-build.ts';
import { startApi, type TestApi } from '../../api/support/app-under-test.ts';
import { findChromium, launchChromium } from '../../support/chromium.ts';
import { PIXEL as PICTURE } from '../../support/media.ts';

let api: TestApi;
let folder: string;

beforeAll(async () => {
  folder = await buildPlayer();
  api = await startApi();
});

afterAll(() => api.close());

describe('the build', () => {
  test('matches the current sources', async () => {
    expect(await buildPlayer()).toBe(folder);
  });
});

describe('/player', () => {
  test("has the socket address, and allows only this server's files and that socket", async () => {
    const { status, headers, raw } = await api.call('GET', '/player');
    expect(status).toBe(200);
    expect(raw.toString()).toContain('<meta name="marquee-socket" content="ws://delivery.test/v1/screens/socket">');
    expect(headers['cache-control']).toBe('no-cache');
    const policy = headers['content-security-policy']!.split('; ');
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self' http://api.test ws://delivery.test");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('refers to files that are cached forever, except the worker, which serves the page', async () => {
    const page = (await api.call('GET', '/player')).raw.toString();
    const files = page.match(/\/player\/[^"]+/g)!;
    expect(files.length).toBe(5);
    for (const file of files) expect((await api.call('GET', file)).headers['cache-control']).toContain('immutable');
    const worker = await api.call('GET', '/player/sw.js');
    expect([worker.headers['cache-control'], worker.headers['service-worker-allowed']]).toEqual([
      'no-cache',
      '/player',
    ]);
  });

  test.each(['/player/nothing.js', '/player/index.html', '/player/..%2fcurrent', '/pair/12345', '/pair/12345a'])(
    'has no %s',
    async path => {
      expect((await api.call('GET', path)).status).toBe(404);
    },
  );

  test.each(['/player', '/pair/000000'])('%s is the target of the same address with a slash', async path => {
    const { status, headers } = await api.call('GET', `${path}/`);
    expect([status, headers['location']]).toEqual([308, path]);
  });

  test('is also the claim page of a code, known or not', async () => {
    const { status, raw } = await api.call('GET', '/pair/000000');
    expect([status, raw.toString()]).toEqual([200, (await api.call('GET', '/player')).raw.toString()]);
  });
});

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';
const TOKEN = 'dev_of_this_test';
const PATIENCE_MS = 30_000;
const PIXEL = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/%3E';
const WIDE = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"/%3E';
const STILL = {
  campaign_id: 'cmp_1',
  creative_id: 'cre_1',
  kind: 'still',
  url: PIXEL,
  duration_ms: 1_000,
  scan_url: 'http://api.test/s/x',
};
/** Makes the browser a device that was paired before. Runs in the page, which has made the database. */
const KEEP_TOKEN = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('marquee-player', 1);
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const change = opening.result.transaction('facts', 'readwrite');
    change.objectStore('facts').put('${TOKEN}', 'token');
    change.oncomplete = () => resolve();
  };
})`;
/** What version 0.2.0 of the player has kept. Runs in the page. */
const KEEP_REPORTS = `new Promise(resolve => {
  indexedDB.open('marquee-player', 1).onsuccess = ({ target }) => {
    const change = target.result.transaction(['plays', 'handBacks'], 'readwrite');
    change.objectStore('plays').put({ play_id: 'old', starts_at: 1, started_at: 2, played_ms: 3 });
    change.objectStore('handBacks').put({ play_id: 'back', starts_at: 1, reason: 'decode' });
    change.oncomplete = () => resolve();
  };
})`;
/** Plays and hand-backs on the device. Runs in the page. */
const COUNT_REPORTS = `new Promise(resolve => {
  indexedDB.open('marquee-player', 1).onsuccess = ({ target }) => {
    const reading = target.result.transaction(['plays', 'handBacks']);
    const counts = ['plays', 'handBacks'].map(name => reading.objectStore(name).count());
    reading.oncomplete = () => resolve(counts[0].result + counts[1].result);
  };
})`;
/** A page that looks for a newer build at once and finds one, and whose plays are written for two seconds. */
const NEWER_BUILD_ON_A_SLOW_DISK = `{
  const { setInterval, fetch } = window;
  window.setInterval = (work, ms) => setInterval(work, ms === 3_600_000 ? 200 : ms);
  window.fetch = (url, options) =>
    url === '/player' ? Promise.resolve(new Response('<main id="player">')) : fetch(url, options);
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (value) {
    if (this.name !== 'plays') return put.apply(this, arguments);
    const until = performance.now() + 2_000;
    const read = () => { if (performance.now() < until) this.count().onsuccess = read; };
    read();
    return put.apply(this, arguments);
  };
}`;
const FULL_DISK = `IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') };`;
/** A database that cannot be read at the first start of the page, which waits less than its 15 s then. */
const UNREADABLE_AT_FIRST = `{
  const { setTimeout } = window;
  window.setTimeout = (work, ms) => setTimeout(work, ms === 15_000 ? 200 : ms);
  if (sessionStorage.getItem('was here') === null)
    IDBObjectStore.prototype.get = () => { throw new DOMException('away', 'UnknownError'); };
  sessionStorage.setItem('was here', '1');
}`;
type Said = Record<string, unknown> & { t: string };

describe.skipIf(browserPath === '')(`a screen with unusual server messages${why}`, () => {
  let browser: Browser;
  let page: Page;
  let origin: string;
  let socket: WebSocketRoute;
  let heard: Said[] = [];
  /** What the server does with a message; each test says. */
  let answer: (message: Said) => void;

  const say = (message: object): void => socket.send(JSON.stringify(message));
  const welcome = (fields: object = {}): void =>
    say({
      t: 'welcome',
      screen_id: 'scr_1',
      venue_id: 'ven_1',
      timezone: 'Europe/Berlin',
      ad_ratio: 0.5,
      orientation: 'landscape',
      sensor: false,
      playlist: [],
      time: Date.now(),
      ...fields,
    });
  const fillOf = (id: unknown, play_id: string, fields: object = {}): void =>
    say({
      t: 'fill',
      id,
      slots: [{ ...STILL, play_id, starts_at: Date.now(), expires_at: Date.now() + 900_000, ...fields }],
    });
  const isLive = (message: Said): boolean => message.t === 'slot' && message['plan'] === false;
  const hears = (type: string, isIt: (message: Said) => boolean = () => true): Promise<Said> =>
    expect
      .poll(() => heard.find(message => message.t === type && isIt(message)), { timeout: PATIENCE_MS })
      .toBeTruthy()
      .then(() => heard.find(message => message.t === type && isIt(message))!);

  /** A device that was paired before, with a server that answers as the test says. */
  const openScreen = async (answers: (message: Said) => void): Promise<void> => {
    answer = answers;
    heard = [];
    await page.goto(`${origin}/player`);
    await page.locator('.prompt').waitFor();
    await page.evaluate(KEEP_TOKEN);
    await page.reload();
    await page.locator('.stage').waitFor();
  };

  beforeAll(async () => {
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium(browserPath);
  });

  afterAll(() => browser.close());

  const withPage = async (work: () => Promise<void>): Promise<void> => {
    const context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.routeWebSocket(/delivery\.test/, route => {
      socket = route;
      route.onMessage(text => {
        const message = JSON.parse(String(text)) as Said;
        heard.push(message);
        // What is no play is acknowledged: the screen waits for it. Plays are up to the test.
        if (message.t === 'cannot_play' || String(message['plays']) === '') say({ t: 'ack', id: message['id'] });
        answer(message);
      });
    });
    try {
      await work();
    } finally {
      await context.close();
    }
  };

  test(
    'opens its database later if it cannot be read now',
    () =>
      withPage(async () => {
        await page.addInitScript(UNREADABLE_AT_FIRST);
        await page.goto(`${origin}/player`);
        await page.locator('.prompt').waitFor();
        expect(await page.locator('.prompt').count()).toBe(1);
      }),
    60_000,
  );

  test(
    "shows the venue's items in order, and its menus in a sandboxed frame",
    () =>
      withPage(async () => {
        const body =
          '<style>p { color: rgb(1, 2, 3) }</style><p>Soup</p><script>document.body.textContent = "ran"</script>';
        await page.route('http://api.test/menus/*', route =>
          route.fulfill({ contentType: 'text/html', headers: { 'access-control-allow-origin': '*' }, body }),
        );
        const menu = { type: 'ai_menu', template: 'board', url: 'http://api.test/menus/board', duration_ms: 3_000 };
        await openScreen(message => {
          if (message.t === 'hello')
            welcome({ ad_ratio: 0, playlist: [menu, { type: 'image', url: PIXEL, duration_ms: 1_000 }] });
        });
        const soup = page.frameLocator('.layer.is-front iframe').locator('p');
        await soup.waitFor();
        expect(await soup.innerText()).toBe('Soup');
        const frame = await (await page.locator('.layer.is-front iframe').elementHandle()).contentFrame();
        expect(await frame!.evaluate<string>("getComputedStyle(document.querySelector('p')).color")).toBe(
          'rgb(1, 2, 3)',
        );
        await page.locator('.layer.is-front img').waitFor();
        expect(heard.some(isLive)).toBe(false);
      }),
    60_000,
  );

  test(
    'executes the commands that it lists: its name disappears again, and an HTML page gives no screenshot',
    () =>
      withPage(async () => {
        await page.route('http://api.test/menus/*', route =>
          route.fulfill({ headers: { 'access-control-allow-origin': '*' }, body: '<p>Soup</p>' }),
        );
        await page.route(`${origin}/screenshots/**`, route => route.fulfill({ status: 204 }));
        const sent = page.waitForRequest(/screenshots/);
        const menu = { type: 'ai_menu', template: 'board', url: 'http://api.test/menus/board', duration_ms: 60_000 };
        await openScreen(message => {
          if (message.t === 'hello') welcome({ ad_ratio: 0, playlist: [menu] });
        });
        expect((await hears('hello'))['commands']).toEqual(['identify', 'reload', 'screenshot']);
        await page.locator('.layer.is-front iframe').waitFor();
        say({ t: 'command', command: 'dance', name: 'Not this' });
        say({ t: 'command', command: 'identify', name: 'By the door', duration_ms: 2_000 });
        await page.locator('.screen-name', { hasText: 'By the door' }).waitFor();
        await page.locator('.screen-name').waitFor({ state: 'hidden' });
        const upload_url = 'http://public.test/screenshots/scr_1?expires=1&signature=x';
        say({ t: 'command', command: 'screenshot', upload_url, bytes_max: 65_536, width_max: 480 });
        const upload = await sent;
        expect([upload.method(), upload.url()]).toEqual(['PUT', `${origin}/screenshots/scr_1?expires=1&signature=x`]);
        expect(upload.postDataJSON()).toEqual({ fault: 'page' });
      }),
    60_000,
  );

  test(
    'gives no screenshot of a file of another origin that pages must not read',
    () =>
      withPage(async () => {
        await page.route('http://api.test/assets/*', route =>
          route.fulfill({ contentType: 'image/png', body: PICTURE }),
        );
        await page.route(`${origin}/screenshots/**`, route => route.fulfill({ status: 204 }));
        const sent = page.waitForRequest(/screenshots/);
        await openScreen(message => {
          if (message.t === 'hello')
            welcome({
              ad_ratio: 0,
              playlist: [{ type: 'image', url: 'http://api.test/assets/a.png', duration_ms: 60_000 }],
            });
        });
        await page.locator('.layer.is-front img').waitFor();
        const upload_url = 'http://public.test/screenshots/scr_1?expires=1&signature=x';
        say({ t: 'command', command: 'screenshot', upload_url, bytes_max: 65_536, width_max: 480 });
        expect((await sent).postDataJSON()).toEqual({ fault: 'protected' });
      }),
    60_000,
  );

  test.each([
    ['a square window', { width: 600, height: 600 }],
    ['a wide window', { width: 1_000, height: 300 }],
  ])(
    'keeps the code to scan on the picture in %s',
    (_, viewport) =>
      withPage(async () => {
        await page.setViewportSize(viewport);
        await openScreen(message => {
          if (message.t === 'hello') welcome({ ad_ratio: 1 });
          if (isLive(message))
            fillOf(message['id'], `play-${String(message['id'])}`, { url: WIDE, duration_ms: 15_000 });
        });
        const box = (await page.locator('.layer.is-front .scan rect').boundingBox())!;
        const scale = Math.min(viewport.width / 16, viewport.height / 9);
        const right = (viewport.width + 16 * scale) / 2;
        const bottom = (viewport.height + 9 * scale) / 2;
        expect([right - box.x - box.width, bottom - box.y - box.height].map(gap => gap / (9 * scale))).toEqual([
          expect.closeTo(0.034, 2),
          expect.closeTo(0.034, 2),
        ]);
        expect(box.width / (9 * scale)).toBeCloseTo(0.24, 2);
      }),
    60_000,
  );

  test(
    'counts up in its title for the watchdog of the Linux script',
    () =>
      withPage(async () => {
        await page.goto(`${origin}/player#watched`);
        await expect.poll(() => page.title(), { timeout: PATIENCE_MS }).toBe('Marquee player 1');
        await expect.poll(() => page.title(), { timeout: PATIENCE_MS }).toBe('Marquee player 2');
      }),
    60_000,
  );

  test(
    'keeps a play until it is acknowledged, over a restart too',
    () =>
      withPage(async () => {
        await openScreen(message => {
          if (message.t === 'hello') welcome();
          if (isLive(message)) fillOf(message['id'], 'play-1');
        });
        const isOfPlay = (message: Said): boolean => JSON.stringify(message['plays']).includes('play-1');
        const first = await hears('plays', isOfPlay);
        const [play] = first['plays'] as { play_id: string; played_ms: number; started_at: number }[];
        expect(play!.played_ms).toBeGreaterThanOrEqual(1_000);
        heard = [];
        answer = message => {
          if (message.t === 'hello') welcome({ ad_ratio: 0 });
        };
        await page.reload();
        const again = await hears('plays', isOfPlay);
        expect((again['plays'] as object[])[0]).toEqual(play);
        expect((await hears('hello'))['recent']).toEqual(['play-1']);
        say({ t: 'ack', id: again['id'], refused: [] });
        await page.keyboard.press('i');
        await page.getByText('1 acknowledged, 0 kept, 0 refused').waitFor();
      }),
    60_000,
  );

  test(
    'reports the plays stored by an earlier version, and then deletes them',
    () =>
      withPage(async () => {
        await openScreen(message => {
          if (message.t === 'hello') welcome({ ad_ratio: 0 });
          if (message.t === 'plays') say({ t: 'ack', id: message['id'] });
        });
        await page.evaluate(KEEP_REPORTS);
        await page.reload();
        const first = await hears('plays', message => JSON.stringify(message['plays']).includes('old'));
        expect(first['plays']).toEqual([{ play_id: 'old', started_at: 2, played_ms: 3 }]);
        expect(await hears('cannot_play')).toMatchObject({ play_id: 'back', reason: 'decode' });
        await expect.poll(() => page.evaluate<number>(COUNT_REPORTS), { timeout: PATIENCE_MS }).toBe(0);
      }),
    60_000,
  );

  test(
    'hands back a fill that is withdrawn, cannot be loaded or arrives too late',
    () =>
      withPage(async () => {
        await openScreen(message => {
          if (message.t === 'hello') welcome({ ad_ratio: 1 });
          if (!isLive(message)) return;
          const asks = heard.filter(isLive).length;
          if (asks === 1) fillOf(message['id'], 'broken', { url: 'data:image/png,nothing' });
          else if (asks === 2) fillOf(message['id'], 'shown', { duration_ms: 2_000 });
          else if (asks === 3) {
            fillOf(message['id'], 'withdrawn', { campaign_id: 'cmp_2' });
            say({ t: 'withdraw', campaign_id: 'cmp_2' });
            fillOf(9_999, 'late');
          } else say({ t: 'fill', id: message['id'], slots: [{ no_fill: 'paced_out' }] });
        });
        expect(await hears('cannot_play', message => message['play_id'] === 'broken')).toMatchObject({
          reason: 'asset',
        });
        expect(await hears('cannot_play', message => message['play_id'] === 'late')).toMatchObject({ reason: 'other' });
        expect(await hears('cannot_play', message => message['play_id'] === 'withdrawn')).toMatchObject({
          reason: 'withdrawn',
        });
        await hears('plays', message => JSON.stringify(message['plays']).includes('shown'));
      }),
    60_000,
  );

  test(
    "shows the venue's items if no ad can be shown, and reports that to the server",
    () =>
      withPage(async () => {
        await openScreen(message => {
          if (message.t === 'hello')
            welcome({
              playlist: [
                { type: 'ad_slot', ad_ms: null },
                { type: 'image', url: PIXEL, duration_ms: 60_000 },
              ],
            });
          if (isLive(message)) fillOf(message['id'], `broken-${message['id']}`, { url: 'data:image/png,nothing' });
        });
        await page.locator('.layer.is-front img').waitFor();
        expect(heard.filter(isLive)).toHaveLength(3);
        await expect.poll(() => heard.filter(({ t }) => t === 'cannot_play').length).toBe(3);
      }),
    60_000,
  );

  test(
    'saves its plays before it loads a newer build, even on a slow disk',
    () =>
      withPage(async () => {
        await page.addInitScript(NEWER_BUILD_ON_A_SLOW_DISK);
        await openScreen(message => {
          const isFirst = !heard.some(({ recent }) => String(recent) !== '');
          if (message.t === 'hello') welcome({ ad_ratio: isFirst ? 1 : 0 });
          if (isLive(message) && heard.filter(isLive).length === 1) fillOf(message['id'], 'play-1');
        });
        const recentOfLast = (): unknown => heard.findLast(({ t }) => t === 'hello')?.['recent'];
        await expect.poll(recentOfLast, { timeout: PATIENCE_MS }).toEqual(['play-1']);
      }),
    60_000,
  );

  test(
    'reports with a full disk, and settles only what a restart would know',
    () =>
      withPage(async () => {
        await openScreen(message => {
          if (message.t === 'hello') welcome();
        });
        await page.addInitScript(FULL_DISK);
        answer = message => {
          if (message.t === 'hello') {
            heard = [message]; // what the page before has said does not count
            welcome({ ad_ratio: 1 });
          }
          if (isLive(message)) fillOf(message['id'], 'play-1');
        };
        await page.reload();
        await hears('plays', message => JSON.stringify(message['plays']).includes('play-1'));
        expect(heard.filter(message => 'settled_to' in message)).toEqual([]);
      }),
    60_000,
  );

  test(
    'keeps its token when the server does not know it, and forgets it when it was unpaired',
    () =>
      withPage(async () => {
        await openScreen(message => {
          if (message.t === 'hello') void socket.close({ code: 4002, reason: 'unknown token' });
        });
        await page.keyboard.press('i');
        await page.getByText(/^lost \(4002\), again in \d+ s$/).waitFor();
        answer = message => {
          if (message.t === 'hello') welcome();
        };
        await page.reload();
        expect((await hears('hello', message => message['time'] !== undefined))['token']).toBe(TOKEN);
        await page.locator('.stage').waitFor();
        await hears('plays');
        void socket.close({ code: 4001, reason: 'unpaired' });
        await page.locator('.prompt', { hasText: 'was unpaired' }).waitFor();
        await page.reload();
        await page.locator('.prompt').waitFor();
      }),
    60_000,
  );
});
