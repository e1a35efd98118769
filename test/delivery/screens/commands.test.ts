/** Commands to screens on real delivery processes: published once, as the API does it. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COMMANDS_CHANNEL, formatCommand, type CommandMessage } from '#domain/screens/command.ts';
import { ScreenClient } from '../../support/screen-client.ts';
import { addScreen, createWorld, type DeliveryProcess, type ScreenRow, type World } from '../delivery-under-test.ts';

const ALL = ['identify', 'reload', 'screenshot'];

let world: World;
let processes: readonly DeliveryProcess[];

beforeAll(async () => {
  world = await createWorld();
  processes = [await world.start({ DELIVERY_NODE: 'one' }), await world.start({ DELIVERY_NODE: 'two' })];
});
afterAll(() => world.close());

const publish = (screen: ScreenRow, message: CommandMessage) =>
  world.sql.notify(COMMANDS_CHANNEL, formatCommand({ screen: screen.handle, message }));

const commandsOf = async ({ handle }: ScreenRow): Promise<string[] | undefined> => {
  const [row] = await world.sql<{ commands: string[] }[]>`
    select commands from screen_presence where screen_handle = ${handle} and online`;
  return row?.commands;
};

test('a command reaches the screen that it names, whichever process has its socket, and no other', async () => {
  const screens = [await addScreen(world), await addScreen(world), await addScreen(world)] as const;
  const clients = await Promise.all(
    screens.map((screen, at) => ScreenClient.connect(processes[at % 2]!.url, screen.token, { commands: ALL })),
  );
  const message = { command: 'identify', name: 'Above the bar · 1', duration_ms: 30_000 } as const;
  await publish(screens[0], message);
  await publish(screens[1], { command: 'reload' });
  expect(await clients[0]!.client.next('command')).toEqual({ t: 'command', ...message });
  expect(await clients[1]!.client.next('command')).toEqual({ t: 'command', command: 'reload' });
  for (const { client } of clients) {
    // An answer that follows: what was sent before it has arrived.
    client.send({ t: 'slot', id: 1 });
    await client.next('fill', 1);
    expect(client.heard('command')).toBe(0);
    client.close();
  }
});

test('the presence of a screen lists the commands from its last hello', async () => {
  const screen = await addScreen(world);
  const { client: able } = await ScreenClient.connect(processes[0]!.url, screen.token, {
    commands: ['screenshot', 'identify', 'dance'],
  });
  await vi.waitFor(async () => expect(await commandsOf(screen)).toEqual(['identify', 'screenshot']));
  able.close();
  await vi.waitFor(async () => expect(await commandsOf(screen)).toBeUndefined());
  const [kept] = await world.sql`select commands from screen_presence where screen_handle = ${screen.handle}`;
  expect(kept!['commands']).toEqual(['identify', 'screenshot']);

  const { client: older } = await ScreenClient.connect(processes[1]!.url, screen.token);
  await vi.waitFor(async () => expect(await commandsOf(screen)).toEqual([]));
  older.close();
});
