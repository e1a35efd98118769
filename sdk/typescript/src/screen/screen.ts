/**
 * One screen on its connection, as docs/screen-protocol.md asks of a player: it connects again by itself, asks for
 * slots, measures with the server's time, and keeps what was played until the server has it. What to show, and when, is
 * the player's own.
 */
import { Connection, type ConnectionState } from './connection.ts';
import type { ScreenOptions, Shown, SlotRequest, SocketClass } from './options.ts';
import { Outbox } from './outbox.ts';
import {
  isFill,
  JSON_CODEC,
  type CannotPlayReason,
  type Fill,
  type ServerMessage,
  type Settings,
  type Slot,
  type Withdrawal,
} from './protocol.ts';
import { ServerClock } from './server-clock.ts';
import { memoryStorage } from './storage.ts';

/** A slot requested in the last minute may still be filled: nothing younger is settled. */
const SETTLED_AFTER_MS = 60_000;

type Question = {
  resolve(slots: readonly Slot[] | undefined): void;
  isPlan: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
};

/** Loads the storage and connects. */
export async function openScreen(options: ScreenOptions): Promise<Screen> {
  return Screen.open(options);
}

export class Screen {
  readonly #options: ScreenOptions;
  readonly #connection: Connection;
  #outbox!: Outbox;
  #settings: Settings | undefined;
  /** Undefined before the first welcome of all that the storage knows of. */
  #clock: ServerClock | undefined;
  readonly #questions = new Map<number, Question>();
  /** Fills that were given to the player, which has neither reported them nor handed them back. */
  readonly #open = new Map<string, Fill>();
  /** Fills in sight, or already reported. */
  readonly #started = new WeakSet<Fill>();
  /** The list of files that was sent last, and whether the player holds them all. */
  #list: { name: string; isHeld: () => boolean } | undefined;

