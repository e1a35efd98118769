import { mayMakeKey, type KeyMaker } from '#domain/access/key-reach.ts';
import { parseId } from '#domain/id.ts';
import type { Surface } from '#domain/access/permission.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import { callerOf, type Principal } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { BY_CREATION, listOf, pageQuery, readPage } from '../lists/paging.ts';
import { idParams, strict } from '../shapes.ts';
import { CreatedKey, CreateKeyBody, KeyRecord, type CreateKey } from './schema.ts';
import type { KeyFields } from './new-key.ts';
import { createKey, listKeys, revokeKey, rotateKey } from './store.ts';

export function keyRoutes(app: Api, { sql, forgetKey, now }: RouteDependencies): void {
  app.get(
    '/keys',
    {
      config: { access: { resource: 'keys', verb: 'read' } },
      schema: {
        summary: 'List the API keys',
        tags: ['Keys'],
        querystring: strict(pageQuery(BY_CREATION)),
        response: { 200: listOf(KeyRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'keys' });
      return answer(reply, 200, isRefusal(page) ? page : await listKeys(sql, callerOf(request), { page, now: now() }));
    },
  );

  app.post(
    '/keys',
    {
      config: { access: { resource: 'keys', verb: 'write' }, secretReply: true, refusals: ['too_many_keys'] },
      schema: { summary: 'Create an API key', tags: ['Keys'], body: CreateKeyBody, response: { 201: CreatedKey } },
    },
    async (request, reply) => {
      const fields = parseKeyFields(request.body, request.principal!);
      if (isRefusal(fields)) return answer(reply, 201, fields);
      const { user_id: userId } = request.body;
      const user = userId === undefined ? undefined : parseId('user', userId);
      if (userId !== undefined && user === undefined)
        return answer(reply, 201, refuseField('/user_id', 'unknown_member', 'is not a member of this workspace'));
      const { role, madeBy } = request.principal!;
      return answer(reply, 201, await createKey(sql, callerOf(request), { fields, user, role, madeBy, now: now() }));
    },
  );

  app.post(
    '/keys/:id/rotate',
    {
      config: {
        access: { resource: 'keys', verb: 'write' },
        secretReply: true,
        refusals: ['state_conflict', 'too_many_keys'],
      },
      schema: {
        summary: 'Replace an API key; the old one stays valid for 24 hours',
        tags: ['Keys'],
        params: idParams,
        response: { 201: CreatedKey },
      },
    },
    async (request, reply) => {
      const handle = parseId('key', request.params.id);
      return answer(
        reply,
        201,
        handle === undefined
          ? refuseAbsent()
          : await rotateKey(sql, callerOf(request), { handle, maker: makerOf(request.principal!), now: now() }),
      );
    },
  );

  app.delete(
    '/keys/:id',
    {
      config: { access: { resource: 'keys', verb: 'write' } },
      schema: { summary: 'Revoke an API key at once', tags: ['Keys'], params: idParams },
    },
    async (request, reply) => {
      const handle = parseId('key', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined
          ? refuseAbsent()
          : await revokeKey(sql, callerOf(request), { handle, forget: forgetKey, now: now() }),
      );
    },
  );
}

function makerOf({ surface, sandbox, workspace, home }: Principal): KeyMaker {
  return { surface, mode: sandbox ? 'test' : 'live', isAtHome: workspace === home };
}

/** In a client's workspace an agency works on campaigns, and so do the keys that it makes there. */
export function surfaceOf({ surface, workspace, home }: Principal): Surface {
  return workspace === home ? surface : 'ads_manager';
}

/** What is not said is as with the calling key, except that a new key may read and write. */
function parseKeyFields(
  { name = '', surface, access = 'read_write', mode }: CreateKey,
  maker: Principal,
): KeyFields | Refusal {
  const own = makerOf(maker);
  const fields = { name: name.trim(), surface: surface ?? surfaceOf(maker), access, mode: mode ?? own.mode };
  return mayMakeKey(own, fields) ?? fields;
}
