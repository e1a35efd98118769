/**
 * Handles each frame of a screen: size, rate, decoding, then the handler of its type. For any input, the answer is a
 * message or a close code of the protocol (`delivery/protocol`). The server calls this; there are no sockets here.
 */
import type { ConnectionLimits } from './connection-limits.ts';
import type { Handshake } from './handshake.ts';
import { countRefusedSocket } from '../instruments.ts';
import type { Presence } from '../screens/presence.ts';
import { CLOSE, HELLO_BYTES_MAX, MESSAGE_BYTES_MAX } from '../protocol/bounds.ts';
import type { Codec } from '../protocol/codec.ts';
import { readMessage } from '../protocol/inbound.ts';
import type { ReportHandler } from '../reports/reports.ts';
import { type Link, Session } from '../screens/session.ts';
import type { SessionRegistry } from '../screens/session-registry.ts';
import type { SlotHandler } from '../slots/slots.ts';
import type { Milliseconds } from '#domain/unit.ts';

const HELLO_MS_MAX = 5_000;
/**
 * A client that sends its hello before the answer to its upgrade has come (against RFC 6455, section 4.1) loses it: the
 * library silently drops bytes after the request in the same segment. So a connection silent for this long gets a
 * warning that no hello has arrived, in time to repeat it.
 */
const REMINDER_MS = 3_000;
/** A silent connection is closed at most half a second late. */
const SWEEP_MS = 500;
/**
 * Connected screens are noted as seen this often, some of them each second; one noted in the last half of it is
 * skipped.
 */
const PRESENCE_MS = 30_000;
const PRESENCE_ROUND_MS = 1_000;
/**
 * A screen that was silent for so long is pinged when it is noted, at most 31 s later. That is before the library's own
 * ping after 44 s of silence, which screens that connected together would all get, and answer, at the same moment.
 */
const SILENT_MS = 10_000;

export type ConversationDependencies = {
  limits: ConnectionLimits;
  handshake: Pick<Handshake, 'greet'>;
  slots: Pick<SlotHandler, 'answer'>;
  reports: Pick<ReportHandler, 'takePlays' | 'takeCannotPlay'>;
  registry: SessionRegistry;
  presence: Presence;
  messagesPerSecondMax: number;
  now: () => number;
};

/** Messages by type. Those of type `slot` are not counted here: their decisions are. */
export type MessageCounts = { hello: number; plays: number; cannot_play: number; bad: number };

export class Conversation {
  /** Since the start. */
  readonly counts: MessageCounts = { hello: 0, plays: 0, cannot_play: 0, bad: 0 };
  readonly #dependencies: ConversationDependencies;
  readonly #ungreeted = new Set<Session>();
  readonly #sweepTimer: NodeJS.Timeout;
  readonly #presenceTimer: NodeJS.Timeout;
  #draining = false;
  /** When the last round of presence was. */
  #notedAtMs: Milliseconds;

  constructor(dependencies: ConversationDependencies) {
    this.#dependencies = dependencies;
    this.#notedAtMs = dependencies.now();
    this.#sweepTimer = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#presenceTimer = setInterval(() => this.#notePresence(), PRESENCE_ROUND_MS);
  }

  /** A connection from this address was upgraded with this codec. */
  opened(codec: Codec, link: Link, address: string): Session {
    const { limits, now, messagesPerSecondMax } = this.#dependencies;
    const session = new Session({ codec, address, nowMs: now(), messagesPerSecondMax });
    session.attach(link);
    const excess = limits.opened(session);
    if (excess !== session) this.#ungreeted.add(session);
    if (excess !== undefined) endSilent(excess);
    return session;
  }

  /** A frame arrived. It is valid during the call only. */
  received(session: Session, frame: ArrayBuffer, binary: boolean): void {
    if (!session.isReachable) return; // its answer would have no receiver
    const { messagesPerSecondMax } = this.#dependencies;
    const nowMs = this.#dependencies.now();
    const bytesMax = session.state === 'new' ? HELLO_BYTES_MAX : MESSAGE_BYTES_MAX;
    if (frame.byteLength > bytesMax) {
      session.sendError(
        'too_large',
        `a message has at most ${bytesMax} bytes${session.state === 'new' ? ' before hello' : ''}`,
      );
      return session.end(CLOSE.protocolError, 'message too large');
    }
    if (!session.admits(nowMs, messagesPerSecondMax)) return this.#endTooMany(session);
    if (session.state === 'open' && binary === session.codec.binary && !this.#draining) {
      const request = session.codec.readSlot(frame, nowMs);
      if (request !== undefined) return this.#dependencies.slots.answer(session, request, nowMs);
    }
    const value = binary === session.codec.binary ? session.codec.decode(frame) : undefined;
    if (value === undefined) {
      this.counts.bad++;
      return session.sendError('bad_message', `not a ${session.codec.subprotocol} message`);
    }
    return this.#dispatch(session, value, nowMs);
  }

