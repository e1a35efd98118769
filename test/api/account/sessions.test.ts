/**
 * People who sign in: an invitation that is accepted with a password, the session's cookie, what a session reaches, how
 * it ends, and what keeps strangers and other sites out. Driven by calls to the API in this process on real engines; a
 * second API stands for another process.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { trusting } from '#runtime/ingress/forwarded-for.ts';
import { invitePerson } from '../../../cli/admin/accounts/people.ts';
import { removeSignIn } from '../../../cli/operator.ts';
import { formatSessionToken } from '../../../domain/access/key.ts';
import { may, type Role } from '../../../domain/access/permission.ts';
import { SURFACE_OF_KIND, WORKSPACE_KINDS } from '../../../domain/access/workspace.ts';
import { formatId } from '../../../domain/id.ts';
import { forgetOldSessions } from '../../../workers/upkeep/forget.ts';
import { eventually } from '../../support/network.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type Answer,
  type Loose,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { errorsOf } from '../support/answer.ts';
import { callUnlimited } from '../support/limit-windows.ts';
import { startSecondApi, type SecondApi } from '../support/second-app.ts';

const PASSWORD = 'correct horse battery';
const CONSOLE = { 'x-requested-with': 'marquee-console' };
let api: TestApi;
/** At the cost of real hashes, for what is about their work and the time that it takes. */
let priced: SecondApi;
let brand: TestWorkspace;
let owner: string;

beforeAll(async () => {
  api = await startApi();
  priced = await startSecondApi(api);
  brand = await createWorkspace(api);
  owner = await createKey(api, brand, { expiresAt: new Date(api.clock.now() + 400 * 86_400_000) });
});
afterAll(async () => {
  await priced.close();
  await api.close();
});

let addresses = 0;
/** Tries are counted per address; each call of this test comes from one of its own unless it says so. */
const nowhere = () => `198.51.${100 + Math.floor((addresses += 1) / 250)}.${addresses % 250}`;
const someone = () => `person-${randomBytes(4).toString('hex')}@example.com`;
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();
const idOf = (workspace: TestWorkspace) => formatId('workspace', workspace.handle);
const cookieOf = (answer: Answer) => /^marquee_session=[^;]*/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';

const invite = async (key: string, email: string, role: Role = 'manager') =>
  (await api.call('POST', '/v1/invitations', { key, body: { email, role } })).body;
const accept = (body: object, by: Pick<TestApi, 'call'> = api) =>
  by.call('POST', '/v1/invitations/accept', { body, from: nowhere() });
const signIn = (email: string, password = PASSWORD, from = nowhere()) =>
  api.call('POST', '/v1/sessions', { body: { email, password }, headers: CONSOLE, from });
/** A call as the console makes it. */
const as = (cookie: string, method: string, url: string, options: { body?: object; headers?: object } = {}) =>
  api.call(method, url, {
    ...(options.body && { body: options.body }),
    headers: { ...(method !== 'GET' && CONSOLE), cookie, ...options.headers },
  });

/** Somebody who has accepted an invitation with a password. */
async function join(role: Role = 'manager', { key = owner, email = someone() } = {}): Promise<string> {
  const { token } = await invite(key, email, role);
  expect((await accept({ token, name: 'Someone', password: PASSWORD })).status).toBe(201);
  return email;
}
const joinAndSignIn = async (role?: Role) => cookieOf(await signIn(await join(role)));

