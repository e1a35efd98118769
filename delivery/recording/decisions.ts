/** Puts together what decides: the money that may be spent, the engine over it, and what is written down of both. */
import type { Epoch } from '../budget/current-epoch.ts';
import type { Clocks } from '../clocks.ts';
import { Engine } from '../decision/engine.ts';
import { Reservations } from '../decision/reservations.ts';
import type { Store } from '../snapshot/store.ts';
import type { DecisionRows } from './decision-rows.ts';
import { RecordedEngine, type RecordedEngineOptions } from './recorded-engine.ts';
import { DecisionRecorder } from './recorder.ts';
import { RefusedPlays } from './refused-plays.ts';

export type Decisions = {
  reservations: Reservations;
  engine: RecordedEngine;
  recorder: DecisionRecorder;
  refusedPlays: RefusedPlays;
};

export type DecisionsOptions = {
  store: Store;
  rows: DecisionRows;
  /** The epoch under which plays are issued, as it is at each moment. */
  current: Epoch;
  clocks: Clocks;
} & Pick<RecordedEngineOptions, 'observe'>;

export function createDecisions({ store, rows, current, clocks, observe }: DecisionsOptions): Decisions {
  const { index, screens } = store;
  const reservations = new Reservations({
    campaigns: index.campaigns,
    openBlock: block => current.issueLog.openBlock(block),
    monotonicMs: clocks.monotonicMsOfNow, // each message of a screen asks for the time of day when it comes
  });
  const engine = new Engine({ index, screens, reservations });
  const recorder = new DecisionRecorder({
    index,
    screens,
    reservations,
    engine,
    rows,
    current,
    revision: () => store.revision,
  });
  store.onApplied((changes, effects) => recorder.applied(changes, effects));
  return {
    reservations,
    engine: new RecordedEngine({ engine, recorder, ...(observe && { observe }) }),
    recorder,
    refusedPlays: new RefusedPlays(),
  };
}
