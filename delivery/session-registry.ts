/**
 * Who is connected here, one session per screen. The newest connection of a screen wins, in this process at once, and
 * across processes by a counter in Redis: each connection takes the next rank and announces it, and whoever hears a
 * higher one for its screen steps back. With Redis away nobody is turned out; a screen may then be connected twice.
 */
import type { Log } from '#runtime/log.ts';
import type { Redis } from '#sql/redis.ts';
import { CLOSE } from './protocol/bounds.ts';
import type { Codec, Frame } from './protocol/codec.ts';
import type { Session } from './session.ts';

const CHANNEL = 'screens:connected';
const rankKey = (screen: number): string => `screens:rank:${screen}`;
/** Longer than any connection lives. */
const RANK_KEPT_S = 90 * 86_400;
/** Sessions that get a broadcast in one go: about a millisecond of writing. */
const SLICE_SESSIONS = 500;

/** The message in the codec's spelling, kept in `frames` for the next session that speaks it. */
export function encodeOnce(frames: Map<Codec, Frame>, codec: Codec, message: object): Frame {
  const known = frames.get(codec);
  if (known !== undefined) return known;
  const encoded = codec.encode(message);
  const frame = typeof encoded === 'string' ? encoded : Uint8Array.from(encoded); // the codec's own bytes are valid until its next call
  frames.set(codec, frame);
  return frame;
}

export class SessionRegistry {
  /** By the screen's handle: the integers of the screen table are this process's own. */
  private readonly byScreen = new Map<number, Session>();
  private readonly commands: Redis;
  private readonly subscriber: Redis;
  private readonly log: Log;

  /** `subscriber` is a connection of its own, of role `worker`. */
  constructor({ commands, subscriber, log }: { commands: Redis; subscriber: Redis; log: Log }) {
    this.commands = commands;
    this.subscriber = subscriber;
    this.log = log;
  }

  async start(): Promise<void> {
    this.subscriber.on('message', (_channel: string, text: string) => this.heard(text));
    await this.subscriber.subscribe(CHANNEL);
  }

  get size(): number {
    return this.byScreen.size;
  }

  /** The session of a screen's handle. */
  of(handle: number): Session | undefined {
    return this.byScreen.get(handle);
  }

  /** Makes this the screen's session here; an older one is closed. */
  take(session: Session): void {
    const older = this.byScreen.get(session.screenHandle);
    this.byScreen.set(session.screenHandle, session);
    older?.end(CLOSE.replaced, 'replaced by a newer connection');
    void this.announce(session);
  }

  /** Forgets a session; true when it was the screen's current one. */
  drop(session: Session): boolean {
    if (this.byScreen.get(session.screenHandle) !== session) return false;
    return this.byScreen.delete(session.screenHandle);
  }

  /** Calls back for every session, in slices between which the process answers others. */
  async forEach(visit: (session: Session) => void): Promise<void> {
    const sessions = [...this.byScreen.values()];
    for (let from = 0; from < sessions.length; from += SLICE_SESSIONS) {
      for (const session of sessions.slice(from, from + SLICE_SESSIONS)) if (session.state === 'open') visit(session);
      if (from + SLICE_SESSIONS < sessions.length) await new Promise(resolve => setImmediate(resolve));
    }
  }

  /** Sends one message to all, encoded once per codec. */
  broadcast(message: object): Promise<void> {
    const frames = new Map<Codec, Frame>();
    return this.forEach(session => session.sendFrame(encodeOnce(frames, session.codec, message)));
  }

  private async announce(session: Session): Promise<void> {
    const key = rankKey(session.screenHandle);
    try {
      const rank = await this.commands.incr(key);
      await this.commands.expire(key, RANK_KEPT_S);
      session.rank = rank;
      await this.commands.publish(CHANNEL, `${session.screenHandle}:${rank}`);
      this.compare(session);
    } catch (error) {
      this.log.warn({ err: error }, 'a connection cannot be announced; an older one elsewhere stays open');
    }
  }

  private heard(text: string): void {
    const [handle, rank] = text.split(':').map(Number);
    if (handle === undefined || rank === undefined) return;
    const session = this.byScreen.get(handle);
    if (session === undefined) return;
    session.rankSeen = Math.max(session.rankSeen, rank);
    this.compare(session);
  }

  /** A rank that was heard of before the own one is known is compared when it is. */
  private compare(session: Session): void {
    if (session.isReplaced) session.end(CLOSE.replaced, 'replaced by a newer connection');
  }
}
