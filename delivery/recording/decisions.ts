/** Assembles the parts of decisions: the money to spend, the engine over it, and the recording of both. */
import type { Epoch } from '../money/current-epoch.ts';
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
  /** The current epoch under which plays are issued. */
  current: Epoch;
  clocks: Clocks;
} & Pick<RecordedEngineOptions, 'observe'>;

export function createDecisions({ store, rows, current, clocks, observe }: DecisionsOptions): Decisions {
  const { index, screens } = store;
  const reservations = new Reservations({
    campaigns: index.campaigns,
    openBlock: block => current.issueLog.openBlock(block),
    monotonicMs: clocks.monotonicMsOfNow, // each message of a screen reads the time of day on arrival
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
