/** The list of venues with screens and earnings of this month, for those who may read each, on real engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readActivity } from '../../../api/venues/activity.ts';
import { parseId, type Handle } from '../../../domain/id.ts';
import { addEarnings } from '../support/earnings.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';

/** April in Berlin, and already May in Auckland. */
const NOW = Date.UTC(2037, 3, 30, 20);

let api: TestApi;
let owner: TestWorkspace;
let key: string;
let berlin: Handle<'venue'>;
let auckland: Handle<'venue'>;

const open = async (opener: string, changes: object = {}): Promise<Handle<'venue'>> => {
  const { body } = await api.call('POST', '/v1/venues', { key: opener, body: { ...VENUE, ...changes } });
  return parseId('venue', body['id']!)!;
};
const pair = async (venue: string): Promise<Handle<'screen'>> => {
  const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
  const body = { platform: 'linux', player: '1' };
  return parseId('screen', (await api.call('POST', `/v1/pairing/${code}/confirm`, { body })).body['screen_id']!)!;
};
const listed = async (query: string, reader = key) =>
  dataOf(await api.call('GET', `/v1/venues?sort=name${query}`, { key: reader }));

beforeAll(async () => {
  api = await startApi();
  api.clock.offsetMs = NOW - Date.now();
  owner = await createWorkspace(api, { kind: 'venue' });
  key = await createKey(api, owner, { surface: 'screen_manager' });
  auckland = await open(key, { name: 'Auckland', timezone: 'Pacific/Auckland' });
  berlin = await open(key, { name: 'Berlin' });
  const id = (await listed('&q=Berlin'))[0]!['id']!;
  const [online, silent] = [await pair(id), await pair(id)];
  await pair(id);
  for (const [screen, at] of [
    [online, NOW],
    [silent, NOW - 3_600_000],
  ])
    await api.sql`
      insert into screen_presence (screen_handle, online, last_seen_at) values (${screen!}, true, ${new Date(at!)})`;
  const earn = (venue: Handle<'venue'>, day: string, amount: number, currency = 'EUR') =>
    addEarnings(api, { workspace: owner.handle, venue, day, amount, currency });
  await earn(berlin, '2037-03-31', 100);
  await earn(berlin, '2037-04-01', 1.5);
  await earn(berlin, '2037-04-30', 2);
  await earn(berlin, '2037-04-02', 7, 'USD');
  await earn(auckland, '2037-04-30', 50);
  await earn(auckland, '2037-05-01', 3);
});
afterAll(() => api.close());

describe('the activity of venues', () => {
  test('has their screens, those online, and what they earned this month where they are', async () => {
    expect((await listed('&include=activity')).map(({ name, activity }) => ({ name, activity }))).toEqual([
      {
        name: 'Auckland',
        activity: { screens: 0, screens_online: 0, earnings_this_month: [{ value: 3, currency: 'EUR' }] },
      },
      {
        name: 'Berlin',
        activity: {
          screens: 3,
          screens_online: 1,
          earnings_this_month: [
            { value: 3.5, currency: 'EUR' },
            { value: 7, currency: 'USD' },
          ],
        },
      },
    ]);
  });

  test('is only in lists that ask for it', async () => {
    expect((await listed('')).filter(venue => 'activity' in venue)).toEqual([]);
  });

  test('counts nothing of another workspace, and nothing of the other book', async () => {
    const other = await createWorkspace(api, { kind: 'venue' });
    const reader = await createKey(api, other, { surface: 'screen_manager' });
    await open(reader, { name: 'Elsewhere' });
    const activity = { screens: 0, screens_online: 0, earnings_this_month: [] };
    expect(await listed('&include=activity', reader)).toMatchObject([{ name: 'Elsewhere', activity }]);
    const options = { venues: [berlin, auckland], now: NOW };
    const of = await readActivity(api.sql, { ...asPrincipal('screen_manager'), workspace: other.handle }, options);
    expect([of(berlin), of(auckland)]).toEqual([activity, activity]);
    const sandbox = await readActivity(api.sql, { ...asPrincipal('screen_manager'), sandbox: true }, options);
    expect([sandbox(berlin), sandbox(auckland)]).toEqual([activity, activity]);
  });

  test('has no earnings for a caller who may not read payouts', async () => {
    const of = await readActivity(api.sql, asPrincipal('ads_manager'), { venues: [berlin], now: NOW });
    expect(of(berlin)).toEqual({ screens: 3, screens_online: 1 });
  });
});

function asPrincipal(surface: 'ads_manager' | 'screen_manager') {
  return { surface, role: 'owner', access: 'read_write', workspace: owner.handle, sandbox: false } as const;
}