  /** A ping or a pong arrived, which the library answers: it counts as a message, and too many end the connection. */
  receivedControl(session: Session): void {
    if (
      session.state !== 'closed' &&
      !session.admits(this.#dependencies.now(), this.#dependencies.messagesPerSecondMax)
    )
      this.#endTooMany(session);
  }

  closed(session: Session): void {
    const wasOpen = session.state === 'open';
    this.#dependencies.limits.closed(session);
    session.detach();
    this.#ungreeted.delete(session);
    // A replaced session does not affect the presence of its screen, which is connected elsewhere. In a drain the
    // screens are sent to other processes: a deploy must not record fifteen thousand of them as offline and online
    // again; the workers find those that do not come back (`sweep-presence`).
    if (wasOpen && this.#dependencies.registry.drop(session) && !session.isReplaced && !this.#draining)
      this.#dependencies.presence.note(session.screenHandle, {
        online: false,
        atMs: this.#dependencies.now(),
        play: session.takePlay(),
      });
  }

  /**
   * Accepts no new work: slots get `not_ready`, and screens with a pending hello or welcome are sent to other
   * processes.
   */
  drain(): void {
    this.#draining = true;
    for (const session of this.#ungreeted)
      if (session.state !== 'open') session.end(CLOSE.draining, 'draining: reconnect elsewhere, after a random wait');
  }

  close(): void {
    clearInterval(this.#sweepTimer);
    clearInterval(this.#presenceTimer);
  }

  #endTooMany(session: Session): void {
    session.sendError(
      'too_many',
      session.state === 'open'
        ? `at most ${this.#dependencies.messagesPerSecondMax} messages per second on average`
        : 'too many messages before a hello',
    );
    session.end(CLOSE.tooMany, 'too many messages');
  }

  #dispatch(session: Session, value: unknown, nowMs: Milliseconds): void {
    const { handshake, slots, reports } = this.#dependencies;
    const message = readMessage(value, nowMs);
    if ('fault' in message) {
      this.counts.bad++;
      return session.sendError(message.fault, message.message, message.id);
    }
    if (message.t === 'hello') {
      this.counts.hello++;
      if (session.state !== 'new') return session.sendError('bad_message', 'hello was said already');
      return this.#draining ? session.end(CLOSE.draining, 'draining') : handshake.greet(session, message);
    }
    if (session.state !== 'open')
      return session.sendError('not_ready', 'say hello first and wait for welcome', message.id);
    if (message.t === 'slot') {
      return this.#draining
        ? session.sendError('not_ready', 'draining', message.id)
        : slots.answer(session, message, nowMs);
    }
    this.counts[message.t]++;
    return message.t === 'plays'
      ? reports.takePlays(session, message, nowMs)
      : reports.takeCannotPlay(session, message);
  }

  #sweep(): void {
    const nowMs = this.#dependencies.now();
    for (const session of this.#dependencies.limits.left()) endSilent(session);
    for (const session of this.#ungreeted) {
      // A greeting session has sent its hello, and waits for its turn or for Postgres.
      if (session.state === 'open') this.#ungreeted.delete(session);
      else if (session.state === 'new') this.#remind(session, session.openMs(nowMs));
    }
  }

  #remind(session: Session, silentMs: Milliseconds): void {
    if (silentMs >= HELLO_MS_MAX) return session.end(CLOSE.noHello, 'no hello within 5 s');
    const { arrival } = session;
    if (silentMs < REMINDER_MS || arrival === undefined || arrival.isReminded || arrival.frames > 0) return;
    arrival.isReminded = true;
    session.sendError(
      'not_ready',
      'no hello has come; one that is sent before the answer to the upgrade is lost: say hello again',
    );
  }

  /**
   * A thirtieth of the sessions each second, so that each of them is noted once in half a minute. A process that waits
   * for a core has fewer rounds. Each round then has more sessions, or playing screens would be reported as offline.
   */
  #notePresence(): void {
    const { registry, presence, now } = this.#dependencies;
    const nowMs = now();
    const sinceMs = nowMs - this.#notedAtMs;
    this.#notedAtMs = nowMs;
    registry.visitNext(Math.ceil((registry.size * sinceMs) / PRESENCE_MS), session => {
      if (session.sinceNotedMs(nowMs) < PRESENCE_MS / 2) return;
      session.noted(nowMs);
      presence.note(session.screenHandle, { online: true, atMs: nowMs, play: session.takePlay() });
      if (session.silentMs(nowMs) >= SILENT_MS) session.ping();
    });
  }
}

function endSilent(session: Session): void {
  countRefusedSocket('silent');
  session.end(CLOSE.draining, 'too many connections that did not say hello: reconnect after a random wait');
}
