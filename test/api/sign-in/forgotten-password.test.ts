/**
 * Forgotten passwords: a link by mail or from the operator sets a new one, once. Nobody learns whether an address
 * exists. On real engines, with a mail server that runs here.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatResetToken } from '../../../domain/access/key.ts';
import { createResetLink } from '../../../cli/operator.ts';
import { parseMailAddress } from '../../../runtime/mail/mail-from.ts';
import { createLog } from '../../../runtime/log.ts';
import { createMailer } from '../../../runtime/mail/mailer.ts';
import { openMailServer, readMail } from '../mail/mail-server.ts';
import { rowsOf } from '../support/answer.ts';
import { createKey, createWorkspace, startApi, type Answer, type TestApi } from '../support/app-under-test.ts';

const OLD = 'correct horse battery';
const NEW = 'another staple of horses';
const CONSOLE = { 'x-requested-with': 'marquee-console' };
let api: TestApi;
let server: Awaited<ReturnType<typeof openMailServer>>;
let owner: string;
let operator: string;

beforeAll(async () => {
  server = await openMailServer();
  const from = parseMailAddress('Marquee <ads@example.com>');
  const mailer = createMailer({ url: server.url, from, log: createLog('api', 'fatal') });
  api = await startApi({ mailer });
  owner = await createKey(api, await createWorkspace(api));
  operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
});
afterAll(async () => {
  await api.close();
  await server.close();
});

let calls = 0;
const nowhere = () => `198.51.100.${(calls += 1)}`;
const someone = () => `person-${randomBytes(4).toString('hex')}@example.com`;
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();
const ask = (email: string, fields: object = {}, from = nowhere()) =>
  api.call('POST', '/v1/password-resets', { body: { email, ...fields }, from });
const use = (token: string, password = NEW, from = nowhere()) =>
  api.call('POST', '/v1/password-resets/use', { body: { token, password }, from });
const signIn = (email: string, password: string, code?: string) =>
  api.call('POST', '/v1/sessions', {
    body: { email, password, ...(code && { code }) },
    headers: CONSOLE,
    from: nowhere(),
  });
const cookieOf = (answer: Answer) => /marquee_session=[^;]+/.exec(String(answer.headers['set-cookie']))![0];

/** A person with the old password, in the workspace of the owner. */
const join = async (): Promise<string> => {
  const email = someone();
  const invited = await api.call('POST', '/v1/invitations', { key: owner, body: { email, role: 'viewer' } });
  await api.call('POST', '/v1/invitations/accept', { body: { token: invited.body['token'], password: OLD } });
  return email;
};
const mailsTo = (email: string) =>
  server.received.filter(({ to, text }) => to.includes(email) && /password|Passwort/.test(readMail(text).subject));
