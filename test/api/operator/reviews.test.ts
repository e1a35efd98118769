/**
 * What the operator decides about campaigns of other workspaces, and which screens it sees. Driven by calls to the API
 * in this process on real engines; the rules of the workers decide first.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { formatId } from '../../../domain/id.ts';
import { rowsOf, type Loose } from '../support/answer.ts';

let api: TestApi;
let brand: TestWorkspace;
let key: string;
let operator: string;
let creative: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 1_000 });
  key = await createKey(api, brand);
  operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
  creative = await createReadyCreative(api, key);
});
afterAll(() => api.close());

/** A campaign whose category waits for a person, after the rules have looked at it. */
async function bookWaiting(name: string): Promise<string> {
  const body = campaignBody(api, [creative], { name, category: 'alcohol' });
  const { body: booked } = await api.call('POST', '/v1/campaigns', { key, body });
  await api.review();
  return booked['id']!;
}
const statusOf = async (id: string) => (await api.call('GET', `/v1/campaigns/${id}`, { key })).body['status'];
const waiting = async () => dataOf(await api.call('GET', '/v1/operator/reviews', { key: operator }));
const decide = (id: string, move: string, body?: object) =>
  api.call('POST', `/v1/operator/reviews/${id}/${move}`, { key: operator, ...(body && { body }) });

