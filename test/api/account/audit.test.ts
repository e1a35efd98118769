/**
 * GET /v1/audit shows each change once, with who made it and what it changed, and each read where reads are asked for.
 * Filters, pages and the separation of workspaces and books are tested by calls to the API in this process, on real
 * Postgres, Redis and ClickHouse. The last test checks that the hash chain of every workspace is unbroken.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../../domain/id.ts';
import { verifyAuditChain } from '#books/audit-chain.ts';
import { handle } from '../../support/handle.ts';
import { eventually } from '../../support/network.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Loose,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';

let api: TestApi;
let brand: TestWorkspace;
let key: string;
let campaign: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 10_000 });
  key = await createKey(api, brand);
  const creative = await createReadyCreative(api, key);
  campaign = (
    await api.call('POST', '/v1/campaigns', {
      key,
      body: campaignBody(api, [creative]),
      headers: { 'user-agent': 'planner/1' },
    })
  ).body['id']!;
});
afterAll(() => api.close());

const list = async (query: string, as = key): Promise<Loose[]> => {
  const kind = /include=|kind=/.test(query) ? '' : '&kind=changes';
  const answer = await api.call('GET', `/v1/audit?limit=100${kind}${query}`, { key: as });
  expect(answer.status).toBe(200);
  return dataOf(answer);
};

describe('GET /audit', () => {
  test('has one entry per change, with actor, entity, ip, user agent, source and diff', async () => {
    const [entry] = await list(`&entity_id=${campaign}&action=campaign.created`);
    expect(entry).toMatchObject({
      id: expect.stringMatching(/^aud_/),
      at: expect.stringMatching(/Z$/),
      action: 'campaign.created',
      actor: { type: 'user', id: formatId('user', brand.user), email: 'someone@example.com' },
      entity: { type: 'campaign', id: campaign, name: 'Autumn' },
      ip: '127.0.0.1',
      user_agent: 'planner/1',
      source: 'API',
      diff: { name: { from: null, to: 'Autumn' } },
    });
  });

  test('a pause is an entry campaign.paused with the status from live to paused', async () => {
    await api.sql`update campaigns set status = 'live', review_waits_for = null where status <> 'live'`;
    expect((await api.call('PATCH', `/v1/campaigns/${campaign}`, { key, body: { status: 'paused' } })).status).toBe(
      200,
    );
    expect(await list('&action=campaign.paused')).toMatchObject([{ diff: { status: { from: 'live', to: 'paused' } } }]);
  });

  test.each([
    ['actor=usr', () => `&actor=${formatId('user', brand.user)}`, (entry: Loose) => entry['actor']!['type'] === 'user'],
    [
      'actor=address',
      () => '&actor=someone@example.com',
      (entry: Loose) => entry['actor']!['email'] === 'someone@example.com',
    ],
    ['actor=system', () => '&actor=system', (entry: Loose) => entry['actor']!['type'] === 'system'],
    ['entity', () => '&entity=creative', (entry: Loose) => entry['entity']!['type'] === 'creative'],
    ['entity_id', () => `&entity_id=${campaign}`, (entry: Loose) => entry['entity']!['id'] === campaign],
    ['action', () => '&action=creative.created', (entry: Loose) => entry['action'] === 'creative.created'],
    ['source', () => '&source=API', (entry: Loose) => entry['source'] === 'API'],
  ])('is filtered by %s', async (_name, query, holds) => {
    const all = await list('');
    const found = await list(query());
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(entry => entry['id'])).toEqual(all.filter(holds).map(entry => entry['id']));
  });

  test('is filtered by time range: a day counts to its end', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const all = await list('');
    expect((await list(`&from=${today}&to=${today}`)).length).toBe(all.length);
    expect(await list('&to=2020-01-01')).toEqual([]);
    const middle = all[Math.floor(all.length / 2)]!['at'];
    expect((await list(`&to=${middle}`)).length + (await list(`&from=${middle}`)).length).toBeGreaterThan(all.length);
  });

  test.each([
    'actor=nobody',
    'actor=a%00@example.com',
    'from=0000-01-01',
    'entity_id=cmp_x',
    'from=2026-13-01',
    'from=2026-02-30',
    'to=2026-02-29T10:00Z',
    'from=yesterday',
    'include=writes',
    'source=WEB',
    'order=asc',
    'cursor=AAAA',
    'action=paused',
  ])('refuses %s with 400', async query => {
    expect((await api.call('GET', `/v1/audit?${query}`, { key })).status).toBe(400);
  });

  test('pages are stable while entries are added', async () => {
    const before = (await list('')).map(entry => entry['id']);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await api.call('GET', `/v1/audit?limit=2&kind=changes${cursor}`, { key });
      seen.push(...dataOf(page).map(entry => entry['id']!));
      cursor = page.body['next_cursor'] === (null as unknown) ? '' : `&cursor=${page.body['next_cursor']}`;
      await api.call('POST', '/v1/creatives', {
        key,
        body: { name: 'More', orientation: 'landscape', duration_ms: 10_000, filename: 'a.mp4' },
      });
    } while (cursor !== '');
    expect(seen).toEqual(before);
  });

  test('another workspace sees none of it, and a test key none of the live entries', async () => {
    const other = await createKey(api, await createWorkspace(api));
    expect(await list('', other)).toEqual([]);
    const sandbox = await createKey(api, brand, { mode: 'test' });
    expect(await list('', sandbox)).toEqual([]);
    await createReadyCreative(api, sandbox, 'Play');
    expect((await list('', sandbox)).map(entry => entry['action']).sort()).toEqual([
      'creative.created',
      'creative.ready',
      'creative.uploaded',
    ]);
    expect((await list('&entity=creative')).some(entry => JSON.stringify(entry['diff']).includes('"Play"'))).toBe(
      false,
    );
  });
});

describe('reads', () => {
  test('made with a key are listed with include=reads, once answered, in one order with the changes', async () => {
    await api.call('GET', `/v1/campaigns/${campaign}?`, {
      key,
      headers: { 'user-agent': 'reader/2', 'x-service-sdk': 'reader/2.0' },
    });
    const read = await eventually(async () =>
      (await list(`&include=reads&source=API&entity_id=${campaign}`)).find(
        entry => entry['action'] === 'campaign.read',
      ),
    );
    expect(read).toMatchObject({
      call: { method: 'GET', path: `/v1/campaigns/${campaign}`, status: 200, code: null },
      actor: { type: 'user', email: 'someone@example.com' },
      entity: { type: 'campaign', id: campaign },
      user_agent: 'reader/2',
      source: 'API',
      diff: {},
    });
    const all = await list('&include=reads');
    const times = all.map(entry => entry['at']);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(all.map(entry => entry['id'])).size).toBe(all.length);
    expect((await list('')).some(entry => entry['action']!.endsWith('.read'))).toBe(false);
  });

  test('and changes page together without a gap or a repeat', async () => {
    const stop = new Date().toISOString();
    // Reads are written in batches, in their order: with one that came after `stop`, all before it are there.
    await eventually(async () => {
      const entries = await list('&include=reads');
      return (entries.length > 20 && entries.some(entry => String(entry['at']) > stop)) || undefined;
    });
    const all = (await list(`&include=reads&to=${stop}`)).map(entry => entry['id']);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await api.call('GET', `/v1/audit?limit=7&include=reads&to=${stop}${cursor}`, { key });
      seen.push(...dataOf(page).map(entry => entry['id']!));
      if (page.body['next_cursor'] === (null as unknown)) break;
      cursor = `&cursor=${page.body['next_cursor']}`;
    }
    expect(seen.slice(0, all.length)).toEqual(all);
  });

  test('that were refused do not say what a record of another workspace is called', async () => {
    const other = await createKey(api, await createWorkspace(api));
    await api.call('GET', `/v1/campaigns/${campaign}`, { key: other });
    const refused = await eventually(
      async () => (await list(`&include=reads&entity_id=${campaign}`, other)).find(Boolean), // written in batches
    );
    expect(refused['entity']).toEqual({ type: 'campaign', id: campaign });
    const own = (await list(`&entity_id=${campaign}`)).map(entry => entry['entity']);
    expect(own).toContainEqual({ type: 'campaign', id: campaign, name: 'Autumn' });
  });

  test('that were refused are not recorded as reads', async () => {
    await api.call('GET', '/v1/screens', { key });
    await api.call('GET', `/v1/campaigns/${formatId('campaign', handle('campaign', 999_999))}`, { key });
    await api.call('GET', '/v1/wallet', { key });
    await eventually(async () => (await list('&include=reads&entity=wallet'))[0]);
    expect((await list('&include=reads&entity=screen')).map(entry => entry['action'])).toEqual(['screen.refused']);
    expect(
      (await list(`&include=reads&entity_id=${formatId('campaign', handle('campaign', 999_999))}`)).map(
        entry => entry['action'],
      ),
    ).toEqual(['campaign.refused']);
  });

  test('X-Service-Sdk is counted per integration and day if it has the format app/version', async () => {
    for (const name of ['planner/1.2.3', 'planner/1.2.3', 'no version', `${'x'.repeat(70)}/1`])
      await api.call('GET', '/v1/wallet', { key, headers: { 'x-service-sdk': name } });
    const rows = await eventually(async () => {
      const result = await api.clickhouse.query({
        query:
          'select integration, toUInt32(sum(calls)) as calls from private_integration_calls group by integration order by integration',
        format: 'JSONEachRow',
      });
      const found = await result.json<{ integration: string; calls: number }>();
      return found.some(row => row.integration === 'planner/1.2.3') ? found : undefined;
    });
    expect(rows).toEqual([
      { integration: 'planner/1.2.3', calls: 2 },
      { integration: 'reader/2.0', calls: 1 },
    ]);
  });

  test('that the console repeats with a key are listed once, and those of other programs each time', async () => {
    const reader = await createKey(api, await createWorkspace(api));
    const read = (path: string, sdk: string) =>
      api.call('GET', path, { key: reader, headers: { 'x-service-sdk': sdk } });
    for (let polls = 0; polls < 3; polls++) {
      await read('/v1/creatives?limit=3', 'marquee-console/1');
      await read('/v1/creatives?limit=4', 'planner/1');
    }
    await read('/v1/creatives?limit=5', 'marquee-console/1');
    const paths = await eventually(async () => {
      const calls = (await list('&include=reads&entity=creative', reader)).map(({ call }) => String(call?.['path']));
      return calls.includes('/v1/creatives?limit=5') ? calls.filter(path => path.includes('?limit=')) : undefined;
    });
    expect(paths.toSorted()).toEqual([
      '/v1/creatives?limit=3',
      ...Array.from({ length: 3 }, () => '/v1/creatives?limit=4'),
      '/v1/creatives?limit=5',
    ]);
  });

  test('that the console repeats are listed in the log of each client, and for each network address', async () => {
    const agency = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
    const clients = [];
    for (const name of ['First', 'Second']) {
      const body = { name, billing_model: 'pass-through', currency: 'EUR' };
      clients.push(String((await api.call('POST', '/v1/agency/clients', { key: agency, body })).body['id']));
    }
    const call = (path: string, client: string, from = '192.0.2.1') =>
      api.call('GET', path, {
        key: agency,
        headers: { 'x-workspace-id': client, 'x-service-sdk': 'marquee-console/1' },
        from,
      });
    for (const client of clients) for (let polls = 0; polls < 2; polls++) await call('/v1/wallet', client);
    await call('/v1/wallet', clients[0]!, '192.0.2.2');
    for (const client of clients) await call('/v1/wallet/transactions', client);
    const readers = (client: string) =>
      eventually(async () => {
        const entries = dataOf(await call('/v1/audit?include=reads&entity=wallet', client));
        const paths = entries.map(({ call: made }) => String(made?.['path']));
        return paths.includes('/v1/wallet/transactions')
          ? entries.flatMap(({ ip }, at) => (paths[at] === '/v1/wallet' ? [String(ip)] : [])).toSorted()
          : undefined;
      });
    expect([await readers(clients[0]!), await readers(clients[1]!)]).toEqual([
      ['192.0.2.1', '192.0.2.2'],
      ['192.0.2.1'],
    ]);
  });
});

test('the audit chain of every workspace is unbroken after these tests', async () => {
  const venues = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  await api.call('POST', '/v1/venues', { key: venues, body: VENUE });
  expect(await verifyAuditChain(api.sql)).toEqual([]);
});
