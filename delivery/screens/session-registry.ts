/**
 * The sessions of this process, one per screen. The newest connection of a screen wins, in this process at once, and
 * across processes by a counter in Redis: each connection takes the next rank and announces it, and a process that
 * receives a higher rank for its screen closes its own connection. While Redis is down none is closed; a screen may
 * then be connected twice.
 */
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Handle, readHandle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import { CLOSE } from '../protocol/bounds.ts';
import type { Codec, Frame } from '../protocol/codec.ts';
import type { Session } from './session.ts';
import type { Milliseconds } from '#domain/unit.ts';

const CHANNEL = 'screens:connected';
/** Ranks by screen. They are never forgotten: a restarted rank would lose against an older connection. */
const RANKS = 'screens:ranks';
/**
 * One command with one text for all new connections, which takes their ranks and informs the other processes: a command
 * for each would cost this process more than the rest of a connection, and an argument for each half as much.
 */
const ANNOUNCE = `
  local ranks, entries = {}, {}
  for screen in string.gmatch(ARGV[1], '%d+') do
    local rank = redis.call('hincrby', KEYS[1], screen, 1)
    ranks[#ranks + 1] = rank
    entries[#entries + 1] = screen .. ':' .. rank
  end
  redis.call('publish', ARGV[2], ARGV[3] .. ' ' .. table.concat(entries, ','))
  return table.concat(ranks, ',')`;
/**
 * How long connections wait to be announced together. An older connection elsewhere stays open as much longer, and of
 * two that come to different processes within this time either one is closed.
 */
const ANNOUNCE_MS = 20;
/** Connections in one announcement: about a millisecond of Redis. */
const ANNOUNCED_MAX = 1_000;
/** Sessions that get a broadcast in one go: about a millisecond of writing. */
const SLICE_SESSIONS = 500;
/** Two processes with one name would ignore each other: one in 2^64 pairs. */
const NAME_BYTES = 8;
/** How often the next sessions are closed while screens are sent to other processes. */
const END_TURN_MS = 20;

/** The commands of Redis, and of a connection that receives messages of other processes. */
type Commands = { eval(script: string, keys: number, ...args: string[]): Promise<unknown> };
type Subscriber = {
  on(event: 'message', hear: (channel: string, text: string) => void): unknown;
  subscribe(channel: string): Promise<unknown>;
};

/** The encoded message, cached in `frames` for the next session with the same codec. */
export function encodeOnce(frames: Map<Codec, Frame>, codec: Codec, message: object): Frame {
  const known = frames.get(codec);
  if (known !== undefined) return known;
  const encoded = codec.encode(message);
  // The codec's own bytes are valid until its next call.
  const frame = typeof encoded === 'string' ? encoded : Uint8Array.from(encoded);
  frames.set(codec, frame);
  return frame;
}

export class SessionRegistry {
  /** By the screen's handle: the integers of the screen table are local to this process. */
  readonly #byScreen = new Map<Handle<'screen'>, Session>();
  #arrived: Session[] = [];
  #round = this.#byScreen.values();
  #isShedding = false;
  readonly #commands: Commands;
  readonly #subscriber: Subscriber;
  readonly #log: Log;
  /** Distinguishes this process's announcements from those of others. */
  readonly #name = randomBytes(NAME_BYTES).toString('hex');

  /** `subscriber` is a separate connection, of role `worker`. */
  constructor({ commands, subscriber, log }: { commands: Commands; subscriber: Subscriber; log: Log }) {
    this.#commands = commands;
    this.#subscriber = subscriber;
    this.#log = log;
  }