describe('the review queue', () => {
  test('shows the campaign with its creatives, and why its category needs a person', async () => {
    const id = await bookWaiting('Wine');
    expect(await waiting()).toMatchObject([
      {
        campaign_id: id,
        name: 'Wine',
        workspace: { name: 'Test' },
        category: 'alcohol',
        category_rule: 'age limits and local law on alcohol',
        budget: { amount: 100, currency: 'EUR' },
        creatives: [{ id: creative, status: 'ready', orientation: 'landscape' }],
      },
    ]);
    expect(await decide(id, 'approve')).toMatchObject({ status: 200, body: { campaign_id: id, status: 'live' } });
    expect([await statusOf(id), await waiting()]).toEqual(['live', []]);
  });

  test('rejects with a reason that the owner can read, and returns the money', async () => {
    const before = (await api.call('GET', '/v1/wallet', { key })).body['balance'];
    const id = await bookWaiting('Beer');
    const rejection = { code: 'misleading', detail: 'No beer makes anybody taller.' };
    const answer = await decide(id, 'reject', { reason: rejection.code, detail: rejection.detail });
    expect(answer).toMatchObject({ status: 200, body: { status: 'rejected', rejection } });
    expect((await api.call('GET', `/v1/campaigns/${id}`, { key })).body).toMatchObject({
      status: 'rejected',
      rejection,
    });
    expect((await api.call('GET', '/v1/wallet', { key })).body['balance']).toEqual(before);
  });

  test('rejects a running campaign, and refuses a decision on an ended one', async () => {
    const id = await bookWaiting('Cider');
    await decide(id, 'approve');
    expect(await decide(id, 'reject', { reason: 'policy' })).toMatchObject({ body: { status: 'rejected' } });
    for (const [move, body] of [['approve'], ['reject', { reason: 'policy' }]] as const)
      expect(await decide(id, move, body)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect(await decide(id, 'reject', { reason: 'ugly' })).toMatchObject({ status: 422 });
  });

  test('shows the owner that the operator decided, and the operator which person did', async () => {
    const id = await bookWaiting('Gin');
    await decide(id, 'approve');
    const newest = async (as: string, action: string) =>
      dataOf(await api.call('GET', `/v1/audit?kind=changes&action=${action}&limit=1`, { key: as }))[0];
    const own = await newest(operator, 'review.approved');
    expect(own).toMatchObject({ actor: { type: 'user' }, entity: { id } });
    expect(await newest(key, 'campaign.approved')).toMatchObject({
      actor: { type: 'operator', id: 'operator', email: null },
      entity: { id },
      ip: null,
    });
  });
});

test('the network lists the screens of all workspaces, searchable by id, place and owner', async () => {
  const venues = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  const venue = (await api.call('POST', '/v1/venues', { key: venues, body: VENUE })).body['id']!;
  const { code } = (await api.call('POST', '/v1/pairing', { key: venues, body: { venue_id: venue } })).body;
  const body = { venue_id: venue, label: 'Door', code };
  const { id } = (await api.call('POST', '/v1/screens', { key: venues, body })).body;
  const search = async (query: string) =>
    (await api.call('GET', `/v1/operator/screens?count=true&${query}`, { key: operator })).body;
  const { data, total } = await search('q=berlin');
  expect(data).toMatchObject([
    { id, label: 'Door', status: 'paired_idle', last_seen_at: null, venue: { id: venue, city: 'Berlin' } },
  ]);
  const owner = encodeURIComponent(rowsOf<Loose>(data)[0]!['workspace']!['name']!);
  const idle = `status=paired_idle&limit=1&q=${owner}`;
  expect([
    total,
    await search(idle),
    await search('q=DOOR'),
    await search(`q=${String(id)}`),
    await search('q=nowhere'),
    await search('status=online'),
  ]).toMatchObject([
    1,
    { data: [{ id }], total: 1 },
    { data: [{ id }], total: 1 },
    { data: [{ id }], total: 1 },
    { data: [], total: 0 },
    { data: [], total: 0 },
  ]);
});

describe('the figures of venues', () => {
  const CLAIM = { daily_visitors: 100_000, dwell_minutes: 1_440 };
  const decideFigures = (id: string, move: string, body: object = {}, by = operator) =>
    api.call('POST', `/v1/operator/venue-reviews/${id}/${move}`, { key: by, body });
  const waitingVenues = async () =>
    dataOf(await api.call('GET', '/v1/operator/venue-reviews?count=true', { key: operator }));

  const approvalsOf = async (id: string, as: string) =>
    dataOf(await api.call('GET', `/v1/audit?action=venue.approved&entity_id=${id}`, { key: as }));

  async function claim(): Promise<{ id: string; venueKey: string; owner: TestWorkspace }> {
    const owner = await createWorkspace(api, { kind: 'venue' });
    const venueKey = await createKey(api, owner, { surface: 'screen_manager' });
    const { body } = await api.call('POST', '/v1/venues', { key: venueKey, body: { ...VENUE, ...CLAIM } });
    return { id: body['id']!, venueKey, owner };
  }

  test('that wait are listed with those in force and what is plausible, until the operator approves them', async () => {
    const { id, venueKey, owner } = await claim();
    expect((await waitingVenues()).find(({ venue_id: one }) => one === id)).toMatchObject({
      name: VENUE.name,
      workspace: { id: formatId('workspace', owner.handle) },
      figures: {
        in_force: { daily_visitors: 120 },
        pending: CLAIM,
        review: { reasons: ['visitors_above_type', 'dwell_above_type'] },
      },
      limits: { audience_max: 110 },
    });
    const approved = await decideFigures(id, 'approve', { audience_max: 40 });
    expect(approved).toMatchObject({
      status: 200,
      body: {
        venue_id: id,
        figures: { in_force: { ...CLAIM, audience_max: 40 }, pending: null, review: { status: 'approved' } },
      },
    });
    expect((await waitingVenues()).map(({ venue_id: one }) => one)).not.toContain(id);
    expect((await api.call('GET', `/v1/venues/${id}`, { key: venueKey })).body['figures']).toEqual(
      approved.body['figures'],
    );
    expect(await approvalsOf(id, venueKey)).toHaveLength(1);
    expect(await approvalsOf(id, operator)).toHaveLength(1);
  });

  test('that are approved again as they are change nothing, in no audit log', async () => {
    const { id, venueKey } = await claim();
    const first = await decideFigures(id, 'approve', { audience_max: 40 });
    expect((await decideFigures(id, 'approve', { audience_max: 40 })).body).toEqual(first.body);
    expect(await approvalsOf(id, venueKey)).toHaveLength(1);
    expect(await approvalsOf(id, operator)).toHaveLength(1);
  });

  test('are rejected with a reason that the venue reads, once', async () => {
    const { id, venueKey } = await claim();
    expect(await decideFigures(id, 'reject', { reason: 'unproven' })).toMatchObject({ status: 200 });
    expect((await api.call('GET', `/v1/venues/${id}`, { key: venueKey })).body).toMatchObject({
      daily_visitors: 120,
      figures: { pending: null, review: { status: 'rejected', rejection: { code: 'unproven' } } },
    });
    expect(await decideFigures(id, 'reject', { reason: 'unproven' })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect(await decideFigures(id, 'approve')).toMatchObject({ status: 409 });
  });

  test('are decided as they were read: the decision on a request that was replaced or decided is refused', async () => {
    const { id, venueKey } = await claim();
    const requestedAt = async () => {
      const { review } = (await api.call('GET', `/v1/venues/${id}`, { key: venueKey })).body['figures']!;
      return { requested_at: review!['requested_at']! };
    };
    const read = await requestedAt();
    await api.call('PATCH', `/v1/venues/${id}`, { key: venueKey, body: { daily_visitors: 999_999 } });
    const refused = { status: 409, body: { code: 'state_conflict' } };
    expect(await decideFigures(id, 'approve', read)).toMatchObject(refused);
    expect(await decideFigures(id, 'reject', { ...read, reason: 'unproven' })).toMatchObject(refused);
    const now = await requestedAt();
    const both = await Promise.all(
      [40, 4_000].map(crowd => decideFigures(id, 'approve', { ...now, audience_max: crowd })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await decideFigures(id, 'approve', { audience_max: 50 })).toMatchObject({ status: 200 });
  });

  test('are refused with the name of a wrong field, to others than the operator, and in the other book', async () => {
    const { id, venueKey } = await claim();
    for (const [body, pointer] of [
      [{ audience_max: 0 }, '/audience_max'],
      [{ audience_max: 100_001 }, '/audience_max'],
      [{ reason: 'unproven' }, '/reason'],
      [{ requested_at: 'yesterday' }, '/requested_at'],
      [{ requested_at: null }, '/requested_at'],
    ] as const)
      expect(await decideFigures(id, 'approve', body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    expect(await decideFigures(id, 'reject', { reason: 'no' })).toMatchObject({ status: 422 });
    expect(await decideFigures(id, 'approve', {}, venueKey)).toMatchObject({ status: 403 });
    const sandboxed = await createKey(api, await createWorkspace(api, { kind: 'operator' }), {
      surface: 'operator',
      mode: 'test',
    });
    expect(await decideFigures(id, 'approve', {}, sandboxed)).toMatchObject({ status: 404 });
    expect((await waitingVenues()).map(({ venue_id: one }) => one)).toContain(id);
  });
});
