/** How often each answer was given since the start. The metrics read it. */
import { NO_FILL_REASONS } from '#domain/plays/decision.ts';
import { FILLED } from '../decision/engine.ts';

export class AnswerCounts {
  fills = 0;
  readonly noFills = new Float64Array(NO_FILL_REASONS.length);

  /** Counts one answer of `Engine.decide`. */
  add(answer: number): void {
    if (answer === FILLED) this.fills++;
    else this.noFills[answer]!++;
  }
}
