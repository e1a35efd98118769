/** Distinguishes programs that follow a link from people who scanned its code. */
import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';

/** Browsers announce a prefetch: `Sec-Purpose` (HTML standard), and its predecessors. */
const AHEAD_OF_VISIT = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const LOAD_AHEAD = /prefetch|prerender|preview/i;

/** Whether a request is a link preview, a crawler, a script or a prefetch, by its own headers. */
export function isMachine(headers: IncomingHttpHeaders): boolean {
  const agent = headers['user-agent']?.trim() ?? '';
  return agent === '' || isbot(agent) || AHEAD_OF_VISIT.some(name => LOAD_AHEAD.test(String(headers[name] ?? '')));
}
