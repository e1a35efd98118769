/** A finding about a screen or a venue: raised by a review, decided by the operator. */
import { refuse, type Refusal } from '../../refusal.ts';
import { defineMachine, next } from '../../transition.ts';

const findingMachine = defineMachine({
  states: ['open', 'cleared', 'upheld'],
  moves: [
    { from: 'open', on: 'clear', to: 'cleared' },
    { from: 'open', on: 'uphold', to: 'upheld' },
  ],
});
export type FindingState = (typeof findingMachine.states)[number];
export const FINDING_STATES = findingMachine.states;

/** The state after the operator's decision; `state_conflict` where it was decided already. */
export function decideFinding(state: FindingState, decision: 'clear' | 'uphold'): FindingState | Refusal {
  return next(findingMachine, state, decision) ?? refuse('state_conflict', `The finding is ${state} already.`);
}
