/** The address that a player under test connects to: pairing, one file for all ads, and the WebSocket. */
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { isPlatform } from '#domain/screens/screen.ts';
import { PAYLOAD_BYTES_MAX } from '../../delivery/protocol/bounds.ts';
import { chooseCodec, type Codec } from '../../delivery/protocol/codec.ts';
import type { Findings } from './rules.ts';

export const CODE = '482913';
export const TOKEN = 'dt_player_check_0000000000000000000000000000000000';
const SOCKET_PATH = '/v1/screens/socket';
const BODY_BYTES_MAX = 16_384;
const VERSION_LENGTH_MAX = 100;
/** The picture that stands for every ad: one grey pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCAvqpRoQAAAABJRU5ErkJggg==',
  'base64',
);
const SHA256 = createHash('sha256').update(PICTURE).digest('hex');

/** One WebSocket of the player. Times are steady ms. */
export class Connection {
  readonly openedAt = performance.now();
  welcomedAt: number | undefined;
  endedAt: number | undefined;
  /** Whether this side has ended it. */
  isEndedHere = false;
  messagesSinceWelcome = 0;
  readonly codec: Codec;
  readonly socket: WebSocket;

  constructor(socket: WebSocket, codec: Codec) {
    this.socket = socket;
    this.codec = codec;
    socket.on('error', () => undefined); // a close event follows
    socket.on('close', () => (this.endedAt = performance.now()));
  }

  send(message: object): void {
    this.socket.send(this.codec.encode(message));
  }

  /** Closes with a code, or cuts the line without one. Returns when. */
  end(code?: number): number {
    this.isEndedHere = true;
    if (code === undefined) this.socket.terminate();
    else this.socket.close(code);
    return performance.now();
  }
}

/** `attempted`: a connection was tried, whether or not it was accepted (steady ms). */
type ServerEvents = { attempted: [at: number]; opened: [connection: Connection] };

export class PlayerServer extends EventEmitter<ServerEvents> {
  /** The number of refused upgrades. */
  refuseNext = 0;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: PAYLOAD_BYTES_MAX });
  readonly #findings: Findings;
  #host = '';

  private constructor(findings: Findings) {
    super();
    this.#findings = findings;
    this.#http = createServer((request, response) => void this.#answer(request, response));
    this.#http.on('upgrade', (request, socket, head) => {
      this.emit('attempted', performance.now());
      const codec = chooseCodec(request.headers['sec-websocket-protocol'] ?? '');
      const isHere = request.url?.split('?')[0] === SOCKET_PATH;
      if (this.refuseNext > 0 || !codec || !isHere) {
        if (this.refuseNext > 0) this.refuseNext -= 1;
        return void socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      }
      this.#sockets.handleUpgrade(request, socket, head, one => this.emit('opened', new Connection(one, codec)));
    });
  }

  static async listen(findings: Findings, { host, port }: { host: string; port: number }): Promise<PlayerServer> {
    const server = new PlayerServer(findings);
    server.#http.listen(port, host);
    await once(server.#http, 'listening');
    server.#host = `${host}:${(server.#http.address() as AddressInfo).port}`;
    return server;
  }

  get api(): string {
    return `http://${this.#host}`;
  }
  get socketUrl(): string {
    return `ws://${this.#host}${SOCKET_PATH}`;
  }
  /** The file of every ad, as `prefetch` lists it. */
  get asset(): { url: string; sha256: string; bytes: number } {
    return { url: `${this.api}/assets/${SHA256}.png`, sha256: SHA256, bytes: PICTURE.length };
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#http.close();
    this.#http.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A player that is a page has another origin.
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', 'content-type');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (request.url === new URL(this.asset.url).pathname)
      return void response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
    const isConfirm = request.method === 'POST' && request.url === `/v1/pairing/${CODE}/confirm`;
    if (!isConfirm) return void response.writeHead(404).end();
    const { platform, player } = await bodyOf(request);
    const isValid = isPlatform(platform) && typeof player === 'string' && player.length <= VERSION_LENGTH_MAX;
    this.#findings.expect(
      'pairing',
      isValid && player !== '',
      `it confirms with ${JSON.stringify({ platform, player })}`,
    );
    const pairing = { screen_id: 'scr_player_check', device_token: TOKEN, socket_url: this.socketUrl };
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(pairing));
  }
}

async function bodyOf(request: IncomingMessage): Promise<{ platform?: unknown; player?: unknown }> {
  let text = '';
  for await (const chunk of request) if (text.length < BODY_BYTES_MAX) text += String(chunk);
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {}; // the finding says that nothing was named
  }
}
