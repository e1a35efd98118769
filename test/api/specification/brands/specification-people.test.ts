/**
 * People in the interface: GET /v1/me, members, invitations, keys for members, one person in several workspaces, and
 * sign-up. Driven by calls to the API in this process on real engines; a second API shows when another process learns
 * of a change.
 */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveWorkspace, closeWorkspace, listWorkspaces } from '../../../../cli/admin/accounts/workspaces.ts';
import { createKey as createOperatorKey } from '../../../../cli/operator.ts';
import { formatInvitationToken } from '../../../../domain/access/key.ts';
import { formatId, parseId } from '../../../../domain/id.ts';
import { may, RESOURCES, type Role } from '../../../../domain/access/permission.ts';
import { eventually } from '../../../support/network.ts';
import { forgetOldInvitations } from '../../../../workers/upkeep/forget.ts';
import { startSecondApi } from '../../support/second-app.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type Loose,
  type TestApi,
  type TestWorkspace,
} from '../../support/app-under-test.ts';
import { readAs } from '../../support/answer.ts';

const DAY_MS = 86_400_000;
let api: TestApi;
let brand: TestWorkspace;
let owner: string;

beforeAll(async () => {
  api = await startApi({ signUpKinds: new Set(['brand']) });
  brand = await createWorkspace(api);
  owner = await createKey(api, brand, { expiresAt: new Date(api.clock.now() + 400 * DAY_MS) });
});
afterAll(() => api.close());

let addresses = 0;
/** Guesses are counted per address; each call of this test comes from one of its own unless it says so. */
const nowhere = () => `198.51.100.${(addresses += 1)}`;
const someone = () => `person-${randomBytes(4).toString('hex')}@example.com`;
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();
const me = async (key: string, headers: Record<string, string> = {}) =>
  (await api.call('GET', '/v1/me', { key, headers })).body;
const invite = (as: string, body: object) => api.call('POST', '/v1/invitations', { key: as, body });
const accept = (body: object) => api.call('POST', '/v1/invitations/accept', { body, from: nowhere() });
const auditOf = async (entity: string, key = owner) =>
  dataOf(await api.call('GET', `/v1/audit?entity_id=${entity}`, { key })).map(entry => entry['action']);

/** Somebody of this role, who came by an invitation: the answer of accepting it. */
async function join(role: Role, { as = owner, email = someone() } = {}): Promise<Loose> {
  const { token } = (await invite(as, { email, role })).body;
  return (await accept({ token })).body;
}
const keyOf = (accepted: Loose) => accepted['key']!['key']!;

describe('GET /v1/me', () => {
  test('says who the key is, its person, workspace, role, surface and what it may do', async () => {
    const answer = await me(owner);
    expect(answer).toMatchObject({
      person: {
        id: expect.stringMatching(/^per_/),
        user_id: formatId('user', brand.user),
        email: 'someone@example.com',
        name: '',
      },
      workspace: { id: formatId('workspace', brand.handle), name: 'Test', kind: 'brand', currency: 'EUR' },
      role: 'owner',
      surface: 'ads_manager',
      access: 'read_write',
      mode: 'live',
      key: { made_by_id: null, display: expect.stringMatching(/^sk_live_/) },
      workspaces: [{ id: formatId('workspace', brand.handle), role: 'owner', user_id: formatId('user', brand.user) }],
    });
    expect(answer['permissions']).toEqual(
      RESOURCES.map(resource => ({
        resource,
        read: may('ads_manager', 'owner', 'read_write', resource, 'read') === undefined,
        write: may('ads_manager', 'owner', 'read_write', resource, 'write') === undefined,
      })),
    );
    expect(JSON.stringify(answer)).not.toContain(owner);
  });

  test('is open to every role and to read-only and test keys', async () => {
    for (const role of ['admin', 'manager', 'finance', 'viewer'] as const)
      expect(await me(keyOf(await join(role)))).toMatchObject({ role });
    expect(await me(await createKey(api, brand, { access: 'read_only', mode: 'test' }))).toMatchObject({
      access: 'read_only',
      mode: 'test',
    });
  });

  test('of an agency that acts on a client shows that workspace, and the client among those of whoever made it', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const key = await createKey(api, agency, { surface: 'agency' });
    const { id } = (
      await api.call('POST', '/v1/agency/clients', {
        key,
        body: { name: 'Client', billing_model: 'pass-through', currency: 'EUR' },
      })
    ).body;
    expect(await me(key)).toMatchObject({
      workspace: { kind: 'agency' },
      workspaces: [{ kind: 'agency' }, { id, name: 'Client', kind: 'brand', role: 'owner' }],
    });
    expect(await me(key, { 'x-workspace-id': id! })).toMatchObject({
      workspace: { id },
      role: 'owner',
      surface: 'agency',
    });
  });
});

