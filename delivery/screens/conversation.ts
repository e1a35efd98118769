/**
 * What happens to each frame of a screen: size, rate, decoding, then the desk for its type. Whatever arrives, the answer
 * is a message or a close code of the contract.
 */
import type { Door } from '../sockets/door.ts';
import type { Handshake } from '../sockets/handshake.ts';
import { countMessage, countRefusedSocket } from '../instruments.ts';
import type { Presence } from './presence.ts';
import { CLOSE, HELLO_BYTES_MAX, MESSAGE_BYTES_MAX } from '../protocol/bounds.ts';
import type { Codec } from '../protocol/codec.ts';
import { readMessage } from '../protocol/inbound.ts';
import type { ReportDesk } from '../reports/reports.ts';
import { type Link, Session } from './session.ts';
import type { SessionRegistry } from './session-registry.ts';
import type { SlotDesk } from '../slots/slots.ts';

const HELLO_MS_MAX = 5_000;
/**
 * A client that sends its hello before the answer to its upgrade has come (against RFC 6455, section 4.1) loses it: the
 * library drops what stands behind the request in the same segment and tells nobody. So whoever was silent for so long is
 * told that no hello has come, in time to say it again.
 */
const REMINDER_MS = 3_000;
/** Half a second more than the contract's 5 s at worst. */
const SWEEP_MS = 500;
/** Connected screens are noted as seen this often, each in its own second; one noted within the last half is left out. */
const PRESENCE_MS = 30_000;
const BEAT_MS = 1_000;
/**
 * A screen that was silent for so long is pinged at its beat. Beats are at most 31 s apart, so this comes before the
 * library's own ping after 44 s of silence, which all screens of a storm would get, and answer, within the same instant.
 */
const SILENT_MS = 10_000;

type Parts = {
  door: Door;
  handshake: Handshake;
  slots: SlotDesk;
  reports: ReportDesk;
  registry: SessionRegistry;
  presence: Presence;
  messagesPerSecondMax: number;
  now: () => number;
};

export class Conversation {
  readonly #parts: Parts;
  readonly #ungreeted = new Set<Session>();
  readonly #sweepTimer: NodeJS.Timeout;
  readonly #beatTimer: NodeJS.Timeout;
  #draining = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#sweepTimer = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#beatTimer = setInterval(() => this.#beat(), BEAT_MS);
  }

  /** A connection from this address was upgraded with this codec. */
  opened(codec: Codec, link: Link, address: string): Session {
    const { door, now, messagesPerSecondMax } = this.#parts;
    const session = new Session({ codec, address, nowMs: now(), messagesPerSecondMax });
    session.attach(link);
    const leaves = door.arrive(session);
    if (leaves !== session) this.#ungreeted.add(session);
    if (leaves !== undefined) {
      countRefusedSocket('silent');
      leaves.end(CLOSE.draining, 'too many connections that did not say hello: reconnect after a random wait');
    }
    return session;
  }

  /** A frame arrived. It is valid during the call only. */
  received(session: Session, frame: ArrayBuffer, binary: boolean): void {
    if (session.state === 'closed') return;
    const { messagesPerSecondMax } = this.#parts;
    const nowMs = this.#parts.now();
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
      if (request !== undefined) return this.#parts.slots.answer(session, request, nowMs);
    }
    const value = binary === session.codec.binary ? session.codec.decode(frame) : undefined;
    if (value === undefined) {
      countMessage('bad');
      return session.sendError('bad_message', `not a ${session.codec.subprotocol} message`);
    }
    return this.#dispatch(session, value, nowMs);
  }

  /** A ping or a pong arrived, whose answer is the library's: it counts as a message, and a flood of them ends the connection. */
  receivedControl(session: Session): void {
    if (session.state !== 'closed' && !session.admits(this.#parts.now(), this.#parts.messagesPerSecondMax))
      this.#endTooMany(session);
  }

  closed(session: Session): void {
    const wasOpen = session.state === 'open';
    this.#parts.door.leave(session);
    session.detach();
    this.#ungreeted.delete(session);
    // A session that was replaced says nothing about the screen, which is connected elsewhere; nor does one that was sent
    // elsewhere: a deploy is no news of fifteen thousand screens, and the sweep finds those that do not come back.
    if (wasOpen && this.#parts.registry.drop(session) && !session.isReplaced && !this.#draining)
      this.#parts.presence.note(session.screenHandle, false, this.#parts.now());
  }

  /** No new work: slots are answered with `not_ready`, and who says hello, or waits for a welcome, is sent elsewhere. */
  drain(): void {
    this.#draining = true;
    for (const session of this.#ungreeted)
      if (session.state !== 'open') session.end(CLOSE.draining, 'draining: reconnect elsewhere, after a random wait');
  }

  close(): void {
    clearInterval(this.#sweepTimer);
    clearInterval(this.#beatTimer);
  }

  #endTooMany(session: Session): void {
    session.sendError(
      'too_many',
      session.state === 'open'
        ? `at most ${this.#parts.messagesPerSecondMax} messages per second on average`
        : 'too many messages before a hello',
    );
    session.end(CLOSE.tooMany, 'too many messages');
  }

  #dispatch(session: Session, value: unknown, nowMs: number): void {
    const { handshake, slots, reports } = this.#parts;
    const message = readMessage(value, nowMs);
    if ('fault' in message) {
      countMessage('bad');
      return session.sendError(message.fault, message.message, message.id);
    }
    if (message.t === 'hello') {
      countMessage('hello');
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
    countMessage(message.t);
    return message.t === 'plays'
      ? reports.takePlays(session, message, nowMs)
      : reports.takeCannotPlay(session, message);
  }

  #sweep(): void {
    const nowMs = this.#parts.now();
    for (const session of this.#ungreeted) {
      // Waiting for its turn, or for a look-up in Postgres, is not the screen's silence.
      if (session.state === 'open' || session.state === 'closed') this.#ungreeted.delete(session);
      else if (session.state === 'new') this.#remind(session, nowMs - session.connectedAtMs);
    }
  }

  #remind(session: Session, silentMs: number): void {
    if (silentMs >= HELLO_MS_MAX) return session.end(CLOSE.noHello, 'no hello within 5 s');
    if (silentMs < REMINDER_MS || session.isReminded || session.framesAsStranger > 0) return;
    session.isReminded = true;
    session.sendError(
      'not_ready',
      'no hello has come; one that is sent before the answer to the upgrade is lost: say hello again',
    );
  }

  /** Each session once in half a minute, a thirtieth of them a second. */
  #beat(): void {
    const { registry, presence, now } = this.#parts;
    const nowMs = now();
    registry.visitNext(Math.ceil((registry.size * BEAT_MS) / PRESENCE_MS), session => {
      if (nowMs - session.notedAtMs < PRESENCE_MS / 2) return;
      session.notedAtMs = nowMs;
      presence.note(session.screenHandle, true, nowMs);
      if (nowMs - session.heardAtMs >= SILENT_MS) session.ping();
    });
  }
}
