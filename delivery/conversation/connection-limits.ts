/**
 * Bounds the open connections. From a `hello` with the token of a known screen on, a connection counts against the
 * number of screens that this process takes. Before that it is pending: pending connections are bounded in all and per
 * address. If there is no room for another, the one that has been silent longest is closed, so that silent connections
 * keep no screen out.
 *
 * After a crash all screens come at once, faster than a slow machine hears their hellos. To turn one away costs half as
 * much as to take it, and it comes again within seconds: most would be turned away several times. So for some seconds
 * as many more may be pending as screens came in, in all and from an address, in places that are free.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Session } from '../screens/session.ts';

/** An honest screen says hello within a round trip or two; a younger connection is never closed for a newer one. */
const PENDING_MS_MIN = 1_000;
/** A screen that came in so long ago counts half; fewer than these are no crowd. */
const LATELY_HALF_MS = 2_000;
const CROWD_MIN = 100;
/** Half of the screens of a process: each may hold 128 KiB of an unfinished message. */
const CROWD_MAX = 8_000;

export type ConnectionBounds = { screensMax: number; pendingMax: number; pendingPerAddressMax: number };

/** Those of one address, or all. */
class Crowd {
  /** In the order in which they were opened. */
  readonly pending = new Set<Session>();
  /** How many came in lately, as it was at `#atMs`. */
  #lately = 0;
  #atMs: Milliseconds = 0;

  /** A screen of it is known. */
  cameIn(nowMs: Milliseconds): void {
    this.#lately = this.#latelyAt(nowMs) + 1;
    this.#atMs = nowMs;
  }

  /** How many more may be pending, as long as so many come in. */
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
   * A connection was opened. @returns the one to close for want of room, an older one or this one; undefined where
   * there is room.
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

  /** Those to close because the crowd is over for which they had room, those that were silent longest. */
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