  private constructor(options: ScreenOptions) {
    const { WebSocket = (globalThis as { WebSocket?: SocketClass }).WebSocket } = options;
    if (!WebSocket) throw new TypeError('there is no global WebSocket: pass the one of undici or ws');
    if (!/^(ws|http)s?:/.test(options.socketUrl)) throw new TypeError('socketUrl must be the address of a WebSocket');
    this.#options = options;
    this.#connection = new Connection({
      url: options.socketUrl,
      socketClass: WebSocket,
      codec: options.codec ?? JSON_CODEC,
      random: options.random ?? Math.random,
      hello: () => this.#hello(),
      heard: message => this.#hear(message),
      lost: (closeCode, retryMs) => this.#lost(closeCode, retryMs),
      unpaired: () => this.#unpaired(),
    });
  }

  /** Called by `openScreen`. */
  static async open(options: ScreenOptions): Promise<Screen> {
    const screen = new Screen(options);
    screen.#outbox = await Outbox.open({
      ...options,
      storage: options.storage ?? memoryStorage(),
      events: {
        acknowledged: (playIds, kind) => options.events?.acknowledged?.(playIds, kind),
        refused: refused => options.events?.refused?.(refused),
      },
      send: message => screen.#connection.ask(message),
      openFrom: () => screen.#openFrom(),
    });
    const { clockOffsetMs } = screen.#outbox;
    if (clockOffsetMs !== undefined) screen.#clock = new ServerClock(Date.now() + clockOffsetMs);
    for (const fill of screen.#outbox.planned) screen.#open.set(fill.play_id, fill);
    screen.#connection.open();
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

  get state(): ConnectionState {
    return this.#connection.state;
  }

  /** Plays and hand-backs that the server has not acknowledged. */
  get unacknowledged(): number {
    return this.#outbox.size;
  }

  /** The plays among them. */
  get unacknowledgedPlays(): number {
    return this.#outbox.plays;
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
   * Requests slots. Undefined without a connection, if it is lost before the answer, or without an answer `withinMs`.
   * Report each fill with `played`, hand it back with `cannotPlay`, or `drop` it.
   */
  slots({ at, count = 1, maxDurationMs, plan, withinMs }: SlotRequest = {}): Promise<readonly Slot[] | undefined> {
    const id = this.#connection.ask({
      t: 'slot',
      count,
      ...(at !== undefined && { at: Math.round(at) }),
      ...(maxDurationMs !== undefined && { max_duration_ms: maxDurationMs }),
      ...(plan !== undefined && { plan }),
    });
    if (id === undefined) return Promise.resolve(undefined);
    return new Promise(resolve => {
      const timer = withinMs === undefined ? undefined : setTimeout(() => this.#resolve(id, undefined), withinMs);
      this.#questions.set(id, { resolve, isPlan: plan === true, timer });
    });
  }

  /**
   * Takes a fill out of `planned` to show it. Resolves when the storage no longer has it: an ad that crashes the device
   * is not shown again after the restart.
   */
  take({ play_id }: Fill): Promise<void> {
    return this.#outbox.takePlanned(play_id);
  }

  /** The fill comes into sight. From now on a withdrawal does not hand it back, even if it starts before its slot. */
  start(fill: Fill): void {
    this.#started.add(fill);
  }

  /** Reports a play. Resolves when it is in the storage; it is sent until the server has it. */
  async played(fill: Fill, { startedAt, playedMs, audience }: Shown): Promise<void> {
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

  /**
   * Forgets a fill that will not be shown, without a message: `settled_to` frees its reservation. So a fill of a plan
   * goes a minute after its slot while the server answers.
   */
  drop({ play_id }: Fill): void {
    this.#open.delete(play_id);
    this.#outbox.forgetPlanned(play_id);
  }

  /**
   * The device says that its network came or went. Without one the connection ends at once; with one the next attempt
   * is made within a second.
   */
  networkChanged({ isOnline }: { isOnline: boolean }): void {
    if (isOnline) this.#connection.hurry();
    else this.#connection.renew();
  }

  /** Ends the connection for good. Unacknowledged entries stay in the storage. */
  close(): void {
    this.#connection.close();
    this.#left();
  }

  #hello(): object {
    const { token, platform, player, commands } = this.#options;
    const list = this.#list?.isHeld() ? { list: this.#list.name } : {};
    const { recent } = this.#outbox;
    return { t: 'hello', token, platform, player, time: Date.now(), recent, ...list, ...(commands && { commands }) };
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
      case 'command':
        return this.#command(message);
      case 'unpaired':
        return this.#unpaired();
      default:
        return undefined; // a type of a newer server
    }
  }

  #welcome({ time, ...message }: Extract<ServerMessage, { t: 'welcome' }>): void {
    const { screen_id, venue_id, timezone, ad_ratio, orientation, sensor, playlist } = message;
    const settings = { screen_id, venue_id, timezone, ad_ratio, orientation, sensor, playlist };
    this.#clock = new ServerClock(time + (performance.now() - this.#connection.helloAt) / 2);
    this.#outbox.clockOffsetMs = this.#clock.deviceOffsetMs;
    this.#settings = settings;
    this.#connection.welcomed();
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
    const isHeld = this.#options.events?.prefetch?.(assets);
    if (name !== undefined) this.#list = { name, isHeld: isHeld ?? (() => false) }; // else in addition to the list
  }

  #filled(id: number, slots: readonly Slot[]): void {
    this.#connection.answerCame(id);
    const question = this.#questions.get(id);
    const late = slots.filter(isFill).filter(fill => !question || fill.starts_at < this.#outbox.settledTo);
    for (const fill of late) this.#giveBack(fill, question ? 'expired' : 'other');
    const given = slots.map(slot => (isFill(slot) && late.includes(slot) ? { no_fill: 'expired' } : slot));
    for (const fill of given.filter(isFill)) this.#open.set(fill.play_id, fill);
    const resolve = (): void => this.#resolve(id, given);
    if (!question?.isPlan) return resolve();
    this.#outbox.keepPlanned(given.filter(isFill)).then(resolve, resolve); // without storage they end with the process
  }

  #resolve(id: number, slots: readonly Slot[] | undefined): void {
    const question = this.#questions.get(id);
    this.#questions.delete(id);
    clearTimeout(question?.timer);
    question?.resolve(slots);
  }

  #answered(message: Extract<ServerMessage, { t: 'ack' | 'error' }>): void {
    if (message.id === undefined) {
      if (this.state === 'connecting') this.#connection.renew(); // the hello was not taken: try again later
      return;
    }
    this.#connection.answerCame(message.id);
    if (message.t === 'error' && this.#questions.has(message.id)) return this.#filled(message.id, []);
    void this.#outbox.answered(message);
  }

  #withdraw({ campaign_id, creative_id, play_ids = [] }: Withdrawal): void {
    const fills = [...this.#open.values()].filter(
      fill => fill.campaign_id === campaign_id || fill.creative_id === creative_id || play_ids.includes(fill.play_id),
    );
    const now = this.now() ?? 0;
    // A started fill may be visible; the player reports it or hands it back.
    const ahead = fills.filter(fill => fill.starts_at > now && !this.#started.has(fill));
    for (const fill of ahead) this.#giveBack(fill, 'withdrawn');
    if (fills.length > 0) this.#options.events?.withdrawn?.(fills);
  }

  #giveBack(fill: Fill, reason: CannotPlayReason): void {
    this.cannotPlay(fill, reason).catch(() => undefined); // without storage: its reservation expires
  }

  #command({ t: _t, ...command }: Extract<ServerMessage, { t: 'command' }>): void {
    if (this.#options.commands?.includes(command.command)) this.#options.events?.command?.(command);
  }

  /** All that was kept belongs to a screen that is no more. */
  #unpaired(): void {
    this.close();
    const tell = (): void => this.#options.events?.unpaired?.();
    void this.#outbox.clear().then(tell, tell); // entries of another screen in the storage are refused
  }

  /** Gets the server's time with a new connection, after the current callback has ended. */
  #renew(): void {
    queueMicrotask(() => {
      if (this.state === 'open' && this.#clock?.isDoubtful) this.#connection.renew();
    });
  }

  #lost(closeCode: number, retryMs: number): void {
    this.#left();
    this.#options.events?.disconnected?.(closeCode, retryMs);
  }

  #left(): void {
    this.#outbox.lost();
    for (const id of this.#questions.keys()) this.#resolve(id, undefined);
  }

  /** The latest time before which no fill is open or on its way. Fills whose time is over are forgotten. */
  #openFrom(): number | undefined {
    const now = this.now();
    if (now === undefined) return undefined;
    for (const fill of this.#open.values()) if (fill.expires_at + fill.duration_ms < now) this.drop(fill);
    return Math.min(now - SETTLED_AFTER_MS, ...[...this.#open.values()].map(fill => fill.starts_at));
  }
}
