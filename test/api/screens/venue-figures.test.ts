/**
 * What a venue says of its visitors, and the impressions that delivery computes from it: people of one address count
 * once, and implausible figures wait for the operator. The API and the loader of delivery run in this process on real
 * engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../../domain/id.ts';
import { impressionsThousandths, SCREENS_SEEN_MAX, venueLimits } from '../../../domain/screens/venue.ts';
import { decideVenue, listVenues, recheckVenues } from '../../../cli/admin/supply/venues.ts';
import { createLoader, type Loader } from '../../../delivery/snapshot/loader.ts';
import { Store } from '../../../delivery/snapshot/store.ts';
import { createLog } from '../../../runtime/log.ts';
import { changesSince, currentPosition } from '#books/change-log.ts';
import {
  createKey,
  createWorkspace,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';

const SLOT_MS = 15_000;
/** 400 visitors of 45 minutes in a bar that is always open. */
const BAR_THOUSANDTHS = 12_500;

let api: TestApi;
let loader: Loader;

beforeAll(async () => {
  api = await startApi();
  loader = createLoader({ sql: api.sql, publicUrl: 'http://api.test', log: createLog('delivery', 'error') });
});
afterAll(() => api.close());

type Owner = {
  workspace: TestWorkspace;
  key: string;
  createVenue(changes?: object): Promise<string>;
  pair(venue: string): Promise<string>;
};

async function createOwner(workspace?: TestWorkspace, mode: 'live' | 'test' = 'live'): Promise<Owner> {
  workspace ??= await createWorkspace(api, { kind: 'venue' });
  const key = await createKey(api, workspace, { surface: 'screen_manager', mode });
  return {
    workspace,
    key,
    createVenue: async (changes = {}) =>
      (await api.call('POST', '/v1/venues', { key, body: { ...VENUE, ...changes } })).body['id']!,
    async pair(venue) {
      const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
      return (await api.call('POST', '/v1/screens', { key, body: { venue_id: venue, label: 'Wall', code } })).body[
        'id'
      ]!;
    },
  };
}

/** Estimated impressions of a play on the screen, in thousandths, as delivery decides with them. */
async function estimateOn(screen: string, loaded: 'all' | 'few' = 'few'): Promise<number> {
  const store = new Store(Date.now());
  const [record] = await loader.loadScreens([parseId('screen', screen)!]);
  const venues = loaded === 'all' ? (await loader.loadAll()).venues : await loader.loadVenues([record!.venue]);
  store.apply({ campaigns: new Map(), venues, screens: new Map([[record!.handle, record]]), playlists: new Map() });
  const venue = store.screens.venueAt(store.screens.screenIndex(record!.handle)!);
  return impressionsThousandths(venue.meanAudience(), SLOT_MS);
}

/** The venues that delivery has to read again after `act`. */
async function venuesTold(act: () => Promise<unknown>): Promise<Set<number>> {
  const before = await currentPosition(api.sql);
  await act();
  return new Set(
    (await changesSince(api.sql, before)).changes
      .filter(change => change.entity === 'venue')
      .map(change => change.handle),
  );
}

