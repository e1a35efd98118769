/**
 * Downloads of files by players. An address contains the hash of its content, so an answer never changes: a player
 * caches it for good, and one that was cut off asks for the rest with a range request.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { contentTypeOf } from '#domain/campaigns/file-type.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { parseByteRange } from '../uploads/byte-range.ts';

type Dependencies = { storage: ObjectStorage };

const CACHE_FOREVER = 'public, max-age=31536000, immutable';

export function assetRoutes(app: Api, dependencies: Dependencies): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/assets/:name',
    exposeHeadRoute: false,
    config: { access: 'public' },
    schema: {
      operationId: 'downloadAsset',
      summary: 'Download a file; immutable, with ranges',
      params: Type.Object({ name: Type.String({ description: '<sha256>.<extension>' }) }),
    },
    handler: (request, reply) => sendAsset(dependencies, { request: request, reply: reply, name: request.params.name }),
  });
}

async function sendAsset(
  { storage }: Dependencies,
  { request, reply, name }: { request: FastifyRequest; reply: FastifyReply; name: string },
): Promise<FastifyReply> {
  const found = await storage.find(name);
  const contentType = contentTypeOf(name.slice(name.indexOf('.') + 1));
  if (!found || contentType === undefined) return sendRefusal(reply, refuseUnknownPath(request));
  const etag = `"${name.slice(0, name.indexOf('.'))}"`;
  void reply.headers({
    etag,
    'cache-control': CACHE_FOREVER,
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
  });
  if (isListed(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const condition = request.headers['if-range'];
  const range =
    condition === undefined || condition === etag ? parseByteRange(request.headers.range, found.bytes) : 'whole';
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${found.bytes}`).send();
  const { first, last } = range === 'whole' ? { first: 0, last: found.bytes - 1 } : range;
  void reply.type(contentType).header('content-length', last - first + 1);
  if (range !== 'whole') void reply.code(206).header('content-range', `bytes ${first}-${last}/${found.bytes}`);
  return request.method === 'HEAD' ? reply.send('') : reply.send(await storage.read(name, { first, last }));
}

function isListed(header: string | undefined, etag: string): boolean {
  return header !== undefined && header.split(',').some(entry => ['*', etag, `W/${etag}`].includes(entry.trim()));
}
