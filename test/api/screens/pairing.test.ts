/**
 * A pairing code makes one screen of one device and one label, also when many try at once, and guessing codes is slow.
 * Lists and changes of screens and venues are tested here too. Driven by calls to the API in this process on real
 * engines.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDeviceToken } from '../../../domain/access/key.ts';
import { parseId } from '../../../domain/id.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type Loose,
  type TestApi,
} from '../support/app-under-test.ts';

let api: TestApi;
let key: string;
let venue: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  venue = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
});
afterAll(() => api.close());

const mint = async (body: Record<string, unknown> = {}): Promise<string> =>
  (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue, ...body } })).body['code']!;
const confirm = (code: string) =>
  api.call('POST', `/v1/pairing/${code}/confirm`, { body: { platform: 'webos', player: '2.1' } });
const label = (code: string, text = 'Bar') =>
  api.call('POST', '/v1/screens', { key, body: { venue_id: venue, label: text, code } });
const screenOf = async (id: Loose | undefined): Promise<Loose> =>
  (await api.call('GET', `/v1/screens/${id}`, { key })).body;

describe('the two halves of a code', () => {
  test('the label may arrive first: the screen is idle until its device confirms', async () => {
    const code = await mint();
    const screen = (await label(code)).body;
    expect(screen).toMatchObject({ status: 'paired_idle', platform: null, label: 'Bar' });
    const confirmed = (await confirm(code)).body;
    expect(confirmed['screen_id']).toBe(screen['id']);
    expect(isDeviceToken(confirmed['device_token']!)).toBe(true);
    expect(await screenOf(screen['id'])).toMatchObject({ status: 'offline', platform: 'webos' });
    const [row] = await api.sql<
      { token_hash: Buffer }[]
    >`select token_hash from screens where handle = ${parseId('screen', screen['id']!)!}`;
    expect(row!.token_hash).toEqual(createHash('sha256').update(confirmed['device_token']!).digest());
    expect((await api.sql`select 1 from outbox where type = 'screen.paired'`).length).toBe(1);
  });

  test('each half works once', async () => {
    const code = await mint();
    expect([
      (await confirm(code)).status,
      (await confirm(code)).status,
      (await label(code)).status,
      (await label(code)).status,
    ]).toEqual([201, 409, 201, 409]);
  });

  test('one of many devices that confirm at once wins, and there is one screen', async () => {
    const code = await mint();
    const before = dataOf(await api.call('GET', '/v1/screens?limit=100', { key })).length;
    const answers = await Promise.all([confirm(code), label(code), confirm(code), label(code), confirm(code)]);
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 201, 409, 409, 409]);
    expect(dataOf(await api.call('GET', '/v1/screens?limit=100', { key })).length).toBe(before + 1);
  });

  test('exactly one of 20 devices that confirm at once gets the token, and one of 20 people sets the label', async () => {
    const code = await mint();
    const device = (index: number) =>
      api.app.inject({
        method: 'POST',
        url: `/v1/pairing/${code}/confirm`,
        remoteAddress: `198.51.100.${index}`,
        payload: { platform: 'linux', player: '1' },
      });
    const [devices, people] = [
      Array.from({ length: 20 }, (_, index) => device(index)),
      Array.from({ length: 20 }, () => label(code)),
    ];
    const confirmed = await Promise.all(devices);
    expect(confirmed.map(answer => answer.statusCode).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const labelled = await Promise.all(people);
    expect(labelled.map(answer => answer.status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect(confirmed.find(answer => answer.statusCode === 201)!.json<{ screen_id: string }>().screen_id).toBe(
      labelled.find(answer => answer.status === 201)!.body['id'],
    );
    const [row] = await api.sql<
      { n: number }[]
    >`select count(*) as n from outbox where type = 'screen.paired' and entity_handle = ${parseId('screen', labelled.find(answer => answer.status === 201)!.body['id']!)!}`;
    expect(row!.n).toBe(1);
  });

  test('after 60 s both halves and the state of a code give 410; the state of a claimed code stays available', async () => {
    const [unused, claimed] = [await mint(), await mint()];
    await label(claimed);
    api.clock.offsetMs += 60_001;
    expect(await confirm(unused)).toMatchObject({ status: 410, body: { code: 'pairing_code_expired' } });
    expect((await label(unused)).status).toBe(410);
    expect((await api.call('GET', `/v1/pairing/${unused}`, { key })).status).toBe(410);
    expect((await api.call('GET', `/v1/pairing/${claimed}`, { key })).body).toMatchObject({ claimed: true });
    expect((await confirm(claimed)).status).toBe(410);
  });

  test('a screen whose device never confirmed gets a device with a new code; a screen with a device does not', async () => {
    const screen = (await label(await mint(), 'Late')).body['id']!;
    const code = await mint({ screen_id: screen });
    expect((await api.call('GET', `/v1/pairing/${code}`, { key })).body).toMatchObject({
      claimed: false,
      screen_id: null,
    });
    expect((await confirm(code)).body['screen_id']).toBe(screen);
    expect(await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue, screen_id: screen } })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
  });

  test('a code of another workspace is refused', async () => {
    const other = await createKey(api, await createWorkspace(api), { surface: 'screen_manager' });
    const code = await mint();
    expect((await api.call('GET', `/v1/pairing/${code}`, { key: other })).status).toBe(404);
    expect((await api.call('GET', '/v1/pairing/12', { key })).status).toBe(404);
  });

  test('codes that are valid at the same time differ', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, () => mint()));
    expect(new Set(codes).size).toBe(20);
  });

  test('only the caller who guesses codes is slowed down', async () => {
    const guess = (address: string, code: string) =>
      api.app.inject({
        method: 'POST',
        url: `/v1/pairing/${code}/confirm`,
        remoteAddress: address,
        payload: { platform: 'webos', player: '1' },
      });
    for (let wrong = 0; wrong < 20; wrong += 1) expect((await guess('203.0.113.5', 'abcdef')).statusCode).toBe(404);
    const slowed = await guess('203.0.113.5', 'abcdef');
    expect([slowed.statusCode, Number(slowed.headers['retry-after'])]).toEqual([429, 60]);
    expect((await guess('203.0.113.6', await mint())).statusCode).toBe(201);
  });

  test('neither simultaneous guesses nor several addresses of one network bypass the limit', async () => {
    const guess = (address: string) =>
      api.app.inject({
        method: 'POST',
        url: '/v1/pairing/abcdef/confirm',
        remoteAddress: address,
        payload: { platform: 'webos', player: '1' },
      });
    const atOnce = await Promise.all(Array.from({ length: 60 }, () => guess('203.0.113.7')));
    expect(atOnce.filter(answer => answer.statusCode === 404)).toHaveLength(20);
    const network = await Promise.all(
      Array.from({ length: 60 }, (_, index) => guess(`2001:db8:0:7::${(index + 1).toString(16)}`)),
    );
    expect(network.filter(answer => answer.statusCode === 404)).toHaveLength(20);
    expect((await guess('2001:db8:0:8::1')).statusCode).toBe(404);
  });

  test('right codes do not count as guesses: thirty screens of one address pair one after another', async () => {
    for (let screen = 0; screen < 30; screen += 1) {
      const code = await mint();
      const answer = await api.app.inject({
        method: 'POST',
        url: `/v1/pairing/${code}/confirm`,
        remoteAddress: '203.0.113.8',
        payload: { platform: 'webos', player: '1' },
      });
      expect(answer.statusCode).toBe(201);
    }
  });
});

describe('a code whose venue was deleted', () => {
  const createVenue = async () => (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
  const give = (place: string, code: string) =>
    api.call('POST', '/v1/screens', { key, body: { venue_id: place, label: 'Bar', code } });
  const unknown = { status: 422, body: { errors: [{ pointer: '/venue_id', code: 'unknown_venue' }] } };
  const screensIn = (place: string) =>
    api.sql`select 1 from screens where venue_handle = ${parseId('venue', place)!} and unpaired_at is null`;

  test('creates no screen by either half', async () => {
    const place = await createVenue();
    const codes = [await mint({ venue_id: place }), await mint({ venue_id: place })] as const;
    expect((await api.call('DELETE', `/v1/venues/${place}`, { key })).status).toBe(204);
    expect(await confirm(codes[0])).toMatchObject({ status: 410, body: { code: 'pairing_code_expired' } });
    expect(await give(place, codes[1])).toMatchObject(unknown);
    expect(await screensIn(place)).toEqual([]);
  });

  const waiting = async () =>
    (await api.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      .length;

  /** Calls during the deletion of the venue, and answers when both are over. */
  async function callDuringDeletion(place: string, call: () => Promise<Answer>): Promise<Answer> {
    const { called } = await api.sql.begin(async tx => {
      await tx`update venues set deleted_at = now() where handle = ${parseId('venue', place)!}`;
      const calling = call();
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
      return { called: calling };
    });
    return called;
  }

  test('creates none while the venue is being deleted, and no screen moves into it', async () => {
    const [first, second, third] = [await createVenue(), await createVenue(), await createVenue()];
    const screen = (await label(await mint())).body['id']!;
    const codes = [await mint({ venue_id: first }), await mint({ venue_id: second })] as const;
    expect((await callDuringDeletion(first, () => confirm(codes[0]))).status).toBe(410);
    expect(await callDuringDeletion(second, () => give(second, codes[1]))).toMatchObject(unknown);
    const move = () => api.call('PATCH', `/v1/screens/${screen}`, { key, body: { venue_id: third } });
    expect(await callDuringDeletion(third, move)).toMatchObject(unknown);
  });
});

