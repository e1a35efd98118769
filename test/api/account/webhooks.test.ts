/**
 * Subscriptions to webhooks over the API: making, changing, deleting and rotating them, who may see them, and the log
 * of their deliveries. Nothing is delivered here; test/workers/webhooks.test.ts does that. Driven by calls to the API
 * in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_TYPES, mayHear } from '../../../domain/webhook.ts';
import { formatId } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { startSecondApi } from '../support/second-app.ts';
import { errorsOf, readAs } from '../support/answer.ts';

const DAY_MS = 86_400_000;
let api: TestApi;
let brand: TestWorkspace;
let key: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api);
  key = await createKey(api, brand, { expiresAt: new Date(Date.now() + 90 * DAY_MS) });
});
afterAll(() => api.close());

const make = (body: object = {}, as = key): Promise<Answer> =>
  api.call('POST', '/v1/webhooks', {
    key: as,
    body: { url: 'https://hooks.example.com/', events: ['campaign.created'], ...body },
  });
const read = (id: string, as = key) => api.call('GET', `/v1/webhooks/${id}`, { key: as });
const auditOf = async (id: string) =>
  dataOf(await api.call('GET', `/v1/audit?kind=changes&entity_id=${id}`, { key }))
    .map(entry => String(entry['action']))
    .reverse();

describe('a webhook', () => {
  test('is created with a secret that is shown once and stored encrypted', async () => {
    const events = EVENT_TYPES.filter(type => mayHear('ads_manager', type));
    const made = await make({ events });
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^whk_/),
        url: 'https://hooks.example.com/',
        events,
        status: 'active',
        client_errors: 0,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    const { secret, ...rest } = readAs<Record<string, string>>(made.body);
    expect((await read(rest['id']!)).body).toEqual(rest);
    expect(dataOf(await api.call('GET', '/v1/webhooks', { key }))[0]).toEqual(rest);
    const stored = await api.sql`select * from webhooks`;
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(stored.some(row => (row['secret'] as Buffer).includes(Buffer.from(secret!.slice(6), 'base64')))).toBe(false);
    expect(await auditOf(rest['id']!)).toEqual(['webhook.created']);
    expect(JSON.stringify(await api.sql`select diff from audit_entries`)).not.toContain(secret);
  });

  test.each<[string, object, string, string]>([
    ['an unknown event type', { events: ['campaign.exploded'] }, '/events/0', 'not_allowed'],
    ['no event type', { events: [] }, '/events', 'too_short'],
    ['the same event type twice', { events: ['screen.online', 'screen.online'] }, '/events', 'duplicate'],
    ['an unknown field', { secret: 'whsec_x' }, '/secret', 'unknown_field'],
    ['no address', { url: 'nonsense' }, '/url', 'not_allowed'],
    ['a user in its address', { url: 'https://user:pass@hooks.example.com/' }, '/url', 'not_allowed'],
    ['another scheme', { url: 'ftp://hooks.example.com/' }, '/url', 'not_allowed'],
  ])('with %s is refused', async (_name, body, pointer, code) => {
    expect(await make(body)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer, code }] },
    });
  });

  test('changes its address, events and status, each with an audit entry of the change', async () => {
    const id = (await make()).body['id']!;
    const change = async (body: object) => api.call('PATCH', `/v1/webhooks/${id}`, { key, body });
    expect(
      (await change({ url: 'https://hooks.example.com/next', events: ['audit.entry.created', 'scan.recorded'] })).body,
    ).toMatchObject({ url: 'https://hooks.example.com/next', events: ['audit.entry.created', 'scan.recorded'] });
    expect((await change({ status: 'disabled' })).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'requested',
      disabled_at: expect.any(String),
    });
    expect((await change({ status: 'disabled' })).status).toBe(200);
    expect(await api.call('POST', `/v1/webhooks/${id}/test`, { key })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect((await change({ status: 'active' })).body).toMatchObject({
      status: 'active',
      disabled_reason: null,
      disabled_at: null,
    });
    expect(await change({})).toMatchObject({ status: 422 });
    expect(await change({ url: 'http://[' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/url' }] } });
    expect(await auditOf(id)).toEqual(['webhook.created', 'webhook.updated', 'webhook.disabled', 'webhook.enabled']);
  });

  test('is gone once it is deleted, with its secrets', async () => {
    const id = (await make()).body['id']!;
    expect((await api.call('DELETE', `/v1/webhooks/${id}`, { key })).status).toBe(204);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ] as const) {
      expect([path, (await api.call(method, `/v1/webhooks/${id}${path}`, { key })).status]).toEqual([path, 404]);
    }
    expect(await api.sql`select secret, previous_secret from webhooks where deleted_at is not null`).toEqual([
      { secret: null, previous_secret: null },
    ]);
    expect(await auditOf(id)).toEqual(['webhook.created', 'webhook.deleted']);
  });

  test('is visible only to keys of its workspace and its book', async () => {
    const id = (await make()).body['id']!;
    const stranger = await createKey(api, await createWorkspace(api));
    const sandbox = await createKey(api, brand, { mode: 'test' });
    for (const as of [stranger, sandbox]) {
      expect((await read(id, as)).body).toMatchObject({ code: 'not_found' });
      expect(dataOf(await api.call('GET', '/v1/webhooks', { key: as }))).toEqual([]);
      expect((await api.call('PATCH', `/v1/webhooks/${id}`, { key: as, body: { status: 'disabled' } })).status).toBe(
        404,
      );
    }
    const own = (await make({}, sandbox)).body['id']!;
    expect((await read(own)).status).toBe(404);
  });

  test('of venues is visible to venue keys only, and of ads and agencies to ads and agency keys', async () => {
    const home = await createWorkspace(api, { kind: 'agency' });
    const surfaces = ['ads_manager', 'screen_manager', 'agency'] as const;
    const keys = Object.fromEntries(
      await Promise.all(surfaces.map(async surface => [surface, await createKey(api, home, { surface })] as const)),
    );
    const ids = Object.fromEntries(
      await Promise.all(
        surfaces.map(
          async surface =>
            [surface, (await make({ events: ['audit.entry.created'] }, keys[surface])).body['id']!] as const,
        ),
      ),
    );
    for (const by of surfaces)
      for (const of of surfaces) {
        const expected = (by === 'screen_manager') === (of === 'screen_manager') ? [200, 200, 201] : [404, 404, 404];
        const url = `/v1/webhooks/${ids[of]}`;
        const answers = [
          await read(ids[of]!, keys[by]),
          await api.call('PATCH', url, { key: keys[by]!, body: { url: 'https://hooks.example.com/mine' } }),
          await api.call('POST', `${url}/rotate`, { key: keys[by]! }),
        ];
        expect([by, of, answers.map(answer => answer.status)]).toEqual([by, of, expected]);
      }
    expect(
      dataOf(await api.call('GET', '/v1/webhooks', { key: keys['screen_manager']! })).map(record => record['id']),
    ).toEqual([ids['screen_manager']]);
  });

  test('is refused beyond 50, even if two are created at once', async () => {
    const as = await createKey(api, await createWorkspace(api));
    const made = await Promise.all(Array.from({ length: 55 }, () => make({}, as)));
    expect(made.filter(answer => answer.status === 201)).toHaveLength(50);
    expect(made.find(answer => answer.status !== 201)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });

  test('is refused with an address inside the network unless private addresses are allowed', async () => {
    const deployed = await startSecondApi(api);
    const made = await Promise.all(
      ['https://127.0.0.1/', 'http://hooks.example.com/', 'https://hooks.example.com:6379/', 'https://redis/'].map(
        url => deployed.call('POST', '/v1/webhooks', { key, body: { url, events: ['campaign.created'] } }),
      ),
    );
    expect(made.map(answer => [answer.status, errorsOf(answer.body)[0]!.pointer])).toEqual(
      made.map(() => [422, '/url']),
    );
    expect(
      (
        await deployed.call('POST', '/v1/webhooks', {
          key,
          body: { url: 'https://hooks.example.com:8443/', events: ['campaign.created'] },
        })
      ).status,
    ).toBe(201);
    await deployed.close();
  });
});

describe('rotation', () => {
  test('returns a new secret, and says until when the old one signs as well', async () => {
    const made = await make();
    const id = made.body['id']!;
    const rotated = await api.call('POST', `/v1/webhooks/${id}/rotate`, { key });
    expect(rotated).toMatchObject({ status: 201, body: { id, secret: expect.stringMatching(/^whsec_/) } });
    expect(rotated.body['secret']).not.toBe(made.body['secret']);
    expect(Date.parse(rotated.body['previous_secret_expires_at']!) - api.clock.now()).toBeGreaterThan(DAY_MS - 60_000);
    expect((await read(id)).body['secret']).toBeUndefined();
    api.clock.offsetMs += DAY_MS + 1_000;
    expect((await read(id)).body).toMatchObject({ previous_secret_expires_at: null });
    api.clock.offsetMs = 0;
  });
});

describe('the log of deliveries', () => {
  test('shows a test event at once, pages newest first, and filters by status', async () => {
    const id = (await make()).body['id']!;
    const sent = await Promise.all([1, 2, 3].map(() => api.call('POST', `/v1/webhooks/${id}/test`, { key })));
    expect(sent[0]).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^whd_/),
        event: { id: expect.stringMatching(/^evt_/), type: 'webhook.test' },
        status: 'pending',
        failure: null,
        attempts: [],
        next_attempt_at: null,
      },
    });
    const first = await api.call('GET', `/v1/webhooks/${id}/deliveries?limit=2`, { key });
    const second = await api.call('GET', `/v1/webhooks/${id}/deliveries?limit=2&cursor=${first.body['next_cursor']}`, {
      key,
    });
    expect(new Set([...dataOf(first), ...dataOf(second)].map(record => record['id']))).toEqual(
      new Set(sent.map(answer => answer.body['id'])),
    );
    expect(dataOf(await api.call('GET', `/v1/webhooks/${id}/deliveries?status=delivered`, { key }))).toEqual([]);
    expect(dataOf(await api.call('GET', `/v1/webhooks/${id}/deliveries?status=pending`, { key }))).toHaveLength(3);
    expect((await api.call('GET', `/v1/webhooks/${id}/deliveries?status=lost`, { key })).status).toBe(400);
  });

  test('of one webhook cannot redeliver to another webhook', async () => {
    const [one, other] = [(await make()).body['id']!, (await make()).body['id']!];
    const delivery = (await api.call('POST', `/v1/webhooks/${one}/test`, { key })).body['id']!;
    const redeliver = (webhook: string, id: string) =>
      api.call('POST', `/v1/webhooks/${webhook}/deliveries/${id}/redeliver`, { key });
    expect((await redeliver(other, delivery)).status).toBe(404);
    expect((await redeliver(one, formatId('webhook_delivery', handle('webhook_delivery', 999_999)))).status).toBe(404);
    const again = await redeliver(one, delivery);
    expect(again.status).toBe(201);
    expect(again.body['id']).not.toBe(delivery);
  });
});
