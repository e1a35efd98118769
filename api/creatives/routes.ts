import { parseCreative } from '#domain/campaigns/creative.ts';
import { formatId, parseId } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { idParams } from '../shapes.ts';
import { creativeRecord, type CreativeRow } from './record.ts';
import {
  ChangeCreativeBody,
  CreateCreativeBody,
  CreativeRecord,
  ListCreativesQuery,
  MEDIA_SORTS,
  type Creative,
} from './schema.ts';
import { changeCreative, createCreative, detachCreative, listCreatives, readCreative } from './store.ts';
import { addressesOf } from '../uploads/upload-address.ts';

export function creativeRoutes(app: Api, dependencies: RouteDependencies): void {
  const { sql, now } = dependencies;
  const recordOf = async (row: CreativeRow): Promise<Creative> =>
    creativeRecord(row, await addressesOf(row, formatId('creative', row.handle), dependencies), dependencies);
  const shown = async (row: CreativeRow | Refusal) => (isRefusal(row) ? row : recordOf(row));
  // A reply that may be repeated is made within the unit of work, where nothing is waited for: it is made in there.
  const written = { render: recordOf, now };

  app.get(
    '/creatives',
    {
      config: { access: { resource: 'creatives', verb: 'read' } },
      schema: {
        summary: 'List the creatives',
        tags: ['Creatives'],
        querystring: ListCreativesQuery,
        response: { 200: listOf(CreativeRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'creatives', sorts: MEDIA_SORTS });
      if (isRefusal(page)) return answer(reply, 200, page);
      const { status, orientation, q, count } = request.query;
      const filter = {
        isCounted: count === 'true',
        ...(status !== undefined && { statuses: status.split(',') }),
        ...(q !== undefined && { name: q }),
        ...(orientation !== undefined && { orientations: orientation.split(',') }),
      };
      const list = await listCreatives(sql, callerOf(request), { page, filter });
      return answer(reply, 200, { ...list, data: await Promise.all(list.data.map(recordOf)) });
    },
  );

  app.post(
    '/creatives',
    {
      config: { access: { resource: 'creatives', verb: 'write' } },
      schema: {
        summary: 'Create a creative and get the address for its file',
        tags: ['Creatives'],
        body: CreateCreativeBody,
        response: { 201: CreativeRecord },
      },
    },
    async (request, reply) => {
      const fields = parseCreative(request.body);
      return answer(
        reply,
        201,
        isRefusal(fields) ? fields : await createCreative(sql, callerOf(request), { fields, ...written }),
      );
    },
  );

  app.get(
    '/creatives/:id',
    {
      config: { access: { resource: 'creatives', verb: 'read' } },
      schema: { summary: 'Read a creative', tags: ['Creatives'], params: idParams, response: { 200: CreativeRecord } },
    },
    async (request, reply) => {
      const handle = parseId('creative', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined ? refuseAbsent() : await shown(await readCreative(sql, callerOf(request), handle)),
      );
    },
  );

  app.patch(
    '/creatives/:id',
    {
      config: { access: { resource: 'creatives', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        summary: 'Change a creative, or name its file',
        tags: ['Creatives'],
        params: idParams,
        body: ChangeCreativeBody,
        response: { 200: CreativeRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('creative', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined
          ? refuseAbsent()
          : await changeCreative(sql, callerOf(request), { handle, body: request.body, ...written }),
      );
    },
  );

  app.delete(
    '/creatives/:id',
    {
      config: { access: { resource: 'creatives', verb: 'write' } },
      schema: { summary: 'Detach a creative from its campaigns', tags: ['Creatives'], params: idParams },
    },
    async (request, reply) => {
      const handle = parseId('creative', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined ? refuseAbsent() : await detachCreative(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );
}