describe('the people of one address', () => {
  test('are counted once, however many venues and screens its owner registers there', async () => {
    const owner = await createOwner();
    const first = await owner.pair(await owner.createVenue());
    expect(await estimateOn(first)).toBe(BAR_THOUSANDTHS);
    for (let number = 1; number < SCREENS_SEEN_MAX; number++) await owner.pair(await owner.createVenue());
    expect(await estimateOn(first)).toBe(BAR_THOUSANDTHS);
    for (let number = 0; number < SCREENS_SEEN_MAX; number++) await owner.pair(await owner.createVenue());
    expect(await estimateOn(first)).toBe(BAR_THOUSANDTHS / 2);
    expect(await estimateOn(first, 'all')).toBe(BAR_THOUSANDTHS / 2);
  });

  test('are not shared with the screens of other owners, of the sandbox, and of other addresses', async () => {
    const owner = await createOwner();
    const screen = await owner.pair(await owner.createVenue());
    const [neighbour, sandbox] = [await createOwner(), await createOwner(owner.workspace, 'test')];
    const farther = await owner.createVenue({ lat: VENUE.lat + 0.01 });
    const [beside, tried] = [await neighbour.createVenue(), await sandbox.createVenue()];
    for (let number = 0; number <= SCREENS_SEEN_MAX; number++)
      await Promise.all([neighbour.pair(beside), sandbox.pair(tried), owner.pair(farther)]);
    expect(await estimateOn(screen)).toBe(BAR_THOUSANDTHS);
  });

  test('are sent to delivery again for each venue there when a screen is added, removed or moved', async () => {
    const owner = await createOwner();
    const [here, beside, away] = [
      await owner.createVenue(),
      await owner.createVenue(),
      await owner.createVenue({ lat: VENUE.lat + 0.01 }),
    ];
    const screens: string[] = [];
    for (let number = 0; number < SCREENS_SEEN_MAX; number++) screens.push(await owner.pair(here));
    const [last, moving] = [await owner.pair(beside), await owner.pair(beside)];
    const both = [parseId('venue', here)!, parseId('venue', beside)!];
    expect([...(await venuesTold(() => owner.pair(beside)))]).toEqual(both);
    expect([...(await venuesTold(() => api.call('DELETE', `/v1/screens/${last}`, { key: owner.key })))]).toEqual(both);
    expect([
      ...(await venuesTold(() =>
        api.call('PATCH', `/v1/screens/${moving}`, { key: owner.key, body: { venue_id: away } }),
      )),
    ]).toEqual(both);
    expect(
      [
        ...(await venuesTold(() =>
          api.call('PATCH', `/v1/venues/${beside}`, { key: owner.key, body: { lat: VENUE.lat + 0.01 } }),
        )),
      ].sort(),
    ).toEqual([...both].sort());
    expect(await estimateOn(screens[0]!)).toBe(BAR_THOUSANDTHS);
  });
});

