/** The checks of every message in any scenario: ids, times, pace, and settled plays. */
import type { CannotPlay, PlaysReport, ReportedPlay, SlotRequest } from '../../delivery/protocol/inbound.ts';
import type { Findings } from './rules.ts';
import type { Connection } from './server.ts';

type Fill = { play_id: string; campaign_id: string; duration_ms: number; starts_at: number; expires_at: number };
/** A fill for the player, and the player's reports about it. Times are server times. */
export type Given = {
  fill: Fill;
  isPlan: boolean;
  play?: ReportedPlay;
  handBack?: CannotPlay;
  /** The connection over which the report was acknowledged. */
  acknowledged?: { connection: Connection; at: number };
  /** A message has settled the time of this fill without its play. */
  isSettledAway?: true;
};

/** A difference that timers and the network explain. */
const TOLERANCE_MS = 1_000;
const EARLY_MS = 5_000;
const SHORT_MS = 500;
/** More than this is no mistake of a few seconds, but another clock. */
const OTHER_CLOCK_MS = 600_000;
const PER_SECOND_MAX = 10;
const AT_ONCE_MAX = 50;
/** A player should send it with each report: this many reports suffice for the check. */
const UNSETTLED_MAX = 5;
const CONNECTIONS_MAX = 30;
const MINUTE_MS = 60_000;
/** How long the player may still show planned fills after a reconnection. */
const PLAN_ENDS_MS = 15_000;

export class Judge {
  readonly given = new Map<string, Given>();
  /** Since when every message was answered (server time); undefined while the player is alone. */
  answeringSince: number | undefined;
  readonly #findings: Findings;
  #settledTo = 0;
  #reports = 0;
  #credit = AT_ONCE_MAX;
  #creditAt = 0;
  readonly #openedAt: number[] = [];

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  opened(at: number): void {
    this.#openedAt.push(at);
    const lately = this.#openedAt.filter(one => one > at - MINUTE_MS).length;
    this.#findings.expect('connections', lately <= CONNECTIONS_MAX, `it opened ${lately} connections in a minute`);
  }

  /** Counts one message or ping at a steady time. */
  arrived(at: number): void {
    this.#credit = Math.min(AT_ONCE_MAX, this.#credit + ((at - this.#creditAt) * PER_SECOND_MAX) / 1_000) - 1;
    this.#creditAt = at;
    this.#findings.expect('pace', this.#credit >= 0, 'it sends more than 10 messages a second');
  }

  slot({ at, plan }: SlotRequest, now: number): void {
    this.#findings.expect('slots', true, '');
    if (!plan) this.#onTime('slot.at', at, now);
  }

  /** Judges a report; the ids of plays that this server did not give out. */
  plays({ plays, settledTo }: PlaysReport, now: number): string[] {
    if (plays.length > 0) this.#reports += 1;
    if (settledTo !== undefined || this.#reports === UNSETTLED_MAX)
      this.#findings.expect('settles', settledTo !== undefined || this.#settledTo > 0, 'no report had it');
    const unknown = plays.filter(({ playId }) => !this.given.has(playId)).map(({ playId }) => playId);
    if (plays.length > 0)
      this.#findings.expect('own-plays', unknown.length === 0, `${unknown[0]} is no play_id of this server`);
    for (const play of plays) {
      const given = this.given.get(play.playId);
      if (given) this.#play(given, play, now);
    }
    if (settledTo !== undefined) this.#settle(settledTo, new Set(plays.map(({ playId }) => playId)));
    return unknown;
  }

  #play(given: Given, play: ReportedPlay, now: number): void {
    const { fill, acknowledged, isPlan, play: earlier } = given;
    const { startedAt, playedMs, playId } = play;
    const end = acknowledged?.connection.endedAt;
    const isKnown = acknowledged !== undefined && now > acknowledged.at + TOLERANCE_MS && end === undefined;
    this.#findings.expect('forgotten', !isKnown, `it reports ${playId} again after the ack`);
    this.#findings.expect('settled', !given.isSettledAway, `it reports ${playId} after settled_to excluded it`);
    if (earlier) {
      const isSame = earlier.startedAt === startedAt && earlier.playedMs === playedMs;
      return this.#findings.expect('kept', isSame, `it reports ${playId} twice, with different times`);
    }
    if (this.#onTime(`started_at of ${playId}`, startedAt, now)) {
      const isInTime = startedAt >= fill.starts_at - EARLY_MS && startedAt <= fill.expires_at + EARLY_MS;
      const afterMs = startedAt - fill.starts_at;
      this.#findings.expect('in-time', isInTime, `it started ${playId} ${afterMs} ms after the start of its slot`);
      const isOver = startedAt + playedMs <= now + EARLY_MS;
      this.#findings.expect('whole', isOver, `it reports ${playId} before its end`);
    }
    const isWhole = playedMs >= fill.duration_ms - SHORT_MS;
    this.#findings.expect('whole', isWhole, `it reports ${playId} with ${playedMs} ms of ${fill.duration_ms}`);
    const other = [...this.given.values()].find(one => one.play && overlapMs(one, given, startedAt) > TOLERANCE_MS);
    this.#findings.expect('one-ad', !other, `${playId} and ${other?.fill.play_id} were in sight together`);
    if (isPlan) {
      const isAnswered = this.answeringSince !== undefined && startedAt > this.answeringSince + PLAN_ENDS_MS;
      this.#findings.expect('plan', !isAnswered, `it showed ${playId} of a plan while the server answered`);
    }
    given.play = play;
    this.#findings.expect('reports', true, '');
  }

  #settle(settledTo: number, carried: ReadonlySet<string>): void {
    const fell = settledTo < this.#settledTo;
    this.#findings.expect('settled', !fell, `settled_to fell by ${this.#settledTo - settledTo} ms`);
    this.#settledTo = Math.max(settledTo, this.#settledTo);
    for (const [playId, given] of this.given)
      if (given.fill.starts_at < settledTo && !given.acknowledged && !carried.has(playId)) given.isSettledAway = true;
  }

  #onTime(name: string, time: number, now: number): boolean {
    const isOnTime = Math.abs(time - now) < OTHER_CLOCK_MS;
    this.#findings.expect('clock', isOnTime, `${name} is ${Math.round((time - now) / 1_000)} s from the server's time`);
    return isOnTime;
  }
}

/** For how long a play reported earlier was in sight together with this fill, shown from `startedAt`. */
function overlapMs(earlier: Given, { fill }: Given, startedAt: number): number {
  const before = earlier.play!;
  const ends = Math.min(before.startedAt + earlier.fill.duration_ms, startedAt + fill.duration_ms);
  return ends - SHORT_MS - Math.max(before.startedAt, startedAt);
}
