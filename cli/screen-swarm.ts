/**
 * Simulated screens over real WebSockets, shared by the demo, benchmarks and tests. A screen asks for a slot, shows
 * what it got for its real duration, reports the play and keeps it until it is acknowledged. Now and then it drops its
 * connection, reports a play twice or cannot show an ad. Its own log has what it was promised, for the comparison. With
 * its reports it states the time before which all its plays are settled (`settled_to`). That time never goes back, and
 * a fill for an earlier slot is not shown.
 */
import type { EventEmitter } from 'node:events';
import { WebSocket } from 'undici';
import type { SensingModule } from './sensing-module.ts';
import type { Milliseconds } from '#domain/unit.ts';

export type Fill = {
  play_id: string;
  campaign_id: string;
  creative_id: string;
  kind: string;
  url: string;
  duration_ms: Milliseconds;
  scan_url: string;
  starts_at: number;
  expires_at: number;
};
type Slot = Fill | { no_fill: string };
type Play = { play_id: string; started_at: number; played_ms: Milliseconds; audience?: number };

/** `waited`: ms from the request for a slot to its answer, or to the end of the connection that carried the request. */
export type SwarmEvents = {
  waited: [ms: Milliseconds];
  acked: [playId: string, campaignId: string, at: number];
  slot: [slot: Slot];
  refused: [playId: string, reason: string];
  scan: [url: string];
};
export type ScreenLog = { acked: Map<string, { campaignId: string; at: number }>; refused: Map<string, string> };

export type ScreenOptions = {
  /** Called before each connection. */
  url: () => string;
  token: string;
  platform: string;
  protocol?: 'marquee.v1.json';
  /** 0..1, seeded by the caller. */
  random: () => number;
  /** Chances per play: to drop the connection, to report a second time, to be unable to show it, to be scanned. */
  chances: { drop: number; repeat: number; cannotPlay: number; scan: number };
  /** The sensing module that is paired with the screen. */
  module?: SensingModule | undefined;
  /** How long it shows content of its venue after an ad. By default ads follow each other. */
  contentMs?: () => Milliseconds;
  events: EventEmitter<SwarmEvents>;
  /**
   * Asks for slots that are over already, and reports their plays after this time (ms). Such a load need not wait for
   * ads to end; the services need `SCREEN_PLAYS_OVERLAP` for it.
   */
  pastEveryMs?: Milliseconds;
};

/**
 * The wait after a no-fill: 2 s, doubling up to 15 s. Players on the market back off in the same way, with a higher
 * ceiling.
 */
const IDLE_MS_FIRST = 2_000;
const IDLE_MS_MAX = 15_000;
/** Reconnection: at once after the screen itself dropped the connection, else doubling with jitter up to 5 s. */
const RECONNECT_MS_FIRST = 100;
const RECONNECT_MS_MAX = 5_000;
/** A message that was not acknowledged in this time is sent again. */
const RESEND_MS = 5_000;
/** The next slot is asked for this long before the current item ends, so that it starts without a gap. */
const ASK_AHEAD_MS = 500;
/**
 * How long ago a slot of the past began: longer than the load's ads take, and well within the minute that delivery
 * allows.
 */
const PAST_MS = 30_000;
/** A fill for a slot requested less than this ago may be in flight, so nothing younger counts as settled. */
const SETTLED_AFTER_MS = 60_000;
const PLAYS_PER_MESSAGE_MAX = 200;
const RECENT_MAX = 20;

type Withdrawal = { campaign_id?: string; creative_id?: string; play_ids?: string[] };

export class SimulatedScreen {
  readonly log: ScreenLog = { acked: new Map(), refused: new Map() };
  readonly #options: ScreenOptions;
  #socket: WebSocket | undefined;
  #welcomed = false;
  #asking = true;
  #stopped = false;
  #clockOffsetMs = 0;
  #messageNo = 0;
  #reconnectMs = RECONNECT_MS_FIRST;
  #idleMs = IDLE_MS_FIRST;
  #showing: Fill | undefined;
  #isInContent = false;
  #settledTo = 0;
  #slotAsked: number | undefined;
  #slotAskedAt = 0;
  #next: Fill | undefined;
  readonly #unacknowledged = new Map<string, Play & { campaignId: string; startsAt: Milliseconds }>();
  readonly #handedBack = new Set<string>();
  readonly #inFlight = new Map<number, { playIds: string[]; sentAt: Milliseconds }>();
  readonly #recent: string[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  start(): void {
    this.#connect();
    const resend = setInterval(() => this.#resend(), 1_000);
    this.#timers.add(resend);
  }

  /** Stops requesting slots. Current ads play to their end, and all plays are still reported. */
  stopAsking(): void {
    this.#asking = false;
  }

