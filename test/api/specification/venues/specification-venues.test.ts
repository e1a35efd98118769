/**
 * What venues have of their own: creatives and sponsorship cards in their playlists (section 2 of docs/interface-
 * specification.md). Driven by calls to the API in this process on real engines; the pages are read as delivery gives
 * them to screens.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../../../domain/id.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  type TestApi,
  type TestWorkspace,
} from '../../support/app-under-test.ts';

let api: TestApi;
let home: TestWorkspace;
let venueKey: string;
let brandKey: string;

beforeAll(async () => {
  api = await startApi();
  home = await createWorkspace(api, { kind: 'venue', funds: 1_000 });
  venueKey = await createKey(api, home, { surface: 'screen_manager' });
  brandKey = await createKey(api, home); // one workspace may have keys of both sides
});
afterAll(() => api.close());

const playlistOf = (items: object[], as = venueKey) =>
  api.call('POST', '/v1/playlists', { key: as, body: { name: 'Day', items } });
/** The pages that screens learn of. */
const pageNames = async (playlist: string) =>
  (
    await api.sql<{ name: string }[]>`
  select page_name as name from playlist_items where playlist_handle = ${parseId('playlist', playlist)!} and page_name is not null order by position`
  ).map(row => row.name);
const idsOf = async (as: string, query = '') =>
  dataOf(await api.call('GET', `/v1/creatives?limit=100${query}`, { key: as })).map(record => record['id']);

describe("a venue's creatives", () => {
  test('are created, uploaded, checked, listed and found with a key of the venue, and play in its playlists', async () => {
    const id = await createReadyCreative(api, venueKey, 'House spot');
    expect((await api.call('GET', `/v1/creatives/${id}`, { key: venueKey })).body).toMatchObject({
      id,
      name: 'House spot',
      status: 'ready',
      renditions: expect.any(Array),
    });
    expect(await idsOf(venueKey, '&status=ready&orientation=landscape')).toContain(id);
    expect(
      (await api.call('PATCH', `/v1/creatives/${id}`, { key: venueKey, body: { name: 'Renamed' } })).body['name'],
    ).toBe('Renamed');
    expect(await playlistOf([{ type: 'creative', creative_id: id }])).toMatchObject({
      status: 201,
      body: { items: [{ type: 'creative', creative_id: id }] },
    });
    expect((await api.call('DELETE', `/v1/creatives/${id}`, { key: venueKey })).status).toBe(204);
    expect(await idsOf(venueKey)).not.toContain(id);
  });

  test('are not seen by keys of brands, nor theirs by venues, also in one workspace', async () => {
    const [ours, theirs] = [await createReadyCreative(api, venueKey), await createReadyCreative(api, brandKey)];
    expect([await idsOf(venueKey), await idsOf(brandKey)]).toEqual([
      expect.arrayContaining([ours]),
      expect.arrayContaining([theirs]),
    ]);
    for (const [as, id] of [
      [venueKey, theirs],
      [brandKey, ours],
    ] as const) {
      expect(await idsOf(as)).not.toContain(id);
      for (const [method, body] of [
        ['GET', undefined],
        ['PATCH', { name: 'X' }],
        ['DELETE', undefined],
      ] as const) {
        expect((await api.call(method, `/v1/creatives/${id}`, { key: as, ...(body && { body }) })).status).toBe(404);
      }
    }
    const other = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    expect((await api.call('GET', `/v1/creatives/${ours}`, { key: other })).status).toBe(404);
  });

  test('are of no campaign', async () => {
    const id = await createReadyCreative(api, venueKey);
    expect(await api.call('POST', '/v1/campaigns', { key: brandKey, body: campaignBody(api, [id]) })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/creatives/0', code: 'unknown_creative' }] },
    });
  });
});

describe('a sponsorship card', () => {
  const card = (changes: object = {}) => ({
    type: 'sponsorship_card',
    sponsor: 'Brewery & Sons',
    message: 'They keep the lights on.',
    duration_ms: 8_000,
    ...changes,
  });

  test('is an item of a playlist, and a page without scripts for its screens', async () => {
    const { status, body } = await playlistOf([
      card(),
      { type: 'ad_slot', weight: 1 },
      card({ message: undefined, sponsor: '<b>Bold</b>' }),
    ]);
    expect([status, body['items']]).toEqual([
      201,
      [
        card(),
        { type: 'ad_slot', weight: 1 },
        { type: 'sponsorship_card', sponsor: '<b>Bold</b>', duration_ms: 8_000 },
      ],
    ]);
    const pages = await Promise.all((await pageNames(body['id']!)).map(name => api.call('GET', `/cards/${name}`)));
    expect(pages.map(page => page.status)).toEqual([200, 200]);
    expect(pages[0]!.raw.toString()).toContain('<h1 dir="auto">Brewery &amp; Sons</h1>');
    expect(pages[0]!.raw.toString()).toContain('They keep the lights on.');
    expect(pages[1]!.raw.toString()).not.toContain('<b>');
    expect(pages[0]!.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect((await api.call('GET', `/cards/${'0'.repeat(32)}`)).status).toBe(404);
  });

  test('keeps its page while other things of the playlist change', async () => {
    const { body } = await playlistOf([card()]);
    const names = await pageNames(body['id']!);
    const renamed = await api.call('PATCH', `/v1/playlists/${body['id']}`, {
      key: venueKey,
      body: { name: 'Night', items: [card()] },
    });
    expect([renamed.body['items'], await pageNames(body['id']!)]).toEqual([body['items'], names]);
    await api.call('PATCH', `/v1/playlists/${body['id']}`, {
      key: venueKey,
      body: { items: [card({ sponsor: 'Bakery' })] },
    });
    expect(await pageNames(body['id']!)).not.toEqual(names);
  });

  test.each([
    ['no sponsor', { sponsor: undefined }, '/items/0/sponsor', 'required'],
    ['no duration', { duration_ms: undefined }, '/items/0/duration_ms', 'required'],
    ['a weight', { weight: 1 }, '/items/0/weight', 'not_allowed'],
    ['a sponsor of 81 letters', { sponsor: 'x'.repeat(81) }, '/items/0/sponsor', 'too_long'],
  ])('with %s is refused', async (_name, changes, pointer, code) => {
    expect(await playlistOf([card(changes)])).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
  });
});
