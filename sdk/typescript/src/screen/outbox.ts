/**
 * What a screen has to tell the server and has no acknowledgement of: plays, and ads that it hands back. An entry
 * leaves when the `ack` of a message that carried it has come, and not before; each change is written to the storage
 * first. One message is under way at a time, so that a long absence is made up for within the server's bound on
 * messages.
 */
import type { CannotPlayReason, Play, Refused, ServerMessage } from './protocol.ts';

export type HandBack = { play_id: string; reason: CannotPlayReason };
/** A play with what `settled_to` needs of it. */
export type PendingPlay = { play: Play; starts_at: number };
/** What must survive a restart of the device. */
export type OutboxState = {
  plays: readonly PendingPlay[];
  handBacks: readonly HandBack[];
  /** The largest `settled_to` that was ever sent. */
  settledTo: number;
};
/** Where the state is kept: a file, IndexedDB. Calls come one after the other, each when the one before has ended. */
export type OutboxStorage = {
  read(): Promise<OutboxState | undefined>;
  /** Resolves when the state would survive a cut of power. */
  write(state: OutboxState): Promise<void>;
};

export type OutboxEvents = {
  /** Plays and hand-backs that the server holds, by play id. */
  acknowledged(playIds: readonly string[]): void;
  /** Plays that do not count, with the reason. */
  refused(refused: readonly Refused[]): void;
};

