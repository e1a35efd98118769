/**
 * One screen on its connection, as docs/screen-protocol.md asks of a player: it connects again by itself, asks for
 * slots, measures with the server's time, and keeps what was played until the server has it. What to show, and when, is
 * the player's own.
 */
import { Attempts } from './back-off.ts';
import type { ScreenOptions, Shown, SlotRequest, Socket, SocketClass } from './options.ts';
import { memoryStorage, Outbox } from './outbox.ts';
import {
  isFill,
  JSON_CODEC,
  type CannotPlayReason,
  type Codec,
  type Fill,
  type ServerMessage,
  type Settings,
  type Slot,
  type Withdrawal,
} from './protocol.ts';
import { ServerClock } from './server-clock.ts';

const ANSWER_MS_MAX = 10_000;
const NO_CLOSE_FRAME = 1006;
const UNPAIRED = 4001;
const RECENT_MAX = 20;
/** A slot that was asked for in the last minute may be filled yet: nothing so young is settled. */
const SETTLED_AFTER_MS = 60_000;

type Question = { resolve(slots: readonly Slot[] | undefined): void; isPlan: boolean };

/** Opens what the storage keeps and connects. */
export async function openScreen(options: ScreenOptions): Promise<Screen> {
  return Screen.open(options);
}

export class Screen {
  readonly #options: ScreenOptions;
  readonly #socketClass: SocketClass;
  readonly #codec: Codec;
  readonly #random: () => number;
  #outbox!: Outbox;
  #socket: Socket | undefined;
  #settings: Settings | undefined;
  /** Undefined before the first welcome of all that the storage knows of. */
  #clock: ServerClock | undefined;
  #helloAt = 0;
  #isWelcomed = false;
  #isClosed = false;
  readonly #attempts = new Attempts();
  #messageId = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #answerTimers = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #questions = new Map<number, Question>();
  /** Fills that were given to the player, which has neither reported them nor handed them back. */
  readonly #open = new Map<string, Fill>();
  #recent: string[] = [];
  /** The list of files that was sent last, and whether the player has said that it holds them all. */
  #list: { name: string; isHeld: boolean } | undefined;

  private constructor(options: ScreenOptions) {
    const { WebSocket = (globalThis as { WebSocket?: SocketClass }).WebSocket } = options;
    if (!WebSocket) throw new TypeError('there is no global WebSocket: pass the one of undici or ws');
    this.#options = options;
    this.#socketClass = WebSocket;
    this.#codec = options.codec ?? JSON_CODEC;
    this.#random = options.random ?? Math.random;
  }

  /** Called by `openScreen`. */
  static async open(options: ScreenOptions): Promise<Screen> {
    const screen = new Screen(options);
    screen.#outbox = await Outbox.open({
      storage: options.storage ?? memoryStorage(),
      events: {
        acknowledged: playIds => options.events?.acknowledged?.(playIds),
        refused: refused => options.events?.refused?.(refused),
      },
      send: message => (screen.#isWelcomed ? screen.#ask(message) : undefined),
      openFrom: () => screen.#openFrom(),
    });
    const { clockOffsetMs } = screen.#outbox;
    if (clockOffsetMs !== undefined) screen.#clock = new ServerClock(Date.now() + clockOffsetMs);
    for (const fill of screen.#outbox.planned) screen.#open.set(fill.play_id, fill);
    screen.#connect();
    return screen;
  }

