/**
 * The engine with recording. Everything that can change a later answer is recorded before it happens, and every
 * decision with its answer; some decisions are timed.
 */
import type { Index } from '#domain/id.ts';
import { REASON_NUMBER } from '#domain/plays/decision.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Engine, Fill } from '../decision/engine.ts';
import type { Group } from '../decision/places/group.ts';
import type { Slot } from '../decision/slot-view.ts';
import { observeDecision } from '../instruments.ts';
import { AnswerCounts } from './answer-counts.ts';
import type { DecisionRecorder } from './recorder.ts';

/**
 * This many decisions a second are timed, then one in sixty-four: timing a decision costs a third of the decision
 * itself.
 */
const TIMED_PER_SECOND = 500;
const TIMED_EVERY = 64;
const SECOND_MS = 1_000;
/** How long a group counts as prepared: shorter than any lease is kept without a play. */
const PREPARED_MS = 5_000;

export type RecordedEngineOptions = {
  engine: Engine;
  recorder: DecisionRecorder;
  /** Called with each timed decision. */
  observe?: (ms: Milliseconds) => void;
};

export class RecordedEngine {
  /** The result of the last slot. One object, overwritten by the next decision. */
  readonly fill: Fill;
  readonly answers = new AnswerCounts();
  readonly #engine: Engine;
  readonly #recorder: DecisionRecorder;
  readonly #observe: (ms: Milliseconds) => void;
  readonly #preparedAtMs = new WeakMap<Group, Milliseconds>();
  /** Counts of the second that ends at `#secondEndsAtMs`. */
  #decisions = 0;
  #secondEndsAtMs = 0;

  constructor({ engine, recorder, observe = observeDecision }: RecordedEngineOptions) {
    this.fill = engine.fill;
    this.#engine = engine;
    this.#recorder = recorder;
    this.#observe = observe;
  }

  /** Decides one slot as `Engine.decide` does; a screen without room is paced out without a decision. */
  decide(slot: Slot, hasRoom: boolean, nowMs: Milliseconds): number {
    this.#recorder.deciding(slot.screen, hasRoom);
    const answer = hasRoom ? this.#decideTimed(slot, nowMs) : REASON_NUMBER.paced_out;
    this.answers.add(answer);
    this.#recorder.decided(slot, answer, nowMs);
    return answer;
  }

  /**
   * Prepares for the slots of a screen, unless that was done for one of its group a moment ago: thousands of screens
   * reconnect together. A screen with a higher price may find too little money for its first slot.
   * @see Engine.prepare
   */
  prepare(screen: Index<'screen'>, atMs: Milliseconds): void {
    const group = this.#engine.groupOf(screen);
    const sinceMs = atMs - (this.#preparedAtMs.get(group) ?? -Infinity);
    if (sinceMs >= 0 && sinceMs < PREPARED_MS) return;
    this.#preparedAtMs.set(group, atMs);
    this.#recorder.preparing(screen, atMs);
    this.#engine.prepare(screen, atMs);
  }

  /**
   * Does not change a later answer directly: the requested money is recorded on arrival.
   * @see Engine.prepareCampaign
   */
  prepareCampaign(screen: Index<'screen'>, campaign: Index<'campaign'>): void {
    this.#engine.prepareCampaign(screen, campaign);
  }

  /** Complete lists are the same whenever they are made; short ones depend on the time. @see Engine.refresh */
  refresh(atMs: Milliseconds, steps: number): boolean {
    if (this.#engine.hasShortLists()) this.#recorder.refreshing(atMs, steps);
    return this.#engine.refresh(atMs, steps);
  }

  #decideTimed(slot: Slot, nowMs: Milliseconds): number {
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
}
