import { formatId, type Handle, type Kind } from '#domain/id.ts';

/** One brand, one bar and one campaign, followed through the interface. Every example is checked against its schema. */
type Example = { request?: unknown; response?: unknown };

const idOf = (kind: Kind, handle: number) => formatId(kind, handle as Handle);
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const ids = { campaign: idOf('campaign', 42), creative: idOf('creative', 7), venue: idOf('venue', 3), screen: idOf('screen', 11) };

const venueFields = {
  name: 'Corner bar', type: 'entertainment.bars', city: 'Berlin', lat: 52.52, lng: 13.4, timezone: 'Europe/Berlin',
  opening_hours: { fri: [{ start: '18:00', end: '02:00' }], sat: [{ start: '18:00', end: '02:00' }] },
  daily_visitors: 400, dwell_minutes: 45, blocked_categories: ['alcohol'], default_playlist_id: null,
};
const venue = { id: ids.venue, ...venueFields, created_at: '2026-09-01T08:00:00.000Z' };

const creative = {
  id: ids.creative, name: 'Autumn spot', orientation: 'landscape', kind: 'video', duration_ms: 10_000, filename: 'autumn.mp4', content_type: 'video/mp4',
  status: 'awaiting_upload', upload_url: `https://api.example.com/uploads/${ids.creative}?expires=1788253200000&signature=Jx0e`, expires_at: '2026-09-01T10:00:00.000Z',
  uploaded_at: null, progress: null, url: null, poster_url: null, bytes: null, rejection: null,
  audio_filename: null, audio_content_type: null, audio_upload_url: null, renditions: [], created_at: '2026-09-01T09:00:00.000Z',
};

const asset = {
  id: idOf('asset', 4), name: 'Opening hours', filename: 'hours.png', content_type: 'image/png',
  status: 'awaiting_upload', upload_url: `https://api.example.com/uploads/${idOf('asset', 4)}?expires=1788253200000&signature=Jx0e`, expires_at: '2026-09-01T10:00:00.000Z',
  uploaded_at: null, progress: null, url: null, poster_url: null, bytes: null, rejection: null, play_url: null, created_at: '2026-09-01T09:00:00.000Z',
};

const screen = {
  id: ids.screen, venue_id: ids.venue, venue_type: 'entertainment.bars', label: 'Behind the bar', platform: 'tizen', status: 'online', last_seen_at: '2026-09-01T09:59:58.000Z',
  sensor_paired: false, ad_ratio: 0.5, playlist_id: null, orientation: 'landscape', opening_hours: venueFields.opening_hours, blocked_categories: [], created_at: '2026-09-01T09:30:00.000Z',
};

const playlist = {
  id: idOf('playlist', 2), name: 'Day', status: 'active',
  items: [{ type: 'ai_menu', template: 'board', duration_ms: 30_000 }, { type: 'ad_slot', weight: 2 }, { type: 'image', asset_id: idOf('asset', 4), duration_ms: 10_000 }, { type: 'ad_slot', weight: 1 }],
  ad_ratio: null, screens: 1, venues: 0, created_at: '2026-09-01T09:00:00.000Z', updated_at: '2026-09-01T09:00:00.000Z',
};

const menuFields = { title: 'Tonight', language: 'en', sections: [{ name: 'Beer', items: [{ name: 'Pale ale', description: 'Half a litre', price: eur(4.8), tags: ['vegan'] }] }] };
const menu = { venue_id: ids.venue, ...menuFields, pages: [{ template: 'board', url: 'https://api.example.com/menus/8f1d0c3a5b7e49d2a6c4e0f1b2d3c4e5/board' }], updated_at: '2026-09-01T09:00:00.000Z' };

const code = { code: '482913', expires_at: '2026-09-01T09:31:00.000Z', claim_url: 'https://hub.example.com/pair/482913' };

const report = {
  campaign_id: ids.campaign,
  totals: { plays: 1_200, impressions: 9_840, scans: 6, scan_rate: 0.00061, spend: eur(50.18), screens: 40 },
  series: [{ bucket: '2026-09-04', plays: 1_200, impressions: 9_840, scans: 6, spend: eur(50.18) }],
  late_plays: 0, as_of: '2026-09-05T07:59:59.000Z', is_final: false, tz: 'Europe/Berlin',
};

const wallet = { balance: eur(900), reserved: eur(100), refund_pending: eur(0), book: 'live' };
const topUp = { id: idOf('top_up', 5), amount: eur(250), status: 'pending', created_at: '2026-09-01T09:00:00.000Z' };

const campaignBody = {
  name: 'Autumn', category: 'travel', budget: eur(100),
  targets: { cities: ['Berlin'], venue_types: ['entertainment'], daypart: { start: '18:00', end: '02:00' }, days: ['fri', 'sat'] },
  creatives: [ids.creative], schedule: { starts: '2026-09-04', ends: '2026-09-26' }, landing_url: 'https://example.com/autumn',
};

/** By operation id. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  createVenue: { request: venueFields, response: venue },
  readVenue: { response: venue },
  changeVenue: { request: { daily_visitors: 450 }, response: { ...venue, daily_visitors: 450 } },
  listVenues: { response: { data: [venue], has_more: false, next_cursor: null } },
  createPairing: { request: { venue_id: ids.venue }, response: code },
  readPairing: { response: { ...code, claimed: true, screen_id: ids.screen } },
  confirmPairing: { request: { platform: 'tizen', player: '1.0.0' }, response: { screen_id: ids.screen, device_token: 'dt_0eYb4r', socket_url: 'wss://screens.example.com/v1/screens/socket' } },
  createScreen: { request: { venue_id: ids.venue, label: 'Behind the bar', code: code.code }, response: screen },
  readScreen: { response: screen },
  changeScreen: { request: { ad_ratio: 0.5 }, response: screen },
  listScreens: { response: { data: [screen], has_more: false, next_cursor: null } },
  createCreative: { request: { name: creative.name, orientation: 'landscape', duration_ms: 10_000, filename: 'autumn.mp4' }, response: creative },
  readCreative: { response: creative },
  changeCreative: { request: { filename: 'autumn.mp4' }, response: creative },
  createAsset: { request: { name: asset.name, filename: asset.filename }, response: asset },
  readAsset: { response: asset },
  listAssets: { response: { data: [asset], has_more: false, next_cursor: null } },
  createPlaylist: { request: { name: playlist.name, items: playlist.items }, response: playlist },
  readPlaylist: { response: playlist },
  changePlaylist: { request: { items: playlist.items }, response: playlist },
  listPlaylists: { response: { data: [playlist], has_more: false, next_cursor: null } },
  replaceVenueMenu: { request: menuFields, response: menu },
  readVenueMenu: { response: menu },
  listScreenHealth: { response: { data: [{ status: 'online', from: '2026-09-01T09:31:02.000Z', to: null, seconds: 1_740 }], has_more: false, next_cursor: null } },
  listCreatives: { response: { data: [creative], has_more: false, next_cursor: null } },
  createCampaign: { request: campaignBody },
  changeCampaign: { request: { status: 'paused' } },
  readCampaignReport: { response: report },
  createWalletTopUp: { request: { amount: eur(250) }, response: { ...wallet, pending_top_ups: [topUp], top_up: topUp } },
  readWallet: { response: { ...wallet, pending_top_ups: [topUp] } },
};
