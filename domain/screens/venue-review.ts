/**
 * Which of the figures that a venue declares are in force at once, and which wait for the operator. What is plausible
 * for the venue's type needs no review. Once a venue has earned money, others have paid by its figures, so a change
 * that makes it dearer waits. It is compared with the baseline and not with the last change, so that many small steps
 * count as one.
 */
import { venueRateMicros } from '../money/rate-card.ts';
import { isRefusal } from '../refusal.ts';
import { openMinutesPerDay, parseOpeningHours } from './schedule.ts';
import { distanceKm, foldCity } from '../geography.ts';
import { venueLimits } from './venue.ts';

export type VenueFigures = {
  type: string;
  city: string;
  lat: number;
  lng: number;
  timezone: string;
  /** In the API's form; null: always open. */
  opening_hours: unknown;
  daily_visitors: number;
  dwell_minutes: number;
};
export const FIGURE_FIELDS = [
  'type',
  'city',
  'lat',
  'lng',
  'timezone',
  'opening_hours',
  'daily_visitors',
  'dwell_minutes',
] as const satisfies (keyof VenueFigures)[];
type FigureField = (typeof FIGURE_FIELDS)[number];

/** Why figures wait for the operator, in the order in which they are checked. */
export const REVIEW_REASONS = [
  'type_dearer',
  'place_moved',
  'hours_widened',
  'audience_raised',
  'visitors_above_type',
  'dwell_above_type',
] as const;
type ReviewReason = (typeof REVIEW_REASONS)[number];

/** Visitors x dwell may grow to three times the baseline: a good season alone doubles the audience of a bar. */
const AUDIENCE_TIMES_MAX = 3;
/** A position may be corrected by 1 km, such as a pin on the wrong corner of a block. */
const MOVED_KM_MAX = 1;
/** Opening hours may grow by a quarter: an hour more on an ordinary day, or a Sunday. */
const HOURS_TIMES_MAX = 1.25;

/**
 * `baseline`: the figures that the operator approved last, else those with which the venue began to earn. `inForce` is
 * absent for a new venue.
 */
export type FiguresRequest = {
  requested: VenueFigures;
  inForce?: VenueFigures | undefined;
  baseline?: VenueFigures | undefined;
  isApproved: boolean;
  hasEarned: boolean;
};
/** `pending`: the fields that wait, with the requested values. `reasons` is empty exactly when no field waits. */
export type JudgedFigures = { inForce: VenueFigures; pending: Partial<VenueFigures>; reasons: ReviewReason[] };

/**
 * While a figure waits, the one in force stays. If that is not plausible either, the figure of a small venue of the
 * type holds.
 */
export function judgeFigures({
  requested,
  inForce,
  baseline = inForce,
  isApproved,
  hasEarned,
}: FiguresRequest): JudgedFigures {
  const waiting = new Map<ReviewReason, readonly FigureField[]>();
  const judged = { ...requested };
  const hold = (reason: ReviewReason, fields: readonly FigureField[], stays: Partial<VenueFigures>): void => {
    waiting.set(reason, fields);
    Object.assign(judged, stays);
  };
  if (hasEarned && inForce && baseline)
    for (const [reason, fields] of changesToReview(requested, { inForce, baseline }))
      hold(reason, fields, pick(inForce, fields));
  const limits = venueLimits(judged.type);
  const approved = isApproved && baseline?.type === judged.type ? baseline : { daily_visitors: 0, dwell_minutes: 0 };
  const visitorsMax = Math.max(limits.visitorsMax, approved.daily_visitors);
  const dwellMax = Math.max(limits.dwellMinutesMax, approved.dwell_minutes);
  const kept = (known: number | undefined, most: number, small: number): number =>
    known !== undefined && known <= most ? known : small;
  if (judged.daily_visitors > visitorsMax)
    hold('visitors_above_type', ['daily_visitors'], {
      daily_visitors: kept(inForce?.daily_visitors, visitorsMax, limits.visitorsSmall),
    });
  if (judged.dwell_minutes > dwellMax)
    hold('dwell_above_type', ['dwell_minutes'], {
      dwell_minutes: kept(inForce?.dwell_minutes, dwellMax, limits.dwellMinutesSmall),
    });
  const fields = [...waiting.values()].flat().filter(field => isOther(requested, judged, field));
  return { inForce: judged, pending: pick(requested, fields), reasons: [...waiting.keys()] };
}

/** The changes that would make plays dearer or more frequent, at a venue that others have paid by its figures. */
function changesToReview(
  requested: VenueFigures,
  { inForce, baseline }: { inForce: VenueFigures; baseline: VenueFigures },
): Map<ReviewReason, readonly FigureField[]> {
  const changed = (fields: readonly FigureField[]): boolean => fields.some(field => isOther(requested, inForce, field));
  const found = new Map<ReviewReason, readonly FigureField[]>();
  if (changed(['type']) && isDearer(requested.type, baseline.type)) found.set('type_dearer', ['type']);
  const place = ['city', 'lat', 'lng', 'timezone'] as const;
  if (
    changed(['city', 'lat', 'lng']) &&
    (foldCity(requested.city) !== foldCity(baseline.city) || distanceKm(requested, baseline) > MOVED_KM_MAX)
  )
    found.set('place_moved', place);
  if (changed(['opening_hours']) && openMinutes(requested) > HOURS_TIMES_MAX * openMinutes(baseline))
    found.set('hours_widened', ['opening_hours']);
  const audience = ['daily_visitors', 'dwell_minutes'] as const;
  if (
    changed(audience) &&
    visitorMinutes(requested) > AUDIENCE_TIMES_MAX * visitorMinutes(baseline) &&
    visitorMinutes(requested) > visitorMinutes(inForce)
  )
    found.set('audience_raised', audience);
  return found;
}

function isDearer(type: string, than: string): boolean {
  return venueRateMicros(type) > venueRateMicros(than) || venueLimits(type).audienceMax > venueLimits(than).audienceMax;
}

function visitorMinutes(figures: VenueFigures): number {
  return figures.daily_visitors * figures.dwell_minutes;
}

function openMinutes({ opening_hours: json }: VenueFigures): number {
  const hours = parseOpeningHours(json);
  return openMinutesPerDay(isRefusal(hours) ? undefined : hours);
}

/** Compared by their JSON with sorted names: the database returns the days of opening hours in another order. */
function isOther(a: VenueFigures, b: VenueFigures, field: FigureField): boolean {
  return spell(a[field]) !== spell(b[field]);
}

function spell(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function pick(figures: VenueFigures, fields: readonly FigureField[]): Partial<VenueFigures> {
  return Object.fromEntries(fields.map(field => [field, figures[field]]));
}

/** The largest crowd before one screen that the database takes: a square full of people. */
export const CROWD_MAX = 100_000;

/** Why the operator rejects figures: codes of the API, each with the sentence that the venue reads. */
export const FIGURE_REJECTIONS = {
  implausible: 'The figures are not plausible for this place.',
  unproven: 'There is no proof of the figures, such as a count at the door or till receipts.',
  wrong_type: 'The place is of another type.',
  wrong_place: 'The place is not where the venue says it is.',
  duplicate: 'The place is a venue already.',
} as const satisfies Record<string, string>;
export type FigureRejection = keyof typeof FIGURE_REJECTIONS;

export function isFigureRejection(text: string): text is FigureRejection {
  return Object.hasOwn(FIGURE_REJECTIONS, text);
}