describe('an invitation', () => {
  test('has a link to its page, with the token in the fragment, which no server sees', async () => {
    const { url, token } = await invite(owner, someone());
    expect(url).toBe(`http://api.test/console/accept#${token}`);
  });

  test('accepted with a password creates a member who can sign in, and no key', async () => {
    const email = someone();
    const { token } = await invite(owner, email, 'finance');
    const accepted = await accept({ token, name: 'Someone', password: PASSWORD });
    expect(accepted).toMatchObject({
      status: 201,
      body: { member: { email, name: 'Someone', role: 'finance' }, key: null },
    });
    expect(
      await api.sql`select 1 from keys k join users u on u.handle = k.user_handle where u.email = ${email}`,
    ).toEqual([]);
    expect((await signIn(email.toUpperCase())).status).toBe(201);
    expect(JSON.stringify(await api.sql`select * from audit_entries`)).not.toMatch(/scrypt|correct horse/);
  });

  test('shows its workspace to the holder of the token until it is accepted, and changes nothing', async () => {
    const email = someone();
    const { token } = await invite(owner, email, 'viewer');
    const preview = () => api.call('POST', '/v1/invitations/preview', { body: { token }, from: nowhere() });
    const shown = { email, role: 'viewer', workspace: { id: idOf(brand), name: 'Test' } };
    expect(await preview()).toMatchObject({ status: 200, body: { ...shown, signs_in: false } });
    expect((await accept({ token, password: PASSWORD })).status).toBe(201);
    expect(told(await preview())).toBe('410 invitation_ended');
    const other = await invite(await createKey(api, await createWorkspace(api)), email);
    const again = { body: { token: other['token'] }, from: nowhere() };
    expect((await api.call('POST', '/v1/invitations/preview', again)).body['signs_in']).toBe(true);
  });

  test('of the operator makes the first person of a workspace its owner', async () => {
    const email = someone();
    const now = new Date(api.clock.now());
    const invitation = { workspace: brand.handle, email, role: 'owner', publicUrl: 'http://api.test' } as const;
    const { id, url } = await invitePerson(api.sql, now, invitation);
    await expect(invitePerson(api.sql, now, invitation)).rejects.toThrow('has an open invitation');
    const token = String(url).split('#')[1];
    expect((await accept({ token, password: PASSWORD })).body).toMatchObject({ member: { email, role: 'owner' } });
    expect(dataOf(await api.call('GET', `/v1/audit?entity_id=${String(id)}`, { key: owner }))).toMatchObject([
      { action: 'invitation.accepted' },
      { action: 'invitation.created', actor: { type: 'operator' } },
    ]);
  });

  test('with an unknown token is not found, and guesses from an address are counted', async () => {
    const body = { token: `invite_${'x'.repeat(49)}` };
    const guess = () => api.call('POST', '/v1/invitations/preview', { body, from: '203.0.113.92' });
    const answers = await Promise.all(Array.from({ length: 21 }, guess));
    expect(answers.map(told).sort()).toEqual([
      ...Array.from({ length: 20 }, () => '404 not_found'),
      '429 rate_limited',
    ]);
  });

  test.each([
    ['too short', 'fourteen chars', 'too_short'],
    ['too long', 'x'.repeat(201), 'too_long'],
    ['no text', 15, undefined],
  ])('refuses a password that is %s, and stays open', async (_name, password, code) => {
    const { token } = await invite(owner, someone());
    const refused = await accept({ token, password });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/password', ...(code !== undefined && { code }) }] },
    });
    expect((await accept({ token, password: PASSWORD })).status).toBe(201);
  });

  test('of a person with a password needs that password', async () => {
    const email = await join();
    const house = await createWorkspace(api, { kind: 'venue' });
    const { token } = await invite(await createKey(api, house, { surface: 'screen_manager' }), email, 'viewer');
    expect(await accept({ token, password: 'another long password' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/password', code: 'wrong_password' }] },
    });
    expect((await accept({ token, password: PASSWORD })).status).toBe(201);
    expect((await signIn(email)).body['workspaces']).toMatchObject([
      { id: idOf(brand), kind: 'brand', role: 'manager' },
      { id: idOf(house), kind: 'venue', role: 'viewer' },
    ]);
  });

  test('accepts no password together with a key: a key of one workspace must not open the others', async () => {
    const email = someone();
    const first = (await accept({ token: (await invite(owner, email))['token'] })).body;
    const { token } = await invite(await createKey(api, await createWorkspace(api)), email);
    expect(await accept({ token, key: first['key']!['key'], password: PASSWORD })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/password', code: 'not_allowed' }] },
    });
  });

  test('refuses a password that is easy to guess', async () => {
    const email = someone();
    const { token } = await invite(owner, email);
    for (const password of ['aaaaaaaaaaaaaaaa', 'abcabcabcabcabcabc', `${email}1`])
      expect(errorsOf((await accept({ token, password })).body)).toMatchObject([
        { pointer: '/password', code: 'weak_password' },
      ]);
    expect((await accept({ token, password: PASSWORD })).status).toBe(201);
  });

  test('accepted twice at the same moment for one address takes one of the passwords', async () => {
    const email = someone();
    const other = await createKey(api, await createWorkspace(api));
    const tokens = [(await invite(owner, email))['token'], (await invite(other, email))['token']];
    const answers = await Promise.all(
      tokens.map((token, index) => accept({ token, password: `${PASSWORD} ${index}` }, priced)),
    );
    expect(answers.map(told).sort()).toEqual(['201', '409 state_conflict']);
    expect(await api.sql`select 1 from sign_ins where email = ${email}`).toHaveLength(1);
  });
});

