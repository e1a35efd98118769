/**
 * Spellings of one mail address are one person everywhere: at the sign-in, in limits of tries, in invitations, seats
 * and the operator's tool. Spellings that only look alike are two. Driven by calls to the API on real engines.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, removeSecondFactor, removeSignIn } from '../../../cli/operator.ts';
import { formatId } from '../../../domain/id.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { errorsOf } from '../support/answer.ts';

const PASSWORD = 'correct horse battery';
const CONSOLE = { 'x-requested-with': 'marquee-console' };
let api: TestApi;
let brand: TestWorkspace;
let owner: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api);
  owner = await createKey(api, brand);
});
afterAll(() => api.close());

let calls = 0;
const nowhere = () => `198.51.100.${(calls += 1) % 250}`;
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();
const invite = (email: string, key = owner) =>
  api.call('POST', '/v1/invitations', { key, body: { email, role: 'manager' } });
const accept = (token: string) =>
  api.call('POST', '/v1/invitations/accept', { body: { token, password: PASSWORD }, from: nowhere() });
const signIn = (email: string, password = PASSWORD) =>
  api.call('POST', '/v1/sessions', { body: { email, password }, headers: CONSOLE, from: nowhere() });

/** Three forms of an unused address: composed, decomposed, and with the domain in ASCII. */
function spellings(): [string, string, string] {
  const name = randomBytes(4).toString('hex');
  return [
    `zo\u00eb-${name}@b\u00fccher.example`,
    `ZOE\u0308-${name.toUpperCase()}@bu\u0308cher.example`,
    `zo\u00eb-${name}@XN--bcher-kva.EXAMPLE`,
  ];
}
async function join(email: string): Promise<void> {
  expect((await accept((await invite(email)).body['token']!)).status).toBe(201);
}

describe('variants of one address', () => {
  test('sign in the same person', async () => {
    const [first, ...others] = spellings();
    await join(first);
    const { body } = await signIn(first);
    for (const email of others)
      expect((await signIn(email)).body['person']).toMatchObject({ id: body['person']!['id'] });
  });

  test('share ten attempts', async () => {
    const all = spellings();
    await join(all[0]);
    for (let tries = 0; tries < 10; tries += 1)
      expect(told(await signIn(all[tries % 3]!, 'a wrong passphrase'))).toBe('401 wrong_sign_in');
    for (const email of all) expect(told(await signIn(email))).toBe('429 rate_limited');
  });

  test('find the same changes and calls of the person in the audit log', async () => {
    const all = spellings();
    await join(all[1]);
    const cookie = /^marquee_session=[^;]*/.exec(String((await signIn(all[0])).headers['set-cookie']))![0];
    expect(told(await api.call('GET', '/v1/keys', { headers: { cookie } }))).toBe('403 role_forbidden');
    const actionsOf = async (email: string) => {
      const answer = await api.call('GET', `/v1/audit?actor=${encodeURIComponent(email)}`, { key: owner });
      return dataOf(answer).map(entry => entry['action']);
    };
    for (const email of all)
      await expect.poll(() => actionsOf(email), { timeout: 10_000 }).toEqual(['key.refused', 'session.created']);
  });

  test('share one open invitation and one membership', async () => {
    const [first, second, third] = spellings();
    const { body } = await invite(first);
    expect(told(await invite(second))).toBe('409 state_conflict');
    expect((await accept(body['token']!)).status).toBe(201);
    expect(errorsOf((await invite(third)).body)).toMatchObject([{ pointer: '/email', code: 'already_member' }]);
  });

  test('become one member with one password, even with two invitations from other workspaces', async () => {
    const [first, second] = spellings();
    await join(first);
    const { body } = await invite(second, await createKey(api, await createWorkspace(api)));
    expect((await accept(body['token']!)).status).toBe(201);
    expect((await signIn(first)).body['workspaces']).toHaveLength(2);
  });

  test('are one seat of a client, and the refusal names the second one', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const key = await createKey(api, agency, { surface: 'agency' });
    const fields = { name: 'Client', billing_model: 'pass-through', currency: 'EUR' };
    const { body } = await api.call('POST', '/v1/agency/clients', { key, body: fields });
    const set = (...emails: string[]) =>
      api.call('PATCH', `/v1/agency/clients/${body['id']}`, {
        key,
        body: { seats: emails.map(email => ({ email, role: 'owner' })) },
      });
    const [first, second, third] = spellings();
    expect(errorsOf((await set(first, second)).body)).toMatchObject([{ pointer: '/seats/1/email', code: 'duplicate' }]);
    expect((await set(second)).body['seats']).toEqual([{ email: second, role: 'owner' }]);
    expect((await set(third)).body['seats']).toEqual([{ email: second, role: 'owner' }]);
  });

  test("are one address to the operator's tool", async () => {
    const [first, second, third] = spellings();
    await join(first);
    const now = new Date(api.clock.now());
    await expect(createUser(api.sql, now, { workspace: brand.handle, email: second, role: 'viewer' })).rejects.toThrow(
      `${second} is a member of ${formatId('workspace', brand.handle)} already`,
    );
    expect(await removeSecondFactor(api.sql, now, third)).toBe(false);
    expect(await removeSignIn(api.sql, now, third)).toBe(true);
    expect(told(await signIn(first))).toBe('401 wrong_sign_in');
  });
});

describe('an address with a letter whose lowercase depends on the language', () => {
  test('is a different address, both at sign-in and in invitations', async () => {
    const name = randomBytes(4).toString('hex');
    const [plain, dotted] = [`ines-${name}@example.com`, `\u0130nes-${name}@example.com`];
    await join(plain);
    expect(told(await signIn(dotted))).toBe('401 wrong_sign_in');
    expect((await invite(dotted)).status).toBe(201);
    for (let tries = 1; tries < 10; tries += 1) await signIn(dotted, 'a wrong passphrase');
    expect(told(await signIn(dotted))).toBe('429 rate_limited');
    expect(told(await signIn(plain))).toBe('201');
  });
});

test('members with the longest addresses are listed page by page', async () => {
  const key = await createKey(api, await createWorkspace(api));
  for (const host of ['e1', 'e2'])
    expect((await accept((await invite(`${'\u{20000}'.repeat(317)}@${host}`, key)).body['token']!)).status).toBe(201);
  const seen: unknown[] = [];
  let cursor = '';
  do {
    const page = await api.call('GET', `/v1/members?limit=1&sort=-email${cursor}`, { key });
    expect(page.status).toBe(200);
    seen.push(...dataOf(page).map(member => member['id']));
    cursor = page.body['has_more'] ? `&cursor=${page.body['next_cursor']}` : '';
  } while (cursor !== '');
  expect(new Set(seen).size).toBe(3);
});
