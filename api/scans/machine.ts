/** Tells programs that follow a link from people who scanned its code. */
import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';

/** Browsers announce a load ahead of a visit: `Sec-Purpose` (HTML standard), and the headers that came before it. */
const AHEAD_OF_VISIT = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const LOAD_AHEAD = /prefetch|prerender|preview/i;

/** Whether a request is a link preview, a crawler, a script or a load ahead of a visit, by what it says of itself. */
export function isMachine(headers: IncomingHttpHeaders): boolean {
  const agent = headers['user-agent']?.trim() ?? '';
  return agent === '' || isbot(agent) || AHEAD_OF_VISIT.some(name => LOAD_AHEAD.test(String(headers[name] ?? '')));
}
