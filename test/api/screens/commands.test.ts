/**
 * Commands to screens through the API on real engines: what is published for delivery, who is refused and why, and the
 * picture on its way from the player to the person. The test listens where delivery does.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '#domain/id.ts';
import { COMMANDS_CHANNEL, messageOfCommand, screenOfCommand, type CommandMessage } from '#domain/screens/command.ts';
import { SCREENSHOT_BYTES_MAX, SCREENSHOT_FAULTS } from '#domain/screens/screenshot.ts';
import { forgetOldScreenshots } from '../../../workers/upkeep/forget.ts';
import { createKey, createWorkspace, startApi, VENUE, type TestApi } from '../support/app-under-test.ts';

const ALL = ['identify', 'reload', 'screenshot'];
const DAY_MS = 24 * 3_600_000;
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(2_000, 7)]);

let api: TestApi;
let unlisten: () => Promise<void>;
const heard: string[] = [];
let wake: () => void = () => undefined;

beforeAll(async () => {
  api = await startApi();
  ({ unlisten } = await api.sql.listen(COMMANDS_CHANNEL, text => {
    heard.push(text);
    wake();
  }));
});
afterAll(async () => {
  await unlisten();
  await api.close();
});

/** The next command that delivery would hear. */
async function published(): Promise<{ screen: number; message: CommandMessage }> {
  while (heard.length === 0) await new Promise<void>(resolve => void (wake = resolve));
  const text = heard.shift()!;
  return { screen: screenOfCommand(text), message: messageOfCommand(text) };
}

type House = { key: string; screen: string; workspace: Awaited<ReturnType<typeof createWorkspace>> };

/** A screen that a player with these commands has connected; undefined: that never connected. */
async function createHouse({
  commands,
  label = 'Above the bar',
  mode = 'live',
}: { commands?: readonly string[]; label?: string; mode?: 'live' | 'test' } = {}): Promise<House> {
  const workspace = await createWorkspace(api, { kind: 'venue' });
  const expiresAt = new Date(api.clock.now() + 2 * DAY_MS);
  const key = await createKey(api, workspace, { surface: 'screen_manager', mode, expiresAt });
  const venue = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
  const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
  const device = { platform: 'browser', player: 'test/1' };
  const screen = (await api.call('POST', `/v1/pairing/${code}/confirm`, { body: device })).body['screen_id']!;
  if (label !== '') await api.call('PATCH', `/v1/screens/${screen}`, { key, body: { label } });
  if (commands !== undefined) await connect(screen, commands);
  return { key, screen, workspace };
}

const connect = (screen: string, commands: readonly string[]) => api.sql`
  insert into screen_presence (screen_handle, online, last_seen_at, commands)
  values (${parseId('screen', screen)!}, true, ${new Date(api.clock.now())}, ${api.sql.array([...commands])})
  on conflict (screen_handle) do update set online = true, last_seen_at = excluded.last_seen_at,
    commands = excluded.commands`;

const send = ({ key, screen }: House, command: string) => api.call('POST', `/v1/screens/${screen}/${command}`, { key });
const shot = async ({ key, screen }: House) =>
  (await api.call('GET', `/v1/screens/${screen}/screenshot`, { key })).body;

/** Asks for a picture; the address to which the player sends it. */
async function ask(house: House): Promise<string> {
  expect(await send(house, 'screenshot')).toMatchObject({ status: 202, body: { state: 'requested' } });
  const { message } = await published();
  if (message.command !== 'screenshot') throw new Error('another command');
  expect(message).toMatchObject({ bytes_max: SCREENSHOT_BYTES_MAX, width_max: 480 });
  return message.upload_url.replace('http://api.test', '');
}

const put = (path: string, body: Buffer | object, type = 'image/jpeg') =>
  api.call('PUT', path, Buffer.isBuffer(body) ? { payload: body, headers: { 'content-type': type } } : { body });

