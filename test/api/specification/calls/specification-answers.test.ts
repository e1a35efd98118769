/**
 * What holds for answers, examples and pages of the reference beside the records themselves (sections 2, 5 and 7 of
 * docs/interface-specification.md). Driven by calls to the API in this process on real engines. The last tests show
 * that every call of every test is compared with the schema of its route.
 */
import { randomBytes } from 'node:crypto';
import { fastify } from 'fastify';
import { Type, type TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../../../api/openapi/examples/all.ts';
import { formatId, type Handle } from '../../../../domain/id.ts';
import { formatKey } from '../../../../domain/access/key.ts';
import { parseCategory } from '../../../../domain/campaigns/taxonomy.ts';
import { handle } from '../../../support/handle.ts';
import {
  callApp,
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../../support/app-under-test.ts';

let api: TestApi;
let brand: TestWorkspace;
let key: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 10_000 });
  key = await createKey(api, brand);
});
afterAll(() => api.close());

describe('a 401 says how to authenticate', () => {
  test.each<[string, () => Promise<string | undefined>, RegExp]>([
    ['without a key', async () => undefined, /^Bearer realm="marquee"$/],
    [
      'with an unknown one',
      async () => formatKey(randomBytes(32), 'live'),
      /^Bearer realm="marquee", error="invalid_token", error_description="[^"]+"$/,
    ],
    [
      'with an expired one',
      () => createKey(api, brand, { expiresAt: new Date(api.clock.now() - 1) }),
      /^Bearer realm="marquee", error="invalid_token", error_description="This key has expired/,
    ],
    [
      'with a revoked one',
      () => createKey(api, brand, { revokedAt: new Date(api.clock.now() - 1) }),
      /^Bearer realm="marquee", error="invalid_token"/,
    ],
  ])('%s', async (_name, keyOf, challenge) => {
    const as = await keyOf();
    const answer = await api.call('GET', '/v1/wallet', as === undefined ? {} : { key: as });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, expect.stringMatching(challenge)]);
  });

  test('and no other answer does', async () => {
    for (const path of ['/v1/wallet', '/v1/screens', '/v1/campaigns/x'])
      expect((await api.call('GET', path, { key })).headers['www-authenticate']).toBeUndefined();
  });
});

test('X-Workspace-Id: what it names wrongly is said in the error, the same for nonsense and for a workspace of others', async () => {
  const agencyKey = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
  for (const id of [
    'nonsense',
    formatId('workspace', brand.handle),
    formatId('workspace', handle('workspace', 999_999)),
  ]) {
    const answer = await api.call('GET', '/v1/wallet', { key: agencyKey, headers: { 'x-workspace-id': id } });
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'X-Workspace-Id names no workspace of this agency.' },
    });
  }
});

test('the reference is there with a slash at its end, too', async () => {
  const [bare, slashed] = [await api.call('GET', '/docs/reference'), await api.call('GET', '/docs/reference/')];
  expect([slashed.status, slashed.headers['content-type'], slashed.raw.equals(bare.raw)]).toEqual([
    200,
    'text/html; charset=utf-8',
    true,
  ]);
});

describe('the examples of the reference', () => {
  test('could be sent today: no date of theirs has passed', () => {
    const dates = JSON.stringify(EXAMPLES).match(/\b20[0-9]{2}-[0-9]{2}-[0-9]{2}/g)!;
    expect(dates.length).toBeGreaterThan(20);
    expect(dates.filter(date => date < new Date().toISOString().slice(0, 10))).toEqual([]);
  });

  test('name categories as answers do', () => {
    const categories = Array.from(
      JSON.stringify(Object.values(EXAMPLES).map(example => example.response)).matchAll(
        /(?<!"vat":\{)"category":"([^"]+)"/g,
      ),
      match => match[1]!,
    );
    expect(categories.length).toBeGreaterThan(3);
    expect(categories.filter(category => parseCategory(category)?.slug !== category)).toEqual([]);
  });
});

test('a payout above the earnings is refused under a title that fits', async () => {
  const venueKey = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  await api.call('PUT', '/v1/payouts/account', {
    key: venueKey,
    body: { holder: 'Corner bar', iban: 'DE89370400440532013000' },
  });
  const answer = await api.call('POST', '/v1/payouts', {
    key: venueKey,
    body: { amount: { value: 500, currency: 'EUR' } },
  });
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([409, expect.not.stringContaining('budget')]);
});