describe('members', () => {
  test('are listed page by page with their roles, for their own workspace alone', async () => {
    const house = await createWorkspace(api, { kind: 'venue' });
    const key = await createKey(api, house, { surface: 'screen_manager' });
    const { member } = await join('manager', { as: key });
    const first = await api.call('GET', '/v1/members?limit=1', { key });
    expect(first.body).toMatchObject({ data: [{ id: member!['id'], role: 'manager' }], has_more: true });
    expect(
      dataOf(await api.call('GET', `/v1/members?limit=1&cursor=${first.body['next_cursor']}`, { key })),
    ).toMatchObject([{ email: 'someone@example.com', role: 'owner' }]);
    expect(
      dataOf(await api.call('GET', '/v1/members?limit=100', { key: owner })).some(
        record => record['id'] === member!['id'],
      ),
    ).toBe(false);
    for (const method of ['PATCH', 'DELETE'])
      expect(
        told(
          await api.call(method, `/v1/members/${member!['id']}`, {
            key: owner,
            ...(method === 'PATCH' && { body: { role: 'viewer' } }),
          }),
        ),
      ).toBe('404 not_found');
  });

  test('get another role, with which their keys act from the next call on', async () => {
    const accepted = await join('admin');
    expect((await api.call('GET', '/v1/keys', { key: keyOf(accepted) })).status).toBe(200);
    const id = accepted['member']!['id']!;
    expect((await api.call('PATCH', `/v1/members/${id}`, { key: owner, body: { role: 'viewer' } })).body).toMatchObject(
      { id, role: 'viewer' },
    );
    expect(told(await api.call('GET', '/v1/keys', { key: keyOf(accepted) }))).toBe('403 role_forbidden');
    expect(await auditOf(id)).toEqual(['user.updated', 'user.created']);
  });

  test('who leave take all their keys along at once, and are members no more', async () => {
    const accepted = await join('manager');
    const id = accepted['member']!['id']!;
    const second = (await api.call('POST', '/v1/keys', { key: owner, body: { user_id: id } })).body['key']!;
    expect((await me(second))['role']).toBe('manager');
    expect((await api.call('DELETE', `/v1/members/${id}`, { key: owner })).status).toBe(204);
    for (const key of [keyOf(accepted), second])
      expect(told(await api.call('GET', '/v1/me', { key }))).toBe('401 revoked_key');
    expect(
      dataOf(await api.call('GET', '/v1/members?limit=100', { key: owner })).some(record => record['id'] === id),
    ).toBe(false);
    expect(told(await api.call('DELETE', `/v1/members/${id}`, { key: owner }))).toBe('404 not_found');
    expect(await auditOf(id)).toEqual(['user.removed', 'user.created']);
  });

  test('the last owner can neither leave nor get a smaller role, which the refusal says; with another one they can', async () => {
    const own = formatId('user', brand.user);
    expect(told(await api.call('DELETE', `/v1/members/${own}`, { key: owner }))).toBe('409 last_owner');
    expect(await api.call('PATCH', `/v1/members/${own}`, { key: owner, body: { role: 'admin' } })).toMatchObject({
      status: 409,
      body: { code: 'last_owner', detail: expect.stringContaining('last owner') },
    });
    const second = await join('owner');
    expect((await api.call('DELETE', `/v1/members/${second['member']!['id']}`, { key: keyOf(second) })).status).toBe(
      204,
    );
    expect(told(await api.call('DELETE', `/v1/members/${own}`, { key: owner }))).toBe('409 last_owner');
  });

  test('of two owners who leave at the same moment one stays', async () => {
    const house = await createWorkspace(api);
    const first = await createKey(api, house);
    const second = await join('owner', { as: first });
    const answers = await Promise.all([
      api.call('DELETE', `/v1/members/${formatId('user', house.user)}`, { key: first }),
      api.call('DELETE', `/v1/members/${second['member']!['id']}`, { key: keyOf(second) }),
    ]);
    expect(answers.map(told).sort()).toEqual(['204', '409 last_owner']);
  });

  test('an admin decides about nobody of a higher role, and only owners and admins decide at all', async () => {
    const [admin, manager] = [keyOf(await join('admin')), keyOf(await join('manager'))];
    const target = (await join('viewer'))['member']!['id']!;
    const change = (key: string, id: string, role: string) =>
      api.call('PATCH', `/v1/members/${id}`, { key, body: { role } });
    expect(told(await change(admin, formatId('user', brand.user), 'viewer'))).toBe('403 role_forbidden');
    expect(told(await change(admin, target, 'owner'))).toBe('403 role_forbidden');
    expect(told(await api.call('DELETE', `/v1/members/${formatId('user', brand.user)}`, { key: admin }))).toBe(
      '403 role_forbidden',
    );
    expect(told(await change(manager, target, 'viewer'))).toBe('403 role_forbidden');
    expect((await change(admin, target, 'finance')).status).toBe(200);
  });

  test('a test key reads them and decides about nobody', async () => {
    const key = await createKey(api, brand, { mode: 'test' });
    const id = (await join('viewer'))['member']!['id']!;
    expect((await api.call('GET', '/v1/members', { key })).status).toBe(200);
    for (const [method, url, body] of [
      ['PATCH', `/v1/members/${id}`, { role: 'admin' }],
      ['DELETE', `/v1/members/${id}`, undefined],
      ['POST', '/v1/invitations', { email: someone(), role: 'owner' }],
    ] as const) {
      expect(told(await api.call(method, url, { key, ...(body && { body }) }))).toBe('403 wrong_mode');
    }
  });
});

