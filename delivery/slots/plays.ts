/** Assembles the records of plays that bound what a screen holds and shows. */
import type { Authority } from '#authority/authority.ts';
import type { Log } from '#runtime/log.ts';
import type { CurrentEpoch } from '../money/current-epoch.ts';
import { IssuedPlays } from '../money/issued-plays.ts';
import type { Clocks } from '../clocks.ts';
import type { ScreenTable } from '../decision/screen-table.ts';
import { HeldBound } from './held-bound.ts';
import { PlanFills } from './plan-fills.ts';
import { ShownPlays } from './shown-plays.ts';

export type Plays = {
  issued: IssuedPlays;
  planFills: PlanFills;
  /** Both absent if plays of one screen may overlap. */
  shown: ShownPlays | undefined;
  held: HeldBound | undefined;
};

export type PlaysOptions = {
  mayOverlap: boolean;
  screens: ScreenTable;
  authority: Authority;
  current: CurrentEpoch;
  log: Log;
  clocks: Clocks;
};

export function createPlays({ mayOverlap, screens, authority, current, log, clocks }: PlaysOptions): Plays {
  const issued = new IssuedPlays();
  const planFills = new PlanFills();
  if (mayOverlap) {
    log.warn('SCREEN_PLAYS_OVERLAP is set: one screen may report more than it could show');
    return { issued, planFills, shown: undefined, held: undefined };
  }
  const held = new HeldBound({
    held: issued.held,
    handleOf: screen => screens.handleAt(screen),
    authority: authority.heldTimes,
    process: String(current.epoch),
    log,
    now: clocks.now,
  });
  return { issued, planFills, shown: new ShownPlays(), held };
}
