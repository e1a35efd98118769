/** Checks over all declared routes: each names who may call it, and which methods a path has. */
import type { HTTPMethods, RouteOptions } from 'fastify';
import type { KeyMode } from '#domain/access/key.ts';
import { refuse } from '#domain/refusal.ts';
import { countUnrouted, type Admission } from '../authentication/admission.ts';
import type { RouteAccess } from '../authentication/principal.ts';
import type { Api } from '../wire/fastify.ts';
import { strict } from '../wire/shapes.ts';
import { sendRefusal } from '../wire/reply.ts';

export type DeclaredRoute = { method: string; url: string; access: RouteAccess; mode: KeyMode | undefined };

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Every route declares who may call it and the parameters of its query: a missing declaration is a bug, found at the
 * start. A route under /v1 without declared query parameters accepts none.
 */
export function watchRoutes(app: Api): DeclaredRoute[] {
  const routes: DeclaredRoute[] = [];
  app.addHook('onRoute', (route: RouteOptions) => {
    const access = route.config?.access;
    if (access === undefined)
      throw new Error(`the route ${String(route.method)} ${route.url} does not say who may call it`);
    if (route.url.startsWith('/v1/')) route.schema = { querystring: strict({}), ...route.schema };
    for (const method of [route.method].flat())
      routes.push({ method, url: route.url, access, mode: route.config?.mode });
  });
  return routes;
}

/** 405 with `Allow` for every method that a known path does not have. */
export function refuseOtherMethods(app: Api, routes: readonly DeclaredRoute[], admission: Admission): void {
  for (const url of new Set(routes.map(route => route.url))) {
    const allowed = routes.filter(route => route.url === url).map(route => route.method);
    app.route({
      method: METHODS.filter(method => !allowed.includes(method)),
      url,
      config: { access: 'public' },
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const refusal = await countUnrouted(admission, request, reply);
        if (refusal) return sendRefusal(reply, refusal);
        void reply.header('allow', allowed.join(', '));
        return sendRefusal(
          reply,
          refuse('method_not_allowed', `${request.method} is not among ${allowed.join(', ')}.`),
        );
      },
      handler: async () => undefined,
    });
  }
}