describe('GET /reporting/scans takes dayparts as reports do', () => {
  test('by name and by hours of the venue, over midnight too', async () => {
    const venueKey = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    const venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE })).body['id']!; // Europe/Berlin
    const [row] = await api.sql<{ handle: Handle<'campaign'> }[]>`
      insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
      values (${brand.handle}, 'C', 'travel', 'live', false, 'EUR', 1, '2026-01-01', '2026-12-31', '{}', 1, '{}', now()) returning handle`;
    const campaign = formatId('campaign', row!.handle);
    const scan = (id: string, slotAt: string, daypart: string) => ({
      scan_id: id,
      scanned_at: `${slotAt}:05.000`,
      slot_at: `${slotAt}:00.000`,
      campaign_id: campaign,
      creative_id: formatId('creative', handle('creative', 1)),
      screen_id: formatId('screen', handle('screen', 1)),
      venue_id: venue,
      daypart,
      sandbox: false,
    });
    await api.clickhouse.insert({
      table: 'scans_raw',
      format: 'JSONEachRow',
      values: [
        scan('scan_noon', '2026-01-10 11:10', 'midday'),
        scan('scan_late', '2026-01-10 22:40', 'night'),
        scan('scan_early', '2026-01-11 00:20', 'night'),
      ],
    });
    const found = async (daypart: string) =>
      dataOf(await api.call('GET', `/v1/reporting/scans?campaign_id=${campaign}&daypart=${daypart}`, { key })).map(
        record => record['id'],
      );
    expect(await found('midday')).toEqual(['scan_noon']);
    expect(await found('12:00-12:15')).toEqual(['scan_noon']); // 12:10 in Berlin
    expect(await found('23:30-01:30')).toEqual(['scan_early', 'scan_late']); // 23:40 and 01:20
    expect(await found('11:00-11:15')).toEqual([]);
    for (const bad of ['12:00', '12:05-13:00', 'brunch'])
      expect((await api.call('GET', `/v1/reporting/scans?daypart=${bad}`, { key })).status).toBe(
        (await api.call('GET', `/v1/reporting/campaigns/${campaign}?daypart=${bad}`, { key })).status,
      );
  });
});

describe('a client asks whether something has changed', () => {
  test('a read carries an ETag; the same content is answered 304 without a body, counted and logged like any call, and another content in full', async () => {
    const path = '/v1/wallet';
    const first = await api.call('GET', path, { key });
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^"[\w+/=]+"$/);
    const same = await api.call('GET', path, { key, headers: { 'if-none-match': etag } });
    expect([same.status, same.raw.length, same.headers['etag']]).toEqual([304, 0, etag]);
    expect(Number(same.headers['x-ratelimit-remaining'])).toBeLessThan(Number(first.headers['x-ratelimit-remaining']));
    const other = await api.call('GET', path, { key, headers: { 'if-none-match': '"another"' } });
    expect([other.status, other.raw.equals(first.raw)]).toEqual([200, true]);
  });
});

describe('every call of a test compares its answer with the schema of the route', () => {
  const Answer = Type.Object({ name: Type.String(), at: Type.Optional(Type.String()) });
  const callOf = (schema: TSchema, answer: unknown) => {
    const app = fastify({ genReqId: () => randomBytes(8).toString('hex') });
    app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
    app.get('/thing', { schema: { response: { 200: schema } } }, async () => answer);
    return callApp(app, 'GET', '/thing');
  };

  test('and passes one that fits', async () => {
    expect((await callOf(Answer, { name: 'a', at: undefined })).body).toEqual({ name: 'a' });
  });

  test.each<[string, TSchema, unknown]>([
    ['a field that the schema does not have', Answer, { name: 'a', secret: 'b' }],
    ['one in a list', Type.Array(Answer), [{ name: 'a' }, { name: 'a', secret: 'b' }]],
    ['a value of another type', Answer, { name: 5 }],
    ['a field that is missing', Type.Object({ name: Type.Optional(Type.String()), at: Type.String() }), { name: 'a' }],
  ])('but not %s', async (_name, schema, answer) => {
    await expect(callOf(schema, answer)).rejects.toThrow('GET /thing answered');
  });
});