describe('invitations', () => {
  test('answer their token once, keep its hash alone, and are listed and revoked', async () => {
    const email = someone();
    const { body } = await invite(owner, { email, role: 'manager' });
    const { mail, token, url, ...made } = readAs<Record<string, string>>(body);
    expect(mail).toEqual({ state: 'off', problem: null });
    expect(token).toMatch(/^invite_[0-9A-Za-z]{49}$/);
    expect(url).toContain(token);
    expect(made).toMatchObject({
      id: expect.stringMatching(/^ivt_/),
      email,
      role: 'manager',
      status: 'open',
      invited_by: { id: formatId('user', brand.user), email: 'someone@example.com' },
    });
    expect(Date.parse(made['expires_at']!) - Date.parse(made['created_at']!)).toBe(7 * DAY_MS);
    expect(await api.sql`select handle from invitations i where to_jsonb(i)::text like ${`%${token}%`}`).toHaveLength(
      0,
    );
    expect(
      await api.sql`select handle from invitations where token_hash = ${createHash('sha256').update(token!).digest()}`,
    ).toHaveLength(1);
    expect(dataOf(await api.call('GET', '/v1/invitations?status=open&limit=100', { key: owner }))).toContainEqual(made);
    expect((await api.call('DELETE', `/v1/invitations/${made['id']}`, { key: owner })).status).toBe(204);
    expect(told(await accept({ token }))).toBe('410 invitation_ended');
    expect(dataOf(await api.call('GET', '/v1/invitations?status=revoked&limit=100', { key: owner }))).toMatchObject([
      { id: made['id'], status: 'revoked' },
    ]);
    expect(await auditOf(made['id']!)).toEqual(['invitation.revoked', 'invitation.created']);
  });

  test('are accepted without a key: the person is a member and gets a key of the invited role, once', async () => {
    const email = someone();
    const { token, id } = (await invite(owner, { email, role: 'finance' })).body;
    const accepted = await accept({ token, name: 'Finance' });
    expect(accepted).toMatchObject({
      status: 201,
      body: {
        workspace: { id: formatId('workspace', brand.handle) },
        member: { email, name: 'Finance', role: 'finance' },
        key: {
          mode: 'live',
          surface: 'ads_manager',
          access: 'read_write',
          made_by_id: null,
          user: { email, role: 'finance' },
        },
      },
    });
    expect(await me(keyOf(accepted.body))).toMatchObject({ person: { email, name: 'Finance' }, role: 'finance' });
    expect(told(await accept({ token }))).toBe('410 invitation_ended');
    expect(told(await api.call('DELETE', `/v1/invitations/${id}`, { key: owner }))).toBe('409 state_conflict');
    expect(await auditOf(id!)).toEqual(['invitation.accepted', 'invitation.created']);
  });

  test('one token accepted many times at the same moment makes one member', async () => {
    const { token } = (await invite(owner, { email: someone(), role: 'viewer' })).body;
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept({ token })));
    expect(answers.map(told).sort()).toEqual(['201', ...Array.from({ length: 7 }, () => '410 invitation_ended')]);
  });

  test('end after 7 days, not a second before', async () => {
    const [early, late] = [
      (await invite(owner, { email: someone(), role: 'viewer' })).body,
      (await invite(owner, { email: someone(), role: 'viewer' })).body,
    ];
    api.clock.offsetMs += 7 * DAY_MS - 60_000;
    expect((await accept({ token: early['token'] })).status).toBe(201);
    api.clock.offsetMs += 120_000;
    expect(told(await accept({ token: late['token'] }))).toBe('410 invitation_ended');
    expect(
      dataOf(await api.call('GET', '/v1/invitations?status=expired&limit=100', { key: owner })).map(
        record => record['id'],
      ),
    ).toContain(late['id']);
    api.clock.offsetMs -= 7 * DAY_MS + 60_000;
  });

  test('are forgotten 90 days after their end, and members stay', async () => {
    const house = await createWorkspace(api);
    const key = await createKey(api, house, { expiresAt: new Date(api.clock.now() + 400 * DAY_MS) });
    await join('viewer', { as: key });
    await invite(key, { email: someone(), role: 'viewer' });
    const left = async () => (await api.sql`select 1 from invitations where workspace_handle = ${house.handle}`).length;
    await forgetOldInvitations({ ...api.workers, now: () => new Date(api.clock.now() + 96 * DAY_MS) });
    expect(await left()).toBe(2);
    await forgetOldInvitations({ ...api.workers, now: () => new Date(api.clock.now() + 98 * DAY_MS) });
    expect(await left()).toBe(0);
    expect(dataOf(await api.call('GET', '/v1/members', { key }))).toHaveLength(2);
  });

  test('give no role beyond that of the inviter, neither when they are made nor when they are accepted', async () => {
    const admin = await join('admin');
    expect(told(await invite(keyOf(admin), { email: someone(), role: 'owner' }))).toBe('403 role_forbidden');
    expect(told(await invite(keyOf(await join('manager')), { email: someone(), role: 'viewer' }))).toBe(
      '403 role_forbidden',
    );
    const [demoted, orphaned] = [
      (await invite(keyOf(admin), { email: someone(), role: 'admin' })).body['token'],
      (await invite(keyOf(admin), { email: someone(), role: 'viewer' })).body['token'],
    ];
    await api.call('PATCH', `/v1/members/${admin['member']!['id']}`, { key: owner, body: { role: 'manager' } });
    expect(told(await accept({ token: demoted }))).toBe('410 invitation_ended');
    await api.call('DELETE', `/v1/members/${admin['member']!['id']}`, { key: owner });
    expect(told(await accept({ token: orphaned }))).toBe('410 invitation_ended');
  });

  test('of a member, of an address that has an open one, and of what is no address are refused by name', async () => {
    const email = someone();
    await invite(owner, { email, role: 'viewer' });
    expect(told(await invite(owner, { email: email.toUpperCase(), role: 'viewer' }))).toBe('409 state_conflict');
    expect(await invite(owner, { email: 'Someone@example.com', role: 'viewer' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/email', code: 'already_member' }] },
    });
    expect(await invite(owner, { email: 'nobody', role: 'king' })).toMatchObject({
      status: 422,
      body: {
        errors: expect.arrayContaining([
          expect.objectContaining({ pointer: '/email' }),
          expect.objectContaining({ pointer: '/role' }),
        ]),
      },
    });
  });

  test('of another workspace are neither seen nor revoked', async () => {
    const { id } = (await invite(owner, { email: someone(), role: 'viewer' })).body;
    const other = await createKey(api, await createWorkspace(api));
    expect(dataOf(await api.call('GET', '/v1/invitations', { key: other }))).toEqual([]);
    expect(told(await api.call('DELETE', `/v1/invitations/${id}`, { key: other }))).toBe('404 not_found');
  });

  test('bring somebody who has left back with the new role, and with none of the keys of before', async () => {
    const email = someone();
    const before = await join('admin', { email });
    await api.call('DELETE', `/v1/members/${before['member']!['id']}`, { key: owner });
    const after = await join('viewer', { email });
    expect(after['member']).toMatchObject({ id: before['member']!['id'], role: 'viewer' });
    expect(told(await api.call('GET', '/v1/me', { key: keyOf(before) }))).toBe('401 revoked_key');
    expect(await me(keyOf(after))).toMatchObject({ role: 'viewer' });
  });

  test('a wrong token is not found; an address that tries more than 20 in a minute waits, and its body is not read', async () => {
    const from = (address: string) => (body: object) =>
      api.call('POST', '/v1/invitations/accept', { body, from: address });
    const wrong = await Promise.all(
      Array.from({ length: 20 }, () => from('203.0.113.77')({ token: formatInvitationToken(randomBytes(32)) })),
    );
    expect(new Set(wrong.map(told))).toEqual(new Set(['404 not_found']));
    const late = await from('203.0.113.77')({ token: 'x' });
    expect([told(late), Number(late.headers['retry-after'])]).toEqual([
      '429 rate_limited',
      expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 60),
    ]);
    const { token } = (await invite(owner, { email: someone(), role: 'viewer' })).body;
    expect((await from('203.0.113.78')({ token })).status).toBe(201);
    expect(told(await from('203.0.113.79')({ token: 'x'.repeat(5_000) }))).toBe('413 body_too_large');
  });
});

