/**
 * The routes of API keys: list, creation, rotation and revocation. A key reaches no further than the key that made it.
 * Its text is in the answer that creates it and in no other.
 */
import { mayMakeKey, type KeyMaker } from '#domain/access/key-reach.ts';
import { parseId } from '#domain/id.ts';
import type { Surface } from '#domain/access/permission.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Caller } from '../authentication/caller.ts';
import type { Principal } from '../authentication/principal.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { BY_CREATION, listOf, pageQuery } from '../lists/paging.ts';
import { strict } from '../wire/shapes.ts';
import { CreatedKey, CreateKeyBody, KeyRecord, type CreateKey } from './schema.ts';
import type { KeyFields, MadeKey } from './new-key.ts';
import { createKey, listKeys, readKey, revokeKey, rotateKey } from './store.ts';

type Dependencies = CallDependencies & { forgetKey: (hash?: string) => void };
const route = routeFor<Dependencies>();

export const keyRoutes = [
  route({
    method: 'GET',
    path: '/keys',
    access: { resource: 'keys', verb: 'read' },
    summary: 'List the API keys',
    tags: ['Keys'],
    query: strict(pageQuery(BY_CREATION)),
    page: { list: 'keys' },
    response: { 200: listOf(KeyRecord) },
    handle: ({ caller, page }, { sql, now }) => listKeys(sql, caller, { page, now: now() }),
  }),

  route({
    method: 'GET',
    path: '/keys/:id',
    access: { resource: 'keys', verb: 'read' },
    summary: 'Read an API key',
    tags: ['Keys'],
    id: 'key',
    response: { 200: KeyRecord },
    handle: ({ caller, id }, { sql, now }) => readKey(sql, caller, { handle: id, now: now() }),
  }),

  route({
    method: 'POST',
    path: '/keys',
    access: { resource: 'keys', verb: 'write' },
    refusals: ['too_many_keys'],
    secretReply: true,
    summary: 'Create an API key',
    tags: ['Keys'],
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
    tags: ['Keys'],
    id: 'key',
    response: { 201: CreatedKey },
    handle: ({ caller, principal, id }, { sql, now }) =>
      rotateKey(sql, caller, { handle: id, maker: makerOf(principal), now: now() }),
  }),

  route({
    method: 'DELETE',
    path: '/keys/:id',
    access: { resource: 'keys', verb: 'write' },
    summary: 'Revoke an API key at once',
    tags: ['Keys'],
    id: 'key',
    handle: ({ caller, id }, { sql, forgetKey, now }) =>
      revokeKey(sql, caller, { handle: id, forget: forgetKey, now: now() }),
  }),
];

type CreateCall = { caller: Caller; principal: Principal; body: CreateKey };

async function createRequestedKey(
  { caller, principal, body }: CreateCall,
  { sql, now }: Dependencies,
): Promise<MadeKey | Refusal> {
  const fields = parseKeyFields(body, principal);
  if (isRefusal(fields)) return fields;
  const user = body.user_id === undefined ? undefined : parseId('user', body.user_id);
  if (body.user_id !== undefined && user === undefined)
    return refuseField('/user_id', 'unknown_member', 'is not a member of this workspace');
  const { role, madeBy } = principal;
  return createKey(sql, caller, { fields, user, role, madeBy, now: now() });
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
