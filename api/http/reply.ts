/**
 * How what a route comes to becomes an HTTP reply: a result under its status, or a refusal as `application/problem+json`
 * (RFC 9457) with a code of the one registry.
 */
import type { FastifyReply } from 'fastify';
import { isRefusal, REFUSALS, type Refusal } from '#domain/refusal.ts';

/** Faults of fields that one answer lists: enough to correct a form at once; the rest shows on the next try. */
export const FIELD_FAULTS_MAX = 20;

/** Answers with a refusal. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, title } = REFUSALS[refusal.code];
  reply.request.refusalCode = refusal.code;
  if (status === 401) void reply.header('www-authenticate', challengeOf(refusal));
  return reply
    .code(status)
    .type('application/problem+json')
    .send({
      type: `urn:marquee:problem:${refusal.code}`,
      title,
      status,
      detail: refusal.detail,
      code: refusal.code,
      request_id: reply.request.id,
      ...(refusal.errors && { errors: refusal.errors.slice(0, FIELD_FAULTS_MAX) }),
    });
}

/** What a key has to be, as RFC 6750 spells it: a call without one is told no error. */
function challengeOf({ code, detail }: Refusal): string {
  return code === 'missing_key'
    ? 'Bearer realm="marquee"'
    : `Bearer realm="marquee", error="invalid_token", error_description="${detail}"`;
}

/** Answers with a result under a status, or with the refusal that it is. */
export function answer(reply: FastifyReply, status: number, result: unknown): FastifyReply {
  return isRefusal(result) ? sendRefusal(reply, result) : reply.code(status).send(result);
}
