/**
 * How JSON is read: as Fastify reads it, but a body of no bytes is none where the route takes none. Many HTTP clients
 * name JSON in every call, also where they send nothing.
 */
import type { Api } from '../dependencies.ts';

export function readJsonBodies(app: Api): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) done(null);
    else void parseJson(request, body, done);
  });
}