describe('one person of several workspaces', () => {
  test('is one where the invitation is accepted with a key of the other workspace: GET /v1/me lists both', async () => {
    const email = someone();
    const first = await join('manager', { email });
    const house = await createWorkspace(api, { kind: 'venue' });
    const { token } = (
      await invite(await createKey(api, house, { surface: 'screen_manager' }), { email, role: 'viewer' })
    ).body;
    const second = (await accept({ token, key: keyOf(first) })).body;
    expect(second['key']!['surface']).toBe('screen_manager');
    expect(await me(keyOf(first))).toMatchObject({
      workspaces: [
        { id: formatId('workspace', brand.handle), role: 'manager' },
        { id: formatId('workspace', house.handle), kind: 'venue', role: 'viewer', user_id: second['member']!['id'] },
      ],
    });
    expect(await me(keyOf(second))).toMatchObject({
      role: 'viewer',
      workspaces: [{ id: formatId('workspace', brand.handle), role: 'manager' }, { role: 'viewer' }],
    });
  });

  test('is not one for an address alone: who invites a stranger learns nothing of where else that address is', async () => {
    const email = someone();
    await join('manager', { email });
    const spy = await createKey(api, await createWorkspace(api));
    const second = await join('viewer', { as: spy, email });
    expect((await me(keyOf(second)))['workspaces']).toHaveLength(1);
    const back = await createWorkspace(api, { kind: 'venue' });
    const { token } = (
      await invite(await createKey(api, back, { surface: 'screen_manager' }), { email: someone(), role: 'viewer' })
    ).body;
    expect(await accept({ token, key: keyOf(second) })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/key', code: 'other_person' }] },
    });
    expect(await accept({ token, key: 'sk_live_x' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/key', code: 'invalid_key' }] },
    });
    expect((await accept({ token })).status).toBe(201);
  });

  test('is not shown by a read-only key, which may call only GET and makes no key that may write', async () => {
    const email = someone();
    const first = await join('admin', { email });
    const { key } = (await api.call('POST', '/v1/keys', { key: keyOf(first), body: { access: 'read_only' } })).body;
    const { token } = (await invite(await createKey(api, await createWorkspace(api)), { email, role: 'viewer' })).body;
    expect(await accept({ token, key })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/key', code: 'not_allowed' }] },
    });
    expect((await me(keyOf(first)))['workspaces']).toHaveLength(1);
    expect((await accept({ token, key: keyOf(first) })).status).toBe(201);
  });

  test('is not shown to whoever made a key for the person, nor to keys made or rotated with that key', async () => {
    const email = someone();
    const first = await join('admin', { email });
    const { token } = (await invite(await createKey(api, await createWorkspace(api)), { email, role: 'viewer' })).body;
    await accept({ token, key: keyOf(first) });
    expect((await me(keyOf(first)))['workspaces']).toHaveLength(2);
    const made = (await api.call('POST', '/v1/keys', { key: owner, body: { user_id: first['member']!['id'] } })).body;
    expect(await me(made['key']!)).toMatchObject({
      workspaces: [{ id: formatId('workspace', brand.handle) }],
      key: { made_by_id: formatId('user', brand.user) },
    });
    const [child, successor] = [
      (await api.call('POST', '/v1/keys', { key: made['key']!, body: {} })).body['key']!,
      (await api.call('POST', `/v1/keys/${made['id']}/rotate`, { key: made['key']! })).body['key']!,
    ];
    const own = first['key']!['id']!;
    const ownSuccessor = (await api.call('POST', `/v1/keys/${own}/rotate`, { key: made['key']! })).body['key']!;
    for (const key of [child, successor, ownSuccessor]) expect((await me(key))['workspaces']).toHaveLength(1);
    const again = (await invite(await createKey(api, await createWorkspace(api)), { email, role: 'viewer' })).body[
      'token'
    ];
    for (const key of [child, ownSuccessor])
      expect(await accept({ token: again, key })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/key', code: 'not_allowed' }] },
      });
  });
});

