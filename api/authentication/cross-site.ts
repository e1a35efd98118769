/**
 * Refuses writes with a session that another site may have caused (CSRF). A write needs a header that only a program of
 * our own pages can set: from another origin a browser asks first (a preflight), and no origin is allowed to send it or
 * to send cookies (`http/cross-origin.ts`). A browser also says from which origin a write comes; one that is not ours
 * is refused even with the header. Both are beside `SameSite=Lax`, which other sites under the same domain get past.
 */
import type { FastifyRequest } from 'fastify';
import { refuse, type Refusal } from '#domain/refusal.ts';

const HEADER = 'x-requested-with';
const VALUE = 'marquee-console';

/** @param publicUrl the base of our addresses, for a proxy that passes on another `Host` than it was sent */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string): Refusal | undefined {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (request.headers[HEADER] !== VALUE)
    return refuse('cross_site_request', `A write with a session needs the header X-Requested-With: ${VALUE}.`);
  const { origin } = request.headers;
  if (origin === undefined || isOwnOrigin(origin, request.host, publicUrl)) return undefined;
  return refuse('cross_site_request', 'A write with a session comes from the address of the console itself.');
}

function isOwnOrigin(origin: string, host: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false; // `null`, of a page that hides its origin
  return new URL(origin).host === host || origin === new URL(publicUrl).origin;
}
