/**
 * Serves the browser player as `web/` has built it: a page, its scripts, one style sheet and a service worker. These
 * 230 kB are held in memory. The page contains the address of the delivery socket, so that a screen that reloads it
 * finds delivery again after a move. The names of scripts and style sheet contain the hash of their content, so they
 * are cached for good.
 */
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { CACHE_FOREVER, createBuiltFiles, refuseUnbuilt, REVALIDATE, typeOfFile } from './built-files.ts';

type Dependencies = { urls: { public: string; delivery: string } };

const DIST = join(import.meta.dirname, '../../web/player/dist');
const PAGE = 'index.html';

type Urls = Dependencies['urls'];
/** Sends the player's page. */
export type PlayerPage = { send(reply: FastifyReply): Promise<FastifyReply> };

/** Declares the player's routes. Returns what sends the page, for other addresses that show it too (`claim.ts`). */
export function playerRoutes(app: Api, { urls }: Dependencies): PlayerPage {
  const config = { access: 'public' } as const;
  const policy = policyFor(urls);
  const readOnce = createBuiltFiles(DIST);
  const page: PlayerPage = {
    async send(reply) {
      const files = await readOnce();
      if (!files) return sendRefusal(reply, refuseUnbuilt('The player'));
      return reply
        .headers({ 'content-security-policy': policy, 'cache-control': REVALIDATE })
        .type('text/html; charset=utf-8')
        .send(addSocketUrl(files.get(PAGE)!, urls.delivery));
    },
  };
  app.get('/player', { config }, async (_request, reply) => page.send(reply));
  app.get(
    '/player/:file',
    { config, schema: { params: Type.Object({ file: Type.String({ description: 'Name of the file.' }) }) } },
    async (request, reply) => {
      const { file } = request.params;
      const files = await readOnce();
      const type = typeOfFile(file);
      const bytes = file === PAGE ? undefined : files?.get(file);
      if (!files) return sendRefusal(reply, refuseUnbuilt('The player'));
      if (type === undefined || bytes === undefined) return sendRefusal(reply, refuseUnknownPath(request));
      // The service worker serves `/player`, which is above its own folder: the header allows that.
      const isWorker = file === 'sw.js';
      return reply
        .headers({
          'cache-control': isWorker ? REVALIDATE : CACHE_FOREVER,
          ...(isWorker && { 'service-worker-allowed': '/player', 'content-security-policy': policy }),
        })
        .type(type)
        .send(bytes);
    },
  );
  return page;
}

/**
 * The content security policy of the page. Scripts are the player's own. Inline styles are allowed, because the frame
 * of a menu (no scripts, no forms, an origin of its own) inherits this policy and has an inline style sheet. Files come
 * from this server's public address, the socket from delivery.
 */
function policyFor({ public: publicUrl, delivery }: Urls): string {
  const files = new URL(publicUrl).origin;
  const { protocol, host } = new URL(delivery);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' blob: data: ${files}`,
    `media-src 'self' blob: ${files}`,
    "font-src 'self' data:",
    `connect-src 'self' ${files} ${protocol}//${host}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page of a build with the address of the delivery socket in it. */
function addSocketUrl(page: Buffer, socketUrl: string): Buffer {
  return Buffer.from(page.toString('utf8').replace('%SOCKET_URL%', () => escapeAttribute(socketUrl)));
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
