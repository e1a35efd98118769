/**
 * A venue as it is stored. Its figures, such as visitors and opening hours, decide prices: changes that exceed a
 * threshold wait for the operator's review, the others apply at once. See docs/venues.md.
 */
import { formatId, type Handle } from '../id.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { Milliseconds } from '../unit.ts';
import type { CoordinatesShown } from './place.ts';
import { venueLimits } from './venue.ts';
import { FIGURE_FIELDS, judgeFigures, type FigureRejection, type VenueFigures } from './venue-review.ts';

/** The figures in a venue's row: current, pending, and the baseline. */
export type FiguresRow = VenueFigures & {
  handle: Handle<'venue'>;
  workspace_handle: Handle<'workspace'>;
  sandbox: boolean;
  name: string;
  audience_max: number | null;
  pending_figures: Record<string, unknown> | null;
  baseline_figures: Record<string, unknown> | null;
  baseline_approved: boolean;
  review_status: 'pending' | 'approved' | 'rejected' | null;
  review_reasons: string[] | null;
  review_requested_at: Date | null;
  review_decided_at: Date | null;
  review_code: string | null;
};

/** The columns that need no review. */
type PlainColumns = {
  name: string;
  blocked_categories: string[];
  default_playlist_handle: Handle<'playlist'> | null;
  name_shown: boolean;
  coordinates_shown: CoordinatesShown;
  photo_asset_handle: Handle<'asset'> | null;
  photo_object: string | null;
};

export type VenueRow = FiguresRow & PlainColumns & { created_at: Date };
/** What a request asks for. */
export type VenueColumns = Partial<PlainColumns & VenueFigures>;
/** Columns of the figures and of their review. Columns that are absent stay. */
export type FigureColumns = Partial<Omit<FiguresRow, 'handle' | 'workspace_handle' | 'sandbox' | 'name'>>;

/** The figures in force of a venue's row. */
export function figuresOf(row: FiguresRow): VenueFigures {
  return Object.fromEntries(FIGURE_FIELDS.map(field => [field, row[field]])) as VenueFigures;
}

/** The requested columns, with the figures apart. */
export function splitColumns(columns: VenueColumns): { plain: Partial<PlainColumns>; figures: Partial<VenueFigures> } {
  const { type, city, lat, lng, timezone, opening_hours, daily_visitors, dwell_minutes, ...plain } = columns;
  const figures = { type, city, lat, lng, timezone, opening_hours, daily_visitors, dwell_minutes };
  return {
    plain,
    figures: Object.fromEntries(
      Object.entries(figures).filter(([, value]) => value !== undefined),
    ) as Partial<VenueFigures>,
  };
}

/**
 * What a venue's row becomes when its owner asks for these figures: those in force, those that wait, the review.
 * Pending figures are still asked for unless these replace them.
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

/**
 * What the operator decides on figures that wait: a crowd for an approval, a reason for a rejection. `requestedAt`
 * names the request that was looked at; without it, the decision is about whatever figures wait now.
 */
export type FigureDecision = ({ audienceMax: number | undefined } | { reason: FigureRejection }) & {
  requestedAt?: Milliseconds | undefined;
};

/**
 * What a venue's row becomes by the operator's decision. An approval puts the waiting figures into force, and sets how
 * many people can have one screen of the venue in view: as given, else as set before, else what is plausible for its
 * type. Later changes are compared with the figures that are then in force. A rejection leaves the figures in force as
 * they are. Refused if there is nothing to decide, or if other figures wait than those that were looked at.
 */
export function decidedColumns(before: FiguresRow, decision: FigureDecision, now: Date): FigureColumns | Refusal {
  const waits = before.pending_figures !== null;
  const { requestedAt } = decision;
  const setsCrowd = 'audienceMax' in decision && decision.audienceMax !== undefined; // as it may at any time
  if (!waits && (!setsCrowd || requestedAt !== undefined))
    return refuse('state_conflict', 'No figures of this venue wait for a decision.');
  if (requestedAt !== undefined && requestedAt !== before.review_requested_at?.getTime())
    return refuse('state_conflict', 'The venue has asked for other figures since. Read them first.');
  const decided = { pending_figures: null, review_decided_at: now };
  if ('reason' in decision) return { ...decided, review_status: 'rejected', review_code: decision.reason };
  const { audienceMax } = decision;
  const inForce = { ...figuresOf(before), ...before.pending_figures };
  const boundBefore = inForce.type === before.type ? before.audience_max : null;
  return {
    ...inForce,
    audience_max: audienceMax ?? boundBefore ?? venueLimits(inForce.type).audienceMax,
    baseline_figures: inForce,
    baseline_approved: true,
    ...(waits && { ...decided, review_status: 'approved', review_code: null }),
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

/** The settings of a venue in the API's form. */
export function settingsOf(row: VenueRow) {
  return {
    name: row.name,
    ...figuresOf(row),
    blocked_categories: row.blocked_categories,
    default_playlist_id:
      row.default_playlist_handle === null ? null : formatId('playlist', row.default_playlist_handle),
    visibility: { name: row.name_shown, coordinates: row.coordinates_shown },
    photo_asset_id: row.photo_asset_handle === null ? null : formatId('asset', row.photo_asset_handle),
  };
}

/** The columns that the audit of a change shows, in the API's form. */
export function auditedColumns(columns: Partial<VenueRow>): Record<string, unknown> {
  const { default_playlist_handle: playlist, photo_asset_handle: photo } = columns;
  return {
    name: columns.name,
    ...Object.fromEntries(FIGURE_FIELDS.map(field => [field, columns[field]])),
    audience_max: columns.audience_max,
    pending_figures: columns.pending_figures,
    blocked_categories: columns.blocked_categories,
    'visibility.name': columns.name_shown,
    'visibility.coordinates': columns.coordinates_shown,
    ...(playlist !== undefined && { default_playlist_id: playlist === null ? null : formatId('playlist', playlist) }),
    ...(photo !== undefined && { photo_asset_id: photo === null ? null : formatId('asset', photo) }),
  };
}
