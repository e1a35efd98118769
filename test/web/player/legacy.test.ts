/** The player's script for Chromium 53 to 79: its syntax, and a play in a browser without later interfaces. */
import type { CompatData, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data';
import { parse } from 'acorn';
import { EventEmitter, once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify from 'fastify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Api } from '../../../api/wire/fastify.ts';
import { playerRoutes } from '../../../api/pages/player.ts';
import { buildPlayer } from '../../../web/player-build.ts';
import { findChromium, launchChromium } from '../../support/chromium.ts';

// Not by `import`: Vite needs minutes for these 15 MB.
const bcd = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData;
const OLDEST = 53;
const PATIENCE_MS = 30_000;
const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

let folder: string;

beforeAll(async () => {
  folder = await buildPlayer();
});

describe('the scripts for older televisions', () => {
  const parses = async (name: RegExp, ecmaVersion: 2016 | 2019 | 2022): Promise<boolean> => {
    const file = (await readdir(folder)).find(one => name.test(one))!;
    const text = await readFile(join(folder, file), 'utf8');
    try {
      return parse(text, { ecmaVersion, sourceType: 'script' }).type === 'Program';
    } catch {
      return false;
    }
  };

  test.each([/^legacy-.*\.js$/, /^fallback-.*\.js$/, /^sw\.js$/])(
    '%s is ES2016, which Chromium 53 reads',
    async name => {
      expect(await parses(name, 2016)).toBe(true);
    },
  );

  test('are needed: Chromium before 80 refuses the syntax of the module', async () => {
    expect([await parses(/^player-.*\.js$/, 2019), await parses(/^player-.*\.js$/, 2022)]).toEqual([false, true]);
  });
});

/** Names such as `Array.flatMap` of all that Chromium has had since a later version than the oldest. */
function laterInterfaces(): string[] {
  const isLater = ({ __compat: compat }: Identifier): boolean => {
    const support = compat?.support.chrome;
    const statements = (Array.isArray(support) ? support : support ? [support] : []) as SimpleSupportStatement[];
    const versions = statements.filter(({ flags }) => !flags).map(({ version_added }) => Number(version_added));
    return versions.length > 0 && Math.min(...versions) > OLDEST;
  };
  return [bcd.javascript['builtins']!, bcd.api].flatMap(all =>
    Object.entries(all).flatMap(([name, one]) =>
      isLater(one as Identifier)
        ? [name]
        : Object.entries(one)
            .filter(([key, member]) => key !== '__compat' && isLater(member as Identifier))
            .map(([key]) => `${name}.${key.replace(/_static$/, '')}`),
    ),
  );
}

/** Takes interfaces away. Runs in the page before its scripts. */
const TAKE_AWAY = `(names => {
  for (const name of names) {
    const [owner, member] = name.split('.');
    if (member === undefined) delete window[owner];
    else if (owner === 'Window') delete window[member];
    else if (window[owner]) {
      delete window[owner][member];
      if (window[owner].prototype) delete window[owner].prototype[member];
    }
  }
})`;

describe.skipIf(browserPath === '')(`a browser that cannot run the module${why}`, () => {
  const later = laterInterfaces();
  const heard = new EventEmitter();
  const delivery = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  // These routes use nothing of the API's own hooks and type provider.
  const app = Fastify() as unknown as Api;
  let browser: Browser;

  beforeAll(async () => {
    delivery.on('connection', socket =>
      socket.on('message', data => {
        const message = JSON.parse(String(data)) as Record<string, unknown>;
        const reply = replyTo(message);
        if (reply) socket.send(JSON.stringify(reply));
        if (message['t'] === 'plays' && String(message['plays'])) heard.emit('plays', message['plays']);
      }),
    );
    const { port } = delivery.address() as AddressInfo;
    const urls = { public: 'http://api.test', delivery: `ws://127.0.0.1:${port}` };
    playerRoutes(app, { urls });
    app.post('/v1/pairing/:code/confirm', () => ({ token: 'dev_of_this_test' }));
    browser = await launchChromium(browserPath);
  });

  afterAll(async () => {
    await browser.close();
    delivery.close();
    await app.close();
  });

  test('plays an ad and reports it without any interface newer than Chromium 53', async () => {
    expect(later).toEqual(expect.arrayContaining(['AbortController', 'Array.flatMap', 'Element.append']));
    const page = await browser.newPage({ serviceWorkers: 'block' });
    const errors: string[] = [];
    page.on('pageerror', error => errors.push(error.message));
    await page.addInitScript(`${TAKE_AWAY}(${JSON.stringify(later)})`);
    const unreadable = { contentType: 'text/javascript', body: '?' };
    await page.route(/\/player\/player-.*\.js$/, route => route.fulfill(unreadable));
    await page.goto(`${await app.listen({ port: 0, host: '127.0.0.1' })}/player`);
    await page.locator('.prompt').waitFor({ timeout: PATIENCE_MS });
    const reported = once(heard, 'plays');
    await page.keyboard.type('123456');
    expect(await reported).toEqual([[expect.objectContaining({ play_id: 'play-1' })]]);
    expect(errors).toEqual(["Unexpected token '?'"]);
  }, 60_000);
});

/** What a server says to a screen that has nothing but ads. */
function replyTo({ t, id, plan }: Record<string, unknown>): object | undefined {
  const welcome = { screen_id: 'scr_1', venue_id: 'ven_1', timezone: 'Europe/Berlin', orientation: 'landscape' };
  if (t === 'hello') return { t: 'welcome', ...welcome, ad_ratio: 1, sensor: false, playlist: [], time: Date.now() };
  if (t === 'plays' || t === 'cannot_play') return { t: 'ack', id };
  if (t !== 'slot' || plan !== false) return undefined;
  const url = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/%3E';
  const times = { duration_ms: 1_000, starts_at: Date.now(), expires_at: Date.now() + 900_000 };
  const ad = { campaign_id: 'cmp_1', creative_id: 'cre_1', kind: 'still', url, scan_url: 'http://api.test/s/x' };
  return { t: 'fill', id, slots: [{ play_id: 'play-1', ...ad, ...times }] };
}
