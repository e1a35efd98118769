/**
 * One connection of a screen: its codec, its rate of messages, and a way to write to it that never throws. The
 * conversation creates sessions; the registry knows the session of each screen. A process has fifteen thousand of them
 * for hours, so a session has no unnecessary objects.
 */
import { NO_HANDLE, type Index, type Handle } from '#domain/id.ts';
import { countClose, countSlowReader } from '../instruments.ts';
import { type Codec, type Frame } from '../protocol/codec.ts';
import * as outbound from '../protocol/outbound.ts';
import type { ErrorCode } from '../protocol/inbound.ts';
import type { ScreenSettings } from '../protocol/outbound.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The library's socket of a session. It must not be touched once it was ended or dropped a frame. */
export type Link = {
  /** 1: sent; 0: the rest waits, within a limit; 2: dropped beyond that limit, and the socket closes. */
  send(frame: Frame, binary: boolean): 0 | 1 | 2;
  /** All writes in it go out in one piece. */
  cork(write: () => void): void;
  /** Pings the other end; the socket's own timer counts the answer as a sign of life. */
  ping(): unknown;
  /** Sends a close frame with this code. */
  end(code: number, reason: string): void;
};

/** `greeting`: said hello, and waits for its turn or for its token's look-up. */
export type SessionState = 'new' | 'greeting' | 'open' | 'closed';

/** Messages may arrive in bursts worth this many seconds: a player that was offline has a backlog. */
const BURST_SECONDS = 5;
/**
 * Messages and control frames of a socket until its screen is known: a hello, its repeat after `not_ready`, and some to
 * spare.
 */
const PENDING_FRAMES_MAX = 10;
const NO_SCREEN = -1;
const DROPPED = 2;
/** The allowance per message, chosen so that a millisecond earns an integer, which needs no heap object. */
const PER_MESSAGE = 1_000;
/** The largest such integer; as an allowance it means no limit. */
const ALLOWANCE_MAX = 2 ** 31 - 1;
/** The last 32 bits of a time in ms, as a signed integer. */
type LowBits = number;

/** A play as its screen reported it. */
export type ScreenPlay = {
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
  startedAt: Milliseconds;
  playedMs: Milliseconds;
};

/**
 * The data of a connection before its screen is known. `address`: the address of its socket for the limits
 * (`addressOf`); `frames`: messages and control frames so far; `isReminded`: whether it was warned about the missing
 * hello.
 */
type Arrival = { readonly address: string; readonly openedAt: LowBits; frames: number; isReminded: boolean };

export type SessionOptions = { codec: Codec; address: string; nowMs: Milliseconds; messagesPerSecondMax: number };

export class Session {
  readonly codec: Codec;
  state: SessionState = 'new';
  /** The screen's integer in the table and its handle, once it is known. */
  screen: Index<'screen'> = NO_SCREEN;
  screenHandle: Handle<'screen'> = NO_HANDLE;
  /** The number of its platform's profile, which selects its files. */
  profile = 0;
  /** The last settings sent to the screen, and their venue. */
  settings: ScreenSettings | undefined;
  venueHandle: Handle<'venue'> = NO_HANDLE;
  /** Rank among the screen's connections in all processes; 0 until Redis has answered. */
  rank = 0;
  /** The highest known rank of another connection of this screen. */
  rankSeen = 0;
  /** Only until it is open; an open session is kept for hours and needs none of it. */
  arrival: Arrival | undefined;
  /** Whether it counts among the screens of this process. */
  isCounted = false;
  /** The newest reported play since the last one written to presence. */
  #play: ScreenPlay | undefined;
  /** Until it is closed, or about to be. */
  #link: Link | undefined;
  /** In thousandths of a message. */
  #allowance: number;
  /**
   * The times of the last message (or of the connection) and of the last presence write. Only the last 32 bits of each
   * time: a larger number would be a heap object. Differences are right for up to 24 days, and a screen sends something
   * each minute.
   */
  #heardAt: LowBits;
  #notedAt: LowBits;

  constructor({ codec, address, nowMs, messagesPerSecondMax }: SessionOptions) {
    this.codec = codec;
    this.arrival = { address, openedAt: nowMs | 0, frames: 0, isReminded: false };
    this.#allowance = allowanceOf(messagesPerSecondMax);
    this.#heardAt = this.#notedAt = nowMs | 0;
  }

