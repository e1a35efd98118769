/**
 * The SDK and its examples on a whole instance: a campaign is booked with the SDK, the example player plays it, and the
 * play is in the report that the other example prints; the receiver takes what the product signs.
 */
import { randomInt } from 'node:crypto';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'undici';
import { pack, unpack } from 'msgpackr';
import type { Postgres } from '#sql/postgres.ts';
import { createMarquee, type Marquee } from '../../sdk/typescript/src/index.ts';
import { isFill, openScreen, pairScreen, type Codec } from '../../sdk/typescript/src/screen/index.ts';
import { signedHeaders, signingSecret } from '../../workers/webhooks/attempts/signature.ts';
import { ROOT } from '../support/architecture/source-files.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import { createReadyCreative, createSmallNetwork, eventually, type Network } from '../support/network.ts';

const EXAMPLES = join(ROOT, 'sdk/typescript/examples');
const MSGPACK: Codec = {
  subprotocol: 'marquee.v1.msgpack',
  encode: message => pack(message),
  decode: frame => unpack(new Uint8Array(frame as ArrayBuffer)) as unknown,
};
const date = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

let instance: TestInstance;
let sql: Postgres;
let network: Network;
let brand: Marquee;
let venue: Marquee;
const scratch = mkdtempSync(join(tmpdir(), 'marquee-sdk-'));
const running: ChildProcess[] = [];

beforeAll(async () => {
  instance = await startTestInstance();
  ({ sql } = instance);
  network = await createSmallNetwork(sql, instance.apiUrl);
  brand = createMarquee({ baseUrl: instance.apiUrl, key: network.brandKey });
  venue = createMarquee({ baseUrl: instance.apiUrl, key: network.venueKey });
}, 180_000);
afterAll(async () => {
  for (const child of running) child.kill();
  rmSync(scratch, { recursive: true, force: true });
  await instance?.remove();
});

/** An example as its own process; resolves with what it prints once that fits. */
async function startExample(name: string, args: string[], env: Record<string, string>): Promise<() => string> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(EXAMPLES, name), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(child, 'spawn');
  return () => text;
}

async function bookCampaign(): Promise<string> {
  const { id } = await brand.post('/v1/campaigns', {
    body: {
      name: 'Autumn, "again"',
      category: 'travel_and_tourism',
      budget: { amount: 500, currency: 'EUR' },
      creatives: [await createReadyCreative(network.brand)],
      schedule: { starts: date(-1), ends: date(30) },
      landing_url: 'https://example.com/',
    },
  });
  return id;
}
const mintCode = async (): Promise<string> =>
  (await venue.post('/v1/pairing', { body: { venue_id: network.venueId } })).code;
const playsOf = async (id: string): Promise<number> =>
  (await brand.get('/v1/campaigns/{id}', { path: { id } })).counters.plays;

test('a campaign booked with the SDK is played by the example player, and its play is in the daily report', async () => {
  const campaign = await bookCampaign();
  const env = { API: instance.apiUrl, CODE: await mintCode() };
  const printed = await startExample('player.ts', [join(scratch, 'player')], env);
  await eventually(() => Promise.resolve(printed().includes('is connected') || undefined), 30_000);
  for await (const { id } of venue.list('/v1/screens'))
    await venue.patch('/v1/screens/{id}', { path: { id }, body: { ad_ratio: 1 } });
  const plays = await eventually(async () => (await playsOf(campaign)) || undefined, 90_000);
  expect(printed()).toMatch(/acknowledged/);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join(EXAMPLES, 'daily-report.ts'), date(0)],
    { env: { ...process.env, API: instance.apiUrl, KEY: network.brandKey } },
  );
  const [head, line] = stdout.trim().split('\n');
  expect(head).toBe('"campaign_id","name","day","plays","scans","spend","currency"');
  expect(line).toMatch(new RegExp(`^"${campaign}","Autumn, ""again""","${date(0)}","[1-9]\\d*","0","[0-9.]+","EUR"$`));
  expect(plays).toBeGreaterThanOrEqual(1);
}, 180_000);

test('a screen of the SDK plays over MessagePack, and the server has its reports', async () => {
  const { device_token, socket_url } = await pairScreen({
    baseUrl: instance.apiUrl,
    code: await mintCode(),
    platform: 'linux',
    player: 'test/1',
  });
  const screen = await openScreen({
    socketUrl: socket_url,
    token: device_token,
    platform: 'linux',
    player: 'test/1',
    WebSocket,
    codec: MSGPACK,
  });
  const fill = await eventually(async () => {
    const now = screen.now();
    if (now === undefined) return undefined;
    const [slot] = (await screen.slots({ at: now - 30_000 })) ?? []; // over already, so that it may be reported at once
    return slot && isFill(slot) ? slot : undefined;
  }, 60_000);
  await screen.played(fill, { startedAt: fill.starts_at, playedMs: fill.duration_ms });
  await screen.acknowledged();
  expect(screen.unacknowledged).toBe(0);
  screen.close();
}, 120_000);

test('the example receiver takes what Marquee signs, once, and nothing else', async () => {
  const secret = `whsec_${Buffer.alloc(24, randomInt(255)).toString('base64')}`;
  const printed = await startExample('webhook-receiver.ts', [], { SECRET: secret, PORT: '0' });
  const port = await eventually(() => Promise.resolve(/"port":(\d+)/.exec(printed())?.[1]), 30_000);
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'campaign.approved',
    created_at: '2026-11-22T18:30:00.000Z',
    data: {},
  });
  const headers = signedHeaders({
    id: 'evt_1',
    body,
    secrets: [signingSecret(secret)],
    at: Math.floor(Date.now() / 1_000),
  });
  const post = async (text: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text })).status;
  expect([await post(body), await post(body), await post(`${body} `)]).toEqual([204, 204, 401]);
  await eventually(() => Promise.resolve(printed().includes('campaign.approved evt_1') || undefined));
  expect(printed().match(/campaign\.approved/g)).toHaveLength(1);
}, 60_000);