describe('screens', () => {
  test('a screen that delivery saw in the last minute is online', async () => {
    const code = await mint();
    const id = (await confirm(code)).body['screen_id']!;
    const handle = parseId('screen', id)!;
    await api.sql`insert into screen_presence (screen_handle, online, last_seen_at) values (${handle}, true, ${new Date(api.clock.now() - 30_000)})`;
    expect(await screenOf(id)).toMatchObject({ status: 'online', last_seen_at: expect.stringMatching(/Z$/) });
    expect(dataOf(await api.call('GET', '/v1/screens?status=online', { key })).map(screen => screen['id'])).toEqual([
      id,
    ]);
    api.clock.offsetMs += 31_000;
    expect(await screenOf(id)).toMatchObject({ status: 'offline' });
  });

  test('lists filter by venue, platform, status and area', async () => {
    const home = await createKey(api, await createWorkspace(api), { surface: 'screen_manager' });
    const place = async (city: string, lat: number, lng: number) => {
      const id = (await api.call('POST', '/v1/venues', { key: home, body: { ...VENUE, city, lat, lng } })).body['id']!;
      const { code } = (await api.call('POST', '/v1/pairing', { key: home, body: { venue_id: id } })).body;
      await api.call('POST', '/v1/screens', { key: home, body: { venue_id: id, label: city, code } });
      return { id, code: code! };
    };
    const [berlin, potsdam, paris] = [
      await place('Berlin', 52.52, 13.405),
      await place('Potsdam', 52.4, 13.06),
      await place('Paris', 48.85, 2.35),
    ];
    await confirm(paris.code);
    const labels = async (query: string) =>
      dataOf(await api.call('GET', `/v1/screens${query}`, { key: home })).map(screen => screen['label']);
    expect(await labels('')).toEqual(['Paris', 'Potsdam', 'Berlin']);
    expect(await labels(`?venue=${potsdam.id}`)).toEqual(['Potsdam']);
    expect(await labels(`?venue_id=${berlin.id}`)).toEqual(['Berlin']);
    expect(await labels(`?venue=${venue}`)).toEqual([]);
    expect(await labels('?platform=webos')).toEqual(['Paris']);
    expect(await labels('?status=paired_idle')).toEqual(['Potsdam', 'Berlin']);
    expect(await labels('?lat=52.52&lng=13.405&radius_km=26')).toEqual(['Berlin']);
    expect(await labels('?lat=52.52&lng=13.405&radius_km=28')).toEqual(['Potsdam', 'Berlin']);
    expect(await labels('?lat=52.52&lng=13.405&radius_km=28&limit=1')).toEqual(['Potsdam']);
  });

  test('a change is audited by field, and an empty change is not written', async () => {
    const id = (await label(await mint())).body['id']!;
    const changed = await api.call('PATCH', `/v1/screens/${id}`, {
      key,
      body: {
        label: 'New',
        ad_ratio: 0.8,
        orientation: 'portrait',
        sensor_paired: false,
        blocked_categories: ['1361', 'gambling'],
      },
    });
    expect(changed.body).toMatchObject({
      label: 'New',
      ad_ratio: 0.8,
      orientation: 'portrait',
      sensor_paired: false,
      blocked_categories: ['gambling'],
    });
    const last = async () =>
      (
        await api.sql<
          { number: number; diff: unknown }[]
        >`select number, diff from audit_entries order by handle desc limit 1`
      )[0]!;
    const entry = await last();
    expect(entry.diff).toMatchObject({ label: { from: 'Bar', to: 'New' }, ad_ratio: { from: 0.5, to: 0.8 } });
    expect((await api.call('PATCH', `/v1/screens/${id}`, { key, body: { label: 'New' } })).status).toBe(200);
    expect((await last()).number).toBe(entry.number);
  });

  test('an unpaired screen is no longer listed, and delivery is notified', async () => {
    const id = (await label(await mint())).body['id']!;
    const [before] = await api.sql<{ number: number }[]>`select coalesce(max(number), 0) as number from change_log`;
    expect((await api.call('DELETE', `/v1/screens/${id}`, { key })).status).toBe(204);
    expect((await api.call('GET', `/v1/screens/${id}`, { key })).status).toBe(404);
    expect((await api.call('DELETE', `/v1/screens/${id}`, { key })).status).toBe(404);
    const changes = await api.sql`select handle from change_log where number > ${before!.number} and entity = 'screen'`;
    expect(changes).toMatchObject([{ handle: parseId('screen', id)! }]);
    const [event] = await api.sql<{ type: string }[]>`select type from outbox order by handle desc limit 1`;
    expect(event!.type).toBe('screen.unpaired');
  });
});

describe('venues', () => {
  test('a venue changes field by field; null hours mean always open', async () => {
    const id = (
      await api.call('POST', '/v1/venues', {
        key,
        body: { ...VENUE, opening_hours: { sun: [{ start: '10:00', end: '12:00' }] } },
      })
    ).body['id']!;
    const changed = await api.call('PATCH', `/v1/venues/${id}`, {
      key,
      body: { opening_hours: null, type: '401', blocked_categories: ['Alcohol'] },
    });
    expect(changed.body).toMatchObject({
      opening_hours: null,
      type: 'health_and_beauty.gyms',
      blocked_categories: ['alcohol'],
      name: VENUE.name,
    });
    expect((await api.call('GET', `/v1/venues/${id}`, { key })).body).toEqual(changed.body);
    expect(dataOf(await api.call('GET', '/v1/venues?limit=1', { key })).map(found => found['id'])).toEqual([id]);
  });
});
