/**
 * Unacknowledged reports of a screen: plays, and ads that it hands back. An entry leaves when the `ack` of a message
 * that carried it has come, and not before; each change is written to the storage first. One message is unacknowledged
 * at a time, so that a long absence is made up for within the server's bound on messages.
 */
import type { Fill, Play, Refused, ServerMessage } from './protocol.ts';
import type { HandBack, OutboxStorage, PendingPlay } from './storage.ts';

/** The message that carried an entry. */
export type Kind = 'plays' | 'cannot_play';

export type OutboxEvents = {
  /** Plays, or hand-backs, that the server holds, by play id. */
  acknowledged(playIds: readonly string[], kind: Kind): void;
  /**
   * Reports that the server does not have and never will, with the reason: the protocol's, the code of an error that a
   * message with it alone was answered, or `outbox_full` where it had to go for what came later.
   */
  refused(refused: readonly Refused[]): void;
};

/** Both are options of a screen. */
export type ReportOptions = {
  /** Plays and hand-backs that are kept without an acknowledgement; the oldest go first. 10,000 by default. */
  entriesMax?: number;
  /**
   * Sends a report without plays at each welcome and every 25 s, even if nothing more is settled. So a screen that asks
   * for no slots notices a lost connection, and one that lost its memory settles before it asks.
   */
  heartbeat?: boolean;
};

export type OutboxOptions = ReportOptions & {
  storage: OutboxStorage;
  events: OutboxEvents;
  /** Sends a message of the given fields; its id, or undefined when there is no connection. */
  send(message: object): number | undefined;
  /**
   * The latest time before which no fill is open or on its way, server time; undefined while the server's time is not
   * known.
   */
  openFrom(): number | undefined;
};

/** Bound of the protocol. */
const PLAYS_PER_MESSAGE_MAX = 200;
/** Ads of ten seconds for a day, and more than a screen is given while it reports nothing. */
const ENTRIES_MAX = 10_000;
/** A screen may send 10 messages a second; its slots have room next to the reports. */
const MESSAGE_EVERY_MS = 150;
/** The protocol's reason for a play that was reported before its end. */
const BEFORE_END_MS = 10_000;
/** After `not_ready` the same message is not sent at once. */
const NOT_READY_MS = 5_000;
/** How often settled plays are reported without a new play: the protocol's value. */
const SETTLE_EVERY_MS = 25_000;

/** Bound of the protocol. */
const RECENT_MAX = 20;

/** The message that is not answered yet. */
type UnderWay = { id: number; kind: Kind; playIds: readonly string[] };

export class Outbox {
  /** As in the state; kept with the next write. */
  clockOffsetMs: number | undefined;
  readonly #options: OutboxOptions;
  readonly #plays = new Map<string, PendingPlay>();
  readonly #handBacks = new Map<string, HandBack>();
  /** At most 240: the server gives a screen no more. */
  readonly #planned = new Map<string, Fill>();
  /** Plays that were reported before their end, by id: when they may be sent again, steady ms. */
  readonly #notBefore = new Map<string, number>();
  /** Plays of messages that the server can never take. They are sent one by one, to find which is at fault. */
  readonly #suspects = new Set<string>();
  #recent: readonly string[] = [];
  #settledTo = 0;
  #underWay: UnderWay | undefined;
  /** A message waits for its `settled_to` to be kept. */
  #isSettling = false;
  #isConnected = false;
  /** The pairing has ended. */
  #isCleared = false;
  /** From when on plays, anything at all, and a message without plays may be sent, steady ms. */
  #holdUntil = 0;
  #nextAt = 0;
  #settleAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isEmpty: (() => void)[] = [];

  private constructor(options: OutboxOptions) {
    this.#options = options;
  }

  static async open(options: OutboxOptions): Promise<Outbox> {
    const outbox = new Outbox(options);
    const kept = await options.storage.read();
    for (const entry of kept?.plays ?? []) outbox.#plays.set(entry.play.play_id, entry);
    for (const entry of kept?.handBacks ?? []) outbox.#handBacks.set(entry.play_id, entry);
    for (const fill of kept?.planned ?? []) outbox.#planned.set(fill.play_id, fill);
    outbox.#recent = kept?.recent ?? [];
    outbox.clockOffsetMs = kept?.clockOffsetMs;
    outbox.#settledTo = kept?.settledTo ?? 0;
    return outbox;
  }

  /** No fill that starts before this time may be shown any more. */
  get settledTo(): number {
    return this.#settledTo;
  }

