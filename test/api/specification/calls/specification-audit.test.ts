/**
 * "Every call made with a key is written to the audit log with source API" (section 1 of docs/interface-
 * specification.md), and how long such entries are kept (section 8). Calls go to the API in this process on real
 * engines; entries are read from the audit once their batch is in ClickHouse.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../../../api/authentication/principal.ts';
import { createCallLog } from '../../../../api/http/logs/call-log.ts';
import { formatId } from '../../../../domain/id.ts';
import { handle } from '../../../support/handle.ts';
import { eventually } from '../../../support/network.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  dateFromNow,
  startApi,
  type Loose,
  type TestApi,
  type TestWorkspace,
} from '../../support/app-under-test.ts';
import { standIn } from '../../../support/stand-in.ts';

const YEAR_MS = 365.25 * 86_400_000;
let api: TestApi;
let brand: TestWorkspace;
let key: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 10_000 });
  key = await createKey(api, brand);
});
afterAll(() => api.close());

const list = async (query = '', as = key): Promise<Loose[]> =>
  dataOf(await api.call('GET', `/v1/audit?limit=100&source=API${query}`, { key: as }));
/** The entry whose call had this answer, once its batch is written. */
const entryOf = (
  answer: { headers: Record<string, unknown> },
  { as = key, query = '' }: { as?: string; query?: string } = {},
) =>
  eventually(async () =>
    (await list(query, as)).find(entry => entry['call']?.['request_id'] === answer.headers['x-request-id']),
  );
const makeCreative = (headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/creatives', {
    key,
    headers,
    body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000 },
  });
const stored = async (workspace: number): Promise<Record<string, unknown>[]> =>
  (
    await api.clickhouse.query({
      query: `select action, status, kept_years, lacking from private_api_calls where workspace_handle = ${workspace} order by at, number`,
      format: 'JSONEachRow',
    })
  ).json();

describe('every call made with a key is written to the audit log', () => {
  test('POST /forecasts', async () => {
    const answer = await api.call('POST', '/v1/forecasts', {
      key,
      body: {
        budget: { amount: 10, currency: 'EUR' },
        schedule: { starts: dateFromNow(api, 0), ends: dateFromNow(api, 1) },
      },
    });
    expect(await entryOf(answer)).toMatchObject({
      id: expect.stringMatching(/^aud_/),
      action: 'forecast.called',
      actor: { type: 'user', id: formatId('user', brand.user) },
      entity: { type: 'forecast', id: null },
      source: 'API',
      diff: {},
      call: { method: 'POST', path: '/v1/forecasts', status: 200, code: null },
    });
  });

  test.each<[string, string, object | undefined, number, string, string]>([
    ['GET', '/v1/screens', undefined, 403, 'wrong_surface', 'screen.refused'],
    [
      'GET',
      `/v1/campaigns/${formatId('campaign', handle('campaign', 999_999))}`,
      undefined,
      404,
      'not_found',
      'campaign.refused',
    ],
    ['GET', '/v1/campaigns?status=asleep', undefined, 400, 'bad_query_parameter', 'campaign.refused'],
    [
      'PATCH',
      `/v1/campaigns/${formatId('campaign', handle('campaign', 999_999))}`,
      { name: 'X' },
      404,
      'not_found',
      'campaign.refused',
    ],
    ['POST', '/v1/campaigns', { name: 'X' }, 422, 'validation_failed', 'campaign.refused'],
    [
      'POST',
      '/v1/webhooks',
      { url: 'nonsense', events: ['campaign.created'] },
      422,
      'validation_failed',
      'webhook.refused',
    ],
    ['GET', '/v1/no-such-path', undefined, 404, 'not_found', 'path.refused'],
    ['DELETE', '/v1/wallet', undefined, 405, 'method_not_allowed', 'path.refused'],
  ])('%s %s with %j, answered %i %s', async (method, path, body, status, code, action) => {
    const answer = await api.call(method, path, { key, ...(body && { body }) });
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect(await entryOf(answer)).toMatchObject({ action, call: { method, path, status, code } });
  });

  test('a call for a workspace that the key does not reach, in the log of its own', async () => {
    const agencyKey = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
    const answer = await api.call('GET', '/v1/wallet', {
      key: agencyKey,
      headers: { 'x-workspace-id': formatId('workspace', brand.handle) },
    });
    expect(await entryOf(answer, { as: agencyKey })).toMatchObject({ action: 'wallet.refused', call: { status: 404 } });
  });

  test('reads, which lists leave out by default', async () => {
    const answer = await api.call('GET', '/v1/wallet', { key });
    expect(await entryOf(answer, { query: '&include=reads' })).toMatchObject({
      action: 'wallet.read',
      call: { method: 'GET', path: '/v1/wallet', status: 200 },
    });
    expect((await list()).filter(entry => entry['action']!.endsWith('.read'))).toEqual([]);
  });

  test('a change once: by its own entry; its replay and a change of nothing as calls', async () => {
    const headers = { 'idempotency-key': 'one spot' };
    const [made, replayed] = [await makeCreative(headers), await makeCreative(headers)];
    expect(await entryOf(replayed)).toMatchObject({ action: 'creative.called', call: { status: 201 } });
    expect(await list(`&entity_id=${made.body['id']}`)).toMatchObject([{ action: 'creative.created' }]);
    expect((await list()).some(entry => entry['call']?.['request_id'] === made.headers['x-request-id'])).toBe(false);
  });

  test('calls that a limit refuses once a minute for each key', async () => {
    const home = await createWorkspace(api);
    const limited = await createKey(api, home, { perMinuteMax: 1 });
    const answers = [];
    for (let call = 0; call < 6; call += 1)
      answers.push((await api.call('GET', '/v1/wallet', { key: limited })).status);
    const refused = answers.filter(status => status === 429).length;
    const rows = await eventually(async () => {
      const found = await stored(home.handle);
      return found.some(row => row['status'] === 429) ? found : undefined;
    });
    expect(refused).toBeGreaterThanOrEqual(4);
    // two where a minute ended between the calls
    expect(rows.filter(row => row['status'] === 429).length).toBeLessThanOrEqual(2);
  });

  test('kind tells changes and calls apart', async () => {
    await eventually(async () => (await list('&kind=calls'))[0]);
    expect((await list('&kind=calls')).filter(entry => entry['call'] === undefined)).toEqual([]);
    expect((await list('&kind=changes')).filter(entry => entry['call'] !== undefined)).toEqual([]);
  });
});

