/**
 * A proxy between a client and an engine that a test can make fail: it cuts connections, holds bytes back, swallows
 * them, or replaces a text in answers.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Swallowed = 'nothing' | 'answers' | 'all';
type Carriage = { from: Socket; to: Socket; swallowedBy: readonly Swallowed[] };

/** Stands between a client and an engine: cuts connections, holds bytes back, or swallows what comes. */
export class TcpProxy {
  /** How long each piece of data is held back, in ms. */
  delayMs = 0;
  /** A text in answers, and another one of its length in its place. */
  replaced: readonly [text: string, by: string] | undefined;
  readonly #server: Server;
  readonly #pairs = new Set<[Socket, Socket]>();
  #isCut = false;
  #swallowed: Swallowed = 'nothing';

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(to: { host: string; port: number }): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server);
    server.on('connection', near => proxy.#join(near, to));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends every connection, and refuses new ones until `mend`. */
  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /**
   * Ends every connection, or the one at `place` (counted round), and takes new ones at once. Answers how many it
   * ended.
   */
  sever(place?: number): number {
    const pairs = [...this.#pairs];
    const severed = place === undefined ? pairs : pairs.slice(place % Math.max(1, pairs.length)).slice(0, 1);
    for (const pair of severed) for (const socket of pair) socket.destroy();
    return severed.length;
  }

  /** Lets nothing more through in either direction, while connections stay open: what a lost route does. */
  drop(): void {
    this.#swallowed = 'all';
  }

  /** Lets what the client says through and nothing back, while connections stay open. */
  dropAnswers(): void {
    this.#swallowed = 'answers';
  }

  /** Connections that swallowed something are ended: their bytes are gone. */
  mend(): void {
    if (this.#swallowed !== 'nothing') for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#isCut = false;
    this.#swallowed = 'nothing';
    this.delayMs = 0;
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, to: { host: string; port: number }): void {
    if (this.#isCut) return void near.destroy();
    const far = connect(to);
    const pair: [Socket, Socket] = [near, far];
    this.#pairs.add(pair);
    this.#carry({ from: near, to: far, swallowedBy: ['all'] });
    this.#carry({ from: far, to: near, swallowedBy: ['all', 'answers'] });
    const end = (): void => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', end); // the other side sees it as its own end
      socket.on('close', end);
    }
  }

  #rewritten(piece: Buffer): Buffer {
    if (this.replaced === undefined) return piece;
    return Buffer.from(piece.toString('latin1').replaceAll(...this.replaced), 'latin1');
  }

  #carry({ from, to, swallowedBy }: Carriage): void {
    // in order: a later piece never overtakes, also when the delay ends meanwhile
    const heldBack: { piece: Buffer; atMs: number }[] = [];
    const send = (): void => {
      while (heldBack.length > 0 && heldBack[0]!.atMs <= performance.now()) to.write(heldBack.shift()!.piece);
      if (heldBack.length > 0 && !to.destroyed) setTimeout(send, heldBack[0]!.atMs - performance.now());
    };
    from.on('data', (read: Buffer) => {
      const piece = swallowedBy.includes('answers') ? this.#rewritten(read) : read;
      if (swallowedBy.includes(this.#swallowed)) return;
      if (this.delayMs === 0 && heldBack.length === 0) return void to.write(piece);
      heldBack.push({ piece, atMs: performance.now() + this.delayMs });
      if (heldBack.length === 1) setTimeout(send, this.delayMs);
    });
  }
}
