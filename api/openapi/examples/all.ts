/**
 * All examples of the OpenAPI document: one brand, its agency, one bar and one campaign. A test checks each against its
 * schema.
 */
import { pairingText } from '#domain/screens/sensor.ts';
import { ACCOUNT_EXAMPLES } from './account.ts';
import { CAMPAIGN_EXAMPLES } from './campaign.ts';
import { idOf, ids, listed, type Examples } from './names.ts';
import { MONEY_EXAMPLES } from './money.ts';
import { OPERATOR_EXAMPLES } from './operator.ts';

const venueFields = {
  name: 'Corner bar',
  type: 'entertainment.bars',
  city: 'Berlin',
  lat: 52.52,
  lng: 13.4,
  timezone: 'Europe/Berlin',
  opening_hours: { fri: [{ start: '18:00', end: '02:00' }], sat: [{ start: '18:00', end: '02:00' }] },
  daily_visitors: 400,
  dwell_minutes: 45,
  blocked_categories: ['alcohol'],
  default_playlist_id: null,
  visibility: { name: true, coordinates: 'exact' },
  photo_asset_id: idOf('asset', 4),
};
const {
  name: _name,
  blocked_categories: _blocked,
  default_playlist_id: _playlist,
  visibility: _visibility,
  photo_asset_id: _photo,
  ...figures
} = venueFields;
const venue = {
  id: ids.venue,
  ...venueFields,
  figures: { in_force: { ...figures, audience_max: 100 }, pending: null, review: null },
  photo_url: 'https://api.example.com/assets/b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c.webp',
  created_at: '2037-09-01T08:00:00.000Z',
};

const creative = {
  id: ids.creative,
  name: 'Autumn spot',
  orientation: 'landscape',
  kind: 'video',
  duration_ms: 10_000,
  synthetic: false,
  filename: 'autumn.mp4',
  content_type: 'video/mp4',
  status: 'awaiting_upload',
  upload_url: `https://api.example.com/uploads/${ids.creative}?expires=2135408400000&signature=Jx0e`,
  expires_at: '2037-09-01T10:00:00.000Z',
  uploaded_at: null,
  progress: null,
  url: null,
  poster_url: null,
  bytes: null,
  rejection: null,
  audio_filename: null,
  audio_content_type: null,
  audio_upload_url: null,
  renditions: [],
  created_at: '2037-09-01T09:00:00.000Z',
};

const asset = {
  id: idOf('asset', 4),
  name: 'Opening hours',
  filename: 'hours.png',
  content_type: 'image/png',
  status: 'awaiting_upload',
  upload_url: `https://api.example.com/uploads/${idOf('asset', 4)}?expires=2135408400000&signature=Jx0e`,
  expires_at: '2037-09-01T10:00:00.000Z',
  uploaded_at: null,
  progress: null,
  url: null,
  poster_url: null,
  bytes: null,
  rejection: null,
  play_url: null,
  created_at: '2037-09-01T09:00:00.000Z',
  archived_at: null,
};

const shownAd = {
  starts_at: '2037-09-04T18:00:15.000Z',
  duration_ms: 10_000,
  campaign_id: ids.campaign,
  creative_id: ids.creative,
  category: 'travel_and_tourism',
};
const reportedAd = { ...shownAd, starts_at: '2037-09-04T17:59:45.200Z', duration_ms: 10_012 };
const screen = {
  id: ids.screen,
  venue_id: ids.venue,
  venue_name: 'Corner bar',
  venue_type: 'entertainment.bars',
  city: 'Berlin',
  label: 'Behind the bar',
  platform: 'tizen',
  status: 'online',
  last_seen_at: '2037-09-01T09:59:58.000Z',
  commands: ['identify', 'reload', 'screenshot'],
  sensor_paired: true,
  sensor: { serial: 'MQ-7F3A-0042', paired_at: '2037-09-01T09:40:00.000Z', attested_at: '2037-09-04T19:12:00.000Z' },
  ad_ratio: 0.5,
  playlist_id: null,
  orientation: 'landscape',
  opening_hours: venueFields.opening_hours,
  blocked_categories: [],
  created_at: '2037-09-01T09:30:00.000Z',
};

const screenshot = {
  state: 'taken',
  requested_at: '2037-09-01T09:59:50.000Z',
  fault: null,
  taken_at: '2037-09-01T09:59:51.000Z',
  image: 'data:image/jpeg;base64,/9j/4AAQ',
};