describe('Audit retention: 7 years on the top plans, 2 years otherwise, of calls too', () => {
  test('by the plan at the time of the call', async () => {
    const top = await createWorkspace(api);
    await api.sql`update workspaces set plan = 'top' where handle = ${top.handle}`;
    await api.call('GET', '/v1/wallet', { key: await createKey(api, top) });
    expect(await eventually(async () => (await stored(top.handle))[0])).toMatchObject({
      action: 'wallet.read',
      kept_years: 7,
    });
    expect((await stored(brand.handle)).every(row => row['kept_years'] === 2)).toBe(true);
  });

  test('what is older is not shown, also before ClickHouse has dropped it', async () => {
    const home = await createWorkspace(api);
    const row = (years: number, keptYears: number, number: number) => ({
      at: ((Date.now() - years * YEAR_MS) / 1_000).toFixed(3),
      workspace_handle: home.handle,
      sandbox: false,
      number: 2 ** 52 + number,
      kept_years: keptYears,
      user_handle: home.user,
      action: 'wallet.refused',
      entity_type: 'wallet',
      status: 403,
    });
    await api.clickhouse.insert({
      table: 'private_api_calls',
      format: 'JSONEachRow',
      values: [row(1, 2, 1), row(3, 2, 2), row(3, 7, 3), row(8, 7, 4)],
    });
    const shown = await list('', await createKey(api, home));
    expect(shown.map(entry => Math.round((Date.now() - Date.parse(String(entry['at']))) / YEAR_MS))).toEqual([1, 3]);
  });
});

test('what does not fit into the buffer is counted, and the log says how much it lacks', async () => {
  const home = await createWorkspace(api);
  const calls = createCallLog({ clickhouse: api.clickhouse, log: api.workers.log, now: api.clock.now });
  const principal = standIn<Principal>({
    key: handle('key', 1),
    session: null,
    workspace: home.handle,
    currency: 'EUR',
    surface: 'ads_manager',
    user: home.user,
    email: 'someone@example.com',
    sandbox: false,
    auditYears: 2,
  });
  const request = standIn<FastifyRequest>({
    principal,
    isAudited: false,
    refusalCode: null,
    method: 'GET',
    url: '/v1/wallet',
    params: {},
    headers: {},
    ip: '127.0.0.1',
    id: 'req_x',
    once: null,
    routeOptions: standIn<FastifyRequest['routeOptions']>({
      config: { url: '/v1/wallet', method: 'GET', access: { resource: 'wallet', verb: 'read' } },
    }),
  });
  for (let call = 0; call < 20_050; call += 1) calls.note(request, { statusCode: 200 } as FastifyReply);
  await eventually(async () =>
    (await stored(home.handle)).some(row => row['action'] === 'audit.incomplete') ? true : undefined,
  );
  await calls.close();
  const rows = await stored(home.handle);
  expect([
    rows.filter(row => row['action'] === 'wallet.read').length,
    rows.filter(row => row['action'] === 'audit.incomplete'),
  ]).toEqual([20_000, [{ action: 'audit.incomplete', status: 0, kept_years: 2, lacking: 50 }]]);
  const entries = dataOf(await api.call('GET', '/v1/audit', { key: await createKey(api, home) }));
  expect(entries).toMatchObject([
    {
      action: 'audit.incomplete',
      actor: { type: 'system' },
      source: 'SYSTEM',
      diff: { calls: { from: null, to: 50 } },
    },
  ]);
});
