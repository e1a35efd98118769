/**
 * Refuses a request with a duplicate of a header for authentication, workspace, mode or idempotency. Of two headers
 * with one name Node keeps the first or joins both with a comma, and a proxy may keep the last: the checked value could
 * differ from the used one.
 */
import type { IncomingMessage } from 'node:http';
import { refuse, type Refusal } from '#domain/refusal.ts';

const ONCE = new Map(
  ['host', 'content-type', 'authorization', 'x-workspace-id', 'x-mode', 'idempotency-key'].map((name, at) => [
    name,
    1 << at,
  ]),
);
const LENGTHS = new Set([...ONCE.keys()].map(name => name.length));

export function refuseRepeatedHeader({ rawHeaders }: IncomingMessage): Refusal | undefined {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at]!;
    if (!LENGTHS.has(header.length)) continue;
    const bit = ONCE.get(header.toLowerCase());
    if (bit === undefined) continue;
    if ((seen & bit) !== 0) return refuse('repeated_header', `Send ${header} once.`);
    seen |= bit;
  }
  return undefined;
}
