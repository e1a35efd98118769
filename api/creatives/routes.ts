/** The routes of creatives. A record holds the addresses to upload to while its file is awaited. */
import type { Static } from 'typebox';
import { parseCreative } from '#domain/campaigns/creative.ts';
import { formatId } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { listOf } from '../lists/paging.ts';
import { renameUpload } from '../uploads/former-upload.ts';
import { addressesOf, type AddressDependencies } from '../uploads/upload-address.ts';
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

type Dependencies = CallDependencies & AddressDependencies;
const route = routeFor<Dependencies>();

export const creativeRoutes = [
  route({
    method: 'GET',
    path: '/creatives',
    access: { resource: 'creatives', verb: 'read' },
    summary: 'List the creatives',
    tags: ['Creatives'],
    query: ListCreativesQuery,
    page: { list: 'creatives', sorts: MEDIA_SORTS },
    response: { 200: listOf(CreativeRecord) },
    async handle({ caller, page, query }, dependencies) {
      const list = await listCreatives(dependencies.sql, caller, { page, filter: filterOf(query) });
      return { ...list, data: await Promise.all(list.data.map(rendering(dependencies))) };
    },
  }),

  route({
    method: 'POST',
    path: '/creatives',
    access: { resource: 'creatives', verb: 'write' },
    summary: 'Create a creative and get the address for its file',
    tags: ['Creatives'],
    body: CreateCreativeBody,
    response: { 201: CreativeRecord },
    handle({ caller, body }, dependencies) {
      const { sql, now } = dependencies;
      const fields = parseCreative(body);
      return isRefusal(fields) ? fields : createCreative(sql, caller, { fields, render: rendering(dependencies), now });
    },
  }),

  route({
    method: 'GET',
    path: '/creatives/:id',
    access: { resource: 'creatives', verb: 'read' },
    summary: 'Read a creative',
    tags: ['Creatives'],
    id: 'creative',
    response: { 200: CreativeRecord },
    async handle({ caller, id }, dependencies) {
      const row = await readCreative(dependencies.sql, caller, id);
      return isRefusal(row) ? row : rendering(dependencies)(row);
    },
  }),

  route({
    method: 'PATCH',
    path: '/creatives/:id',
    access: { resource: 'creatives', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Change a creative, or name its file',
    tags: ['Creatives'],
    id: 'creative',
    body: ChangeCreativeBody,
    response: { 200: CreativeRecord },
    async handle({ caller, id, body }, dependencies) {
      const { sql, now } = dependencies;
      const change = () => changeCreative(sql, caller, { handle: id, body, render: rendering(dependencies), now });
      if (body.filename === undefined && body.audio_filename === undefined) return change();
      const known = await readCreative(sql, caller, id);
      return isRefusal(known) ? known : renameUpload(dependencies, id, change);
    },
  }),

  route({
    method: 'DELETE',
    path: '/creatives/:id',
    access: { resource: 'creatives', verb: 'write' },
    summary: 'Detach a creative from its campaigns',
    tags: ['Creatives'],
    id: 'creative',
    handle: ({ caller, id }, { sql, now }) => detachCreative(sql, caller, { handle: id, now: now() }),
  }),
];

function filterOf({ status, orientation, q, count }: Static<typeof ListCreativesQuery>) {
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
