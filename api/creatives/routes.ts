/** The routes of creatives. A record holds the addresses to upload to while its file is awaited. */
import type { Static } from 'typebox';
import { parseCreative } from '#domain/campaigns/creative.ts';
import { formatId } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import {
  findCreative,
  listCreatives,
  MEDIA_SORTS,
  type CreativeFilter,
  type CreativeRow,
} from '#sql/creatives/rows.ts';
import { changeCreative, createCreative, detachCreative } from '#sql/creatives/units.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { listed, listOf } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { renameUpload } from '../uploads/former-upload.ts';
import { addressesOf, type AddressDependencies } from '../uploads/upload-address.ts';
import { creativeRecord } from './record.ts';
import { ChangeCreativeBody, CreateCreativeBody, CreativeRecord, ListCreativesQuery, type Creative } from './schema.ts';

type Dependencies = CallDependencies & AddressDependencies;
const route = routeFor<Dependencies>();

export const creativeRoutes = [
  route({
    method: 'GET',
    path: '/creatives',
    access: { resource: 'creatives', verb: 'read' },
    summary: 'List the creatives',
    query: ListCreativesQuery,
    page: { list: 'creatives', sorts: MEDIA_SORTS },
    response: { 200: listOf(CreativeRecord) },
    async handle({ caller, page, query }, dependencies) {
      const found = await listCreatives(dependencies.sql, caller, { page, filter: filterOf(query) });
      const list = listed(found, page, { sorts: MEDIA_SORTS, recordOf: row => row });
      return { ...list, data: await Promise.all(list.data.map(rendering(dependencies))) };
    },
  }),

  route({
    method: 'POST',
    path: '/creatives',
    access: { resource: 'creatives', verb: 'write' },
    summary: 'Create a creative and get the address for its file',
    body: CreateCreativeBody,
    response: { 201: CreativeRecord },
    handle({ caller, body }, dependencies) {
      const { sql, now } = dependencies;
      const fields = parseCreative(body);
      if (isRefusal(fields)) return fields;
      return createCreative(sql, { ...caller, now: new Date(now()) }, { fields, render: rendering(dependencies) });
    },
  }),

  route({
    method: 'GET',
    path: '/creatives/:id',
    access: { resource: 'creatives', verb: 'read' },
    summary: 'Read a creative',
    id: 'creative',
    response: { 200: CreativeRecord },
    async handle({ caller, id }, dependencies) {
      const row = await findCreative(dependencies.sql, caller, id);
      return row ? rendering(dependencies)(row) : refuseAbsent();
    },
  }),

  route({
    method: 'PATCH',
    path: '/creatives/:id',
    access: { resource: 'creatives', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Change a creative, or name its file',
    id: 'creative',
    body: ChangeCreativeBody,
    response: { 200: CreativeRecord },
    async handle({ caller, id, body }, dependencies) {
      const { sql, now } = dependencies;
      const render = rendering(dependencies);
      const change = () =>
        changeCreative(sql, { ...caller, now: new Date(now()) }, { handle: id, changes: body, render });
      if (body.filename === undefined && body.audio_filename === undefined) return change();
      return (await findCreative(sql, caller, id)) ? renameUpload(dependencies, id, change) : refuseAbsent();
    },
  }),

  route({
    method: 'DELETE',
    path: '/creatives/:id',
    access: { resource: 'creatives', verb: 'write' },
    summary: 'Detach a creative from its campaigns',
    id: 'creative',
    handle: ({ caller, id }, { sql, now }) => detachCreative(sql, { ...caller, now: new Date(now()) }, id),
  }),
];

function filterOf({ status, orientation, q, count }: Static<typeof ListCreativesQuery>): CreativeFilter {
  return {
    isCounted: count === 'true',
    ...(status !== undefined && { statuses: status.split(',') }),
    ...(q !== undefined && { name: q }),
    ...(orientation !== undefined && { orientations: orientation.split(',') }),
  };
}

/** Writes out a row with its open upload addresses. */
function rendering(dependencies: Dependencies) {
  return async (row: CreativeRow): Promise<Creative> =>
    creativeRecord(row, await addressesOf(row, formatId('creative', row.handle), dependencies), dependencies);
}
