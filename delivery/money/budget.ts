/** Assembles the money of this process: the leases of its epoch, and the keeper of the epoch. */
import type { Authority } from '#authority/authority.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import type { Log } from '#runtime/log.ts';
import type { Index } from '#domain/id.ts';
import type { Clocks } from '../clocks.ts';
import type { CandidateIndex } from '../decision/candidate-index.ts';
import type { Reservations } from '../decision/reservations.ts';
import type { CurrentEpoch } from './current-epoch.ts';
import { EpochKeeper } from './epoch-keeper.ts';
import type { EpochSource } from './epoch-source.ts';
import type { IssuedPlays } from './issued-plays.ts';
import { Leases } from './leases.ts';

export type Budget = { leases: Leases; keeper: EpochKeeper };

export type BudgetOptions = {
  authority: Authority;
  epochs: EpochSource;
  current: CurrentEpoch;
  index: CandidateIndex;
  reservations: Reservations;
  issuedPlays: IssuedPlays;
  playQueue: PlayQueue;
  /** Adds batches again that Redis has lost. */
  addAgain: () => Promise<void>;
  /** Called when a campaign's money, or all money, changes other than by a play. */
  onMoney: (campaign: Index<'campaign'>) => void;
  onRestart: () => void;
  log: Log;
  clocks: Clocks;
};

export function createBudget(options: BudgetOptions): Budget {
  const { authority, epochs, current, index, reservations, issuedPlays, playQueue, addAgain, log, clocks } = options;
  const { onMoney, onRestart } = options;
  const leases = new Leases({ authority, current, index, reservations, log, onMoney, onRestart });
  const keeper = new EpochKeeper({
    epochs: authority.epochs,
    current,
    leases,
    reservations,
    issuedPlays,
    takeEpoch: epochs.take,
    endEpoch: epochs.end,
    recover: epochs.recover,
    addAgain,
    asOf: () => playQueue.asOf(),
    ...clocks,
    log,
  });
  return { leases, keeper };
}