describe('POST /v1/sessions', () => {
  test('returns the person and the workspaces, and the token in a cookie that scripts cannot read', async () => {
    const email = await join('viewer');
    const answer = await signIn(email);
    expect(answer).toMatchObject({
      status: 201,
      body: {
        person: { id: expect.stringMatching(/^per_/), email, name: 'Someone' },
        session: { id: expect.stringMatching(/^ses_/), is_current: true },
        workspaces: [{ id: idOf(brand), name: 'Test', kind: 'brand', role: 'viewer' }],
      },
    });
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^marquee_session=session_[0-9A-Za-z]{49}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/);
    const token = cookieOf(answer).split('=')[1]!;
    expect(answer.raw.toString()).not.toContain(token);
    const [stored] = await api.sql<{ hash: Buffer }[]>`select hash from sessions order by handle desc limit 1`;
    expect(stored!.hash).toHaveLength(32);
    expect(JSON.stringify(await api.sql`select * from sessions`)).not.toContain(token);
  });

  test('sets a Secure cookie behind a proxy that terminates TLS', async () => {
    const proxied = await startSecondApi(api, { trustProxy: trusting('198.51.100.0/24') });
    const answer = await proxied.call('POST', '/v1/sessions', {
      body: { email: await join(), password: PASSWORD },
      headers: { ...CONSOLE, 'x-forwarded-proto': 'https' },
      from: '198.51.100.251',
    });
    await proxied.close();
    expect(String(answer.headers['set-cookie'])).toMatch(/; Secure$/);
  });

  test('answers a wrong password and an unknown address alike, with the same work', async () => {
    const email = someone();
    const { token } = await invite(owner, email);
    await accept({ token, password: PASSWORD }, priced);
    const strip = ({ status, body }: Answer) => ({ status, body: { ...(body as object), request_id: '' } });
    const time = async (address: string) => {
      const from = process.cpuUsage();
      const body = { email: address, password: 'not the password at all' };
      const answer = await priced.call('POST', '/v1/sessions', { body, headers: CONSOLE, from: nowhere() });
      const { user, system } = process.cpuUsage(from);
      return { answer: strip(answer), cpu: user + system };
    };
    const [wrong, unknown] = [await time(email), await time(someone())];
    expect(wrong.answer).toMatchObject({ status: 401, body: { code: 'wrong_sign_in' } });
    expect(unknown.answer).toEqual(wrong.answer);
    expect(unknown.cpu).toBeGreaterThan(wrong.cpu / 3);
  });

  test.each([
    ['no address', { email: 'nobody' }, '/email'],
    ['no password', { password: undefined }, '/password'],
    ['an endless password', { password: 'x'.repeat(201) }, '/password'],
    ['an unknown field', { role: 'owner' }, '/role'],
  ])('with %s is refused and names the field', async (_name, change, pointer) => {
    const body = { email: someone(), password: PASSWORD, ...change };
    expect(await api.call('POST', '/v1/sessions', { body, headers: CONSOLE, from: nowhere() })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer }] },
    });
  });

  test('makes a person wait after ten wrong passwords from any address, and an unknown person as well', async () => {
    for (const email of [await join(), someone()]) {
      const answers = [];
      for (let count = 0; count < 11; count += 1) answers.push(await signIn(email, 'not the password at all'));
      expect(answers.slice(0, 10).map(told)).toEqual(Array.from({ length: 10 }, () => '401 wrong_sign_in'));
      expect(told(answers[10]!)).toBe('429 rate_limited');
      expect(Number(answers[10]!.headers['retry-after'])).toSatisfy((seconds: number) => seconds > 0 && seconds <= 900);
      expect(told(await signIn(email))).toBe('429 rate_limited');
    }
  }, 60_000);

  test('counts attempts per network address, and does not count successful ones', async () => {
    const email = await join();
    for (let count = 0; count < 3; count += 1) expect((await signIn(email, PASSWORD, '203.0.113.90')).status).toBe(201);
    expect(await api.redis.get('sign-in:203.0.113.90')).toBe('0');
    await signIn(email, 'not the password at all', '203.0.113.90');
    expect(await api.redis.get('sign-in:203.0.113.90')).toBe('1');
  });
});

