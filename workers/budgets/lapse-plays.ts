/**
 * Lapses issued plays that were not reported within their window (48 hours after the slot, 7 days for an offline
 * playlist), which frees their reservations. It uses a line at or below as_of, never the clock, so that no play that
 * was acknowledged in time is late because ingest was slow. The line is committed in Postgres before Redis gets it: a
 * Redis that was rolled back cannot move it back.
 */
import { raiseLapseLine } from '#authority/life-row.ts';
import { counter } from '#runtime/metrics.ts';
import type { JobContext } from '../schedule.ts';

const ROUND_CAMPAIGNS_MAX = 1_000;

const lapsed = counter({
  name: 'workers_lapsed_micros_total',
  help: 'Reservations of plays that nobody reported, in micro-units of all currencies',
});

/** Raises the line to as_of and lapses plays whose window ends before it. Returns the number of campaigns. */
export async function lapsePlays({ sql, authority: { epochs }, playQueue }: JobContext): Promise<number> {
  const asOf = await playQueue.asOf();
  const line = await raiseLapseLine(sql, asOf);
  await epochs.raiseLapseLine(line);
  const campaigns = await epochs.lapsing(line, ROUND_CAMPAIGNS_MAX);
  lapsed.inc(await epochs.lapse(campaigns, line));
  return campaigns.length;
}
