/**
 * Creates and ends epochs: each has a row in Postgres and an issue log in the data folder. The keeper takes the next
 * epoch here, ends old ones, and settles those of earlier processes on this folder.
 */
import { readBootId } from '#runtime/boot.ts';
import type { Log } from '#runtime/log.ts';
import type { Authority } from '#authority/authority.ts';
import { endEpoch, takeEpoch } from '#authority/life-row.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Epoch } from './current-epoch.ts';
import { issueLogFolder, openIssueLog } from './issue-log.ts';
import { recoverLogs } from './recovery.ts';

export type EpochSource = {
  /** A new epoch of this process, with its log. @throws Fault `issue_log_unwritable` */
  take(): Promise<Epoch>;
  /** Ends an epoch in Postgres, then in the authority. */
  end(epoch: number): Promise<void>;
  /** Settles the epochs of earlier processes on this folder; false: one of them may still run, ask again. */
  recover(current: number): Promise<boolean>;
};

export type EpochSourceOptions = {
  sql: Postgres;
  authority: Authority;
  /** The folder of all nodes of this instance, and the name of this one. */
  folder: string;
  node: string;
  log: Log;
};

export function createEpochSource({ sql, authority, folder, node, log }: EpochSourceOptions): EpochSource {
  const bootId = readBootId();
  const end = async (epoch: number): Promise<void> => {
    await endEpoch(sql, { epoch, now: new Date() });
    await authority.life.present([epoch]);
  };
  return {
    async take() {
      const taken = await takeEpoch(sql, { node, bootId, now: new Date() });
      try {
        return { ...taken, issueLog: openIssueLog({ folder, node, bootId, epoch: taken.epoch, log }) };
      } catch (error) {
        await end(taken.epoch); // one is tried every few seconds while a disk is full
        throw error;
      }
    },
    end,
    recover: current =>
      recoverLogs({
        directory: issueLogFolder({ folder, node }),
        bootId,
        epochs: authority.epochs,
        current,
        endEpoch: end,
        log,
      }),
  };
}
