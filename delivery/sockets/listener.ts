/** Listens for screens: the port, alone or shared with other processes, and the certificate that screens are shown. */
import type { Log } from '#runtime/log.ts';
import type { Configuration } from '../configuration.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { type CertificateFiles, followCertificate } from './certificate.ts';
import { lockPort } from './port-lock.ts';
import { startServer } from './server.ts';

export type Listener = {
  port: number;
  /** Open connections, including those before their hello. */
  sockets(): number;
  /** No new connections; the open ones stay, and the port stays this instance's. */
  stop(): void;
  /** Another instance may use the port. */
  unlockPort(): void;
};

export type ListenerOptions = { certificate: CertificateFiles | undefined; conversation: Conversation; log: Log };

/** @throws Fault `port_taken`, `bad_certificate`, `library_unusable` */
export async function startListener(config: Configuration, options: ListenerOptions): Promise<Listener> {
  const { certificate, conversation, log } = options;
  const { DELIVERY_HOST: host, DELIVERY_PORT: port, DELIVERY_SHARED_PORT: isShared, TRUST_PROXY: trustProxy } = config;
  const unlockPort = isShared ? lockPort({ port, dataDir: config.DATA_DIR }) : () => undefined;
  const server = await startServer(
    { host, port, isShared, certificate, trustProxy, conversation },
    { library: config.SOCKET_LIBRARY, log },
  );
  const renewal =
    certificate && followCertificate({ files: certificate, use: files => server.useCertificate(files), log });
  return {
    port: server.port,
    sockets: server.sockets,
    stop() {
      renewal?.stop();
      server.stopListening();
    },
    unlockPort,
  };
}
