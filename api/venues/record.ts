/** How the API writes out venues and their figures. */
import { formatId } from '#domain/id.ts';
import { figuresOf, settingsOf, type FiguresRow, type VenueRow } from '#domain/screens/stored-venue.ts';
import { FIGURE_REJECTIONS, isFigureRejection } from '#domain/screens/venue-review.ts';
import { audienceMaxOf, venueLimits } from '#domain/screens/venue.ts';
import type { Venue, VenueFiguresRecord } from './schema.ts';

export function venueRecord(row: VenueRow, publicUrl: string): Venue {
  return {
    id: formatId('venue', row.handle),
    ...settingsOf(row),
    figures: figuresRecord(row),
    photo_url: photoUrl(row.photo_object, publicUrl),
    created_at: row.created_at.toISOString(),
  };
}

/** Address of a venue's picture. */
export function photoUrl(object: string | null, publicUrl: string): string | null {
  return object === null ? null : `${publicUrl}/assets/${object}`;
}

/** What is plausible for the type that a venue asks for, or else for the type in force. */
export function limitsRecord({ type, pending_figures: pending }: FiguresRow) {
  const { visitorsMax, dwellMinutesMax, audienceMax } = venueLimits({ type, ...pending }.type);
  return { daily_visitors: visitorsMax, dwell_minutes: dwellMinutesMax, audience_max: audienceMax };
}

/** The figures of a venue with their review. */
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
