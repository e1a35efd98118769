/**
 * Reads JSON like Fastify, with two differences. A body without bytes counts as absent if the route takes none, because
 * many HTTP clients name JSON in every call. Bytes that are not UTF-8 are refused: decoding would put the replacement
 * character in their place, and that would be stored.
 */
import { isUtf8 } from 'node:buffer';
import type { Api } from '../wire/fastify.ts';

export function readJsonBodies(app: Api): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) done(null);
    else if (isUtf8(body)) void parseJson(request, body.toString(), done);
    else done(Object.assign(new Error('the body is not UTF-8'), { statusCode: 400 }));
  });
}
