/**
 * Bounds the open connections. From a `hello` with the token of a known screen on, a connection counts against the
 * number of screens that this process takes. Before that it is pending: pending connections are bounded in total and
 * per address. If there is no room for another, the one silent longest is closed, so that silent connections block no
 * screen.
 *
 * After a crash all screens connect at once, faster than a slow machine reads their hellos. Refusing one costs half as
 * much as accepting it, and it retries within seconds: most would be refused several times. So for some seconds the
 * pending limit grows by the number of screens that came in, in total and per address, within free places.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Session } from '../screens/session.ts';

/** An honest screen says hello within a round trip or two; a younger connection is never closed for a newer one. */
const PENDING_MS_MIN = 1_000;
/** A screen that came in this long ago counts half; fewer than these are not a crowd. */
const LATELY_HALF_MS = 2_000;
const CROWD_MIN = 100;
/** Half of the screens of a process: each may hold 128 KiB of an unfinished message. */
const CROWD_MAX = 8_000;

export type ConnectionBounds = { screensMax: number; pendingMax: number; pendingPerAddressMax: number };

/** The pending connections of one address, or all. */
class Crowd {
  /** In the order in which they were opened. */
  readonly pending = new Set<Session>();
  /** The number of recent screens, as of `#atMs`. */
  #lately = 0;
  #atMs: Milliseconds = 0;

  /** A screen of it is known. */
  cameIn(nowMs: Milliseconds): void {
    this.#lately = this.#latelyAt(nowMs) + 1;
    this.#atMs = nowMs;
  }

  /** How many more may be pending while this many come in. */
  roomAt(nowMs: Milliseconds): number {
    const lately = this.#latelyAt(nowMs);
    return lately < CROWD_MIN ? 0 : Math.min(CROWD_MAX, lately);
  }

  /** After a clock that stepped back, no screen came in lately. */
  #latelyAt(nowMs: Milliseconds): number {
    const sinceMs = nowMs - this.#atMs;
    return sinceMs < 0 ? 0 : this.#lately * 2 ** (-sinceMs / LATELY_HALF_MS);
  }
}

export class ConnectionLimits {
  readonly #bounds: ConnectionBounds;
  readonly #now: () => number;
  readonly #all = new Crowd();
  /** With at least one pending connection each. */
  readonly #ofAddress = new Map<string, Crowd>();
  #screens = 0;

  constructor(bounds: ConnectionBounds, now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
  }

  get pendingCount(): number {
    return this.#all.pending.size;
  }

  get screenCount(): number {
    return this.#screens;
  }

  /**
   * A connection was opened. @returns the one to close if there is no room, an older one or this one; else undefined.
   */
  opened(session: Session): Session | undefined {
    const excess = this.#excessFor(session);
    if (excess !== undefined) this.closed(excess);
    if (excess === session) return session;
    this.#all.pending.add(session);
    let crowd = this.#ofAddress.get(session.address);
    if (crowd === undefined) this.#ofAddress.set(session.address, (crowd = new Crowd()));
    crowd.pending.add(session);
    return excess;
  }

  /**
   * The screen of a connection is known, and takes its place among the screens; `isReturning`: it has one already, of
   * its older connection. @returns false when as many screens as possible are connected.
   */
  identified(session: Session, isReturning: boolean): boolean {
    if (this.#screens >= this.#bounds.screensMax && !isReturning) return false;
    const nowMs = this.#now();
    this.#all.cameIn(nowMs);
    this.#ofAddress.get(session.address)?.cameIn(nowMs);
    this.closed(session);
    session.isCounted = true;
    this.#screens++;
    return true;
  }

  /** The connection is closed, or about to be. */
  closed(session: Session): void {
    if (session.isCounted) this.#screens--;
    session.isCounted = false;
    if (!this.#all.pending.delete(session)) return;
    const crowd = this.#ofAddress.get(session.address);
    crowd?.pending.delete(session);
    if (crowd?.pending.size === 0) this.#ofAddress.delete(session.address);
  }

  /** Connections to close after the crowd is over, the longest silent first. */
  left(): Set<Session> {
    const { pendingMax, pendingPerAddressMax } = this.#bounds;
    const found = new Set<Session>();
    if (this.pendingCount <= Math.min(pendingMax, pendingPerAddressMax)) return found;
    this.#findLeft(this.#all, pendingMax, found);
    for (const crowd of this.#ofAddress.values()) this.#findLeft(crowd, pendingPerAddressMax, found);
    return found;
  }

  #findLeft(crowd: Crowd, most: number, found: Set<Session>): void {
    let over = crowd.pending.size - this.#roomOf(crowd, most);
    for (const session of crowd.pending) {
      if (over-- <= 0 || !this.#isSilent(session)) return;
      found.add(session);
    }
  }

  #excessFor(session: Session): Session | undefined {
    const { pendingMax, pendingPerAddressMax } = this.#bounds;
    const ofAddress = this.#ofAddress.get(session.address);
    const full =
      ofAddress !== undefined && this.#isFull(ofAddress, pendingPerAddressMax)
        ? ofAddress
        : this.#isFull(this.#all, pendingMax)
          ? this.#all
          : undefined;
    if (full === undefined) return undefined;
    const [oldest] = full.pending;
    return oldest !== undefined && this.#isSilent(oldest) ? oldest : session;
  }

  #isFull(crowd: Crowd, most: number): boolean {
    return crowd.pending.size >= most && crowd.pending.size >= this.#roomOf(crowd, most);
  }

  /** How many may be pending now: a base and the allowance for a crowd. */
  #roomOf(crowd: Crowd, most: number): number {
    return most + Math.max(0, Math.min(this.#bounds.screensMax - this.#screens, crowd.roomAt(this.#now())));
  }

  #isSilent(session: Session): boolean {
    return session.openMs(this.#now()) >= PENDING_MS_MIN;
  }
}
