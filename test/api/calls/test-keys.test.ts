/**
 * A test key, or a session in the sandbox, changes nothing of live: no live record, and nothing that live and sandbox
 * share, such as the workspace, its people or its agency. Every operation that writes is called with every test key of
 * a workspace and with sessions, with what the OpenAPI document has as examples, about live records. The API runs in
 * this process on real engines.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationsOf, type Operation } from '../../../api/openapi/document.ts';
import { enrolSensor } from '../../../cli/admin/supply/sensors.ts';
import { SensingModule } from '../../../cli/sensing-module.ts';
import { formatId, type Handle } from '../../../domain/id.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createSession,
  createWorkspace,
  startApi,
  VENUE,
  type TestApi,
} from '../support/app-under-test.ts';
import { callUnlimited } from '../support/limit-windows.ts';
import { documentOf } from '../support/openapi-codes.ts';

type Keys = { ads: string; venues: string; agency: string; operator: string };
type Caller = { key: string } | { headers: Record<string, string> };

/** The sensing module of the examples. */
const SERIAL = 'MQ-7F3A-0042';

let api: TestApi;
let live: Keys;
let play: Keys;
/** Of the agency's owner and of the operator's, in the sandbox. */
let sessions: Caller[];
/**
 * Live records by what the path calls them; the agency is among its own clients. Beside the live screen is one of the
 * sandbox, since what a call names in its body may be live though its path is not.
 */
let ids: Record<string, readonly string[]>;

beforeAll(async () => {
  api = await startApi();
  const home = await createWorkspace(api, { kind: 'agency', funds: 10_000 });
  const office = await createWorkspace(api, { kind: 'operator' });
  const keysOf = async (mode: 'live' | 'test'): Promise<Keys> => ({
    ads: await createKey(api, home, { mode }),
    venues: await createKey(api, home, { surface: 'screen_manager', mode }),
    agency: await createKey(api, home, { surface: 'agency', mode }),
    operator: await createKey(api, office, { surface: 'operator', mode }),
  });
  [live, play] = [await keysOf('live'), await keysOf('test')];
  const agencyId = formatId('workspace', home.handle);
  ids = { ...(await createRecords()), ...(await createPeople(home.handle)) };
  ids['clients'] = [agencyId, ...ids['clients']!];
  ids['screens'] = [...ids['screens']!, ...(await createScreen(play.venues)).screens];
  sessions = await Promise.all(
    [home, office].map(async at => ({ headers: { ...(await createSession(api, at)), 'x-mode': 'test' } })),
  );
  await enrolSensor(api.sql, new Date(), { workspace: home.handle, ...new SensingModule(SERIAL) });
});
afterAll(() => api.close());

async function made(key: string, url: string, body: object): Promise<readonly string[]> {
  const answer = await api.call('POST', url, { key, body });
  expect([url, answer.status]).toEqual([url, 201]);
  return [String((answer.body['top_up'] ?? answer.body)['id'])];
}

async function createScreen(key: string): Promise<{ venues: readonly string[]; screens: readonly string[] }> {
  const venues = await made(key, '/v1/venues', VENUE);
  const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venues[0] } })).body;
  return { venues, screens: await made(key, '/v1/screens', { venue_id: venues[0], label: 'Bar', code }) };
}

async function createRecords(): Promise<Record<string, readonly string[]>> {
  const { ads, venues, agency } = live;
  const creatives = [await createReadyCreative(api, ads)];
  const campaigns = await made(ads, '/v1/campaigns', campaignBody(api, creatives));
  await api.review(); // what a category asks for waits for the operator, and nothing of this one does
  return {
    creatives,
    campaigns,
    reviews: campaigns,
    ...(await createScreen(venues)),
    playlists: await made(venues, '/v1/playlists', { name: 'Day', items: [{ type: 'ad_slot', weight: 1 }] }),
    assets: await made(venues, '/v1/assets', { name: 'Picture', filename: 'a.png' }),
    webhooks: await made(ads, '/v1/webhooks', { url: 'https://hooks.example.com/', events: ['campaign.created'] }),
    keys: await made(ads, '/v1/keys', {}),
    'shared-reports': await made(ads, `/v1/campaigns/${campaigns[0]}/shared-reports`, {}),
    'top-ups': await made(ads, '/v1/wallet/top-ups', { amount: { amount: 5, currency: 'EUR' } }),
    invitations: await made(ads, '/v1/invitations', { email: 'new@example.com', role: 'viewer' }),
    clients: await made(agency, '/v1/agency/clients', {
      name: 'Client',
      billing_model: 'pass-through',
      currency: 'EUR',
    }),
  };
}