  /** Fills for times without a network that were neither reported nor handed back, also before a restart. */
  get planned(): readonly Fill[] {
    return [...this.#planned.values()];
  }

  /** Play ids of the last ads shown, the newest first, also before a restart. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  get plays(): number {
    return this.#plays.size;
  }

  get size(): number {
    return this.#plays.size + this.#handBacks.size;
  }

  /** Resolves when the fills are in the storage. */
  async keepPlanned(fills: readonly Fill[]): Promise<void> {
    if (this.#isCleared) return;
    for (const fill of fills) this.#planned.set(fill.play_id, fill);
    await this.#write();
  }

  /** Resolves when the storage no longer has the fill, which is about to be shown. */
  async takePlanned(playId: string): Promise<void> {
    if (this.#planned.delete(playId)) await this.#write();
  }

  /** Forgets a fill whose time is over. The next write takes it out of the storage. */
  forgetPlanned(playId: string): void {
    this.#planned.delete(playId);
  }

  /** Resolves when the play is in the storage. It is sent then, and even if the storage has failed. */
  async addPlay(play: Play, startsAt: number): Promise<void> {
    if (!this.#isUnderWay(play.play_id)) this.#handBacks.delete(play.play_id); // it was shown after all
    this.#recent = [play.play_id, ...this.#recent].slice(0, RECENT_MAX);
    this.#plays.set(play.play_id, { play, starts_at: startsAt });
    this.#planned.delete(play.play_id);
    await this.#added();
  }

  async addHandBack(handBack: HandBack): Promise<void> {
    this.#handBacks.set(handBack.play_id, handBack);
    this.#planned.delete(handBack.play_id);
    await this.#added();
  }

  async #added(): Promise<void> {
    if (this.#isCleared) return this.#forgetAll(); // it belongs to a screen that is no more
    if (this.size > (this.#options.entriesMax ?? ENTRIES_MAX)) this.#makeRoom();
    try {
      await this.#write();
    } finally {
      this.flush();
    }
  }

  /** A hand-back is dropped before a play, because its reservation expires. Entries in flight stay. */
  #makeRoom(): void {
    const oldest = [...this.#handBacks.keys(), ...this.#plays.keys()].find(playId => !this.#isUnderWay(playId))!;
    this.#forget(this.#handBacks.has(oldest) ? 'cannot_play' : 'plays', oldest);
    this.#options.events.refused([{ play_id: oldest, reason: 'outbox_full' }]);
  }

  /** Resolves when the server has acknowledged everything. */
  empty(): Promise<void> {
    if (this.size === 0 && !this.#underWay?.playIds.length) return Promise.resolve();
    return new Promise(resolve => {
      this.#isEmpty.push(resolve);
    });
  }

  /** Throws all away, for good: it belongs to a pairing that has ended. Resolves when it is out of the storage. */
  async clear(): Promise<void> {
    this.#isCleared = true;
    this.clockOffsetMs = undefined;
    this.#settledTo = 0;
    this.#forgetAll();
    await this.#write();
  }

  /** A connection was welcomed. */
  connected(): void {
    this.#isConnected = true;
    this.#underWay = undefined;
    this.#settleAt = performance.now() + (this.#options.heartbeat ? 0 : SETTLE_EVERY_MS);
    this.flush();
  }

  /** The connection is gone: unacknowledged entries are sent again over the next one. */
  lost(): void {
    this.#isConnected = false;
    this.#underWay = undefined;
    clearTimeout(this.#timer);
  }

  /**
   * Sends the next message, if none is unacknowledged and it is time. A whole plan may be handed back: plays go first.
   */
  flush(): void {
    if (!this.#isConnected || this.#underWay || this.#isSettling) return;
    const now = performance.now();
    const [handBack] = this.#handBacks.values();
    const plays = this.#playsToSend(now);
    const playsAt = Math.max(this.#nextAt, this.#holdUntil, plays.length > 0 ? 0 : this.#nextPlaysAt());
    if (playsAt <= now) return void this.#report(plays);
    if (!handBack) return this.#flushAfter(playsAt - now);
    if (this.#nextAt > now) return this.#flushAfter(this.#nextAt - now);
    return this.#send('cannot_play', handBack, [handBack.play_id]);
  }

  /** The sendable entries: only one from a message that was refused as a whole. */
  #playsToSend(now: number): PendingPlay[] {
    const due = [...this.#plays.values()].filter(({ play }) => (this.#notBefore.get(play.play_id) ?? 0) <= now);
    const suspect = due.find(({ play }) => this.#suspects.has(play.play_id));
    return suspect ? [suspect] : due.slice(0, PLAYS_PER_MESSAGE_MAX);
  }

  /** When a play may be retried, or settled plays must be reported, whichever comes first. */
  #nextPlaysAt(): number {
    return Math.min(this.#settleAt, ...this.#notBefore.values());
  }

  async #report(entries: readonly PendingPlay[]): Promise<void> {
    this.#settleAt = performance.now() + SETTLE_EVERY_MS;
    const playIds = entries.map(({ play }) => play.play_id);
    const isSuspect = playIds.some(playId => this.#suspects.has(playId));
    this.#isSettling = true;
    const settledTo = isSuspect ? undefined : await this.#settle(new Set(playIds));
    this.#isSettling = false;
    const isEmpty = playIds.length === 0 && settledTo === undefined;
    if (isEmpty && !this.#options.heartbeat) return this.flush(); // wait for the next time
    const plays = entries.map(({ play }) => play);
    if (this.#isConnected) this.#send('plays', { plays, ...(settledTo && { settled_to: settledTo }) }, playIds);
  }

  /** Raises `settled_to` for a message with these plays: it must be kept before it is said. Undefined: not raised. */
  async #settle(carried: ReadonlySet<string>): Promise<number | undefined> {
    const before = this.#settledTo;
    const settledTo = this.#settledBy(carried);
    if (settledTo <= before) return undefined;
    this.#settledTo = settledTo;
    try {
      await this.#write();
      return settledTo;
    } catch {
      this.#settledTo = before; // a full disk: the plays themselves go without it
      return undefined;
    }
  }

  /** The largest `settled_to` that holds for a message with these plays. */
  #settledBy(carried: ReadonlySet<string>): number {
    let least = this.#options.openFrom() ?? 0;
    for (const { play, starts_at } of this.#plays.values())
      if (!carried.has(play.play_id)) least = Math.min(least, starts_at);
    return Math.floor(least);
  }

  #send(kind: Kind, fields: object, playIds: readonly string[]): void {
    const id = this.#options.send({ t: kind, ...fields });
    this.#underWay = id === undefined ? undefined : { id, kind, playIds };
    this.#nextAt = performance.now() + MESSAGE_EVERY_MS;
  }

  #flushAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), delayMs);
  }

  /** The answer to the unacknowledged message; one to another message says nothing. */
  async answered(message: Extract<ServerMessage, { t: 'ack' | 'error' }>): Promise<void> {
    const underWay = this.#underWay;
    if (!underWay || message.id !== underWay.id) return;
    const refused = message.t === 'ack' ? (message.refused ?? []) : this.#failed(message.code, underWay);
    const isEarly = ({ play_id, reason }: Refused): boolean => reason === 'before_end' && this.#plays.has(play_id);
    const early = new Set(refused.filter(isEarly).map(({ play_id }) => play_id));
    for (const playId of early) this.#notBefore.set(playId, performance.now() + BEFORE_END_MS);
    const final = refused.filter(({ play_id }) => !early.has(play_id));
    const done =
      message.t === 'ack' ? underWay.playIds.filter(playId => !early.has(playId)) : final.map(({ play_id }) => play_id);
    for (const playId of done) this.#forget(underWay.kind, playId);
    if (message.t === 'ack' && message.hold_ms !== undefined) this.#holdUntil = performance.now() + message.hold_ms;
    // If the storage fails they stay in it: after a restart they are sent again, and counted once.
    if (done.length > 0) await this.#write().catch(() => undefined);
    if (this.#underWay === underWay) this.#underWay = undefined;
    this.#tell(done, final, underWay.kind);
    this.flush();
  }

  /** The final error of a message with a single play, or with hand-backs. */
  #failed(code: string, { kind, playIds }: UnderWay): Refused[] {
    if (code === 'not_ready') {
      this.#nextAt = performance.now() + NOT_READY_MS;
      return [];
    }
    const isAlone = kind === 'cannot_play' || playIds.every(playId => this.#suspects.has(playId));
    if (isAlone) return playIds.map(play_id => ({ play_id, reason: code }));
    for (const playId of playIds) this.#suspects.add(playId);
    return [];
  }

  #tell(done: readonly string[], refused: readonly Refused[], kind: Kind): void {
    const no = new Set(refused.map(({ play_id }) => play_id));
    const held = done.filter(playId => !no.has(playId));
    if (held.length > 0) this.#options.events.acknowledged(held, kind);
    if (refused.length > 0) this.#options.events.refused(refused);
    if (this.size === 0) for (const resolve of this.#isEmpty.splice(0)) resolve();
  }

  #isUnderWay(playId: string): boolean {
    return this.#underWay?.playIds.includes(playId) === true;
  }

  #forget(kind: Kind, playId: string): void {
    if (kind === 'cannot_play') return void this.#handBacks.delete(playId);
    this.#plays.delete(playId);
    this.#notBefore.delete(playId);
    this.#suspects.delete(playId);
  }

  #forgetAll(): void {
    this.#recent = [];
    for (const all of [this.#plays, this.#handBacks, this.#planned, this.#notBefore, this.#suspects]) all.clear();
  }

  #write(): Promise<void> {
    const write = async (): Promise<void> => {
      const state = {
        plays: [...this.#plays.values()],
        handBacks: [...this.#handBacks.values()],
        planned: this.planned,
        recent: this.#recent,
        ...(this.clockOffsetMs !== undefined && { clockOffsetMs: this.clockOffsetMs }),
        settledTo: this.#settledTo,
      };
      await this.#options.storage.write(state);
    };
    // The caller of a failed write has got its error; the next one is tried all the same.
    const next = this.#writing.then(write, write);
    this.#writing = next.catch(() => undefined);
    return next;
  }
}