describe('a session', () => {
  test('is the person of GET /v1/me, without a key', async () => {
    const email = await join('admin');
    const cookie = cookieOf(await signIn(email));
    expect(await as(cookie, 'GET', '/v1/me')).toMatchObject({
      status: 200,
      body: {
        person: { email, name: 'Someone' },
        key: null,
        role: 'admin',
        surface: 'ads_manager',
        access: 'read_write',
        mode: 'live',
        workspaces: [{ id: idOf(brand), role: 'admin' }],
      },
    });
  });

  test('calls every route with the same permissions as a key of the person', async () => {
    for (const kind of WORKSPACE_KINDS) {
      const home = await createWorkspace(api, { kind });
      const key = await createKey(api, home, { surface: SURFACE_OF_KIND[kind] });
      for (const role of ['owner', 'viewer'] as const) {
        const cookie = cookieOf(await signIn(await join(role, { key })));
        await Promise.all(
          api.routes.map(async route => {
            // A HEAD has no body that says why; signing out would end the walk.
            if (route.access === 'public' || route.method === 'HEAD' || route.url === '/v1/sessions/current') return;
            const expected = may(
              SURFACE_OF_KIND[kind],
              role,
              'read_write',
              route.access.resource,
              route.access.verb,
            )?.code;
            const isOfSandbox = expected === undefined && route.mode === 'test';
            const answer = await callUnlimited(api, route.method, route.url.replaceAll(/:\w+/g, 'x'), {
              headers: { cookie, ...CONSOLE },
              ...(['POST', 'PATCH'].includes(route.method) && { body: {} }),
            });
            const where = `${route.method} ${route.url} as ${role} of a ${kind}`;
            const passed = [200, 201, 204, 400, 404, 409, 422].includes(answer.status);
            expect([where, passed ? undefined : answer.body['code']]).toEqual([
              where,
              isOfSandbox ? 'wrong_mode' : expected,
            ]);
          }),
        );
      }
    }
  }, 60_000);

  test('acts on the workspace in X-Workspace-Id with the role there, and on no other workspace', async () => {
    const email = await join('manager');
    const house = await createWorkspace(api, { kind: 'venue' });
    const { token } = await invite(await createKey(api, house, { surface: 'screen_manager' }), email, 'viewer');
    await accept({ token, password: PASSWORD });
    const cookie = cookieOf(await signIn(email));
    const me = async (workspace: TestWorkspace) =>
      (await as(cookie, 'GET', '/v1/me', { headers: { 'x-workspace-id': idOf(workspace) } })).body;
    expect(await me(brand)).toMatchObject({ workspace: { id: idOf(brand) }, role: 'manager', surface: 'ads_manager' });
    expect(await me(house)).toMatchObject({
      workspace: { id: idOf(house) },
      role: 'viewer',
      surface: 'screen_manager',
    });
    expect(await me(await createWorkspace(api))).toMatchObject({ code: 'not_found' });
    expect(told(await as(cookie, 'GET', '/v1/campaigns'))).toBe('400 workspace_required');
    expect((await as(cookie, 'GET', '/v1/me')).body['workspaces']).toHaveLength(2);
  });

  test('of an agency acts on its own clients, and not on clients of another agency', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const key = await createKey(api, agency, { surface: 'agency' });
    const open = async (by: string) =>
      (
        await api.call('POST', '/v1/agency/clients', {
          key: by,
          body: { name: 'Client', billing_model: 'pass-through', currency: 'EUR' },
        })
      ).body['id']!;
    const own = await open(key);
    const other = await open(
      await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' }),
    );
    const cookie = cookieOf(await signIn(await join('manager', { key })));
    const ask = (client: string) => as(cookie, 'GET', '/v1/campaigns', { headers: { 'x-workspace-id': client } });
    expect([told(await ask(own)), told(await ask(other))]).toEqual(['200', '404 not_found']);
  });

  test('logs its refused calls, and not its reads and forecasts', async () => {
    const workspace = await createWorkspace(api);
    const key = await createKey(api, workspace);
    const cookie = cookieOf(await signIn(await join('manager', { key })));
    expect((await as(cookie, 'GET', '/v1/wallet')).status).toBe(200);
    expect((await as(cookie, 'GET', '/v1/screens')).status).toBe(403);
    const plan = { budget: { amount: 500, currency: 'EUR' }, schedule: { starts: '2099-01-01', ends: '2099-01-31' } };
    expect((await as(cookie, 'POST', '/v1/forecasts', { body: plan })).status).toBe(200);
    expect((await api.call('GET', '/v1/campaigns', { key })).status).toBe(200);
    // The log is written in the order of the calls: with the last one, those before it are there.
    const actions = await eventually(async () => {
      const calls = await api.call('GET', '/v1/audit?kind=calls&include=reads&limit=100', { key });
      const found = dataOf(calls).map(entry => String(entry['action']));
      return found.includes('campaign.read') ? found : undefined;
    });
    expect(actions).toContain('screen.refused');
    expect(actions).not.toContain('wallet.read');
    expect(actions.filter(action => action.startsWith('forecast'))).toEqual([]);
  });

  test("appears in the audit log under the person's name, with everything done in it", async () => {
    const email = await join('admin');
    const signed = await signIn(email);
    const cookie = cookieOf(signed);
    const made = (await as(cookie, 'POST', '/v1/keys', { body: { name: 'From the console' } })).body;
    const entries = async (id: string) =>
      dataOf(await api.call('GET', `/v1/audit?entity_id=${id}`, { key: owner })) as Loose[];
    expect(await entries(made['id']!)).toMatchObject([{ action: 'key.created', actor: { type: 'user', email } }]);
    const session = signed.body['session']!['id'] as string;
    expect(await entries(session)).toMatchObject([
      { action: 'session.created', actor: { type: 'user', id: expect.stringMatching(/^usr_/), email } },
    ]);
  });

  test('repeats a reply with a secret only to the session that requested it', async () => {
    const email = await join('admin');
    const [first, second] = [cookieOf(await signIn(email)), cookieOf(await signIn(email))];
    const make = (cookie: string) =>
      as(cookie, 'POST', '/v1/keys', { body: {}, headers: { 'idempotency-key': 'once' } });
    const made = await make(first);
    expect(made.status).toBe(201);
    expect((await make(first)).raw.equals(made.raw)).toBe(true);
    expect(told(await make(second))).toBe('422 idempotency_key_reused');
  });

  test('shares the limits of one key with all sessions of the person', async () => {
    const email = await join();
    const [first, second] = [cookieOf(await signIn(email)), cookieOf(await signIn(email))];
    const left = async (cookie: string) => Number((await as(cookie, 'GET', '/v1/me')).headers['x-ratelimit-remaining']);
    const before = await left(first);
    expect(before).toBeLessThan(600);
    expect(await left(second)).toBeLessThan(before);
  });
});

