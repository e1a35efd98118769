/**
 * The secret that a call was made with, from `Authorization` or the cookie of a session, and what the log says of it.
 */
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

/** What a line of the log says of the key or the session. */
export function credentialField({ key, session }: Principal): { key: string } | { session: string } {
  return key === null ? { session: formatId('session', session!.handle) } : { key: formatId('key', key) };
}
