/**
 * A seat that is given by its address goes to nobody who merely took that address: not when the last owner of a client
 * leaves the agency, not when the agency or the operator gives a seat back. Driven by calls to the API on real engines.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUser, removeUser } from '../../../cli/operator.ts';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import type { Transaction } from '../../../sql/postgres.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { rowsOf } from '../support/answer.ts';

const PASSWORD = 'correct horse battery';
const CONSOLE = { 'x-requested-with': 'marquee-console' };
/** The address of the first person of each workspace here. */
const FIRST = 'someone@example.com';
let api: TestApi;
let agency: TestWorkspace;
let agencyKey: string;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  agency = await createWorkspace(api, { kind: 'agency' });
  agencyKey = await createKey(api, agency, { surface: 'agency' });
});

let calls = 0;
const nowhere = () => `198.51.${100 + Math.floor((calls += 1) / 250)}.${calls % 250}`;
const someone = () => `person-${randomBytes(4).toString('hex')}@example.com`;
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();

/** Accepts an invitation to an address: with a password, or, without one, with a key for the answer. */
async function take(email: string, role: string, { key, password }: { key: string; password?: string }) {
  const { body } = await api.call('POST', '/v1/invitations', { key, body: { email, role } });
  const accepted = await api.call('POST', '/v1/invitations/accept', {
    body: { token: body['token'], ...(password !== undefined && { password }) },
    from: nowhere(),
  });
  expect(accepted.status).toBe(201);
  return accepted.body;
}
async function signIn(email: string): Promise<string> {
  const answer = await api.call('POST', '/v1/sessions', {
    body: { email, password: PASSWORD },
    headers: CONSOLE,
    from: nowhere(),
  });
  return /^marquee_session=[^;]*/.exec(String(answer.headers['set-cookie']))![0];
}
const workspacesOf = async (cookie: string) =>
  rowsOf<{ id: string }>((await api.call('GET', '/v1/me', { headers: { cookie } })).body['workspaces']);
const openClient = async (key: string) =>
  (
    await api.call('POST', '/v1/agency/clients', {
      key,
      body: { name: 'Client', billing_model: 'pass-through', currency: 'EUR' },
    })
  ).body['id']!;
const setSeats = (client: string, seats: object) =>
  api.call('PATCH', `/v1/agency/clients/${client}`, { key: agencyKey, body: { seats } });
const seatsOf = async (client: string) =>
  dataOf(await api.call('GET', '/v1/members', { key: agencyKey, headers: { 'x-workspace-id': client } })).map(
    ({ email, role }) => ({ email, role }),
  );
const clientKey = async (client: string, email: string) => {
  const [row] = await api.sql<{ handle: Handle<'user'> }[]>`
    select handle from users where workspace_handle = ${parseId('workspace', client)!} and email = ${email}`;
  return createKey(api, { handle: parseId('workspace', client)!, user: row!.handle });
};

describe('when the last owner of a client leaves the agency, the first owner of the agency becomes its owner', () => {
  /** A colleague has made a client, and an admin of that client acts. */
  async function leave(act: (adminKey: string) => Promise<void>): Promise<{ client: string }> {
    const colleague = await take(someone(), 'admin', { key: agencyKey });
    const client = await openClient(colleague['key']!['key']!);
    const admin = await take(someone(), 'admin', { key: await clientKey(client, colleague['member']!['email']!) });
    await act(admin['key']!['key']!);
    const left = await api.call('DELETE', `/v1/members/${colleague['member']!['id']}`, { key: agencyKey });
    expect(left.status).toBe(204);
    return { client };
  }
  const personOf = async (workspace: Handle<'workspace'>) => {
    const rows = await api.sql<{ person: Handle<'person'>; role: string }[]>`
      select person_handle as person, role from users
      where workspace_handle = ${workspace} and email = ${FIRST} and removed_at is null`;
    return rows;
  };

  test('and a person who has taken their address there does not', async () => {
    let taken = '';
    const { client } = await leave(async key => {
      taken = (await take(FIRST, 'viewer', { key }))['key']!['key']!;
      expect((await api.call('GET', '/v1/members', { key: taken })).status).toBe(200);
    });
    expect(await seatsOf(client)).toContainEqual({ email: FIRST, role: 'owner' });
    expect(told(await api.call('GET', '/v1/members', { key: taken }))).toBe('401 revoked_key');
    const [owner] = await personOf(agency.handle);
    expect(await personOf(parseId('workspace', client)!)).toEqual([{ person: owner!.person, role: 'owner' }]);
    const entries = dataOf(
      await api.call('GET', '/v1/audit?action=user.updated', { key: agencyKey, headers: { 'x-workspace-id': client } }),
    );
    expect(entries[0]!['diff']).toMatchObject({
      role: { to: 'owner' },
      person: { to: formatId('person', owner!.person) },
    });
  });

  test('even in a session of the person who took the address, who loses that seat', async () => {
    let cookie = '';
    await leave(async key => {
      await take(FIRST, 'viewer', { key, password: PASSWORD });
      cookie = await signIn(FIRST);
      expect(await workspacesOf(cookie)).toHaveLength(1);
    });
    expect(told(await api.call('GET', '/v1/me', { headers: { cookie } }))).toBe('403 no_workspace');
  });

  test('with their own seat there, whose keys stay valid', async () => {
    let own = '';
    const { client } = await leave(async key => {
      const { body } = await api.call('POST', '/v1/invitations', { key, body: { email: FIRST, role: 'viewer' } });
      const accepted = await api.call('POST', '/v1/invitations/accept', {
        body: { token: body['token'], key: agencyKey },
        from: nowhere(),
      });
      own = accepted.body['key']!['key']!;
    });
    expect(await seatsOf(client)).toContainEqual({ email: FIRST, role: 'owner' });
    expect((await api.call('GET', '/v1/me', { key: own })).body).toMatchObject({ role: 'owner' });
  });
});

