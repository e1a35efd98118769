/**
 * The impressions of a place with sourced audiences by local hour of the week, instead of one mean. Its screens without
 * an audience use the venue's own figures.
 */
import { isOpen, type OpeningHours } from '../../screens/schedule.ts';
import { HOURS_PER_WEEK } from '../../time/calendar.ts';

/** For each screen with an audience: its share of ads, and people in thousandths by hour of the week. */
export type ScreenAudiences = readonly (readonly [adRatio: number, thousandths: readonly number[]])[];

/** A place whose screens may have an audience; null or absent: none has. */
export type AudienceRow = { ad_share: number; audiences?: ScreenAudiences | null };

/** 1970-01-05 was a Monday. */
const MONDAY_MS = 4 * 86_400_000;
const HOUR_MS = 3_600_000;
const HOURS = Array.from({ length: HOURS_PER_WEEK }, (_, hour) => hour);

/**
 * Impressions of one 15 s slot on a mean screen of the place, by hour of the week; undefined without audiences. `own`
 * is the value by the venue's own figures.
 */
export function hourlyImpressions({ ad_share: share, audiences }: AudienceRow, own: number): number[] | undefined {
  if (!audiences || audiences.length === 0 || share <= 0) return undefined;
  const covered = audiences.reduce((sum, [adRatio]) => sum + adRatio, 0);
  const rest = Math.max(0, share - covered) * own;
  return HOURS.map(
    hour => (rest + audiences.reduce((sum, [adRatio, people]) => sum + adRatio * (people[hour]! / 1000), 0)) / share,
  );
}

/** The hours of the week in which a venue is open for at least half, or all of them. */
export function openHoursOf(hours: OpeningHours | undefined): number[] {
  const open = HOURS.filter(hour => isOpen(hours, 0, MONDAY_MS + (hour + 0.5) * HOUR_MS));
  return open.length === 0 ? HOURS : open;
}

/** A mean over open hours, and each hour of the week relative to it. */
export function shapeOf(perHour: readonly number[], open: readonly number[]): { mean: number; shape: Float32Array } {
  const mean = open.reduce((sum, hour) => sum + perHour[hour]!, 0) / open.length;
  return { mean, shape: Float32Array.from(perHour, people => (mean === 0 ? 0 : people / mean)) };
}

/** Tolerance for ratios summed in another order. */
const SHARE_TOLERANCE = 1e-9;

/**
 * The fewest people that a play can count at the place in an open hour. `own` is the value by the venue's own figures.
 */
export function fewestPeople(
  { ad_share: share, audiences }: AudienceRow,
  { own, hours }: { own: number; hours: OpeningHours | undefined },
): number {
  if (!audiences || audiences.length === 0) return own;
  const open = openHoursOf(hours);
  const fewest = audiences.map(([, people]) => Math.min(...open.map(hour => people[hour]!)) / 1000);
  const covered = audiences.reduce((sum, [adRatio]) => sum + adRatio, 0);
  return Math.min(...fewest, ...(share - covered > SHARE_TOLERANCE ? [own] : []));
}
