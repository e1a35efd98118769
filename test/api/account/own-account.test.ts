/**
 * The own account of somebody who is signed in: name, password, second factor; and the links with which the demo signs
 * in. Driven by calls to the API in this process on real engines.
 */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOfStep } from '../../../sql/people/totp.ts';
import { removeSecondFactor } from '../../../cli/operator.ts';
import { formatSignInLink } from '../../../domain/access/key.ts';
import { errorsOf, rowsOf } from '../support/answer.ts';
import { fromBase32 } from '../support/base32.ts';
import { eventually } from '../../support/network.ts';
import { createKey, createWorkspace, dataOf, startApi, type Answer, type TestApi } from '../support/app-under-test.ts';
import { startSecondApi } from '../support/second-app.ts';

const PASSWORD = 'correct horse battery';
const OTHER = 'another long password';
const CONSOLE = { 'x-requested-with': 'marquee-console' };
const STEP_MS = 30_000;
let api: TestApi;
let owner: string;

beforeAll(async () => {
  api = await startApi();
  owner = await createKey(api, await createWorkspace(api));
});
afterAll(() => api.close());

let addresses = 0;
/** Tries are counted per address; each call of this test comes from one of its own. */
const nowhere = () => `198.51.100.${(addresses += 1)}`;
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();
const cookieOf = (answer: Answer) => /^marquee_session=[^;]*/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';
const signIn = (email: string, fields: object = {}) =>
  api.call('POST', '/v1/sessions', {
    body: { email, password: PASSWORD, ...fields },
    headers: CONSOLE,
    from: nowhere(),
  });
const as = (cookie: string, method: string, url: string, body?: object) =>
  api.call(method, url, { ...(body && { body }), headers: { ...CONSOLE, cookie } });

/** Somebody who has accepted an invitation, and is signed in. */
async function join(): Promise<{ email: string; cookie: string }> {
  const email = `person-${randomBytes(4).toString('hex')}@example.com`;
  const { body } = await api.call('POST', '/v1/invitations', { key: owner, body: { email, role: 'viewer' } });
  await api.call('POST', '/v1/invitations/accept', {
    body: { token: body['token'], name: 'Someone', password: PASSWORD },
    from: nowhere(),
  });
  return { email, cookie: cookieOf(await signIn(email)) };
}

/** What the app of the person shows; `steps` away from now. */
const codeNow = (secret: string, steps = 0) =>
  codeOfStep(fromBase32(secret), Math.floor(api.clock.now() / STEP_MS) + steps);

/** Somebody with a second factor, the clock just after the step of their last code. */
async function joinWithFactor() {
  const { email, cookie } = await join();
  const begun = await as(cookie, 'POST', '/v1/account/second-factor', { current_password: PASSWORD });
  const secret = begun.body['secret']! as string;
  const confirmed = await as(cookie, 'POST', '/v1/account/second-factor/confirm', { code: codeNow(secret) });
  api.clock.offsetMs += 2 * STEP_MS;
  return { email, cookie, secret, recovery: rowsOf<string>(confirmed.body['recovery_codes']) };
}
const actionsOf = async (cookie: string) => {
  const { body } = await as(cookie, 'GET', '/v1/account');
  const entries = dataOf(await api.call('GET', `/v1/audit?entity_id=${body['id']}`, { key: owner }));
  return entries.map(entry => entry['action']);
};

