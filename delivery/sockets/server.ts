/**
 * The sockets. The only file that knows uWebSockets.js: its sockets are the links of sessions, and its callbacks become
 * calls of the conversation. Three properties of the library are dealt with here: a socket must not be touched after
 * its close callback, so the session is told of it; a frame's bytes are gone when the callback returns; and it shares a
 * port silently with another process, so listening is exclusive unless several processes of one instance share the port
 * on purpose.
 */
import {
  App,
  type HttpResponse,
  LIBUS_LISTEN_EXCLUSIVE_PORT,
  type ListenSocket,
  SSLApp,
  type TemplatedApp,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { Fault } from '#runtime/fault-error.ts';
import type { CertificateFiles } from './certificate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { PAYLOAD_BYTES_MAX } from '../protocol/bounds.ts';
import { chooseCodec, type Codec } from '../protocol/codec.ts';
import { addressOf } from './remote-address.ts';
import { faultOfHead, faultOfUpgrade, type HeadFault, readHead } from './request-head.ts';
import type { Session } from '../screens/session.ts';

const SOCKET_PATH = '/v1/screens/socket';
const NO_COMPRESSION = 0; // the messages are short and full of signatures
const LISTEN_DEFAULT = 0;
/**
 * A screen that is gone is noticed within this time. Steps of 4 s, in which the library ends all that fell silent in
 * the same ones, and 16 s before which it pings them all at once; the conversation's own pings come before these and
 * are spread.
 */
const IDLE_SECONDS = 60;
/**
 * What may wait for a slow reader: some dozens of fills. Beyond it the connection is closed and the screen comes back.
 */
const BACKPRESSURE_BYTES_MAX = 64 * 1024;

/** What the library carries per socket: the codec from the upgrade on, the session from the opening on. */
type SocketData = { codec: Codec; address: string; session: Session | undefined };

export type Server = {
  port: number;
  /** Connections that are open, also those that did not say hello yet. */
  sockets(): number;
  /**
   * New connections see the certificate that these files hold now; the open ones stay.
   * @throws Fault `bad_certificate`, `port_taken`
   */
  useCertificate(files: CertificateFiles): Promise<void>;
  /** No new connections; the open ones stay. */
  stopListening(): void;
};

type ServerOptions = {
  host: string;
  port: number;
  isShared: boolean;
  /** Without it the text is clear. */
  certificate?: CertificateFiles | undefined;
  conversation: Conversation;
};

/**
 * Listens for screens.
 * @throws Fault `port_taken` when another process listens on the port, or the address cannot be used;
 *   `bad_certificate`.
 */
export async function startServer({ host, port, isShared, certificate, conversation }: ServerOptions): Promise<Server> {
  const count = { open: 0 };
  const appWith = (files: CertificateFiles | undefined): TemplatedApp =>
    addRoutes(files === undefined ? App() : secureApp(files), { conversation, count });
  const listenWith = (app: TemplatedApp, onPort: number): Promise<ListenSocket> =>
    new Promise((resolve, reject) => {
      app.listen(host, onPort, isShared ? LISTEN_DEFAULT : LIBUS_LISTEN_EXCLUSIVE_PORT, listening => {
        if (listening === false)
          reject(
            new Fault('port_taken', `cannot listen on ${host}:${onPort}; is another instance running?`, {
              retryable: false,
            }),
          );
        else resolve(listening);
      });
    });
  let listening: ListenSocket | undefined = await listenWith(appWith(certificate), port);
  const chosenPort = us_socket_local_port(listening);
  const stopListening = (): void => {
    if (listening !== undefined) us_listen_socket_close(listening);
    listening = undefined;
  };
  return {
    port: chosenPort,
    sockets: () => count.open,
    async useCertificate(files) {
      const app = appWith(files); // before the old one stops listening, should the files be bad
      stopListening();
      listening = await listenWith(app, chosenPort); // in the same turn of the event loop, so no connection is refused
    },
    stopListening,
  };
}

function secureApp({ keyFile, certificateFile }: CertificateFiles): TemplatedApp {
  try {
    return SSLApp({ key_file_name: keyFile, cert_file_name: certificateFile, ssl_prefer_low_memory_usage: true });
  } catch (error) {
    throw new Fault('bad_certificate', `${certificateFile} and ${keyFile} cannot be used`, {
      retryable: false,
      cause: error,
    });
  }
}

function addRoutes(
  app: TemplatedApp,
  { conversation, count }: { conversation: Conversation; count: { open: number } },
): TemplatedApp {
  return app
    .ws<SocketData>(SOCKET_PATH, {
      compression: NO_COMPRESSION,
      maxPayloadLength: PAYLOAD_BYTES_MAX,
      maxBackpressure: BACKPRESSURE_BYTES_MAX,
      closeOnBackpressureLimit: true,
      idleTimeout: IDLE_SECONDS,
      sendPingsAutomatically: true,
      upgrade(response, request, context) {
        const head = readHead(request);
        const fault = faultOfUpgrade(head);
        if (fault !== undefined) return refuseUpgrade(response, fault);
        const { key, protocol: offered, extensions } = head;
        const codec = chooseCodec(offered);
        if (codec === undefined)
          return refuseUpgrade(response, { status: '400 Bad Request', text: 'marquee.v1.json or marquee.v1.msgpack' });
        // The library needs an offered protocol to be answered, and none to be answered with none.
        const protocol = offered === '' ? '' : codec.subprotocol;
        response.upgrade<SocketData>(
          { codec, address: addressOf(response.getRemoteAddress()), session: undefined },
          key,
          protocol,
          extensions,
          context,
        );
      },
      open(socket) {
        count.open++;
        const data = socket.getUserData();
        data.session = conversation.opened(data.codec, socket, data.address);
        data.address = ''; // the session forgets it, too, when its screen is known
      },
      message(socket, frame, isBinary) {
        const { session } = socket.getUserData();
        if (session !== undefined) conversation.received(session, frame, isBinary);
      },
      ping(socket) {
        const { session } = socket.getUserData();
        if (session !== undefined) conversation.receivedControl(session);
      },
      pong(socket) {
        const { session } = socket.getUserData();
        if (session !== undefined) conversation.receivedControl(session);
      },
      close(socket) {
        count.open--;
        const { session } = socket.getUserData();
        if (session !== undefined) conversation.closed(session);
      },
    })
    .any('/*', (response, request) =>
      refuseUpgrade(
        response,
        faultOfHead(readHead(request)) ?? { status: '404 Not Found', text: `screens connect to ${SOCKET_PATH}` },
      ),
    );
}

/** The answer ends the connection, so that no second request hides behind the first. */
function refuseUpgrade(response: HttpResponse, { status, text, version }: HeadFault): void {
  response.writeStatus(status).writeHeader('Connection', 'close');
  if (version !== undefined) response.writeHeader('Sec-WebSocket-Version', version);
  response.end(`${text}\n`, true);
}
