/**
 * Sockets by uWebSockets.js, in a file of its own because its binary does not load everywhere. Its sockets are the
 * links of sessions, and its callbacks become calls of the conversation. Three properties of the library are handled
 * here: a socket must not be touched after its close callback, so the session is informed of it; a frame's bytes are
 * invalid when the callback returns; and it shares a port silently with another process, so listening is exclusive
 * unless several processes of one instance share the port on purpose.
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
import type { CertificateFiles } from './certificate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { PAYLOAD_BYTES_MAX } from '../protocol/bounds.ts';
import { chooseCodec, type Codec } from '../protocol/codec.ts';
import { callerAddressOf } from './remote-address.ts';
import {
  faultOfHead,
  faultOfUpgrade,
  type HeadFault,
  NOT_FOUND,
  readHead,
  SOCKET_PATH,
  UNKNOWN_PROTOCOL,
} from './request-head.ts';
import type { Session } from '../screens/session.ts';
import {
  BACKPRESSURE_BYTES_MAX,
  badCertificate,
  IDLE_SECONDS,
  portTaken,
  type Server,
  type ServerOptions,
} from './socket-server.ts';

const NO_COMPRESSION = 0; // the messages are short and full of signatures
const LISTEN_DEFAULT = 0;
/** The library's data per socket: the codec from the upgrade on, the session from the opening on. */
type SocketData = { codec: Codec; address: string; session: Session | undefined };

export async function startUwsServer(options: ServerOptions): Promise<Server> {
  const { host, port, isShared, certificate, trustProxy, conversation } = options;
  const count = { open: 0 };
  const appWith = (files: CertificateFiles | undefined): TemplatedApp =>
    addRoutes(files === undefined ? App() : secureApp(files), { conversation, trustProxy, count });
  const listenWith = (app: TemplatedApp, onPort: number): Promise<ListenSocket> =>
    new Promise((resolve, reject) => {
      app.listen(host, onPort, isShared ? LISTEN_DEFAULT : LIBUS_LISTEN_EXCLUSIVE_PORT, listening => {
        if (listening === false) reject(portTaken(host, onPort));
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
    throw badCertificate({ keyFile, certificateFile }, error);
  }
}

type Routes = { conversation: Conversation; trustProxy: ServerOptions['trustProxy']; count: { open: number } };

function addRoutes(app: TemplatedApp, { conversation, trustProxy, count }: Routes): TemplatedApp {
  return app
    .ws<SocketData>(SOCKET_PATH, {
      compression: NO_COMPRESSION,
      maxPayloadLength: PAYLOAD_BYTES_MAX,
      maxBackpressure: BACKPRESSURE_BYTES_MAX,
      closeOnBackpressureLimit: true,
      idleTimeout: IDLE_SECONDS,
      upgrade(response, request, context) {
        const head = readHead(request);
        const fault = faultOfUpgrade(head);
        if (fault !== undefined) return refuseUpgrade(response, fault);
        const { key, protocol: offered, extensions, forwardedFor } = head;
        const codec = chooseCodec(offered);
        if (codec === undefined) return refuseUpgrade(response, UNKNOWN_PROTOCOL);
        const address = callerAddressOf({ bytes: response.getRemoteAddress(), forwardedFor, trustProxy });
        if (address === undefined) return void response.close();
        // The library requires an answer to an offered protocol, and no answer without one.
        const protocol = offered === '' ? '' : codec.subprotocol;
        response.upgrade<SocketData>({ codec, address, session: undefined }, key, protocol, extensions, context);
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
    .any('/*', (response, request) => refuseUpgrade(response, faultOfHead(readHead(request)) ?? NOT_FOUND));
}

/** The answer ends the connection, so that no second request hides behind the first. */
function refuseUpgrade(response: HttpResponse, { status, text, version }: HeadFault): void {
  response.writeStatus(status).writeHeader('Connection', 'close');
  if (version !== undefined) response.writeHeader('Sec-WebSocket-Version', version);
  response.end(`${text}\n`, true);
}
