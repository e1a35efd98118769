/**
 * Fences nodes that fell silent: a delivery process renews its epoch every 5 s and stops filling 100 s after the last
 * success, so after 120 s nothing can be issued under it any more. Its money goes into doubt until the plays that it
 * issued are reported or lapse. A node that comes back finds its epoch ended and takes a new one.
 */
import { counter } from '#runtime/metrics.ts';
import type { JobContext } from '../schedule.ts';

const SILENT_MS = 120_000;

const fenced = counter({ name: 'workers_fenced_epochs_total', help: 'Epochs of delivery processes that fell silent' });

/** Ends silent epochs and settles the money of all ended ones. Returns 0: there is no backlog. */
export async function fenceNodes({ authority, log }: JobContext): Promise<number> {
  const { epochs } = authority;
  for (const epoch of await epochs.fence(SILENT_MS)) {
    fenced.inc();
    log.warn({ epoch }, 'a delivery process fell silent; its money is in doubt');
  }
  // Including those left unfinished by an earlier round, or by a node that closed its own epoch.
  for (const epoch of await epochs.closing()) {
    const campaigns = await epochs.campaignsOf(epoch);
    await epochs.settle(
      epoch,
      campaigns.map(campaign => ({ campaign, unknownMicros: undefined })),
    );
    await epochs.closed(epoch);
  }
  return 0;
}
