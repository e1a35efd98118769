import { WebSocket } from 'undici';

/** A screen under a test's hand: it says exactly what it is told to and keeps what it hears, in JSON. */
export type Message = { t: string } & Record<string, unknown>;

export class ScreenClient {
  readonly #socket: WebSocket;
  readonly #heard: Message[] = [];
  #wake: () => void = () => undefined;
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

  /** Opens the socket, without a hello. */
  static async open(url: string): Promise<ScreenClient> {
    const socket = new WebSocket(url, 'marquee.v1.json');
    const client = new ScreenClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error(`no socket at ${url}`)));
    });
    return client;
  }

  /** Opens the socket and says hello; resolves with the welcome. */
  static async connect(url: string, token: string, fields: object = {}): Promise<{ client: ScreenClient; welcome: Message }> {
    const client = await ScreenClient.open(url);
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

  /** The close code of the socket. */
  async closed(): Promise<number> {
    while (!this.#closed) await this.#event();
    return this.#closed.code;
  }

  close(): void {
    this.#socket.close();
  }

  #event(): Promise<void> {
    return new Promise(resolve => { this.#wake = resolve; });
  }
}
