/**
 * Which of the figures that a venue says of itself are in force at once, and which wait for the operator. What is plausible
 * for its type needs nobody's look. Once a venue has earned, others have paid by its figures: a change to dearer ones
 * waits, measured against the baseline and not against the last change, so that many small steps are one large one.
 */
import { venueRateMicros } from '../money/rate-card.ts';
import { isRefusal } from '../refusal.ts';
import { openMinutesPerDay, parseOpeningHours } from './schedule.ts';
import { distanceKm, foldCity } from '../campaigns/targeting.ts';
import { venueLimits } from './venue.ts';

export type VenueFigures = {
  type: string;
  city: string;
  lat: number;
  lng: number;
  timezone: string;
  /** As the API spells it; null: always open. */
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

/** What the operator is asked about, in the order in which it is looked for. */
export const REVIEW_REASONS = [
  'type_dearer',
  'place_moved',
  'hours_widened',
  'audience_raised',
  'visitors_above_type',
  'dwell_above_type',
] as const;
type ReviewReason = (typeof REVIEW_REASONS)[number];

/** Visitors x dwell may grow so many times: a season doubles a bar. */
const AUDIENCE_TIMES_MAX = 3;
/** A place may be corrected by so much: a pin on the wrong corner of a block. */
const MOVED_KM_MAX = 1;
/** Opening hours may grow by a quarter: an hour more on an ordinary day, or a Sunday. */
const HOURS_TIMES_MAX = 1.25;

/**
 * `baseline`: the figures that the operator approved last, else those with which the venue began to earn. `inForce` is
 * absent for a new venue.
 */
export type AskedFigures = {
  asked: VenueFigures;
  inForce?: VenueFigures | undefined;
  baseline?: VenueFigures | undefined;
  isApproved: boolean;
  hasEarned: boolean;
};
/** `pending`: the fields that wait, with the values asked for; reasons are empty exactly when none does. */
export type JudgedFigures = { inForce: VenueFigures; pending: Partial<VenueFigures>; reasons: ReviewReason[] };

/** Where a figure waits, the one in force stays, or that of a small venue of the type where that is not plausible either. */
export function judgeFigures({
  asked,
  inForce,
  baseline = inForce,
  isApproved,
  hasEarned,
}: AskedFigures): JudgedFigures {
  const waiting = new Map<ReviewReason, readonly FigureField[]>();
  const judged = { ...asked };
  const hold = (reason: ReviewReason, fields: readonly FigureField[], stays: Partial<VenueFigures>): void => {
    waiting.set(reason, fields);
    Object.assign(judged, stays);
  };
  if (hasEarned && inForce && baseline)
    for (const [reason, fields] of changesToReview(asked, { inForce, baseline }))
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
  const fields = [...waiting.values()].flat().filter(field => isOther(asked, judged, field));
  return { inForce: judged, pending: pick(asked, fields), reasons: [...waiting.keys()] };
}

/** Changes that would make plays dearer or more of them, of a venue that others have paid. */
function changesToReview(
  asked: VenueFigures,
  { inForce, baseline }: { inForce: VenueFigures; baseline: VenueFigures },
): Map<ReviewReason, readonly FigureField[]> {
  const changed = (fields: readonly FigureField[]): boolean => fields.some(field => isOther(asked, inForce, field));
  const found = new Map<ReviewReason, readonly FigureField[]>();
  if (changed(['type']) && isDearer(asked.type, baseline.type)) found.set('type_dearer', ['type']);
  const place = ['city', 'lat', 'lng', 'timezone'] as const;
  if (
    changed(['city', 'lat', 'lng']) &&
    (foldCity(asked.city) !== foldCity(baseline.city) || distanceKm(asked, baseline) > MOVED_KM_MAX)
  )
    found.set('place_moved', place);
  if (changed(['opening_hours']) && openMinutes(asked) > HOURS_TIMES_MAX * openMinutes(baseline))
    found.set('hours_widened', ['opening_hours']);
  const audience = ['daily_visitors', 'dwell_minutes'] as const;
  if (
    changed(audience) &&
    visitorMinutes(asked) > AUDIENCE_TIMES_MAX * visitorMinutes(baseline) &&
    visitorMinutes(asked) > visitorMinutes(inForce)
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

/** Opening hours come from the database with their days in another order than they were given in. */
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
