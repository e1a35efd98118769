/**
 * Screens over the API: their state, settings and history of being online, unpairing, and lists of ten thousand screens
 * that stay cheap. Driven by calls to the API in this process on real engines; presence is written as delivery writes
 * it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import { forgetOldCodes } from '#sql/screens/pairing.ts';
import { forgetOldHealth, sweepPresence } from '#sql/screens/presence.ts';
import { handle } from '../../support/handle.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Loose,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { readAs } from '../support/answer.ts';

let api: TestApi;
let house: TestWorkspace;
let key: string;
let venue: string;

beforeAll(async () => {
  api = await startApi();
  house = await createWorkspace(api, { kind: 'venue' });
  key = await createKey(api, house, { surface: 'screen_manager' });
  venue = (
    await api.call('POST', '/v1/venues', {
      key,
      body: { ...VENUE, opening_hours: { mon: [{ start: '09:00', end: '18:00' }] } },
    })
  ).body['id']!;
});
afterAll(() => api.close());

async function pair(confirm = true): Promise<{ id: string; handle: number }> {
  const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
  const id = (await api.call('POST', '/v1/screens', { key, body: { venue_id: venue, label: 'Bar', code } })).body[
    'id'
  ]!;
  if (confirm) await api.call('POST', `/v1/pairing/${code}/confirm`, { body: { platform: 'tizen', player: '1' } });
  return { id, handle: parseId('screen', id)! };
}
const screenOf = async (id: string): Promise<Loose> => (await api.call('GET', `/v1/screens/${id}`, { key })).body;
/** As a delivery process writes it: at a moment so many seconds after the clock of the test. */
const see = async (handle: number, online: boolean, seconds: number): Promise<Date> => {
  const at = new Date(api.clock.now() + seconds * 1_000);
  await api.sql`
    insert into screen_presence (screen_handle, online, last_seen_at) values (${handle}, ${online}, ${at})
    on conflict (screen_handle) do update set online = excluded.online, last_seen_at = excluded.last_seen_at where excluded.last_seen_at >= screen_presence.last_seen_at`;
  return at;
};
const healthOf = async (id: string, query = ''): Promise<Loose[]> =>
  dataOf(await api.call('GET', `/v1/screens/${id}/health${query}`, { key }));

describe('GET /screens', () => {
  test('shows each screen with its state, its venue and its settings', async () => {
    const { id, handle } = await pair();
    const at = await see(handle, true, -5);
    const [row] = dataOf(await api.call('GET', '/v1/screens?limit=1', { key }));
    expect(row).toEqual({
      id,
      venue_id: venue,
      venue_name: VENUE.name,
      venue_type: 'entertainment.bars',
      city: VENUE.city,
      label: 'Bar',
      platform: 'tizen',
      status: 'online',
      last_seen_at: at.toISOString(),
      commands: [],
      sensor_paired: false,
      sensor: null,
      ad_ratio: 0.5,
      playlist_id: null,
      orientation: 'landscape',
      opening_hours: { mon: [{ start: '09:00', end: '18:00' }] },
      blocked_categories: [],
      created_at: expect.stringMatching(/Z$/),
    });
  });

  test('finds a screen by a part of its label, of its venue or of its city, in any case', async () => {
    const body = { ...VENUE, name: 'Kiosk Zoo', city: 'Zwickau' };
    const place = (await api.call('POST', '/v1/venues', { key, body })).body['id']!;
    const { id } = await pair();
    await api.call('PATCH', `/v1/screens/${id}`, { key, body: { venue_id: place, label: 'Yard' } });
    const found = async (q: string) =>
      dataOf(await api.call('GET', `/v1/screens?q=${q}`, { key })).map(screen => screen['id']);
    for (const text of ['yar', 'kiosk', 'ZWICK']) expect(await found(text)).toEqual([id]);
    expect(await found('yard%25')).toEqual([]);
  });

  test('shows a screen as paired_idle, online and offline, even if delivery was killed', async () => {
    const [{ id, handle }, idle] = [await pair(), await pair(false)];
    expect([await screenOf(idle.id), await screenOf(id)]).toMatchObject([
      { status: 'paired_idle', last_seen_at: null },
      { status: 'offline', last_seen_at: null },
    ]);
    await see(handle, true, -59);
    expect(await screenOf(id)).toMatchObject({ status: 'online' });
    await see(handle, true, -59);
    api.clock.offsetMs += 2_000;
    expect(await screenOf(id)).toMatchObject({ status: 'offline' });
    api.clock.offsetMs -= 2_000;
  });
});

