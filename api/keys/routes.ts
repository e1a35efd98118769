/**
 * The routes of API keys: list, creation, rotation and revocation. A key reaches no further than the key that made it.
 * Its text is in the answer that creates it and in no other.
 */
import { mayMakeKey, type KeyMaker } from '#domain/access/key-reach.ts';
import { parseId } from '#domain/id.ts';
import type { Surface } from '#domain/access/permission.ts';
import { isRefusal, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import type { KeyFields } from '#sql/keys/keys.ts';
import { createKey, findKey, listKeys, revokeKey, rotateKey } from '#sql/keys/units.ts';
import type { Caller } from '../authentication/caller.ts';
import type { Principal } from '../authentication/principal.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { BY_CREATION, listed, listOf, pageQuery } from '../lists/paging.ts';
import { strict } from '../wire/shapes.ts';
import { CreatedKey, CreateKeyBody, KeyRecord, type CreateKey } from './schema.ts';
import { createdKey, keyRecord } from './record.ts';

type Dependencies = CallDependencies & { forgetKey: (hash?: string) => void };
const route = routeFor<Dependencies>();

export const keyRoutes = [
  route({
    method: 'GET',
    path: '/keys',
    access: { resource: 'keys', verb: 'read' },
    summary: 'List the API keys',
    query: strict(pageQuery(BY_CREATION)),
    page: { list: 'keys' },
    response: { 200: listOf(KeyRecord) },
    async handle({ caller, page }, { sql, now }) {
      const rows = await listKeys(sql, caller, { page, now: new Date(now()) });
      return listed({ rows }, page, { recordOf: keyRecord });
    },
  }),

  route({
    method: 'GET',
    path: '/keys/:id',
    access: { resource: 'keys', verb: 'read' },
    summary: 'Read an API key',
    id: 'key',
    response: { 200: KeyRecord },
    async handle({ caller, id }, { sql, now }) {
      const row = await findKey(sql, caller, { handle: id, now: new Date(now()) });
      return row ? keyRecord(row) : refuseAbsent();
    },
  }),

  route({
    method: 'POST',
    path: '/keys',
    access: { resource: 'keys', verb: 'write' },
    refusals: ['too_many_keys'],
    secretReply: true,
    summary: 'Create an API key',
    body: CreateKeyBody,
    response: { 201: CreatedKey },
    handle: createRequestedKey,
  }),

  route({
    method: 'POST',
    path: '/keys/:id/rotate',
    access: { resource: 'keys', verb: 'write' },
    refusals: ['state_conflict', 'too_many_keys'],
    secretReply: true,
    summary: 'Replace an API key; the old one stays valid for 24 hours',
    id: 'key',
    response: { 201: CreatedKey },
    handle: ({ caller, principal, id }, { sql, now }) =>
      replying(caller, { now: now(), render: createdKey }, call =>
        rotateKey(sql, call, { handle: id, maker: makerOf(principal), madeBy: principal.madeBy }),
      ),
  }),

  route({
    method: 'DELETE',
    path: '/keys/:id',
    access: { resource: 'keys', verb: 'write' },
    summary: 'Revoke an API key at once',
    id: 'key',
    async handle({ caller, id }, { sql, forgetKey, now }) {
      const revoked = await revokeKey(sql, { ...caller, now: new Date(now()) }, id);
      if (isRefusal(revoked)) return revoked;
      forgetKey(revoked.toString('base64')); // so that no later call of this process passes
      return undefined;
    },
  }),
];

type CreateCall = { caller: Caller; principal: Principal; body: CreateKey };

async function createRequestedKey(
  { caller, principal, body }: CreateCall,
  { sql, now }: Dependencies,
): Promise<CreatedKey | Refusal> {
  const fields = parseKeyFields(body, principal);
  if (isRefusal(fields)) return fields;
  const user = body.user_id === undefined ? undefined : parseId('user', body.user_id);
  if (body.user_id !== undefined && user === undefined)
    return refuseField('/user_id', 'unknown_member', 'is not a member of this workspace');
  const { role, madeBy } = principal;
  return replying(caller, { now: now(), render: createdKey }, call =>
    createKey(sql, call, { fields, user, role, madeBy }),
  );
}

function makerOf({ surface, sandbox, workspace, home }: Principal): KeyMaker {
  return { surface, mode: sandbox ? 'test' : 'live', isAtHome: workspace === home };
}

/** In a client's workspace an agency works on campaigns, and so do the keys that it makes there. */
export function surfaceOf({ surface, workspace, home }: Principal): Surface {
  return workspace === home ? surface : 'ads_manager';
}

/** Missing fields default to the calling key's, except that a new key may read and write. */
function parseKeyFields(
  { name = '', surface, access = 'read_write', mode }: CreateKey,
  maker: Principal,
): KeyFields | Refusal {
  const own = makerOf(maker);
  const fields = { name: name.trim(), surface: surface ?? surfaceOf(maker), access, mode: mode ?? own.mode };
  return mayMakeKey(own, fields) ?? fields;
}
