/**
 * Bounds the open connections. One whose screen is known, from a `hello` with the token of a known screen on, counts
 * against the number of screens that this process takes. One that has not shown such a token yet is pending: pending
 * connections are bounded in all and per address. Where there is no room for another pending one, the one that has been
 * silent longest is closed, so that whoever opens connections and says nothing keeps nobody out.
 */
import type { Session } from '../screens/session.ts';

/** An honest screen says hello within a round trip or two; a younger connection is never closed for a newer one. */
const PENDING_MS_MIN = 1_000;

export type ConnectionBounds = { screensMax: number; pendingMax: number; pendingPerAddressMax: number };

export class ConnectionLimits {
  readonly #bounds: ConnectionBounds;
  readonly #now: () => number;
  /** In the order in which they were opened. */
  readonly #pending = new Set<Session>();
  readonly #pendingOfAddress = new Map<string, Set<Session>>();
  #screens = 0;

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
    const ofAddress = this.#pendingOfAddress.get(address);
    if (ofAddress !== undefined && ofAddress.size >= this.#bounds.pendingPerAddressMax) return ofAddress;
    return this.#pending.size >= this.#bounds.pendingMax ? this.#pending : undefined;
  }
}
