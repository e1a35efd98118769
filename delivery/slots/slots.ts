/**
 * Answers `slot`: decides each slot, signs what it gives and writes the `fill`. A number is in the issue log's block before
 * it is taken (`budget/reservations`), so a fill is on record before it can reach a screen; that it was used is noted here
 * and written on the next tick.
 */
import { REASON_NUMBER, reasonOf } from '#domain/plays/decision.ts';
import { expiresAt, type PlayFacts, type SigningKey, windowEndsAt } from '#domain/plays/play.ts';
import type { CurrentEpoch } from '../budget/epoch-keeper.ts';
import type { IssuedPlays } from '../budget/issued-plays.ts';
import type { Reservations } from '../budget/reservations.ts';
import { type Engine, FILLED } from '../decision/engine.ts';
import type { Trace } from '../decision/trace.ts';
import type { HeldBound } from './held-bound.ts';
import { observeDecision } from '../instruments.ts';
import { signFill } from './play-id.ts';
import type { PlanFills } from './plan-fills.ts';
import type { SlotRequest } from '../protocol/inbound.ts';
import type { DecisionRecorder } from '../recording/recorder.ts';
import type { Session } from '../screens/session.ts';
import type { Store } from '../snapshot/store.ts';

/** Of the decisions of a second so many are timed, then one in sixteen: timing and counting one costs a third of it. */
const TIMED_PER_SECOND = 500;
const TIMED_EVERY = 16;
const SECOND_MS = 1_000;

export type SlotDesk = {
  /** Sends the `fill` for a request of an open session. */
  answer(session: Session, request: SlotRequest, nowMs: number): void;
};

export function createSlotDesk({
  store,
  engine,
  reservations,
  trace,
  recorder,
  current,
  issuedPlays,
  planFills,
  heldBound,
  signingKey,
  observe = observeDecision,
}: {
  store: Store;
  engine: Engine;
  reservations: Reservations;
  trace: Trace;
  recorder: DecisionRecorder;
  current: CurrentEpoch;
  issuedPlays: IssuedPlays;
  planFills: PlanFills;
  heldBound: HeldBound | undefined;
  signingKey: SigningKey;
  observe?: (ms: number) => void;
}): SlotDesk {
  let decisions = 0;
  let secondEndsAtMs = 0;

  const decide = (slot: { screen: number; atMs: number; maxDurationMs: number }, nowMs: number): number => {
    if (nowMs >= secondEndsAtMs) {
      secondEndsAtMs = nowMs + SECOND_MS;
      decisions = 0;
    }
    decisions++;
    if (decisions > TIMED_PER_SECOND && decisions % TIMED_EVERY !== 0) return engine.decide(slot);
    const from = performance.now();
    const answer = engine.decide(slot);
    observe(performance.now() - from);
    return answer;
  };
  const factsOf = (session: Session, startsAt: number, plan: boolean): PlayFacts => {
    const { fill } = engine;
    const { screens, index } = store;
    return {
      campaign: index.handles[fill.campaign]!,
      creative: fill.creative!.handle,
      screen: session.screenHandle,
      venue: screens.venueAt(session.screen).facts.handle,
      sandbox: screens.sandbox[session.screen] === 1,
      plan,
      sensor: screens.sensor[session.screen] === 1,
      startsAt,
      durationMs: fill.creative!.durationMs,
      rateMicros: fill.rateMicros,
      impressionsEst: fill.impressionsEst,
      impressionsMax: fill.impressionsMax,
      epoch: current.epoch,
      issueNumber: fill.issueNumber,
    };
  };
  return {
    answer(session, { id, at, count, maxDurationMs, plan }, nowMs) {
      const { fills } = session.codec;
      // Of a plan in fills, of live slots in ad time.
      let room = plan
        ? planFills.roomFor(session.screenHandle, nowMs)
        : (heldBound?.roomFor(session.screen, nowMs) ?? Infinity);
      const slot = { screen: session.screen, atMs: at, maxDurationMs };
      reservations.planning = plan;
      fills.begin(id);
      for (let left = count; left > 0; left--) {
        const { atMs } = slot;
        recorder.deciding(slot.screen, room > 0);
        const answer = room > 0 ? decide(slot, nowMs) : REASON_NUMBER.paced_out;
        trace.record(slot, answer, engine.fill.campaign);
        recorder.decided(slot, answer, nowMs);
        if (answer !== FILLED) {
          fills.noFill(reasonOf(answer));
          slot.atMs += maxDurationMs;
          continue;
        }
        const facts = factsOf(session, atMs, plan);
        const expiresAtMs = expiresAt(facts);
        noteIssued(facts, { screen: session.screen, micros: engine.fill.costMicros, nowMs, current, issuedPlays });
        fills.fill(engine.fill.creative!.files[session.profile]!.parts, signFill(facts, signingKey, expiresAtMs));
        if (plan) planFills.opened(facts, expiresAtMs);
        room -= plan ? 1 : facts.durationMs;
        slot.atMs += facts.durationMs;
      }
      reservations.planning = false;
      session.sendFrame(fills.end(count));
    },
  };
}

/** Before the fill is sent: where it survives this process, and what may be given back should it never be played. `screen` is its integer in the table. */
function noteIssued(
  facts: PlayFacts,
  {
    screen,
    micros,
    nowMs,
    current,
    issuedPlays,
  }: { screen: number; micros: number; nowMs: number; current: CurrentEpoch; issuedPlays: IssuedPlays },
): void {
  const { campaign, epoch, issueNumber, startsAt, durationMs, plan } = facts;
  current.issueLog.used({ campaign, number: issueNumber, screen: facts.screen, slotAtMs: startsAt, micros, plan });
  issuedPlays.add({
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