describe('POST /v1/keys with user_id', () => {
  test('makes a key that acts with the role of that member, and says who made it', async () => {
    const { member } = await join('manager');
    const made = await api.call('POST', '/v1/keys', {
      key: owner,
      body: { name: 'CI', user_id: member!['id'], access: 'read_only' },
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        access: 'read_only',
        user: { id: member!['id'], role: 'manager' },
        made_by_id: formatId('user', brand.user),
      },
    });
    expect(dataOf(await api.call('GET', `/v1/audit?entity_id=${made.body['id']}`, { key: owner }))).toMatchObject([
      { action: 'key.created', actor: { id: formatId('user', brand.user) }, diff: { user: { to: member!['id'] } } },
    ]);
  });

  test('is refused beyond the reach of role, surface and mode, and for who is no member', async () => {
    const admin = keyOf(await join('admin'));
    const { member } = await join('viewer');
    const make = async (key: string, body: object) => told(await api.call('POST', '/v1/keys', { key, body }));
    expect(await make(admin, { user_id: formatId('user', brand.user) })).toBe('403 role_forbidden');
    expect(await make(admin, { user_id: member!['id'], surface: 'screen_manager' })).toBe('403 wrong_surface');
    expect(await make(await createKey(api, brand, { mode: 'test' }), { user_id: member!['id'], mode: 'live' })).toBe(
      '422 validation_failed',
    );
    const stranger = await createWorkspace(api);
    for (const id of [formatId('user', stranger.user), 'usr_x'])
      expect(await api.call('POST', '/v1/keys', { key: owner, body: { user_id: id } })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/user_id', code: 'unknown_member' }] },
      });
    expect(await make(admin, { user_id: member!['id'] })).toBe('201');
  });

  test("a key that the operator made for a person is that person's own", async () => {
    const { key } = await createOperatorKey(api.sql, new Date(api.clock.now()), {
      workspace: brand.handle,
      user: brand.user,
      surface: 'ads_manager',
      access: 'read_write',
      mode: 'live',
    });
    expect((await me(key))['key']!['made_by_id']).toBeNull();
  });
});

