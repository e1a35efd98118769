/** Records of the snapshot as tests of delivery put them into a store: a bar in Berlin with a screen. */
import type { ScreenRecord, VenueRecord } from '../../delivery/snapshot/records.ts';
import { handle } from '../support/handle.ts';

export const venueRecord = (changes: Partial<VenueRecord> = {}): VenueRecord => ({
  handle: handle('venue', 1),
  type: 'entertainment.bars',
  cityFolded: 'berlin',
  lat: 52,
  lng: 13,
  timezone: 'UTC',
  hours: undefined,
  dailyVisitors: 100,
  dwellMinutes: 10,
  audienceMax: 100,
  screensNear: 1,
  blockedCategories: [],
  restrictions: [],
  defaultPlaylist: handle('playlist', 0),
  menuUrl: undefined,
  ...changes,
});

export const screenRecord = (changes: Partial<ScreenRecord> = {}): ScreenRecord => ({
  handle: handle('screen', 1),
  venue: handle('venue', 1),
  orientation: 'landscape',
  adRatio: 1,
  sensor: false,
  sandbox: false,
  blockedCategories: [],
  tokenHash: undefined,
  sensorKey: undefined,
  playlist: handle('playlist', 0),
  ...changes,
});
