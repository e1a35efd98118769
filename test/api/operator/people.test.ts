/** How the operator resets what people sign in with. Driven by calls to the API on real engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../../domain/access/permission.ts';
import { createKey, createWorkspace, dataOf, startApi, type TestApi } from '../support/app-under-test.ts';

const PASSWORD = 'correct horse battery';
let api: TestApi;
let brandKey: string;
let operator: string;
let people = 0;

beforeAll(async () => {
  api = await startApi();
  brandKey = await createKey(api, await createWorkspace(api));
  operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
});
afterAll(() => api.close());

const WITH_CONSOLE = { 'x-requested-with': 'marquee-console' };
const signIn = (email: string) =>
  api.call('POST', '/v1/sessions', { body: { email, password: PASSWORD }, headers: WITH_CONSOLE });

/** A person who has joined the workspace of a key, and is signed in. */
async function join(key: string, role: Role = 'manager') {
  const email = `joined-${(people += 1)}@example.com`;
  const { token } = (await api.call('POST', '/v1/invitations', { key, body: { email, role } })).body;
  await api.call('POST', '/v1/invitations/accept', { body: { token, password: PASSWORD } });
  const [cookie] = String((await signIn(email)).headers['set-cookie']).split(';');
  return { email, cookie: cookie!, id: (await find(email))!['id']! };
}

const find = async (q: string) => {
  const found = await api.call('GET', `/v1/operator/people?q=${encodeURIComponent(q)}`, { key: operator });
  return dataOf(found)[0];
};
const reset = (id: string, what: 'sign-in' | 'second-factor', headers: Record<string, string> = {}) =>
  api.call('POST', `/v1/operator/people/${id}/remove-${what}`, {
    ...(headers['cookie'] === undefined && { key: operator }),
    headers,
  });
const actorsOf = async (key: string, action: string) =>
  dataOf(await api.call('GET', `/v1/audit?action=${action}`, { key })).map(({ actor }) => actor?.['type']);

describe('a person', () => {
  test('is found by a part of the address, with seats and sign-in methods', async () => {
    const { email, id } = await join(brandKey);
    expect(await find(email.toUpperCase())).toMatchObject({
      id,
      email,
      has_password: true,
      has_second_factor: false,
      seats: [{ workspace_name: 'Test', role: 'manager' }],
    });
  });

  test('is signed out by a reset of the sign-in and cannot sign in, with an entry in both audit logs', async () => {
    const { email, cookie, id } = await join(brandKey);
    const me = () => api.call('GET', '/v1/me', { headers: { cookie } });
    expect((await me()).status).toBe(200);
    expect((await reset(id, 'sign-in')).status).toBe(204);
    expect((await signIn(email)).status).toBe(401);
    await expect.poll(async () => (await me()).status).toBe(401);
    expect((await find(email))!['has_password']).toBe(false);
    expect(await actorsOf(brandKey, 'sign_in.removed')).toEqual(['operator']);
    expect(await actorsOf(operator, 'sign_in.removed')).toEqual(['user']);
    expect(await reset(id, 'sign-in')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });

  test('signs in with only the password after the operator removes a lost second factor', async () => {
    const { email, id } = await join(brandKey);
    await api.sql`
      insert into second_factors (person_handle, secret_sealed, created_at, confirmed_at)
      select person_handle, '\\x00', now(), now() from sign_ins where email = ${email}`;
    expect((await find(email))!['has_second_factor']).toBe(true);
    expect((await reset(id, 'second-factor')).status).toBe(204);
    expect((await signIn(email)).status).toBe(201);
    expect(await reset(id, 'second-factor')).toMatchObject({ status: 409 });
  });

  test('of the operator cannot be reset by a lower role or by themselves', async () => {
    const [owner, admin] = [await join(operator, 'owner'), await join(operator, 'admin')];
    const asAdmin = { ...WITH_CONSOLE, cookie: admin.cookie };
    expect((await reset(owner.id, 'sign-in', asAdmin)).body['code']).toBe('role_forbidden');
    expect((await reset(admin.id, 'sign-in', asAdmin)).body['code']).toBe('state_conflict');
    const viewer = await join(operator, 'viewer');
    const asViewer = { ...WITH_CONSOLE, cookie: viewer.cookie };
    expect((await reset(admin.id, 'sign-in', asViewer)).body['code']).toBe('role_forbidden');
    expect((await signIn(owner.email)).status).toBe(201);
  });
});