describe('a command', () => {
  test('is published for the screen with the name of the screen, and is in the audit log', async () => {
    const house = await createHouse({ commands: ALL });
    expect((await send(house, 'identify')).status).toBe(204);
    expect(await published()).toEqual({
      screen: parseId('screen', house.screen),
      message: { command: 'identify', name: 'Above the bar', duration_ms: 30_000 },
    });
    expect((await send(house, 'reload')).status).toBe(204);
    expect((await published()).message).toEqual({ command: 'reload' });
    const entries = await api.sql`
      select diff from audit_entries
      where action = 'screen.command_sent' and entity_handle = ${parseId('screen', house.screen)!} order by number`;
    expect(entries.map(({ diff }) => diff as unknown)).toEqual([
      { command: { from: null, to: 'identify' } },
      { command: { from: null, to: 'reload' } },
    ]);
    expect((await api.call('GET', `/v1/screens/${house.screen}`, { key: house.key })).body['commands']).toEqual(ALL);
  });

  test('carries the id of a screen without a name', async () => {
    const house = await createHouse({ commands: ALL, label: '' });
    await send(house, 'identify');
    expect((await published()).message).toMatchObject({ name: house.screen });
  });

  test('reaches a screen of the sandbox that has a device', async () => {
    const house = await createHouse({ commands: ALL, mode: 'test' });
    expect((await send(house, 'reload')).status).toBe(204);
    await published();
  });

  test('is refused as offline for a screen that never connected or was silent for a minute', async () => {
    const house = await createHouse();
    const offline = { status: 409, body: { code: 'screen_offline' } };
    expect(await send(house, 'identify')).toMatchObject(offline);
    await connect(house.screen, ALL);
    expect((await send(house, 'identify')).status).toBe(204);
    await published();
    api.clock.offsetMs += 61_000;
    expect(await send(house, 'screenshot')).toMatchObject(offline);
    expect((await shot(house))['state']).toBe('none');
  });

  test('is refused for a simulated screen, which has no device', async () => {
    const house = await createHouse({ commands: ALL, mode: 'test' });
    await api.sql`update screens set simulated = true where handle = ${parseId('screen', house.screen)!}`;
    expect(await send(house, 'reload')).toMatchObject({
      status: 409,
      body: { code: 'screen_offline', detail: 'A simulated screen has no device.' },
    });
  });

  test('is refused by name if the player does not support it', async () => {
    const house = await createHouse({ commands: ['identify'] });
    expect(await send(house, 'screenshot')).toMatchObject({
      status: 409,
      body: { code: 'command_unsupported', detail: expect.stringContaining('screenshot') as string },
    });
  });

  test('gives 404 for a screen of others or an unpaired one; a read-only key is refused', async () => {
    const house = await createHouse({ commands: ALL });
    const other = await createHouse({ commands: ALL });
    expect((await send({ ...house, key: other.key }, 'reload')).status).toBe(404);
    const reader = await createKey(api, house.workspace, { surface: 'screen_manager', access: 'read_only' });
    expect(await send({ ...house, key: reader }, 'reload')).toMatchObject({ body: { code: 'read_only_key' } });
    await api.call('DELETE', `/v1/screens/${house.screen}`, { key: house.key });
    expect((await send(house, 'reload')).status).toBe(404);
    expect(heard).toEqual([]);
  });

  test('is limited to 30 a minute per key', async () => {
    const house = await createHouse({ commands: ALL });
    const limits = { perMinuteMax: 600, perSecondMax: 200 };
    const key = await createKey(api, house.workspace, { surface: 'screen_manager', ...limits });
    const answers: number[] = [];
    // Two clock minutes at most, on a slow machine: one of them is used up.
    while (answers.length < 61 && answers.at(-1) !== 429)
      answers.push((await send({ ...house, key }, 'reload')).status);
    expect(answers.at(-1)).toBe(429);
    expect(answers.length).toBeGreaterThan(30);
    for (let taken = 1; taken < answers.length; taken++) expect((await published()).message.command).toBe('reload');
  });
});

