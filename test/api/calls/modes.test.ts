/**
 * The mode of a call: X-Mode chooses it for a session, and confirms it for a key. In each mode a session sees what a
 * key of that mode sees, and nothing of the other one. Driven by calls to the API in this process on real engines.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { may } from '../../../domain/access/permission.ts';
import { SURFACE_OF_KIND, WORKSPACE_KINDS, type WorkspaceKind } from '../../../domain/access/workspace.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createSession,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { giveAccount } from '../support/earnings.ts';

const MODES = ['live', 'test'] as const;
type Mode = (typeof MODES)[number];
/** The owner of a workspace, with a key of each mode and a session. */
type Party = { workspace: TestWorkspace; keys: Record<Mode, string>; session: Record<string, string> };

let api: TestApi;
let parties: Record<WorkspaceKind, Party>;
let campaigns: Record<Mode, string>;

beforeAll(async () => {
  api = await startApi();
  parties = {
    brand: await createParty('brand'),
    venue: await createParty('venue'),
    agency: await createParty('agency'),
    operator: await createParty('operator'),
  };
  campaigns = { live: await fill('live'), test: await fill('test') };
  await giveAccount(api, parties.venue.workspace.handle);
  await api.review(); // the category waits for the operator
});
afterAll(() => api.close());
afterEach(() => void vi.useRealTimers());

async function createParty(kind: WorkspaceKind): Promise<Party> {
  const workspace = await createWorkspace(api, { kind, funds: 1_000 });
  const keyOf = (mode: Mode) => createKey(api, workspace, { surface: SURFACE_OF_KIND[kind], mode });
  const keys = { live: await keyOf('live'), test: await keyOf('test') };
  return { workspace, keys, session: await createSession(api, workspace) };
}

async function made(key: string, url: string, body: object): Promise<string> {
  const answer = await api.call('POST', url, { key, body });
  expect([url, answer.status]).toEqual([url, 201]);
  return String(answer.body['id']);
}

/** Records of a brand, a venue and an agency in one mode; the brand's campaign is returned. */
async function fill(mode: Mode): Promise<string> {
  const [brand, venue, agency] = (['brand', 'venue', 'agency'] as const).map(kind => parties[kind].keys[mode]);
  const name = `Of ${mode}`;
  const amount = { amount: 500, currency: 'EUR' };
  await made(brand!, '/v1/wallet/top-ups', { amount });
  await made(brand!, '/v1/webhooks', { url: 'https://hooks.example.com/', events: ['campaign.created'] });
  const { name: _, ...place } = VENUE;
  if (mode === 'test') await made(brand!, '/v1/sandbox/screens', { count: 1, venue: place });
  const venueId = await made(venue!, '/v1/venues', { ...VENUE, name });
  const { code } = (await api.call('POST', '/v1/pairing', { key: venue!, body: { venue_id: venueId } })).body;
  await made(venue!, '/v1/screens', { venue_id: venueId, label: name, code });
  await made(venue!, '/v1/playlists', { name, items: [{ type: 'ad_slot', weight: 1 }] });
  await made(venue!, '/v1/assets', { name, filename: 'a.png' });
  await made(agency!, '/v1/agency/clients', { name, billing_model: 'pass-through', currency: 'EUR' });
  const creative = await createReadyCreative(api, brand!, name);
  return made(brand!, '/v1/campaigns', campaignBody(api, [creative], { name, category: 'alcohol' }));
}

/** A call of the console: it names no mode in live. */
const inMode = ({ session }: Party, mode: Mode) => ({ ...session, ...(mode === 'test' && { 'x-mode': mode }) });
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();

/** Of the person or of the credential, whichever the mode is. */
const OF_CALLER = new Set(['/v1/account', '/v1/me', '/v1/sessions']);
/** Differs from call to call. */
const FLEETING = new Set(['request_id', 'last_used_at', 'as_of']);
/** The calls of this test are themselves in the audit log. */
const queryOf = (url: string, mode: Mode) =>
  ({ '/v1/audit': '?kind=changes', '/v1/reporting/campaigns': `?campaign_id=${campaigns[mode]}` })[url] ?? '';

async function textOf(path: string, options: Parameters<TestApi['call']>[2]): Promise<string> {
  const { status, body } = await api.call('GET', path, options);
  return `${status} ${JSON.stringify(body, (name, value: unknown) => (FLEETING.has(name) ? undefined : value))}`;
}

