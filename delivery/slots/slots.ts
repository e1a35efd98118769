/**
 * Answers `slot`: decides each slot, signs what it gives and writes the `fill`. The number of a fill is in a block of the
 * issue log before it is taken (`budget/reservations.ts`), so a fill is on record before it can reach a screen; that the
 * number was used is noted here and written on the next tick. The conversation calls this for each request of a screen.
 */
import type { Index } from '#domain/id.ts';
import { REASON_NUMBER, reasonOf } from '#domain/plays/decision.ts';
import { expiresAt, type PlayFacts, type SigningKey, windowEndsAt } from '#domain/plays/play.ts';
import type { Epoch } from '../budget/current-epoch.ts';
import type { IssuedPlays } from '../budget/issued-plays.ts';
import type { Reservations } from '../budget/reservations.ts';
import { type Engine, FILLED } from '../decision/engine.ts';
import type { Slot } from '../decision/slot-view.ts';
import type { Trace } from '../decision/trace.ts';
import type { HeldBound } from './held-bound.ts';
import { observeDecision } from '../instruments.ts';
import { signFill } from './play-id.ts';
import type { PlanFills } from './plan-fills.ts';
import type { SlotRequest } from '../protocol/inbound.ts';
import type { DecisionRecorder } from '../recording/recorder.ts';
import type { Session } from '../screens/session.ts';
import type { Store } from '../snapshot/store.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** So many decisions of a second are timed, then one in sixteen: timing a decision costs a third of the decision itself. */
const TIMED_PER_SECOND = 500;
const TIMED_EVERY = 16;
const SECOND_MS = 1_000;

type DecisionObserver = (ms: Milliseconds) => void;

export type SlotHandlerDependencies = {
  store: Store;
  engine: Engine;
  reservations: Reservations;
  trace: Trace;
  recorder: DecisionRecorder;
  current: Epoch;
  issuedPlays: IssuedPlays;
  planFills: PlanFills;
  /** Absent where plays of one screen may overlap. */
  heldBound: HeldBound | undefined;
  signingKey: SigningKey;
  /** Told of the decisions that are timed. */
  observe?: DecisionObserver;
};

export class SlotHandler {
  readonly #store: Store;
  readonly #engine: Engine;
  readonly #reservations: Reservations;
  readonly #trace: Trace;
  readonly #recorder: DecisionRecorder;
  readonly #current: Epoch;
  readonly #issuedPlays: IssuedPlays;
  readonly #planFills: PlanFills;
  readonly #heldBound: HeldBound | undefined;
  readonly #signingKey: SigningKey;
  readonly #observe: DecisionObserver;
  /** Of the second that ends at `#secondEndsAtMs`. */
  #decisions = 0;
  #secondEndsAtMs = 0;

  constructor(dependencies: SlotHandlerDependencies) {
    this.#store = dependencies.store;
    this.#engine = dependencies.engine;
    this.#reservations = dependencies.reservations;
    this.#trace = dependencies.trace;
    this.#recorder = dependencies.recorder;
    this.#current = dependencies.current;
    this.#issuedPlays = dependencies.issuedPlays;
    this.#planFills = dependencies.planFills;
    this.#heldBound = dependencies.heldBound;
    this.#signingKey = dependencies.signingKey;
    this.#observe = dependencies.observe ?? observeDecision;
  }

  /** Sends the `fill` for a request of an open session. */
  answer(session: Session, { id, at, count, maxDurationMs, plan }: SlotRequest, nowMs: Milliseconds): void {
    const { fills } = session.codec;
    const slot = { screen: session.screen, atMs: at, maxDurationMs };
    let room = this.#roomFor(session, plan, nowMs);
    this.#reservations.planning = plan;
    fills.begin(id);
    for (let left = count; left > 0; left--) {
      const answer = this.#decide(slot, room > 0, nowMs);
      if (answer !== FILLED) {
        fills.noFill(reasonOf(answer));
        slot.atMs += maxDurationMs;
        continue;
      }
      const durationMs = this.#writeFill(session, { startsAt: slot.atMs, plan, nowMs });
      room -= plan ? 1 : durationMs;
      slot.atMs += durationMs;
    }
    this.#reservations.planning = false;
    session.sendFrame(fills.end(count));
  }

