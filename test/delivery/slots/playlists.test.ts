/**
 * Playlists on their way to screens, over real sockets and two delivery processes on real engines: what a screen's
 * welcome has, and how soon a change reaches it.
 */
import { assignments, jsonb } from '#sql/postgres.ts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatId, type Handle } from '#domain/id.ts';
import { tellChanges } from '#books/change-log.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';

import { type Message, ScreenClient } from '../../support/screen-client.ts';
import {
  addCampaign,
  addScreen,
  change,
  createWorld,
  type DeliveryProcess,
  PUBLIC_URL,
  type ScreenRow,
  type World,
} from '../delivery-under-test.ts';

let world: World;
let processes: [DeliveryProcess, DeliveryProcess];
let venue: Handle<'venue'>;
let screen: ScreenRow;
const PUSH_MS_MAX = 2_000;

beforeAll(async () => {
  world = await createWorld();
  const nodes = await Promise.all([world.start({ DELIVERY_NODE: 'node-1' }), world.start({ DELIVERY_NODE: 'node-2' })]);
  processes = [nodes[0], nodes[1]];
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  const [row] = await world.sql<{ handle: Handle<'venue'> }[]>`
    insert into venues (workspace_handle, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, created_at)
    values (${world.workspace}, 'v', 'entertainment.bars', 'Berlin', 52.5, 13.4, 'Europe/Berlin', 500, 30, now()) returning handle`;
  venue = row!.handle;
  await change(world, 'venue', venue);
  screen = await addScreen(world, { venue_handle: venue, ad_ratio: 0.5 });
});

async function tell<K extends 'playlist' | 'venue' | 'screen' | 'creative'>(
  entity: K,
  handle: Handle<NoInfer<K>>,
): Promise<void> {
  await inUnitOfWork(world.sql, { actor: SYSTEM_ACTOR, now: new Date() }, async unit => unit.changed(entity, handle));
  await tellChanges(world.sql);
}

type Item = {
  type: string;
  template?: string;
  asset_handle?: Handle<'asset'>;
  creative_handle?: Handle<'creative'>;
  duration_ms?: number;
  weight?: number;
  card?: object;
  page_name?: string;
};

async function addPlaylist(items: Item[], adRatio: number | null = null): Promise<Handle<'playlist'>> {
  const [row] = await world.sql<{ handle: Handle<'playlist'> }[]>`
    insert into playlists (workspace_handle, sandbox, name, ad_ratio, created_at, updated_at) values (${world.workspace}, false, 'p', ${adRatio}, now(), now()) returning handle`;
  await setItems(row!.handle, items);
  return row!.handle;
}

async function setItems(playlist: Handle<'playlist'>, items: Item[]): Promise<void> {
  // At once, as the API does: a process that reads meanwhile sees the items before or those after.
  await world.sql.begin(async tx => {
    await tx`delete from playlist_items where playlist_handle = ${playlist}`;
    for (const [position, item] of items.entries())
      await tx`insert into playlist_items ${assignments(tx, { playlist_handle: playlist, position, ...item, ...(item.card && { card: jsonb(tx, item.card) }) })}`;
  });
  await tell('playlist', playlist);
}

async function addAsset(): Promise<{ handle: Handle<'asset'>; id: string; url: string }> {
  const sha256 = randomBytes(32).toString('hex');
  const object = `${randomBytes(32).toString('hex')}.png`;
  const [row] = await world.sql<{ handle: Handle<'asset'> }[]>`insert into assets ${world.sql({
    workspace_handle: world.workspace,
    name: 'a',
    filename: 'a.png',
    content_type: 'image/png',
    status: 'ready',
    sandbox: false,
    upload_expires_at: new Date(),
    created_at: new Date(),
    sha256,
    bytes: 10,
    renditions: jsonb(world.sql, { still_1080p_4m: { object, bytes: 10 } }),
  })} returning handle`;
  return { handle: row!.handle, id: formatId('asset', row!.handle), url: `${PUBLIC_URL}/assets/${object}` };
}

async function bind(playlist: Handle<'playlist'> | null, handle = screen.handle): Promise<void> {
  await world.sql`update screens set playlist_handle = ${playlist} where handle = ${handle}`;
  await tell('screen', handle);
}

const ADS_ALONE = [{ type: 'ad_slot', weight: 1, ad_ms: null }];
const connect = (process: DeliveryProcess = processes[0], token = screen.token, fields: object = {}) =>
  ScreenClient.connect(process.url, token, fields);
/** The next `config`, which must come within 2 s of now. */
async function pushed(client: ScreenClient): Promise<Message> {
  const from = performance.now();
  const message = await client.next('config');
  expect(performance.now() - from).toBeLessThan(PUSH_MS_MAX);
  return message;
}

/**
 * The first playlist of so many items that a screen gets, with its welcome or by a `config` after it: its process may
 * learn of a binding after the screen has connected. A playlist of one ad slot looks like no playlist at all, so what
 * is waited for has two items or more.
 */
