/**
 * The one WebSocket of the screen: opened again whenever it ends, with a wait that doubles and is spread. A line that
 * is silent is not a line: an answer that does not come within ten seconds ends the connection, since a browser itself
 * may notice a pulled cable only minutes later.
 */
import { Attempts } from './back-off.ts';
import { isFill, readMessage, type Fill, type ServerMessage, type Slot, type SlotRequest } from './protocol.ts';

const SUBPROTOCOL = 'marquee.v1.json';
const WELCOME_MS_MAX = 10_000;
const ANSWER_MS_MAX = 10_000;
/** After the network has come back: the screens of a street spread over a second. */
const ONLINE_SPREAD_MS = 1_000;
const UNPAIRED = 4001;
const NO_CLOSE_FRAME = 1006;

export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'closed';
export type ConnectionEvents = {
  /** The fields of `hello`; asked for at each connection. */
  hello(): object;
  /** Steady times of the `hello` and of this answer to it. */
  welcomed(message: Extract<ServerMessage, { t: 'welcome' }>, times: { sentAt: number; receivedAt: number }): void;
  heard(message: ServerMessage): void;
  lost(): void;
  unpaired(): void;
  /** Fills for which nobody waits any more. */
  tooLate(fills: Fill[]): void;
};

type Ask = { resolve(slots: Slot[] | undefined): void; timer: number };

export class Connection {
  state: ConnectionState = 'connecting';
  /** Of the last connection that ended; 0 when none has. */
  closeCode = 0;
  /** When the next attempt is made, steady ms. */
  retryAt = 0;
  readonly #url: string;
  readonly #events: ConnectionEvents;
  #socket: WebSocket | undefined;
  readonly #attempts = new Attempts();
  #messageId = 0;
  #helloAt = 0;
  #timer = 0;
  readonly #asks = new Map<number, Ask>();
  /** When the oldest report was sent that has no answer yet, steady ms; 0 when there is none. */
  #unansweredAt = 0;

  constructor(url: string, events: ConnectionEvents) {
    this.#url = url;
    this.#events = events;
  }

  start(): void {
    addEventListener('online', this.#backOnline);
    addEventListener('offline', this.renew);
    this.#open();
  }

  /** Ends the connection for good. */
  stop(): void {
    removeEventListener('online', this.#backOnline);
    removeEventListener('offline', this.renew);
    this.state = 'closed';
    clearTimeout(this.#timer);
    this.#leave();
  }

  nextId(): number {
    return ++this.#messageId;
  }

  /** Sends a report, which the server acknowledges. */
  report(message: object): void {
    if (this.#unansweredAt === 0) this.#unansweredAt = performance.now();
    this.#send(message);
  }

  /**
   * Asks for slots. Undefined when there is no connection, or no answer within `withinMs`: those fills come to
   * `tooLate`.
   */
  ask(request: SlotRequest, withinMs: number): Promise<Slot[] | undefined> {
    if (this.state !== 'open') return Promise.resolve(undefined);
    const id = this.nextId();
    this.#send({ t: 'slot', id, ...request });
    return new Promise(resolve => {
      this.#asks.set(id, { resolve, timer: window.setTimeout(() => this.#answer(id, undefined), withinMs) });
    });
  }

  /** Called about every second: ends a connection on which nothing is answered. */
  check(): void {
    if (this.#unansweredAt !== 0 && performance.now() - this.#unansweredAt > ANSWER_MS_MAX) this.#lose(NO_CLOSE_FRAME);
  }

  readonly #backOnline = (): void => {
    if (this.state !== 'waiting') return;
    this.#openAfter(Math.max(this.#attempts.leastMs(performance.now()), Math.random() * ONLINE_SPREAD_MS));
  };

  /** Ends the connection, and opens another one. */
  readonly renew = (): void => {
    if (this.state === 'open' || this.state === 'connecting') this.#lose(NO_CLOSE_FRAME);
  };

  #open(): void {
    this.state = 'connecting';
    this.#attempts.opened(performance.now());
    let socket: WebSocket;
    try {
      socket = new WebSocket(this.#url, SUBPROTOCOL);
    } catch {
      return this.#lose(NO_CLOSE_FRAME); // the address is none, or the page's policy forbids it: shown in the overlay
    }
    this.#socket = socket;
    this.#timer = window.setTimeout(() => this.#lose(NO_CLOSE_FRAME), WELCOME_MS_MAX);
    socket.onopen = () => {
      this.#helloAt = performance.now();
      socket.send(JSON.stringify({ t: 'hello', ...this.#events.hello() }));
    };
    socket.onmessage = event => this.#hear(readMessage(String(event.data)));
    socket.onclose = event => (event.code === UNPAIRED ? this.#events.unpaired() : this.#lose(event.code));
  }

  #hear(message: ServerMessage | undefined): void {
    if (!message) return;
    if (message.t === 'welcome') return this.#welcome(message);
    if (message.t === 'unpaired') return this.#events.unpaired();
    if (message.t === 'fill') return this.#answer(message.id, message.slots);
    if (message.t === 'ack') this.#unansweredAt = 0;
    if (message.t === 'error') {
      this.#unansweredAt = 0;
      // The hello was not taken: try again later.
      if (message.id === undefined && this.state === 'connecting') return this.#lose(NO_CLOSE_FRAME);
      if (message.id !== undefined && this.#asks.has(message.id)) return this.#answer(message.id, []);
    }
    this.#events.heard(message);
  }

  #welcome(message: Extract<ServerMessage, { t: 'welcome' }>): void {
    clearTimeout(this.#timer);
    this.state = 'open';
    this.#attempts.welcomed();
    this.#events.welcomed(message, { sentAt: this.#helloAt, receivedAt: performance.now() });
  }

  #answer(id: number, slots: Slot[] | undefined): void {
    const ask = this.#asks.get(id);
    this.#asks.delete(id);
    if (ask) {
      clearTimeout(ask.timer);
      ask.resolve(slots);
    } else if (slots) this.#events.tooLate(slots.filter(isFill));
  }

  #lose(closeCode: number): void {
    clearTimeout(this.#timer);
    this.#leave();
    this.closeCode = closeCode;
    this.#openAfter(this.#attempts.waitMs(closeCode, performance.now(), Math.random()));
    this.#events.lost();
  }

  #openAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.state = 'waiting';
    this.retryAt = performance.now() + delayMs;
    this.#timer = window.setTimeout(() => this.#open(), delayMs);
  }

  /** Lets go of the socket; whatever it may still say is not heard. */
  #leave(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#unansweredAt = 0;
    Array.from(this.#asks.keys()).forEach(id => this.#answer(id, undefined));
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #send(message: object): void {
    if (this.#socket && this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
