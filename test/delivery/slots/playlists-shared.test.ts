/**
 * Playlists in memory: like screens share one list, and ten thousand of them get a change in one encoding. The real
 * store, loader and announcements, with sessions of the test instead of sockets.
 */
import { describe, expect, test, vi } from 'vitest';
import { announce } from '../../../delivery/screens/announcements.ts';
import type { Engine } from '../../../delivery/decision/engine.ts';
import { chooseCodec, type Codec, type Frame } from '../../../delivery/protocol/codec.ts';
import { Session } from '../../../delivery/screens/session.ts';
import type { SessionRegistry } from '../../../delivery/screens/session-registry.ts';
import type { ScreenRecord, VenueRecord } from '../../../delivery/snapshot/records.ts';
import type { LoadedItem, PlaylistRecord } from '../../../delivery/snapshot/playlist-loader.ts';
import { type Changes, Store } from '../../../delivery/snapshot/store.ts';
import type { Kind, Handle } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';
import { standIn } from '../../support/stand-in.ts';
import { screenRecord, venueRecord } from '../records.ts';

const PROFILE = 0;
const image = (durationMs: number): LoadedItem => ({
  type: 'image',
  assetId: 'ast_1',
  durationMs,
  url: 'http://files.test/a.png',
});
const playlist = (handle: Handle<'playlist'>, items: LoadedItem[], adRatio?: number): PlaylistRecord => ({
  handle,
  adRatio,
  items,
});
const venue = (own: Handle<'venue'>, changes: Partial<VenueRecord> = {}): VenueRecord =>
  venueRecord({ handle: own, ...changes });
const screen = (own: Handle<'screen'>, changes: Partial<ScreenRecord> = {}): ScreenRecord =>
  screenRecord({ handle: own, adRatio: 0.5, tokenHash: `token ${own}`, playlist: handle('playlist', 7), ...changes });
const byHandle = <K extends Kind, Row extends { handle: Handle<K> }>(rows: readonly Row[]): Map<Row['handle'], Row> =>
  new Map(rows.map(row => [row.handle, row]));
const changes = (parts: {
  playlists?: PlaylistRecord[];
  venues?: VenueRecord[];
  screens?: ScreenRecord[];
}): Changes => ({
  campaigns: new Map(),
  venues: parts.venues ?? [],
  screens: byHandle(parts.screens ?? []),
  playlists: byHandle(parts.playlists ?? []),
});

function storeOf(parts: Parameters<typeof changes>[0]): Store {
  const store = new Store(0);
  store.apply(changes(parts));
  return store;
}

