/**
 * What counts as a guess of a password or a key, and what is given back: each once. Driven by calls to the API on real
 * engines.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { formatKey } from '../../../domain/access/key.ts';
import { Places } from '../../../runtime/places.ts';
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
const someone = () => `person-${randomBytes(4).toString('hex')}@example.com`;
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();
const invite = async (email: string, key = owner) =>
  (await api.call('POST', '/v1/invitations', { key, body: { email, role: 'viewer' } })).body['token']! as string;
const accept = (token: string, fields: object, from = nowhere()) =>
  api.call('POST', '/v1/invitations/accept', { body: { token, ...fields }, from });
const signIn = (email: string, password: string, from: string) =>
  api.call('POST', '/v1/sessions', { body: { email, password }, headers: CONSOLE, from });

test('a right password of a person without a workspace restores only its own attempt', async () => {
  const email = someone();
  const { member } = (await accept(await invite(email), { password: PASSWORD })).body;
  await api.call('DELETE', `/v1/members/${member!['id']}`, { key: owner });
  const from = nowhere();
  for (let tries = 0; tries < 20; tries += 1)
    expect(told(await signIn(email, PASSWORD, from))).toBe('403 no_workspace');
  for (let tries = 0; tries < 50; tries += 1)
    expect(told(await signIn(someone(), 'a wrong passphrase', from))).toBe('401 wrong_sign_in');
  expect(told(await signIn(someone(), 'a wrong passphrase', from))).toBe('429 rate_limited');
});

test('keys guessed with an invitation count like keys guessed with a call', async () => {
  const token = await invite(someone());
  const from = nowhere();
  const guess = () => formatKey(randomBytes(32), 'live');
  for (let tries = 0; tries < 60; tries += 1)
    expect(told(await accept(token, { key: guess() }, from))).toBe('422 validation_failed');
  for (let tries = 0; tries < 40; tries += 1)
    expect(told(await api.call('GET', '/v1/me', { key: guess(), from }))).toBe('401 invalid_key');
  expect(told(await accept(token, { key: guess() }, from))).toBe('429 rate_limited');
  expect(told(await accept(token, {}, from))).toBe('201');
});

test('passwords guessed with invitations count like those of the sign-in, also for the network', async () => {
  const from = nowhere();
  const other = await createKey(api, await createWorkspace(api));
  let tries = 0;
  for (let people = 0; people < 6; people += 1) {
    const email = someone();
    await accept(await invite(email), { password: PASSWORD });
    const token = await invite(email, other);
    for (let each = 0; each < 9 && tries < 50; each += 1, tries += 1)
      expect(told(await accept(token, { password: 'a wrong passphrase' }, from))).toBe('422 validation_failed');
  }
  expect(told(await signIn(someone(), 'a wrong passphrase', from))).toBe('429 rate_limited');
});

test('passwords that are not checked, because too many people sign in, are no attempts', async () => {
  const [email, from] = [someone(), nowhere()];
  await accept(await invite(email), { password: PASSWORD });
  const { headers } = await signIn(email, PASSWORD, from);
  const cookie = /^marquee_session=[^;]*/.exec(String(headers['set-cookie']))![0];
  const token = await invite(email, await createKey(api, await createWorkspace(api)));
  const newcomer = await invite(someone());
  const busy = vi.spyOn(Places.prototype, 'waiting', 'get').mockReturnValue(100);
  const change = () =>
    api.call('PUT', '/v1/account/password', {
      body: { current_password: PASSWORD, password: 'another long password' },
      headers: { ...CONSOLE, cookie },
    });
  for (const attempt of [
    () => signIn(email, PASSWORD, from),
    () => accept(token, { password: PASSWORD }, from),
    () => accept(newcomer, { password: PASSWORD }, from),
    change,
  ])
    for (let tries = 0; tries < 55; tries += 1) expect(told(await attempt())).toBe('429 rate_limited');
  busy.mockRestore();
  expect(told(await signIn(email, PASSWORD, from))).toBe('201');
  expect(told(await accept(token, { password: PASSWORD }, from))).toBe('201');
  expect(told(await accept(newcomer, { password: PASSWORD }, from))).toBe('201');
  expect(told(await change())).toBe('204');
});
