/**
 * Recovers the epochs of earlier processes on this data folder. The issue log of an epoch lists the plays that may have
 * reached a screen: they stay in doubt by name, and the rest of the process's money is free at once. A log of another
 * boot of the machine is not trusted, because its last lines may not have been synced: then all of the epoch's money
 * stays in doubt.
 *
 * Every step may be repeated: a log is deleted when its epoch is settled.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Handle } from '#domain/id.ts';
import { windowEndsAt } from '#domain/plays/play.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import { isRunning } from '#runtime/running-process.ts';
import type { Epochs, IssuedPlay } from '#authority/epochs.ts';
import { readIssueHeader, readIssueRecords } from './issue-log.ts';
import type { Micros } from '#domain/unit.ts';

/** Plays named at a time: a few megabytes. */
const NAMES_MAX = 20_000;
/** A process of the same name may still be the old one, stopped: its epoch must have missed two renewals. */
const QUIET_MS = 12_000;

export type RecoveryOptions = {
  /** The folder of the logs. */
  directory: string;
  bootId: string;
  epochs: Epochs;
  log: Log;
  /**
   * Ends the epoch in Postgres, then in the authority: its process is gone, with the batches that it had not stored.
   */
  endEpoch: (epoch: number) => Promise<void>;
};

/**
 * Settles the epochs of the logs in `directory`, except `current`. Returns false if one must wait: its process may
 * still run.
 * @throws the fault of Redis; call again then.
 */
export async function recoverLogs(options: RecoveryOptions & { current: number }): Promise<boolean> {
  let isDone = true;
  for (const epoch of epochsIn(options.directory)) {
    if (epoch !== options.current && !(await recoverLog(epoch, options))) isDone = false;
  }
  return isDone;
}

function epochsIn(directory: string): number[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter(name => /^\d+\.log$/.test(name))
    .map(name => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
}

async function recoverLog(
  epoch: number,
  { directory, bootId, epochs, log, endEpoch }: RecoveryOptions,
): Promise<boolean> {
  const path = join(directory, `${epoch}.log`);
  const header = readIssueHeader(path);
  const mayRun = header?.bootId === bootId && header.processId !== process.pid && isRunning(header.processId);
  const ending = await epochs.close(epoch, mayRun ? QUIET_MS : 0);
  if (ending === 'live') return false;
  // An epoch ended by a rebuild is in doubt as a whole, because no process is left that knows its unissued money.
  if (ending === 'closed') await settleLog(epoch, { path, isBelieved: header?.bootId === bootId, epochs, log });
  await endEpoch(epoch);
  rmSync(path, { force: true });
  return true;
}

async function settleLog(
  epoch: number,
  { path, isBelieved, epochs, log }: { path: string; isBelieved: boolean; epochs: Epochs; log: Log },
): Promise<void> {
  const unknown = isBelieved ? await nameUsed(epoch, { path, epochs, log }) : undefined;
  const campaigns = await epochs.campaignsOf(epoch);
  await epochs.settle(
    epoch,
    campaigns.map(campaign => ({
      campaign,
      unknownMicros: unknown === undefined ? undefined : (unknown.get(campaign) ?? 0),
    })),
  );
  await epochs.closed(epoch);
  log.info(
    { epoch, campaigns: campaigns.length, isBelieved: unknown !== undefined },
    'the epoch of an earlier process is settled',
  );
}

/**
 * Names the plays of a log, and returns the possible further spend of the last blocks; undefined: the log is damaged.
 */
async function nameUsed(
  epoch: number,
  { path, epochs, log }: { path: string; epochs: Epochs; log: Log },
): Promise<Map<Handle<'campaign'>, number> | undefined> {
  const blocks = new Map<Handle<'campaign'>, { first: number; leftMicros: Micros }>();
  let names = new Map<Handle<'campaign'>, IssuedPlay[]>();
  let count = 0;
  try {
    for (const record of readIssueRecords(path)) {
      const { campaign } = record;
      if (record.kind === 'block') blocks.set(campaign, { first: record.first, leftMicros: record.micros });
      else if (record.kind === 'returned') blocks.delete(campaign);
      else {
        const block = blocks.get(campaign);
        if (block !== undefined && record.number >= block.first) block.leftMicros -= record.micros;
        const play = {
          issueNumber: record.number,
          reservationMicros: record.micros,
          windowEndsAt: windowEndsAt({ startsAt: record.slotAtMs, plan: record.plan }),
          plan: record.plan,
        };
        const known = names.get(campaign);
        if (known === undefined) names.set(campaign, [play]);
        else known.push(play);
        if (++count % NAMES_MAX !== 0) continue;
        await epochs.name(epoch, names);
        names = new Map();
      }
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'issue_log_damaged') throw error;
    log.error({ err: error, path }, 'an issue log is damaged; what its process held stays in doubt');
    return undefined;
  }
  await epochs.name(epoch, names);
  return new Map([...blocks].map(([campaign, { leftMicros }]) => [campaign, Math.max(0, leftMicros)]));
}
