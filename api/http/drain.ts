/**
 * Closes an app that listens: it takes no new connection, answers the requests that are running, and closes idle
 * connections. Node closes idle connections once, when the server stops listening. A connection whose last answer goes
 * out after that would stay open for its keep-alive time and delay the end, so idle connections are closed again and
 * again. A request that is not done by the end (a slow upload) is cut off, so that the engines behind the app are still
 * closed in order.
 */
import type { Api } from '../wire/fastify.ts';
import type { Milliseconds } from '#domain/unit.ts';

const IDLE_CHECK_MS = 50;
const PATIENCE_MS = 8_000; // of the ten seconds that a service has

export async function drainApp(
  app: Api,
  { patienceMs = PATIENCE_MS }: { patienceMs?: Milliseconds } = {},
): Promise<void> {
  const idleChecks = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  const end = setTimeout(() => app.server.closeAllConnections(), patienceMs);
  try {
    await app.close();
  } finally {
    clearInterval(idleChecks);
    clearTimeout(end);
  }
}
