/**
 * The engine as the service uses it. Whatever can change a later answer is written down by the recorder before it
 * happens, and every decision with its answer; of some of them the time is observed.
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
 * So many decisions of a second are timed, then one in sixty-four: timing a decision costs a third of the decision
 * itself.
 */
const TIMED_PER_SECOND = 500;
const TIMED_EVERY = 64;
const SECOND_MS = 1_000;
/** So long a group counts as prepared: less than any lease is held without a play. */
const PREPARED_MS = 5_000;

export type RecordedEngineOptions = {
  engine: Engine;
  recorder: DecisionRecorder;
  /** Told of the decisions that are timed. */
  observe?: (ms: Milliseconds) => void;
};

export class RecordedEngine {
  /** What the last slot got. One object, overwritten by the next decision. */
  readonly fill: Fill;
  readonly answers = new AnswerCounts();
  readonly #engine: Engine;
  readonly #recorder: DecisionRecorder;
  readonly #observe: (ms: Milliseconds) => void;
  readonly #preparedAtMs = new WeakMap<Group, Milliseconds>();
  /** Of the second that ends at `#secondEndsAtMs`. */
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
   * Prepares for the slots of a screen, unless that was done for one of its group a moment ago: screens come back by
   * the thousand. A screen whose plays cost more than that one's may find too little money for its first slot.
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
   * Changes no later answer by itself: the money that comes of it is recorded when it has come.
   * @see Engine.prepareCampaign
   */
  prepareCampaign(screen: Index<'screen'>, campaign: Index<'campaign'>): void {
    this.#engine.prepareCampaign(screen, campaign);
  }

  /** Lists that are whole are the same whenever they are made; short ones depend on when. @see Engine.refresh */
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
