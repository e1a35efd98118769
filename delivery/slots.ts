/**
 * Answers `slot`: decides each slot, signs what it gives and writes the `fill`. A number is in the issue log's block before
 * it is taken (`budget/reservations`), so a fill is on record before it can reach a screen; that it was used is noted here
 * and written on the next tick.
 */
import { REASON_NUMBER, reasonOf } from '#domain/decision.ts';
import { expiresAt, type PlayFacts, type SigningKey } from '#domain/play.ts';
import type { IssueLog } from './budget/issue-log.ts';
import { type Engine, FILLED } from './decision/engine.ts';
import type { Trace } from './decision/trace.ts';
import { observeDecision } from './instruments.ts';
import { signPlay, signScan } from './play-id.ts';
import type { PlanFills } from './plan-fills.ts';
import type { SlotRequest } from './protocol/inbound.ts';
import type { Session } from './session.ts';
import type { Store } from './snapshot/store.ts';

/** One decision in so many is timed: reading the clock twice costs a tenth of it. */
const TIMED_EVERY = 8;

export type SlotDesk = {
  /** Sends the `fill` for a request of an open session. */
  answer(session: Session, request: SlotRequest, nowMs: number): void;
};

export function createSlotDesk({ store, engine, trace, issueLog, planFills, epoch, signingKey }: {
  store: Store; engine: Engine; trace: Trace; issueLog: IssueLog; planFills: PlanFills; epoch: number; signingKey: SigningKey;
}): SlotDesk {
  let decisions = 0;

  const decide = (slot: { screen: number; atMs: number; maxDurationMs: number }): number => {
    if (decisions++ % TIMED_EVERY !== 0) return engine.decide(slot);
    const from = performance.now();
    const answer = engine.decide(slot);
    observeDecision(performance.now() - from);
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
      epoch,
      issueNumber: fill.issueNumber,
    };
  };
  return {
    answer(session, { id, at, count, maxDurationMs, plan }, nowMs) {
      const { fills } = session.codec;
      let room = plan ? planFills.roomFor(session.screenHandle, nowMs) : count;
      const slot = { screen: session.screen, atMs: at, maxDurationMs };
      fills.begin(id);
      for (let left = count; left > 0; left--) {
        const { atMs } = slot;
        const answer = room > 0 ? decide(slot) : REASON_NUMBER.paced_out;
        trace.record(slot, answer, engine.fill.campaign);
        if (answer !== FILLED) {
          fills.noFill(reasonOf(answer));
          slot.atMs += maxDurationMs;
          continue;
        }
        const facts = factsOf(session, atMs, plan);
        const expiresAtMs = expiresAt(facts);
        issueLog.used({ campaign: facts.campaign, number: facts.issueNumber, screen: facts.screen, slotAtMs: atMs, micros: engine.fill.costMicros });
        fills.fill(engine.fill.creative!.parts, { playId: signPlay(facts, signingKey), scanCode: signScan(facts, signingKey), startsAt: atMs, expiresAt: expiresAtMs });
        if (plan) {
          planFills.opened(facts, expiresAtMs);
          room--;
        }
        slot.atMs += facts.durationMs;
      }
      session.sendFrame(fills.end(count));
    },
  };
}
