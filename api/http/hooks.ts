/**
 * The steps that every request goes through before and after its route, in their order: its key and its limits, the
 * bounds of its body, a reply that was given before; then what is kept, counted and logged of the answer.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal } from '#domain/refusal.ts';
import { admitRequest, countUnrouted, type Admission } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { storeOpenReply, prepareOnce } from '../idempotency.ts';
import { refuseUnknownPath } from '../refusals.ts';
import { logAccess } from './logs/access-log.ts';
import { breachOfBounds, breachOfNoBody } from './body-bounds.ts';
import { beginBody, endBody } from './body-deadline.ts';
import { allowCrossOrigin } from './cross-origin.ts';
import { replyToError } from './error-reply.ts';
import { createRefusalLog } from './logs/refusal-log.ts';
import { refuseRepeatedHeader } from './repeated-header.ts';
import { sendRefusal } from './reply.ts';
import { beginRequest, observeRequest } from './logs/request-metrics.ts';
import { setSecurityHeaders } from './security-headers.ts';

/** What every answer carries. */
export function openReply(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id);
  setSecurityHeaders(request, reply);
}

export function addHooks(app: Api, dependencies: RouteDependencies, admission: Admission): void {
  const origins = dependencies.corsOrigins ?? new Set<string>();
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('principal', null);
  app.decorateRequest('once', null);
  app.decorateRequest('bodyTimer', null);
  const refusalLog = createRefusalLog(dependencies);
  app.decorateRequest('isAudited', false);
  app.decorateRequest('refusalCode', null);
  app.addHook('onRequest', async (request, reply) => {
    beginRequest();
    openReply(request, reply);
    if (allowCrossOrigin(origins, request, reply)) return reply.code(204).send();
    const refusal = refuseRepeatedHeader(request.raw) ?? (await admitRequest(admission, request, reply));
    if (refusal) return sendRefusal(reply, refusal);
    if (request.is404)
      // Before a body is read.
      return sendRefusal(reply, (await countUnrouted(admission, request, reply)) ?? refuseUnknownPath(request));
    if (request.routeOptions.config.hasFile !== true) beginBody(request, reply, dependencies.bodyMsMax);
  });
  app.addHook('preValidation', async (request, reply) => {
    endBody(request);
    const takesBody = request.routeOptions.schema?.body !== undefined;
    const isKeyless = request.principal === null; // the bytes of an upload, which its route reads
    const breach = takesBody ? breachOfBounds(request.body) : isKeyless ? undefined : breachOfNoBody(request.body);
    if (breach) return sendRefusal(reply, breach);
  });
  app.addHook('preHandler', async (request, reply) => {
    const before = await prepareOnce(dependencies, request, reply);
    return isRefusal(before) ? sendRefusal(reply, before) : before;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    await storeOpenReply(dependencies, { request, reply, payload });
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    endBody(request);
    observeRequest(request, reply);
    logAccess(dependencies.log, request, reply);
    refusalLog.note(request, reply);
    dependencies.callLog.note(request, reply);
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => replyToError(error, request, reply));
  // The hook above has answered.
  app.setNotFoundHandler(async (request, reply) => sendRefusal(reply, refuseUnknownPath(request)));
}
