/**
 * Playlists and their bindings to screens and venues: what is refused, what delivery and the audit receive, and which
 * ad ratio holds. Driven by calls to the API in this process on real engines.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';
import {
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type Loose,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { readAs } from '../support/answer.ts';

let api: TestApi;
let house: TestWorkspace;
let key: string;
let otherKey: string;
let venue: string;
let assets: { ready: string; second: string; waiting: string; foreign: string };
let creatives: { video: string; still: string; draft: string; foreign: string; ofBrand: string };

async function insertAsset(workspace: number, status = 'ready'): Promise<string> {
  const [row] = await api.sql<{ handle: Handle<'asset'> }[]>`insert into assets ${api.sql({
    workspace_handle: workspace,
    name: 'Picture',
    filename: 'a.png',
    content_type: 'image/png',
    status,
    sandbox: false,
    upload_expires_at: new Date(),
    created_at: new Date(),
    sha256: randomBytes(32).toString('hex'),
    bytes: 1_000,
  })} returning handle`;
  return formatId('asset', row!.handle);
}

async function insertCreative(
  workspace: number,
  { kind = 'video', status = 'ready', ofVenue = true } = {},
): Promise<string> {
  const [row] = await api.sql<{ handle: Handle<'creative'> }[]>`insert into creatives ${api.sql({
    workspace_handle: workspace,
    name: 'Sponsor',
    orientation: 'landscape',
    kind,
    duration_ms: 8_000,
    filename: 'a.mp4',
    content_type: 'video/mp4',
    status,
    sandbox: false,
    of_venue: ofVenue,
    created_at: new Date(),
  })} returning handle`;
  return formatId('creative', row!.handle);
}

beforeAll(async () => {
  api = await startApi();
  house = await createWorkspace(api, { kind: 'venue' });
  const other = await createWorkspace(api, { kind: 'venue' });
  key = await createKey(api, house, { surface: 'screen_manager' });
  otherKey = await createKey(api, other, { surface: 'screen_manager' });
  venue = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
  assets = {
    ready: await insertAsset(house.handle),
    second: await insertAsset(house.handle),
    waiting: await insertAsset(house.handle, 'awaiting_upload'),
    foreign: await insertAsset(other.handle),
  };
  creatives = {
    video: await insertCreative(house.handle),
    still: await insertCreative(house.handle, { kind: 'still' }),
    draft: await insertCreative(house.handle, { status: 'awaiting_upload' }),
    foreign: await insertCreative(other.handle),
    ofBrand: await insertCreative(house.handle, { ofVenue: false }),
  };
});
afterAll(() => api.close());

const items = () => [
  { type: 'ai_menu', template: 'board', duration_ms: 30_000 },
  { type: 'ad_slot', weight: 2 },
  { type: 'image', asset_id: assets.ready, duration_ms: 8_000 },
  { type: 'creative', creative_id: creatives.video },
  { type: 'creative', creative_id: creatives.still, duration_ms: 6_000 },
  { type: 'ad_slot', weight: 0.5 },
];
const create = (body: object = {}, as = key): Promise<Answer> =>
  api.call('POST', '/v1/playlists', { key: as, body: { name: 'Day', items: items(), ...body } });
const created = async (body: object = {}): Promise<string> => (await create(body)).body['id']!;
const read = async (id: string): Promise<Loose> => (await api.call('GET', `/v1/playlists/${id}`, { key })).body;
const lastAudit = async () =>
  (
    await api.sql<{ number: number; action: string; diff: Record<string, { from: unknown; to: unknown }> }[]>`
  select number, action, diff from audit_entries where workspace_handle = ${house.handle} order by number desc limit 1`
  )[0]!;
const changesSince = async (number: number) =>
  api.sql<
    { entity: string; handle: number }[]
  >`select entity, handle from change_log where number > ${number} order by number`;
const lastChange = async () =>
  (await api.sql<{ number: number }[]>`select coalesce(max(number), 0) as number from change_log`)[0]!.number;

async function pairScreen(): Promise<string> {
  const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
  return (await api.call('POST', '/v1/screens', { key, body: { venue_id: venue, label: 'Bar', code } })).body['id']!;
}

describe('POST /playlists', () => {
  test('creates a playlist of every kind of item, in order, with a change for delivery and an audit entry', async () => {
    const before = await lastChange();
    const answer = await create({ ad_ratio: 0.3 });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^pls_/),
        name: 'Day',
        status: 'active',
        items: items(),
        ad_ratio: 0.3,
        screens: 0,
        venues: 0,
      },
    });
    expect(await read(answer.body['id']!)).toEqual(answer.body);
    expect(await lastAudit()).toMatchObject({
      action: 'playlist.created',
      diff: { name: { from: null, to: 'Day' }, ad_ratio: { to: 0.3 }, items: { to: items() } },
    });
    expect(await changesSince(before)).toEqual([
      { entity: 'playlist', handle: parseId('playlist', answer.body['id']!)! },
    ]);
  });

  test.each<[string, () => object, string, string]>([
    ['no items', () => ({ items: [] }), '/items', 'too_short'],
    ['101 items', () => ({ items: Array.from({ length: 101 }, () => ({ type: 'ad_slot' })) }), '/items', 'too_long'],
    ['an unknown kind', () => ({ items: [{ type: 'video', duration_ms: 1_000 }] }), '/items/0/type', 'not_allowed'],
    [
      'an unknown field of an item',
      () => ({ items: [{ type: 'ad_slot', html: '<b>' }] }),
      '/items/0/html',
      'unknown_field',
    ],
    [
      'a field of another kind',
      () => ({ items: [{ type: 'ad_slot', duration_ms: 1_000 }] }),
      '/items/0/duration_ms',
      'not_allowed',
    ],
    [
      'an unknown template',
      () => ({ items: [{ type: 'ai_menu', template: '{{{x}}}', duration_ms: 1_000 }] }),
      '/items/0/template',
      'unknown_value',
    ],
    [
      'an item that flickers',
      () => ({ items: [{ type: 'ai_menu', template: 'board', duration_ms: 999 }] }),
      '/items/0/duration_ms',
      'out_of_range',
    ],
    [
      'an item of more than an hour',
      () => ({ items: [{ type: 'ai_menu', template: 'board', duration_ms: 3_600_001 }] }),
      '/items/0/duration_ms',
      'out_of_range',
    ],
    ['a weight of nothing', () => ({ items: [{ type: 'ad_slot', weight: 0 }] }), '/items/0/weight', 'out_of_range'],
    ['an ad ratio above 1', () => ({ ad_ratio: 1.01 }), '/ad_ratio', 'out_of_range'],
    [
      'an asset of another workspace',
      () => ({ items: [{ type: 'image', asset_id: assets.foreign, duration_ms: 5_000 }] }),
      '/items/0/asset_id',
      'unknown_asset',
    ],
    [
      'an absent asset',
      () => ({ items: [{ type: 'image', asset_id: formatId('asset', handle('asset', 999_999)), duration_ms: 5_000 }] }),
      '/items/0/asset_id',
      'unknown_asset',
    ],
    [
      'an asset that waits for its file',
      () => ({ items: [{ type: 'image', asset_id: assets.waiting, duration_ms: 5_000 }] }),
      '/items/0/asset_id',
      'not_ready',
    ],
    [
      'a creative of another workspace',
      () => ({ items: [{ type: 'ad_slot' }, { type: 'creative', creative_id: creatives.foreign }] }),
      '/items/1/creative_id',
      'unknown_creative',
    ],
    [
      'a creative that a brand of the workspace made',
      () => ({ items: [{ type: 'creative', creative_id: creatives.ofBrand }] }),
      '/items/0/creative_id',
      'unknown_creative',
    ],
    [
      'a creative that is not ready',
      () => ({ items: [{ type: 'creative', creative_id: creatives.draft }] }),
      '/items/0/creative_id',
      'not_ready',
    ],
    [
      'a video for longer than it lasts',
      () => ({ items: [{ type: 'creative', creative_id: creatives.video, duration_ms: 9_000 }] }),
      '/items/0/duration_ms',
      'out_of_range',
    ],
  ])('with %s is refused, and nothing is written', async (_, change, pointer, code) => {
    const before = await lastChange();
    expect(await create(change())).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: expect.arrayContaining([expect.objectContaining({ pointer, code })]) },
    });
    expect(await lastChange()).toBe(before);
  });

  test('gives the same answer for a file of another workspace as for an unknown one', async () => {
    const refusal = async (asset: string) => ({
      ...readAs<object>((await create({ items: [{ type: 'image', asset_id: asset, duration_ms: 5_000 }] })).body),
      request_id: '',
    });
    expect(await refusal(assets.foreign)).toEqual(await refusal(formatId('asset', handle('asset', 999_999))));
  });
});

describe('GET /playlists', () => {
  let listKey: string;
  beforeEach(async () => {
    listKey = await createKey(api, await createWorkspace(api), { surface: 'screen_manager' });
  });

  test('lists the playlists of the workspace, newest first, page by page', async () => {
    for (const name of ['A', 'B', 'C']) await create({ name, items: [{ type: 'ad_slot' }] }, listKey);
    const first = await api.call('GET', '/v1/playlists?limit=2', { key: listKey });
    expect([dataOf(first).map(found => found['name']), first.body['has_more']]).toEqual([['C', 'B'], true]);
    await create({ name: 'D', items: [{ type: 'ad_slot' }] }, listKey);
    const second = await api.call('GET', `/v1/playlists?limit=2&cursor=${first.body['next_cursor']}`, { key: listKey });
    expect([dataOf(second).map(found => found['name']), second.body['next_cursor']]).toEqual([['A'], null]);
    expect(dataOf(second)[0]!['items']).toEqual([{ type: 'ad_slot', weight: 1 }]);
  });

  test('lists the playlists of a venue: its default and those of its screens', async () => {
    const [standard, own, other] = [
      await created({ name: 'standard' }),
      await created({ name: 'own' }),
      await created({ name: 'other' }),
    ];
    await api.call('PATCH', `/v1/venues/${venue}`, { key, body: { default_playlist_id: standard } });
    await api.call('PATCH', `/v1/screens/${await pairScreen()}`, { key, body: { playlist_id: own } });
    const ids = new Set<unknown>(
      dataOf(await api.call('GET', `/v1/playlists?venue=${venue}`, { key })).map(found => found['id']),
    );
    expect([standard, own, other].map(id => ids.has(id))).toEqual([true, true, false]);
    expect(dataOf(await api.call('GET', '/v1/playlists?venue=nonsense', { key }))).toEqual([]);
  });

  test('lists the playlists that show a creative', async () => {
    const shown = await createReadyCreative(api, listKey);
    const { body } = await create({ name: 'Shows it', items: [{ type: 'creative', creative_id: shown }] }, listKey);
    await create({ name: 'Ads alone', items: [{ type: 'ad_slot' }] }, listKey);
    const found = await api.call('GET', `/v1/playlists?creative=${shown}`, { key: listKey });
    expect(dataOf(found).map(playlist => playlist['id'])).toEqual([body['id']]);
    expect(dataOf(await api.call('GET', '/v1/playlists?creative=nonsense', { key: listKey }))).toEqual([]);
  });

  test('lists archived playlists on request', async () => {
    await create({ name: 'Kept' }, listKey);
    const gone = (await create({ name: 'Gone', items: [{ type: 'ad_slot' }] }, listKey)).body['id']!;
    await api.call('DELETE', `/v1/playlists/${gone}`, { key: listKey });
    expect(dataOf(await api.call('GET', '/v1/playlists?status=archived', { key: listKey }))).toMatchObject([
      { id: gone, status: 'archived' },
    ]);
    expect(dataOf(await api.call('GET', '/v1/playlists', { key: listKey })).map(found => found['id'])).not.toContain(
      gone,
    );
  });
});

describe('GET /playlists/{id}', () => {
  test('counts its screens and the venues that use it as their default', async () => {
    const id = await created();
    await api.call('PATCH', `/v1/screens/${await pairScreen()}`, { key, body: { playlist_id: id } });
    await api.call('PATCH', `/v1/venues/${venue}`, { key, body: { default_playlist_id: id } });
    expect(await read(id)).toMatchObject({ screens: 1, venues: 1 });
    expect(await api.call('GET', `/v1/playlists/${id}`, { key: otherKey })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });

  test('shows a test key only sandbox playlists', async () => {
    const sandbox = await createKey(api, house, { surface: 'screen_manager', mode: 'test' });
    expect((await api.call('GET', `/v1/playlists/${await created()}`, { key: sandbox })).status).toBe(404);
    const own = (await create({ items: [{ type: 'ad_slot' }] }, sandbox)).body['id']!;
    expect((await api.call('GET', `/v1/playlists/${own}`, { key })).status).toBe(404);
    expect(await create({}, sandbox)).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'unknown_asset' }, { code: 'unknown_creative' }, { code: 'unknown_creative' }] },
    });
  });
});

describe('PATCH /playlists/{id}', () => {
  test('reorders items, changes durations, swaps assets and weighs ad slots, and reaches delivery', async () => {
    const id = await created();
    const changed = [
      { type: 'image', asset_id: assets.second, duration_ms: 12_000 },
      { type: 'ad_slot', weight: 7 },
      { type: 'ai_menu', template: 'card', duration_ms: 15_000 },
    ];
    const before = await lastChange();
    expect((await api.call('PATCH', `/v1/playlists/${id}`, { key, body: { items: changed } })).body).toMatchObject({
      name: 'Day',
      items: changed,
    });
    expect((await read(id))['items']).toEqual(changed);
    expect(await changesSince(before)).toEqual([{ entity: 'playlist', handle: parseId('playlist', id)! }]);
    expect(await lastAudit()).toMatchObject({
      action: 'playlist.updated',
      diff: { items: { from: items(), to: changed } },
    });
  });

  test("changes name and ad ratio, where null is the screen's own; an empty change is not written", async () => {
    const id = await created();
    expect(
      (await api.call('PATCH', `/v1/playlists/${id}`, { key, body: { name: 'Night', ad_ratio: 0 } })).body,
    ).toMatchObject({ name: 'Night', ad_ratio: 0, items: items() });
    expect((await api.call('PATCH', `/v1/playlists/${id}`, { key, body: { ad_ratio: null } })).body).toMatchObject({
      name: 'Night',
      ad_ratio: null,
    });
    const [entry, last] = [await lastAudit(), await lastChange()];
    expect(
      (await api.call('PATCH', `/v1/playlists/${id}`, { key, body: { name: 'Night', items: items() } })).status,
    ).toBe(200);
    expect([await lastAudit(), await lastChange()]).toEqual([entry, last]);
  });

  test('refuses items of other workspaces and leaves the playlist unchanged', async () => {
    const id = await created();
    const refused = await api.call('PATCH', `/v1/playlists/${id}`, {
      key,
      body: { name: 'New', items: [{ type: 'image', asset_id: assets.foreign, duration_ms: 5_000 }] },
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/items/0/asset_id', code: 'unknown_asset' }] },
    });
    expect(await read(id)).toMatchObject({ name: 'Day', items: items() });
    expect((await api.call('PATCH', `/v1/playlists/${id}`, { key: otherKey, body: { name: 'Mine' } })).status).toBe(
      404,
    );
    expect((await api.call('PATCH', `/v1/playlists/${id}`, { key, body: {} })).status).toBe(422);
  });
});

describe('a creative that is deleted while a playlist shows it', () => {
  test('stays listed as detached, may be sent again in its playlist, and is refused as a new item', async () => {
    const creative = await insertCreative(house.handle);
    const id = await created({ items: [{ type: 'creative', creative_id: creative }, { type: 'ad_slot' }] });
    expect((await read(id))['items']).toMatchObject([{ creative_id: creative, status: 'ready' }, {}]);
    expect((await api.call('DELETE', `/v1/creatives/${creative}`, { key })).status).toBe(204);
    const shown = (await read(id))['items'];
    expect(shown).toEqual([
      { type: 'creative', creative_id: creative, status: 'detached' },
      { type: 'ad_slot', weight: 1 },
    ]);
    const change = (items: unknown) => api.call('PATCH', `/v1/playlists/${id}`, { key, body: { items } });
    const before = await lastAudit();
    expect(await change(shown)).toMatchObject({ status: 200, body: { items: shown } });
    expect(await lastAudit()).toEqual(before); // the same items are no change
    expect(await change([{ type: 'ad_slot' }, ...readAs<object[]>(shown)])).toMatchObject({ status: 200 });
    expect(await change([{ type: 'ad_slot' }])).toMatchObject({ status: 200 });
    const refused = { status: 422, body: { errors: [{ pointer: '/items/0/creative_id', code: 'unknown_creative' }] } };
    expect(await change(shown)).toMatchObject(refused);
    expect(await create({ items: shown })).toMatchObject(refused);
  });
});

describe('DELETE /playlists/{id}', () => {
  test('archives: its screens are unbound, its venues have no default, and it can no longer change', async () => {
    const id = await created();
    const screen = await pairScreen();
    await api.call('PATCH', `/v1/screens/${screen}`, { key, body: { playlist_id: id } });
    await api.call('PATCH', `/v1/venues/${venue}`, { key, body: { default_playlist_id: id } });
    const before = await lastChange();
    expect((await api.call('DELETE', `/v1/playlists/${id}`, { key })).status).toBe(204);
    expect(await changesSince(before)).toEqual([{ entity: 'playlist', handle: parseId('playlist', id)! }]);
    expect(await lastAudit()).toMatchObject({
      action: 'playlist.archived',
      diff: { status: { from: 'active', to: 'archived' }, screens: { from: 1, to: 0 }, venues: { from: 1, to: 0 } },
    });
    expect((await api.call('GET', `/v1/screens/${screen}`, { key })).body).toMatchObject({ playlist_id: null });
    expect((await api.call('GET', `/v1/venues/${venue}`, { key })).body).toMatchObject({ default_playlist_id: null });
    expect(await read(id)).toMatchObject({ status: 'archived', items: items() });
    expect(await api.call('PATCH', `/v1/playlists/${id}`, { key, body: { name: 'x' } })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect(await api.call('DELETE', `/v1/playlists/${id}`, { key })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect(await api.call('PATCH', `/v1/screens/${screen}`, { key, body: { playlist_id: id } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/playlist_id', code: 'unknown_playlist' }] },
    });
  });

  test('leaves no screen bound to it, even if screens are bound at the same moment', async () => {
    const id = await created();
    const screens = [await pairScreen(), await pairScreen(), await pairScreen()];
    const bind = (screen: string) => api.call('PATCH', `/v1/screens/${screen}`, { key, body: { playlist_id: id } });
    const answers = await Promise.all([
      bind(screens[0]!),
      api.call('DELETE', `/v1/playlists/${id}`, { key }),
      bind(screens[1]!),
      bind(screens[2]!),
    ]);
    expect(answers.map(answer => answer.status).every(status => [200, 204, 422].includes(status))).toBe(true);
    const [row] = await api.sql<
      { n: number }[]
    >`select count(*) as n from screens where playlist_handle = ${parseId('playlist', id)!}`;
    expect(row!.n).toBe(0);
  });
});

describe('a binding', () => {
  test('of a screen is changed and removed, with an audit entry and a change for delivery', async () => {
    const [screen, id] = [await pairScreen(), await created()];
    const before = await lastChange();
    expect((await api.call('PATCH', `/v1/screens/${screen}`, { key, body: { playlist_id: id } })).body).toMatchObject({
      playlist_id: id,
    });
    expect(await changesSince(before)).toEqual([{ entity: 'screen', handle: parseId('screen', screen)! }]);
    expect((await lastAudit()).diff).toEqual({ playlist_id: { from: null, to: id } });
    expect((await api.call('PATCH', `/v1/screens/${screen}`, { key, body: { playlist_id: null } })).body).toMatchObject(
      { playlist_id: null },
    );
  });

  test.each(['nonsense', formatId('playlist', handle('playlist', 999_999))])('to %s is refused', async id => {
    const screen = await pairScreen();
    expect(await api.call('PATCH', `/v1/screens/${screen}`, { key, body: { playlist_id: id } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/playlist_id', code: 'unknown_playlist' }] },
    });
    expect(await api.call('PATCH', `/v1/venues/${venue}`, { key, body: { default_playlist_id: id } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/default_playlist_id', code: 'unknown_playlist' }] },
    });
    expect(await api.call('POST', '/v1/venues', { key, body: { ...VENUE, default_playlist_id: id } })).toMatchObject({
      status: 422,
    });
  });

  test('to a playlist of another workspace is refused', async () => {
    const foreign = (await create({ items: [{ type: 'ad_slot' }] }, otherKey)).body['id']!;
    expect(
      (await api.call('PATCH', `/v1/screens/${await pairScreen()}`, { key, body: { playlist_id: foreign } })).status,
    ).toBe(422);
  });

  test.each([
    ["the screen's own without a playlist", undefined, undefined, 0.4],
    ['that of the default', undefined, 0.1, 0.1],
    ['that of the own playlist', 0.2, 0.1, 0.2],
    ["the screen's own where its playlist has none, whatever the default has", null, 0.1, 0.4],
    ['none at all where the playlist says 0', 0, 0.1, 0],
  ])('gives the ad ratio: %s', async (_, own, standard, ratio) => {
    const place = (
      await api.call('POST', '/v1/venues', {
        key,
        body: {
          ...VENUE,
          ...(standard !== undefined && { default_playlist_id: await created({ ad_ratio: standard }) }),
        },
      })
    ).body['id']!;
    const screen = await pairScreen();
    await api.call('PATCH', `/v1/screens/${screen}`, {
      key,
      body: {
        venue_id: place,
        ad_ratio: 0.4,
        ...(own !== undefined && { playlist_id: await created({ ad_ratio: own }) }),
      },
    });
    expect(await api.sql`select ad_ratio_of(${parseId('screen', screen)!}) as ratio`).toEqual([{ ratio }]);
  });

  test('of a venue is also the default of its new screens', async () => {
    const id = await created();
    const made = await api.call('POST', '/v1/venues', { key, body: { ...VENUE, default_playlist_id: id } });
    expect(made).toMatchObject({ status: 201, body: { default_playlist_id: id } });
    expect((await lastAudit()).diff['default_playlist_id']).toEqual({ from: null, to: id });
  });
});