describe('a seat that an agency gives by an address', () => {
  test('it had before does not belong to the person who took the address meanwhile', async () => {
    const client = await openClient(agencyKey);
    const email = someone();
    await take(email, 'viewer', { key: await clientKey(client, FIRST), password: PASSWORD });
    const cookie = await signIn(email);
    const owner = { email: FIRST, role: 'owner' };
    expect((await setSeats(client, [owner])).status).toBe(200);
    expect((await setSeats(client, [owner, { email, role: 'admin' }])).status).toBe(200);
    expect(await seatsOf(client)).toContainEqual({ email, role: 'admin' });
    expect(told(await api.call('GET', '/v1/me', { headers: { cookie } }))).toBe('403 no_workspace');
  });

  test('of a colleague belongs to the colleague, even if another person has that address in the client', async () => {
    const client = await openClient(agencyKey);
    const email = someone();
    const taken = (await take(email, 'viewer', { key: await clientKey(client, FIRST) }))['key']!['key']!;
    await take(email, 'manager', { key: agencyKey, password: PASSWORD });
    const cookie = await signIn(email);
    const seats = [
      { email: FIRST, role: 'owner' },
      { email, role: 'admin' },
    ];
    expect((await setSeats(client, seats)).body['seats']).toEqual(seats);
    expect(told(await api.call('GET', '/v1/wallet', { key: taken }))).toBe('401 revoked_key');
    expect((await workspacesOf(cookie)).map(workspace => workspace.id)).toContain(client);
  });

  test('of a person who leaves the agency at the same moment is lost with the agency', async () => {
    const client = await openClient(agencyKey);
    const email = someone();
    const { member } = await take(email, 'manager', { key: agencyKey, password: PASSWORD });
    const cookie = await signIn(email);
    const handle = parseId('user', member!['id']!)!;
    const given = await duringTheRemoval(handle, () =>
      setSeats(client, [
        { email: FIRST, role: 'owner' },
        { email, role: 'admin' },
      ]),
    );
    expect(given.status).toBe(200);
    expect(told(await api.call('GET', '/v1/me', { headers: { cookie } }))).toBe('403 no_workspace');
  });
});

/** What `act` is answered that begins before a member is gone and waits for that. */
const duringTheRemoval = (user: Handle<'user'>, act: () => Promise<Answer>): Promise<Answer> =>
  during(tx => tx`update users set removed_at = ${new Date(api.clock.now())} where handle = ${user}`, act);

async function during(change: (tx: Transaction) => Promise<unknown>, act: () => Promise<Answer>): Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  await api.sql.begin(async tx => {
    await change(tx);
    answer = act();
    await waitForLock();
  });
  return answer!;
}
async function waitForLock(): Promise<void> {
  for (;;) {
    const [row] = await api.sql<{ waiting: number }[]>`
      select count(*)::integer as waiting from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database()`;
    if (row!.waiting > 0) return;
  }
}

test('a person who loses their role while changing a member or the seats of a client changes nothing', async () => {
  const { member, key } = await take(someone(), 'admin', { key: agencyKey });
  const other = await take(someone(), 'viewer', { key: agencyKey });
  const client = await openClient(agencyKey);
  const user = parseId('user', member!['id']!)!;
  const acts = [
    () => api.call('PATCH', `/v1/members/${other['member']!['id']}`, { key: key!['key']!, body: { role: 'admin' } }),
    () => api.call('DELETE', `/v1/members/${other['member']!['id']}`, { key: key!['key']! }),
    () =>
      api.call('PATCH', `/v1/agency/clients/${client}`, {
        key: key!['key']!,
        body: {
          seats: [
            { email: FIRST, role: 'owner' },
            { email: someone(), role: 'admin' },
          ],
        },
      }),
  ];
  for (const act of acts) {
    const answer = await during(tx => tx`update users set role = 'viewer' where handle = ${user}`, act);
    expect(told(answer)).toBe('403 role_forbidden');
    await api.sql`update users set role = 'admin' where handle = ${user}`;
    api.clock.offsetMs += 1_000; // what is kept of a key
  }
  expect(await seatsOf(client)).toHaveLength(1);
});

test('a person who leaves an agency while creating a client creates none', async () => {
  const { member, key } = await take(someone(), 'admin', { key: agencyKey });
  const body = { name: 'Never', billing_model: 'pass-through', currency: 'EUR' };
  const made = await duringTheRemoval(parseId('user', member!['id']!)!, () =>
    api.call('POST', '/v1/agency/clients', { key: key!['key']!, body }),
  );
  expect(told(made)).toBe('403 role_forbidden');
  expect(await api.sql`select 1 from workspaces where name = 'Never'`).toEqual([]);
});

test('an address that the operator adds again does not belong to the person who had taken it', async () => {
  const brand = await createWorkspace(api);
  const email = someone();
  const { member } = await take(email, 'viewer', { key: await createKey(api, brand), password: PASSWORD });
  const cookie = await signIn(email);
  const now = new Date(api.clock.now());
  const user = parseId('user', member!['id']!)!;
  expect(await removeUser(api.sql, now, user)).toBe(true);
  expect(await createUser(api.sql, now, { workspace: brand.handle, email, role: 'owner' })).toBe(user);
  expect(told(await api.call('GET', '/v1/me', { headers: { cookie } }))).toBe('403 no_workspace');
});
