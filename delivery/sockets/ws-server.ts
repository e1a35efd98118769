/**
 * Sockets by `ws` on Node's own HTTP server, for versions of Node and libraries of C that uWebSockets.js has no binary
 * for. It behaves as `uws-server.ts`: bounds, close codes and timeouts are the same.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { Fault } from '#runtime/fault-error.ts';
import type { TrustProxy } from '#runtime/ingress/forwarded-for.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { PAYLOAD_BYTES_MAX } from '../protocol/bounds.ts';
import { chooseCodec, type Codec, type Frame } from '../protocol/codec.ts';
import type { Link, Session } from '../screens/session.ts';
import type { CertificateFiles } from './certificate.ts';
import { bytesOfAddress, callerAddressOf } from './remote-address.ts';
import {
  faultOfHead,
  faultOfUpgrade,
  type HeadFault,
  NOT_FOUND,
  readHead,
  SOCKET_PATH,
  UNKNOWN_PROTOCOL,
} from './request-head.ts';
import {
  BACKPRESSURE_BYTES_MAX,
  badCertificate,
  IDLE_SECONDS,
  portTaken,
  type Server,
  type ServerOptions,
} from './socket-server.ts';

/** Silent connections are checked in steps of this many seconds, as in the other library. */
const SWEEP_SECONDS = 4;
/** A silent connection is pinged this many seconds before its end. */
const PING_SECONDS_BEFORE = 16;
/** An incomplete head ends its connection by then. */
const HEAD_MS_MAX = 10_000;
/** The time for the peer to close after we did. */
const CLOSE_MS_MAX = 2_000;

export async function startWsServer(options: ServerOptions): Promise<Server> {
  const { host, port, isShared, certificate, trustProxy, conversation } = options;
  if (isShared && !sharesPorts())
    throw new Fault('port_not_shared', `several processes cannot share port ${port} by ws on Node ${process.version}`, {
      retryable: false,
    });
  const screens = new ScreenSockets(conversation, trustProxy);
  const server = certificate === undefined ? createServer() : withCertificate(certificate, createSecureServer);
  server.headersTimeout = server.requestTimeout = HEAD_MS_MAX;
  server.on('request', (request, response) => {
    const { status, text } = faultOfHead(headOf(request)) ?? NOT_FOUND;
    const code = Number(status.slice(0, 3));
    response.writeHead(code, { connection: 'close' }).end(`${text}\n`);
  });
  server.on('upgrade', (request, socket, head) => screens.upgrade(request, socket as Socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(portTaken(host, port, error)));
    server.listen({ host, port, exclusive: !isShared, reusePort: isShared }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    sockets: () => screens.open,
    async useCertificate(files) {
      withCertificate(files, context => (server as SecureServer).setSecureContext(context));
    },
    stopListening: () => void server.close(),
  };
}

/** `reusePort` came with Node 22.12; an older one ignores it. */
function sharesPorts(): boolean {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  return major > 22 || (major === 22 && minor >= 12);
}

/** @throws Fault `bad_certificate` */
function withCertificate<T>(files: CertificateFiles, use: (context: { key: Buffer; cert: Buffer }) => T): T {
  try {
    return use({ key: readFileSync(files.keyFile), cert: readFileSync(files.certificateFile) });
  } catch (error) {
    throw badCertificate(files, error);
  }
}

/** The open connections of a server. */
class ScreenSockets {
  readonly #conversation: Conversation;
  readonly #trustProxy: TrustProxy | undefined;
  readonly #links = new Set<WsLink>();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false, // the messages are short and full of signatures
    maxPayload: PAYLOAD_BYTES_MAX,
    // The codec was chosen from the same header. Without an offer there is no answer.
    handleProtocols: offered => chooseCodec([...offered].join(','))?.subprotocol ?? false,
  });

  constructor(conversation: Conversation, trustProxy: TrustProxy | undefined) {
    this.#conversation = conversation;
    this.#trustProxy = trustProxy;
    setInterval(() => this.#endSilent(), SWEEP_SECONDS * 1_000).unref(); // as long as the process lives
  }

  get open(): number {
    return this.#links.size;
  }

  upgrade(request: IncomingMessage, socket: Socket, first: Buffer): void {
    socket.on('error', () => socket.destroy()); // a reset before the upgrade is done
    const head = headOf(request);
    if (head.key === '' || request.url?.split('?')[0] !== SOCKET_PATH)
      return refuseUpgrade(socket, faultOfHead(head) ?? NOT_FOUND);
    const fault = faultOfUpgrade(head);
    if (fault !== undefined) return refuseUpgrade(socket, fault);
    const codec = chooseCodec(head.protocol);
    if (codec === undefined) return refuseUpgrade(socket, UNKNOWN_PROTOCOL);
    const bytes = bytesOfAddress(socket.remoteAddress);
    const address = callerAddressOf({ bytes, forwardedFor: head.forwardedFor, trustProxy: this.#trustProxy });
    if (address === undefined) return void socket.destroy();
    this.#server.handleUpgrade(request, socket, first, webSocket =>
      this.#opened({ webSocket, socket, codec, address }),
    );
  }

  #opened({ webSocket, socket, codec, address }: Opened): void {
    const conversation = this.#conversation;
    let session: Session | undefined; // absent when the conversation ends it at once
    const link = new WsLink(webSocket, socket, () => {
      this.#links.delete(link);
      if (session !== undefined) conversation.closed(session);
    });
    this.#links.add(link);
    session = conversation.opened(codec, link, address);
    webSocket.on('message', (data: Buffer, isBinary) => {
      if (link.hears()) conversation.received(session!, bytesOf(data), isBinary);
    });
    const control = () => {
      if (link.hears()) conversation.receivedControl(session!);
    };
    webSocket.on('ping', control).on('pong', control);
  }

  #endSilent(): void {
    for (const link of this.#links) link.age(SWEEP_SECONDS);
  }
}

