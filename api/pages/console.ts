/**
 * Serves the console, the page that people work in, as `web/` has built it. Its addresses are those of its pages, which
 * are all one file: whatever is no file of the build answers that page. The style sheets that its library of dialogs
 * adds at run time carry a nonce, made anew for each answer; no script is inline.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { CACHE_FOREVER, createBuiltFiles, refuseUnbuilt, REVALIDATE, typeOfFile } from './built-files.ts';
import type { MapArchive } from './map-archive.ts';

const DIST = join(import.meta.dirname, '../../web/console/dist');
const PAGE = 'index.html';
/** Files of the build; their names contain the hash of their content. */
const ASSETS = 'assets/';
const NONCE_BYTES = 16;

/** Declares `/console` with its pages and files, and `/`, which leads there. */
export function consoleRoutes(
  app: Api,
  { urls, mapArchive }: { mapArchive?: MapArchive; urls: { public: string } },
): void {
  const config = { access: 'public' } as const;
  const readOnce = createBuiltFiles(DIST);
  const sendPage = async (reply: FastifyReply) => {
    const files = await readOnce();
    if (!files) return sendRefusal(reply, refuseUnbuilt('The console'));
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    return reply
      .headers({ 'content-security-policy': policyFor(urls.public, nonce), 'cache-control': REVALIDATE })
      .type('text/html; charset=utf-8')
      .send(fill(files.get(PAGE)!.toString('utf8'), { NONCE: nonce, MAP_TILES: mapArchive?.version ?? '' }));
  };
  app.get('/', { config }, async (_request, reply) => reply.redirect('/console', 302));
  app.get('/console', { config }, async (_request, reply) => sendPage(reply));
  app.get(
    '/console/*',
    {
      config,
      schema: { params: Type.Object({ '*': Type.String({ description: 'A page of the console, or a file of it.' }) }) },
    },
    async (request, reply) => {
      const path = request.params['*'];
      if (!path.startsWith(ASSETS)) return sendPage(reply);
      const files = await readOnce();
      if (!files) return sendRefusal(reply, refuseUnbuilt('The console'));
      const bytes = files.get(path);
      const type = typeOfFile(path);
      if (bytes === undefined || type === undefined) return sendRefusal(reply, refuseUnknownPath(request));
      return reply.header('cache-control', CACHE_FOREVER).type(type).send(bytes);
    },
  );
}

/** The page with the individual parts of this answer. */
function fill(page: string, values: Readonly<Record<string, string>>): string {
  return page.replace(/%([A-Z_]+)%/g, (text, name: string) => values[name] ?? text);
}

/** Everything comes from this server; previews and uploads go to its public address, which may be another one. */
function policyFor(publicUrl: string, nonce: string): string {
  const files = new URL(publicUrl).origin;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data: ${files}`,
    `media-src 'self' blob: ${files}`,
    `connect-src 'self' ${files}`,
    "worker-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
