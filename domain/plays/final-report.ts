/**
 * When a report of a campaign's days is final: its plays, impressions and spend can no longer change. Late plays may
 * still be added for 30 days, and scans at any time; neither is part of those figures.
 *
 * The facts are read in the order of `FinalityFacts`. A play is first counted, then gets its row, then is charged. So
 * when the three numbers are equal, no play was on its way between these steps. No play can follow either: no slot of
 * the days can be filled any more, and no play that was issued can still be counted. The facts are those of the whole
 * campaign and not of the days alone. So a report may be called final later than necessary, but never too early.
 */
import { SLOT_PAST_MS_MAX } from './play.ts';
import type { Milliseconds } from '../unit.ts';

export type FinalityFacts = {
  /** Plays that are charged. Read first, and before the figures of the report. */
  chargedPlays: number;
  /** Redis time (ms) up to which every acknowledged play has its row. */
  asOf: Milliseconds;
  /** Counted plays that have a row, late ones excepted. */
  writtenPlays: number;
  /** The authority's amounts at one moment. `countedPlays` is undefined if unknown. */
  standing: { open: number; inDoubt: number; countedPlays: number | undefined };
};

/**
 * @param range.endsAt when the last day of the report ends (ms)
 * @param range.clocksMs by how much the clocks of delivery and Redis may differ
 */
export function isFinal(
  range: { endsAt: Milliseconds; clocksMs: Milliseconds },
  { chargedPlays, asOf, writtenPlays, standing }: FinalityFacts,
): boolean {
  const { open, inDoubt, countedPlays } = standing;
  return (
    isOver(range, asOf) && open === 0 && inDoubt === 0 && writtenPlays === countedPlays && chargedPlays === countedPlays
  );
}

/** Whether no slot of the range can be asked for any more. */
export function isOver(
  { endsAt, clocksMs }: { endsAt: Milliseconds; clocksMs: Milliseconds },
  asOf: Milliseconds,
): boolean {
  return asOf > endsAt + SLOT_PAST_MS_MAX + clocksMs;
}
