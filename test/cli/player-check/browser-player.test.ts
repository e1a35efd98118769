/** The player that comes with Marquee, in a real browser, keeps the rules that `npm run player-check` checks. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { Findings } from '../../../cli/player-check/rules.ts';
import { Run } from '../../../cli/player-check/run.ts';
import { runAll, SCENARIOS } from '../../../cli/player-check/scenarios.ts';
import { CODE, PlayerServer } from '../../../cli/player-check/server.ts';
import { buildPlayer } from '../../../web/player-build.ts';
import { findChromium, launchChromium } from '../../support/chromium.ts';

const chromium = await findChromium();
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';
/** A whole run takes two to six minutes, by the waits that the player draws. */
const RUN_MS_MAX = 600_000;
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

test.skipIf('missing' in chromium)(
  `the player in a browser breaks no rule, from its prompt to its unpairing${why}`,
  async () => {
    const findings = new Findings();
    const server = await PlayerServer.listen(findings, { host: '127.0.0.1', port: 0 });
    const site = await servePages(await buildPlayer(), server);
    const browser = await launchChromium('path' in chromium ? chromium.path : '');
    try {
      const page = await browser.newPage();
      await page.goto(`${site.url}/player`);
      await page.locator('.prompt').waitFor();
      await page.keyboard.type(CODE);
      const names = Object.keys(SCENARIOS).filter(name => name !== 'restart');
      expect(await runAll(new Run(findings, server, () => undefined), names, () => undefined)).toBeUndefined();
    } finally {
      await browser.close();
      site.close();
      server.close();
    }
    expect(findings.all.filter(({ result }) => result === 'broken' || result === 'warning')).toEqual([]);
  },
  RUN_MS_MAX,
);

/** The player's page at an address of its own, as the API serves it; calls of pairing go on to the kit. */
async function servePages(folder: string, kit: PlayerServer): Promise<{ url: string; close(): void }> {
  const http = createServer((incoming, response) => {
    void (incoming.url!.startsWith('/v1/') ? pass : show)(incoming, response);
  });
  async function show(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = incoming.url === '/player' ? 'index.html' : incoming.url!.split('/').at(-1)!;
    const file = await readFile(join(folder, name)).catch(() => undefined);
    if (!file) return void response.writeHead(404).end();
    const body = name === 'index.html' ? file.toString().replace('%SOCKET_URL%', kit.socketUrl) : file;
    response.writeHead(200, { 'content-type': TYPES[extname(name)]! }).end(body);
  }
  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await request(`${kit.api}${incoming.url}`, { method: 'POST', body: incoming });
    response.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end(await answer.body.text());
  }
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => http.close().closeAllConnections() };
}