async function playlistOf(
  { client, welcome }: { client: ScreenClient; welcome: Message },
  items: number,
): Promise<unknown> {
  let playlist = welcome['playlist'] as object[];
  while (playlist.length !== items) playlist = (await pushed(client))['playlist'] as object[];
  return playlist;
}

describe('a screen', () => {
  test('is welcomed with its playlist: addresses of files and menu pages, and ads at the ratio', async () => {
    const asset = await addAsset();
    const name = randomBytes(16).toString('hex');
    await world.sql`insert into venue_menus (venue_handle, menu, page_name, updated_at) values (${venue}, '{}', ${name}, now())`;
    await tell('venue', venue);
    await bind(
      await addPlaylist([
        { type: 'ai_menu', template: 'board', duration_ms: 20_000 },
        { type: 'ad_slot', weight: 3 },
        { type: 'image', asset_handle: asset.handle, duration_ms: 10_000 },
        { type: 'ad_slot', weight: 1 },
      ]),
    );
    const connection = await connect();
    expect(await playlistOf(connection, 4)).toEqual([
      { type: 'ai_menu', template: 'board', duration_ms: 20_000, url: `${PUBLIC_URL}/menus/${name}/board` },
      { type: 'ad_slot', weight: 3, ad_ms: 22_500 },
      { type: 'image', asset_id: asset.id, duration_ms: 10_000, url: asset.url },
      { type: 'ad_slot', weight: 1, ad_ms: 7_500 },
    ]);
    connection.client.close();
  });

  test('gets a sponsorship card as the address of its page', async () => {
    const name = randomBytes(16).toString('hex');
    await bind(
      await addPlaylist([
        { type: 'sponsorship_card', card: { sponsor: 'Brewery' }, page_name: name, duration_ms: 8_000 },
        { type: 'ad_slot', weight: 1 },
      ]),
    );
    const connection = await connect();
    expect(await playlistOf(connection, 2)).toMatchObject([
      { type: 'sponsorship_card', duration_ms: 8_000, url: `${PUBLIC_URL}/cards/${name}` },
      { type: 'ad_slot' },
    ]);
    connection.client.close();
  });

  test('of each platform gets its files and their labels', async () => {
    const campaign = await addCampaign(world);
    const object = (name: string) => ({ object: `${name.repeat(64)}.mp4`, bytes: 1 });
    await world.sql`update creatives set kind = 'video', status = 'ready', renditions = ${jsonb(world.sql, { h264_high_l42_1080p60_20m: object('a'), h264_high_l40_1080p30_16m: object('b'), h264_main_l40_1080p30_8m: object('c') })} where handle = ${campaign.creative}`;
    const playlist = await addPlaylist([{ type: 'creative', creative_handle: campaign.creative }]);
    await world.sql`update venues set default_playlist_handle = ${playlist} where handle = ${venue}`;
    await tell('venue', venue);
    for (const [platform, name] of [
      ['android_tv', 'a'],
      ['tizen', 'b'],
      ['linux', 'c'],
    ] as const) {
      const connection = await connect(processes[0], screen.token, { platform });
      const item = {
        type: 'creative',
        creative_id: formatId('creative', campaign.creative),
        kind: 'video',
        duration_ms: 6_000,
        url: `${PUBLIC_URL}/assets/${name.repeat(64)}.mp4`,
      };
      expect(await playlistOf(connection, 2)).toEqual([item, { type: 'ad_slot', weight: 1, ad_ms: 6_000 }]);
      connection.client.close();
    }
    const { client } = await connect(processes[0], screen.token, { platform: 'linux' });
    await world.sql`update creatives set synthetic = true where handle = ${campaign.creative}`;
    await tell('creative', campaign.creative);
    expect(await pushed(client)).toMatchObject({ playlist: [{ labels: ['synthetic'] }, { type: 'ad_slot' }] });
    client.close();
  });
});

