/**
 * Players of other origins in a real browser: a page in the files of an app, and one on another server, built on the
 * SDK; and the start page of the television apps, which leads to the player of this server.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '#domain/id.ts';
import { COMMANDS_CHANNEL, messageOfCommand } from '#domain/screens/command.ts';
import { parseOrigins } from '../../../api/http/cross-origin.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { buildPlayer } from '../../../web/player-build.ts';
import {
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  VENUE,
  type TestApi,
} from '../../api/support/app-under-test.ts';
import { startSecondApi, type SecondApi } from '../../api/support/second-app.ts';
import { findChromium, launchChromium } from '../../support/chromium.ts';

const ROOT = join(import.meta.dirname, '../../..');
const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';
const PATIENCE_MS = 30_000;

/** What a player asks of the server beside its socket. Each call returns what the page could read. */
const CALLS = `
import { MarqueeError, pairScreen } from './sdk/typescript/src/screen/index.ts';
const read = async (url, options) => {
  try {
    const answer = await fetch(url, { credentials: 'omit', ...options });
    return [answer.status, (await answer.arrayBuffer()).byteLength];
  } catch {
    return 'blocked';
  }
};
window.pair = (baseUrl, code) => pairScreen({ baseUrl, code, platform: 'tizen', player: 'own/1' }).catch(error =>
  error instanceof MarqueeError ? { status: error.status } : { bug: String(error) });
window.load = url => read(url);
window.sendPicture = url => {
  const jpeg = new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0])], { type: 'image/jpeg' });
  return read(url, { method: 'PUT', body: jpeg, headers: { 'content-type': jpeg.type } });
};
`;

describe.skipIf(browserPath === '')(`a player of another origin${why}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-other-origin-'));
  let browser: Browser;
  let page: Page;
  let api: TestApi;
  /** Allows the origins of both pages; the first API allows none. */
  let open: SecondApi;
  let closedUrl: string;
  let openUrl: string;
  let elsewhere: Server;
  let key: string;
  let venue: string;
  let asset: string;
  /** The addresses of the page: in a file, and on another server. */
  const pages: Record<string, string> = {};

  beforeAll(async () => {
    await buildPlayer();
    api = await startApi();
    closedUrl = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const { outputFiles } = await build({
      stdin: { contents: CALLS, resolveDir: ROOT },
      bundle: true,
      format: 'iife',
      write: false,
    });
    const html = `<!DOCTYPE html><title>A player</title><script>${outputFiles[0]!.text}</script>`;
    writeFileSync(join(folder, 'player.html'), html);
    elsewhere = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve));
    pages['a file'] = pathToFileURL(join(folder, 'player.html')).href;
    pages['another server'] = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const corsOrigins = parseOrigins(`null, ${pages['another server']}`);
    open = await startSecondApi(api, { corsOrigins, storage: api.storage });
    const port = await freePort();
    await open.listen(port);
    openUrl = `http://127.0.0.1:${port}`;
    key = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    venue = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
    const brandKey = await createKey(api, await createWorkspace(api, { funds: 100 }));
    const creative = await createReadyCreative(api, brandKey);
    asset = new URL((await api.call('GET', `/v1/creatives/${creative}`, { key: brandKey })).body['url']!).pathname;
    browser = await launchChromium(browserPath);
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    elsewhere.close();
    await open.close();
    await api.close();
    rmSync(folder, { recursive: true });
  });

  const mintCode = async () =>
    (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body['code']!;
  const call = (name: string, ...texts: string[]): Promise<unknown> =>
    page.evaluate(`window.${name}(...${JSON.stringify(texts)})`);

  /** Asks the screen for a picture; the path to which it is sent. */
  const requestPicture = async (screen: string): Promise<string> => {
    const connected = { screen_handle: parseId('screen', screen)!, online: true, last_seen_at: new Date() };
    await api.sql`insert into screen_presence ${api.sql({ ...connected, commands: ['screenshot'] })}`;
    let resolve: (path: string) => void;
    const sent = new Promise<string>(done => void (resolve = done));
    const { unlisten } = await api.sql.listen(COMMANDS_CHANNEL, text => {
      const message = messageOfCommand(text);
      if (message.command === 'screenshot') resolve(message.upload_url.replace('http://api.test', ''));
    });
    await open.call('POST', `/v1/screens/${screen}/screenshot`, { key });
    const path = await sent;
    await unlisten();
    return path;
  };

  test.each(['a file', 'another server'])(
    'in %s pairs, loads ads and sends a picture if the operator allows its origin',
    async where => {
      await page.goto(pages[where]!);
      expect(await call('pair', openUrl, '000000')).toEqual({ status: 404 });
      const pairing = (await call('pair', openUrl, await mintCode())) as { screen_id: string; device_token: string };
      expect(pairing.device_token).toMatch(/^dt_/);
      expect(await call('load', openUrl + asset)).toEqual([200, expect.any(Number)]);
      expect(await call('sendPicture', openUrl + (await requestPicture(pairing.screen_id)))).toEqual([204, 0]);
    },
    60_000,
  );

  test.each(['a file', 'another server'])(
    'in %s loads ads and cannot pair if no origin is allowed',
    async where => {
      await page.goto(pages[where]!);
      expect(await call('pair', closedUrl, await mintCode())).toEqual({ status: 0 });
      expect(await call('load', closedUrl + asset)).toEqual([200, expect.any(Number)]);
    },
    60_000,
  );

  test('is not needed by the television apps: their start page opens the player of its server', async () => {
    const start = readFileSync(join(ROOT, 'deploy/players/open.html'), 'utf8').replace(
      '{{url}}',
      `${closedUrl}/player`,
    );
    writeFileSync(join(folder, 'index.html'), start);
    writeFileSync(join(folder, 'open.js'), readFileSync(join(ROOT, 'deploy/players/open.js')));
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await page.waitForURL(`${closedUrl}/player`);
    await page.locator('.prompt').waitFor();
    expect(page.url()).toBe(`${closedUrl}/player`);
  }, 60_000);
});
