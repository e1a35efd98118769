/**
 * The sockets. The only file that knows uWebSockets.js: it turns its sockets into links and its callbacks into calls of the
 * conversation. Three habits of the library are met here: a socket must not be touched after its close callback; a frame's
 * bytes are gone when the callback returns; and it shares a port silently with another process, so listening is exclusive
 * unless several processes of one instance share the port on purpose.
 */
import { App, LIBUS_LISTEN_EXCLUSIVE_PORT, type ListenSocket, us_listen_socket_close, us_socket_local_port, type WebSocket } from 'uWebSockets.js';
import { Fault } from '#runtime/fault-error.ts';
import type { Conversation } from './conversation.ts';
import { countClose } from './instruments.ts';
import { PAYLOAD_BYTES_MAX } from './protocol/bounds.ts';
import { chooseCodec, type Codec } from './protocol/codec.ts';
import type { Link, Session } from './session.ts';

const SOCKET_PATH = '/v1/screens/socket';
const NO_COMPRESSION = 0; // the messages are short and full of signatures
const LISTEN_DEFAULT = 0;
/** The library pings well before; a screen that is gone is noticed within this time. Steps of 4 s. */
const IDLE_SECONDS = 60;
/** What may wait for a slow reader: some dozens of fills. Beyond it the connection is closed and the screen comes back. */
const BACKPRESSURE_BYTES_MAX = 64 * 1024;
const DROPPED = 2;

/** What the library carries per socket: the codec from the upgrade on, the session from the opening on. */
type SocketData = { codec: Codec; session: Session | undefined };

export type Server = {
  port: number;
  /** No new connections; the open ones stay. */
  stopListening(): void;
};

/**
 * Listens for screens.
 * @throws Fault `port_taken` when another process listens on the port, or the address cannot be used.
 */
export function startServer({ host, port, isShared, conversation }: { host: string; port: number; isShared: boolean; conversation: Conversation }): Promise<Server> {
  const app = App()
    .ws<SocketData>(SOCKET_PATH, {
      compression: NO_COMPRESSION,
      maxPayloadLength: PAYLOAD_BYTES_MAX,
      maxBackpressure: BACKPRESSURE_BYTES_MAX,
      closeOnBackpressureLimit: true,
      idleTimeout: IDLE_SECONDS,
      sendPingsAutomatically: true,
      upgrade(response, request, context) {
        const codec = chooseCodec(request.getHeader('sec-websocket-protocol'));
        if (codec === undefined) {
          response.writeStatus('400 Bad Request').end('marquee.v1.json or marquee.v1.msgpack\n');
          return;
        }
        const key = request.getHeader('sec-websocket-key');
        // The library needs an offered protocol to be answered, and none to be answered with none.
        const protocol = request.getHeader('sec-websocket-protocol') === '' ? '' : codec.subprotocol;
        response.upgrade<SocketData>({ codec, session: undefined }, key, protocol, request.getHeader('sec-websocket-extensions'), context);
      },
      open(socket) {
        const data = socket.getUserData();
        data.session = conversation.opened(data.codec, linkOf(socket));
      },
      message(socket, frame, isBinary) {
        const { session } = socket.getUserData();
        if (session !== undefined) conversation.received(session, frame, isBinary);
      },
      close(socket) {
        const { session } = socket.getUserData();
        if (session !== undefined) conversation.closed(session);
      },
    })
    .any('/*', response => void response.writeStatus('404 Not Found').end());
  return new Promise((resolve, reject) => {
    app.listen(host, port, isShared ? LISTEN_DEFAULT : LIBUS_LISTEN_EXCLUSIVE_PORT, listening => {
      if (listening === false) reject(new Fault('port_taken', `cannot listen on ${host}:${port}; is another instance running?`, { retryable: false }));
      else resolve(serverOf(listening));
    });
  });
}

function serverOf(listening: ListenSocket): Server {
  let isListening = true;
  return {
    port: us_socket_local_port(listening),
    stopListening() {
      if (isListening) us_listen_socket_close(listening);
      isListening = false;
    },
  };
}

/** The session stops calling its link when the socket's close callback has run, and that is the only way a socket ends. */
function linkOf(socket: WebSocket<SocketData>): Link {
  let ended = false;
  return {
    send(frame, binary) {
      // The library has closed the socket of a reader that was too slow; its close callback runs within the call or after it.
      if (!ended && socket.send(frame, binary) === DROPPED) ended = true;
    },
    end(code, reason) {
      if (ended) return;
      ended = true;
      countClose(code);
      socket.end(code, reason);
    },
  };
}
