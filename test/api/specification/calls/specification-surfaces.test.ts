/**
 * The rows of sections 3 (transitions) and 4 (endpoints) of docs/interface-specification.md that are not about
 * campaigns; row by row in their order. Driven by calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../../../../domain/id.ts';
import { createSealer } from '../../../../runtime/cryptography/sealed.ts';
import { createEgress } from '../../../../runtime/egress/egress.ts';
import { exportNext } from '../../../../workers/exports/export-audit.ts';
import { issueInvoices } from '../../../../workers/invoices/issue-invoices.ts';
import { disableWebhook } from '#sql/webhooks/subscriptions.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  dateFromNow,
  startApi,
  upload,
  VENUE,
  type Loose,
  type TestApi,
  type TestWorkspace,
} from '../../support/app-under-test.ts';
import { addEarnings, giveAccount } from '../../support/earnings.ts';
import { PIXEL } from '../../../support/media.ts';
import { rowsOf } from '../../support/answer.ts';

let api: TestApi;
let brand: TestWorkspace;
let house: TestWorkspace;
let key: string;
let venueKey: string;
let agencyKey: string;
let venue: string;
let creative: string;
let campaign: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 10_000 });
  house = await createWorkspace(api, { kind: 'venue' });
  key = await createKey(api, brand);
  venueKey = await createKey(api, house, { surface: 'screen_manager' });
  agencyKey = await createKey(api, await createWorkspace(api, { kind: 'agency', funds: 1_000 }), { surface: 'agency' });
  venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE })).body['id']!;
  creative = await createReadyCreative(api, key);
  campaign = await createLive([creative], { brand_lift: true });
});
afterAll(() => api.close());

async function createLive(creatives: string[], changes: object = {}): Promise<string> {
  const { body } = await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, creatives, { ...changes }) });
  await api.review();
  return body['id']!;
}
const mint = async (): Promise<Loose> =>
  (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } })).body;
const confirm = (code: string) =>
  api.call('POST', `/v1/pairing/${code}/confirm`, { body: { platform: 'tizen', player: '1' } });
const label = (code: string) =>
  api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label: 'Behind the bar', code } });
async function pairScreen(): Promise<string> {
  const { code } = await mint();
  const { body } = await label(code!);
  await confirm(code!);
  return body['id']!;
}
const post = (url: string, as: string, body: object) => api.call('POST', url, { key: as, body });
const get = async (url: string, as: string): Promise<Loose> => {
  const answer = await api.call('GET', url, { key: as });
  expect(answer.status).toBe(200);
  return answer.body;
};
const remove = (url: string, as: string) => api.call('DELETE', url, { key: as });
const change = (url: string, as: string, body: object) => api.call('PATCH', url, { key: as, body });
const SPOT = { name: 'Spot', orientation: 'portrait', duration_ms: 10_000, filename: 'spot.png' };
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
const eur = (amount: unknown) => ({ amount, currency: 'EUR' });

describe('transitions of other records (section 3)', () => {
  test('a new creative awaits its upload at a signed address, and is ready once it is uploaded and transcoded', async () => {
    const made = await post('/v1/creatives', key, SPOT);
    expect(made).toMatchObject({
      status: 201,
      body: { status: 'awaiting_upload', upload_url: expect.stringContaining('signature='), expires_at: isoTime },
    });
    expect((await upload(api, made.body['upload_url']!, PIXEL, 'image/png')).status).toBe(200);
    await api.render();
    expect((await get(`/v1/creatives/${made.body['id']}`, key))['status']).toBe('ready');
  });

  test('a creative that is deleted is detached, and a live campaign pauses that has no other', async () => {
    const [first, second] = [await createReadyCreative(api, key), await createReadyCreative(api, key)];
    const [alone, both] = [await createLive([first]), await createLive([first, second])];
    expect((await remove(`/v1/creatives/${first}`, key)).status).toBe(204);
    expect([
      (await get(`/v1/campaigns/${alone}`, key))['status'],
      (await get(`/v1/campaigns/${both}`, key))['status'],
    ]).toEqual(['paused', 'live']);
    expect((await api.call('GET', `/v1/creatives/${first}`, { key })).status).toBe(404);
    const waiting = (await post('/v1/creatives', key, SPOT)).body['id'];
    expect((await remove(`/v1/creatives/${waiting}`, key)).status).toBe(204);
  });

  test('a pairing code is claimed once a device confirms it, and then names the screen', async () => {
    const { code } = await mint();
    expect(await get(`/v1/pairing/${code}`, venueKey)).toMatchObject({ claimed: false });
    const { screen_id: screen } = (await confirm(code!)).body;
    expect(await get(`/v1/pairing/${code}`, venueKey)).toMatchObject({ claimed: true, screen_id: screen });
  });

  test('a pairing code is claimed by POST /screens, which pairs the screen', async () => {
    const { code } = await mint();
    const made = await label(code!);
    expect(made.status).toBe(201);
    expect(await get(`/v1/pairing/${code}`, venueKey)).toMatchObject({ claimed: true, screen_id: made.body['id'] });
    expect((await get(`/v1/screens/${made.body['id']}`, venueKey))['status']).toBe('paired_idle');
    expect(dataOf(await api.call('GET', `/v1/audit?entity_id=${made.body['id']}`, { key: venueKey }))).toMatchObject([
      { action: 'screen.paired' },
    ]);
  });

  test('a screen that is deleted is unpaired, and delivery is told', async () => {
    const screen = await pairScreen();
    expect((await remove(`/v1/screens/${screen}`, venueKey)).status).toBe(204);
    expect((await api.call('GET', `/v1/screens/${screen}`, { key: venueKey })).status).toBe(404);
    expect(
      await api.sql`select entity, handle from change_log where transaction_id = (select transaction_id from change_log order by number desc limit 1)`,
    ).toEqual([{ entity: 'screen', handle: parseId('screen', screen) }]);
    expect(
      await api.sql`select type from outbox where entity_type = 'screen' and entity_handle = ${parseId('screen', screen)!} order by handle desc limit 1`,
    ).toEqual([{ type: 'screen.unpaired' }]);
  });

  test('a playlist that is deleted is archived, and its screens fall back to that of the venue', async () => {
    const [daily, fallback] = await Promise.all(
      ['Day', 'Default'].map(
        async name =>
          (await post('/v1/playlists', venueKey, { name, items: [{ type: 'ad_slot', weight: 1 }] })).body['id']!,
      ),
    );
    const screen = await pairScreen();
    await change(`/v1/venues/${venue}`, venueKey, { default_playlist_id: fallback });
    await change(`/v1/screens/${screen}`, venueKey, { playlist_id: daily });
    expect((await remove(`/v1/playlists/${daily}`, venueKey)).status).toBe(204);
    expect((await get(`/v1/playlists/${daily}`, venueKey))['status']).toBe('archived');
    expect((await get(`/v1/screens/${screen}`, venueKey))['playlist_id']).toBeNull(); // none of its own: the venue's
    expect((await get(`/v1/venues/${venue}`, venueKey))['default_playlist_id']).toBe(fallback);
    expect((await change(`/v1/playlists/${daily}`, venueKey, { name: 'x' })).status).toBe(409);
  });

  test('a webhook that was disabled after 24 answers of 4xx in a row is shown as such', async () => {
    const { id } = (
      await post('/v1/webhooks', key, { url: 'https://hooks.example.com/', events: ['campaign.created'] })
    ).body;
    // as the workers do, see test/workers/webhooks.test.ts
    await disableWebhook(api.sql, parseId('webhook', id!)!, { now: new Date(api.clock.now()), clientErrors: 24 });
    expect(await get(`/v1/webhooks/${id}`, key)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'client_errors',
      client_errors: 24,
    });
  });
});

describe('section 4: creatives', () => {
  test('GET /creatives filters by status and orientation', async () => {
    const draft = (await post('/v1/creatives', key, { name: 'Draft', orientation: 'portrait', duration_ms: 10_000 }))
      .body['id'];
    const idsOf = async (query: string) =>
      dataOf(await api.call('GET', `/v1/creatives?limit=100&${query}`, { key })).map(record => record['id']);
    expect(await idsOf('status=draft&orientation=portrait')).toEqual([draft]);
    expect(await idsOf('status=ready&orientation=landscape')).toContain(creative);
    expect(await idsOf('status=draft&orientation=landscape')).toEqual([]);
    expect(await idsOf('status=rejected')).toEqual([]);
  });

  test('POST /creatives answers the creative with the address of its upload, and when that expires', async () => {
    expect((await post('/v1/creatives', key, SPOT)).body).toMatchObject({
      id: expect.stringMatching(/^cre_/),
      ...SPOT,
      status: 'awaiting_upload',
      upload_url: expect.stringMatching(/^http/),
      expires_at: isoTime,
    });
  });

  test('DELETE /creatives/{id} detaches the creative, once', async () => {
    const { id } = (await post('/v1/creatives', key, SPOT)).body;
    expect((await remove(`/v1/creatives/${id}`, key)).status).toBe(204);
    expect((await remove(`/v1/creatives/${id}`, key)).status).toBe(404);
  });
});

describe('section 4: forecasts', () => {
  test('POST /forecasts answers a forecast of a budget, venue types, cities, a schedule and a daypart', async () => {
    const schedule = { starts: dateFromNow(api, 0), ends: dateFromNow(api, 2) };
    const { status, body } = await post('/v1/forecasts', key, {
      budget: eur(100),
      venue_types: ['entertainment'],
      cities: ['Berlin'],
      schedule,
      daypart: { start: '18:00', end: '23:00' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      rate: eur(expect.any(Number)),
      impressions_low: expect.any(Number),
      impressions_high: expect.any(Number),
      scan_rate_est: expect.any(Number),
      screens_eligible: expect.any(Number),
      fill_probability: expect.any(Number),
      pacing: [0, 1, 2].map(day => ({ date: dateFromNow(api, day), impressions_est: expect.any(Number) })),
    });
  });

  test('POST /forecasts answers screens, plays and impressions of areas, venue types, hours and a budget', async () => {
    const { status, body } = await post('/v1/forecasts', key, {
      areas: [{ lat: 52.52, lng: 13.4, radiusKm: 5 }],
      venueTypes: ['entertainment.bars'],
      hours: { days: ['mon', 'sun'], from: '17:00', to: '23:00' },
      budget: 100,
      currency: 'EUR',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      screens: expect.any(Number),
      plays: expect.any(Number),
      impressions: expect.any(Number),
    });
  });
});

describe('section 4: reporting', () => {
  test('GET /reporting/campaigns/{id} reports days or hours, of a daypart, a venue and a city', async () => {
    const [from, to] = [dateFromNow(api, 0), dateFromNow(api, 1)];
    for (const group of ['day', 'hour']) {
      const report = await get(
        `/v1/reporting/campaigns/${campaign}?from=${from}&to=${to}&group=${group}&daypart=evening&venue=${venue}&city=Berlin`,
        key,
      );
      expect(report).toMatchObject({
        campaign_id: campaign,
        totals: { impressions: 0, scans: 0, scan_rate: 0, spend: eur(0) },
      });
      for (const row of rowsOf<object>(report['series']))
        expect(row).toMatchObject({
          bucket: expect.stringMatching(group === 'day' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\dT\d\d:00$/),
          impressions: 0,
          scans: 0,
        });
    }
  });

  test('GET /reporting/scans lists each scan with screen, venue, daypart and creative, page by page', async () => {
    const at = new Date(api.clock.now() - 60_000).toISOString().replace('T', ' ').replace('Z', '');
    await api.clickhouse.insert({
      table: 'scans_raw',
      format: 'JSONEachRow',
      values: ['scan_a', 'scan_b'].map(id => ({
        scan_id: id,
        scanned_at: at,
        slot_at: at,
        campaign_id: campaign,
        creative_id: creative,
        screen_id: 'scr_x',
        venue_id: venue,
        daypart: 'night',
        sandbox: false,
        group_id: 'g1',
      })),
    });
    const first = await get('/v1/reporting/scans?limit=1', key);
    expect(first).toMatchObject({
      data: [{ campaign_id: campaign, screen_id: 'scr_x', venue_id: venue, daypart: 'night', creative_id: creative }],
      has_more: true,
      next_cursor: expect.any(String),
    });
    const second = await get(`/v1/reporting/scans?limit=1&cursor=${first['next_cursor']}`, key);
    expect(second).toMatchObject({ data: [{ campaign_id: campaign }], has_more: false, next_cursor: null });
  });

  test('GET /reporting/brand-lift answers awareness, recall and intent with sample sizes, of campaigns that opted in', async () => {
    const asked = { exposed: { sample: 0 }, control: { sample: 0 }, delta: null };
    expect(await get('/v1/reporting/brand-lift', key)).toMatchObject({
      data: [{ campaign_id: campaign, awareness: asked, recall: asked, intent: asked }],
    });
  });
});

describe('section 4: screens and pairing', () => {
  test("GET /screens filters by venue, status, platform or area, and answers each screen with its venue's type and hours", async () => {
    const screen = await pairScreen();
    const expected = {
      id: screen,
      venue_id: venue,
      label: 'Behind the bar',
      platform: 'tizen',
      status: 'offline',
      last_seen_at: null,
      sensor_paired: false,
      venue_type: 'entertainment.bars',
      opening_hours: null,
    };
    for (const query of [`venue=${venue}`, 'status=offline', 'platform=tizen', 'lat=52.52&lng=13.4&radius_km=1']) {
      expect(dataOf(await api.call('GET', `/v1/screens?limit=100&${query}`, { key: venueKey }))).toContainEqual(
        expect.objectContaining(expected),
      );
    }
    for (const query of ['status=online', 'platform=linux', 'lat=0&lng=0&radius_km=1'])
      expect(dataOf(await api.call('GET', `/v1/screens?${query}`, { key: venueKey }))).toEqual([]);
  });

  test('POST /screens answers the new screen for a pairing code, which is text', async () => {
    const { code } = await mint();
    expect(await label(code!)).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(/^scr_/), venue_id: venue, label: 'Behind the bar' },
    });
    expect(
      (await post('/v1/screens', venueKey, { venue_id: venue, label: 'x', code: Number((await mint())['code']) }))
        .status,
    ).toBe(422);
  });

  test('PATCH /screens/{id} changes label, venue, ad ratio and playlist', async () => {
    const screen = await pairScreen();
    const other = (await post('/v1/venues', venueKey, { ...VENUE, name: 'Next door' })).body['id']!;
    const playlist = (await post('/v1/playlists', venueKey, { name: 'Day', items: [{ type: 'ad_slot', weight: 1 }] }))
      .body['id']!;
    const changes = { label: 'Window', venue_id: other, ad_ratio: 0.25, playlist_id: playlist };
    expect(await change(`/v1/screens/${screen}`, venueKey, changes)).toMatchObject({
      status: 200,
      body: { id: screen, ...changes },
    });
  });

  test('DELETE /screens/{id} unpairs the screen', async () => {
    expect((await remove(`/v1/screens/${await pairScreen()}`, venueKey)).status).toBe(204);
  });

  test('POST /pairing answers a code, when it expires and where it is claimed', async () => {
    const made = await mint();
    expect(made).toEqual({
      code: expect.stringMatching(/^\d{6}$/),
      expires_at: isoTime,
      claim_url: `http://hub.test/pair/${made['code']}`,
    });
  });

  test('GET /pairing/{code} answers whether it is claimed, and then the screen', async () => {
    const { code } = await mint();
    const before = await get(`/v1/pairing/${code}`, venueKey);
    const screen = (await label(code!)).body['id'];
    expect([before['claimed'], before['screen_id'] ?? null, await get(`/v1/pairing/${code}`, venueKey)]).toEqual([
      false,
      null,
      expect.objectContaining({ claimed: true, screen_id: screen }),
    ]);
  });
});

describe('section 4: playlists', () => {
  const items = () => [
    { type: 'ai_menu', template: 'board', duration_ms: 30_000 },
    { type: 'ad_slot', weight: 2 },
  ];
  test('GET /playlists lists those of the workspace or of a venue', async () => {
    const { id } = (await post('/v1/playlists', venueKey, { name: 'Listed', items: items() })).body;
    await change(`/v1/venues/${venue}`, venueKey, { default_playlist_id: id });
    expect(dataOf(await api.call('GET', '/v1/playlists', { key: venueKey }))[0]).toMatchObject({ id, name: 'Listed' });
    expect(
      dataOf(await api.call('GET', `/v1/playlists?venue=${venue}`, { key: venueKey })).map(record => record['id']),
    ).toContain(id);
  });

  test('POST /playlists keeps menus, images and ad slots in their order', async () => {
    const asset = (await post('/v1/assets', venueKey, { name: 'Hours', filename: 'hours.png' })).body;
    await upload(api, asset['upload_url']!, PIXEL, 'image/png');
    await api.render();
    const all = [...items(), { type: 'image', asset_id: asset['id'], duration_ms: 10_000 }];
    expect(await post('/v1/playlists', venueKey, { name: 'All', items: all })).toMatchObject({
      status: 201,
      body: { name: 'All', items: all },
    });
  });

  test('PATCH /playlists/{id} changes the order, durations and weights of its items', async () => {
    const { id } = (await post('/v1/playlists', venueKey, { name: 'Changed', items: items() })).body;
    const next = [
      { type: 'ad_slot', weight: 0.5 },
      { type: 'ai_menu', template: 'board', duration_ms: 10_000 },
    ];
    expect(await change(`/v1/playlists/${id}`, venueKey, { items: next })).toMatchObject({
      status: 200,
      body: { items: next },
    });
  });

  test('DELETE /playlists/{id} archives the playlist', async () => {
    const { id } = (await post('/v1/playlists', venueKey, { name: 'Old', items: items() })).body;
    expect((await remove(`/v1/playlists/${id}`, venueKey)).status).toBe(204);
    expect(
      dataOf(await api.call('GET', '/v1/playlists?status=archived', { key: venueKey })).map(record => record['id']),
    ).toContain(id);
  });
});

describe('section 4: payouts', () => {
  test('GET /payouts and /payouts/{id} answer venues, amounts from gross to net and line items; one of 250 is free, one of 50 is not', async () => {
    await addEarnings(api, { workspace: house.handle, venue: parseId('venue', venue)!, amount: 300 });
    await giveAccount(api, house.handle);
    const small = await post('/v1/payouts', venueKey, { amount: { value: 50, currency: 'EUR' } });
    const large = await post('/v1/payouts', venueKey, { amount: { value: 250, currency: 'EUR' } });
    expect([
      small.body['gross_to_net']!['sending_fee']!['value'],
      large.body['gross_to_net']!['sending_fee']!['value'],
    ]).toEqual([1.5, 0]);
    const [listed] = dataOf(await api.call('GET', '/v1/payouts', { key: venueKey }));
    expect(listed).toMatchObject({
      id: large.body['id'],
      period: new Date(api.clock.now()).toISOString().slice(0, 7),
      status: 'issued',
      amount: { value: 250, currency: 'EUR' },
      paid_at: null,
      venues_count: 1,
      venues: [{ venue_id: venue }],
      gross_to_net: { ad_revenue: {}, earnings: {}, paid_out: {} },
    });
    expect(await get(`/v1/payouts/${listed!['id']}`, venueKey)).toMatchObject({
      line_items: [
        { venue_id: venue, impressions: expect.any(Number), commission_tier: 'sensing', commission_rate: 0.5 },
      ],
    });
  });
});

describe('section 4: sub-accounts, invoices, audit', () => {
  const createClient = () =>
    post('/v1/agency/clients', agencyKey, { name: 'Blue Train', billing_model: 'pass-through', currency: 'EUR' });

  test('GET /agency/clients lists clients with their wallet, spend of the month and discount', async () => {
    const { id } = (await createClient()).body;
    expect(dataOf(await api.call('GET', '/v1/agency/clients', { key: agencyKey }))[0]).toMatchObject({
      id,
      name: 'Blue Train',
      wallet: { balance: eur(0) },
      mtd_spend: eur(0),
      discount_tier: 0,
    });
  });

  test('POST /agency/clients answers the new client', async () => {
    expect(await createClient()).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(/^ws_/), name: 'Blue Train', billing_model: 'pass-through', currency: 'EUR' },
    });
  });

  test('PATCH /agency/clients/{id} changes name, billing model, branding and seats', async () => {
    const { id } = (await createClient()).body;
    const changes = {
      name: 'Red Train',
      billing_model: 'agency-billed',
      branding: { display_name: 'Red' },
      seats: [{ email: 'owner@example.com', role: 'owner' }],
    };
    expect(await change(`/v1/agency/clients/${id}`, agencyKey, changes)).toMatchObject({ status: 200, body: changes });
  });

  test.each(['client', 'region', 'daypart', 'campaign'])(
    'GET /agency/reports answers cost, discount and net cost by %s',
    async group => {
      const report = await get(`/v1/agency/reports?from=2026-03-01&to=2026-03-31&group=${group}`, agencyKey);
      expect(report).toMatchObject({
        totals: { platform_cost: eur(0), discount: eur(0), net_cost: eur(0) },
        [`by_${group}`]: [],
      });
    },
  );

  test('GET /invoices lists the invoices of the workspace that is asked for, with signed links to their PDFs', async () => {
    const { id } = (await createClient()).body;
    const client = parseId('workspace', id!)!;
    const [row] = await api.sql<{ handle: number }[]>`
      insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
      values (${client}, 'Billed', 'food', 'live', false, 'EUR', 1000000, '2026-03-01', '2026-03-31', '{}', 1000, '{}', now()) returning handle`;
    await api.sql`insert into campaign_months (campaign_handle, month, plays, impressions_thousandths, gross_micros, discount_micros) values (${row!.handle}, '2026-03-01', 10, 12345, 5000000, 0)`;
    await api.sql`insert into workspace_months (workspace_handle, sandbox, month, currency, gross_micros, discount_micros) values (${client}, false, '2026-03-01', 'EUR', 5000000, 0)`;
    await issueInvoices({ ...api.workers, now: () => new Date('2026-04-01T00:10:00Z') });
    const own = await api.call('GET', '/v1/invoices', { key: agencyKey, headers: { 'x-workspace-id': id! } });
    expect(dataOf(own)).toMatchObject([
      { period: '2026-03', status: 'issued', pdf_url: expect.stringContaining('signature='), pdf_expires_at: isoTime },
    ]);
    expect(dataOf(await api.call('GET', '/v1/invoices', { key: agencyKey }))).toEqual([]);
  });

  test('GET /audit filters by actor, entity, action and time', async () => {
    const today = dateFromNow(api, 0);
    const list = async (query: string, as = key) => dataOf(await api.call('GET', `/v1/audit?${query}`, { key: as }));
    expect(
      await list(
        `actor=${formatId('user', brand.user)}&entity=campaign&entity_id=${campaign}&action=campaign.created&from=${today}&to=${today}`,
      ),
    ).toMatchObject([
      {
        id: expect.stringMatching(/^aud_/),
        at: isoTime,
        actor: { type: 'user', id: formatId('user', brand.user), email: 'someone@example.com' },
        action: 'campaign.created',
        entity: { type: 'campaign', id: campaign },
        ip: '127.0.0.1',
        diff: { name: { from: null, to: 'Autumn' } },
      },
    ]);
    for (const entity of ['screen', 'payout'])
      for (const entry of await list(`entity=${entity}`, venueKey)) expect(entry['entity']!['type']).toBe(entity);
    expect((await list('entity=screen', venueKey)).length).toBeGreaterThan(0);
    expect(await list(`from=${dateFromNow(api, 2)}`)).toEqual([]);
  });

  test('POST /audit/export answers a job at once, and GET /audit/export/{job_id} its status and in the end a signed link', async () => {
    const asked = await post('/v1/audit/export', key, { destination: { type: 'signed_url' } });
    const id = asked.body['job_id']!;
    expect([asked.status, (await get(`/v1/audit/export/${id}`, key))['status']]).toEqual([202, 'queued']);
    const egress = createEgress({ allowPrivate: true });
    await exportNext({
      sql: api.sql,
      clickhouse: api.clickhouse,
      storage: api.storage,
      sealer: createSealer(Buffer.alloc(32)),
      egress,
      allowPrivate: true,
      now: () => new Date(api.clock.now()),
      signal: new AbortController().signal,
    });
    await egress.close();
    expect(await get(`/v1/audit/export/${id}`, key)).toMatchObject({
      status: 'succeeded',
      rows: expect.any(Number),
      url: expect.stringContaining('signature='),
    });
  });

  test.each(['s3', 'gcs'])('POST /audit/export takes a bucket of %s with its keys', async type => {
    expect(
      await post('/v1/audit/export', key, {
        destination: { type, bucket: 'audit', access_key_id: 'a', secret_access_key: 'b' },
      }),
    ).toMatchObject({ status: 202, body: { job_id: expect.stringMatching(/^exp_/) } });
    expect((await post('/v1/audit/export', key, { destination: { type } })).status).toBe(422);
  });
});

describe('section 4: webhooks', () => {
  test('POST /webhooks answers the webhook with its secret', async () => {
    const body = { url: 'https://hooks.example.com/', events: ['campaign.created', 'creative.ready'] };
    expect(await post('/v1/webhooks', key, body)).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(/^whk_/), ...body, secret: expect.stringMatching(/^whsec_/), status: 'active' },
    });
  });
});
