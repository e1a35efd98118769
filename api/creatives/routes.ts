import { parseCreative } from '#domain/creative.ts';
import { formatId, parseId } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { signPath } from '#storage/signed-url.ts';
import { callerOf } from '../authentication.ts';
import type { Api, ApiParts } from '../app.ts';
import { answer, refuseAbsent } from '../error-reply.ts';
import { withReply } from '../idempotency.ts';
import { HANDLE_POSITION, listOf, readPage } from '../paging.ts';
import { idParams } from '../shapes.ts';
import { extensionOf } from './file-type.ts';
import { CreateCreativeBody, CreativeRecord, ListCreativesQuery, type Creative } from './schema.ts';
import { createCreative, detachCreative, listCreatives, readCreative, type CreativeRow } from './store.ts';

/** Path of an upload address, which is what its signature covers. */
export function uploadPath(creativeId: string): string {
  return `/uploads/${creativeId}`;
}

export function creativeRoutes(app: Api, parts: ApiParts): void {
  const { sql, now } = parts;
  const shown = (row: CreativeRow | Refusal) => (isRefusal(row) ? row : creativeRecord(row, parts));

  app.get('/creatives', {
    config: { access: { resource: 'creatives', verb: 'read' } },
    schema: { summary: 'List the creatives', tags: ['Creatives'], querystring: ListCreativesQuery, response: { 200: listOf(CreativeRecord) } },
  }, async (request, reply) => {
    const page = readPage(request.query, { list: 'creatives', position: HANDLE_POSITION });
    if (isRefusal(page)) return answer(reply, 200, page);
    const { status, orientation } = request.query;
    const list = await listCreatives(sql, callerOf(request), { page, filter: { ...(status !== undefined && { status }), ...(orientation !== undefined && { orientation }) } });
    return answer(reply, 200, { ...list, data: list.data.map(row => creativeRecord(row, parts)) });
  });

  app.post('/creatives', {
    config: { access: { resource: 'creatives', verb: 'write' } },
    schema: { summary: 'Create a creative and get the address for its file', tags: ['Creatives'], body: CreateCreativeBody, response: { 201: CreativeRecord } },
  }, async (request, reply) => {
    const fields = parseCreative(request.body);
    const caller = withReply(callerOf(request), shown);
    return answer(reply, 201, isRefusal(fields) ? fields : shown(await createCreative(sql, caller, { fields, now: now() })));
  });

  app.get('/creatives/:id', {
    config: { access: { resource: 'creatives', verb: 'read' } },
    schema: { summary: 'Read a creative', tags: ['Creatives'], params: idParams, response: { 200: CreativeRecord } },
  }, async (request, reply) => {
    const handle = parseId('creative', request.params.id);
    return answer(reply, 200, handle === undefined ? refuseAbsent() : shown(await readCreative(sql, callerOf(request), handle)));
  });

  app.delete('/creatives/:id', {
    config: { access: { resource: 'creatives', verb: 'write' } },
    schema: { summary: 'Detach a creative from its campaigns', tags: ['Creatives'], params: idParams },
  }, async (request, reply) => {
    const handle = parseId('creative', request.params.id);
    return answer(reply, 204, handle === undefined ? refuseAbsent() : await detachCreative(sql, callerOf(request), { handle, now: now() }));
  });
}

function creativeRecord(row: CreativeRow, { urls, uploadKeys, now }: ApiParts): Creative {
  const id = formatId('creative', row.handle);
  const expiresAt = row.status === 'awaiting_upload' && row.upload_expires_at !== null && row.upload_expires_at.getTime() > now() ? row.upload_expires_at : undefined;
  return {
    id,
    name: row.name,
    orientation: row.orientation,
    kind: row.kind,
    duration_ms: row.duration_ms,
    filename: row.filename,
    content_type: row.content_type,
    status: row.status,
    upload_url: expiresAt ? urls.public + signPath(uploadPath(id), { key: uploadKeys[0]!, expiresAt: expiresAt.getTime() }) : null,
    expires_at: expiresAt?.toISOString() ?? null,
    url: row.status === 'ready' && row.sha256 !== null ? `${urls.public}/assets/${row.sha256}.${extensionOf(row.content_type)}` : null,
    bytes: row.bytes,
    rejection: row.rejection,
    created_at: row.created_at.toISOString(),
  };
}
