/**
 * Normalizes `X-Forwarded-For`, whose entries Fastify takes for addresses as they are. With a port in them each
 * connection of a caller would have limits of its own.
 */
import type { IncomingMessage } from 'node:http';
import { hopsOf } from '#runtime/ingress/forwarded-for.ts';

/** Leaves the addresses of the last hops, without ports. */
export function normalizeForwardedFor({ headers }: IncomingMessage): void {
  const header = headers['x-forwarded-for'];
  if (header === undefined) return;
  const known = hopsOf(String(header));
  if (known.length === 0) delete headers['x-forwarded-for'];
  else headers['x-forwarded-for'] = known.join(', ');
}