const playlist = {
  id: idOf('playlist', 2),
  name: 'Day',
  status: 'active',
  items: [
    { type: 'ai_menu', template: 'board', duration_ms: 30_000 },
    { type: 'ad_slot', weight: 2 },
    { type: 'image', asset_id: idOf('asset', 4), duration_ms: 10_000 },
    { type: 'ad_slot', weight: 1 },
  ],
  ad_ratio: null,
  screens: 1,
  venues: 0,
  created_at: '2037-09-01T09:00:00.000Z',
  updated_at: '2037-09-01T09:00:00.000Z',
};

const SHA256 = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';

const menuFields = {
  title: 'Tonight',
  language: 'en',
  sections: [
    {
      name: 'Beer',
      items: [
        { name: 'Pale ale', description: 'Half a litre', price: { amount: 4.8, currency: 'EUR' }, tags: ['vegan'] },
      ],
    },
  ],
};
const menu = {
  venue_id: ids.venue,
  ...menuFields,
  pages: [{ template: 'board', url: 'https://api.example.com/menus/8f1d0c3a5b7e49d2a6c4e0f1b2d3c4e5/board' }],
  updated_at: '2037-09-01T09:00:00.000Z',
};

const CHALLENGE = 'Zk1q'.repeat(10) + 'aW8';
const code = {
  code: '482913',
  expires_at: '2037-09-01T09:31:00.000Z',
  claim_url: 'https://hub.example.com/pair/482913',
};

/** By operation id. */
export const EXAMPLES: Examples = {
  createVenue: { request: venueFields, response: venue },
  readVenue: { response: venue },
  changeVenue: {
    request: { daily_visitors: 450 },
    response: {
      ...venue,
      daily_visitors: 450,
      figures: { ...venue.figures, in_force: { ...venue.figures.in_force, daily_visitors: 450 } },
    },
  },
  listVenues: { response: listed(venue) },
  createPairing: { request: { venue_id: ids.venue }, response: code },
  readPairing: { response: { ...code, claimed: true, screen_id: ids.screen } },
  confirmPairing: {
    request: { platform: 'tizen', player: '1.0.0' },
    response: {
      screen_id: ids.screen,
      device_token: 'dt_0eYb4r',
      socket_url: 'wss://screens.example.com/v1/screens/socket',
    },
  },
  createScreen: { request: { venue_id: ids.venue, label: 'Behind the bar', code: code.code }, response: screen },
  readScreen: { response: screen },
  changeScreen: { request: { ad_ratio: 0.5 }, response: screen },
  listScreens: { response: listed(screen) },
  requestScreenshot: { response: { ...screenshot, state: 'requested' } },
  readScreenshot: { response: screenshot },
  challengeSensor: {
    request: { serial: screen.sensor.serial },
    response: {
      challenge: CHALLENGE,
      text: pairingText({ screenId: ids.screen, serial: screen.sensor.serial, challenge: CHALLENGE }),
      expires_at: '2037-09-01T09:43:00.000Z',
    },
  },
  pairSensor: {
    request: { serial: screen.sensor.serial, challenge: CHALLENGE, signature: 'kN2u'.repeat(21) + 'Bw' },
    response: screen,
  },
  createCreative: {
    request: { name: creative.name, orientation: 'landscape', duration_ms: 10_000, filename: 'autumn.mp4' },
    response: creative,
  },
  readCreative: { response: creative },
  changeCreative: { request: { filename: 'autumn.mp4' }, response: creative },
  createAsset: { request: { name: asset.name, filename: asset.filename }, response: asset },
  readAsset: { response: asset },
  restoreAsset: { response: asset },
  listAssets: { response: listed(asset) },
  createPlaylist: { request: { name: playlist.name, items: playlist.items }, response: playlist },
  readPlaylist: { response: playlist },
  changePlaylist: { request: { items: playlist.items }, response: playlist },
  listPlaylists: { response: listed(playlist) },
  replaceVenueMenu: { request: menuFields, response: menu },
  readVenueMenu: { response: menu },
  readScreensNow: {
    response: { data: [{ screen_id: ids.screen, ad: shownAd, last_ad: shownAd, reported: reportedAd }] },
  },
  listScreenHealth: {
    response: listed({ status: 'online', from: '2037-09-01T09:31:02.000Z', to: null, seconds: 1_740 }),
  },
  listCreatives: { response: listed(creative) },
  uploadFile: { response: { id: ids.creative, status: 'awaiting_upload', sha256: SHA256, bytes: 1_843_200 } },
  uploadAudio: { response: { id: ids.creative, status: 'awaiting_upload', sha256: SHA256, bytes: 160_512 } },
  readOpenapi: { response: { openapi: '3.1.0', info: { title: 'Marquee API', version: '1' } } },
  ...CAMPAIGN_EXAMPLES,
  ...MONEY_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
  ...OPERATOR_EXAMPLES,
};
