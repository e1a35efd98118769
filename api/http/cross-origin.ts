/**
 * Programs in a page of another origin: which may call (`CORS_ORIGINS`), with which headers, and what they may read of
 * an answer. A key is sent by the page itself and never by the browser, so credentials are not allowed.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const HEADERS = 'authorization, content-type, idempotency-key, x-workspace-id, x-mode, x-service-sdk, if-none-match';
const EXPOSED = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-workspace-limit',
  'x-ratelimit-workspace-remaining',
  'x-ratelimit-bucket',
  'retry-after',
  'idempotent-replayed',
  'www-authenticate',
  'x-key-expires-at',
  'warning',
  'x-next-cursor',
  'allow',
  'etag',
].join(', ');
/** The longest that Chromium keeps an answer to a preflight. */
const PREFLIGHT_KEPT_S = 7_200;
const ANY = '*';
/** What browsers send for the pages of an app's own files, such as a player in a package: older ones the second. */
const OF_FILES = new Set(['null', 'file://']);

/** Origins as browsers send them, comma-separated, or `*`. @throws RangeError for an entry that is not an origin */
export function parseOrigins(text: string): ReadonlySet<string> {
  const origins = text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '');
  for (const origin of origins)
    if (origin !== ANY && !OF_FILES.has(origin) && !isWebOrigin(origin))
      throw new RangeError(`'${origin}' is no origin such as https://app.example.com`);
  return new Set(origins);
}

function isWebOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** Adds what a page of an allowed origin needs. True for a preflight of one, which is answered with it. */
export function allowCrossOrigin(origins: ReadonlySet<string>, request: FastifyRequest, reply: FastifyReply): boolean {
  if (origins.size === 0) return false;
  // Even for an answer without an origin, which a cache must not give to a page.
  void reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !(origins.has(origin) || origins.has(ANY))) return false;
  void reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  void reply.headers({
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': HEADERS,
    'access-control-max-age': PREFLIGHT_KEPT_S,
  });
  return true;
}