describe('implausibly high figures', () => {
  const CLAIM = { daily_visitors: 100_000, dwell_minutes: 1_440 };
  const approve = (venue: string, audienceMax?: number) =>
    decideVenue(api.sql, new Date(), { venue: parseId('venue', venue)!, audienceMax });
  const listed = async (owner: Owner) =>
    (
      (await listVenues(api.sql, { workspace: owner.workspace.handle, pending: true }))['venues'] as { id: string }[]
    ).map(({ id }) => id);
  const read = async (owner: Owner, venue: string) =>
    (await api.call('GET', `/v1/venues/${venue}`, { key: owner.key })).body;
  const patch = async (owner: Owner, venue: string, body: object) =>
    (await api.call('PATCH', `/v1/venues/${venue}`, { key: owner.key, body })).body;
  const auditOf = async (venue: string) =>
    api.sql<
      { action: string; diff: Record<string, unknown> }[]
    >`select action, diff from audit_entries where entity_type = 'venue' and entity_handle = ${parseId('venue', venue)!} order by number`;
  const earn = async (owner: Owner, venue: string) => api.sql`
    insert into venue_earnings (workspace_handle, venue_handle, sandbox, currency, day, settled_on, tier, share_millionths, plays, impressions_thousandths, gross_micros, earned_micros)
    values (${owner.workspace.handle}, ${parseId('venue', venue)!}, false, 'EUR', current_date, current_date, 'minimum', 50000, 1, 1000, 5100, 255)`;

  test('wait for the operator, and a small venue of the type counts until then', async () => {
    const owner = await createOwner();
    const created = await api.call('POST', '/v1/venues', { key: owner.key, body: { ...VENUE, ...CLAIM } });
    expect(created).toMatchObject({
      status: 201,
      body: {
        daily_visitors: 120,
        dwell_minutes: 45,
        figures: {
          in_force: { daily_visitors: 120, dwell_minutes: 45, audience_max: 100 },
          pending: CLAIM,
          review: {
            status: 'pending',
            reasons: ['visitors_above_type', 'dwell_above_type'],
            decided_at: null,
            rejection: null,
          },
        },
      },
    });
    const screen = await owner.pair(created.body['id']!);
    expect(await estimateOn(screen)).toBe(3_750);
    expect(await listed(owner)).toEqual([created.body['id']]);
  });

  test('apply once the operator approves them, and no play counts more people than can see the screen', async () => {
    const owner = await createOwner();
    const venue = await owner.createVenue(CLAIM);
    const screen = await owner.pair(venue);
    expect([...(await venuesTold(() => approve(venue)))]).toEqual([parseId('venue', venue)]);
    expect(await read(owner, venue)).toMatchObject({
      ...CLAIM,
      figures: { in_force: { ...CLAIM, audience_max: 110 }, pending: null, review: { status: 'approved' } },
    });
    expect(await estimateOn(screen)).toBe(110_000);
    await approve(venue, 40);
    expect(await estimateOn(screen)).toBe(40_000);
    expect(await listed(owner)).toEqual([]);
    expect((await auditOf(venue)).map(({ action }) => action)).toEqual([
      'venue.created',
      'venue.approved',
      'venue.approved',
    ]);
    await expect(approve(venue)).rejects.toThrow('No figures');
  });

  test('show the venue a reason when the operator rejects them', async () => {
    const owner = await createOwner();
    const venue = await owner.createVenue(CLAIM);
    await decideVenue(api.sql, new Date(), { venue: parseId('venue', venue)!, reason: 'unproven' });
    expect(await read(owner, venue)).toMatchObject({
      daily_visitors: 120,
      figures: { pending: null, review: { status: 'rejected', rejection: { code: 'unproven' } } },
    });
    await expect(
      decideVenue(api.sql, new Date(), { venue: parseId('venue', venue)!, reason: 'unproven' }),
    ).rejects.toThrow('No figures');
    expect(await patch(owner, venue, CLAIM)).toMatchObject({
      figures: { pending: CLAIM, review: { status: 'pending', rejection: null } },
    });
  });

  test('wait while the rest of the change applies, and no longer when they are withdrawn', async () => {
    const owner = await createOwner();
    const venue = await owner.createVenue();
    expect(await patch(owner, venue, { name: 'The corner', daily_visitors: 90_000 })).toMatchObject({
      name: 'The corner',
      daily_visitors: 400,
      figures: { pending: { daily_visitors: 90_000 } },
    });
    expect(await patch(owner, venue, { dwell_minutes: 50 })).toMatchObject({
      dwell_minutes: 50,
      figures: { pending: { daily_visitors: 90_000 } },
    });
    const entries = await auditOf(venue);
    expect(await patch(owner, venue, { daily_visitors: 90_000 })).toMatchObject({
      figures: { pending: { daily_visitors: 90_000 } },
    });
    expect(await auditOf(venue)).toEqual(entries);
    expect(await patch(owner, venue, { daily_visitors: 410 })).toMatchObject({
      daily_visitors: 410,
      figures: { pending: null, review: null },
    });
    expect((await auditOf(venue)).at(-1)).toMatchObject({
      action: 'venue.updated',
      diff: { pending_figures: { from: { daily_visitors: 90_000 }, to: null }, daily_visitors: { from: 400, to: 410 } },
    });
  });

  test('of a venue with earnings also wait after other price-raising changes: type, place, hours, and a leap of visitors', async () => {
    const owner = await createOwner();
    const venue = await owner.createVenue({ opening_hours: { fri: [{ start: '18:00', end: '23:00' }] } });
    await patch(owner, venue, { city: 'Potsdam', lat: 52.4 });
    await earn(owner, venue);
    const change = {
      type: 'education.schools',
      city: 'Berlin',
      lat: 52.52,
      opening_hours: null,
      daily_visitors: 1_400,
    };
    expect(await patch(owner, venue, change)).toMatchObject({
      type: VENUE.type,
      city: 'Potsdam',
      daily_visitors: 400,
      figures: {
        pending: change,
        review: { reasons: ['type_dearer', 'place_moved', 'hours_widened', 'audience_raised'] },
      },
    });
    const [waiting] = (await listVenues(api.sql, { workspace: owner.workspace.handle, pending: true }))[
      'venues'
    ] as object[];
    const { visitorsMax, audienceMax } = venueLimits(change.type); // of the type that it asks for
    expect(waiting).toMatchObject({ limits: { daily_visitors: visitorsMax, audience_max: audienceMax } });
    await approve(venue);
    expect(await read(owner, venue)).toMatchObject({
      ...change,
      figures: { pending: null, in_force: { audience_max: audienceMax } },
    });
  });

  test('older than this rule are submitted to the operator by a recheck, once', async () => {
    const owner = await createOwner();
    const [usual, large] = [await owner.createVenue(), await owner.createVenue()];
    await api.sql`update venues set daily_visitors = 100000, dwell_minutes = 1440, baseline_figures = null where handle = ${parseId('venue', large)!}`;
    expect((await recheckVenues(api.sql, new Date()))['held']).toEqual([large]);
    expect(await read(owner, large)).toMatchObject({ daily_visitors: 120, figures: { pending: CLAIM } });
    expect(await read(owner, usual)).toMatchObject({ daily_visitors: 400, figures: { pending: null } });
    expect((await recheckVenues(api.sql, new Date()))['held']).toEqual([]);
  });
});
