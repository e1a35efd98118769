/** Pieces of the store, as an image is written in them beside slots: however large records are, none takes long. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { readHandle } from '#domain/id.ts';
import type { CampaignFacts } from '../../../delivery/decision/facts.ts';
import { sectionsOf } from '../../../delivery/snapshot/image/image-keeper.ts';
import type { LoadedItem, PlaylistRecord } from '../../../delivery/snapshot/playlist-loader.ts';
import { creativeFile } from '../../../delivery/snapshot/records.ts';
import { Store } from '../../../delivery/snapshot/store.ts';

const PUBLIC_URL = 'https://ads.example';
/** JSON of this size is written in one to three milliseconds. */
const SECTION_BYTES_MAX = 256 * 1024;

const objectOf = (name: string) => `${createHash('sha256').update(name).digest('hex')}.mp4`;

/** With as many items as a playlist may have. */
function playlistOf(number: number): PlaylistRecord {
  const urls = VIDEO_PROFILES.map(({ name }) => `${PUBLIC_URL}/assets/${objectOf(name)}`);
  const item: LoadedItem = { type: 'creative', creativeId: 'cre_1', kind: 'video', durationMs: 10_000, urls };
  return { handle: readHandle('playlist', number), adRatio: undefined, items: Array.from({ length: 100 }, () => item) };
}

/** With as many creatives, cities and areas as a campaign may have. */
function campaignOf(number: number): CampaignFacts {
  const handle = readHandle('campaign', number);
  const cities = Array.from({ length: 200 }, (_, city) => `city ${city}`);
  return {
    handle,
    workspace: readHandle('workspace', 1),
    status: 'live',
    sandbox: false,
    category: 'travel',
    budgetMicros: 1_000_000,
    chargedMicros: 0,
    targets: {
      cities,
      citiesFolded: cities,
      venueTypes: [],
      areas: Array.from({ length: 100 }, (_, area) => ({ lat: area / 7, lng: area / 3, radiusKm: 1.25 })),
      orientations: [],
    },
    flight: { startsOn: 20_000, endsOn: 20_100 },
    frequencyPerHourMax: 0,
    creatives: Array.from({ length: 50 }, (_, at) => {
      const creative = readHandle('creative', number * 100 + at);
      const played = { campaign: handle, creative, durationMs: 10_000, kind: 'video' as const, bytes: 1_000_000 };
      const files = VIDEO_PROFILES.map(({ name }) =>
        creativeFile({ ...played, object: objectOf(`${creative} ${name}`) }, PUBLIC_URL),
      );
      return {
        handle: creative,
        orientation: 'landscape',
        durationMs: 10_000,
        weight: 1,
        ready: true,
        credit: 0,
        files,
      };
    }),
  };
}

const numbers = Array.from({ length: 60 }, (_, at) => at + 1);

test('no piece is large where playlists and campaigns are as large as they may be', () => {
  const store = new Store(0);
  store.add({ playlists: numbers.map(playlistOf), campaigns: numbers.map(campaignOf) });
  const sizes = [...sectionsOf(store)].map(({ length }) => length);
  expect(Math.max(...sizes)).toBeLessThan(SECTION_BYTES_MAX);
});

test('each record is in one piece, and what is added meanwhile, or gone before its piece, in none', () => {
  const store = new Store(0);
  store.add({ playlists: numbers.map(playlistOf), campaigns: numbers.map(campaignOf) });
  const found = { campaigns: [] as number[], playlists: [] as number[] };
  let pieces = 0;
  for (const piece of store.pieces()) {
    pieces += 1;
    if (piece.kind === 'campaigns') {
      if (found.campaigns.length === 0)
        store.apply({
          campaigns: new Map([
            [readHandle('campaign', 60), undefined],
            [readHandle('campaign', 61), campaignOf(61)],
          ]),
          venues: [],
          screens: new Map(),
          playlists: new Map(),
        });
      found.campaigns.push(...piece.records.map(({ handle }) => handle));
    }
    if (piece.kind === 'playlists') found.playlists.push(...piece.records.map(({ handle }) => handle));
  }
  expect(found).toEqual({ campaigns: numbers.slice(0, -1), playlists: numbers });
  expect(pieces).toBeGreaterThan(60);
});