test('each list of a session is that of a key of its mode, and lists of both modes differ where there are records', async () => {
  vi.useFakeTimers({ toFake: ['Date'] }); // many answers say when they were made
  const lists = api.routes.filter(
    ({ method, url, access }) =>
      method === 'GET' && access !== 'public' && !url.includes(':') && !OF_CALLER.has(url) && url.startsWith('/v1/'),
  );
  const unread = { live: new Set(lists.map(({ url }) => url)), test: new Set(lists.map(({ url }) => url)) };
  const apart = new Set<string>();
  for (const kind of WORKSPACE_KINDS)
    for (const { url } of lists) {
      const texts: string[] = [];
      for (const mode of MODES) {
        const path = url + queryOf(url, mode);
        const text = await textOf(path, { headers: inMode(parties[kind], mode) });
        expect([kind, mode, path, text]).toEqual([
          kind,
          mode,
          path,
          await textOf(path, { key: parties[kind].keys[mode] }),
        ]);
        if (text.startsWith('200')) unread[mode].delete(url);
        texts.push(text);
      }
      if (texts.every(text => text.startsWith('200')) && texts[0] !== texts[1]) apart.add(url);
    }
  const onlyIn = (mode: Mode) => new Set(lists.filter(route => route.mode === mode).map(({ url }) => url));
  // Play money is not paid out, so there is no account that it could go to.
  expect(unread).toEqual({ live: onlyIn('test'), test: onlyIn('live').add('/v1/payouts/account') });
  expect([...apart]).toEqual(
    expect.arrayContaining([
      '/v1/agency/clients',
      '/v1/assets',
      '/v1/audit',
      '/v1/campaigns',
      '/v1/creatives',
      '/v1/keys',
      '/v1/operator/reviews',
      '/v1/operator/screens',
      '/v1/playlists',
      '/v1/reporting/campaigns',
      '/v1/screens',
      '/v1/venues',
      '/v1/wallet',
      '/v1/wallet/top-ups',
      '/v1/wallet/transactions',
      '/v1/webhooks',
    ]),
  );
}, 60_000);

describe('X-Mode', () => {
  test.each(['', 'TEST', 'sandbox', 'live, test'])('of the value "%s" is refused by its name', async mode => {
    const { session, keys } = parties.brand;
    for (const options of [
      { headers: { ...session, 'x-mode': mode } },
      { key: keys.live, headers: { 'x-mode': mode } },
      { key: keys.test, headers: { 'x-mode': mode } },
    ])
      expect(await api.call('GET', '/v1/campaigns', options)).toMatchObject({
        status: 400,
        body: { code: 'bad_mode', detail: 'X-Mode must be live or test.' },
      });
  });

  test('of a key is its own or none', async () => {
    const { keys } = parties.brand;
    const ask = async (key: Mode, mode: Mode) =>
      told(await api.call('GET', '/v1/campaigns', { key: keys[key], headers: { 'x-mode': mode } }));
    expect([await ask('live', 'live'), await ask('test', 'test')]).toEqual(['200', '200']);
    expect([await ask('live', 'test'), await ask('test', 'live')]).toEqual(['403 wrong_mode', '403 wrong_mode']);
  });

  test('of a session is answered by GET /v1/me, and live is the same as none', async () => {
    const { session } = parties.agency;
    const modeOf = async (headers: Record<string, string>) =>
      (await api.call('GET', '/v1/me', { headers: { ...session, ...headers } })).body;
    expect(await modeOf({})).toMatchObject({ mode: 'live', key: null });
    expect(await modeOf({ 'x-mode': 'live' })).toMatchObject({ mode: 'live' });
    const sandbox = await modeOf({ 'x-mode': 'test' });
    expect(sandbox).toMatchObject({ mode: 'test', key: null });
    // A client of the sandbox is reached through the agency, not by a seat of its own.
    expect(JSON.stringify(sandbox['workspaces'])).toMatch(/^(?!.*Of test).*Of live/);
  });

  test('of a session is refused by each route of the other mode', async () => {
    for (const kind of WORKSPACE_KINDS)
      for (const { method, url, access, mode } of api.routes) {
        if (mode === undefined || access === 'public' || method === 'HEAD') continue;
        const answer = await api.call(method, url.replaceAll(/:\w+/g, 'x'), {
          headers: inMode(parties[kind], mode === 'live' ? 'test' : 'live'),
        });
        const forbidden = may(SURFACE_OF_KIND[kind], 'owner', 'read_write', access.resource, access.verb)?.code;
        expect([kind, method, url, answer.body['code']]).toEqual([kind, method, url, forbidden ?? 'wrong_mode']);
      }
  });
});