/** A member beside the owner, and a browser of the owner's. */
async function createPeople(home: Handle<'workspace'>): Promise<Record<string, readonly string[]>> {
  const [member] = await api.sql<{ handle: Handle<'user'> }[]>`
    insert into users (workspace_handle, email, role, created_at) values (${home}, 'second@example.com', 'viewer', now())
    returning handle`;
  const [session] = await api.sql<{ handle: Handle<'session'> }[]>`
    insert into sessions (person_handle, hash, device, created_at, last_used_at, ends_at)
    select person_handle, sha256('token'), '', now(), now(), now() + interval '1 day' from users
    where workspace_handle = ${home} order by handle limit 1 returning handle`;
  return { members: [formatId('user', member!.handle)], sessions: [formatId('session', session!.handle)] };
}

/** Of the sandbox, or of the chain of a workspace's audit, though no column says so. */
const OF_SANDBOX = new Set(['sandbox_clocks', 'sandbox_batches', 'audit_heads']);
/** Of people and of the installation, whichever mode a key has. */
const SHARED = new Set(['identities', 'operator_settings', 'recovery_codes', 'second_factors', 'sessions', 'sign_ins']);

/** A print of what is live, for each table that says of its rows whether they are, or that live and sandbox share. */
async function printLive(): Promise<Record<string, string>> {
  const columns = await api.sql<{ name: string; has: string[] }[]>`
    select c.table_name as name, array_agg(c.column_name::text) as has from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1 order by 1`;
  const prints: Record<string, string> = {};
  for (const { name, has } of columns) {
    const isLive = [
      ...(has.includes('sandbox') ? ['not t.sandbox'] : []),
      ...(has.includes('book') ? [`t.book = 'live'`] : []),
      ...(has.includes('mode') ? [`t.mode = 'live'`] : []),
      ...(has.includes('workspace_handle')
        ? ['not exists (select from workspaces w where w.handle = t.workspace_handle and w.sandbox)']
        : []),
    ];
    if (OF_SANDBOX.has(name) || (isLive.length === 0 && !SHARED.has(name))) continue;
    const [row] = await api.sql<{ rows: string }[]>`
      select coalesce(string_agg(t::text, e'\n' order by t::text), '') as rows from ${api.sql(name)} t
      where ${api.sql.unsafe(['true', ...isLive].join(' and '))}`;
    prints[name] = row!.rows;
  }
  return prints;
}

/**
 * The example of a body, and each of its fields alone, since one that may not be changed has a whole body refused. What
 * the example leaves out is as in the example of the answer.
 */
function bodiesOf({ requestBody, responses }: Operation): (object | undefined)[] {
  const asked = requestBody?.content['application/json'];
  if (!asked) return [undefined];
  const answers = Object.values(responses).flatMap(answer => ('content' in answer ? [answer.content] : []));
  const answered = answers[0]?.['application/json']?.example as object | undefined;
  const names = Object.keys((asked.schema as { properties?: object } | undefined)?.properties ?? {});
  const known = Object.entries({ ...answered, ...(asked.example as object) }).filter(([name]) => names.includes(name));
  return [asked.example as object, ...known.map(entry => Object.fromEntries([entry]) as object)];
}

/** Every operation; those that delete come last, so that the others find what they are about. */
function operations(): ReturnType<typeof operationsOf> {
  const all = operationsOf(documentOf(api.app));
  return [...all.filter(({ method }) => method !== 'delete'), ...all.filter(({ method }) => method === 'delete')];
}

const callersOf = (keys: Keys): Caller[] => Object.values(keys).map(key => ({ key }));

/** Calls every operation that writes as each of these callers, about each of the records. */
async function writeAll(callers: readonly Caller[]): Promise<void> {
  for (const { method, path, operation } of operations()) {
    if (method === 'get' || method === 'head' || operation.security?.length === 0) continue;
    const bodies = bodiesOf(operation);
    const resource = /\/([a-z-]+)\/\{\w+\}/.exec(path)?.[1];
    for (const id of ids[resource ?? ''] ?? ['x'])
      for (const caller of callers)
        for (const fields of bodies)
          await callUnlimited(api, method.toUpperCase(), path.replaceAll(/\{\w+\}/g, id), {
            ...caller,
            ...(fields !== undefined && { body: fields }),
          });
  }
}

test('a test key changes nothing that is live or shared with live', async () => {
  const before = await printLive();
  await writeAll(callersOf(play));
  expect(await printLive()).toEqual(before);
}, 60_000);

test('a session in the sandbox changes nothing that is live or shared with live', async () => {
  const before = await printLive();
  await writeAll(sessions);
  expect(await printLive()).toEqual(before);
}, 60_000);

test('the same calls with live keys change live records and what is shared', async () => {
  const before = await printLive();
  await writeAll(callersOf(live));
  const after = await printLive();
  expect(Object.keys(before).filter(name => before[name] !== after[name])).toEqual(
    expect.arrayContaining([
      'campaigns',
      'invitations',
      'keys',
      'screens',
      'sensors',
      'users',
      'venues',
      'webhooks',
      'workspaces',
    ]),
  );
}, 60_000);
