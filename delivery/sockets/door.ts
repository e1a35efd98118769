/**
 * Who has a place here, and who only stands at the door. A place is a screen's, from a `hello` with the token of a known
 * screen on. A socket that did not show one yet is a stranger: there is room for some of them, in all and from one address,
 * and each has a few seconds and a few messages. Where there is no room, the stranger that has been silent longest goes,
 * so that whoever opens sockets and says nothing is in the way of nobody who does.
 */
import type { Session } from '../screens/session.ts';

/** An honest screen says hello within a round trip or two; a younger stranger is never sent away for a newer one. */
const ROOM_MS = 1_000;

export type DoorBounds = { screensMax: number; strangersMax: number; strangersPerAddressMax: number };

export class Door {
  readonly #bounds: DoorBounds;
  readonly #now: () => number;
  /** In the order of their coming. */
  readonly #strangers = new Set<Session>();
  readonly #byAddress = new Map<string, Set<Session>>();
  readonly #placed = new Set<Session>();

  constructor(bounds: DoorBounds, now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
  }

  get strangerCount(): number {
    return this.#strangers.size;
  }

  get placeCount(): number {
    return this.#placed.size;
  }

  /** A socket was opened. @returns whom there is no room for: an older stranger, or this one itself; undefined where there is. */
  arrive(session: Session): Session | undefined {
    const ofAddress = this.#byAddress.get(session.address);
    const crowd =
      ofAddress !== undefined && ofAddress.size >= this.#bounds.strangersPerAddressMax
        ? ofAddress
        : this.#strangers.size >= this.#bounds.strangersMax
          ? this.#strangers
          : undefined;
    let leaves: Session | undefined;
    if (crowd !== undefined) {
      const [oldest] = crowd;
      leaves = oldest !== undefined && this.#now() - oldest.connectedAtMs >= ROOM_MS ? oldest : session;
      this.leave(leaves);
      if (leaves === session) return session;
    }
    this.#strangers.add(session);
    const others = this.#byAddress.get(session.address);
    if (others === undefined) this.#byAddress.set(session.address, new Set([session]));
    else others.add(session);
    return leaves;
  }

  /** The screen of a socket is known: it takes a place, that of its older socket if it has one. @returns false when there is none. */
  enter(session: Session, isReturning: boolean): boolean {
    if (this.#placed.size >= this.#bounds.screensMax && !isReturning) return false;
    this.leave(session);
    this.#placed.add(session);
    return true;
  }

  /** The socket is gone, or about to be. */
  leave(session: Session): void {
    this.#placed.delete(session);
    if (!this.#strangers.delete(session)) return;
    const others = this.#byAddress.get(session.address);
    if (others === undefined) return;
    others.delete(session);
    if (others.size === 0) this.#byAddress.delete(session.address);
  }
}
