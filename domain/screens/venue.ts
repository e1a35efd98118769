/**
 * How many people a play at a venue reaches, by the venue's own figures and within what its type makes plausible. What
 * it costs is on the rate card (`money/rate-card.ts`), for impressions of a 15 s slot.
 */
import { assert } from '../assertion.ts';
import { SLOT_DEFAULT_MS } from './screen.ts';
import { VENUE_LIMITS_ROWS } from '../data/venue-limits.ts';
import type { Milliseconds } from '../unit.ts';

/** The limits of a venue type, and the figures of a small one. @see VENUE_LIMITS_ROWS */
export type VenueLimits = {
  visitorsMax: number;
  dwellMinutesMax: number;
  audienceMax: number;
  visitorsSmall: number;
  dwellMinutesSmall: number;
};

const limitsByType = new Map<string, VenueLimits>(
  VENUE_LIMITS_ROWS.map(([type, visitorsMax, dwellMinutesMax, audienceMax, visitorsSmall, dwellMinutesSmall]) => [
    type,
    { visitorsMax, dwellMinutesMax, audienceMax, visitorsSmall, dwellMinutesSmall },
  ]),
);

/** The limits of a canonical type: those of the longest name that is the type or an ancestor of it. */
export function venueLimits(type: string): VenueLimits {
  for (let name = type; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const limits = limitsByType.get(name);
    if (limits !== undefined) return limits;
  }
  return LIMITS_UNKNOWN;
}

/** For a type that the taxonomy does not have, or no longer has. */
const LIMITS_UNKNOWN: VenueLimits = {
  visitorsMax: 1_000,
  dwellMinutesMax: 60,
  audienceMax: 10,
  visitorsSmall: 50,
  dwellMinutesSmall: 5,
};

/**
 * People before one screen at the same moment that a venue may declare without approval. The operator approves larger
 * formats once.
 */
export const SELF_DECLARED_AUDIENCE_MAX = 100;
/**
 * How many screens at an address a visitor sees. If there are more, in one or several venues of the same owner, the
 * people are divided among the screens: a visitor who looks at one does not look at the next.
 */
export const SCREENS_SEEN_MAX = 10;

/**
 * The most people who can see one screen at once: what the operator approved, else what the venue's type makes
 * plausible, up to the self-declared bound.
 */
export function audienceMaxOf(type: string, approvedMax: number | null): number {
  return approvedMax ?? Math.min(SELF_DECLARED_AUDIENCE_MAX, venueLimits(type).audienceMax);
}

/** `screensNear`: screens of the same owner at the address of the venue, those of the venue included. */
export type AudienceFigures = { dailyVisitors: number; dwellMinutes: number; audienceMax: number; screensNear: number };

/** The columns of a venue from which its figures follow, with the number of screens near it. */
export type AudienceColumns = {
  type: string;
  daily_visitors: number;
  dwell_minutes: number;
  audience_max: number | null;
  screens_near: number;
};

export function audienceFiguresOf(row: AudienceColumns): AudienceFigures {
  return {
    dailyVisitors: row.daily_visitors,
    dwellMinutes: row.dwell_minutes,
    audienceMax: audienceMaxOf(row.type, row.audience_max),
    screensNear: row.screens_near,
  };
}

/**
 * People before one screen at once, as a mean while the venue is open: visitors x dwell / open minutes (Little's law;
 * the dwell form of Broadsign's audience formula). Dwell is at most the open time; people are shared by screens above
 * those that a visitor sees, and never above what is plausible before one.
 * @param openMinutesPerDay 0 .. 1440; below 1 counts as 1
 */
export function meanAudience(
  { dailyVisitors, dwellMinutes, audienceMax, screensNear }: AudienceFigures,
  openMinutesPerDay: number,
): number {
  assert(
    dailyVisitors >= 0 && dwellMinutes > 0 && audienceMax >= 0 && screensNear >= 0 && openMinutesPerDay >= 0,
    'visitors, dwell, people, screens and open minutes are amounts',
  );
  const openMinutes = Math.max(1, openMinutesPerDay);
  const present = (dailyVisitors * Math.min(dwellMinutes, openMinutes)) / openMinutes;
  return Math.min(audienceMax, present * Math.min(1, SCREENS_SEEN_MAX / Math.max(1, screensNear)));
}

// Two million people: more than the largest square holds, and it fits the 32 bits of a play id.
const IMPRESSIONS_MAX = 2_000_000_000;

/**
 * Impressions of one play before so many people, in thousandths, 1 .. 2 x 10^9: people times the slot's share, which is
 * 1 for 15 s and more, since audiences are quoted for the 15 s slot. Arguments are not checked: this runs for every
 * decision.
 */
export function impressionsThousandths(people: number, durationMs: Milliseconds): number {
  const slotShare = Math.min(1, durationMs / SLOT_DEFAULT_MS);
  return Math.min(IMPRESSIONS_MAX, Math.max(1, Math.round(people * slotShare * 1000)));
}

/**
 * The audience of one screen from a source, in place of its venue's figures: people before a play by local hour of the
 * week, in thousandths. `number` is what plays carry of it, 1 to 31; 0 stands for the venue's own figures.
 */
export type HourlyAudience = { number: number; thousandths: readonly number[] };
export const OWN_FIGURES = 0;

/** People before a play in an hour of the week. */
export function peopleAt({ thousandths }: HourlyAudience, hourOfWeek: number): number {
  return thousandths[hourOfWeek]! / 1000;
}

/** People before a play in the fullest hour. */
export function peopleMost({ thousandths }: HourlyAudience): number {
  return Math.max(...thousandths) / 1000;
}

/**
 * The most people that one play may count: the mean, and with a sensing module up to twice the mean, because audiences
 * vary, but never more than can see the screen. Arguments are not checked, as above.
 */
export function audienceMost(mean: number, audienceMax: number, sensor: boolean): number {
  return sensor ? Math.max(mean, Math.min(2 * mean, audienceMax)) : mean;
}