describe('PATCH /screens/{id}', () => {
  test('changes each field, and only named fields', async () => {
    const { id } = await pair();
    const other = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
    const playlist = (
      await api.call('POST', '/v1/playlists', { key, body: { name: 'Day', items: [{ type: 'ad_slot' }] } })
    ).body['id']!;
    const changes = {
      label: 'Door',
      venue_id: other,
      ad_ratio: 0.25,
      playlist_id: playlist,
      orientation: 'portrait',
      sensor_paired: false,
      blocked_categories: ['alcohol'],
    };
    for (const [field, value] of Object.entries(changes)) {
      const before = readAs<Record<string, unknown>>(await screenOf(id));
      const answer = await api.call('PATCH', `/v1/screens/${id}`, { key, body: { [field]: value } });
      expect(answer).toMatchObject({ status: 200, body: { [field]: value } });
      const others = ({
        [field]: _changed,
        venue_name: _name,
        venue_type: _type,
        city: _city,
        opening_hours: _hours,
        ...rest
      }: Record<string, unknown>) => rest;
      expect(others(readAs(answer.body))).toEqual(others(before));
    }
    expect(await screenOf(id)).toMatchObject(changes);
  });

  test.each([
    [{ ad_ratio: 1.5 }, '/ad_ratio'],
    [{ ad_ratio: '0.5' }, '/ad_ratio'],
    [{ playlist_id: 7 }, '/playlist_id'],
    [{ orientation: 'square' }, '/orientation'],
    [{ status: 'online' }, '/status'],
    [{ blocked_categories: ['x'] }, '/blocked_categories/0'],
    [{ venue_id: formatId('venue', handle('venue', 999_999)) }, '/venue_id'],
  ])('refuses %j', async (body, pointer) => {
    const { id } = await pair();
    expect(await api.call('PATCH', `/v1/screens/${id}`, { key, body })).toMatchObject({
      status: 422,
      body: { errors: expect.arrayContaining([expect.objectContaining({ pointer })]) },
    });
  });
});