describe('the account', () => {
  test('belongs to the signed-in person; a key has no account', async () => {
    const { email, cookie } = await join();
    expect((await as(cookie, 'GET', '/v1/account')).body).toMatchObject({
      id: expect.stringMatching(/^per_/),
      email,
      name: 'Someone',
      has_password: true,
      second_factor: null,
    });
    const calls = [
      ['GET', '/v1/account'],
      ['PATCH', '/v1/account', { name: 'Other' }],
      ['PUT', '/v1/account/password', { current_password: PASSWORD, password: OTHER }],
      ['POST', '/v1/account/second-factor', { current_password: PASSWORD }],
      ['POST', '/v1/account/second-factor/confirm', { code: '123456' }],
      ['POST', '/v1/account/second-factor/remove', { code: '123456' }],
    ] as const;
    for (const [method, url, body] of calls)
      expect([url, told(await api.call(method, url, { key: owner, ...(body && { body }) }))]).toEqual([
        url,
        '404 not_found',
      ]);
  });

  test('is not changed by a call from another site', async () => {
    const { cookie } = await join();
    for (const [method, url, body] of [
      ['PATCH', '/v1/account', { name: 'Other' }],
      ['PUT', '/v1/account/password', { current_password: PASSWORD, password: OTHER }],
      ['POST', '/v1/account/second-factor', { current_password: PASSWORD }],
    ] as const)
      expect(told(await api.call(method, url, { body, headers: { cookie } }))).toBe('403 cross_site_request');
  });

  test('repeats its answers under an Idempotency-Key, and secrets only to the same session', async () => {
    const { email, cookie } = await join();
    const elsewhere = cookieOf(await signIn(email));
    const once = (by: string, method: string, url: string, body: object) =>
      api.call(method, url, { body, headers: { ...CONSOLE, cookie: by, 'idempotency-key': url } });
    const twice = async (method: string, url: string, body: object) => {
      const [first, again] = [await once(cookie, method, url, body), await once(cookie, method, url, body)];
      expect([url, again.status, again.raw.equals(first.raw)]).toEqual([url, first.status, true]);
      return first;
    };
    expect((await twice('PATCH', '/v1/account', { name: 'Once' })).status).toBe(200);
    const begun = await twice('POST', '/v1/account/second-factor', { current_password: PASSWORD });
    const code = codeNow(begun.body['secret']!);
    const confirmed = await twice('POST', '/v1/account/second-factor/confirm', { code });
    expect(confirmed.body['recovery_codes']).toHaveLength(10);
    const stolen = await once(elsewhere, 'POST', '/v1/account/second-factor/confirm', { code });
    expect(told(stolen)).toBe('422 idempotency_key_reused');
    const [recovery] = rowsOf<string>(confirmed.body['recovery_codes']);
    expect((await twice('POST', '/v1/account/second-factor/remove', { code: recovery })).status).toBe(204);
  });

  test('repeats no answer to another person of the workspace', async () => {
    const people = [await join(), await join()];
    const rename = (cookie: string) =>
      api.call('PATCH', '/v1/account', {
        body: { name: 'Twin' },
        headers: { ...CONSOLE, cookie, 'idempotency-key': 'twins' },
      });
    for (const { email, cookie } of people) expect((await rename(cookie)).body).toMatchObject({ email, name: 'Twin' });
  });

  test('accepts a new name, which all workspaces show and the audit log records', async () => {
    const { email, cookie } = await join();
    expect((await as(cookie, 'PATCH', '/v1/account', { name: '  Somebody ' })).body).toMatchObject({
      name: 'Somebody',
    });
    const members = dataOf(await api.call('GET', '/v1/members?limit=100', { key: owner }));
    expect(members.find(member => member['email'] === email)).toMatchObject({ name: 'Somebody' });
    expect(await actionsOf(cookie)).toContain('person.updated');
  });

  test.each([
    ['PATCH', '/v1/account', { name: 'x'.repeat(201) }, '/name'],
    ['PATCH', '/v1/account', { name: 'two\nlines' }, '/name'],
    ['PATCH', '/v1/account', { email: 'a@b.example', name: 'x' }, '/email'],
    ['PUT', '/v1/account/password', { current_password: PASSWORD, password: 'fourteen chars' }, '/password'],
    ['PUT', '/v1/account/password', { current_password: OTHER, password: OTHER }, '/current_password'],
    ['POST', '/v1/account/second-factor', { current_password: OTHER }, '/current_password'],
    ['POST', '/v1/account/second-factor/confirm', { code: '' }, '/code'],
    ['POST', '/v1/account/second-factor/remove', { code: 123_456 }, '/code'],
  ])('%s %s with %j is refused at %s', async (method, url, body, pointer) => {
    const { cookie } = await join();
    expect(await as(cookie, method, url, body)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer }] },
    });
  });
});