describe('a session', () => {
  test('finds no record of the other mode by its id', async () => {
    for (const [mode, other] of [MODES, MODES.toReversed() as [Mode, Mode]])
      for (const path of ['campaigns', 'reporting/campaigns'].map(list => `/v1/${list}/${campaigns[mode]}`)) {
        const read = async (asked: Mode) =>
          told(await api.call('GET', path, { headers: inMode(parties.brand, asked) }));
        // In this order a cached record of its own mode is there.
        expect([path, await read(mode), await read(other)]).toEqual([path, '200', '404 not_found']);
      }
  });

  test('makes no live key in the sandbox, and is told so as a person', async () => {
    const make = (mode: Mode) =>
      api.call('POST', '/v1/keys', { body: { mode }, headers: inMode(parties.brand, 'test') });
    expect((await make('test')).body).toMatchObject({ mode: 'test' });
    const { status, body } = await make('live');
    expect([status, body['detail']]).toEqual([422, '/mode: must be test: keys created in the sandbox are test keys']);
  });

  test('makes another call in the other mode with the same Idempotency-Key, and repeats one in its own', async () => {
    const topUp = (mode: Mode) =>
      api.call('POST', '/v1/wallet/top-ups', {
        body: { amount: { amount: 7, currency: 'EUR' } },
        headers: { ...inMode(parties.brand, mode), 'idempotency-key': 'the same' },
      });
    const [live, play, again] = [await topUp('live'), await topUp('test'), await topUp('test')];
    expect(live.body).toMatchObject({ book: 'live', top_up: { status: 'pending' } });
    expect(play.body).toMatchObject({ book: 'sandbox', top_up: { status: 'credited' } });
    expect([play, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect(again.raw.equals(play.raw)).toBe(true);
  });

  test('is never told that the sandbox has not changed since an answer of live', async () => {
    const read = (mode: Mode, headers = {}) =>
      api.call('GET', '/v1/wallet', { headers: { ...inMode(parties.brand, mode), ...headers } });
    const etag = (await read('live')).headers['etag']!;
    expect((await read('live', { 'if-none-match': etag })).status).toBe(304);
    expect((await read('test', { 'if-none-match': etag })).status).toBe(200);
  });

  test('is audited in its mode, under the name of its person', async () => {
    const body = { name: 'Still', orientation: 'landscape', duration_ms: 10_000, filename: 'a.png' };
    const headers = inMode(parties.brand, 'test');
    const { id } = (await api.call('POST', '/v1/creatives', { headers, body })).body;
    const entries = async (mode: Mode) =>
      dataOf(await api.call('GET', `/v1/audit?entity_id=${id}`, { headers: inMode(parties.brand, mode) }));
    expect(await entries('test')).toMatchObject([
      { action: 'creative.created', actor: { type: 'user', email: 'someone@example.com' } },
    ]);
    expect(await entries('live')).toEqual([]);
  });

  test('has the permissions of its role in the sandbox, too', async () => {
    const workspace = await createWorkspace(api, { role: 'viewer' });
    const headers = { ...(await createSession(api, workspace)), 'x-mode': 'test' };
    const call = (method: string, url: string) => api.call(method, url, { headers });
    expect(told(await call('GET', '/v1/sandbox/screens'))).toBe('200');
    expect(told(await call('POST', '/v1/sandbox/clock/advance'))).toBe('403 role_forbidden');
    expect(told(await call('POST', '/v1/wallet/top-ups'))).toBe('403 role_forbidden');
  });

  test('of an agency reaches the sandbox of each client, and clients of the sandbox there alone', async () => {
    const clientOf = async (mode: Mode) =>
      String(dataOf(await api.call('GET', '/v1/agency/clients', { headers: inMode(parties.agency, mode) }))[0]!['id']);
    const wallet = async (client: string, mode: Mode) => {
      const headers = { ...inMode(parties.agency, mode), 'x-workspace-id': client };
      const answer = await api.call('GET', '/v1/wallet', { headers });
      return answer.body['book'] ?? answer.body['code'];
    };
    const [real, play] = [await clientOf('live'), await clientOf('test')];
    expect(real).not.toBe(play);
    expect([await wallet(real, 'live'), await wallet(real, 'test')]).toEqual(['live', 'sandbox']);
    expect([await wallet(play, 'live'), await wallet(play, 'test')]).toEqual(['not_found', 'sandbox']);
  });
});