  /** Whether another process has a newer connection of the screen. */
  get isReplaced(): boolean {
    return this.rank !== 0 && this.rankSeen > this.rank;
  }

  /** Neither closed nor closing. */
  get isReachable(): boolean {
    return this.#link !== undefined;
  }

  /** The screen is known and has its turn. */
  open(screen: Index<'screen'>, handle: Handle<'screen'>): void {
    this.state = 'open';
    this.screen = screen;
    // A value from a column is a double, and a heap object here, even if it is a small integer.
    this.screenHandle = (handle | 0) === handle ? ((handle | 0) as Handle<'screen'>) : handle;
    this.arrival = undefined;
  }

  /** The address of its socket for the limits, until its screen is known. */
  get address(): string {
    return this.arrival?.address ?? '';
  }

  /** How long it has been open; used until its screen is known. */
  openMs(nowMs: Milliseconds): Milliseconds {
    return this.arrival === undefined ? 0 : ((nowMs | 0) - this.arrival.openedAt) | 0;
  }

  /** How long no message has arrived. */
  silentMs(nowMs: Milliseconds): Milliseconds {
    return ((nowMs | 0) - this.#heardAt) | 0;
  }

  /** Notes that presence is written for it. */
  noted(nowMs: Milliseconds): void {
    this.#notedAt = nowMs | 0;
  }

  /** How long ago presence was written for it. */
  sinceNotedMs(nowMs: Milliseconds): Milliseconds {
    return ((nowMs | 0) - this.#notedAt) | 0;
  }

  played(play: ScreenPlay): void {
    this.#play = laterPlay(this.#play, play);
  }

  /** Takes the newest reported play that is not yet in presence. */
  takePlay(): ScreenPlay | undefined {
    const play = this.#play;
    this.#play = undefined;
    return play;
  }

  attach(link: Link): void {
    this.#link = link;
  }

  /** Counts a message or a control frame against the screen's rate; false if it exceeds the rate. */
  admits(nowMs: Milliseconds, messagesPerSecondMax: number): boolean {
    if (this.arrival !== undefined) return ++this.arrival.frames <= PENDING_FRAMES_MAX;
    const earned = Math.max(0, this.silentMs(nowMs) * messagesPerSecondMax);
    this.#heardAt = nowMs | 0;
    this.#allowance = (Math.min(allowanceOf(messagesPerSecondMax), this.#allowance + earned) - PER_MESSAGE) | 0;
    return this.#allowance >= 0;
  }

  send(message: object): void {
    this.sendFrame(this.codec.encode(message));
  }

  /** Sends what the session's own codec has written. */
  sendFrame(frame: Frame): void {
    if (this.#link?.send(frame, this.codec.binary) !== DROPPED) return;
    // The library closes the socket of a reader that was too slow; its close callback runs after this.
    this.#link = undefined;
    countSlowReader();
  }

  /** Sends in one piece what `write` sends. */
  cork(write: () => void): void {
    this.#link?.cork(write);
  }

  ping(): void {
    this.#link?.ping();
  }

  sendError(code: ErrorCode, message: string, id?: number): void {
    this.send(outbound.error(code, message, id));
  }

  /** Closes with one of the protocol's codes. */
  end(code: number, reason: string): void {
    const link = this.#link;
    if (link === undefined) return;
    this.#link = undefined;
    countClose(code);
    link.end(code, reason);
  }

  /** The socket is gone. */
  detach(): void {
    this.state = 'closed';
    this.#link = undefined;
  }
}

/** The burst of a screen that was silent for long. */
function allowanceOf(messagesPerSecondMax: number): number {
  return Math.min(ALLOWANCE_MAX, messagesPerSecondMax * BURST_SECONDS * PER_MESSAGE) | 0;
}

/** The later of two plays of a screen. */
export function laterPlay(one: ScreenPlay | undefined, other: ScreenPlay | undefined): ScreenPlay | undefined {
  return one === undefined || (other !== undefined && other.startedAt >= one.startedAt) ? other : one;
}