describe('POST /v1/sign-up', () => {
  const signUp = (changes: object = {}, from = nowhere()) =>
    api.call('POST', '/v1/sign-up', {
      from,
      body: { kind: 'brand', workspace_name: 'New brand', currency: 'EUR', email: someone(), ...changes },
    });
  const handleOf = (answer: Answer) => parseId('workspace', answer.body['workspace']!['id']!)!;

  test('is refused where the operator has not opened it, which the refusal says, and nothing is made', async () => {
    const [before] = await api.sql<{ n: number }[]>`select count(*)::integer as n from workspaces`;
    expect(await signUp({ kind: 'venue' })).toMatchObject({
      status: 403,
      body: { code: 'sign_up_closed', detail: expect.stringContaining('has not opened sign-up for a venue') },
    });
    const closed = await startSecondApi(api); // as without SIGN_UP
    const options = async ({ call }: Pick<TestApi, 'call'>) => (await call('GET', '/v1/sessions/options')).body;
    expect([(await options(api))['sign_up'], (await options(closed))['sign_up']]).toEqual([['brand'], []]);
    expect(
      told(
        await closed.call('POST', '/v1/sign-up', {
          body: { kind: 'brand', workspace_name: 'x', currency: 'EUR', email: 'a@example.com' },
        }),
      ),
    ).toBe('403 sign_up_closed');
    await closed.close();
    expect((await api.sql<{ n: number }[]>`select count(*)::integer as n from workspaces`)[0]).toEqual(before);
  });

  test('makes a workspace in review without money, its owner and a key, all in the audit', async () => {
    const email = someone();
    const made = await signUp({ email, name: 'Owner' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        workspace: { name: 'New brand', kind: 'brand', status: 'in_review', currency: 'EUR' },
        member: { email, name: 'Owner', role: 'owner' },
        key: { mode: 'live', surface: 'ads_manager', user: { role: 'owner' } },
      },
    });
    const key = keyOf(made.body);
    expect(await me(key)).toMatchObject({
      role: 'owner',
      workspace: { status: 'in_review' },
      workspaces: [{ status: 'in_review' }],
    });
    expect((await api.call('GET', '/v1/wallet', { key })).body['balance']).toEqual({ amount: 0, currency: 'EUR' });
    expect(dataOf(await api.call('GET', '/v1/audit?kind=changes', { key })).map(entry => entry['action'])).toEqual([
      'key.created',
      'user.created',
      'workspace.signed_up',
    ]);
  });

  test('until the operator approves it, the workspace only reads, forecasts and names its people and keys, in the sandbox too', async () => {
    const made = await signUp();
    const live = keyOf(made.body);
    const play = (await api.call('POST', '/v1/keys', { key: live, body: { mode: 'test' } })).body['key']!;
    expect((await invite(live, { email: someone(), role: 'viewer' })).status).toBe(201);
    for (const key of [live, play]) {
      expect((await api.call('GET', '/v1/campaigns', { key })).status).toBe(200);
      const {
        name: _name,
        category: _category,
        creatives: _creatives,
        landing_url: _url,
        ...plan
      } = campaignBody(api, []);
      expect((await api.call('POST', '/v1/forecasts', { key, body: plan })).status).toBe(200);
      for (const [url, body] of [
        ['/v1/creatives', { name: 'Spot', orientation: 'landscape', duration_ms: 10_000 }],
        ['/v1/webhooks', { url: 'https://hooks.example.com/', events: ['campaign.created'] }],
        ['/v1/wallet/top-ups', { amount: { amount: 5, currency: 'EUR' } }],
      ] as const) {
        expect(told(await api.call('POST', url, { key, body }))).toBe('403 workspace_in_review');
      }
    }
    await approveWorkspace(api.sql, new Date(api.clock.now()), handleOf(made));
    for (const key of [live, play])
      await eventually(
        async () =>
          (
            await api.call('POST', '/v1/creatives', {
              key,
              body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000 },
            })
          ).status === 201 || undefined,
      );
  });

  test('the operator sees who waits, and a workspace that is closed has no good key in any process until it is approved again', async () => {
    const email = someone();
    const made = await signUp({ email }, '198.51.100.250');
    const { workspaces } = (await listWorkspaces(api.sql, 'in_review')) as { workspaces: Record<string, string>[] };
    expect(workspaces.at(-1)).toMatchObject({
      id: made.body['workspace']!['id'],
      owner: email,
      kind: 'brand',
      status: 'in_review',
      signed_up_from: '198.51.100.250',
    });
    const key = keyOf(made.body);
    const other = await startSecondApi(api);
    expect((await other.call('GET', '/v1/me', { key })).status).toBe(200);
    await closeWorkspace(api.sql, new Date(), handleOf(made));
    await eventually(
      async () =>
        [await api.call('GET', '/v1/me', { key }), await other.call('GET', '/v1/me', { key })].every(
          answer => told(answer) === '401 revoked_key',
        ) || undefined,
    );
    await expect(closeWorkspace(api.sql, new Date(), handleOf(made))).rejects.toThrow('closed already');
    await approveWorkspace(api.sql, new Date(), handleOf(made));
    await eventually(
      async () => (await api.call('GET', '/v1/me', { key })).body?.['workspace']?.['status'] === 'active' || undefined,
    );
    expect(await auditOf(made.body['workspace']!['id']!, key)).toEqual([
      'workspace.approved',
      'workspace.closed',
      'workspace.signed_up',
    ]);
    await other.close();
  });

  test('a workspace with campaigns under way or paired screens is not closed before they end', async () => {
    const rich = await createWorkspace(api, { funds: 1_000 });
    const key = await createKey(api, rich);
    await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [await createReadyCreative(api, key)]) });
    await expect(closeWorkspace(api.sql, new Date(), rich.handle)).rejects.toThrow('1 campaigns');
    const house = await createWorkspace(api, { kind: 'venue' });
    const venueKey = await createKey(api, house, { surface: 'screen_manager' });
    const { id } = (await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE })).body;
    const { code } = (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: id } })).body;
    await api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: id, label: 'Bar', code } });
    await expect(closeWorkspace(api.sql, new Date(), house.handle)).rejects.toThrow('1 paired screens');
  });

  test('an address signs up five times an hour; bodies that were none do not count', async () => {
    for (const fault of [
      { kind: 'agency' },
      { currency: 'XXX' },
      { email: 'nobody' },
      { workspace_name: ' ' },
      { plan: 'top' },
      { currency: 1 },
    ])
      expect(told(await signUp(fault, '203.0.113.90'))).toBe('422 validation_failed');
    expect((await Promise.all(Array.from({ length: 6 }, () => signUp({}, '203.0.113.90')))).map(told).sort()).toEqual([
      ...Array.from({ length: 5 }, () => '201'),
      '429 rate_limited',
    ]);
    expect(Number((await signUp({}, '203.0.113.90')).headers['retry-after'])).toBeGreaterThan(3_000);
    expect((await signUp({}, '203.0.113.91')).status).toBe(201);
  });

  test('nobody signs up while a thousand wait', async () => {
    await api.sql`insert into workspaces (kind, name, currency, status, created_at) select 'brand', 'Waiting', 'EUR', 'in_review', now() from generate_series(1, 1000)`;
    expect(told(await signUp())).toBe('403 sign_up_closed');
    await api.sql`delete from workspaces where name = 'Waiting'`;
    expect((await signUp()).status).toBe(201);
  });
});
