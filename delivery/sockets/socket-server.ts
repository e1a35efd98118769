/** A server that screens connect to, whatever library is below it: its shape, its bounds and its faults. */
import { Fault } from '#runtime/fault-error.ts';
import type { TrustProxy } from '#runtime/ingress/forwarded-for.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { CertificateFiles } from './certificate.ts';

/**
 * Silence after which a connection ends. A ping goes out 16 s before, from uWebSockets.js by default; the
 * conversation's own pings come before it and are spread.
 */
export const IDLE_SECONDS = 60;
/** The backlog for a slow reader: a few dozen fills. Beyond it the connection is closed and the screen reconnects. */
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
  /** Without it there is no TLS. */
  certificate?: CertificateFiles | undefined;
  /** Without it every socket counts for the address of its connection. */
  trustProxy?: TrustProxy | undefined;
  conversation: Conversation;
};

export function portTaken(host: string, port: number, cause?: unknown): Fault {
  return new Fault('port_taken', `cannot listen on ${host}:${port}; is another instance running?`, {
    retryable: false,
    cause,
  });
}

export function badCertificate({ keyFile, certificateFile }: CertificateFiles, cause: unknown): Fault {
  return new Fault('bad_certificate', `${certificateFile} and ${keyFile} cannot be used`, { retryable: false, cause });
}
