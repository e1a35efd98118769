/**
 * Addresses that people type, and programs that read QR codes pass on: some of these end them with a slash. They are
 * sent to the address without it, so that no scan is lost, and a page has one address for its service worker.
 */
import { Type } from 'typebox';
import type { Api } from '../wire/fastify.ts';

export function trailingSlashRoutes(app: Api): void {
  const config = { access: 'public' } as const;
  const params = Type.Object({ code: Type.String({ description: 'The code of the address without the slash.' }) });
  for (const [path, schema] of [
    ['/player/', {}],
    ['/pair/:code/', { params }],
    ['/s/:code/', { params }],
  ] as const)
    app.get(path, { config, schema, exposeHeadRoute: false }, async (request, reply) =>
      reply.header('cache-control', 'no-store').redirect(request.url.replace(/\/(?=\?|$)/, ''), 308),
    );
}
