/** Examples of what waits for the operator: a campaign for a bar's own wine, and a bar with many visitors. */
import { eur, idOf, ids, listed, type Examples } from './names.ts';

export const brand = { id: idOf('workspace', 2), name: 'Autumn travel' };
export const review = {
  campaign_id: ids.campaign,
  name: 'Wine of the month',
  workspace: brand,
  category: 'alcohol',
  category_rule: 'age limits and local law on alcohol',
  budget: eur(100),
  schedule: { starts: '2037-09-04', ends: '2037-09-26' },
  targets: { cities: ['Berlin'], venue_types: ['entertainment.bars'], areas: [] },
  landing_url: 'https://example.com/wine',
  political: null,
  creatives: [
    {
      id: ids.creative,
      name: 'Autumn spot',
      kind: 'video',
      orientation: 'landscape',
      duration_ms: 10_000,
      status: 'ready',
      url: 'https://api.example.com/assets/b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c.mp4',
      poster_url: null,
    },
  ],
  created_at: '2037-09-01T10:00:00.000Z',
};
const rejection = { code: 'misleading', detail: 'The campaign makes claims that are not supported.' };
const figuresInForce = {
  type: 'entertainment.bars',
  city: 'Berlin',
  lat: 52.52,
  lng: 13.4,
  timezone: 'Europe/Berlin',
  opening_hours: null,
  daily_visitors: 120,
  dwell_minutes: 45,
};
const askedFigures = { ...figuresInForce, daily_visitors: 4_000 };
const venueReview = {
  venue_id: ids.venue,
  name: 'The corner bar',
  workspace: { id: idOf('workspace', 3), name: 'Corner bars' },
  figures: {
    in_force: { ...figuresInForce, audience_max: 100 },
    pending: { daily_visitors: 4_000 },
    review: {
      status: 'pending',
      reasons: ['visitors_above_type'],
      requested_at: '2037-09-03T09:00:00.000Z',
      decided_at: null,
      rejection: null,
    },
  },
  limits: { daily_visitors: 3_000, dwell_minutes: 240, audience_max: 100 },
};

export const REVIEW_EXAMPLES: Examples = {
  listReviews: { response: listed(review) },
  approveReview: { response: { campaign_id: ids.campaign, status: 'live', rejection: null } },
  rejectReview: {
    request: { reason: rejection.code },
    response: { campaign_id: ids.campaign, status: 'rejected', rejection },
  },
  listVenueReviews: { response: listed(venueReview) },
  approveVenueFigures: {
    request: { requested_at: venueReview.figures.review.requested_at, audience_max: 150 },
    response: {
      venue_id: ids.venue,
      figures: { in_force: { ...askedFigures, audience_max: 150 }, pending: null, review: null },
    },
  },
  rejectVenueFigures: {
    request: { requested_at: venueReview.figures.review.requested_at, reason: 'unproven' },
    response: {
      venue_id: ids.venue,
      figures: { in_force: { ...figuresInForce, audience_max: 100 }, pending: null, review: null },
    },
  },
};
