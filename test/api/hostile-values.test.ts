import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationsOf, type Document, type Operation, type Parameter } from '../../api/openapi/document.ts';
import { campaignBody, createKey, createReadyCreative, createWorkspace, startApi, VENUE, type TestApi } from './app-under-test.ts';

/**
 * Whatever stands in a field of a body or in a query parameter, the answer is a success or a refusal, never a failure of
 * the service. The bodies are the examples of the document, with one field after the other replaced.
 */
let api: TestApi;
let operations: { method: string; path: string; operation: Operation }[];
let keys: string[];
let ids: Record<string, string>;

beforeAll(async () => {
  api = await startApi();
  operations = operationsOf(api.app.swagger() as unknown as Document);
  const home = await createWorkspace(api, { kind: 'agency', funds: 1_000_000 });
  keys = await Promise.all(['ads_manager', 'screen_manager', 'agency'].map(surface => createKey(api, home, { surface })));
  const [ads, venues, agency] = keys as [string, string, string];
  const creative = await createReadyCreative(api, ads);
  const made = async (key: string, url: string, body: object) => (await api.call('POST', url, { key, body })).body['id']!;
  const venue = await made(venues, '/v1/venues', VENUE);
  const { code } = (await api.call('POST', '/v1/pairing', { key: venues, body: { venue_id: venue } })).body;
  ids = {
    campaigns: await made(ads, '/v1/campaigns', campaignBody(api, [creative])), creatives: creative, venues: venue,
    screens: await made(venues, '/v1/screens', { venue_id: venue, label: 'Bar', code }), playlists: await made(venues, '/v1/playlists', { name: 'Day', items: [{ type: 'ad_slot', weight: 1 }] }),
    clients: await made(agency, '/v1/agency/clients', { name: 'Client', billing_model: 'pass-through', currency: 'EUR' }), webhooks: await made(ads, '/v1/webhooks', { url: 'https://hooks.example.com/', events: ['campaign.created'] }),
  };
});
afterAll(() => api.close());

/** Texts that Postgres does not store, a long one, numbers at their ends, other types. */
const VALUES: unknown[] = ['\u0000', '\ud800', 'x'.repeat(5_000), 1e21, -1, null, [[]]];
/** As they stand in an address: a NUL, bytes that are no UTF-8, and what a number, a day or a statement might choke on. */
const TEXTS = ['%00', '%ED%A0%80', "'%3B--", '9'.repeat(1_000), '%2B275760-09-14'];

/** The body with each of its fields, at any depth, replaced by a value in turn. */
function* variants(body: unknown, value: unknown): Generator<unknown> {
  if (typeof body !== 'object' || body === null) return;
  for (const [key, inner] of Object.entries(body)) {
    const replace = (next: unknown) => (Array.isArray(body) ? body.with(Number(key), next) : { ...body, [key]: next });
    yield replace(value);
    for (const below of variants(inner, value)) yield replace(below);
  }
}

const pathOf = (path: string) => path.replaceAll(/\/([a-z]+)\/\{(\w+)\}/g, (_match, resource: string) => `/${resource}/${ids[resource] ?? 'x'}`);
/** The key of the surface that an operation is of. */
async function keyOf(method: string, url: string): Promise<string> {
  const statuses = await Promise.all(keys.map(async key => (await api.call(method, url, { key, ...(method !== 'GET' && { body: { no_such_field: 1 } }) })).status));
  return keys[statuses.findIndex(status => status !== 403)]!;
}
/** Runs so many at a time, so that no request waits for a connection longer than the service would let it. */
async function inTurns<T>(items: Iterable<T>, run: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]();
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await run(next.value);
  }));
}

test('no value in any field of any body is answered 5xx', async () => {
  const failures: string[] = [];
  let sent = 0;
  for (const { method, path, operation } of operations) {
    const example = operation.requestBody?.content['application/json']?.example;
    if (example === undefined || operation.security?.length === 0) continue;
    const bodies = VALUES.flatMap(value => [...variants(example, value)].map(body => ({ body, value })));
    const key = await keyOf(method.toUpperCase(), pathOf(path));
    await inTurns(bodies, async ({ body, value }) => {
      sent += 1;
      const { status } = await api.call(method.toUpperCase(), pathOf(path), { key, body });
      if (status >= 500) failures.push(`${method} ${path} ${JSON.stringify(value).slice(0, 20)}: ${JSON.stringify(body).slice(0, 200)}`);
    });
  }
  expect(sent).toBeGreaterThan(500);
  expect(failures).toEqual([]);
}, 120_000);

test('no value of any query parameter is answered 5xx', async () => {
  const queries = operations.filter(({ operation, method }) => method === 'get' && operation.security?.length !== 0).flatMap(({ path, operation }) => {
    const parameters = (operation.parameters ?? []).filter(parameter => !('$ref' in parameter) && parameter.in === 'query') as Parameter[];
    return parameters.flatMap(({ name }) => TEXTS.map(text => `${pathOf(path)}?${name}=${text}`));
  });
  const failures: string[] = [];
  const known = new Map<string, string>();
  await inTurns(queries, async url => {
    const path = url.split('?')[0]!;
    const key = known.get(path) ?? await keyOf('GET', path);
    known.set(path, key);
    if ((await api.call('GET', url, { key })).status >= 500) failures.push(url.slice(0, 200));
  });
  expect(queries.length).toBeGreaterThan(200);
  expect(failures).toEqual([]);
}, 120_000);