const tokensTo = (email: string) =>
  mailsTo(email).map(({ text }) => /http:\/\/api\.test\/console\/reset#(reset_\w+)/.exec(readMail(text).body)![1]!);
const newestTo = async (email: string, mails = 1): Promise<string> => {
  await vi.waitFor(() => expect(tokensTo(email).length).toBe(mails), { timeout: 20_000 });
  return tokensTo(email).at(-1)!;
};
const actionsOf = async (email: string) => {
  const rows = await api.sql<{ action: string }[]>`
    select action from audit_entries join sign_ins on entity_handle = person_handle
    where entity_type = 'person' and sign_ins.email = ${email} order by audit_entries.handle`;
  return rows.map(({ action }) => action);
};

describe('a link by mail', () => {
  test('sets a new password once: the old one is void, all sessions end, and the audit names each step', async () => {
    const email = await join();
    const cookie = cookieOf(await signIn(email, OLD));
    expect(told(await ask(email))).toBe('204');
    const token = await newestTo(email);
    expect(told(await signIn(email, OLD))).toBe('201'); // asking alone changes nothing
    expect(told(await use(token))).toBe('204');
    expect(told(await use(token, 'yet another staple'))).toBe('410 link_expired');
    expect(told(await signIn(email, OLD))).toBe('401 wrong_sign_in');
    expect(told(await signIn(email, NEW))).toBe('201');
    expect((await api.call('GET', '/v1/account', { headers: { cookie } })).status).toBe(401);
    expect(await actionsOf(email)).toEqual(expect.arrayContaining(['sign_in.reset_requested', 'sign_in.updated']));
  });

  test('is stored only as a hash, and is written in the language of the request', async () => {
    const email = await join();
    await ask(email, { language: 'de' });
    const token = await newestTo(email);
    expect(readMail(mailsTo(email)[0]!.text).subject).toBe('Neues Passwort für Marquee');
    const [row] = await api.sql<{ text: string }[]>`
      select r::text as text from password_resets r join sign_ins using (person_handle) where email = ${email}`;
    expect(row!.text).not.toContain(token);
  });

  test('ends after an hour', async () => {
    const email = await join();
    await ask(email);
    const token = await newestTo(email);
    await api.sql`
      update password_resets set created_at = now() - interval '2 hours', expires_at = now() - interval '1 second'
      where person_handle = (select person_handle from sign_ins where email = ${email})`;
    expect(told(await use(token))).toBe('410 link_expired');
    expect(told(await signIn(email, OLD))).toBe('201');
  });

  test('is void once a newer link is created or the password is changed otherwise', async () => {
    const email = await join();
    await ask(email);
    const first = await newestTo(email);
    await ask(email);
    const second = await newestTo(email, 2);
    expect(told(await use(first))).toBe('410 link_expired');
    const headers = { ...CONSOLE, cookie: cookieOf(await signIn(email, OLD)) };
    const body = { current_password: OLD, password: NEW };
    expect(told(await api.call('PUT', '/v1/account/password', { headers, body }))).toBe('204');
    expect(told(await use(second, 'yet another staple'))).toBe('410 link_expired');
  });

  test('used twice at the same moment sets one password', async () => {
    const email = await join();
    await ask(email);
    const token = await newestTo(email);
    const passwords = [NEW, 'yet another staple'];
    const answers = await Promise.all(passwords.map(password => use(token, password)));
    expect(answers.map(told).sort()).toEqual(['204', '410 link_expired']);
    const signedIn = await Promise.all(passwords.map(password => signIn(email, password)));
    expect(signedIn.map(({ status }) => status)).toEqual(answers.map(({ status }) => (status === 204 ? 201 : 401)));
  });

  test('refuses a short or easily guessed password, and stays valid', async () => {
    const email = await join();
    await ask(email);
    const token = await newestTo(email);
    for (const password of ['short', 'aaaaaaaaaaaaaaaa'])
      expect((await use(token, password)).body['errors']).toMatchObject([{ pointer: '/password' }]);
    expect(told(await use(token))).toBe('204');
  });

  test('leaves the second factor on: the new password alone is not enough', async () => {
    const email = await join();
    await api.sql`
      insert into second_factors (person_handle, secret_sealed, created_at, confirmed_at)
      select person_handle, '\\x00', now(), now() from sign_ins where email = ${email}`;
    await ask(email);
    expect(told(await use(await newestTo(email)))).toBe('204');
    expect(told(await signIn(email, NEW))).toBe('401 second_factor_required');
  });
});

describe('a request', () => {
  test('gets the same answer for known and unknown addresses', async () => {
    const [known, unknown] = [await ask(await join()), await ask(someone())];
    expect([unknown.status, unknown.raw.toString()]).toEqual([known.status, known.raw.toString()]);
    const names = ({ headers }: Answer) => Object.keys(headers).toSorted();
    expect(names(unknown)).toEqual(names(known));
  });

  test('beyond three an hour for one address gets the same answer, and sends no mail', async () => {
    const email = await join();
    for (let mails = 1; mails <= 3; mails += 1) {
      await ask(email);
      await newestTo(email, mails);
    }
    expect(told(await ask(email))).toBe('204');
    const other = await join(); // mails go in turn: after this one, none for the first is on its way
    await ask(other);
    await newestTo(other);
    expect(tokensTo(email).length).toBe(3);
  });

  test('counts as a sign-in attempt of its network: guessed requests and tokens end in a wait', async () => {
    const from = nowhere();
    for (let tries = 0; tries < 25; tries += 1) {
      expect(told(await ask(someone(), {}, from))).toBe('204');
      expect(told(await use(formatResetToken(randomBytes(32)), NEW, from))).toBe('410 link_expired');
    }
    expect(told(await ask(someone(), {}, from))).toBe('429 rate_limited');
    expect(told(await use('reset_none', NEW, from))).toBe('429 rate_limited');
  });
});

describe('a link of the operator', () => {
  const personOf = async (email: string) =>
    rowsOf<{ id: string }>((await api.call('GET', `/v1/operator/people?q=${email}`, { key: operator })).body['data']);

  test("sets a new password, and its creation is in the audit log of the person's workspace", async () => {
    const email = await join();
    const { id } = (await personOf(email))[0]!;
    const made = await api.call('POST', `/v1/operator/people/${id}/reset-link`, { key: operator, body: {} });
    expect(made.status).toBe(201);
    const token = /^http:\/\/api\.test\/console\/reset#(reset_\w+)$/.exec(String(made.body['url']))![1]!;
    expect(told(await use(token))).toBe('204');
    expect(told(await signIn(email, NEW))).toBe('201');
    expect(await actionsOf(email)).toContain('sign_in.reset_link_created');
    expect(mailsTo(email)).toEqual([]);
  });

  test('is refused for a person without a password, and to every other surface', async () => {
    const { id } = (await personOf(await join()))[0]!;
    const make = (key: string) => api.call('POST', `/v1/operator/people/${id}/reset-link`, { key, body: {} });
    expect((await make(owner)).status).toBe(403);
    await api.call('POST', `/v1/operator/people/${id}/remove-sign-in`, { key: operator, body: {} });
    expect(told(await make(operator))).toBe('409 state_conflict');
  });

  test("can also be created with the operator's tool", async () => {
    const email = await join();
    const link = await createResetLink(api.sql, new Date(), { email, publicUrl: 'http://api.test' });
    expect(told(await use(link!.url.split('#')[1]!))).toBe('204');
    expect(told(await signIn(email, NEW))).toBe('201');
    expect(
      await createResetLink(api.sql, new Date(), { email: someone(), publicUrl: 'http://api.test' }),
    ).toBeUndefined();
  });
});

test('an installation without a mail server says so at the sign-in, and answers requests the same way', async () => {
  const silent = await startApi();
  expect((await api.call('GET', '/v1/sessions/options')).body['reset_by_mail']).toBe(true);
  expect((await silent.call('GET', '/v1/sessions/options')).body['reset_by_mail']).toBe(false);
  expect(told(await silent.call('POST', '/v1/password-resets', { body: { email: someone() } }))).toBe('204');
  await silent.close();
});
