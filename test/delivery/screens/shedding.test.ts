/** `admin node shed` on real delivery processes: a second one has joined, and half of the screens go there. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { shedNode } from '../../../cli/admin/running/nodes.ts';
import { ScreenClient, type Fill } from '../../support/screen-client.ts';
import {
  addCampaign,
  addScreen,
  createWorld,
  metricOf,
  type DeliveryProcess,
  type ScreenRow,
  type World,
} from '../delivery-under-test.ts';

const SCREENS = 20;
const HALF = SCREENS / 2;
/** Half of the screens take half a second. */
const PER_SECOND = 20;

let world: World;
let old: DeliveryProcess;
let joined: DeliveryProcess;

beforeAll(async () => {
  world = await createWorld();
  await addCampaign(world);
  old = await world.start({ DELIVERY_NODE: 'old' });
});
afterAll(() => world.close());

type Connected = { screen: ScreenRow; client: ScreenClient; fill: Fill };

async function connect(): Promise<Connected> {
  const screen = await addScreen(world);
  const { client } = await ScreenClient.connect(old.url, screen.token);
  return { screen, client, fill: await client.fill() };
}

/** Reports the play of a fill; resolves with what was refused. */
async function report(client: ScreenClient, { play_id, starts_at: started_at, duration_ms: played_ms }: Fill) {
  client.send({ t: 'plays', id: 1, plays: [{ play_id, started_at, played_ms }] });
  return (await client.next('ack', 1))['refused'];
}

const sessionsOf = (process: DeliveryProcess): Promise<number> => metricOf(process.opsUrl, 'delivery_sessions');
const shed = (node: string, share: number) =>
  shedNode(world.sql, world.redisUrl, { node, share, perSecond: PER_SECOND });

test('moves half of the screens of a process to another one: every play is accepted, and no screen is recorded as offline', async () => {
  const connected: Connected[] = [];
  for (let number = 0; number < SCREENS; number += 1) connected.push(await connect());
  joined = await world.start({ DELIVERY_NODE: 'joined' });
  const moved: Connected[] = [];
  const watch = async (one: Connected): Promise<void> => {
    if ((await one.client.closed()) === 4008) moved.push(one);
  };
  for (const one of connected) void watch(one);

  expect(await shed('old', 0.5)).toEqual({ node: 'old', sessions: SCREENS, closing: HALF, per_second: PER_SECOND });
  await expect(shed('old', 0.5)).rejects.toThrow('old closes a share of its sockets already');
  await vi.waitFor(() => expect(moved).toHaveLength(HALF), { timeout: 10_000 });
  expect(await sessionsOf(old)).toBe(HALF);

  for (const one of moved) one.client = (await ScreenClient.connect(joined.url, one.screen.token)).client;
  expect([await sessionsOf(old), await sessionsOf(joined)]).toEqual([HALF, HALF]);
  for (const { client, fill } of connected) expect(await report(client, fill)).toEqual([]);
  for (const { client } of connected) expect((await client.fill()).play_id).toBeDefined();
  const [offline] = await world.sql<{ count: number }[]>`select count(*) as count from screen_health where not online`;
  expect(offline!.count).toBe(0);
  for (const { client } of connected) client.close();
});

test('asks a process by name for a share below 1', async () => {
  await expect(shed('nobody', 0.5)).rejects.toThrow("No process 'nobody' answers; node list names them.");
  await expect(shed('old', 0)).rejects.toThrow('--share takes a number above 0, 0.9 at most.');
  await expect(shed('old', 1)).rejects.toThrow('--share takes a number above 0, 0.9 at most.');
});
