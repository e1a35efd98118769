/**
 * Signing in with an account of an OpenID provider: whom it signs in, whom it does not, how somebody links theirs, and
 * what does not fit. The provider is a real one (oidc-provider) that runs in this process; the API is driven by calls
 * in this process on real engines, and the browser between them is the function `follow`.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOidcProvider, type OidcProvider } from '../../../api/oidc/provider.ts';
import { startSecondApi } from '../support/second-app.ts';
import { createKey, createWorkspace, dataOf, startApi, type Answer, type TestApi } from '../support/app-under-test.ts';

const PASSWORD = 'correct horse battery';
const CONSOLE = { 'x-requested-with': 'marquee-console' };
const CLIENT = { clientId: 'marquee', clientSecret: randomBytes(24).toString('base64url') };
const ORIGIN = 'http://api.test';
const SIGNED_OUT = `${ORIGIN}/console`;

type Account = { sub: string; email: string; email_verified: boolean; name: string };

let api: TestApi;
let owner: string;
let provider: { server: Server; signInAs: (account: Account) => void };

beforeAll(async () => {
  const redirectUri = `${ORIGIN}/console/oidc/callback`;
  const started = await startProvider(redirectUri);
  provider = started;
  api = await startApi({
    oidc: createOidcProvider({ ...CLIENT, issuer: started.issuer, redirectUri, signedOutUri: SIGNED_OUT }),
  });
  owner = await createKey(api, await createWorkspace(api));
});
afterAll(async () => {
  await api.close();
  provider.server.close();
});

/** A provider that signs in the person whom the test names, and asks no questions. */
async function startProvider(redirectUri: string) {
  const server = createServer();
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, Account>();
  let current = '';
  const oidc: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [SIGNED_OUT],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['of this test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...accounts.get(id)! }) }),
    async loadExistingGrant({ oidc: { client, session } }) {
      const grant = new oidc.Grant({ clientId: client!.clientId, accountId: session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const answer = oidc.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/'))
      void oidc.interactionFinished(request, response, { login: { accountId: current } });
    else void answer(request, response);
  });
  const signInAs = (account: Account) => {
    accounts.set(account.sub, account);
    current = account.sub;
  };
  return { server, issuer, signInAs };
}

let addresses = 0;
const nowhere = () => `198.51.100.${(addresses += 1)}`;
const someone = (fields: Partial<Account> = {}): Account => {
  const sub = randomBytes(6).toString('hex');
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Someone', ...fields };
};
const cookiesOf = (answer: Answer) => String(answer.headers['set-cookie']);
const cookieIn = (text: string, name: string) => new RegExp(`${name}=([^;,]+)`).exec(text)?.[0] ?? '';
const sessionOf = (answer: Answer) => cookieIn(cookiesOf(answer), 'marquee_session');

/** What a browser does at the provider, with the cookies of one: from its address to where it leads back to us. */
async function follow(from: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = from;
  for (let steps = 0; steps < 10; steps++) {
    if (url.startsWith(ORIGIN)) return url.slice(ORIGIN.length);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    url = new URL(response.headers.get('location') ?? '', url).href;
  }
  throw new Error('the provider does not lead back');
}

const start = () => api.call('GET', '/console/oidc/start', { from: nowhere() });
const back = (path: string, cookie: string) => api.call('GET', path, { headers: { cookie }, from: nowhere() });

/** Signs in at the provider and comes back. */
async function signIn(account: Account): Promise<Answer> {
  provider.signInAs(account);
  const left = await start();
  return back(await follow(left.headers['location']!), cookieIn(cookiesOf(left), 'marquee_oidc'));
}
const invite = (email: string, key = owner) =>
  api.call('POST', '/v1/invitations', { key, body: { email, role: 'manager' } });
const me = async (cookie: string) => (await api.call('GET', '/v1/me', { headers: { cookie } })).body;

/** Somebody who has chosen a password for their address, and is signed in. */
async function joinWithPassword(email: string): Promise<string> {
  const { body } = await invite(email);
  await api.call('POST', '/v1/invitations/accept', {
    body: { token: body['token'], password: PASSWORD },
    from: nowhere(),
  });
  return sessionOf(
    await api.call('POST', '/v1/sessions', { body: { email, password: PASSWORD }, headers: CONSOLE, from: nowhere() }),
  );
}
const beginLink = (cookie: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/account/identity', {
    body: { current_password: password },
    headers: { ...CONSOLE, cookie, ...headers },
  });

/** Links the account to the person of a session. */
async function link(cookie: string, account: Account): Promise<Answer> {
  provider.signInAs(account);
  const begun = await beginLink(cookie);
  const pending = cookieIn(cookiesOf(begun), 'marquee_oidc');
  return back(await follow(begun.body['url']!), `${pending}; ${cookie}`);
}

describe('an account of the provider', () => {
  test('with a verified and invited address joins, and stays the same person', async () => {
    const account = someone({ name: 'Ada' });
    await invite(account.email);
    const first = await signIn(account);
    expect([first.status, first.headers['location']]).toEqual([302, '/console']);
    const known = await me(sessionOf(first));
    expect(known).toMatchObject({ person: { email: account.email, name: 'Ada' }, role: 'manager' });
    expect(await me(sessionOf(await signIn({ ...account, email: 'renamed@example.com' })))).toMatchObject({
      person: { id: known['person']!['id'] },
    });
    expect(dataOf(await api.call('GET', '/v1/audit?action=identity.linked', { key: owner }))).toHaveLength(1);
  });

  test('accepts later invitations by signing in again', async () => {
    const account = someone();
    await invite(account.email);
    await signIn(account);
    await invite(account.email, await createKey(api, await createWorkspace(api)));
    expect((await me(sessionOf(await signIn(account))))['workspaces']).toHaveLength(2);
  });

  test.each([
    ['not_invited', someone(), false],
    ['not_verified', someone({ email_verified: false }), true],
  ])('gets the outcome %s, and creates no person', async (outcome, account, isInvited) => {
    if (isInvited) await invite(account.email);
    const refused = await signIn(account);
    expect([refused.headers['location'], sessionOf(refused)]).toEqual([`/console#oidc=${outcome}`, '']);
    expect(await api.sql`select 1 from people where email = ${account.email}`).toEqual([]);
  });

  test("does not accept an invitation to an address that equals its own only by some languages' lowercase", async () => {
    const { email } = someone();
    await invite(`i${email}`);
    const refused = await signIn(someone({ email: `\u0130${email}` }));
    expect(refused.headers['location']).toBe('/console#oidc=not_invited');
  });

  test('accepts an invitation to its address in another case', async () => {
    const { email } = someone();
    await invite(`zo\u00eb-${email.replace('example.com', 'b\u00fccher.example')}`);
    const joined = await signIn(
      someone({ email: `ZOE\u0308-${email.replace('example.com', 'xn--bcher-kva.example')}` }),
    );
    expect(joined.headers['location']).toBe('/console');
  });

  test('whose name has control characters has a name of one line', async () => {
    const account = someone({ name: ` Ada\u0000\u001b[31m\nLovelace\u2028${'\ud83d\ude00'.repeat(300)}` });
    await invite(account.email);
    const { person } = await me(sessionOf(await signIn(account)));
    expect(person!['name']).toBe(`Ada [31m Lovelace ${'\ud83d\ude00'.repeat(182)}`);
  });

  test.each([
    ['longer than it may be', 'x'.repeat(256)],
    ['with a NUL', 'x\u0000y'],
    ['not of ASCII', 'z\u00fcrich'],
  ])('with a subject that is %s signs nobody in', async (_what, sub) => {
    const account = someone({ sub });
    await invite(account.email);
    const refused = await signIn(account);
    expect([refused.status, refused.headers['location']]).toEqual([302, '/console#oidc=failed']);
  });

  test.each(['a\u0000@example.com', `${'a'.repeat(320)}@example.com`, 'no address'])(
    'with an invalid address (%j) does not count as verified',
    async email => {
      expect((await signIn(someone({ email }))).headers['location']).toBe('/console#oidc=not_verified');
    },
  );

  test('is not linked to an existing password of its address, which another person may have chosen', async () => {
    const account = someone();
    await joinWithPassword(account.email);
    await invite(account.email, await createKey(api, await createWorkspace(api)));
    expect((await signIn(account)).headers['location']).toBe('/console#oidc=has_password');
    expect(await api.sql`select 1 from identities where subject = ${account.sub}`).toEqual([]);
  });
});

describe('linking', () => {
  test('needs a session and the password, and lets the account sign that person in', async () => {
    const account = someone();
    const cookie = await joinWithPassword(someone().email);
    expect((await link(cookie, account)).headers['location']).toBe('/console/account#oidc=linked');
    const { person } = await me(cookie);
    expect((await me(sessionOf(await signIn(account))))['person']).toEqual(person);
    const shown = await api.call('GET', '/v1/account', { headers: { cookie } });
    expect(shown.body['identity']).toMatchObject({ email: account.email });
    expect((await api.call('DELETE', '/v1/account/identity', { headers: { ...CONSOLE, cookie } })).status).toBe(204);
    expect((await signIn(account)).headers['location']).toBe('/console#oidc=not_invited');
  });

  test('needs the right password, and a session that is still open', async () => {
    const account = someone();
    const cookie = await joinWithPassword(someone().email);
    const refused = await beginLink(cookie, 'not the right password');
    expect([refused.status, refused.headers['set-cookie']]).toEqual([422, undefined]);
    provider.signInAs(account);
    const begun = await beginLink(cookie);
    await api.call('DELETE', '/v1/sessions/current', { headers: { ...CONSOLE, cookie } });
    const pending = cookieIn(cookiesOf(begun), 'marquee_oidc');
    const returned = await back(await follow(begun.body['url']!), `${pending}; ${cookie}`);
    expect(returned.headers['location']).toBe('/console/account#oidc=failed');
    expect(await api.sql`select 1 from identities where subject = ${account.sub}`).toEqual([]);
  });

  test('that is begun again under one Idempotency-Key has a cookie, too, and leads back', async () => {
    const cookie = await joinWithPassword(someone().email);
    await beginLink(cookie, PASSWORD, { 'idempotency-key': 'link' });
    const begun = await beginLink(cookie, PASSWORD, { 'idempotency-key': 'link' });
    provider.signInAs(someone());
    const pending = cookieIn(cookiesOf(begun), 'marquee_oidc');
    const returned = await back(await follow(begun.body['url']!), `${pending}; ${cookie}`);
    expect(returned.headers['location']).toBe('/console/account#oidc=linked');
  });

  test('cannot take an account from another person', async () => {
    const account = someone();
    await link(await joinWithPassword(someone().email), account);
    const other = await link(await joinWithPassword(someone().email), account);
    expect(other.headers['location']).toBe('/console/account#oidc=linked_to_other');
  });

  test('cannot be undone by a person without a password, who has no other way in', async () => {
    const account = someone();
    await invite(account.email);
    const cookie = sessionOf(await signIn(account));
    const removed = await api.call('DELETE', '/v1/account/identity', { headers: { ...CONSOLE, cookie } });
    expect(removed).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });
});

describe('a way back', () => {
  test('from another browser, used twice or expired signs nobody in', async () => {
    const account = someone();
    await invite(account.email);
    provider.signInAs(account);
    const [left, other] = [await start(), await start()];
    const path = await follow(left.headers['location']!);
    const cookie = cookieIn(cookiesOf(left), 'marquee_oidc');
    const failed = '/console#oidc=failed';
    expect((await back(path, '')).headers['location']).toBe(failed);
    expect((await back(path, cookieIn(cookiesOf(other), 'marquee_oidc'))).headers['location']).toBe(failed);
    expect((await back(path, `${cookie.slice(0, -4)}AAAA`)).headers['location']).toBe(failed);
    api.clock.offsetMs += 601_000;
    expect((await back(path, cookie)).headers['location']).toBe(failed);
    api.clock.offsetMs -= 601_000;
    const first = await back(path, cookie);
    expect([first.headers['location'], cookiesOf(first)]).toEqual([
      '/console',
      expect.stringContaining('marquee_oidc=;'),
    ]);
    expect((await back(path, cookie)).headers['location']).toBe(failed);
  });

  test('signs in once, even if the provider accepts its code repeatedly', async () => {
    const account = someone();
    await invite(account.email);
    const checks = { state: 'a', nonce: 'b', verifier: 'c' };
    const lenient: OidcProvider = {
      begin: () => Promise.resolve({ url: new URL('http://provider.test'), checks }),
      finish: () =>
        Promise.resolve({ ...account, issuer: 'http://provider.test', subject: account.sub, idToken: 'a.b.c' }),
      endUrl: () => Promise.resolve(undefined),
    };
    const second = await startSecondApi(api, { oidc: lenient });
    const left = await second.call('GET', '/console/oidc/start', { from: nowhere() });
    const cookie = cookieIn(cookiesOf(left), 'marquee_oidc');
    const returns = await Promise.all(
      [second, second, second].map(({ call }) =>
        call('GET', '/console/oidc/callback?code=d&state=a', { headers: { cookie }, from: nowhere() }),
      ),
    );
    expect(returns.map(({ headers }) => headers['location']).sort()).toEqual([
      '/console',
      '/console#oidc=failed',
      '/console#oidc=failed',
    ]);
    await second.close();
  });

  test('after a canceled sign-in says that it was canceled', async () => {
    const left = await start();
    const cookie = cookieIn(cookiesOf(left), 'marquee_oidc');
    const returned = await back('/console/oidc/callback?error=access_denied', cookie);
    expect(returned.headers['location']).toBe('/console#oidc=cancelled');
  });
});

test('the sign-in page learns whether there is a provider', async () => {
  expect((await api.call('GET', '/v1/sessions/options')).body).toEqual({
    oidc: true,
    reset_by_mail: false,
    sign_up: [],
  });
});

describe('signing out', () => {
  const end = (headers: Record<string, string>) => api.call('GET', '/console/oidc/end', { headers });
  /** The cookie by which the provider will know whom it signed in. */
  const comeIn = async (): Promise<string> => {
    const account = someone();
    await invite(account.email);
    return cookieIn(cookiesOf(await signIn(account)), 'marquee_oidc_out');
  };

  test('redirects to the provider with the identity and the return address', async () => {
    const cookie = await comeIn();
    const left = await end({ cookie });
    const url = new URL(left.headers['location']!);
    expect(url.pathname).toBe('/session/end');
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(SIGNED_OUT);
    expect((await fetch(url)).status).toBe(200); // it refuses a token or an address that it does not know
    expect(cookiesOf(left)).toMatch(/marquee_oidc_out=; .*Max-Age=0/);
  });

  test.each([
    ['who did not come from the provider', async () => ({})],
    ['who is led there by another site', async () => ({ cookie: await comeIn(), 'sec-fetch-site': 'cross-site' })],
    ['who made up a cookie', async () => ({ cookie: 'marquee_oidc_out=AAAA' })],
  ] as const)('leads %s back to the sign-in', async (_, headersOf) => {
    const answer = await end(await headersOf());
    expect([answer.status, answer.headers['location']]).toEqual([302, '/console']);
  });
});