  /** Plays and hand-backs that the server has not acknowledged. */
  get unacked(): number {
    return this.#unacknowledged.size + this.#handedBack.size + (this.#showing ? 1 : 0);
  }

  close(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#socket?.close();
  }

  /** Closes the connection without a close frame, as when a cable is pulled. */
  drop(): void {
    this.#socket?.close();
  }

  #after(delayMs: Milliseconds, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, delayMs);
    this.#timers.add(timer);
  }

  #now(): number {
    return Date.now() + this.#clockOffsetMs;
  }

  #connect(): void {
    if (this.#stopped) return;
    const socket = new WebSocket(this.#options.url(), this.#options.protocol ?? 'marquee.v1.json');
    this.#socket = socket;
    socket.addEventListener('open', () => {
      const { token, platform } = this.#options;
      this.#send({ t: 'hello', token, platform, player: 'swarm/1', time: Date.now(), recent: this.#recent });
    });
    socket.addEventListener('message', event => this.#hear(JSON.parse(String(event.data)) as Record<string, unknown>));
    socket.addEventListener('error', () => undefined); // a close event always follows
    socket.addEventListener('close', () => {
      if (this.#socket === socket) this.#disconnected();
    });
  }

  #disconnected(): void {
    this.#welcomed = false;
    if (this.#slotAsked !== undefined) this.#options.events.emit('waited', Date.now() - this.#slotAskedAt);
    this.#slotAsked = undefined;
    this.#inFlight.clear();
    const delayMs = this.#reconnectMs * (0.5 + this.#options.random());
    this.#reconnectMs = Math.min(this.#reconnectMs * 2, RECONNECT_MS_MAX);
    this.#after(delayMs, () => this.#connect());
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hear(message: Record<string, unknown>): void {
    if (message['t'] === 'welcome') this.#welcome(message as { time: number });
    else if (message['t'] === 'fill') this.#fill(message as { id: number; slots: Slot[] });
    else if (message['t'] === 'ack')
      this.#ack(message as { id: number; refused?: { play_id: string; reason: string }[] });
    else if (message['t'] === 'error' && message['id'] === this.#slotAsked)
      this.#askAgain(); // the slot's time was over when it arrived
    else if (message['t'] === 'withdraw') this.#withdraw(message);
  }

  #welcome({ time }: { time: number }): void {
    this.#clockOffsetMs = time - Date.now();
    this.#welcomed = true;
    this.#reconnectMs = RECONNECT_MS_FIRST;
    this.#report();
    for (const playId of this.#handedBack) this.#handBack(playId);
    if (!this.#showing) this.#ask();
  }

  #ask(): void {
    if (!this.#asking || !this.#welcomed || this.#isInContent || this.#slotAsked !== undefined || this.#next) return;
    this.#slotAsked = ++this.#messageNo;
    this.#slotAskedAt = Date.now();
    this.#send({
      t: 'slot',
      id: this.#slotAsked,
      count: 1,
      ...(this.#options.pastEveryMs !== undefined && { at: this.#now() - PAST_MS }),
    });
  }

  #askAgain(): void {
    this.#slotAsked = undefined;
    this.#after(IDLE_MS_FIRST, () => this.#ask());
  }

  #fill({ id, slots }: { id: number; slots: Slot[] }): void {
    if (id !== this.#slotAsked) return;
    this.#slotAsked = undefined;
    this.#options.events.emit('waited', Date.now() - this.#slotAskedAt);
    const slot = slots[0]!;
    this.#options.events.emit('slot', slot);
    if ('no_fill' in slot) {
      this.#after(this.#idleMs, () => this.#ask());
      this.#idleMs = Math.min(this.#idleMs * 2, IDLE_MS_MAX);
      return;
    }
    this.#idleMs = IDLE_MS_FIRST;
    this.#next = slot;
    if (!this.#showing) this.#show();
  }

  #show(): void {
    const fill = this.#next;
    this.#isInContent = false;
    if (!fill) return this.#ask();
    this.#next = undefined;
    if (fill.starts_at < this.#settledTo) return this.#ask(); // it came too late: its time was settled meanwhile
    if (this.#options.random() < this.#options.chances.cannotPlay) {
      this.#handBack(fill.play_id);
      return this.#ask();
    }
    this.#showing = fill;
    const { pastEveryMs, contentMs } = this.#options;
    const startedAt = pastEveryMs === undefined ? this.#now() : fill.starts_at;
    const showMs = pastEveryMs ?? fill.duration_ms;
    if (!contentMs) this.#after(Math.max(0, showMs - ASK_AHEAD_MS), () => this.#ask());
    this.#after(showMs, () => this.#shown(fill, startedAt));
  }

  #shown(fill: Fill, startedAt: Milliseconds): void {
    const { random, chances, module, contentMs, events } = this.#options;
    this.#showing = undefined;
    const audience = module ? { audience: Math.floor(random() * 8) } : {};
    this.#unacknowledged.set(fill.play_id, {
      play_id: fill.play_id,
      started_at: startedAt,
      played_ms: fill.duration_ms,
      ...audience,
      campaignId: fill.campaign_id,
      startsAt: fill.starts_at,
    });
    this.#recent.unshift(fill.play_id);
    this.#recent.length = Math.min(this.#recent.length, RECENT_MAX);
    this.#report();
    if (random() < chances.repeat) this.#sendPlays([fill.play_id]);
    if (random() < chances.scan) events.emit('scan', fill.scan_url);
    if (random() < chances.drop) this.drop();
    if (!contentMs) return this.#show();
    this.#isInContent = true;
    this.#after(contentMs(), () => this.#show());
  }

  #report(): void {
    const underWay = new Set([...this.#inFlight.values()].flatMap(message => message.playIds));
    const waiting = [...this.#unacknowledged.keys()].filter(playId => !underWay.has(playId));
    for (let from = 0; from < waiting.length; from += PLAYS_PER_MESSAGE_MAX)
      this.#sendPlays(waiting.slice(from, from + PLAYS_PER_MESSAGE_MAX));
  }

  #sendPlays(playIds: string[]): void {
    if (!this.#welcomed) return;
    const id = ++this.#messageNo;
    this.#inFlight.set(id, { playIds, sentAt: Date.now() });
    const plays = playIds.flatMap(playId => {
      const shown = this.#unacknowledged.get(playId);
      if (!shown) return [];
      const { campaignId: _, startsAt: __, ...play } = shown;
      return [play];
    });
    const attestation = this.#options.module && { attestation: this.#options.module.attest(plays) };
    this.#send({ t: 'plays', id, plays, ...attestation, settled_to: this.#raiseSettledTo(new Set(playIds)) });
  }

  /**
   * Raises `settled_to` and answers it. Every play of a fill whose slot began before that time is in this message or
   * was acknowledged; a fill without such a play will never be shown.
   */
  #raiseSettledTo(inThisMessage: ReadonlySet<string>): number {
    const starts = [...this.#unacknowledged]
      .filter(([playId]) => !inThisMessage.has(playId))
      .map(([, play]) => play.startsAt);
    const open = [this.#showing, this.#next].flatMap(fill => (fill ? [fill.starts_at] : []));
    this.#settledTo = Math.max(this.#settledTo, Math.min(this.#now() - SETTLED_AFTER_MS, ...starts, ...open));
    return this.#settledTo;
  }

  #handBack(playId: string): void {
    this.#handedBack.add(playId);
    if (!this.#welcomed) return;
    const id = ++this.#messageNo;
    this.#inFlight.set(id, { playIds: [playId], sentAt: Date.now() });
    this.#send({ t: 'cannot_play', id, play_id: playId, reason: 'decode' });
  }

  #resend(): void {
    const overdue = Date.now() - RESEND_MS;
    for (const [id, message] of this.#inFlight) if (message.sentAt < overdue) this.#inFlight.delete(id);
    if (!this.#welcomed) return;
    this.#report();
    const underWay = new Set([...this.#inFlight.values()].flatMap(message => message.playIds));
    for (const playId of this.#handedBack) if (!underWay.has(playId)) this.#handBack(playId);
  }

  #ack({ id, refused = [] }: { id: number; refused?: { play_id: string; reason: string }[] }): void {
    const message = this.#inFlight.get(id);
    if (!message) return;
    this.#inFlight.delete(id);
    const reasons = new Map(refused.map(entry => [entry.play_id, entry.reason]));
    for (const playId of message.playIds) this.#settle(playId, reasons.get(playId));
  }

  #settle(playId: string, refusal: string | undefined): void {
    this.#handedBack.delete(playId);
    const play = this.#unacknowledged.get(playId);
    if (!play) return;
    this.#unacknowledged.delete(playId);
    const at = Date.now();
    if (refusal === undefined) {
      this.log.acked.set(playId, { campaignId: play.campaignId, at });
      this.#options.events.emit('acked', playId, play.campaignId, at);
    } else {
      this.log.refused.set(playId, refusal);
      this.#options.events.emit('refused', playId, refusal);
    }
  }

  #withdraw({ campaign_id, creative_id, play_ids = [] }: Withdrawal): void {
    const fill = this.#next;
    if (
      !fill ||
      (fill.campaign_id !== campaign_id && fill.creative_id !== creative_id && !play_ids.includes(fill.play_id))
    )
      return;
    this.#next = undefined;
    this.#handBack(fill.play_id);
    this.#ask();
  }
}
