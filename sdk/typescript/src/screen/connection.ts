/**
 * The one WebSocket of a screen. It is opened again whenever it ends, after the waits of back-off.ts. A `welcome` or an
 * answer that does not come within ten seconds ends it: a browser may notice a pulled cable only minutes later.
 */
import { Attempts } from './back-off.ts';
import type { Socket, SocketClass } from './options.ts';
import type { Codec, ServerMessage } from './protocol.ts';

const ANSWER_MS_MAX = 10_000;
/** When a network returns, the screens of a street spread over a second. */
const ONLINE_SPREAD_MS = 1_000;
const NO_CLOSE_FRAME = 1006;
const UNPAIRED = 4001;

export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'closed';
export type ConnectionOptions = {
  url: string;
  socketClass: SocketClass;
  codec: Codec;
  random: () => number;
  /** The `hello` of each connection. */
  hello(): object;
  heard(message: ServerMessage): void;
  /** The connection is gone; another one is tried after `retryMs`. */
  lost(closeCode: number, retryMs: number): void;
  unpaired(): void;
};

export class Connection {
  /** When the last `hello` was sent, steady ms. */
  helloAt = 0;
  readonly #options: ConnectionOptions;
  readonly #attempts = new Attempts();
  #socket: Socket | undefined;
  #isWelcomed = false;
  #isClosed = false;
  #messageId = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #answerTimers = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get state(): ConnectionState {
    if (this.#isWelcomed) return 'open';
    if (this.#socket) return 'connecting';
    return this.#isClosed ? 'closed' : 'waiting';
  }

  open(): void {
    const { url, socketClass, codec, unpaired } = this.#options;
    this.#attempts.opened(performance.now());
    let socket: Socket;
    try {
      socket = new socketClass(url, codec.subprotocol);
    } catch {
      return this.#lose(NO_CLOSE_FRAME); // a page's policy forbids the address: its operator may change that
    }
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    this.#timer = setTimeout(() => this.#lose(NO_CLOSE_FRAME), ANSWER_MS_MAX);
    socket.onopen = () => {
      this.helloAt = performance.now();
      this.#send(this.#options.hello());
    };
    socket.onmessage = ({ data }: { data: string | ArrayBuffer }) => this.#read(data);
    socket.onerror = () => undefined; // a close event follows
    socket.onclose = ({ code }: { code: number }) => (code === UNPAIRED ? unpaired() : this.#lose(code));
  }

  /** A `welcome` came. */
  welcomed(): void {
    clearTimeout(this.#timer);
    this.#isWelcomed = true;
    this.#attempts.welcomed();
  }

  /** Sends a message that is answered; its id, or undefined when there is no connection. */
  ask(message: object): number | undefined {
    if (!this.#isWelcomed) return undefined;
    const id = ++this.#messageId;
    this.#answerTimers.set(
      id,
      setTimeout(() => this.#lose(NO_CLOSE_FRAME), ANSWER_MS_MAX),
    );
    this.#send({ id, ...message });
    return id;
  }

  answerCame(id: number): void {
    clearTimeout(this.#answerTimers.get(id));
    this.#answerTimers.delete(id);
  }

  /** Ends the connection, if there is one, and opens another one after the usual wait. */
  renew(): void {
    if (this.#socket) this.#lose(NO_CLOSE_FRAME);
  }

  /** The network has come back: the wait for the next attempt is a second at most. */
  hurry(): void {
    if (this.state !== 'waiting') return;
    const spreadMs = this.#options.random() * ONLINE_SPREAD_MS;
    this.#openAfter(Math.max(this.#attempts.leastMs(performance.now()), spreadMs));
  }

  /** Ends the connection for good. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#leave();
  }

  #read(frame: string | ArrayBuffer): void {
    let message: unknown;
    try {
      message = this.#options.codec.decode(frame);
    } catch {
      return this.#lose(NO_CLOSE_FRAME); // the other side is not the server
    }
    if (typeof message === 'object' && message !== null) this.#options.heard(message as ServerMessage);
  }

  #send(message: object): void {
    this.#socket?.send(this.#options.codec.encode(message));
  }

  #lose(closeCode: number): void {
    if (this.#isClosed) return;
    this.#leave();
    const retryMs = this.#attempts.waitMs(closeCode, performance.now(), this.#options.random());
    this.#openAfter(retryMs);
    this.#options.lost(closeCode, retryMs);
  }

  #openAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), delayMs);
  }

  /** Lets go of the socket, and ignores its later events. */
  #leave(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isWelcomed = false;
    for (const timer of this.#answerTimers.values()) clearTimeout(timer);
    this.#answerTimers.clear();
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
