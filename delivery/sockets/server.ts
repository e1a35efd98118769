/**
 * The server that screens connect to, over one of two libraries with the same behavior: uWebSockets.js if its binary
 * loads (it is built for some versions of Node and glibc), else `ws`.
 */
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { CertificateFiles } from './certificate.ts';

export const SOCKET_LIBRARIES = ['uws', 'ws'] as const;
export type SocketLibrary = (typeof SOCKET_LIBRARIES)[number];

/**
 * Silence after which a connection ends. A ping goes out `PING_SECONDS_BEFORE` its end; the conversation's own pings come
 * before it and are spread.
 */
export const IDLE_SECONDS = 60;
/**
 * What may wait for a slow reader: some dozens of fills. Beyond it the connection is closed and the screen comes back.
 */
export const BACKPRESSURE_BYTES_MAX = 64 * 1024;

export type Server = {
  port: number;
  /** Open connections, including those that have not said hello yet. */
  sockets(): number;
  /**
   * New connections see the certificate that these files hold now; the open ones stay.
   * @throws Fault `bad_certificate`, `port_taken`
   */
  useCertificate(files: CertificateFiles): Promise<void>;
  /** No new connections; the open ones stay. */
  stopListening(): void;
};

export type ServerOptions = {
  host: string;
  port: number;
  /** Several processes of one instance listen on the port. */
  isShared: boolean;
  /** Without it the text is clear. */
  certificate?: CertificateFiles | undefined;
  conversation: Conversation;
};

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
  'uWebSockets.js does not load here, so ws serves the screens: the same behavior at a higher cost (docs/operate/deploy.md)';

export function portTaken(host: string, port: number, cause?: unknown): Fault {
  return new Fault('port_taken', `cannot listen on ${host}:${port}; is another instance running?`, {
    retryable: false,
    cause,
  });
}

export function badCertificate({ keyFile, certificateFile }: CertificateFiles, cause: unknown): Fault {
  return new Fault('bad_certificate', `${certificateFile} and ${keyFile} cannot be used`, { retryable: false, cause });
}