describe('a session ends', () => {
  test('by signing out, at once in every process', async () => {
    const second = await startSecondApi(api);
    const cookie = await joinAndSignIn();
    const elsewhere = () => second.call('GET', '/v1/me', { headers: { cookie } });
    expect((await elsewhere()).status).toBe(200);
    const out = await as(cookie, 'DELETE', '/v1/sessions/current');
    expect(out.status).toBe(204);
    expect(String(out.headers['set-cookie'])).toMatch(/^marquee_session=; Path=\/; Max-Age=0;/);
    expect(told(await as(cookie, 'GET', '/v1/me'))).toBe('401 session_ended');
    await eventually(async () => told(await elsewhere()) === '401 session_ended' || undefined);
    await second.close();
  });

  test('when another session of the person ends it, which lists both', async () => {
    const email = await join();
    const [first, second] = [await signIn(email), await signIn(email)];
    const listed = dataOf(await as(cookieOf(second), 'GET', '/v1/sessions'));
    expect(listed).toMatchObject([
      { id: second.body['session']!['id'], is_current: true },
      { id: first.body['session']!['id'], is_current: false },
    ]);
    expect((await as(cookieOf(second), 'DELETE', `/v1/sessions/${first.body['session']!['id']}`)).status).toBe(204);
    expect(told(await as(cookieOf(first), 'GET', '/v1/me'))).toBe('401 session_ended');
    expect(dataOf(await as(cookieOf(second), 'GET', '/v1/sessions'))).toHaveLength(1);
  });

  test('never when another user tries to end it', async () => {
    const [mine, theirs] = [await joinAndSignIn(), await signIn(await join())];
    expect(told(await as(mine, 'DELETE', `/v1/sessions/${theirs.body['session']!['id']}`))).toBe('404 not_found');
    expect((await as(cookieOf(theirs), 'GET', '/v1/me')).status).toBe(200);
  });

  test('after an hour without a call, and after a day in any case', async () => {
    const offsetMs = api.clock.offsetMs;
    const [idle, busy] = [await joinAndSignIn(), await joinAndSignIn()];
    for (let minutes = 50; minutes < 24 * 60; minutes += 50) {
      api.clock.offsetMs = offsetMs + minutes * 60_000;
      expect((await as(busy, 'GET', '/v1/me')).status).toBe(200);
    }
    expect(told(await as(idle, 'GET', '/v1/me'))).toBe('401 session_ended');
    api.clock.offsetMs = offsetMs + 86_400_000;
    const ended = await as(busy, 'GET', '/v1/me');
    expect(told(ended)).toBe('401 session_ended');
    expect(String(ended.headers['set-cookie'])).toContain('Max-Age=0');
    api.clock.offsetMs = offsetMs;
  });

  test('when the operator frees the address, and the next invitation sets a new password', async () => {
    const email = await join();
    const cookie = cookieOf(await signIn(email));
    expect(await removeSignIn(api.sql, new Date(api.clock.now()), email.toUpperCase())).toBe(true);
    await eventually(async () => told(await as(cookie, 'GET', '/v1/me')) === '401 session_ended' || undefined);
    expect(told(await signIn(email))).toBe('401 wrong_sign_in');
    expect(await removeSignIn(api.sql, new Date(api.clock.now()), email)).toBe(false);
    const { token } = await invite(await createKey(api, await createWorkspace(api)), email);
    expect((await accept({ token, password: 'another long password' })).status).toBe(201);
    expect((await signIn(email, 'another long password')).body['workspaces']).toHaveLength(1);
  });

  test('for a workspace when its person leaves the workspace', async () => {
    const email = await join();
    const cookie = cookieOf(await signIn(email));
    const members = dataOf(await api.call('GET', '/v1/members?limit=100', { key: owner }));
    const { id } = members.find(member => member['email'] === email)!;
    expect((await api.call('DELETE', `/v1/members/${id}`, { key: owner })).status).toBe(204);
    expect(told(await as(cookie, 'GET', '/v1/me'))).toBe('403 no_workspace');
    expect(told(await signIn(email))).toBe('403 no_workspace');
  });

  test('for the clients of an agency when its person leaves the agency, and they keep an owner', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const key = await createKey(api, agency, { surface: 'agency' });
    const email = await join('admin', { key });
    const cookie = cookieOf(await signIn(email));
    const body = { name: 'Client', billing_model: 'pass-through', currency: 'EUR' };
    const headers = { 'x-workspace-id': idOf(agency) }; // with the first client there are two to choose from
    const open = async () => (await as(cookie, 'POST', '/v1/agency/clients', { headers, body })).body['id']!;
    const [sole, shared] = [await open(), await open()];
    const others = { seats: ['owner', 'viewer'].map(role => ({ email: `${role}@example.com`, role })) };
    const seats = [...others.seats, { email, role: 'owner' }];
    expect((await api.call('PATCH', `/v1/agency/clients/${shared}`, { key, body: { seats } })).status).toBe(200);
    const work = (client: string) => as(cookie, 'GET', '/v1/campaigns', { headers: { 'x-workspace-id': client } });
    expect([told(await work(sole)), told(await work(shared))]).toEqual(['200', '200']);
    const members = dataOf(await api.call('GET', '/v1/members', { key })) as Loose[];
    const id = members.find(member => String(member['email']) === email)!['id'];
    expect((await api.call('DELETE', `/v1/members/${id}`, { key })).status).toBe(204);
    expect([told(await work(sole)), told(await work(shared))]).toEqual(['403 no_workspace', '403 no_workspace']);
    const seatsOf = async (client: string) =>
      (dataOf(await api.call('GET', '/v1/members', { key, headers: { 'x-workspace-id': client } })) as Loose[])
        .map(member => `${member['email']} ${member['role']}`)
        .sort();
    expect(await seatsOf(sole)).toEqual(['someone@example.com owner']);
    expect(await seatsOf(shared)).toEqual(['owner@example.com owner', 'viewer@example.com viewer']);
    const entries = dataOf(await api.call('GET', '/v1/audit', { key, headers: { 'x-workspace-id': sole } })) as Loose[];
    expect(entries.map(entry => entry['action'])).toEqual(['user.created', 'user.removed', 'workspace.created']);
  });

  test('when the person opens a fifty-first session: the oldest ends', async () => {
    const email = await join();
    const first = cookieOf(await signIn(email));
    const [person] = await api.sql<
      { person: number }[]
    >`select person_handle as person from sign_ins where email = ${email}`;
    const now = new Date(api.clock.now());
    await api.sql`
      insert into sessions (person_handle, hash, device, created_at, last_used_at, ends_at)
      select ${person!.person}, sha256(number::text::bytea), '', ${now}, ${now}, ${new Date(api.clock.now() + 86_400_000)} from generate_series(1, 49) number`;
    expect((await as(first, 'GET', '/v1/me')).status).toBe(200);
    await signIn(email);
    await eventually(async () => told(await as(first, 'GET', '/v1/me')) === '401 session_ended' || undefined);
  });
});

