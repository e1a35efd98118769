/**
 * The steps that every request goes through before and after its route, in their order: its key and its limits, the
 * bounds of its body, a reply that was given before; then what is kept, counted and logged of the answer.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Log } from '#runtime/log.ts';
import { admitRequest, countUnrouted, type Admission } from '../authentication/admission.ts';
import type { Api } from '../wire/fastify.ts';
import { mayBeRepeat, prepareOnce, type ReplyLookup } from '../idempotency/idempotency.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { logAccess } from './logs/access-log.ts';
import { breachOfBounds, breachOfNoBody } from './body-bounds.ts';
import { beginBody, endBody } from './body-deadline.ts';
import { allowCrossOrigin } from './cross-origin.ts';
import { replyToError } from './error-reply.ts';
import { readJsonBodies } from './json-body.ts';
import { createRefusalLog } from './logs/refusal-log.ts';
import { refuseRepeatedHeader } from './repeated-header.ts';
import { sendRefusal } from '../wire/reply.ts';
import { beginRequest, observeRequest } from './logs/request-metrics.ts';
import { setSecurityHeaders } from './security-headers.ts';
import type { CallLog } from './logs/call-log.ts';

type Dependencies = {
  log: Log;
  now: () => Milliseconds;
  corsOrigins?: ReadonlySet<string>;
  bodyMsMax?: Milliseconds;
  callLog: CallLog;
  findReply: ReplyLookup;
};

/** The headers of every answer. */
export function openReply(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id);
  setSecurityHeaders(request, reply);
}

/**
 * A hook calls `done` if it has nothing to wait for, as in most calls, and otherwise returns a promise: a promise for
 * every step of every call has its cost.
 */
export function addHooks(app: Api, dependencies: Dependencies, admission: Admission): void {
  const origins = dependencies.corsOrigins ?? new Set<string>();
  app.removeContentTypeParser('text/plain');
  readJsonBodies(app);
  app.decorateRequest('principal', null);
  app.decorateRequest('once', null);
  app.decorateRequest('bodyTimer', null);
  const refusalLog = createRefusalLog(dependencies);
  app.decorateRequest('isAudited', false);
  app.decorateRequest('refusalCode', null);
  app.decorateRequest('returnGuess', null);
  const goOn = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal | undefined) => {
    if (refusal) return sendRefusal(reply, refusal);
    if (request.routeOptions.config.hasFile !== true) beginBody(request, reply, dependencies.bodyMsMax);
    return undefined;
  };
  app.addHook('onRequest', (request, reply, done) => {
    request.raw.on('error', leaveToReader);
    beginRequest();
    openReply(request, reply);
    if (allowCrossOrigin(origins, request, reply)) return reply.code(204).send();
    const refusal = refuseRepeatedHeader(request.raw) ?? admit(admission, request, reply);
    if (refusal instanceof Promise) return refusal.then(late => goOn(request, reply, late));
    return goOn(request, reply, refusal) ?? done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    endBody(request);
    const takesBody = request.routeOptions.schema?.body !== undefined;
    const isKeyless = request.principal === null; // the bytes of an upload, which its route reads
    const breach = takesBody ? breachOfBounds(request.body) : isKeyless ? undefined : breachOfNoBody(request.body);
    return breach ? sendRefusal(reply, breach) : done();
  });
  app.addHook('preHandler', (request, reply, done) => {
    if (!mayBeRepeat(request)) return done();
    return prepareOnce(dependencies, request, reply).then(before =>
      isRefusal(before) ? sendRefusal(reply, before) : before,
    );
  });
  app.addHook('onResponse', (request, reply, done) => {
    endBody(request);
    observeRequest(request, reply);
    logAccess(dependencies.log, request, reply);
    refusalLog.note(request, reply);
    dependencies.callLog.note(request, reply);
    done();
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => replyToError(error, request, reply));
  // The hook above has answered.
  app.setNotFoundHandler(async (request, reply) => sendRefusal(reply, refuseUnknownPath(request)));
}

/**
 * If a sender disconnects, its request emits an error, which the reader of its body handles. If that reader has just
 * gone, the error has no listener, and it would end the process.
 */
function leaveToReader(): void {}

/** Why a call is not let in. A path that there is not is refused here, before a body is read. */
function admit(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal | undefined | Promise<Refusal | undefined> {
  if (!request.is404) return admitRequest(admission, request, reply);
  return countUnrouted(admission, request, reply).then(refusal => refusal ?? refuseUnknownPath(request));
}