describe('GET /screens/{id}/health', () => {
  test('lists the periods online and offline, the latest first, page by page', async () => {
    const { id, handle } = await pair();
    expect(await healthOf(id)).toEqual([]);
    const [up, down, upAgain] = [
      await see(handle, true, 0),
      await see(handle, false, 60),
      await see(handle, true, 100),
    ];
    await see(handle, true, 130);
    api.clock.offsetMs += 160_000;
    const all = await healthOf(id);
    expect(all).toMatchObject([
      { status: 'online', from: upAgain.toISOString(), to: null },
      { status: 'offline', from: down.toISOString(), to: upAgain.toISOString(), seconds: 40 },
      { status: 'online', from: up.toISOString(), to: down.toISOString(), seconds: 60 },
    ]);
    expect(Math.abs(Number(all[0]!['seconds']) - 60)).toBeLessThan(30); // up to now, by a clock that runs
    const first = await api.call('GET', `/v1/screens/${id}/health?limit=2`, { key });
    expect([dataOf(first).length, first.body['has_more']]).toEqual([2, true]);
    expect(await healthOf(id, `?cursor=${first.body['next_cursor']}`)).toMatchObject([
      { status: 'online', from: up.toISOString(), to: down.toISOString() },
    ]);
    expect(await api.call('GET', `/v1/screens/${id}/health?cursor=AAAA`, { key })).toMatchObject({ status: 400 });
    api.clock.offsetMs -= 160_000;
  });

  test('ignores outdated reports: a screen that moved to another node is not offline', async () => {
    const { id, handle } = await pair();
    await see(handle, true, 10);
    await see(handle, false, 5);
    expect(await healthOf(id)).toMatchObject([{ status: 'online', to: null }]);
  });

  test('ends the last period of a silent screen when it was last seen, with one event', async () => {
    const { id, handle } = await pair();
    const seen = await see(handle, true, -70);
    const job = { ...api.workers, now: () => new Date(api.clock.now()) };
    expect(await sweepPresence(job)).toBeGreaterThanOrEqual(1);
    await sweepPresence(job);
    expect(await healthOf(id)).toMatchObject([
      { status: 'offline', from: seen.toISOString(), to: null },
      { status: 'online', to: seen.toISOString(), seconds: 0 },
    ]);
  });

  test('reaches back 30 days, and includes a period that began earlier', async () => {
    const [{ id, handle }, lasting] = [await pair(), await pair()];
    const day = 86_400;
    await see(handle, true, -40 * day);
    await see(handle, false, -35 * day);
    const since = await see(handle, true, -31 * day);
    const recent = await see(handle, false, -2 * day);
    await see(lasting.handle, true, -50 * day);
    expect(await healthOf(id)).toMatchObject([
      { status: 'offline', from: recent.toISOString() },
      { status: 'online', from: since.toISOString(), to: recent.toISOString() },
    ]);
    const job = { ...api.workers, now: () => new Date(api.clock.now()) };
    while ((await forgetOldHealth(job)) > 0);
    expect(await api.sql`select 1 from screen_health where screen_handle = ${handle}`).toHaveLength(1);
    expect(await healthOf(lasting.id)).toMatchObject([{ status: 'online', to: null }]);
  });

  test('gives 404 for a screen of another workspace', async () => {
    const other = await createKey(api, await createWorkspace(api), { surface: 'screen_manager' });
    expect(await api.call('GET', `/v1/screens/${(await pair()).id}/health`, { key: other })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });
});

describe('DELETE /screens/{id}', () => {
  test('unpairs: the screen is gone, its token stays revoked, and there is one event', async () => {
    const { id, handle } = await pair();
    await see(handle, true, 0);
    expect((await api.call('DELETE', `/v1/screens/${id}`, { key })).status).toBe(204);
    await see(handle, false, 1);
    expect((await api.call('GET', `/v1/screens/${id}/health`, { key })).status).toBe(404);
    const [row] = await api.sql<
      { token: boolean; unpaired: boolean }[]
    >`select token_hash is not null as token, unpaired_at is not null as unpaired from screens where handle = ${handle}`;
    expect(row).toEqual({ token: true, unpaired: true });
    const events = await api.sql<
      { type: string }[]
    >`select type from outbox where entity_type = 'screen' and entity_handle = ${handle} order by handle`;
    expect(events.map(event => event.type)).toEqual(['screen.paired', 'screen.unpaired']);
  });

  test('subscribers get each change of presence once', async () => {
    const { handle } = await pair();
    await api.sql`insert into webhooks ${api.sql({ workspace_handle: house.handle, sandbox: false, surface: 'screen_manager', url: 'https://hooks.example.com/', events: ['screen.online', 'screen.offline'], secret: Buffer.alloc(8), created_at: new Date() })}`;
    for (const [online, seconds] of [
      [true, 0],
      [true, 30],
      [false, 40],
      [true, 41],
    ] as const)
      await see(handle, online, seconds);
    const events = await api.sql<
      { type: string }[]
    >`select type from outbox where entity_type = 'screen' and entity_handle = ${handle} and type <> 'screen.paired' order by handle`;
    expect(events.map(event => event.type)).toEqual(['screen.online', 'screen.offline', 'screen.online']);
  });
});

test('pairing codes are forgotten a day after they ended', async () => {
  const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
  const at = (ms: number) => ({ ...api.workers, now: () => new Date(api.clock.now() + ms) });
  await forgetOldCodes(at(86_400_000));
  expect(await api.sql`select 1 from pairing_codes where code = ${code!}`).toHaveLength(1);
  await forgetOldCodes(at(86_400_000 + 61_000));
  expect(await api.sql`select 1 from pairing_codes where code = ${code!}`).toHaveLength(0);
});

describe('ten thousand screens', () => {
  const SCREENS = 10_000;
  let chain: string;
  let first: string;

  beforeAll(async () => {
    const owner = await createWorkspace(api, { kind: 'venue' });
    chain = await createKey(api, owner, { surface: 'screen_manager' });
    // 100 venues on a line to the east, a hundred screens each; half of them were seen just now.
    const venues = await api.sql<{ handle: Handle<'venue'> }[]>`
      insert into venues (workspace_handle, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, created_at)
      select ${owner.handle}, 'Venue ' || n, 'entertainment.bars', 'Berlin', 52, 10 + n * 0.1, 'Europe/Berlin', 400, 30, now() from generate_series(1, 100) n returning handle`;
    const start = venues[0]!.handle;
    first = formatId('venue', start);
    await api.sql`
      insert into screens (workspace_handle, venue_handle, label, platform, sandbox, token_hash, created_at)
      select ${owner.handle}, ${start} + n % 100, 'Screen ' || n, (array['tizen', 'webos', 'linux'])[1 + n % 3], false, sha256(('screen ' || n)::bytea), now() from generate_series(1, ${SCREENS}) n`;
    await api.sql`insert into screen_presence select handle, handle % 2 = 0, ${new Date(api.clock.now())} from screens where workspace_handle = ${owner.handle}`;
    await api.sql`analyze screens, venues, screen_presence`;
  }, 60_000);

  test('are listed to the last, each once', async () => {
    const seen = new Set<string>();
    let cursor = '';
    do {
      const page = await api.call('GET', `/v1/screens?limit=100${cursor}`, { key: chain });
      for (const screen of dataOf(page)) seen.add(screen['id']!);
      cursor = page.body['has_more'] ? `&cursor=${page.body['next_cursor']}` : '';
    } while (cursor);
    expect(seen.size).toBe(SCREENS);
  }, 60_000);

  test('are listed with those that are offline first', async () => {
    const page = await api.call('GET', '/v1/screens?limit=100&sort=status', { key: chain });
    expect(new Set(dataOf(page).map(screen => screen['status']))).toEqual(new Set(['offline']));
    const last = await api.call('GET', '/v1/screens?limit=100&sort=-status', { key: chain });
    expect(new Set(dataOf(last).map(screen => screen['status']))).toEqual(new Set(['online']));
  });

  test.each([
    ['?limit=100', 100],
    ['?limit=100&status=online', 100],
    ['?limit=100&status=paired_idle', 0],
    ['?limit=100&platform=webos', 100],
    ['?limit=100&status=offline&platform=tizen', 100],
    // 11 venues within 35 km of the twentieth, at 6.86 km each; every page is full.
    ['?limit=100&lat=52&lng=12&radius_km=35', 100],
    ['?limit=100&lat=40&lng=12&radius_km=35', 0],
  ])('are filtered by %s with only a few reads per page', async (query, count) => {
    const startedAt = performance.now();
    expect(dataOf(await api.call('GET', `/v1/screens${query}`, { key: chain }))).toHaveLength(count);
    expect(performance.now() - startedAt).toBeLessThan(5_000); // some 30 ms on an idle machine
  });

  test('are counted by status in one answer, whatever the status filter', async () => {
    const counts = async (query: string) =>
      (await api.call('GET', `/v1/screens?limit=1${query}`, { key: chain })).body['by_status'];
    const all = await counts('&count=true');
    const [online, offline, idle] = ['online', 'offline', 'paired_idle'].map(status => Number(all?.[status]));
    expect(online! + offline! + idle!).toBe(SCREENS);
    expect([online! > 0, offline! > 0, idle]).toEqual([true, true, 0]);
    expect(await counts('&count=true&status=offline')).toEqual(all);
    expect(await counts('')).toBeUndefined();
  });

  test('of a venue are all found by its id', async () => {
    const page = await api.call('GET', `/v1/screens?limit=100&venue=${first}`, { key: chain });
    expect([
      dataOf(page).length,
      page.body['has_more'],
      new Set(dataOf(page).map(screen => screen['venue_id'])).size,
    ]).toEqual([100, false, 1]);
  });

  test('cost one page only its own rows: the newest are read from an index', async () => {
    const explained = async (condition: string): Promise<number> => {
      const [row] = await api.sql.unsafe<
        { 'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[] }[]
      >(`
        explain (analyze, buffers, format json) select s.handle from screens s join venues v on v.handle = s.venue_handle left join screen_presence p on p.screen_handle = s.handle
        where s.workspace_handle = (select workspace_handle from venues where handle = ${parseId('venue', first)!}) and s.sandbox = false and s.unpaired_at is null and ${condition} order by s.handle desc limit 101`);
      const plan = row!['QUERY PLAN'][0]!.Plan;
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    };
    // A page of 101 rows with three look-ups each is some 1,000 blocks at most; all ten thousand would be 30,000 or
    // more.
    expect(await explained('s.handle < 9007199254740991')).toBeLessThan(3_000);
    expect(await explained(`s.venue_handle = ${parseId('venue', first)!}`)).toBeLessThan(3_000);
  });
});