describe('another password', () => {
  test('signs in from then on, ends the other sessions and keeps the current one', async () => {
    const { email, cookie } = await join();
    const elsewhere = cookieOf(await signIn(email));
    const changed = await as(cookie, 'PUT', '/v1/account/password', { current_password: PASSWORD, password: OTHER });
    expect(changed.status).toBe(204);
    expect(told(await as(elsewhere, 'GET', '/v1/me'))).toBe('401 session_ended');
    expect(told(await as(cookie, 'GET', '/v1/me'))).toBe('200');
    expect(told(await signIn(email))).toBe('401 wrong_sign_in');
    expect(told(await signIn(email, { password: OTHER }))).toBe('201');
    expect(await actionsOf(cookie)).toContain('sign_in.updated');
  });

  test('is refused if it is easy to guess', async () => {
    const { email, cookie } = await join();
    for (const password of ['aaaaaaaaaaaaaaaa', 'passwordpassword', `${email} 2026`])
      expect(
        errorsOf((await as(cookie, 'PUT', '/v1/account/password', { current_password: PASSWORD, password })).body),
      ).toMatchObject([{ pointer: '/password', code: 'weak_password' }]);
    expect((await signIn(email)).status).toBe(201);
  });

  test('cannot be guessed in a signed-in browser: ten wrong passwords cause a wait', async () => {
    const { cookie } = await join();
    const guess = () => as(cookie, 'POST', '/v1/account/second-factor', { current_password: OTHER });
    for (let count = 0; count < 10; count += 1) expect(told(await guess())).toBe('422 validation_failed');
    expect(told(await guess())).toBe('429 rate_limited');
  }, 30_000);
});

describe('a second factor', () => {
  test('is active once a code was confirmed, and then each sign-in needs a code', async () => {
    const { email, cookie } = await join();
    const begun = await as(cookie, 'POST', '/v1/account/second-factor', { current_password: PASSWORD });
    expect(begun.body['url']).toContain(`secret=${begun.body['secret']}`);
    expect(told(await signIn(email))).toBe('201');
    const secret = begun.body['secret']! as string;
    const wrong = await as(cookie, 'POST', '/v1/account/second-factor/confirm', { code: codeNow(secret, 5) });
    expect(told(wrong)).toBe('401 wrong_code');
    const confirmed = await as(cookie, 'POST', '/v1/account/second-factor/confirm', { code: codeNow(secret) });
    expect(confirmed.body['recovery_codes']).toHaveLength(10);
    expect(told(await signIn(email))).toBe('401 second_factor_required');
    expect(told(await signIn(email, { code: codeNow(secret, 5) }))).toBe('401 wrong_code');
    expect(told(await signIn(email, { code: codeNow(secret, 1) }))).toBe('201');
    expect((await as(cookie, 'GET', '/v1/account')).body['second_factor']).toMatchObject({ recovery_codes_left: 10 });
    expect(await actionsOf(cookie)).toContain('second_factor.created');
  });

  test('accepts each code once, in any browser', async () => {
    const { email, secret } = await joinWithFactor();
    const code = codeNow(secret);
    const answers = await Promise.all([signIn(email, { code }), signIn(email, { code })]);
    expect(answers.map(told).sort()).toEqual(['201', '401 wrong_code']);
    expect(told(await signIn(email, { code: codeNow(secret, -1) }))).toBe('401 wrong_code');
  });

  test('accepts a recovery code once, in any notation', async () => {
    const { email, cookie, recovery } = await joinWithFactor();
    const code = recovery[3]!.toUpperCase().replaceAll('-', ' ');
    expect(told(await signIn(email, { code }))).toBe('201');
    expect(told(await signIn(email, { code }))).toBe('401 wrong_code');
    expect((await as(cookie, 'GET', '/v1/account')).body['second_factor']).toMatchObject({ recovery_codes_left: 9 });
  });

  test('cannot be guessed: after ten wrong codes even the right one has to wait', async () => {
    const { email, secret } = await joinWithFactor();
    for (let count = 0; count < 10; count += 1)
      expect(told(await signIn(email, { code: codeNow(secret, 100 + count) }))).toBe('401 wrong_code');
    expect(told(await signIn(email, { code: codeNow(secret) }))).toBe('429 rate_limited');
  }, 30_000);

  test('counts no code that is not compared, because there is no factor', async () => {
    const { email, cookie } = await join();
    for (let tries = 0; tries < 12; tries += 1)
      for (const step of ['confirm', 'remove'])
        expect(told(await as(cookie, 'POST', `/v1/account/second-factor/${step}`, { code: '123456' }))).toBe(
          '409 state_conflict',
        );
    expect(told(await signIn(email))).toBe('201');
  });

  test('does not reveal whether a code is right without the password', async () => {
    const { email, secret } = await joinWithFactor();
    expect(told(await signIn(email, { password: OTHER, code: codeNow(secret) }))).toBe('401 wrong_sign_in');
  });

  test('is removed with a code, and a new one starts only afterwards', async () => {
    const { email, cookie, secret } = await joinWithFactor();
    const begin = () => as(cookie, 'POST', '/v1/account/second-factor', { current_password: PASSWORD });
    expect(told(await begin())).toBe('409 state_conflict');
    const remove = (code: string) => as(cookie, 'POST', '/v1/account/second-factor/remove', { code });
    expect(told(await remove(codeNow(secret, 7)))).toBe('401 wrong_code');
    expect(told(await remove(codeNow(secret)))).toBe('204');
    expect(told(await signIn(email))).toBe('201');
    expect(told(await begin())).toBe('201');
    expect(await actionsOf(cookie)).toContain('second_factor.removed');
  });

  test('is removed by the operator for a person who lost it, with an audit entry', async () => {
    const { email, cookie } = await joinWithFactor();
    const remove = () => removeSecondFactor(api.sql, new Date(api.clock.now()), email.toUpperCase());
    expect([await remove(), await remove()]).toEqual([true, false]);
    expect(told(await signIn(email))).toBe('201');
    expect(await actionsOf(cookie)).toContain('second_factor.removed');
  });

  test('is stored encrypted in the database', async () => {
    const { secret, recovery } = await joinWithFactor();
    const rows = JSON.stringify([
      await api.sql`select * from recovery_codes`,
      await api.sql`select * from audit_entries`,
    ]);
    for (const code of recovery) expect(rows).not.toContain(code.replaceAll('-', ''));
    const sealed = await api.sql<{ secret_sealed: Buffer }[]>`select secret_sealed from second_factors`;
    for (const row of sealed) expect(row.secret_sealed.includes(fromBase32(secret))).toBe(false);
  });
});