  /** What the screen may still take: of plans a number of fills, of live slots an ad time in ms. */
  #roomFor(session: Session, plan: boolean, nowMs: Milliseconds): number {
    if (plan) return this.#planFills.roomFor(session.screenHandle, nowMs);
    return this.#heldBound?.roomFor(session.screen, nowMs) ?? Infinity;
  }

  /** Decides one slot, and records the answer. A screen without room is paced out without a decision. */
  #decide(slot: Slot, hasRoom: boolean, nowMs: Milliseconds): number {
    this.#recorder.deciding(slot.screen, hasRoom);
    const answer = hasRoom ? this.#timedDecision(slot, nowMs) : REASON_NUMBER.paced_out;
    this.#trace.record(slot, answer, this.#engine.fill.campaign);
    this.#recorder.decided(slot, answer, nowMs);
    return answer;
  }

  #timedDecision(slot: Slot, nowMs: Milliseconds): number {
    if (nowMs >= this.#secondEndsAtMs) {
      this.#secondEndsAtMs = nowMs + SECOND_MS;
      this.#decisions = 0;
    }
    this.#decisions++;
    if (this.#decisions > TIMED_PER_SECOND && this.#decisions % TIMED_EVERY !== 0) return this.#engine.decide(slot);
    const from = performance.now();
    const answer = this.#engine.decide(slot);
    this.#observe(performance.now() - from);
    return answer;
  }

  /** Notes the engine's fill as issued, signs it and writes it into the frame. Answers the ad's duration in ms. */
  #writeFill(
    session: Session,
    { startsAt, plan, nowMs }: { startsAt: number; plan: boolean; nowMs: Milliseconds },
  ): number {
    const { fill } = this.#engine;
    const facts = this.#factsOf(session, startsAt, plan);
    const expiresAtMs = expiresAt(facts);
    this.#noteIssued(facts, session.screen, nowMs);
    session.codec.fills.fill(
      fill.creative!.files[session.profile]!.parts,
      signFill(facts, this.#signingKey, expiresAtMs),
    );
    if (plan) this.#planFills.opened(facts, expiresAtMs);
    return facts.durationMs;
  }

  #factsOf(session: Session, startsAt: number, plan: boolean): PlayFacts {
    const { fill } = this.#engine;
    const { screens, index } = this.#store;
    return {
      campaign: index.handleAt(fill.campaign),
      creative: fill.creative!.handle,
      screen: session.screenHandle,
      venue: screens.venueAt(session.screen).facts.handle,
      sandbox: screens.isSandbox(session.screen),
      plan,
      sensor: screens.hasSensor(session.screen),
      startsAt,
      durationMs: fill.creative!.durationMs,
      rateMicros: fill.rateMicros,
      impressionsEst: fill.impressionsEst,
      impressionsMax: fill.impressionsMax,
      epoch: this.#current.epoch,
      issueNumber: fill.issueNumber,
    };
  }

  /**
   * Before the fill is sent: notes it in the log, which survives this process, and among the plays that may be given back.
   * `screen` is the screen's integer in the table.
   */
  #noteIssued(facts: PlayFacts, screen: Index<'screen'>, nowMs: Milliseconds): void {
    const { campaign, epoch, issueNumber, startsAt, durationMs, plan } = facts;
    const micros = this.#engine.fill.costMicros;
    this.#current.issueLog.used({
      campaign,
      number: issueNumber,
      screen: facts.screen,
      slotAtMs: startsAt,
      micros,
      plan,
    });
    this.#issuedPlays.add({
      screen,
      campaign,
      epoch,
      issueNumber,
      micros,
      startsAtMs: startsAt,
      durationMs,
      windowEndsAt: windowEndsAt(facts),
      plan,
      nowMs,
    });
  }
}
