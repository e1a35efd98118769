/**
 * The figures of a venue that prices depend on, such as visitors and opening hours. Changes that exceed a threshold
 * wait for the operator's review; the others apply at once. See docs/venues.md.
 */
import {
  FIGURE_FIELDS,
  FIGURE_REJECTIONS,
  isFigureRejection,
  judgeFigures,
  type VenueFigures,
} from '#domain/screens/venue-review.ts';
import { audienceMaxOf } from '#domain/screens/venue.ts';
import type { FigureColumns, FiguresRow } from '#records/venue-figures.ts';
import type { VenueFiguresRecord } from './schema.ts';

/** The figures in force of a venue's row. */
export function figuresOf(row: FiguresRow): VenueFigures {
  return Object.fromEntries(FIGURE_FIELDS.map(field => [field, row[field]])) as VenueFigures;
}

/**
 * What a venue's row becomes when its owner asks for these figures: those in force, those that wait, the review. What
 * waits already is asked for still, unless it is asked for otherwise.
 * @param before undefined for a new venue, which asks for every figure
 */
export function requestedColumns(
  before: FiguresRow | undefined,
  changes: Partial<VenueFigures>,
  { now, hasEarned }: { now: Date; hasEarned: boolean },
): FigureColumns {
  const known = before && figuresOf(before);
  const baseline = (before?.baseline_figures ?? known) as VenueFigures | undefined;
  const isApproved = before?.baseline_approved ?? false;
  const asked = { ...known, ...before?.pending_figures, ...changes } as VenueFigures;
  const { inForce, pending, reasons } = judgeFigures({
    requested: asked,
    inForce: known,
    baseline,
    isApproved,
    hasEarned,
  });
  const waits = reasons.length > 0;
  return {
    ...inForce,
    // what the operator said was of another kind of place
    ...(known && known.type !== inForce.type && { audience_max: null }),
    ...(waits && {
      pending_figures: pending,
      review_status: 'pending',
      review_reasons: reasons,
      review_requested_at: now,
      review_decided_at: null,
      review_code: null,
    }),
    ...(!waits && before?.review_status === 'pending' && NO_REVIEW),
    baseline_figures: (isApproved || hasEarned ? baseline : inForce) ?? null,
  };
}

const NO_REVIEW: FigureColumns = {
  pending_figures: null,
  review_status: null,
  review_reasons: null,
  review_requested_at: null,
  review_decided_at: null,
  review_code: null,
};

/** What the audit shows of a row's figures. */
export function shownFigures(columns: FigureColumns): Record<string, unknown> {
  const {
    type,
    city,
    lat,
    lng,
    timezone,
    opening_hours,
    daily_visitors,
    dwell_minutes,
    audience_max,
    pending_figures,
  } = columns;
  return {
    type,
    city,
    lat,
    lng,
    timezone,
    opening_hours,
    daily_visitors,
    dwell_minutes,
    audience_max,
    pending_figures,
  };
}

/** As the API shows it. */
export function figuresRecord(row: FiguresRow): VenueFiguresRecord {
  const { review_status: status, review_code: code } = row;
  return {
    in_force: { ...figuresOf(row), audience_max: audienceMaxOf(row.type, row.audience_max) },
    pending: row.pending_figures,
    review:
      status === null
        ? null
        : {
            status,
            reasons: row.review_reasons as NonNullable<VenueFiguresRecord['review']>['reasons'],
            requested_at: row.review_requested_at!.toISOString(),
            decided_at: row.review_decided_at?.toISOString() ?? null,
            rejection: code !== null && isFigureRejection(code) ? { code, detail: FIGURE_REJECTIONS[code] } : null,
          },
  };
}