describe('a link of the demo', () => {
  const makeLink = async (usesLeft: number) => {
    const { email } = await join();
    const token = formatSignInLink(randomBytes(32));
    await api.sql`
      insert into sign_in_links (hash, person_handle, uses_left, ends_at)
      select ${createHash('sha256').update(token).digest()}, person_handle, ${usesLeft}, ${new Date(api.clock.now() + 86_400_000)} from sign_ins where email = ${email}`;
    return { email, token };
  };

  test('is refused outside a demo', async () => {
    const { token } = await makeLink(1);
    const answer = await api.call('POST', '/v1/sessions/link', { body: { token }, headers: CONSOLE, from: nowhere() });
    expect([told(answer), answer.headers['set-cookie']]).toEqual(['403 demo_only', undefined]);
  });

  test('signs its person in up to its limit and for a day, only from console pages', async () => {
    const demo = await startSecondApi(api, { takesSignInLinks: true });
    const { email, token } = await makeLink(2);
    const follow = (headers: Record<string, string> = CONSOLE, given = token) =>
      demo.call('POST', '/v1/sessions/link', { body: { token: given }, headers, from: nowhere() });
    expect(told(await follow({}))).toBe('403 cross_site_request');
    expect(told(await follow(CONSOLE, formatSignInLink(randomBytes(32))))).toBe('410 link_expired');
    expect(told(await follow(CONSOLE, 'link'))).toBe('404 not_found');
    expect(await follow()).toMatchObject({ status: 201, body: { person: { email } } });
    const cookie = cookieOf(await follow());
    await eventually(async () => (await as(cookie, 'GET', '/v1/me')).status === 200 || undefined);
    expect(told(await follow())).toBe('410 link_expired');
    await demo.close();
  });
});
