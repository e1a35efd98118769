/**
 * What somebody has shown is looked at once more when it takes effect: a password, a second factor or a key that was
 * changed while the call waited opens no session and gives no seat. Driven by calls to the API on real engines; a
 * transaction of the test holds the row that the call waits for.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeSignIn } from '../../../cli/operator.ts';
import type { Handle } from '../../../domain/id.ts';
import type { Transaction } from '../../../sql/postgres.ts';
import { errorsOf } from '../support/answer.ts';
import { createKey, createWorkspace, startApi, type Answer, type TestApi } from '../support/app-under-test.ts';

const PASSWORD = 'correct horse battery';
const CONSOLE = { 'x-requested-with': 'marquee-console' };
let api: TestApi;
let owner: string;

beforeAll(async () => {
  api = await startApi();
  owner = await createKey(api, await createWorkspace(api));
});
afterAll(() => api.close());

let calls = 0;
const nowhere = () => `198.51.${100 + Math.floor((calls += 1) / 250)}.${calls % 250}`;
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();
const invite = async (email: string, key = owner) =>
  (await api.call('POST', '/v1/invitations', { key, body: { email, role: 'viewer' } })).body['token']! as string;
const accept = (token: string, fields: object) =>
  api.call('POST', '/v1/invitations/accept', { body: { token, ...fields }, from: nowhere() });
const signIn = (email: string) =>
  api.call('POST', '/v1/sessions', { body: { email, password: PASSWORD }, headers: CONSOLE, from: nowhere() });
const as = (cookie: string, method: string, url: string, body: object) =>
  api.call(method, url, { body, headers: { ...CONSOLE, cookie } });
const changePassword = (cookie: string, password: string) =>
  as(cookie, 'PUT', '/v1/account/password', { current_password: PASSWORD, password });

type Joined = { email: string; person: Handle<'person'>; cookie: string };
async function join(): Promise<Joined> {
  const email = `person-${randomBytes(4).toString('hex')}@example.com`;
  await accept(await invite(email), { password: PASSWORD });
  const answer = await signIn(email);
  const [row] = await api.sql<{ person: Handle<'person'> }[]>`
    select person_handle as person from sign_ins where email = ${email}`;
  return { email, ...row!, cookie: /^marquee_session=[^;]*/.exec(String(answer.headers['set-cookie']))![0] };
}
const openSessions = async ({ person }: Joined) =>
  (await api.sql`select 1 from sessions where person_handle = ${person} and ended_at is null`).length;

/** What `act` is answered that waits for a row which `change` holds until it is done. */
async function meanwhile(change: (tx: Transaction) => Promise<unknown>, act: () => Promise<Answer>): Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  await api.sql.begin(async tx => {
    await change(tx);
    answer = act();
    for (let waiting = 0; waiting === 0;)
      waiting = (
        await api.sql`select 1 from pg_locks l join pg_stat_activity a using (pid)
          where not l.granted and a.datname = current_database()`
      ).length;
  });
  return answer!;
}
const holdPerson = (tx: Transaction, { person }: Joined) =>
  tx`select 1 from people where handle = ${person} for update`;

describe('a pending sign-in', () => {
  test('with the old password opens no session after the change', async () => {
    const joined = await join();
    const answer = await meanwhile(
      async tx => {
        await holdPerson(tx, joined);
        await tx`update sign_ins set password_hash = password_hash || 'x' where person_handle = ${joined.person}`;
      },
      () => signIn(joined.email),
    );
    expect(told(answer)).toBe('401 wrong_sign_in');
    expect(await openSessions(joined)).toBe(1);
  });

  test('without a code opens no session after a second factor was confirmed', async () => {
    const joined = await join();
    const answer = await meanwhile(
      async tx => {
        await holdPerson(tx, joined);
        await tx`insert into second_factors (person_handle, secret_sealed, created_at, confirmed_at)
          values (${joined.person}, '', now(), now())`;
      },
      () => signIn(joined.email),
    );
    expect(told(answer)).toBe('401 second_factor_required');
  });

  test('among many during a password change leaves no session that outlives it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const joined = await join();
      const signIns = Array.from({ length: 8 }, () => signIn(joined.email));
      const [changed] = await Promise.all([changePassword(joined.cookie, 'another long password'), ...signIns]);
      expect(told(changed)).toBe('204');
      expect(await openSessions(joined)).toBe(1);
    }
  });

  test('among many during its removal by the operator leaves no session that outlives it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const joined = await join();
      const signIns = Array.from({ length: 8 }, () => signIn(joined.email));
      await Promise.all([removeSignIn(api.sql, new Date(api.clock.now()), joined.email), ...signIns]);
      expect(await openSessions(joined)).toBe(0);
    }
  });
});

describe("a change of one's account", () => {
  test('with the old password is refused after the change', async () => {
    const joined = await join();
    const other = { ...joined, cookie: await signInAgain(joined) };
    const answers = await Promise.all([
      changePassword(joined.cookie, 'the first long password'),
      changePassword(other.cookie, 'the second long password'),
    ]);
    expect(answers.map(told).filter(text => text === '204')).toHaveLength(1);
    expect(await openSessions(joined)).toBe(1);
  });

  test('by a session that ended meanwhile changes nothing', async () => {
    const joined = await join();
    const change = (act: () => Promise<Answer>) =>
      meanwhile(async tx => {
        await holdPerson(tx, joined);
        await tx`update sessions set ended_at = now() where person_handle = ${joined.person}`;
      }, act);
    expect(told(await change(() => changePassword(joined.cookie, 'another long password')))).toBe('401 session_ended');
    const cookie = await signInAgain(joined);
    const begin = () => as(cookie, 'POST', '/v1/account/second-factor', { current_password: PASSWORD });
    expect(told(await change(begin))).toBe('401 session_ended');
    expect(await api.sql`select 1 from second_factors where person_handle = ${joined.person}`).toEqual([]);
  });

  const signInAgain = async ({ email }: Joined) =>
    /^marquee_session=[^;]*/.exec(String((await signIn(email)).headers['set-cookie']))![0];
});

describe('an invitation is not accepted', () => {
  test('with a password that was changed meanwhile', async () => {
    const joined = await join();
    const token = await invite(joined.email, await createKey(api, await createWorkspace(api)));
    const answer = await meanwhile(
      async tx => {
        await holdPerson(tx, joined);
        await tx`update sign_ins set password_hash = password_hash || 'x' where person_handle = ${joined.person}`;
      },
      () => accept(token, { password: PASSWORD }),
    );
    expect(errorsOf(answer.body)).toMatchObject([{ pointer: '/password', code: 'wrong_password' }]);
    expect(await api.sql`select 1 from users where person_handle = ${joined.person}`).toHaveLength(1);
  });

  test('with a key that was revoked meanwhile', async () => {
    const email = `person-${randomBytes(4).toString('hex')}@example.com`;
    const { key } = (await accept(await invite(email), {})).body;
    const token = await invite(email, await createKey(api, await createWorkspace(api)));
    const answer = await meanwhile(
      tx => tx`update keys set is_revoked = true, revoked_at = now() where display = ${key!['display']!}`,
      () => accept(token, { key: key!['key']! }),
    );
    expect(errorsOf(answer.body)).toMatchObject([{ pointer: '/key', code: 'revoked_key' }]);
  });
});
