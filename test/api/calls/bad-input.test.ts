/**
 * Bad input is refused with a status, a code and the field that is wrong, and nothing of it is written. A record of
 * another workspace or book is answered exactly like one that does not exist, on every route with an id. Driven by
 * calls to the API in this process on real engines.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, type Handle } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  VENUE,
  type Answer,
  type TestApi,
} from '../support/app-under-test.ts';
import { errorsOf, readAs, rowsOf } from '../support/answer.ts';

let api: TestApi;
const keys = { ads: '', venues: '', otherAds: '', otherVenues: '', operatorTest: '', otherAgency: '', otherPlay: '' };
const ids = {
  venue: '',
  screen: '',
  creative: '',
  campaign: '',
  code: '',
  otherVenue: '',
  otherCreative: '',
  key: '',
  playlist: '',
  payout: '',
  invoice: '',
  client: '',
  webhook: '',
  asset: '',
  member: '',
  invitation: '',
  session: '',
  sharedReport: '',
  simulated: '',
  topUp: '',
};

async function pairScreen(key: string, venueId: string): Promise<string> {
  const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venueId } })).body;
  return (await api.call('POST', '/v1/screens', { key, body: { venue_id: venueId, label: 'Screen', code } })).body[
    'id'
  ]!;
}

/** A payout, an invoice and a client, each of somebody. */
async function addMoneyRecords(): Promise<void> {
  const agency = await createWorkspace(api, { kind: 'agency' });
  ids.client = (
    await api.call('POST', '/v1/agency/clients', {
      key: await createKey(api, agency, { surface: 'agency' }),
      body: { name: 'Client', billing_model: 'pass-through', currency: 'EUR' },
    })
  ).body['id']!;
  // The operator has no other workspace: what its test key does not see is the live book.
  keys.operatorTest = await createKey(api, await createWorkspace(api, { kind: 'operator' }), {
    surface: 'operator',
    mode: 'test',
  });
  keys.otherAgency = await createKey(api, await createWorkspace(api, { kind: 'agency', funds: 10 }), {
    surface: 'agency',
  });
  const [payout] = await api.sql<{ handle: Handle<'payout'> }[]>`
    insert into payouts (workspace_handle, currency, status, amount_micros, fee_micros, issued_at) values (${agency.handle}, 'EUR', 'issued', 1000000, 0, now()) returning handle`;
  const [invoice] = await api.sql<{ handle: Handle<'invoice'> }[]>`
    insert into invoices (workspace_handle, year, sequence, month, currency, is_consolidated, status, gross_micros, discount_micros, total_micros, parties, issued_at)
    values (${agency.handle}, 2026, 1, '2026-01-01', 'EUR', false, 'issued', 0, 0, 0, '{}', now()) returning handle`;
  ids.payout = formatId('payout', payout!.handle);
  ids.invoice = formatId('invoice', invoice!.handle);
}

beforeAll(async () => {
  api = await startApi();
  const [brand, house, otherBrand, otherHouse] = [
    await createWorkspace(api, { funds: 1_000 }),
    await createWorkspace(api),
    await createWorkspace(api, { funds: 1_000 }),
    await createWorkspace(api),
  ];
  keys.ads = await createKey(api, brand);
  keys.venues = await createKey(api, house, { surface: 'screen_manager' });
  keys.otherAds = await createKey(api, otherBrand);
  keys.otherVenues = await createKey(api, otherHouse, { surface: 'screen_manager' });
  ids.venue = (await api.call('POST', '/v1/venues', { key: keys.venues, body: VENUE })).body['id']!;
  ids.otherVenue = (await api.call('POST', '/v1/venues', { key: keys.otherVenues, body: VENUE })).body['id']!;
  ids.screen = await pairScreen(keys.venues, ids.venue);
  ids.creative = await createReadyCreative(api, keys.ads);
  ids.otherCreative = await createReadyCreative(api, keys.otherAds);
  ids.campaign = (
    await api.call('POST', '/v1/campaigns', { key: keys.ads, body: campaignBody(api, [ids.creative]) })
  ).body['id']!;
  ids.key = (await api.call('POST', '/v1/keys', { key: keys.ads, body: {} })).body['id']!;
  ids.webhook = (
    await api.call('POST', '/v1/webhooks', {
      key: keys.ads,
      body: { url: 'https://hooks.example.com/', events: ['campaign.created'] },
    })
  ).body['id']!;
  ids.asset = (
    await api.call('POST', '/v1/assets', { key: keys.ads, body: { name: 'Picture', filename: 'a.png' } })
  ).body['id']!;
  ids.playlist = (
    await api.call('POST', '/v1/playlists', { key: keys.venues, body: { name: 'Day', items: [{ type: 'ad_slot' }] } })
  ).body['id']!;
  ids.member = formatId('user', brand.user);
  keys.otherPlay = await createKey(api, otherBrand, { mode: 'test' });
  const place = (({ name: _name, ...rest }) => rest)(VENUE);
  ids.simulated = rowsOf<{ id: string }>(
    (
      await api.call('POST', '/v1/sandbox/screens', {
        key: await createKey(api, brand, { mode: 'test' }),
        body: { count: 1, venue: place },
      })
    ).body['data'],
  )[0]!.id;
  ids.invitation = (
    await api.call('POST', '/v1/invitations', { key: keys.ads, body: { email: 'new@example.com', role: 'viewer' } })
  ).body['id']!;
  const [session] = await api.sql<{ handle: Handle<'session'> }[]>`
    insert into sessions (person_handle, hash, device, created_at, last_used_at, ends_at)
    select person_handle, sha256('token'), '', now(), now(), now() + interval '1 day' from users where handle = ${brand.user} returning handle`;
  ids.session = formatId('session', session!.handle);
  ids.sharedReport = (
    await api.call('POST', `/v1/campaigns/${ids.campaign}/shared-reports`, { key: keys.ads, body: {} })
  ).body['id']!;
  await addMoneyRecords();
  ids.topUp = (
    await api.call('POST', '/v1/wallet/top-ups', { key: keys.ads, body: { amount: { amount: 5, currency: 'EUR' } } })
  ).body['top_up']!['id']!;
  ids.code = (await api.call('POST', '/v1/pairing', { key: keys.venues, body: { venue_id: ids.venue } })).body['code']!;
});
afterAll(() => api.close());

