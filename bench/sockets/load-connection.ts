/** One screen of the load clients: a raw socket that has upgraded, with at most one pending message. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { unpack } from 'msgpackr';
import { FrameReader, frameOf, maskedFrame, OPCODE } from './frames.ts';

const UPGRADE_MS_MAX = 10_000;
/** Larger than a fill of 20 slots, so that an answer usually arrives in one piece. */
const READ_BYTES = 64 * 1024;
/** Shared by all connections of the process: each read is handed on before the next one starts. */
const readBuffer = Buffer.allocUnsafe(READ_BYTES);
const HEAD_END = Buffer.from('\r\n\r\n');

/** Called with the payload of each data frame; the bytes are overwritten afterwards. */
export type OnMessage = (bytes: Buffer, start: number, end: number) => void;

type OpenOptions = {
  port: number;
  path: string;
  protocol: string;
  from?: string | undefined;
  isSecure?: boolean | undefined;
};

export class LoadConnection {
  readonly #socket: Socket;
  onMessage: OnMessage = () => undefined;
  onClose: (reason: string) => void = () => undefined;
  /** Why it is closed, even if that happened before there was a listener. */
  closed: string | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /**
   * Opens a socket, from one of this machine's addresses or over TLS if told so, and upgrades it.
   * @throws when the server does not answer 101 in 10 s.
   */
  static open({ port, path, protocol, from, isSecure = false }: OpenOptions): Promise<LoadConnection> {
    return new Promise((resolve, reject) => {
      let upgraded = false;
      let head = Buffer.alloc(0);
      const reader = new FrameReader((opcode, bytes, start, end) => connection.#hear(opcode, bytes, start, end));
      const hear = (bytes: Buffer, length: number): void => {
        if (upgraded) reader.read(bytes, length);
        else upgrade(bytes.subarray(0, length));
      };
      // A secure socket cannot read into a buffer of ours.
      const socket: Socket = isSecure
        ? connectSecurely({ host: '127.0.0.1', port, rejectUnauthorized: false })
            .on('data', bytes => hear(bytes, bytes.length))
            .setNoDelay(true)
        : connect({
            host: '127.0.0.1',
            port,
            ...(from !== undefined && { localAddress: from }),
            noDelay: true,
            onread: {
              buffer: readBuffer,
              callback: (length, bytes) => {
                hear(bytes as Buffer, length);
                return true;
              },
            },
          });
      const connection = new LoadConnection(socket);
      const timer = setTimeout(
        () => socket.destroy(new Error('the server did not upgrade the connection')),
        UPGRADE_MS_MAX,
      );
      const upgrade = (chunk: Buffer) => {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        clearTimeout(timer);
        if (!head.toString('latin1').startsWith('HTTP/1.1 101')) {
          socket.destroy(new Error(`the server answered ${head.subarray(0, head.indexOf('\r\n')).toString('latin1')}`));
          return;
        }
        upgraded = true;
        resolve(connection);
        reader.read(head.subarray(end + HEAD_END.length), head.length - end - HEAD_END.length);
      };
      socket.once('error', reject);
      socket.on('close', () => {
        reject(new Error('the server closed the socket before it upgraded'));
        connection.#end('the server closed the socket');
      });
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
      );
    });
  }

  #hear(opcode: number, bytes: Buffer, start: number, end: number): void {
    if (opcode === OPCODE.ping) this.send(maskedFrame(bytes.subarray(start, end), OPCODE.pong));
    else if (opcode === OPCODE.close)
      this.#end(`the server closed with ${end - start >= 2 ? bytes.readUInt16BE(start) : 'no code'}`);
    else this.onMessage(bytes, start, end);
  }

  #end(reason: string): void {
    this.closed ??= reason;
    this.onClose(reason);
  }

  /** Sends a frame that was prepared. */
  send(frame: Buffer): void {
    this.#socket.write(frame);
  }

  close(): void {
    this.onClose = () => undefined;
    this.#socket.destroy();
  }
}

type ScreenOptions = Omit<OpenOptions, 'protocol'> & {
  /** Absent: the connection is only upgraded. */
  token: string | undefined;
  player: string;
  /** The name of the list of files that the screen holds. */
  list?: string | undefined;
  onMessage?: OnMessage;
};

/** A message says its type in its first bytes. */
const TYPE_WITHIN_BYTES = 16;

/** Opens a connection and says hello; resolves with the welcome. @throws if none comes */
export async function openScreen({
  token,
  player,
  list,
  onMessage = () => undefined,
  ...place
}: ScreenOptions): Promise<LoadConnection> {
  const connection = await LoadConnection.open({ ...place, protocol: 'marquee.v1.msgpack' });
  connection.onMessage = onMessage;
  if (token === undefined) return connection;
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => {
      connection.close();
      reject(new Error(`a screen got no welcome: ${reason}`));
    };
    if (connection.closed !== undefined) fail(connection.closed);
    connection.onClose = fail;
    connection.onMessage = (bytes, start, end) => {
      const type = bytes.toString('latin1', start, start + TYPE_WITHIN_BYTES);
      if (type.includes('welcome')) resolve();
      else if (type.includes('error')) fail(JSON.stringify(unpack(bytes.subarray(start, end))));
      else onMessage(bytes, start, end);
    };
    const held = list === undefined ? {} : { list };
    connection.send(frameOf({ t: 'hello', token, platform: 'linux', player, time: Date.now(), recent: [], ...held }));
  });
  connection.onMessage = onMessage;
  return connection;
}
