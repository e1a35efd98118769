/**
 * A screen under a test's hand, over a real socket: it says exactly what the test wants and keeps what it receives, in
 * JSON.
 */
import { WebSocket, type WebSocketInit } from 'undici';
import { eventually } from './network.ts';

export type Message = { t: string } & Record<string, unknown>;
export type Fill = {
  play_id: string;
  campaign_id: string;
  creative_id: string;
  starts_at: number;
  duration_ms: number;
  scan_url: string;
  url: string;
};

/** A campaign may wait for its first lease or its first plan, on a machine that others use, too. */
const FILLED_MS_MAX = 30_000;
/** Ids of messages that this makes by itself; a test's own begin at 1. */
const OWN_IDS_FROM = 1_000_000;
/** A slot may begin a minute ago; five seconds of it are for a machine that is slow. */
const BACK_MS = 55_000;
/** The ads of tests are stills of six seconds. */
const SHOWN_MS = 6_000;
/**
 * By token: up to when the past slots of a screen reach. A screen has one picture, over whatever connection it asks.
 */
const takenTo = new Map<string, number>();

export class ScreenClient {
  readonly #socket: WebSocket;
  #token = '';
  readonly #heard: Message[] = [];
  #wake: () => void = () => undefined;
  #ids = OWN_IDS_FROM;
  #closed: { code: number } | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', event => {
      this.#heard.push(JSON.parse(String(event.data)) as Message);
      this.#wake();
    });
    socket.addEventListener('close', event => {
      this.#closed = { code: event.code };
      this.#wake();
    });
    socket.addEventListener('error', () => undefined); // a close event follows
  }

  /** Opens the socket, without a hello. `way`: how the connection is made, and headers of the request. */
  static async open(url: string, way: Pick<WebSocketInit, 'dispatcher' | 'headers'> = {}): Promise<ScreenClient> {
    const socket = new WebSocket(url, { protocols: 'marquee.v1.json', ...way });
    const client = new ScreenClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error(`no socket at ${url}`)));
    });
    return client;
  }

  /** Opens the socket and says hello; resolves with the welcome. */
  static async connect(
    url: string,
    token: string,
    fields: object = {},
  ): Promise<{ client: ScreenClient; welcome: Message }> {
    const client = await ScreenClient.open(url);
    client.#token = token;
    client.send({ t: 'hello', token, platform: 'linux', player: 'test/1', time: Date.now(), recent: [], ...fields });
    return { client, welcome: await client.next('welcome') };
  }

  send(message: object | string): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message of this type (with this id), heard already or yet to come. */
  async next(type: string, id?: number): Promise<Message> {
    for (;;) {
      const index = this.#heard.findIndex(message => message.t === type && (id === undefined || message['id'] === id));
      if (index >= 0) return this.#heard.splice(index, 1)[0]!;
      if (this.#closed) throw new Error(`the socket closed with ${this.#closed.code} before a ${type}`);
      await this.#event();
    }
  }

  /** How many messages of this type were heard and not taken by `next`. */
  heard(type: string): number {
    return this.#heard.filter(message => message.t === type).length;
  }

  /**
   * Asks for one slot until it is filled, by this campaign if one is named. The slot is over already and beside those
   * before it, so that its play may be reported at once. @throws an Error when none is in time
   */
  fill(campaign?: string): Promise<Fill> {
    return eventually(async () => {
      const id = ++this.#ids;
      const at = this.#freeAt();
      if (at + SHOWN_MS > Date.now()) return undefined; // the last minute is taken: it goes on
      this.send({ t: 'slot', id, count: 1, at });
      const [slot] = (await this.next('fill', id))['slots'] as [Fill | { no_fill: string }];
      if ('no_fill' in slot) return undefined;
      takenTo.set(this.#token, slot.starts_at + slot.duration_ms);
      return campaign === undefined || slot.campaign_id === campaign ? slot : undefined;
    }, FILLED_MS_MAX);
  }

  /**
   * When so many slots may begin that are over by now and beside those before.
   * @throws an Error when the last minute is taken
   */
  pastAt(slots = 1): number {
    const at = this.#freeAt();
    if (at + slots * SHOWN_MS > Date.now()) throw new Error('the last minute of this screen is taken');
    takenTo.set(this.#token, at + slots * SHOWN_MS);
    return at;
  }

  #freeAt(): number {
    return Math.max(Date.now() - BACK_MS, takenTo.get(this.#token) ?? 0);
  }

  /** The close code of the socket. */
  async closed(): Promise<number> {
    while (!this.#closed) await this.#event();
    return this.#closed.code;
  }

  close(): void {
    this.#socket.close();
  }

  #event(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve;
    });
  }
}