  async start(): Promise<void> {
    this.#subscriber.on('message', (channel: string, text: string) => {
      if (channel === CHANNEL) this.#compareAnnounced(text);
    });
    await this.#subscriber.subscribe(CHANNEL);
  }

  get size(): number {
    return this.#byScreen.size;
  }

  /** The session of a screen's handle. */
  of(handle: Handle<'screen'>): Session | undefined {
    return this.#byScreen.get(handle);
  }

  /** Makes this the screen's session here; an older one is closed. */
  take(session: Session): void {
    const older = this.#byScreen.get(session.screenHandle);
    this.#byScreen.set(session.screenHandle, session);
    older?.end(CLOSE.replaced, 'replaced by a newer connection');
    if (this.#arrived.push(session) === 1) setTimeout(() => this.#announceArrived(), ANNOUNCE_MS);
  }

  /** Forgets a session; true when it was the screen's current one. */
  drop(session: Session): boolean {
    if (this.#byScreen.get(session.screenHandle) !== session) return false;
    return this.#byScreen.delete(session.screenHandle);
  }

  /** Calls back for the next sessions of an endless round, which includes sessions opened meanwhile. */
  visitNext(count: number, visit: (session: Session) => void): void {
    for (let left = Math.min(count, this.#byScreen.size); left > 0; left--) {
      let turn = this.#round.next();
      if (turn.done) {
        this.#round = this.#byScreen.values();
        turn = this.#round.next();
      }
      if (turn.value?.state === 'open') visit(turn.value);
    }
  }

  /** Calls back for every session, in slices between which the process does other work. */
  async forEach(visit: (session: Session) => void): Promise<void> {
    const sessions = [...this.#byScreen.values()];
    for (let from = 0; from < sessions.length; from += SLICE_SESSIONS) {
      for (const session of sessions.slice(from, from + SLICE_SESSIONS)) if (session.state === 'open') visit(session);
      if (from + SLICE_SESSIONS < sessions.length) await nextTurn();
    }
  }

  /**
   * Closes all sessions, `perSecond` of them or as many as needed to finish within `withinMs`: they connect to other
   * processes at that rate.
   */
  async endAll(
    code: number,
    reason: string,
    { perSecond, withinMs }: { perSecond: number; withinMs: Milliseconds },
  ): Promise<void> {
    const sessions = [...this.#byScreen.values()];
    const rate = Math.max(perSecond, (sessions.length * 1000) / withinMs);
    await endInTurns(sessions, rate, session => session.end(code, reason));
  }

  /**
   * Starts sending a share of the screens to other processes, `perSecond` of them, chosen evenly among old and new
   * sessions.
   * @returns how many there are, and how many of them will be closed; undefined while an earlier share is being closed
   */
  shed(share: number, perSecond: number): { sessions: number; closing: number } | undefined {
    if (this.#isShedding) return undefined;
    const sessions = [...this.#byScreen.values()];
    const chosen = sessions.filter((_, at) => Math.floor((at + 1) * share) > Math.floor(at * share));
    this.#isShedding = true;
    void endInTurns(chosen, perSecond, session => this.#sendAway(session)).finally(() => {
      this.#isShedding = false;
    });
    return { sessions: sessions.length, closing: chosen.length };
  }

  /** It is forgotten first, so that a moving screen is not recorded as offline and online again. */
  #sendAway(session: Session): void {
    if (this.drop(session))
      session.end(CLOSE.draining, 'screens are spread anew: reconnect elsewhere, after a random wait');
  }

  /** Sends one message to all, encoded once per codec. */
  broadcast(message: object): Promise<void> {
    const frames = new Map<Codec, Frame>();
    return this.forEach(session => session.sendFrame(encodeOnce(frames, session.codec, message)));
  }

  #announceArrived(): void {
    const sessions = this.#arrived;
    this.#arrived = [];
    for (let from = 0; from < sessions.length; from += ANNOUNCED_MAX)
      void this.#announce(sessions.slice(from, from + ANNOUNCED_MAX));
  }

  /** Takes ranks for connections that arrived together, and informs the other processes in one message. */
  async #announce(sessions: readonly Session[]): Promise<void> {
    try {
      const screens = sessions.map(session => session.screenHandle).join(',');
      const ranks = String(await this.#commands.eval(ANNOUNCE, 1, RANKS, screens, CHANNEL, this.#name)).split(',');
      for (const [index, session] of sessions.entries()) {
        session.rank = Number(ranks[index]);
        this.#compare(session);
      }
    } catch (error) {
      this.#log.warn(
        { err: error, connections: sessions.length },
        'connections cannot be announced; older ones elsewhere stay open',
      );
    }
  }

  #compareAnnounced(text: string): void {
    const [name, entries = ''] = text.split(' ');
    if (name === this.#name) return; // of two connections here the newer one has closed the older
    for (const entry of entries.split(',')) {
      const [handle = '', rank] = entry.split(':');
      const session = this.#byScreen.get(readHandle('screen', handle));
      if (session === undefined || rank === undefined) continue;
      session.rankSeen = Math.max(session.rankSeen, Number(rank));
      this.#compare(session);
    }
  }

  /** A rank received before the own one is known is compared later. */
  #compare(session: Session): void {
    if (session.isReplaced) session.end(CLOSE.replaced, 'replaced by a newer connection');
  }
}

/** Closes this many sessions a second. */
async function endInTurns(
  sessions: readonly Session[],
  perSecond: number,
  end: (session: Session) => void,
): Promise<void> {
  const perTurn = perSecond * (END_TURN_MS / 1000);
  let ended = 0;
  for (let turn = 1; ended < sessions.length; turn++) {
    const until = Math.min(sessions.length, Math.ceil(turn * perTurn));
    for (; ended < until; ended++) end(sessions[ended]!);
    if (ended < sessions.length) await sleep(END_TURN_MS, undefined, { ref: false });
  }
}
