/**
 * The server that screens connect to, over one of two libraries with the same behavior: uWebSockets.js if its binary
 * loads (it is built for some versions of Node and glibc), else `ws`.
 */
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import type { SocketLibrary } from './socket-library.ts';
import type { Server, ServerOptions } from './socket-server.ts';

/**
 * Listens for screens.
 * @param library absent: uWebSockets.js if it loads
 * @throws Fault `port_taken` if another process listens on the port, or the address cannot be used;
 *   `bad_certificate`; `library_unusable` if the chosen library does not load
 */
export async function startServer(
  options: ServerOptions,
  { library, log }: { library: SocketLibrary | undefined; log: Log },
): Promise<Server> {
  if (library !== 'ws') {
    try {
      const { startUwsServer } = await import('./uws-server.ts');
      return await startUwsServer(options);
    } catch (error) {
      if (error instanceof Fault) throw error;
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
      if (library === 'uws')
        throw new Fault('library_unusable', `SOCKET_LIBRARY is uws, but uWebSockets.js does not load: ${why}`, {
          retryable: false,
          cause: error,
        });
      log.info({ why, node: process.version }, SLOWER);
    }
  }
  const { startWsServer } = await import('./ws-server.ts');
  return startWsServer(options);
}

const SLOWER =
  'uWebSockets.js does not load here, so ws serves the screens: the same behavior at a higher cost (docs/operate/variables.md)';
