/**
 * The epoch under which this process issues plays now. All code that issues, leases or records reads it here; only the
 * keeper replaces it. A caller that learns from the authority that the epoch has ended reports it here, which wakes the
 * keeper.
 */
import type { IssueLog, UsedNumbers } from './issue-log.ts';

/** An epoch, the generation of the authority at its beginning, and the log of plays issued under it. */
export type Epoch = { epoch: number; generation: number; issueLog: IssueLog };

export class CurrentEpoch implements Epoch {
  epoch: number;
  generation: number;
  issueLog: IssueLog;
  /** How many epochs live in all processes, as of the last renewal. */
  liveEpochs = 1;
  #hasEnded = false;
  readonly #listeners: (() => void)[] = [];
  readonly #used: UsedNumbers;

  /** `used`: the numbers that plays have used, of the current epoch. */
  constructor({ epoch, generation, issueLog }: Epoch, used: UsedNumbers) {
    this.epoch = epoch;
    this.generation = generation;
    this.issueLog = issueLog;
    this.#used = used;
    issueLog.follow(used);
  }

  /** Whether the authority has ended it: nothing may be issued until another one begins. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Calls back once for each epoch that the authority ends. */
  onEnded(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The authority said that the epoch has ended. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const listener of this.#listeners) listener();
  }

  /** From now on plays are issued under this epoch. The log of the previous one is closed, with all used numbers. */
  replace({ epoch, generation, issueLog }: Epoch): void {
    this.epoch = epoch;
    this.generation = generation;
    this.issueLog = issueLog;
    issueLog.follow(this.#used);
    this.#hasEnded = false;
  }
}
