/**
 * The compiled data of equal screens: a group with the bits of its candidates, and for each quarter of an hour a
 * segment, which is the list that decisions read. `screen-groups.ts` makes groups, `lists/segments.ts` their segments.
 */
import type { Index } from '#domain/id.ts';
import type { CategorySet, Restriction } from '#domain/law/restriction.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import type { Bits } from '../columns/bits.ts';
import type { VenueFacts } from '../facts.ts';
import type { SegmentAdvice } from '../plan-view.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** More than any campaign can be behind: that is counted in shares of a budget, over a fiftieth of it at most. */
export const PLANNED_FIRST = 1_000;

/** Screens that no static rule distinguishes, and their compiled data. */
export type Group = {
  key: string;
  /** The venue of the first screen of the group: its type, city, zone and hours are the same for all. */
  venue: VenueFacts;
  sandbox: boolean;
  orientation: Orientation;
  blocked: readonly string[];
  areas: readonly number[];
  /** Categories that rules forbid at all hours, and the rules for some hours. */
  restricted: readonly string[];
  timed: readonly Restriction[];
  /** The start of the quarter checked last, and its forbidden categories. */
  timedAtMs: Milliseconds;
  timedSet: CategorySet;
  version: number;
  bits: Bits;
  /** The number of the reason if there is no candidate, and the version of that result. */
  reason: number;
  reasonVersion: number;
  segments: Map<number, Segment>;
  /** The segment of the last decision. */
  current: Segment | undefined;
};

/**
 * The list of a segment is one buffer with two rows for each entry, so that fields which are read together are in one
 * cache line. A pass goes through all first rows, which are side by side: that of the entry `e` begins at
 * `scoreRow(e)`. The second rows follow them, and are read only for entries that may win: `candidateRow(segment, e)`.
 */
export const SCORE_WIDTH = 4;
export const CANDIDATE_WIDTH = 2;

/**
 * The first row. `BEHIND`: `SHARE` less the campaign's progress when it was last looked up: never less than it is now,
 * since progress only grows. `SHARE_PER_MS`: how `SHARE` grows. `AHEAD`: by how much it was ahead of its long curve
 * when the plan was made, taken off while it is not behind. `BRAND`: its competition key (`brandOf`); below 0 if the
 * plan gives it a part of the segment, so that it goes first while it is behind.
 */
export const BEHIND = 0;
export const SHARE_PER_MS = 1;
export const AHEAD = 2;
export const BRAND = 3;

/**
 * The second row. `CANDIDATE`: the campaign. `SHARE`: its share due at the quarter's start, by plan, else by its even
 * curve.
 */
export const CANDIDATE = 0;
export const SHARE = 1;

/** More workspaces than there will be, and few enough that a number can also hold a category. */
const WORKSPACES_MAX = 2 ** 40;

/**
 * A category (its number) and a workspace as one number above 0. The brands of a category lie between
 * `brandOf(category, 0)` and that of the next one; two different ones compete.
 */
export function brandOf(category: number, workspace: number): number {
  return category * WORKSPACES_MAX + workspace;
}

/** The candidates of a group in one quarter of an hour. */
export type Segment = {
  startMs: Milliseconds;
  /** The local hour of the week at the venues. */
  hourOfWeek: number;
  /** Bit by minute: whether the venues are open. */
  openMinutes: number;
  version: number;
  /** Whether all running campaigns are listed, in ascending order; else the list is short. */
  isWhole: boolean;
  /** Whether one of them may run only in some of the minutes. */
  hasSplit: boolean;
  count: number;
  /** How many entries the list has room for, and their rows. */
  room: number;
  list: Float64Array;
  /** How far ahead campaigns may run. */
  leadMax: number;
  /** The current plan, the segment's key in plans with these campaigns, and the plan's data for the segment. */
  planVersion: number;
  key: number;
  keyVersion: number;
  advice: SegmentAdvice | undefined;
  /** The entry that is replaced next, and the campaign at which a refresh continues. */
  next: number;
  sweepFrom: number;
};

/** The position of the first row of an entry. */
export function scoreRow(entry: number): number {
  return entry * SCORE_WIDTH;
}

/** The position of the second row of an entry. */
export function candidateRow({ room }: Segment, entry: number): number {
  return room * SCORE_WIDTH + entry * CANDIDATE_WIDTH;
}

/** The campaign in an entry of a segment's list. */
export function candidateAt(segment: Segment, entry: number): Index<'campaign'> {
  return segment.list[candidateRow(segment, entry) + CANDIDATE]!;
}

/** The entry of a campaign in a segment's list, or -1. */
export function entryOf(segment: Segment, campaign: Index<'campaign'>): number {
  for (let entry = 0; entry < segment.count; entry++) if (candidateAt(segment, entry) === campaign) return entry;
  return -1;
}
