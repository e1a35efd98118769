/** The secret of a call, from `Authorization` or the cookie of a session, and its form in the log. */
import type { FastifyRequest } from 'fastify';
import { formatId } from '#domain/id.ts';
import { sessionTokenOf } from './cookie.ts';
import type { Principal } from './principal.ts';

/** The secret that a call was made with: a key, or the token of a session. */
export function credentialOf({ headers }: { headers: FastifyRequest['headers'] }): string | undefined {
  return headers.authorization === undefined ? sessionTokenOf(headers.cookie) : keyTextOf(headers.authorization);
}

/** The key in an Authorization header, or undefined. */
export function keyTextOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** The key or session in a line of the log. */
export function credentialField({ key, session }: Principal): { key: string } | { session: string } {
  return key === null ? { session: formatId('session', session!.handle) } : { key: formatId('key', key) };
}
