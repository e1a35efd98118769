/**
 * The routes of assets: images of playlists, uploaded, checked and rendered as creatives are. A record carries the
 * address that its image is uploaded to, so it is rendered with what the routes work with.
 */
import { parseAsset } from '#domain/campaigns/creative.ts';
import { STILL_PROFILE } from '#domain/campaigns/rendition.ts';
import { formatId } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import {
  archiveAsset,
  createAsset,
  findAsset,
  listAssets,
  restoreAsset,
  type AssetFilter,
  type AssetRow,
} from '#sql/creatives/assets.ts';
import { MEDIA_SORTS } from '#sql/creatives/rows.ts';
import { uploadRecord } from '../creatives/record.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { listed, listOf } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { addressesOf, type AddressDependencies } from '../uploads/upload-address.ts';
import { AssetRecord, CreateAssetBody, ListAssetsQuery, type Asset, type ListAssets } from './schema.ts';

type Dependencies = CallDependencies & AddressDependencies;
const route = routeFor<Dependencies>();

export const playlistAssetRoutes = [
  route({
    method: 'GET',
    path: '/assets',
    access: { resource: 'assets', verb: 'read' },
    summary: 'List the assets',
    query: ListAssetsQuery,
    page: { list: 'assets', sorts: MEDIA_SORTS },
    response: { 200: listOf(AssetRecord) },
    async handle({ caller, page, query }, dependencies) {
      const found = await listAssets(dependencies.sql, caller, { page, filter: parseFilter(query) });
      const list = listed(found, page, { sorts: MEDIA_SORTS, recordOf: row => row });
      return { ...list, data: await Promise.all(list.data.map(row => assetRecord(row, dependencies))) };
    },
  }),

  route({
    method: 'POST',
    path: '/assets',
    access: { resource: 'assets', verb: 'write' },
    summary: 'Create an asset and get the address for its image',
    body: CreateAssetBody,
    response: { 201: AssetRecord },
    handle({ caller, body }, dependencies) {
      const { sql, now } = dependencies;
      const fields = parseAsset(body);
      const render = (row: AssetRow) => assetRecord(row, dependencies);
      if (isRefusal(fields)) return fields;
      return createAsset(sql, { ...caller, now: new Date(now()) }, { fields, render });
    },
  }),

  route({
    method: 'GET',
    path: '/assets/:id',
    access: { resource: 'assets', verb: 'read' },
    summary: 'Read an asset',
    id: 'asset',
    response: { 200: AssetRecord },
    async handle({ caller, id }, dependencies) {
      const row = await findAsset(dependencies.sql, caller, id);
      return row ? assetRecord(row, dependencies) : refuseAbsent();
    },
  }),

  route({
    method: 'DELETE',
    path: '/assets/:id',
    access: { resource: 'assets', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Archive an asset that nothing shows',
    description:
      'Refused while a playlist shows it or a venue has it as its photo; they are named. An archived asset can be read and restored.',
    id: 'asset',
    handle: ({ caller, id }, { sql, now }) => archiveAsset(sql, { ...caller, now: new Date(now()) }, id),
  }),

  route({
    method: 'POST',
    path: '/assets/:id/restore',
    access: { resource: 'assets', verb: 'write' },
    summary: 'Restore an archived asset',
    id: 'asset',
    response: { 200: AssetRecord },
    handle({ caller, id }, dependencies) {
      const { sql, now } = dependencies;
      const render = (row: AssetRow) => assetRecord(row, dependencies);
      return restoreAsset(sql, { ...caller, now: new Date(now()) }, { handle: id, render });
    },
  }),
];

function parseFilter({ status, q, count }: ListAssets): AssetFilter {
  return {
    isCounted: count === 'true',
    ...(status !== undefined && { statuses: status.split(',') }),
    ...(q !== undefined && { name: q }),
  };
}

async function assetRecord(row: AssetRow, dependencies: Dependencies): Promise<Asset> {
  const id = formatId('asset', row.handle);
  const shown = row.renditions?.[STILL_PROFILE.name];
  return {
    id,
    name: row.name,
    filename: row.filename,
    content_type: row.content_type,
    ...uploadRecord(row, await addressesOf(row, id, dependencies), dependencies),
    play_url: row.status === 'ready' && shown ? `${dependencies.urls.public}/assets/${shown.object}` : null,
    created_at: row.created_at.toISOString(),
    archived_at: row.archived_at?.toISOString() ?? null,
  };
}