describe('lists', () => {
  test('of equal screens are one object, and stay so while nothing about them changes', () => {
    const store = storeOf({
      playlists: [playlist(handle('playlist', 7), [image(10_000)])],
      venues: [venue(handle('venue', 1)), venue(handle('venue', 2))],
      screens: [
        screen(handle('screen', 1)),
        screen(handle('screen', 2)),
        screen(handle('screen', 3), { venue: handle('venue', 2) }),
      ],
    });
    const listOf = (index: number) => store.settingsOf(index, PROFILE).playlist;
    const before = listOf(0);
    expect([listOf(1) === before, listOf(2) === before]).toEqual([true, true]);
    const effects = store.apply(changes({ playlists: [playlist(handle('playlist', 7), [image(10_000)])] }));
    expect([effects.changedScreens, listOf(0) === before]).toEqual([[], true]);
    expect(
      store.apply(changes({ playlists: [playlist(handle('playlist', 7), [image(11_000)])] })).changedScreens.toSorted(),
    ).toEqual([0, 1, 2]);
    expect(listOf(0)).toEqual([
      { type: 'image', asset_id: 'ast_1', duration_ms: 11_000, url: 'http://files.test/a.png' },
      { type: 'ad_slot', weight: 1, ad_ms: 11_000 },
    ]);
  });

  test('of screens with their own ratios or menus differ if it matters', () => {
    const store = storeOf({
      playlists: [
        playlist(handle('playlist', 7), [image(10_000)]),
        playlist(handle('playlist', 8), [{ type: 'ai_menu', template: 'card', durationMs: 10_000 }], 0.2),
      ],
      venues: [venue(handle('venue', 1), { menuUrl: 'http://menus.test/a' }), venue(handle('venue', 2))],
      screens: [
        screen(handle('screen', 1)),
        screen(handle('screen', 2), { adRatio: 0.2 }),
        screen(handle('screen', 3), { playlist: handle('playlist', 8) }),
        screen(handle('screen', 4), { playlist: handle('playlist', 8), venue: handle('venue', 2) }),
      ],
    });
    const settings = [0, 1, 2, 3].map(index => store.settingsOf(index, PROFILE));
    expect(settings.map(({ ad_ratio: ratio }) => ratio)).toEqual([0.5, 0.2, 0.2, 0.2]);
    // a venue without a menu has no page of it
    expect(settings.map(({ playlist: [first] }) => first!.type)).toEqual(['image', 'image', 'ai_menu', 'ad_slot']);
    expect(settings[1]!.playlist[1]).toMatchObject({ ad_ms: 2_500 });
  });

  test('follow the default of the venue, its playlist and the move to another venue', () => {
    const store = storeOf({
      playlists: [
        playlist(handle('playlist', 7), [image(1_000)], 0.9),
        playlist(handle('playlist', 8), [image(2_000)]),
      ],
      venues: [
        venue(handle('venue', 1), { defaultPlaylist: handle('playlist', 7) }),
        venue(handle('venue', 2), { defaultPlaylist: handle('playlist', 8) }),
      ],
      screens: [screen(handle('screen', 1), { playlist: handle('playlist', 0) })],
    });
    const told = () => [store.settingsOf(0, PROFILE).ad_ratio, store.settingsOf(0, PROFILE).playlist[0]];
    expect(told()).toMatchObject([0.9, { duration_ms: 1_000 }]);
    expect(store.screens.adRatio(0)).toBe(0.9);
    expect(
      store.apply(
        changes({
          screens: [screen(handle('screen', 1), { playlist: handle('playlist', 0), venue: handle('venue', 2) })],
        }),
      ).changedScreens,
    ).toEqual([0]);
    expect(told()).toMatchObject([0.5, { duration_ms: 2_000 }]);
    expect(
      store.apply({ ...changes({}), playlists: new Map([[handle('playlist', 8), undefined]]) }).changedScreens,
    ).toEqual([0]);
    expect(told()).toMatchObject([0.5, { type: 'ad_slot', ad_ms: null }]);
  });
});

test('a change of one playlist is encoded once for ten thousand screens, and sent to each', async () => {
  const SCREENS = 10_000;
  const store = storeOf({
    playlists: [playlist(handle('playlist', 7), [image(10_000)])],
    venues: [venue(handle('venue', 1))],
    screens: Array.from({ length: SCREENS }, (_, index) => screen(handle('screen', index + 1))),
  });
  let encodings = 0;
  const plain = chooseCodec('marquee.v1.json')!;
  const codec: Codec = {
    ...plain,
    encode: message => {
      encodings++;
      return plain.encode(message);
    },
  };
  const heard = new Set<Frame>();
  let frames = 0;
  const sessions = Array.from({ length: SCREENS }, (_, index) => {
    const session = new Session({ codec, address: '', nowMs: 0, messagesPerSecondMax: 10 });
    session.attach({
      send: frame => {
        frames++;
        heard.add(frame);
        return 1;
      },
      cork: write => write(),
      ping: () => undefined,
      end: () => undefined,
    });
    Object.assign(session, {
      screen: index,
      screenHandle: index + 1,
      state: 'open',
      venueHandle: handle('venue', 1),
      settings: store.settingsOf(index, PROFILE),
    });
    return session;
  });
  const registry = standIn<SessionRegistry>({ of: handle => sessions[handle - 1] });
  const engine = standIn<Engine>({ prepare: () => undefined });
  announce(store.apply(changes({ playlists: [playlist(handle('playlist', 7), [image(20_000)])] })), {
    store,
    engine,
    registry,
    nowMs: 0,
  });
  await vi.waitFor(() => expect(frames).toBe(SCREENS), { timeout: 30_000, interval: 5 });
  expect([heard.size, encodings]).toEqual([1, 1]);
  expect(JSON.parse([...heard][0] as string)).toEqual({ t: 'config', playlist: store.settingsOf(0, PROFILE).playlist });
});
