/**
 * The headers that every answer gives a browser: nothing here is a page (the reference page sets its own), nothing is
 * framed, no type is guessed, and the target of a link learns no address. Answers of /v1 are one caller's data and are
 * never cached.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
const V1 = { ...ALWAYS, 'cache-control': 'no-store' } as const;
/**
 * A year, as browsers' preload lists ask. Only behind TLS: over plain HTTP the header means nothing, and anyone could
 * add it.
 */
const HSTS = 'max-age=31536000';

export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers(request.url.startsWith('/v1/') ? V1 : ALWAYS);
  if (request.protocol === 'https') void reply.header('strict-transport-security', HSTS);
}
