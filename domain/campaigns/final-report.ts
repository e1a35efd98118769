/**
 * When a report of a campaign's days is final: its plays, impressions and spend can no longer change. (`late_plays` may grow
 * for 30 days, and scans have no end; they are in none of it.)
 *
 * Each fact is read after the ones before it. What is charged has its row in every table, and what has a row was counted, so
 * the numbers can only be equal if nothing was on its way when the last was read; and nothing can follow: no slot of the days
 * is given out any more, and of those that were none is out whose play could still be counted. All of it is asked of the
 * campaign as a whole, which answers no for longer than the days themselves need, and never yes too early.
 */
import { SLOT_PAST_MS_MAX } from '../plays/play.ts';

export type FinalityFacts = {
  /** Plays that are charged. Read first, and before the figures of the report. */
  chargedPlays: number;
  /** Redis time (ms) up to which every acknowledged play has its row. */
  asOf: number;
  /** Counted plays that have a row, late ones excepted. */
  writtenPlays: number;
  /** What the authority says, all at one moment. `countedPlays` is undefined where it does not know it. */
  standing: { open: number; inDoubt: number; countedPlays: number | undefined };
};

/** @param range.endsAt when the last day of the report ends (ms) · clocksMs by how much clocks of delivery and Redis may differ */
export function isFinal(
  range: { endsAt: number; clocksMs: number },
  { chargedPlays, asOf, writtenPlays, standing }: FinalityFacts,
): boolean {
  const { open, inDoubt, countedPlays } = standing;
  return (
    isOver(range, asOf) && open === 0 && inDoubt === 0 && writtenPlays === countedPlays && chargedPlays === countedPlays
  );
}

/** Whether no slot of the range can be asked for any more. */
export function isOver({ endsAt, clocksMs }: { endsAt: number; clocksMs: number }, asOf: number): boolean {
  return asOf > endsAt + SLOT_PAST_MS_MAX + clocksMs;
}
