/**
 * Serves the documentation as `web/docs-build.ts` has built it. A page is an HTML file without its ending
 * (`/docs/start`) and the Markdown that it was made of (`/docs/start.md`); `/llms.txt` lists them for programs.
 */
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import {
  CACHE_FOREVER,
  createBuiltFiles,
  refuseUnbuilt,
  REVALIDATE,
  typeOfFile,
  type BuiltFiles,
} from './built-files.ts';

const DIST = join(import.meta.dirname, '../../docs/.vitepress/dist');
/** The build's list for the content security policy. */
const INLINE_SCRIPTS = 'inline-scripts.json';

/** Declares `/docs`, its pages and files, and `/llms.txt`. */
export function docsRoutes(app: Api): void {
  const config = { access: 'public' } as const;
  const readOnce = createBuiltFiles(DIST);
  const send = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const files = await readOnce();
    if (!files) return sendRefusal(reply, refuseUnbuilt('The documentation'));
    const name = findFile(files, path);
    if (name === undefined) return sendRefusal(reply, refuseUnknownPath(request));
    return sendFile(reply, files, name);
  };
  // links of a page start from the slash
  app.get('/docs', { config }, async (_request, reply) => reply.redirect('/docs/', 308));
  app.get('/docs/', { config }, async (request, reply) => send(request, reply, ''));
  app.get('/llms.txt', { config }, async (request, reply) => send(request, reply, 'llms.txt'));
  app.get(
    '/docs/*',
    {
      config,
      schema: { params: Type.Object({ '*': Type.String({ description: 'A page, or a file of the site.' }) }) },
    },
    async (request, reply) => send(request, reply, request.params['*']),
  );
}

/** The file of a path: itself, the page of that name, or the first page of that folder. */
function findFile(files: BuiltFiles, path: string): string | undefined {
  const names = path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`];
  return names.find(name => name !== INLINE_SCRIPTS && files.has(name) && typeOfFile(name) !== undefined);
}

function sendFile(reply: FastifyReply, files: BuiltFiles, name: string): FastifyReply {
  const type = typeOfFile(name)!;
  const isPage = type.startsWith('text/html');
  return reply
    .headers({
      'cache-control': name.startsWith('assets/') ? CACHE_FOREVER : REVALIDATE,
      ...(isPage && { 'content-security-policy': policyFor(files) }),
    })
    .type(type)
    .send(files.get(name));
}

/** Scripts of the site, and those inside its pages by their hashes. The theme sets styles inline. */
function policyFor(files: BuiltFiles): string {
  const inlineScripts = JSON.parse(files.get(INLINE_SCRIPTS)!.toString('utf8')) as string[];
  return [
    "default-src 'none'",
    `script-src 'self' ${inlineScripts.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
