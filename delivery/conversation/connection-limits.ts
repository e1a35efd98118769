/**
 * Bounds the open connections. One whose screen is known, from a `hello` with the token of a known screen on, counts
 * against the number of screens that this process takes. One that has not shown such a token yet is pending: pending
 * connections are bounded in all and per address. Where there is no room for another pending one, the one that has been
 * silent longest is closed, so that whoever opens connections and says nothing keeps nobody out.
 *
 * After a crash all screens come at once, faster than a slow machine hears their hellos. To turn one away costs half as
 * much as to take it, and it comes again within seconds: most would be turned away several times. So as many more may
 * be pending as screens have come in lately, in the places that are free. Whoever has no tokens gets no more room.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Session } from '../screens/session.ts';

/** An honest screen says hello within a round trip or two; a younger connection is never closed for a newer one. */
const PENDING_MS_MIN = 1_000;
/** A screen that came in so long ago counts half; fewer than these are no crowd. */
const LATELY_HALF_MS = 2_000;
const CROWD_MIN = 100;

export type ConnectionBounds = { screensMax: number; pendingMax: number; pendingPerAddressMax: number };

export class ConnectionLimits {
  readonly #bounds: ConnectionBounds;
  readonly #now: () => number;
  /** In the order in which they were opened. */
  readonly #pending = new Set<Session>();
  readonly #pendingOfAddress = new Map<string, Set<Session>>();
  #screens = 0;
  /** How many came in lately, as it was at `#latelyAtMs`. */
  #lately = 0;
  #latelyAtMs: Milliseconds = 0;

  constructor(bounds: ConnectionBounds, now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
  }

  get pendingCount(): number {
    return this.#pending.size;
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
    this.#pending.add(session);
    const others = this.#pendingOfAddress.get(session.address);
    if (others === undefined) this.#pendingOfAddress.set(session.address, new Set([session]));
    else others.add(session);
    return excess;
  }

  /**
   * The screen of a connection is known, and takes its place among the screens; `isReturning`: it has one already, of
   * its older connection. @returns false when as many screens as possible are connected.
   */
  identified(session: Session, isReturning: boolean): boolean {
    if (this.#screens >= this.#bounds.screensMax && !isReturning) return false;
    this.closed(session);
    session.isCounted = true;
    this.#screens++;
    this.#lately = this.#cameInLately() + 1;
    this.#latelyAtMs = this.#now();
    return true;
  }

  /** The connection is closed, or about to be. */
  closed(session: Session): void {
    if (session.isCounted) this.#screens--;
    session.isCounted = false;
    if (!this.#pending.delete(session)) return;
    const others = this.#pendingOfAddress.get(session.address);
    if (others === undefined) return;
    others.delete(session);
    if (others.size === 0) this.#pendingOfAddress.delete(session.address);
  }

  #excessFor(session: Session): Session | undefined {
    const crowd = this.#fullSetFor(session.address);
    if (crowd === undefined) return undefined;
    const [oldest] = crowd;
    return oldest !== undefined && oldest.openMs(this.#now()) >= PENDING_MS_MIN ? oldest : session;
  }

  /** The set that has no room for another connection of this address. */
  #fullSetFor(address: string): Set<Session> | undefined {
    const { pendingMax, pendingPerAddressMax, screensMax } = this.#bounds;
    const ofAddress = this.#pendingOfAddress.get(address);
    const isAddressFull = ofAddress !== undefined && ofAddress.size >= pendingPerAddressMax;
    if (!isAddressFull && this.#pending.size < pendingMax) return undefined;
    const lately = this.#cameInLately();
    const more = lately < CROWD_MIN ? 0 : Math.min(screensMax - this.#screens, lately);
    if (isAddressFull && ofAddress.size >= pendingPerAddressMax + more) return ofAddress;
    return this.#pending.size >= pendingMax + more ? this.#pending : undefined;
  }

  #cameInLately(): number {
    return this.#lately * 2 ** (-Math.max(0, this.#now() - this.#latelyAtMs) / LATELY_HALF_MS);
  }
}