test('sessions are forgotten 30 days after their end', async () => {
  await joinAndSignIn();
  const left = async () => (await api.sql`select 1 from sessions`).length;
  const before = await left();
  await forgetOldSessions({ ...api.workers, now: () => new Date(api.clock.now() + 30 * 86_400_000) });
  expect(await left()).toBe(before);
  await forgetOldSessions({ ...api.workers, now: () => new Date(api.clock.now() + 32 * 86_400_000) });
  expect(await left()).toBe(0);
});

describe('a call that another site may have caused', () => {
  test.each([
    ['without the header', {}],
    ['with another value', { 'x-requested-with': 'XMLHttpRequest' }],
    ['from another origin', { ...CONSOLE, origin: 'https://evil.example' }],
    ['from a page that hides its origin', { ...CONSOLE, origin: 'null' }],
    ['from another port', { ...CONSOLE, origin: 'http://api.test:8443' }],
  ])('%s writes nothing and signs nobody in', async (_name, headers: Record<string, string>) => {
    const email = await join('admin');
    const cookie = cookieOf(await signIn(email));
    const written = await api.call('POST', '/v1/keys', { body: {}, headers: { host: 'api.test', cookie, ...headers } });
    expect(told(written)).toBe('403 cross_site_request');
    const signed = await api.call('POST', '/v1/sessions', {
      body: { email, password: PASSWORD },
      headers: { host: 'api.test', ...headers },
      from: nowhere(),
    });
    expect([told(signed), signed.headers['set-cookie']]).toEqual(['403 cross_site_request', undefined]);
  });

  test('does not come from our own origin, by the name in Host or by PUBLIC_URL', async () => {
    const cookie = await joinAndSignIn('admin');
    for (const [host, origin] of [
      ['localhost:8080', 'http://localhost:8080'],
      ['internal:8080', 'http://api.test'],
    ] as const)
      expect((await as(cookie, 'POST', '/v1/keys', { body: {}, headers: { host, origin } })).status).toBe(201);
  });

  test('may not send cookies from an origin that may call with keys', async () => {
    const open = await startSecondApi(api, { corsOrigins: new Set(['*']) });
    const asked = await open.inject({
      method: 'OPTIONS',
      url: '/v1/keys',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    await open.close();
    expect(asked.headers['access-control-allow-credentials']).toBeUndefined();
    expect(asked.headers['access-control-allow-headers']).not.toContain('x-requested-with');
  });
});

test('the last use of a session is noted once a minute', async () => {
  const offsetMs = api.clock.offsetMs;
  const session = await joinAndSignIn();
  const usedAt = async (laterMs: number) => {
    api.clock.offsetMs = offsetMs + laterMs;
    return dataOf(await as(session, 'GET', '/v1/sessions'))[0]!['last_used_at'];
  };
  const [atFirst, within, after] = [await usedAt(1_000), await usedAt(50_000), await usedAt(62_000)];
  expect(within).toBe(atFirst);
  expect(Date.parse(after!) - Date.parse(atFirst!)).toBeGreaterThanOrEqual(60_000);
  api.clock.offsetMs = offsetMs;
});

describe('a token', () => {
  test.each([
    ['unknown', () => formatSessionToken(randomBytes(32))],
    ['no token', () => 'hello'],
  ])('that is %s is refused and forgotten by the browser', async (_name, token) => {
    const answer = await as(`a=b; marquee_session=${token()}`, 'GET', '/v1/me');
    expect(told(answer)).toBe('401 invalid_session');
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0');
  });

  test('is ignored if the call has a key', async () => {
    const answer = await api.call('GET', '/v1/me', { key: owner, headers: { cookie: await joinAndSignIn('viewer') } });
    expect(answer.body).toMatchObject({ role: 'owner', key: { mode: 'live' } });
  });

  test('guessed a hundred times a minute is answered 429', async () => {
    const guess = () =>
      api.call('GET', '/v1/me', {
        headers: { cookie: `marquee_session=${formatSessionToken(randomBytes(32))}` },
        from: '203.0.113.91',
      });
    const answers = await Promise.all(Array.from({ length: 101 }, guess));
    expect(answers.map(told).filter(text => text === '429 rate_limited')).toHaveLength(1);
  });
});

describe('keys and sessions', () => {
  test('a key lists and ends the sessions of its person, unless another person made the key', async () => {
    const email = await join('admin');
    const signed = await signIn(email);
    const own = (await as(cookieOf(signed), 'POST', '/v1/keys', { body: {} })).body['key']!;
    expect(dataOf(await api.call('GET', '/v1/sessions', { key: own }))).toMatchObject([{ is_current: false }]);
    const member = (await as(cookieOf(signed), 'GET', '/v1/me')).body['person']!['user_id'];
    const made = (await api.call('POST', '/v1/keys', { key: owner, body: { user_id: member } })).body['key']!;
    const path = `/v1/sessions/${signed.body['session']!['id']}`;
    expect(told(await api.call('GET', '/v1/sessions', { key: made }))).toBe('403 role_forbidden');
    expect(told(await api.call('DELETE', path, { key: made }))).toBe('403 role_forbidden');
    expect((await api.call('DELETE', path, { key: own })).status).toBe(204);
    expect(told(await as(cookieOf(signed), 'GET', '/v1/me'))).toBe('401 session_ended');
  });
});