describe('a change', () => {
  test('of a playlist reaches its screens at every process within 2 s, with only the differences', async () => {
    const asset = await addAsset();
    const image = { type: 'image', asset_handle: asset.handle };
    const playlist = await addPlaylist([
      { ...image, duration_ms: 5_000 },
      { type: 'ad_slot', weight: 1 },
    ]);
    const neighbour = await addScreen(world, { venue_handle: venue, ad_ratio: 0.5, playlist_handle: playlist });
    await bind(playlist);
    const connections = [await connect(), await connect(processes[1], neighbour.token)] as const;
    for (const connection of connections) await playlistOf(connection, 2);
    const [{ client: one }, { client: two }] = connections;
    await setItems(playlist, [
      { ...image, duration_ms: 9_000 },
      { type: 'ad_slot', weight: 1 },
    ]);
    const told = {
      t: 'config',
      playlist: [
        { type: 'image', asset_id: asset.id, duration_ms: 9_000, url: asset.url },
        { type: 'ad_slot', weight: 1, ad_ms: 9_000 },
      ],
    };
    const news = await Promise.all([pushed(one), pushed(two)]);
    expect(news).toEqual([told, told]);
    one.close();
    two.close();
  });

  test("of its ad ratio replaces the screen's ratio, for the player and for the decision", async () => {
    const asset = await addAsset();
    const playlist = await addPlaylist([
      { type: 'image', asset_handle: asset.handle, duration_ms: 5_000 },
      { type: 'ad_slot', weight: 1 },
    ]);
    await bind(playlist);
    const connection = await connect();
    const { client, welcome } = connection;
    expect(welcome['ad_ratio']).toBe(0.5);
    await playlistOf(connection, 2);
    await world.sql`update playlists set ad_ratio = 0 where handle = ${playlist}`;
    await tell('playlist', playlist);
    expect(await pushed(client)).toMatchObject({ ad_ratio: 0 });
    client.send({ t: 'slot', id: 1 });
    expect((await client.next('fill', 1))['slots']).toEqual([{ no_fill: 'ad_ratio' }]);
    await world.sql`update playlists set ad_ratio = null where handle = ${playlist}`;
    await tell('playlist', playlist);
    expect(await pushed(client)).toMatchObject({ ad_ratio: 0.5 });
    client.close();
  });

  test("by archiving falls back from the screen's playlist to the default of the venue, and from that to ads only", async () => {
    const assets = [await addAsset(), await addAsset()] as const;
    const [own, standard] = [
      await addPlaylist([
        { type: 'image', asset_handle: assets[0].handle, duration_ms: 5_000 },
        { type: 'ad_slot', weight: 1 },
      ]),
      await addPlaylist([
        { type: 'image', asset_handle: assets[1].handle, duration_ms: 7_000 },
        { type: 'ad_slot', weight: 1 },
      ]),
    ];
    const { client } = await connect();
    const next = async () => ((await pushed(client))['playlist'] as { asset_id?: string }[])[0]!.asset_id;
    await world.sql`update venues set default_playlist_handle = ${standard} where handle = ${venue}`;
    await tell('venue', venue);
    expect(await next()).toBe(assets[1].id);
    await bind(own);
    expect(await next()).toBe(assets[0].id);
    await world.sql`update playlists set archived_at = now() where handle = ${own}`;
    await tell('playlist', own);
    expect(await next()).toBe(assets[1].id);
    await world.sql`update playlists set archived_at = now() where handle = ${standard}`;
    await tell('playlist', standard);
    expect(await pushed(client)).toEqual({ t: 'config', playlist: ADS_ALONE });
    client.close();
  });

  test('of the menu gives its pages a new address, and a creative that is no longer ready is left out', async () => {
    const campaign = await addCampaign(world);
    await bind(
      await addPlaylist([
        { type: 'ai_menu', template: 'card', duration_ms: 5_000 },
        { type: 'creative', creative_handle: campaign.creative, duration_ms: 6_000 },
        { type: 'ad_slot', weight: 1 },
      ]),
    );
    const connection = await connect();
    const { client } = connection;
    const name = randomBytes(16).toString('hex');
    await world.sql`insert into venue_menus (venue_handle, menu, page_name, updated_at) values (${venue}, '{}', ${name}, now())`;
    await tell('venue', venue);
    expect(await playlistOf(connection, 3)).toMatchObject([
      { type: 'ai_menu', url: `${PUBLIC_URL}/menus/${name}/card` },
      { type: 'creative' },
      { type: 'ad_slot', ad_ms: 11_000 },
    ]);
    await world.sql`update creatives set status = 'detached', detached_at = now() where handle = ${campaign.creative}`;
    await tell('creative', campaign.creative);
    expect((await pushed(client))['playlist']).toMatchObject([{ type: 'ai_menu' }, { type: 'ad_slot', ad_ms: 5_000 }]);
    client.close();
  });
});

test('the end of a pairing reaches the device within 2 s, whichever process it is connected to', async () => {
  const neighbour = await addScreen(world, { venue_handle: venue });
  const clients = [(await connect()).client, (await connect(processes[1], neighbour.token)).client];
  await world.sql`update screens set unpaired_at = now() where handle in (${screen.handle}, ${neighbour.handle})`;
  await inUnitOfWork(world.sql, { actor: SYSTEM_ACTOR, now: new Date() }, async unit => {
    unit.changed('screen', screen.handle);
    unit.changed('screen', neighbour.handle);
  });
  await tellChanges(world.sql);
  const from = performance.now();
  await Promise.all(clients.map(client => client.next('unpaired')));
  expect(performance.now() - from).toBeLessThan(PUSH_MS_MAX);
  expect(await Promise.all(clients.map(client => client.closed()))).toEqual([4001, 4001]);
});

test('history keeps when a screen came and went', async () => {
  const rows = () =>
    world.sql<
      { online: boolean }[]
    >`select online from screen_health where screen_handle = ${screen.handle} order by handle`;
  const { client } = await connect();
  await vi.waitFor(async () => expect(await rows()).toEqual([{ online: true }]), { timeout: 10_000 });
  client.close();
  await vi.waitFor(async () => expect(await rows()).toEqual([{ online: true }, { online: false }]), {
    timeout: 10_000,
  });
});
