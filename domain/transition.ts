/**
 * How a state machine is declared: its states, and each move as one line of a table. A move that is not in the table is
 * impossible. A machine is data; the owner of a row keeps the row's state.
 */
import { assert } from './assertion.ts';

export type Move<State extends string, Event extends string> = {
  readonly from: State;
  readonly on: Event;
  readonly to: State;
};

export type Machine<State extends string, Event extends string> = {
  readonly states: readonly State[];
  readonly moves: readonly Move<State, Event>[];
};

/**
 * Declares a machine.
 * @throws Bug if a state is duplicated, or two moves leave one state on the same event.
 */
export function defineMachine<const State extends string, const Event extends string>(machine: {
  states: readonly State[];
  moves: readonly Move<NoInfer<State>, Event>[];
}): Machine<State, Event> {
  assert(new Set(machine.states).size === machine.states.length, 'a state stands twice');
  const seen = new Set(machine.moves.map(({ from, on }) => `${from} ${on}`));
  assert(seen.size === machine.moves.length, 'two moves leave one state on the same event');
  return machine;
}

/** The state after an event, or undefined if the machine has no such move. */
export function next<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State | undefined {
  return machine.moves.find(move => move.from === state && move.on === event)?.to;
}