export type OutboxOptions = {
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

/** For players that may lose what they have not reported, and tests. */
export function memoryStorage(): OutboxStorage {
  let kept: OutboxState | undefined;
  return {
    read: () => Promise.resolve(kept),
    write: state => {
      kept = state;
      return Promise.resolve();
    },
  };
}

/** Bound of the protocol. */
const PLAYS_PER_MESSAGE_MAX = 200;
/** Ads of ten seconds for a day, and more than a screen is given while nobody hears of it. The oldest go first. */
const ENTRIES_MAX = 10_000;
/** A screen may send 10 messages a second; its slots have room beside the reports. */
const MESSAGE_EVERY_MS = 150;
/** What the protocol says of a play that was reported before its end. */
const BEFORE_END_MS = 10_000;
/** After an error the same message is not sent at once. */
const NOT_READY_MS = 5_000;

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #plays = new Map<string, PendingPlay>();
  readonly #handBacks = new Map<string, HandBack>();
  /** Plays that were reported before their end, by id: when they may be sent again, steady ms. */
  readonly #notBefore = new Map<string, number>();
  #settledTo = 0;
  #underWay: { id: number; playIds: readonly string[] } | undefined;
  #holdUntil = 0;
  #nextAt = 0;
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
    outbox.#settledTo = kept?.settledTo ?? 0;
    return outbox;
  }

  /** No fill that starts before this time may be shown any more. */
  get settledTo(): number {
    return this.#settledTo;
  }

  get size(): number {
    return this.#plays.size + this.#handBacks.size;
  }

  /** Resolves when the play is in the storage; it is sent then. */
  async addPlay(play: Play, startsAt: number): Promise<void> {
    this.#plays.set(play.play_id, { play, starts_at: startsAt });
    await this.#added();
  }

  async addHandBack(handBack: HandBack): Promise<void> {
    this.#handBacks.set(handBack.play_id, handBack);
    await this.#added();
  }

  async #added(): Promise<void> {
    const [oldest] = this.#plays.keys();
    if (oldest !== undefined && this.size > ENTRIES_MAX) {
      this.#forget(oldest);
      this.#options.events.refused([{ play_id: oldest, reason: 'outbox_full' }]);
    }
    await this.#write();
    this.flush();
  }

  /** Resolves when the server has acknowledged everything. */
  empty(): Promise<void> {
    if (this.size === 0 && !this.#underWay) return Promise.resolve();
    return new Promise(resolve => {
      this.#isEmpty.push(resolve);
    });
  }

  /** A connection was welcomed. */
  connected(): void {
    this.#underWay = undefined;
    this.flush();
  }

  /** The connection is gone: what was under way is sent again over the next one. */
  lost(): void {
    this.#underWay = undefined;
    clearTimeout(this.#timer);
  }

  /** Sends the next message, if none is under way and there is something to tell. */
  flush(): void {
    if (this.#underWay || this.size === 0) return;
    const waitMs = Math.max(this.#holdUntil, this.#nextAt) - performance.now();
    if (waitMs > 0) return this.#flushAfter(waitMs);
    const [handBack] = this.#handBacks.values();
    if (handBack) return this.#sent({ t: 'cannot_play', ...handBack }, [handBack.play_id]);
    const due = [...this.#plays.values()].filter(
      ({ play }) => (this.#notBefore.get(play.play_id) ?? 0) <= performance.now(),
    );
    if (due.length === 0) return this.#flushAfter(Math.min(...this.#notBefore.values()) - performance.now());
    this.#report(due.slice(0, PLAYS_PER_MESSAGE_MAX));
  }

  #report(entries: readonly PendingPlay[]): void {
    const playIds = entries.map(({ play }) => play.play_id);
    const settledTo = this.#settledBy(new Set(playIds));
    const plays = entries.map(({ play }) => play);
    const send = (): void =>
      this.#underWay
        ? undefined
        : this.#sent({ t: 'plays', plays, ...(settledTo > 0 && { settled_to: settledTo }) }, playIds);
    if (settledTo === this.#settledTo) return send();
    const before = this.#settledTo;
    this.#settledTo = settledTo;
    // It must be kept before it is said.
    void this.#write().then(send, () => {
      this.#settledTo = before;
      this.#flushAfter(NOT_READY_MS);
    });
  }

  /** The largest `settled_to` that holds for a message with these plays. */
  #settledBy(carried: ReadonlySet<string>): number {
    const open = this.#options.openFrom();
    if (open === undefined) return this.#settledTo;
    let least = open;
    for (const { play, starts_at } of this.#plays.values())
      if (!carried.has(play.play_id)) least = Math.min(least, starts_at);
    return Math.max(this.#settledTo, Math.floor(least));
  }

  #sent(message: object, playIds: readonly string[]): void {
    const id = this.#options.send(message);
    this.#underWay = id === undefined ? undefined : { id, playIds };
    this.#nextAt = performance.now() + MESSAGE_EVERY_MS;
  }

  #flushAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), Math.max(0, delayMs));
  }

  /** The answer to the message under way; false when it belongs to another one. */
  async answered(message: Extract<ServerMessage, { t: 'ack' | 'error' }>): Promise<boolean> {
    const underWay = this.#underWay;
    if (!underWay || message.id !== underWay.id) return false;
    if (message.t === 'error') {
      this.#underWay = undefined;
      this.#holdUntil = performance.now() + NOT_READY_MS;
      this.flush();
      return true;
    }
    const early = new Set(
      message.refused?.filter(({ reason }) => reason === 'before_end').map(({ play_id }) => play_id) ?? [],
    );
    const done = underWay.playIds.filter(playId => !early.has(playId));
    for (const playId of early) this.#notBefore.set(playId, performance.now() + BEFORE_END_MS);
    for (const playId of done) this.#forget(playId);
    if (message.hold_ms !== undefined) this.#holdUntil = performance.now() + message.hold_ms;
    await this.#write();
    this.#underWay = undefined;
    this.#tell(done, message.refused?.filter(({ play_id }) => !early.has(play_id)) ?? []);
    this.flush();
    return true;
  }

  #tell(done: readonly string[], refused: readonly Refused[]): void {
    const no = new Set(refused.map(({ play_id }) => play_id));
    this.#options.events.acknowledged(done.filter(playId => !no.has(playId)));
    if (refused.length > 0) this.#options.events.refused(refused);
    if (this.size === 0) for (const resolve of this.#isEmpty.splice(0)) resolve();
  }

  #forget(playId: string): void {
    this.#plays.delete(playId);
    this.#handBacks.delete(playId);
    this.#notBefore.delete(playId);
  }

  #write(): Promise<void> {
    const write = async (): Promise<void> => {
      const state = {
        plays: [...this.#plays.values()],
        handBacks: [...this.#handBacks.values()],
        settledTo: this.#settledTo,
      };
      await this.#options.storage.write(state);
    };
    // A write that failed was told to whoever asked for it; the next one is tried all the same.
    const next = this.#writing.then(write, write);
    this.#writing = next.catch(() => undefined);
    return next;
  }
}
