/**
 * Plays that the server has not acknowledged, and fills to be handed back. A play stays until the acknowledgement of a
 * message that carried it, over any number of connections and restarts; the server counts it once. With its reports the
 * screen says up to when all is settled: it keeps the largest such time and never starts an older fill.
 */
import type { CannotPlayReason, Play } from '../connection/protocol.ts';

export type ShownPlay = Play & { starts_at: number };
export type HandBack = { play_id: string; starts_at: number; reason: CannotPlayReason };
export type Report =
  | { t: 'plays'; id: number; plays: Play[]; settled_to?: number }
  | { t: 'cannot_play'; id: number; play_id: string; reason: CannotPlayReason };
/** What a report held that is no longer kept. */
export type Settled = { plays: string[]; handBacks: string[]; refused: { play_id: string; reason: string }[] };

const PLAYS_PER_MESSAGE_MAX = 200;
/** Messages under way at once, and in a second: half of what the server lets a screen say on average. */
const UNDER_WAY_MAX = 4;
const PER_SECOND_MAX = 5;
/**
 * A week of six-second plays is 100,000; a screen that long without a server drops the oldest, which nobody would pay
 * for.
 */
const KEPT_MAX = 50_000;
/** A fill whose slot began less than this ago may still be on its way here: nothing so young is called settled. */
const SETTLED_AFTER_MS = 60_000;
/**
 * The server says that a play cannot be over yet: by its clock, which holds, it will be. Such a play is sent again
 * after this.
 */
const TOO_EARLY = 'before_end';
const TOO_EARLY_MS = 10_000;

/** The server cannot take a message now: it is sent again after this. Every other error stands. */
const NOT_READY = 'not_ready';
const NOT_READY_MS = 5_000;

type StoredPlayLog = { plays: readonly ShownPlay[]; handBacks: readonly HandBack[]; settledTo: number };

type ReportsOptions = { now: number; openStarts: readonly number[]; nextId: () => number; always: boolean };

type Acknowledgement = { refused: readonly { play_id: string; reason: string }[]; holdMs: number; now: number };

export class PlayLog {
  readonly plays = new Map<string, ShownPlay>();
  readonly handBacks = new Map<string, HandBack>();
  settledTo: number;
  /** Why the last fill was handed back, and how many were. */
  lastHandBack: CannotPlayReason | undefined;
  handedBack = 0;
  acked = 0;
  refused = 0;
  /** Plays that had to go unreported, for others to be kept. */
  dropped = 0;
  readonly #inFlight = new Map<number, string[]>();
  /** Plays that came before their time, by when they are sent again. */
  readonly #tooEarly = new Map<string, number>();
  /** Plays of messages that the server can never take: sent one by one, to find which is at fault. */
  readonly #suspects = new Set<string>();
  /** Until then the server wants no plays, not even a message without any. */
  #holdUntil = 0;
  /** Until then it cannot take what it has refused. */
  #retryAt = 0;
  #secondAt = 0;
  #sentInSecond = 0;

  constructor({ plays, handBacks, settledTo }: StoredPlayLog) {
    for (const play of plays) this.plays.set(play.play_id, play);
    for (const handBack of handBacks) this.handBacks.set(handBack.play_id, handBack);
    this.settledTo = settledTo;
  }

  /** Keeps a play. Returns the play that had to go for it, when there are too many. */
  add(play: ShownPlay): string | undefined {
    this.plays.set(play.play_id, play);
    if (this.plays.size <= KEPT_MAX) return undefined;
    const oldest: string = this.plays.keys().next().value!;
    this.plays.delete(oldest);
    this.dropped += 1;
    return oldest;
  }

  handBack(handBack: HandBack): void {
    this.handBacks.set(handBack.play_id, handBack);
    this.lastHandBack = handBack.reason;
    this.handedBack += 1;
  }

  /** Whether a fill may still be started: it was not called settled. */
  mayStart(startsAt: number): boolean {
    return startsAt >= this.settledTo;
  }

  /** Nothing that was sent on the lost connection is acknowledged any more: all of it is sent again. */
  disconnected(): void {
    this.#inFlight.clear();
  }

