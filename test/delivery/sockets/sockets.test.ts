/**
 * Many sockets at one delivery process, and such as behave badly: one that never reads, and a storm of hellos. A real
 * process on real engines, with connections of the load client.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { pack, Unpackr } from 'msgpackr';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { formatDeviceToken } from '#domain/access/key.ts';
import { maskedFrame, OPCODE } from '../../../bench/sockets/frames.ts';
import { LoadConnection } from '../../../bench/sockets/load-connection.ts';
import { readMetrics, sumOf } from '../../../bench/metrics.ts';
import { ScreenClient } from '../../support/screen-client.ts';
import { addCampaign, addScreen, createWorld, type DeliveryProcess, type World } from '../delivery-under-test.ts';

const SCREENS = 600;
const HELLOS_PER_SECOND = 400;
const PATH = '/v1/screens/socket';
const unpackr = new Unpackr({ useRecords: false });
let world: World;
let tokens: string[];
let delivery: DeliveryProcess;

beforeAll(async () => {
  world = await createWorld();
  await addCampaign(world);
  tokens = Array.from({ length: SCREENS }, () => formatDeviceToken(randomBytes(32)));
  await world.sql`insert into screens ${world.sql(
    tokens.map(token => ({
      workspace_handle: world.workspace,
      venue_handle: world.venue,
      ad_ratio: 1,
      sandbox: false,
      created_at: new Date(),
      token_hash: createHash('sha256').update(token).digest(),
    })),
  )}`;
  delivery = await world.start({
    SCREENS_MAX: String(SCREENS),
    SCREEN_HELLOS_PER_SECOND_MAX: String(HELLOS_PER_SECOND),
    SCREEN_MESSAGES_PER_SECOND_MAX: '1000000',
  });
});
afterAll(() => world.close());

const metric = async (name: string): Promise<number> => sumOf(await readMetrics([delivery.opsUrl]), name);
const helloFrame = (token: string): Buffer =>
  maskedFrame(
    pack({ t: 'hello', token, platform: 'linux', player: 'test/1', time: Date.now(), recent: [] }),
    OPCODE.binary,
  );

/** A socket that says hello at once; `welcomed` says when, `closed` how it ended. */
async function connectScreen(token: string) {
  const connection = await LoadConnection.open({
    port: Number(new URL(delivery.url).port),
    path: PATH,
    protocol: 'marquee.v1.msgpack',
  });
  const closed = new Promise<string>(resolve => {
    connection.onClose = resolve;
  });
  const welcomed = new Promise<number>(resolve => {
    connection.onMessage = (bytes, start, end) => {
      if ((unpackr.unpack(bytes.subarray(start, end)) as { t: string }).t === 'welcome') resolve(performance.now());
    };
  });
  connection.send(helloFrame(token));
  return { connection, welcomed, closed };
}

/** As many at a time as a listen queue holds. */
async function connectScreens(some: readonly string[]) {
  const screens: Awaited<ReturnType<typeof connectScreen>>[] = [];
  for (let from = 0; from < some.length; from += 100)
    screens.push(...(await Promise.all(some.slice(from, from + 100).map(token => connectScreen(token)))));
  return screens;
}

test('a screen that sends and never reads is closed at a bounded backlog while others are answered', async () => {
  const { client } = await ScreenClient.connect(delivery.url, tokens[1]!);
  const socket = connect(Number(new URL(delivery.url).port), '127.0.0.1');
  socket.on('error', () => undefined); // a reset is one of its ends
  socket.write(
    `GET ${PATH} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: marquee.v1.msgpack\r\n\r\n`,
  );
  await once(socket, 'data');
  socket.write(helloFrame(tokens[0]!));
  await once(socket, 'data');
  socket.pause();
  const ask = maskedFrame(pack({ t: 'slot', id: 1, count: 20 }), OPCODE.binary);
  const asks = Buffer.concat(Array.from({ length: 100 }, () => ask));
  let asked = 0;
  // What the system holds for the two sockets comes first, some megabytes.
  await vi.waitFor(
    async () => {
      if (socket.writable) socket.write(asks);
      asked += 100;
      expect(await metric('delivery_slow_readers_total')).toBe(1);
    },
    { timeout: 15_000, interval: 10 },
  );
  client.send({ t: 'slot', id: 2 });
  await client.next('fill', 2);
  await vi.waitFor(async () => expect(await metric('delivery_sockets')).toBe(1), { timeout: 10_000 });
  expect(asked).toBeLessThan(50_000);
  client.close();
  socket.destroy();
}, 40_000);

test('a storm of screens is admitted at the allowed rate while admitted screens are answered; excess screens get 4008, and so do all in a drain', async () => {
  const { client } = await ScreenClient.connect(delivery.url, tokens[0]!);
  const from = performance.now();
  const coming = connectScreens(tokens.slice(1));
  client.send({ t: 'slot', id: 1 });
  await client.next('fill', 1);
  const answeredAt = performance.now();
  const screens = await coming;
  const welcomes = await Promise.all(screens.map(screen => screen.welcomed));
  const stormMs = Math.max(...welcomes) - from;
  // less the burst, and a tick of the clocks
  expect(stormMs).toBeGreaterThan((SCREENS / HELLOS_PER_SECOND) * 1_000 * 0.9);
  expect(answeredAt).toBeLessThan(Math.max(...welcomes));
  expect(await metric('delivery_sessions')).toBe(SCREENS);

  const { token } = await addScreen(world);
  const refused = await ScreenClient.open(delivery.url);
  refused.send({ t: 'hello', token, platform: 'linux', player: 'test/1', time: Date.now() });
  expect(await refused.closed()).toBe(4008);
  expect(await metric('delivery_refused_connections_total')).toBe(1);
  screens.pop()!.connection.close();
  await vi.waitFor(async () => expect(await metric('delivery_sockets')).toBe(SCREENS - 1), { timeout: 10_000 });
  await ScreenClient.connect(delivery.url, token);

  const stopped = delivery.stop();
  expect(new Set(await Promise.all(screens.map(screen => screen.closed)))).toEqual(
    new Set(['the server closed with 4008']),
  );
  expect(await stopped).toBe(0); // and not 1, as when it takes more than ten seconds
  const presence = await world.sql<{ online: boolean }[]>`select online from screen_presence`;
  expect(presence.filter(row => row.online).length).toBeGreaterThan(SCREENS - 5); // who is sent elsewhere has not gone
}, 30_000);
