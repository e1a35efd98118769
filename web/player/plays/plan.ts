/**
 * What to play when the server is gone: fills asked for ahead with `plan: true`, for the next hour or until there are
 * 240 of them (the most that the server leaves open per screen). While the server answers they are not played: those
 * whose slot has passed are thrown away, and `settled_to` gives their money back.
 */
import {
  isFill,
  isWithdrawn,
  type Fill,
  type Slot,
  type SlotRequest,
  type Withdrawal,
} from '../connection/protocol.ts';

const FILLS_MAX = 240;
const HORIZON_MS = 3_600_000;
const SLOTS_PER_REQUEST = 20; // the protocol's bound
const SLOT_MS = 15_000;
/** A fill may start so much before its slot; the server accepts 5 s. */
const EARLY_MS = 4_000;
/** While the server answers a fill is kept for this long after its slot: the network may go at any moment. */
const KEPT_MS = 60_000;

export class Plan {
  /** By the time of their slots. */
  fills: Fill[];
  /** Up to when slots were asked for, server time. */
  #askedUntil: number;

  constructor(fills: Fill[] = []) {
    this.fills = fills;
    this.#askedUntil = fills.length > 0 ? endOf(fills[fills.length - 1]!) : 0;
  }

  /** What to ask the server for next, or undefined when the plan is full. */
  request(now: number): (SlotRequest & { at: number }) | undefined {
    const room = FILLS_MAX - this.fills.length;
    const at = Math.max(this.#askedUntil, now);
    return room > 0 && at < now + HORIZON_MS
      ? { at, count: Math.min(SLOTS_PER_REQUEST, room), max_duration_ms: SLOT_MS, plan: true }
      : undefined;
  }

  /** Takes the answer to a request. Returns the number of fills in it. */
  add(request: { at: number; max_duration_ms: number }, slots: readonly Slot[]): number {
    const fills = slots.filter(isFill);
    this.fills = this.fills.concat(fills);
    // An answer without any fill says nothing of the time after it: it is asked for again.
    if (fills.length > 0)
      this.#askedUntil = slots.reduce(
        (at, slot) => (isFill(slot) ? endOf(slot) : at + request.max_duration_ms),
        request.at,
      );
    return fills.length;
  }

  /** Throws away what the server's own answers have taken the place of. Returns whether anything went. */
  dropPassed(now: number): boolean {
    return this.#keepIf(fill => fill.starts_at >= now - KEPT_MS).length > 0;
  }

  /** The next fill that may start now, and is then no longer in the plan. Those that have expired go too. */
  take(now: number): Fill | undefined {
    this.#keepIf(fill => fill.expires_at > now);
    const first = this.fills[0];
    return first && first.starts_at <= now + EARLY_MS ? this.fills.shift() : undefined;
  }

  /** Takes out the fills that a withdrawal names. */
  withdraw(what: Withdrawal): Fill[] {
    return this.#keepIf(fill => !isWithdrawn(fill, what));
  }

  #keepIf(isKept: (fill: Fill) => boolean): Fill[] {
    const gone = this.fills.filter(fill => !isKept(fill));
    if (gone.length > 0) this.fills = this.fills.filter(isKept);
    return gone;
  }
}

function endOf(fill: Fill): number {
  return fill.starts_at + fill.duration_ms;
}