  /**
   * The messages to send now; each has its own id of `nextId`. `openStarts`: when the slots of the fills begin that are
   * showing, prepared or planned. `always`: also when there is nothing to report, as a sign of life that is
   * acknowledged.
   */
  reports({ now, openStarts, nextId, always }: ReportsOptions): Report[] {
    const reports: Report[] = [];
    const underWay = new Set<string>();
    this.#inFlight.forEach(ids => ids.forEach(id => underWay.add(id)));
    let room = this.#roomAt(now);
    const waiting = now < this.#retryAt ? [] : this.#waiting(now, underWay);
    const isDue = waiting.length > 0 || (always && this.#inFlight.size === 0);
    if (room > 0 && isDue && now >= this.#holdUntil) {
      room -= 1;
      const isSuspect = waiting.some(({ play_id }) => this.#suspects.has(play_id));
      const isSettled = !isSuspect && this.#raiseSettledTo(now, openStarts, waiting);
      reports.push({
        t: 'plays',
        id: nextId(),
        plays: waiting.map(({ play_id, started_at, played_ms }) => ({ play_id, started_at, played_ms })),
        ...(isSettled && { settled_to: this.settledTo }),
      });
    }
    // A pause may hand back a whole plan: plays go first.
    const handBacks = Array.from(this.handBacks.values())
      .filter(({ play_id }) => !underWay.has(play_id))
      .slice(0, Math.max(0, room));
    for (const { play_id, reason } of handBacks) reports.push({ t: 'cannot_play', id: nextId(), play_id, reason });
    this.#sentInSecond += reports.length;
    for (const report of reports)
      this.#inFlight.set(report.id, report.t === 'plays' ? report.plays.map(play => play.play_id) : [report.play_id]);
    return reports;
  }

  /** The plays of the next message: of one that was refused as a whole one alone. */
  #waiting(now: number, underWay: ReadonlySet<string>): ShownPlay[] {
    const waiting = Array.from(this.plays.values()).filter(
      ({ play_id }) => !underWay.has(play_id) && !(this.#tooEarly.get(play_id)! > now),
    );
    const suspect = waiting.find(({ play_id }) => this.#suspects.has(play_id));
    return suspect ? [suspect] : waiting.slice(0, PLAYS_PER_MESSAGE_MAX);
  }

  /** How many messages may be sent now. */
  #roomAt(now: number): number {
    if (now < this.#secondAt || now >= this.#secondAt + 1_000) {
      this.#secondAt = now;
      this.#sentInSecond = 0;
    }
    return Math.min(UNDER_WAY_MAX - this.#inFlight.size, PER_SECOND_MAX - this.#sentInSecond);
  }

  /**
   * Raises it as far as it goes: of every fill that began before, the play is in this message or acknowledged, or it
   * will never be shown. Returns whether that holds: it does not while a message that was settled with its plays waits
   * to be sent again.
   */
  #raiseSettledTo(now: number, openStarts: readonly number[], inThisMessage: readonly ShownPlay[]): boolean {
    const carried = new Set(inThisMessage.map(play => play.play_id));
    let oldest = Infinity;
    this.plays.forEach(play => {
      if (!carried.has(play.play_id)) oldest = Math.min(oldest, play.starts_at);
    });
    const settledTo = openStarts.reduce(
      (least, startsAt) => Math.min(least, startsAt),
      Math.min(now - SETTLED_AFTER_MS, oldest),
    );
    this.settledTo = Math.max(this.settledTo, Math.floor(settledTo));
    return oldest >= this.settledTo;
  }

  /**
   * The server holds the message durably: what it carried may be forgotten, but what came before its time. An unknown
   * id settles nothing.
   */
  acknowledged(id: number, { refused, holdMs, now }: Acknowledgement): Settled {
    const ids = this.#inFlight.get(id) || [];
    this.#inFlight.delete(id);
    if (holdMs > 0) this.#holdUntil = now + holdMs;
    const final = refused.filter(({ reason }) => reason !== TOO_EARLY);
    for (const playId of ids) {
      this.#tooEarly.delete(playId);
      this.#suspects.delete(playId);
    }
    for (const { play_id, reason } of refused)
      if (reason === TOO_EARLY) this.#tooEarly.set(play_id, now + TOO_EARLY_MS);
    const settled: Settled = {
      plays: ids.filter(playId => !this.#tooEarly.has(playId) && this.plays.delete(playId)),
      handBacks: ids.filter(playId => this.handBacks.delete(playId)),
      refused: final,
    };
    this.refused += final.length;
    this.acked += Math.max(0, settled.plays.length - final.length);
    return settled;
  }

  /** The message was answered with an error: what it carried is sent again, or can never be taken and is forgotten. */
  failed(id: number, { code, now }: { code: string; now: number }): Settled {
    const ids = this.#inFlight.get(id);
    const settled: Settled = { plays: [], handBacks: [], refused: [] };
    if (!ids) return settled;
    this.#inFlight.delete(id);
    if (code === NOT_READY) {
      this.#retryAt = now + NOT_READY_MS;
      return settled;
    }
    if (ids.every(playId => this.#suspects.has(playId) || this.handBacks.has(playId))) {
      settled.plays = ids.filter(playId => this.plays.delete(playId));
      settled.handBacks = ids.filter(playId => this.handBacks.delete(playId));
      settled.refused = ids.map(play_id => ({ play_id, reason: code }));
      this.refused += settled.plays.length;
    }
    for (const playId of ids) this.#suspects[this.plays.has(playId) ? 'add' : 'delete'](playId);
    return settled;
  }
}

/** The report where the device could not keep how far all is settled: nothing is said of it. */
export function withoutSettled(report: Report): Report {
  return report.t === 'plays' ? { t: report.t, id: report.id, plays: report.plays } : report;
}