type Fault = [name: string, change: Record<string, unknown>, pointer: string, code?: string];

type Target = { method: string; url: string; key?: string; body: Record<string, unknown> };

/** Sends the good body with one change; an `undefined` takes the field away. */
function send({ method, url, key, body }: Target, [, change]: Fault): Promise<Answer> {
  return api.call(method, url, { ...(key !== undefined && { key }), body: { ...body, ...change } });
}

/** The answer that names the fault. */
function refusalOf([, , pointer, code]: Fault): unknown {
  const fault: unknown = expect.objectContaining({
    pointer,
    ...(code !== undefined && { code }),
    detail: expect.any(String),
  });
  return expect.objectContaining({
    status: 422,
    body: expect.objectContaining({
      status: 422,
      code: 'validation_failed',
      type: 'urn:marquee:problem:validation_failed',
      request_id: expect.any(String),
      errors: expect.arrayContaining([fault]),
    }),
  });
}

const long = 'x'.repeat(3_000);
const nested = JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`) as unknown;

describe('POST /v1/venues', () => {
  test.each<Fault>([
    ['no name', { name: undefined }, '/name', 'required'],
    ['a number as name', { name: 1 }, '/name', 'wrong_type'],
    ['an empty name', { name: '' }, '/name', 'too_short'],
    ['spaces as name', { name: '   ' }, '/name', 'bad_format'],
    ['a long name', { name: long }, '/name', 'too_long'],
    ['NUL in the name', { name: 'a\0b' }, '/name', 'bad_format'],
    ['an unknown type', { type: 'moon_base' }, '/type', 'unknown_value'],
    ['a latitude as text', { lat: '52' }, '/lat', 'wrong_type'],
    ['a latitude beyond the pole', { lat: 91 }, '/lat', 'out_of_range'],
    ['a longitude out of range', { lng: -181 }, '/lng', 'out_of_range'],
    ['an unknown zone', { timezone: 'Mars/Olympus' }, '/timezone', 'unknown_value'],
    ['a zone that Intl alone knows', { timezone: 'PST' }, '/timezone', 'unknown_value'],
    ['a zone that Postgres alone knows', { timezone: 'posix/Europe/Berlin' }, '/timezone', 'unknown_value'],
    ['an escape sequence in the name', { name: '\u001b[2Jbar' }, '/name', 'bad_format'],
    ['a city of two lines', { city: 'Berlin\nParis' }, '/city', 'bad_format'],
    ['a name with a separator of lines', { name: 'bar\u2028two' }, '/name', 'bad_format'],
    ['visitors below zero', { daily_visitors: -1 }, '/daily_visitors', 'out_of_range'],
    ['half a visitor', { daily_visitors: 1.5 }, '/daily_visitors', 'wrong_type'],
    ['no dwell', { dwell_minutes: 0 }, '/dwell_minutes', 'out_of_range'],
    ['hours as text', { opening_hours: 'always' }, '/opening_hours', 'wrong_type'],
    ['hours of an unknown day', { opening_hours: { someday: [] } }, '/opening_hours/someday', 'unknown_field'],
    [
      'hours with a bad time',
      { opening_hours: { mon: [{ start: '25:00', end: '26:00' }] } },
      '/opening_hours/mon/0',
      'bad_range',
    ],
    ['hours nested beyond reason', { opening_hours: nested }, '/opening_hours/0/0/0/0/0/0/0/0/0/0/0', 'too_deep'],
    ['an unknown category', { blocked_categories: ['nothing'] }, '/blocked_categories/0', 'unknown_value'],
    ['a category that is none', { blocked_categories: [7] }, '/blocked_categories/0', 'wrong_type'],
    [
      'a list beyond reason',
      { blocked_categories: Array.from({ length: 2_000 }, () => 'alcohol') },
      '/blocked_categories',
      'too_long',
    ],
    ['an unknown field', { 'a/b~c': 1 }, '/a~1b~0c', 'unknown_field'],
    ['a field of the row', { workspace_handle: 1 }, '/workspace_handle', 'unknown_field'],
  ])('%s is refused', async (...fault) => {
    expect(await send({ method: 'POST', url: '/v1/venues', key: keys.venues, body: VENUE }, fault)).toEqual(
      refusalOf(fault),
    );
  });
});

describe('PATCH /v1/venues/{id}', () => {
  test.each<Fault>([
    ['nothing', {}, '', 'too_short'],
    ['an empty city', { city: '' }, '/city', 'too_short'],
    ['null as name', { name: null }, '/name', 'wrong_type'],
    ['an id', { id: 'ven_x' }, '/id', 'unknown_field'],
  ])('%s is refused', async (...fault) => {
    expect(await send({ method: 'PATCH', url: `/v1/venues/${ids.venue}`, key: keys.venues, body: {} }, fault)).toEqual(
      refusalOf(fault),
    );
  });
});

describe('pairing and screens', () => {
  test.each<Fault>([
    ['no venue', { venue_id: undefined }, '/venue_id', 'required'],
    ['a number as venue', { venue_id: 5 }, '/venue_id', 'wrong_type'],
    ['a venue that is none', { venue_id: 'ven_0' }, '/venue_id', 'unknown_venue'],
    ['an absent venue', { venue_id: formatId('venue', handle('venue', 999_999)) }, '/venue_id', 'unknown_venue'],
    ['an absent screen', { screen_id: formatId('screen', handle('screen', 999_999)) }, '/screen_id', 'unknown_screen'],
    ['an unknown field', { code: '123456' }, '/code', 'unknown_field'],
  ])('POST /v1/pairing with %s is refused', async (...fault) => {
    expect(
      await send({ method: 'POST', url: '/v1/pairing', key: keys.venues, body: { venue_id: ids.venue } }, fault),
    ).toEqual(refusalOf(fault));
  });

  test('a venue of another workspace is answered like one that does not exist', async () => {
    const bodyOf = async (venueId: string) =>
      (await api.call('POST', '/v1/pairing', { key: keys.venues, body: { venue_id: venueId } })).body;
    const { request_id: _one, ...foreign } = readAs<Record<string, unknown>>(await bodyOf(ids.otherVenue));
    const { request_id: _two, ...absent } = readAs<Record<string, unknown>>(
      await bodyOf(formatId('venue', handle('venue', 999_999))),
    );
    expect(foreign).toEqual(absent);
  });

  test.each<Fault>([
    ['no platform', { platform: undefined }, '/platform', 'required'],
    ['an unknown platform', { platform: 'toaster' }, '/platform', 'not_allowed'],
    ['no player', { player: undefined }, '/player', 'required'],
    ['a long player', { player: long }, '/player', 'too_long'],
    ['an unknown field', { token: 'x' }, '/token', 'unknown_field'],
  ])('the confirmation with %s is refused', async (...fault) => {
    expect(
      await send(
        { method: 'POST', url: `/v1/pairing/${ids.code}/confirm`, body: { platform: 'linux', player: '1' } },
        fault,
      ),
    ).toEqual(refusalOf(fault));
  });

  test.each<Fault>([
    ['no label', { label: undefined }, '/label', 'required'],
    ['a label of spaces', { label: ' ' }, '/label', 'bad_format'],
    ['a long label', { label: long }, '/label', 'too_long'],
    ['a code as number', { code: 123_456 }, '/code', 'wrong_type'],
    ['a short code', { code: '12345' }, '/code', 'bad_format'],
    ['a code that nobody minted', { code: '000000' }, '/code', 'unknown_code'],
    ['a venue that is none', { venue_id: 'x' }, '/venue_id', 'unknown_venue'],
    ['an unknown field', { sandbox: true }, '/sandbox', 'unknown_field'],
  ])('POST /v1/screens with %s is refused', async (...fault) => {
    expect(
      await send(
        {
          method: 'POST',
          url: '/v1/screens',
          key: keys.venues,
          body: { venue_id: ids.venue, label: 'Bar', code: ids.code },
        },
        fault,
      ),
    ).toEqual(refusalOf(fault));
  });

  test.each<Fault>([
    ['nothing', {}, '', 'too_short'],
    ['a ratio above 1', { ad_ratio: 1.01 }, '/ad_ratio', 'out_of_range'],
    ['a ratio as text', { ad_ratio: '0.5' }, '/ad_ratio', 'wrong_type'],
    ['an unknown orientation', { orientation: 'round' }, '/orientation', 'not_allowed'],
    ['a sensor as number', { sensor_paired: 1 }, '/sensor_paired', 'wrong_type'],
    ['an unknown category', { blocked_categories: ['x'] }, '/blocked_categories/0', 'unknown_value'],
    ['an absent venue', { venue_id: formatId('venue', handle('venue', 999_999)) }, '/venue_id', 'unknown_venue'],
    ['a platform', { platform: 'linux' }, '/platform', 'unknown_field'],
  ])('PATCH /v1/screens/{id} with %s is refused', async (...fault) => {
    expect(
      await send({ method: 'PATCH', url: `/v1/screens/${ids.screen}`, key: keys.venues, body: {} }, fault),
    ).toEqual(refusalOf(fault));
  });
});

describe('POST /v1/creatives', () => {
  test.each<Fault>([
    ['no name', { name: undefined }, '/name', 'required'],
    ['an unknown orientation', { orientation: 'square' }, '/orientation', 'not_allowed'],
    ['a duration as text', { duration_ms: '9000' }, '/duration_ms', 'wrong_type'],
    ['a short video', { duration_ms: 5_999 }, '/duration_ms', 'out_of_range'],
    ['a long video', { duration_ms: 20_001 }, '/duration_ms', 'out_of_range'],
    ['a still of 16 s', { duration_ms: 16_000, filename: 'a.png' }, '/duration_ms', 'out_of_range'],
    ['a text as synthetic', { synthetic: 'yes' }, '/synthetic', 'wrong_type'],
    ['a sound with a video', { audio_filename: 'a.mp3' }, '/audio_filename', 'not_allowed'],
    ['a sound that is none', { filename: 'a.png', audio_filename: 'a.mid' }, '/audio_filename', 'unknown_extension'],
    ['an unknown extension', { filename: 'virus.exe' }, '/filename', 'unknown_extension'],
    ['a path as filename', { filename: '../a.mp4' }, '/filename', 'bad_filename'],
    ['a status', { status: 'ready' }, '/status', 'unknown_field'],
  ])('%s is refused', async (...fault) => {
    expect(
      await send(
        {
          method: 'POST',
          url: '/v1/creatives',
          key: keys.ads,
          body: { name: 'A', orientation: 'portrait', duration_ms: 9_000, filename: 'a.mp4' },
        },
        fault,
      ),
    ).toEqual(refusalOf(fault));
  });
});

describe('POST /v1/campaigns', () => {
  test.each<Fault>([
    ['no name', { name: undefined }, '/name', 'required'],
    ['a long name', { name: long }, '/name', 'too_long'],
    ['an unknown category', { category: 'sorcery' }, '/category', 'unknown_value'],
    ['a budget as number', { budget: 5 }, '/budget', 'wrong_type'],
    ['a budget without currency', { budget: { amount: 5 } }, '/budget/currency', 'required'],
    ['a budget of zero', { budget: { amount: 0, currency: 'EUR' } }, '/budget/amount', 'out_of_range'],
    ['a budget below zero', { budget: { amount: -1, currency: 'EUR' } }, '/budget/amount', 'out_of_range'],
    ['a budget beyond reason', { budget: { amount: 1e12, currency: 'EUR' } }, '/budget/amount', 'out_of_range'],
    ['a third decimal', { budget: { amount: 1.001, currency: 'EUR' } }, '/budget/amount', 'too_many_decimals'],
    ['an unknown currency', { budget: { amount: 1, currency: 'XXX' } }, '/budget/currency', 'unknown_currency'],
    [
      "a currency that is not the workspace's",
      { budget: { amount: 1, currency: 'USD' } },
      '/budget/currency',
      'wrong_currency',
    ],
    ['no creatives', { creatives: [] }, '/creatives', 'too_short'],
    ['too many creatives', { creatives: Array.from({ length: 51 }, () => 'cre_x') }, '/creatives', 'too_long'],
    ['a creative that is none', { creatives: ['cre_x'] }, '/creatives/0', 'unknown_creative'],
    [
      'an absent creative',
      { creatives: [formatId('creative', handle('creative', 999_999))] },
      '/creatives/0',
      'unknown_creative',
    ],
    ['no schedule', { schedule: undefined }, '/schedule', 'required'],
    ['a day that is none', { schedule: { starts: '2027-02-30', ends: '2027-03-01' } }, '/schedule/starts', 'bad_date'],
    [
      'an end before the start',
      { schedule: { starts: '2099-01-02', ends: '2099-01-01' } },
      '/schedule/ends',
      'reversed',
    ],
    [
      'a schedule that no report can reach',
      { schedule: { starts: '9999-12-30', ends: '9999-12-31' } },
      '/schedule/ends',
      'out_of_range',
    ],
    [
      'a schedule that ends a day too late',
      { schedule: { starts: '2099-12-30', ends: '2100-01-01' } },
      '/schedule/ends',
      'out_of_range',
    ],
    [
      'a schedule of the past',
      { schedule: { starts: '2020-01-01', ends: '2020-01-02' } },
      '/schedule/ends',
      'in_the_past',
    ],
    [
      'a time in the schedule',
      { schedule: { starts: '2099-01-01T00:00', ends: '2099-01-02' } },
      '/schedule/starts',
      'bad_format',
    ],
    ['an unknown venue type', { targets: { venue_types: ['moon_base'] } }, '/targets/venue_types/0', 'unknown_value'],
    ['an unknown target', { targets: { planets: [] } }, '/targets/planets', 'unknown_field'],
    ['a city as number', { targets: { cities: [1] } }, '/targets/cities/0', 'wrong_type'],
    [
      'an area beyond the pole',
      { targets: { areas: [{ lat: 99, lng: 0, radiusKm: 1 }] } },
      '/targets/areas/0/lat',
      'out_of_range',
    ],
    [
      'an area without radius',
      { targets: { areas: [{ lat: 9, lng: 0, radiusKm: 0 }] } },
      '/targets/areas/0/radiusKm',
      'out_of_range',
    ],
    [
      'a daypart of one minute to itself',
      { targets: { daypart: { start: '10:00', end: '10:00' } } },
      '/targets/daypart',
      'bad_range',
    ],
    [
      'a daypart of 25 hours',
      { targets: { daypart: { start: '10:00', end: '25:00' } } },
      '/targets/daypart/end',
      'bad_format',
    ],
    ['an unknown weekday', { targets: { days: ['mo'] } }, '/targets/days/0', 'not_allowed'],
    ['a landing page without TLS', { landing_url: 'http://example.com' }, '/landing_url', 'bad_url'],
    ['a landing page of a script', { landing_url: 'javascript:alert(1)' }, '/landing_url', 'bad_url'],
    ['a frequency of zero', { frequency: { max_per_hour: 0 } }, '/frequency/max_per_hour', 'out_of_range'],
    ['brand lift as text', { brand_lift: 'yes' }, '/brand_lift', 'wrong_type'],
    ['politics without a sponsor', { category: 'politics' }, '/political', 'required'],
    ['a sponsor without a contact', { political: { sponsor: { name: 'A' } } }, '/political/sponsor/email', 'required'],
    [
      'a sponsor of spaces',
      { political: { sponsor: { name: ' ', email: 'a@b' } } },
      '/political/sponsor/name',
      'bad_text',
    ],
    ['a process alone', { political: { process: 'Election' } }, '/political/sponsor', 'required'],
    [
      'a sponsor with a phone',
      { political: { sponsor: { name: 'A', email: 'a@b', phone: '1' } } },
      '/political/sponsor/phone',
      'unknown_field',
    ],
    ['a status of its own', { status: 'live' }, '/status', 'not_allowed'],
    ['a spent amount', { spent: { amount: 0, currency: 'EUR' } }, '/spent', 'unknown_field'],
  ])('%s is refused', async (...fault) => {
    expect(
      await send(
        { method: 'POST', url: '/v1/campaigns', key: keys.ads, body: campaignBody(api, [ids.creative]) },
        fault,
      ),
    ).toEqual(refusalOf(fault));
  });

  test('all faults come together', async () => {
    const { body } = await api.call('POST', '/v1/campaigns', {
      key: keys.ads,
      body: campaignBody(api, ['x'], { category: 'x', landing_url: 'x' }),
    });
    expect(
      errorsOf(body)
        .map(fault => fault.pointer)
        .sort(),
    ).toEqual(['/category', '/creatives/0', '/landing_url']);
  });

  test('the answer to an unknown venue type lists the allowed ones', async () => {
    const { raw } = await api.call('POST', '/v1/campaigns', {
      key: keys.ads,
      body: campaignBody(api, [ids.creative], { targets: { venue_types: ['x'] } }),
    });
    expect(raw.toString()).toContain('entertainment.bars');
  });

  test('a creative of another workspace is answered like one that does not exist', async () => {
    const answer = await api.call('POST', '/v1/campaigns', {
      key: keys.ads,
      body: campaignBody(api, [ids.otherCreative]),
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/creatives/0', code: 'unknown_creative' }] },
    });
  });

  test('a refused campaign writes nothing', async () => {
    const countOf = async () =>
      (
        await api.sql<
          { n: number }[]
        >`select (select count(*) from campaigns) + (select count(*) from audit_entries) + (select count(*) from ledger_postings) as n`
      )[0]!.n;
    const before = await countOf();
    await api.call('POST', '/v1/campaigns', { key: keys.ads, body: campaignBody(api, [ids.otherCreative]) });
    expect(
      await api.call('POST', '/v1/campaigns', {
        key: keys.ads,
        body: campaignBody(api, [ids.creative], { budget: { amount: 5_000, currency: 'EUR' } }),
      }),
    ).toMatchObject({ status: 409, body: { code: 'insufficient_funds' } });
    expect(await countOf()).toBe(before);
  });
});

describe('PATCH /v1/campaigns/{id}', () => {
  test.each<Fault>([
    ['nothing', {}, '', 'too_short'],
    ['an unknown status', { status: 'finished' }, '/status', 'not_allowed'],
    ['an empty name', { name: '' }, '/name', 'too_short'],
    ['a budget of nothing', { budget: { amount: 0, currency: 'EUR' } }, '/budget/amount', 'out_of_range'],
    ['a budget in another currency', { budget: { amount: 10, currency: 'USD' } }, '/budget/currency', 'wrong_currency'],
    [
      'a schedule that is over',
      { schedule: { starts: '2020-01-01', ends: '2020-01-02' } },
      '/schedule/ends',
      'in_the_past',
    ],
    ['an unknown venue type', { targets: { venue_types: ['moon'] } }, '/targets/venue_types/0'],
    [
      'a creative without weight as text',
      { creatives: [{ id: 'x', weight: 'heavy' }] },
      '/creatives/0/weight',
      'wrong_type',
    ],
    ['a creative of nobody', { creatives: [{ id: 'x' }] }, '/creatives/0', 'unknown_creative'],
    ['no creatives', { creatives: [] }, '/creatives', 'too_short'],
    ['a landing page without TLS', { landing_url: 'http://example.com' }, '/landing_url', 'bad_url'],
    ['an unknown category', { category: 'sorcery' }, '/category', 'unknown_value'],
  ])('%s is refused', async (...fault) => {
    expect(
      await send({ method: 'PATCH', url: `/v1/campaigns/${ids.campaign}`, key: keys.ads, body: {} }, fault),
    ).toEqual(refusalOf(fault));
  });
});

describe('queries', () => {
  test.each([
    ['/v1/venues?limit=0', 'bad_query_parameter'],
    ['/v1/venues?limit=101', 'bad_query_parameter'],
    ['/v1/venues?limit=ten', 'bad_query_parameter'],
    ['/v1/venues?limit=5&limit=6', 'bad_query_parameter'],
    ['/v1/venues?cursor=nonsense', 'bad_cursor'],
    [`/v1/venues?cursor=${Buffer.from('5').toString('base64url')}`, 'bad_cursor'],
    ['/v1/venues?page=2', 'unknown_query_parameter'],
    ['/v1/venues?__proto__=2', 'unknown_query_parameter'],
    ['/v1/screens?status=broken', 'bad_query_parameter'],
    ['/v1/screens?platform=toaster', 'bad_query_parameter'],
    ['/v1/screens?lat=1&lng=2', 'bad_query_parameter'],
    ['/v1/screens?lat=91&lng=2&radius_km=1', 'bad_query_parameter'],
    ['/v1/screens?lat=1e5&lng=2&radius_km=1', 'bad_query_parameter'],
    ['/v1/screens/x?verbose=1', 'unknown_query_parameter'],
  ])('GET %s is answered 400 %s', async (url, code) => {
    expect(await api.call('GET', url, { key: keys.venues })).toMatchObject({ status: 400, body: { code } });
  });

  test.each([
    ['/v1/campaigns?status=lively', 'bad_query_parameter'],
    ['/v1/campaigns?category=sorcery', 'bad_query_parameter'],
    ['/v1/campaigns?from=2026-02-30', 'bad_query_parameter'],
    ['/v1/campaigns?from=yesterday', 'bad_query_parameter'],
    ['/v1/creatives?orientation=round', 'bad_query_parameter'],
    ['/v1/reporting/scans?cursor=AAAA', 'bad_cursor'],
    ['/v1/invoices?period=0000-01', 'bad_query_parameter'],
    ['/v1/wallet?currency=EUR', 'unknown_query_parameter'],
  ])('GET %s is answered 400 %s', async (url, code) => {
    expect(await api.call('GET', url, { key: keys.ads })).toMatchObject({ status: 400, body: { code } });
  });

  test.each([
    ['?tz=Mars/Olympus', 'bad_query_parameter'],
    ['?tz=PST', 'bad_query_parameter'],
    ['?group=week', 'bad_query_parameter'],
    ['?from=2026-13-01', 'bad_query_parameter'],
    ['?from=2026-03-02&to=2026-03-01', 'bad_query_parameter'],
    ['?group=hour&from=2020-01-01', 'bad_query_parameter'],
    ['?from=2000-01-01', 'bad_query_parameter'],
    ['?to=9999-01-01', 'bad_query_parameter'],
    ['?venue=x', 'bad_query_parameter'],
    ['?country=x', 'unknown_query_parameter'],
  ])('a report %s is answered 400 %s', async (query, code) => {
    expect(await api.call('GET', `/v1/reporting/campaigns/${ids.campaign}${query}`, { key: keys.ads })).toMatchObject({
      status: 400,
      body: { code },
    });
  });
});

describe('a record of another workspace', () => {
  const withoutRequest = ({ body }: { body: unknown }) => ({ ...(body as object), request_id: '' });

  test('gets the same answer as an unknown id, on every route with an id', async () => {
    const kinds = {
      venues: ['venue', ids.venue, keys.otherVenues],
      screens: ['screen', ids.screen, keys.otherVenues],
      playlists: ['playlist', ids.playlist, keys.otherVenues],
      creatives: ['creative', ids.creative, keys.otherAds],
      campaigns: ['campaign', ids.campaign, keys.otherAds],
      keys: ['key', ids.key, keys.otherAds],
      payouts: ['payout', ids.payout, keys.otherVenues],
      invoices: ['invoice', ids.invoice, keys.otherAds],
      agency: ['workspace', ids.client, keys.otherAgency],
      webhooks: ['webhook', ids.webhook, keys.otherAds],
      assets: ['asset', ids.asset, keys.otherAds],
      members: ['user', ids.member, keys.otherAds],
      invitations: ['invitation', ids.invitation, keys.otherAds],
      sessions: ['session', ids.session, keys.otherAds],
      'shared-reports': ['shared_report', ids.sharedReport, keys.otherAds],
      sandbox: ['screen', ids.simulated, keys.otherPlay],
      wallet: ['top_up', ids.topUp, keys.otherAds],
      'operator/reviews': ['campaign', ids.campaign, keys.operatorTest],
      'operator/venue-reviews': ['venue', ids.venue, keys.operatorTest],
      'operator/screens': ['screen', ids.screen, keys.operatorTest],
    } as const;
    const checked: string[] = [];
    for (const { method, url } of api.routes.filter(route => route.url.includes('/:id'))) {
      const isSigned = ['/exports/', '/uploads/', '/screenshots/'].some(start => url.startsWith(start));
      // These files have signed addresses, or are documents.
      if (method === 'HEAD' || url.endsWith('/pdf') || isSigned) continue;
      // The operator decides about those of all workspaces.
      if (/^\/v1\/operator\/(workspaces|people|findings|payouts|payment-cases|bank-files|invoices)\//.test(url))
        continue;
      const [kind, id, key] =
        kinds[
          (url.startsWith('/v1/reporting/')
            ? 'campaigns'
            : url.startsWith('/v1/operator/')
              ? url.split('/').slice(2, 4).join('/')
              : url.split('/')[2]) as keyof typeof kinds
        ];
      const body = { name: 'x', label: 'x', status: 'paused', url: 'https://hooks.example.com/', role: 'viewer' };
      const good = Object.fromEntries(
        Object.entries(body).filter(([field]) =>
          ({
            venue: 'name',
            screen: 'label',
            playlist: 'name',
            creative: 'name',
            campaign: 'name status',
            key: '',
            payout: '',
            invoice: '',
            workspace: 'name',
            webhook: 'url',
            asset: '',
            user: 'role',
            invitation: '',
            session: '',
            shared_report: '',
            top_up: '',
          })[kind].includes(field),
        ),
      );
      const proof = {
        serial: 'MQ-0001',
        ...(url.endsWith('/sensor') && { challenge: 'A'.repeat(43), signature: 'A'.repeat(86) }),
      };
      const ask = (text: string) =>
        api.call(method, url.replace(':id', text), {
          key,
          ...(method === 'POST' && url.includes('/sensor') && { body: proof }),
          ...(url.endsWith('/checkout') && { body: { success_url: 'https://brand.example.com/' } }),
          ...(url.endsWith('/shared-reports') && method === 'POST' && { body: {} }),
          ...(url.endsWith('/reject') && { body: { reason: url.includes('venue') ? 'unproven' : 'policy' } }),
          ...(url.endsWith('/venue-reviews/:id/approve') && { body: {} }),
          ...(url.endsWith('/simulate') && { body: { type: 'campaign.paused' } }),
          ...(method === 'PATCH' && { body: good }),
          ...(url.endsWith('/transfers') && {
            body: { amount: { amount: 1, currency: 'EUR' }, direction: 'to_client' },
          }),
          ...(method === 'PUT' && { body: { sections: [{ name: 'x', items: [{ name: 'x' }] }] } }),
        });
      const [foreign, absent, malformed] = [
        await ask(id),
        await ask(formatId(kind, handle('asset', 999_999))),
        await ask('nonsense'),
      ];
      expect([method, url, foreign.status]).toEqual([method, url, 404]);
      expect(withoutRequest(foreign)).toEqual(withoutRequest(absent));
      expect(withoutRequest(foreign)).toEqual(withoutRequest(malformed));
      checked.push(`${method} ${url}`);
    }
    expect(checked.length).toBeGreaterThanOrEqual(10);
    expect((await api.call('GET', `/v1/screens/${ids.screen}`, { key: keys.venues })).status).toBe(200);
  });

  test('a test key does not see live records, and its own are sandbox', async () => {
    const [row] = await api.sql<
      { workspace_handle: Handle<'workspace'>; user_handle: Handle<'user'> }[]
    >`select workspace_handle, user_handle from keys where surface = 'ads_manager' order by handle limit 1`;
    const key = await createKey(api, { handle: row!.workspace_handle, user: row!.user_handle }, { mode: 'test' });
    expect((await api.call('GET', `/v1/campaigns/${ids.campaign}`, { key })).status).toBe(404);
    expect((await api.call('GET', '/v1/campaigns', { key })).body).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    });
    const creative = await createReadyCreative(api, key);
    expect(await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative]) })).toMatchObject({
      status: 409,
      body: { code: 'insufficient_funds' },
    });
    expect(
      (await api.call('POST', '/v1/wallet/top-ups', { key, body: { amount: { amount: 500, currency: 'EUR' } } })).body,
    ).toMatchObject({ balance: { amount: 500 }, book: 'sandbox' });
    expect((await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative]) })).status).toBe(201);
    expect(
      (await api.call('POST', '/v1/campaigns', { key: keys.ads, body: campaignBody(api, [creative]) })).body,
    ).toMatchObject({ errors: [{ code: 'unknown_creative' }] });
    expect(
      await api.call('POST', '/v1/wallet/top-ups', {
        key: keys.ads,
        body: { amount: { amount: 500, currency: 'EUR' } },
      }),
    ).toMatchObject({ status: 201, body: { top_up: { status: 'pending' } } });
  });
});

describe('a malformed request', () => {
  test.each([
    ['/nothing', 'GET', 404, 'not_found'],
    ['/v1/nothing', 'POST', 404, 'not_found'],
    ['/v1/venues/%zz', 'GET', 404, 'not_found'],
    [`/v1/venues/${'x'.repeat(500)}`, 'GET', 404, 'not_found'],
    ['/v1/venues', 'DELETE', 405, 'method_not_allowed'],
    ['/v1/venues', 'OPTIONS', 405, 'method_not_allowed'],
    ['/v1/campaigns/x', 'POST', 405, 'method_not_allowed'],
    ['/s/abc', 'HEAD', 405, 'method_not_allowed'],
  ] as const)('%s by %s is answered %i %s', async (url, method, status, code) => {
    const answer = await api.call(method, url, { key: keys.venues });
    expect([
      answer.status,
      method === 'HEAD' ? code : answer.body['code'],
      answer.headers['allow'] !== undefined,
    ]).toEqual([status, code, status === 405]);
  });

  test.each([
    ['text', 'text/plain', '{}', 415, 'unsupported_media_type'],
    ['a form', 'application/x-www-form-urlencoded', 'a=1', 415, 'unsupported_media_type'],
    ['JSON with a tab in its type', 'application/json\t;x', '{"name":1}', 422, 'validation_failed'],
    ['JSON with a space before its type', ' application/json', '{"name":1}', 422, 'validation_failed'],
    ['JSON in upper case', 'APPLICATION/JSON; charset=utf-8', '{"name":1}', 422, 'validation_failed'],
    ['another kind of JSON', 'application/jsonx', '{}', 415, 'unsupported_media_type'],
    ['broken JSON', 'application/json', '{"name":', 400, 'malformed_json'],
    ['text in Latin-1', 'application/json', Buffer.from('{"name":"Caf\u00e9"}', 'latin1'), 400, 'malformed_json'],
    ['half a character', 'application/json', Buffer.from('7b226e616d65223a22c3227d', 'hex'), 400, 'malformed_json'],
    ['a lone surrogate', 'application/json', Buffer.from('7b226e616d65223a22eda080227d', 'hex'), 400, 'malformed_json'],
    ['nothing', 'application/json', '', 400, 'malformed_json'],
    ['a prototype key', 'application/json', '{"__proto__":{"admin":true}}', 400, 'malformed_json'],
    ['a constructor key', 'application/json', '{"constructor":{"prototype":{"admin":true}}}', 400, 'malformed_json'],
    ['a list', 'application/json', '[]', 422, 'validation_failed'],
    ['null', 'application/json', 'null', 422, 'validation_failed'],
    ['a number', 'application/json', '7', 422, 'validation_failed'],
    ['an infinite number', 'application/json', '{"lat":1e999}', 422, 'validation_failed'],
    ['too much', 'application/json', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), 413, 'body_too_large'],
  ])('a body that is %s is refused', async (_name, contentType, payload, status, code) => {
    const answer = await api.call('POST', '/v1/venues', {
      key: keys.venues,
      payload,
      headers: { 'content-type': contentType },
    });
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.raw.toString()).not.toMatch(/node_modules|\.ts:|select |insert /);
  });

  test('a POST without any body is answered 422', async () => {
    expect(await api.call('POST', '/v1/venues', { key: keys.venues })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    });
  });

  test('a list of 200,000 faults is refused with one', async () => {
    const payload = JSON.stringify({ ...VENUE, blocked_categories: Array.from({ length: 200_000 }, () => 0) });
    const answer = await api.call('POST', '/v1/venues', {
      key: keys.venues,
      payload,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/blocked_categories', code: 'too_long' }] },
    });
  });

  test('bytes that are not a request get 400, and the connection ends', async () => {
    const { port } = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1').end('GARBAGE\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^HTTP\/1.1 400 Bad Request\r\nContent-Type: application\/problem\+json/,
    );
  });
});