describe('a screenshot', () => {
  test('is the picture that the player sent to the address of the request, with its time of arrival', async () => {
    const house = await createHouse({ commands: ALL });
    const before = api.clock.now();
    const path = await ask(house);
    expect(await send(house, 'screenshot')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect((await put(path, JPEG)).status).toBe(204);
    const read = await shot(house);
    expect(read).toMatchObject({
      state: 'taken',
      fault: null,
      image: `data:image/jpeg;base64,${JPEG.toString('base64')}`,
    });
    const [requestedAt, takenAt] = [Date.parse(read['requested_at']!), Date.parse(read['taken_at']!)];
    expect(requestedAt).toBeGreaterThanOrEqual(before);
    expect(takenAt).toBeGreaterThanOrEqual(requestedAt);
    expect(takenAt).toBeLessThanOrEqual(api.clock.now());
    expect(await put(path, JPEG)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });

  test.each(SCREENSHOT_FAULTS)('has failed by the player with %s, and a second answer is refused', async fault => {
    const house = await createHouse({ commands: ALL });
    const path = await ask(house);
    expect((await put(path, { fault })).status).toBe(204);
    expect(await shot(house)).toMatchObject({ state: 'failed', fault, image: null, taken_at: null });
    expect(await put(path, JPEG)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });

  test('fails with a reason, or without one after 30 seconds; the previous one stays', async () => {
    const house = await createHouse({ commands: ALL });
    await put(await ask(house), JPEG);
    const { image } = await shot(house);
    api.clock.offsetMs += 1_000;
    await put(await ask(house), { fault: 'page' });
    expect(await shot(house)).toMatchObject({ state: 'failed', fault: 'page', image });
    api.clock.offsetMs += 1_000;
    const path = await ask(house);
    api.clock.offsetMs += 30_000;
    expect(await shot(house)).toMatchObject({ state: 'failed', fault: 'no_answer', image });
    expect(await put(path, JPEG)).toMatchObject({ status: 410, body: { code: 'upload_expired' } });
    await connect(house.screen, ALL);
    const next = await ask(house);
    await put(next, Buffer.concat([JPEG, JPEG]));
    expect((await shot(house))['image']).not.toBe(image);
    const [rows] = await api.sql`
      select count(*)::int as count from screenshots where screen_handle = ${parseId('screen', house.screen)!}`;
    expect(rows!['count']).toBe(1);
  });

  test.each([
    ['of another type', 'image/png', JPEG, 415, 'unsupported_media_type'],
    ['that is no WebP', 'image/webp', JPEG, 422, 'upload_rejected'],
    ['without bytes', 'image/jpeg', Buffer.alloc(0), 422, 'upload_rejected'],
    ['above 64 KiB', 'image/jpeg', Buffer.concat([JPEG, Buffer.alloc(64 * 1024)]), 413, 'body_too_large'],
  ])('%s is refused, and the request stays open', async (_name, type, bytes, status, code) => {
    const house = await createHouse({ commands: ALL });
    const path = await ask(house);
    expect(await put(path, bytes, type)).toMatchObject({ status, body: { code } });
    expect(await put(path, { fault: 'bored' })).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(await shot(house)).toMatchObject({ state: 'requested', image: null });
    expect((await put(path, JPEG)).status).toBe(204);
  });

  test('is accepted only at a signed address', async () => {
    const [house, other] = [await createHouse({ commands: ALL }), await createHouse({ commands: ALL })];
    const path = await ask(house);
    expect((await put(path.replace(house.screen, other.screen), JPEG)).status).toBe(404);
    expect((await put(path.replace(/expires=\d/, 'expires=2'), JPEG)).status).toBe(404);
  });

  test('is shown for a day, then deleted by a job, and goes at once with the screen', async () => {
    const [house, unpaired] = [await createHouse({ commands: ALL }), await createHouse({ commands: ALL })];
    for (const one of [house, unpaired]) await put(await ask(one), JPEG);
    await api.call('DELETE', `/v1/screens/${unpaired.screen}`, { key: unpaired.key });
    const left = async (screens: readonly House[]) =>
      (
        await api.sql`select 1 from screenshots where screen_handle = any(${screens.map(({ screen }) =>
          parseId('screen', screen)!,
        )})`
      ).length;
    expect(await left([house, unpaired])).toBe(1);
    await forgetOldScreenshots(api.workers);
    expect(await left([house])).toBe(1);
    api.clock.offsetMs += DAY_MS + 1;
    expect(await shot(house)).toMatchObject({ state: 'none', image: null, taken_at: null });
    await forgetOldScreenshots(api.workers);
    expect(await left([house])).toBe(0);
  });
});
