import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../domain/id.ts';
import { SCREENS_SEEN_MAX } from '../../domain/venue.ts';
import { createLoader, type Loader } from '../../delivery/snapshot/loader.ts';
import { Store } from '../../delivery/snapshot/store.ts';
import { createLog } from '../../runtime/log.ts';
import { changesSince, currentRevision } from '../../sql/postgres.ts';
import { createKey, createWorkspace, startApi, VENUE, type TestApi, type TestWorkspace } from './app-under-test.ts';

/** What a venue says of itself, and what delivery makes of it. */
const SLOT_MS = 15_000;
/** 400 visitors of 45 minutes in a bar that is always open. */
const BAR_THOUSANDTHS = 12_500;

let api: TestApi;
let loader: Loader;

beforeAll(async () => {
  api = await startApi();
  loader = createLoader({ sql: api.sql, publicUrl: 'http://api.test', log: createLog('delivery', 'error') });
});
afterAll(() => api.close());

type Owner = { workspace: TestWorkspace; key: string; createVenue(changes?: object): Promise<string>; pair(venue: string): Promise<string> };

async function createOwner(workspace?: TestWorkspace, mode: 'live' | 'test' = 'live'): Promise<Owner> {
  workspace ??= await createWorkspace(api, { kind: 'venue' });
  const key = await createKey(api, workspace, { surface: 'screen_manager', mode });
  return {
    workspace,
    key,
    createVenue: async (changes = {}) => (await api.call('POST', '/v1/venues', { key, body: { ...VENUE, ...changes } })).body['id']!,
    async pair(venue) {
      const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
      return (await api.call('POST', '/v1/screens', { key, body: { venue_id: venue, label: 'Wall', code } })).body['id']!;
    },
  };
}

/** Estimated impressions of a play on the screen, in thousandths, as delivery decides with them. */
async function estimateOn(screen: string, loaded: 'all' | 'few' = 'few'): Promise<number> {
  const store = new Store(Date.now());
  const [record] = await loader.loadScreens([parseId('screen', screen)!]);
  const venues = loaded === 'all' ? (await loader.loadAll()).venues : await loader.loadVenues([record!.venue]);
  store.apply({ campaigns: new Map(), venues, screens: new Map([[record!.handle, record]]), playlists: new Map() });
  return store.screens.venueAt(store.screens.screenIndex(record!.handle)!).impressions(SLOT_MS);
}

/** The venues that delivery is told to read again by what `act` does. */
async function venuesTold(act: () => Promise<unknown>): Promise<Set<number>> {
  const before = await currentRevision(api.sql);
  await act();
  return new Set((await changesSince(api.sql, before)).filter(change => change.entity === 'venue').map(change => change.handle));
}

describe('the people of one address', () => {
  test('are counted once, by however many venues and screens its owner says are there', async () => {
    const owner = await createOwner();
    const first = await owner.pair(await owner.createVenue());
    expect(await estimateOn(first)).toBe(BAR_THOUSANDTHS);
    for (let number = 1; number < SCREENS_SEEN_MAX; number++) await owner.pair(await owner.createVenue());
    expect(await estimateOn(first)).toBe(BAR_THOUSANDTHS);
    for (let number = 0; number < SCREENS_SEEN_MAX; number++) await owner.pair(await owner.createVenue());
    expect(await estimateOn(first)).toBe(BAR_THOUSANDTHS / 2);
    expect(await estimateOn(first, 'all')).toBe(BAR_THOUSANDTHS / 2);
  });

  test('are not shared with the screens of other owners, of the sandbox, and of other addresses', async () => {
    const owner = await createOwner();
    const screen = await owner.pair(await owner.createVenue());
    const [neighbour, sandbox] = [await createOwner(), await createOwner(owner.workspace, 'test')];
    const farther = await owner.createVenue({ lat: VENUE.lat + 0.01 });
    const [beside, tried] = [await neighbour.createVenue(), await sandbox.createVenue()];
    for (let number = 0; number <= SCREENS_SEEN_MAX; number++) await Promise.all([neighbour.pair(beside), sandbox.pair(tried), owner.pair(farther)]);
    expect(await estimateOn(screen)).toBe(BAR_THOUSANDTHS);
  });

  test('are told to delivery anew for each venue there when a screen comes, leaves, or moves away', async () => {
    const owner = await createOwner();
    const [here, beside, away] = [await owner.createVenue(), await owner.createVenue(), await owner.createVenue({ lat: VENUE.lat + 0.01 })];
    const screens: string[] = [];
    for (let number = 0; number < SCREENS_SEEN_MAX; number++) screens.push(await owner.pair(here));
    const [last, moving] = [await owner.pair(beside), await owner.pair(beside)];
    const both = [parseId('venue', here)!, parseId('venue', beside)!];
    expect([...await venuesTold(() => owner.pair(beside))]).toEqual(both);
    expect([...await venuesTold(() => api.call('DELETE', `/v1/screens/${last}`, { key: owner.key }))]).toEqual(both);
    expect([...await venuesTold(() => api.call('PATCH', `/v1/screens/${moving}`, { key: owner.key, body: { venue_id: away } }))]).toEqual(both);
    expect([...await venuesTold(() => api.call('PATCH', `/v1/venues/${beside}`, { key: owner.key, body: { lat: VENUE.lat + 0.01 } }))].sort()).toEqual([...both].sort());
    expect(await estimateOn(screens[0]!)).toBe(BAR_THOUSANDTHS);
  });
});

describe('the people before one screen', () => {
  test('are never more than can have it in view, whatever the venue says of itself', async () => {
    const owner = await createOwner();
    const screen = await owner.pair(await owner.createVenue({ daily_visitors: 100_000, dwell_minutes: 1_440 }));
    expect(await estimateOn(screen)).toBeLessThanOrEqual(100_000);
  });
});
