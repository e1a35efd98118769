import { parseAsset } from '#domain/campaigns/creative.ts';
import { formatId, parseId } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import { STILL_PROFILE } from '#domain/campaigns/rendition.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { uploadRecord } from '../creatives/record.ts';
import { MEDIA_SORTS } from '../creatives/schema.ts';
import { addressesOf } from '../uploads/upload-address.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { idParams } from '../shapes.ts';
import { AssetRecord, CreateAssetBody, ListAssetsQuery, type Asset } from './schema.ts';
import { archiveAsset, createAsset, listAssets, readAsset, restoreAsset, type AssetRow } from './store.ts';

/** Images of playlists: uploaded, checked and rendered as creatives are. */
export function playlistAssetRoutes(app: Api, dependencies: RouteDependencies): void {
  const { sql, now } = dependencies;

  app.get(
    '/assets',
    {
      config: { access: { resource: 'assets', verb: 'read' } },
      schema: {
        summary: 'List the assets',
        tags: ['Assets'],
        querystring: ListAssetsQuery,
        response: { 200: listOf(AssetRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'assets', sorts: MEDIA_SORTS });
      if (isRefusal(page)) return answer(reply, 200, page);
      const { status, q, count } = request.query;
      const filter = {
        isCounted: count === 'true',
        ...(status !== undefined && { statuses: status.split(',') }),
        ...(q !== undefined && { name: q }),
      };
      const list = await listAssets(sql, callerOf(request), { page, filter });
      return answer(reply, 200, {
        ...list,
        data: await Promise.all(list.data.map(row => assetRecord(row, dependencies))),
      });
    },
  );

  app.post(
    '/assets',
    {
      config: { access: { resource: 'assets', verb: 'write' } },
      schema: {
        summary: 'Create an asset and get the address for its image',
        tags: ['Assets'],
        body: CreateAssetBody,
        response: { 201: AssetRecord },
      },
    },
    async (request, reply) => {
      const fields = parseAsset(request.body);
      return answer(
        reply,
        201,
        isRefusal(fields)
          ? fields
          : await createAsset(sql, callerOf(request), {
              fields,
              render: row => assetRecord(row, dependencies),
              now: now(),
            }),
      );
    },
  );

  app.get(
    '/assets/:id',
    {
      config: { access: { resource: 'assets', verb: 'read' } },
      schema: { summary: 'Read an asset', tags: ['Assets'], params: idParams, response: { 200: AssetRecord } },
    },
    async (request, reply) => {
      const handle = parseId('asset', request.params.id);
      const row = handle === undefined ? refuseAbsent() : await readAsset(sql, callerOf(request), handle);
      return answer(reply, 200, isRefusal(row) ? row : await assetRecord(row, dependencies));
    },
  );

  app.delete(
    '/assets/:id',
    {
      config: { access: { resource: 'assets', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        summary: 'Archive an asset that nothing shows',
        description:
          'Refused while a playlist shows it or a venue has it as its photo; they are named. An archived asset can be read and restored.',
        tags: ['Assets'],
        params: idParams,
      },
    },
    async (request, reply) => {
      const handle = parseId('asset', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined ? refuseAbsent() : await archiveAsset(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );

  app.post(
    '/assets/:id/restore',
    {
      config: { access: { resource: 'assets', verb: 'write' } },
      schema: {
        summary: 'Restore an archived asset',
        tags: ['Assets'],
        params: idParams,
        response: { 200: AssetRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('asset', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined
          ? refuseAbsent()
          : await restoreAsset(sql, callerOf(request), {
              handle,
              render: row => assetRecord(row, dependencies),
              now: now(),
            }),
      );
    },
  );
}

async function assetRecord(row: AssetRow, dependencies: RouteDependencies): Promise<Asset> {
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