  /** The server's time; undefined before the first connection, unless the storage keeps one of an earlier run. */
  now(): number | undefined {
    const now = this.#clock?.now();
    if (this.#clock?.isDoubtful) this.#renew();
    return now;
  }

  get settings(): Settings | undefined {
    return this.#settings;
  }

  /** Plays and hand-backs that the server has not acknowledged. */
  get unacknowledged(): number {
    return this.#outbox.size;
  }

  /**
   * Open fills of slots that were asked for with `plan`, also those that the storage kept over a restart. Show them
   * while there is no connection, each from its `starts_at` until it expires.
   */
  get planned(): readonly Fill[] {
    return this.#outbox.planned;
  }

  /** Resolves when the server has acknowledged everything. */
  acknowledged(): Promise<void> {
    return this.#outbox.empty();
  }

  /**
   * Asks for slots. Undefined when there is no connection, or it is lost before the answer. Report each fill with
   * `played`, or hand it back with `cannotPlay`.
   */
  slots({ at, count = 1, maxDurationMs, plan }: SlotRequest = {}): Promise<readonly Slot[] | undefined> {
    const id = this.#isWelcomed
      ? this.#ask({
          t: 'slot',
          count,
          ...(at !== undefined && { at: Math.round(at) }),
          ...(maxDurationMs !== undefined && { max_duration_ms: maxDurationMs }),
          ...(plan !== undefined && { plan }),
        })
      : undefined;
    if (id === undefined) return Promise.resolve(undefined);
    return new Promise(resolve => {
      this.#questions.set(id, { resolve, isPlan: plan === true });
    });
  }

  /** Reports a play. Resolves when it is in the storage; it is sent until the server has it. */
  async played(fill: Fill, { startedAt, playedMs, audience }: Shown): Promise<void> {
    this.#recent = [fill.play_id, ...this.#recent].slice(0, RECENT_MAX);
    const play = { play_id: fill.play_id, started_at: Math.round(startedAt), played_ms: Math.round(playedMs) };
    const kept = this.#outbox.addPlay({ ...play, ...(audience !== undefined && { audience }) }, fill.starts_at);
    this.#open.delete(fill.play_id);
    await kept;
  }

  /** Hands back an ad that will not be shown, or broke off. Resolves when that is in the storage. */
  async cannotPlay(fill: Fill, reason: CannotPlayReason): Promise<void> {
    const kept = this.#outbox.addHandBack({ play_id: fill.play_id, reason });
    this.#open.delete(fill.play_id);
    await kept;
  }

  /** A file of the last list is not on the device any more: the list is sent again over the next connection. */
  forgetFiles(): void {
    this.#list = undefined;
  }

  /** Ends the connection for good. What is not acknowledged stays in the storage. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#leave();
  }

  #connect(): void {
    this.#attempts.opened(performance.now());
    const socket = new this.#socketClass(this.#options.socketUrl, this.#codec.subprotocol);
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    this.#timer = setTimeout(() => this.#lose(NO_CLOSE_FRAME), ANSWER_MS_MAX);
    socket.onopen = () => this.#hello();
    socket.onmessage = ({ data }: { data: string | ArrayBuffer }) => this.#read(data);
    socket.onerror = () => undefined; // a close event follows
    socket.onclose = ({ code }: { code: number }) => (code === UNPAIRED ? this.#unpaired() : this.#lose(code));
  }

  #hello(): void {
    const { token, platform, player } = this.#options;
    this.#helloAt = performance.now();
    const list = this.#list?.isHeld ? { list: this.#list.name } : {};
    this.#send({ t: 'hello', token, platform, player, time: Date.now(), recent: this.#recent, ...list });
  }

  #read(frame: string | ArrayBuffer): void {
    let message: ServerMessage;
    try {
      message = this.#codec.decode(frame) as ServerMessage;
    } catch {
      return this.#lose(NO_CLOSE_FRAME); // whoever speaks here is not the server
    }
    this.#hear(message);
  }

  #hear(message: ServerMessage): void {
    switch (message.t) {
      case 'welcome':
        return this.#welcome(message);
      case 'fill':
        return this.#filled(message.id, message.slots);
      case 'ack':
      case 'error':
        return this.#answered(message);
      case 'config':
        return this.#configured(message);
      case 'prefetch':
        return this.#prefetch(message);
      case 'withdraw':
        return this.#withdraw(message);
      case 'unpaired':
        return this.#unpaired();
      default:
        return undefined; // a type of a newer server
    }
  }

  #welcome({ time, ...message }: Extract<ServerMessage, { t: 'welcome' }>): void {
    const { screen_id, venue_id, timezone, ad_ratio, orientation, sensor, playlist } = message;
    const settings = { screen_id, venue_id, timezone, ad_ratio, orientation, sensor, playlist };
    clearTimeout(this.#timer);
    this.#clock = new ServerClock(time + (performance.now() - this.#helloAt) / 2);
    this.#outbox.clockOffsetMs = this.#clock.deviceOffsetMs;
    this.#settings = settings;
    this.#isWelcomed = true;
    this.#attempts.welcomed();
    this.#options.events?.connected?.(settings);
    this.#outbox.connected();
  }

  #configured(message: Extract<ServerMessage, { t: 'config' }>): void {
    if (!this.#settings) return;
    const changes: Partial<typeof message> = { ...message };
    delete changes.t;
    this.#settings = { ...this.#settings, ...changes };
    this.#options.events?.configured?.(this.#settings);
  }

  #prefetch({ assets, list: name }: Extract<ServerMessage, { t: 'prefetch' }>): void {
    const loading = this.#options.events?.prefetch?.(assets);
    if (name === undefined) return; // in addition to the list
    const list = { name, isHeld: false };
    this.#list = list;
    Promise.resolve(loading).then(
      isHeld => (list.isHeld = isHeld === true),
      () => undefined, // what could not be loaded is not held
    );
  }

  #filled(id: number, slots: readonly Slot[]): void {
    this.#answerCame(id);
    const question = this.#questions.get(id);
    this.#questions.delete(id);
    const late = slots.filter(isFill).filter(fill => !question || fill.starts_at < this.#outbox.settledTo);
    for (const fill of late) this.#giveBack(fill, 'expired');
    const given = slots.map(slot => (isFill(slot) && late.includes(slot) ? { no_fill: 'expired' } : slot));
    for (const fill of given.filter(isFill)) this.#open.set(fill.play_id, fill);
    if (!question?.isPlan) return question?.resolve(given);
    const resolve = (): void => question.resolve(given);
    this.#outbox.keepPlanned(given.filter(isFill)).then(resolve, resolve); // without storage they end with the process
  }

  #answered(message: Extract<ServerMessage, { t: 'ack' | 'error' }>): void {
    if (message.id === undefined) {
      if (!this.#isWelcomed) this.#lose(NO_CLOSE_FRAME); // the hello was not taken: try again later
      return;
    }
    this.#answerCame(message.id);
    if (message.t === 'error' && this.#questions.has(message.id)) return this.#filled(message.id, []);
    void this.#outbox.answered(message);
  }

  #withdraw({ campaign_id, creative_id, play_ids = [] }: Withdrawal): void {
    const fills = [...this.#open.values()].filter(
      fill => fill.campaign_id === campaign_id || fill.creative_id === creative_id || play_ids.includes(fill.play_id),
    );
    const now = this.now() ?? 0;
    // What has begun may be showing, and is reported or handed back by the player.
    const ahead = fills.filter(fill => fill.starts_at > now);
    for (const fill of ahead) this.#giveBack(fill, 'withdrawn');
    if (fills.length > 0) this.#options.events?.withdrawn?.(fills);
  }

  #giveBack(fill: Fill, reason: CannotPlayReason): void {
    this.cannotPlay(fill, reason).catch(() => undefined); // without storage: its reservation ends by itself
  }

  /** All that was kept belongs to a screen that is no more. */
  #unpaired(): void {
    this.close();
    const tell = (): void => this.#options.events?.unpaired?.();
    void this.#outbox.clear().then(tell, tell); // of another screen what stays in the storage is refused
  }

  /** Sends a message that is answered. A connection without the answer in time is taken for lost. */
  #ask(message: object): number {
    const id = ++this.#messageId;
    this.#answerTimers.set(
      id,
      setTimeout(() => this.#lose(NO_CLOSE_FRAME), ANSWER_MS_MAX),
    );
    this.#send({ id, ...message });
    return id;
  }

  #answerCame(id: number): void {
    clearTimeout(this.#answerTimers.get(id));
    this.#answerTimers.delete(id);
  }

  #send(message: object): void {
    this.#socket?.send(this.#codec.encode(message));
  }

  /** Asks the server for its time by another connection, after whatever asked for the time has ended. */
  #renew(): void {
    queueMicrotask(() => {
      if (this.#isWelcomed && this.#clock?.isDoubtful) this.#lose(NO_CLOSE_FRAME);
    });
  }

  #lose(closeCode: number): void {
    if (this.#isClosed) return;
    this.#leave();
    const retryMs = this.#attempts.waitMs(closeCode, performance.now(), this.#random());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), retryMs);
    this.#options.events?.disconnected?.(closeCode, retryMs);
  }

  /** Lets go of the socket; whatever it may still say is not heard. */
  #leave(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isWelcomed = false;
    this.#outbox.lost();
    for (const timer of this.#answerTimers.values()) clearTimeout(timer);
    this.#answerTimers.clear();
    for (const { resolve } of this.#questions.values()) resolve(undefined);
    this.#questions.clear();
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** The latest time before which no fill is open or on its way. Fills whose time is over are forgotten. */
  #openFrom(): number | undefined {
    const now = this.now();
    if (now === undefined) return undefined;
    for (const fill of this.#open.values())
      if (fill.expires_at + fill.duration_ms < now) {
        this.#open.delete(fill.play_id);
        this.#outbox.forgetPlanned(fill.play_id);
      }
    return Math.min(now - SETTLED_AFTER_MS, ...[...this.#open.values()].map(fill => fill.starts_at));
  }
}