type Opened = { webSocket: WebSocket; socket: Socket; codec: Codec; address: string };

class WsLink implements Link {
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #onClose: () => void;
  #silentSeconds = 0;
  #isOpen = true;

  constructor(webSocket: WebSocket, socket: Socket, onClose: () => void) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#onClose = onClose;
    webSocket.on('close', () => this.#close());
    webSocket.on('error', () => webSocket.terminate()); // a frame that is too long or malformed; `close` follows
  }

  send(frame: Frame, binary: boolean): 0 | 1 | 2 {
    if (!this.#isOpen) return 2;
    // The library writes the bytes later, and codecs use their buffer again.
    this.#webSocket.send(typeof frame === 'string' ? frame : Buffer.from(frame as Uint8Array), { binary });
    const waiting = this.#webSocket.bufferedAmount;
    if (waiting <= BACKPRESSURE_BYTES_MAX) return waiting === 0 ? 1 : 0;
    this.#webSocket.terminate();
    return 2;
  }

  cork(write: () => void): void {
    this.#socket.cork();
    write();
    this.#socket.uncork();
  }

  ping(): void {
    if (this.#isOpen) this.#webSocket.ping();
  }

  end(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#webSocket.close(code, reason);
    setTimeout(() => this.#webSocket.terminate(), CLOSE_MS_MAX).unref();
    this.#close();
  }

  /** The peer sent something. False once the connection was ended: later input is ignored. */
  hears(): boolean {
    this.#silentSeconds = 0;
    return this.#isOpen;
  }

  age(seconds: number): void {
    this.#silentSeconds += seconds;
    if (this.#silentSeconds >= IDLE_SECONDS) this.#webSocket.terminate();
    else if (this.#silentSeconds >= IDLE_SECONDS - PING_SECONDS_BEFORE) this.ping();
  }

  /** The session is informed once, at the end or at the loss of the connection. */
  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onClose();
  }
}

function headOf(request: IncomingMessage) {
  const { rawHeaders } = request;
  return readHead({
    forEach(visit) {
      for (let at = 0; at < rawHeaders.length; at += 2) visit(rawHeaders[at]!.toLowerCase(), rawHeaders[at + 1]!);
    },
  });
}

function bytesOf(data: Buffer): ArrayBuffer {
  return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer;
}

/**
 * The answer ends the connection, so that no second request hides behind the first. An ended socket alone would stay
 * until the client closes it, too.
 */
function refuseUpgrade(socket: Socket, { status, text, version }: HeadFault): void {
  const lines = [`HTTP/1.1 ${status}`, 'Connection: close', `Content-Length: ${Buffer.byteLength(text) + 1}`];
  if (version !== undefined) lines.push(`Sec-WebSocket-Version: ${version}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}\n`);
  socket.destroySoon();
}
