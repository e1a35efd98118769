import type { Api } from '../dependencies.ts';
import type { Milliseconds } from '#domain/unit.ts';

/**
 * Closes an app that listens: no new connection is taken, requests that are under way are answered, connections that
 * wait for their next request are closed. Node closes those once, when the server stops listening; one whose last answer
 * goes out after that would stay for its keep-alive time and hold the drain, so it is looked for again and again. Whoever
 * is not done by the end (a slow upload) is cut off, so that the engines behind the app are closed in order as well.
 */
const LOOK_MS = 50;
const PATIENCE_MS = 8_000; // of the ten seconds that a service has

export async function drainApp(
  app: Api,
  { patienceMs = PATIENCE_MS }: { patienceMs?: Milliseconds } = {},
): Promise<void> {
  const looks = setInterval(() => app.server.closeIdleConnections(), LOOK_MS);
  const end = setTimeout(() => app.server.closeAllConnections(), patienceMs);
  try {
    await app.close();
  } finally {
    clearInterval(looks);
    clearTimeout(end);
  }
}
