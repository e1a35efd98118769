/** The operator's list of workspaces, and which of them may act. Driven by calls to the API on real engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import { readAs } from '../support/answer.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';

let api: TestApi;
let own: TestWorkspace;
let operator: string;

beforeAll(async () => {
  api = await startApi({ signUpKinds: new Set(['brand']) });
  own = await createWorkspace(api, { kind: 'operator' });
  operator = await createKey(api, own, { surface: 'operator' });
});
afterAll(() => api.close());

const list = async (query = '') =>
  dataOf(await api.call('GET', `/v1/operator/workspaces?${query}`, { key: operator })).map(record => record['id']);
const move = (id: string, to: 'approve' | 'close', key = operator) =>
  api.call('POST', `/v1/operator/workspaces/${id}/${to}`, { key });
const actionsOf = async (key: string) =>
  dataOf(await api.call('GET', '/v1/audit', { key })).map(({ action, actor }) => [action, actor?.['type']]);

describe('a new workspace', () => {
  const open = (body: object, key = operator) => api.call('POST', '/v1/operator/workspaces', { key, body });
  const BODY = { kind: 'agency', name: ' Harbour Bars ', currency: 'EUR', owner_email: 'ida@harbour.example' };

  test('is active, and its owner joins by the link that is shown once', async () => {
    const opened = await open(BODY);
    expect(opened).toMatchObject({
      status: 201,
      body: { name: 'Harbour Bars', kind: 'agency', status: 'active', signed_up_from: null },
    });
    const { invitation } = readAs<{ invitation: { email: string; url: string } }>(opened.body);
    expect(invitation.email).toBe(BODY.owner_email);
    const accepted = await api.call('POST', '/v1/invitations/accept', {
      body: { token: invitation.url.split('#')[1] },
    });
    expect(accepted).toMatchObject({
      status: 201,
      body: { workspace: { id: opened.body['id'] }, member: { role: 'owner' } },
    });
    expect(await list('q=harbour')).toEqual([opened.body['id']]);
    expect(await actionsOf(operator)).toContainEqual(['workspace.created', 'user']);
  });

  test.each([
    [{ ...BODY, kind: 'bar' }, '/kind'],
    [{ ...BODY, name: ' ' }, '/name'],
    [{ ...BODY, currency: 'EUX' }, '/currency'],
    [{ ...BODY, currency: 'eur' }, '/currency'],
    [{ ...BODY, owner_email: 'ida' }, '/owner_email'],
    [{ ...BODY, status: 'closed' }, '/status'],
  ])('of %j is refused by the name of the field, and is not there', async (body, pointer) => {
    const before = await list();
    expect(await open(body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    expect(await list()).toEqual(before);
  });

  test('is not there if its owner cannot be invited, as with the address that holds the seat until then', async () => {
    const { body: last } = await open(BODY);
    const next = formatId('workspace', (parseId('workspace', String(last['id']))! + 1) as Handle<'workspace'>);
    const before = await list();
    const refused = await open({ ...BODY, owner_email: `owner@${next}.invalid` });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/email', code: 'already_member' }] } });
    expect(await list()).toEqual(before);
  });

  test('is for the operator alone', async () => {
    const key = await createKey(api, await createWorkspace(api));
    expect(await open(BODY, key)).toMatchObject({ status: 403, body: { code: 'wrong_surface' } });
  });
});

describe('a workspace', () => {
  test('waits in the list after its sign-up and is approved, with an entry in both audit logs', async () => {
    const body = { kind: 'brand', workspace_name: 'North Sea Coffee', currency: 'EUR', email: 'a@coffee.example.com' };
    const made = (await api.call('POST', '/v1/sign-up', { body })).body as unknown as {
      workspace: { id: string };
      key: { key: string };
    }; // the types of an answer know records without depth
    const { id } = made.workspace;
    expect([await list('status=in_review&q=north'), await list('status=active&q=north')]).toEqual([[id], []]);
    expect(await move(id, 'approve')).toMatchObject({ status: 200, body: { id, status: 'active' } });
    expect(await list('status=active&q=north')).toEqual([id]);
    expect(await actionsOf(made.key.key)).toContainEqual(['workspace.approved', 'operator']);
    expect(await actionsOf(operator)).toContainEqual(['workspace.approved', 'user']);
    expect(await move(id, 'approve')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });

  test('with a screen cannot be closed, and the refusal says what has to end first', async () => {
    const venue = await createWorkspace(api, { kind: 'venue' });
    const key = await createKey(api, venue, { surface: 'screen_manager' });
    const place = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id'];
    const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: place } })).body;
    const paired = { venue_id: place, label: 'Bar', code };
    const screen = (await api.call('POST', '/v1/screens', { key, body: paired })).body['id'];
    const id = formatId('workspace', venue.handle);
    expect(await move(id, 'close')).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', detail: expect.stringContaining('1 paired screens') },
    });
    await api.call('DELETE', `/v1/screens/${screen}`, { key });
    expect(await move(id, 'close')).toMatchObject({ status: 200, body: { status: 'closed' } });
    // The process that closed it knows at once, although it read this key a moment ago.
    expect((await api.call('GET', '/v1/screens', { key })).body['code']).toBe('revoked_key');
    expect(await move(id, 'approve')).toMatchObject({ status: 200 });
    expect((await api.call('GET', '/v1/screens', { key })).status).toBe(200);
    expect(await move(id, 'close')).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect([await list('status=closed'), await list('kind=venue')]).toEqual([[id], [id]]);
  });

  test('of the operator cannot be closed by its own people', async () => {
    expect(await move(formatId('workspace', own.handle), 'close')).toMatchObject({ status: 409 });
  });

  test("is listed for the operator's people, and changed only by owners and admins", async () => {
    const brand = await createKey(api, await createWorkspace(api));
    expect((await api.call('GET', '/v1/operator/workspaces', { key: brand })).body['code']).toBe('wrong_surface');
    await api.sql`update users set role = 'manager' where handle = ${own.user}`;
    const manager = await createKey(api, own, { surface: 'operator' });
    expect([
      (await api.call('GET', '/v1/operator/workspaces', { key: manager })).status,
      (await move('ws_x', 'close', manager)).body['code'],
    ]).toEqual([200, 'role_forbidden']);
  });
});
