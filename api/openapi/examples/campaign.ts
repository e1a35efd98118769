/** Examples of a campaign, from its forecast to its reports. */
import { eur, idOf, ids, listed, type Examples } from './names.ts';

const schedule = { starts: '2037-09-04', ends: '2037-09-26' };
const targets = {
  cities: ['Berlin'],
  venue_types: ['entertainment'],
  daypart: { start: '18:00', end: '02:00' },
  days: ['fri', 'sat'],
};
const fields = { name: 'Autumn', category: 'travel_and_tourism', budget: eur(100) };
const rate = { ...eur(0.0051), unit: 'impression' };

const listedCampaign = {
  id: ids.campaign,
  ...fields,
  status: 'live',
  spent: eur(50.18),
  starts: '2037-09-04T00:00:00Z',
  ends: '2037-09-26T23:59:59Z',
  created_at: '2037-09-01T10:00:00.000Z',
  deleted_at: null,
};
const campaign = {
  ...listedCampaign,
  schedule,
  targets: { ...targets, areas: [] },
  landing_url: 'https://example.com/autumn',
  brand_lift: false,
  frequency: { max_per_hour: 4 },
  political: null,
  rate,
  forecast: { impressions_low: 16_900, impressions_high: 19_600, scan_rate_est: 0.0005, screens_eligible: 40 },
  review: null,
  refund_pending: eur(0),
  rejection: null,
  creatives: [{ id: ids.creative, weight: 1, status: 'ready' }],
};
const submitted = {
  ...campaign,
  status: 'pending_review',
  spent: eur(0),
  review: { waiting_for: 'rules' },
  warnings: [],
};
const detail = {
  ...campaign,
  creatives: [{ id: ids.creative, weight: 1, status: 'ready', plays: 1_200, impressions: 9_840 }],
  counters: { plays: 1_200, impressions: 9_840, scans: 6, late_plays: 3, spend: eur(50.18), screens_used: 40 },
  pacing: {
    expected_spend: eur(49.5),
    actual_spend: eur(50.18),
    ratio: 1.0137,
    today: [{ hour: '2037-09-05T18:00', expected_spend: eur(2.1), actual_spend: eur(2.04) }],
  },
};

const sharedReport = {
  id: idOf('shared_report', 3),
  campaign_id: ids.campaign,
  name: 'For the board',
  status: 'open',
  created_at: '2037-09-05T10:00:00.000Z',
  expires_at: '2037-10-05T10:00:00.000Z',
};

const figures = { plays: 1_200, impressions: 9_840, scans: 6, spend: eur(50.18) };
const taken = { plays: 60, impressions: 492, spend: eur(2.51) };
const invalid = {
  invalid_plays: [
    { reason: 'late', plays: 3 },
    { reason: 'invalid_traffic', plays: taken.plays },
  ],
  adjustments: [{ at: '2037-09-04T23:10:00.000Z', concerns: 'audience', ...taken }],
};
const results = {
  campaign_id: ids.campaign,
  by_day: [{ day: '2037-09-04', ...figures }],
  by_hour: [{ hour: '2037-09-04T18:00', ...figures }],
  by_screen: [{ screen_id: ids.screen, venue_id: ids.venue, ...figures }],
  ...invalid,
  as_of: '2037-09-05T07:59:59.000Z',
  tz: 'Europe/Berlin',
};
const report = {
  campaign_id: ids.campaign,
  totals: { ...figures, scan_rate: 0.00061, screens: 40 },
  series: [{ bucket: '2037-09-04', ...figures }],
  late_plays: 3,
  ...invalid,
  net: { plays: 1_140, impressions: 9_348, spend: eur(47.67) },
  plays_not_counted: [{ reason: 'too_short', plays: 4 }],
  scans_not_counted: [{ reason: 'scan_repeat', scans: 2 }],
  as_of: results.as_of,
  is_final: false,
  tz: 'Europe/Berlin',
};
const {
  invalid_plays: _invalid,
  adjustments: _adjustments,
  net: _net,
  plays_not_counted: _plays,
  scans_not_counted: _scans,
  campaign_id: _campaign,
  ...shared
} = report;
const several = {
  ...shared,
  campaigns: [{ campaign_id: ids.campaign, name: fields.name, ...figures, late_plays: 3 }],
  group_by: 'city',
  groups: [{ city: 'Berlin', ...figures }],
};
const place = {
  venue_id: ids.venue,
  name: 'Corner bar',
  type: 'entertainment.bars',
  city: 'Berlin',
  timezone: 'Europe/Berlin',
  coordinates: { lat: 52.5, lng: 13.4, precision: 'city' },
  photo_url: 'https://api.example.com/assets/b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c.webp',
};
const offer = {
  ...place,
  opening_hours: { fri: [{ start: '18:00', end: '02:00' }], sat: [{ start: '18:00', end: '02:00' }] },
  screens: 2,
  orientations: ['landscape'],
  blocked_categories: ['alcohol'],
  audience: { daily_visitors: 400, dwell_minutes: 45, per_play: 8.2 },
  price: { cpm: eur(5.1), per_play: eur(0.04182) },
  availability: { start: '2037-09-04', end: '2037-09-26', plays: 4_100, impressions: 33_620, share: 0.62 },
};
const scan = {
  id: 'scan_7Kx2mQ',
  at: '2037-09-04T19:12:31.000Z',
  campaign_id: ids.campaign,
  creative_id: ids.creative,
  screen_id: ids.screen,
  venue_id: ids.venue,
  daypart: 'evening',
  slot_at: '2037-09-04T19:12:00.000Z',
};

const slot = {
  starts_at: '2037-09-04T19:12:00.000Z',
  decided_at: '2037-09-04T19:11:58.200Z',
  max_duration_ms: 15_000,
  offline_plan: false,
};
const screenDecision = {
  ...slot,
  winner: { campaign_id: ids.campaign, creative_id: ids.creative, category: 'travel_and_tourism', duration_ms: 10_000 },
  no_fill: null,
  explanation: 'complete',
  losers: [{ campaign_id: idOf('campaign', 40), category: 'alcohol', reason: 'venue_blocked', rule: null }],
  losers_by_reason: [{ reason: 'venue_blocked', campaigns: 1 }],
};

const forecast = {
  rate: eur(0.0051),
  impressions_low: 16_900,
  impressions_high: 19_600,
  scan_rate_est: 0.0005,
  screens_eligible: 40,
  fill_probability: 0.97,
  pacing: [
    { date: '2037-09-04', impressions_est: 9_100 },
    { date: '2037-09-05', impressions_est: 9_200 },
  ],
  warnings: [],
};

// Newcombe's first example: 56 of 70 against 48 of 80.
const asked = {
  exposed: { sample: 70, positive: 56, rate: 0.8 },
  control: { sample: 80, positive: 48, rate: 0.6 },
  delta: 0.2,
  confidence_interval: { low: 0.052431, high: 0.333864, level: 0.95 },
  significant: true,
};
const unasked = {
  exposed: { sample: 0, positive: 0, rate: null },
  control: { sample: 0, positive: 0, rate: null },
  delta: null,
  confidence_interval: null,
  significant: false,
};

export const CAMPAIGN_EXAMPLES: Examples = {
  listCategories: {
    response: {
      data: [
        {
          id: '1002',
          slug: 'alcohol',
          name: 'Alcohol',
          policy: 'restricted',
          reason: 'age limits and local law on alcohol',
        },
      ],
    },
  },
  listVenueTypes: { response: { data: [{ name: 'entertainment.bars', parent: 'entertainment' }] } },
  listCities: { response: { data: [{ name: 'Berlin', venues: 12, screens: 40 }] } },
  createForecast: {
    request: {
      budget: eur(100),
      venue_types: ['entertainment'],
      cities: ['Berlin'],
      schedule,
      daypart: targets.daypart,
    },
    response: forecast,
  },
  createCampaign: {
    request: {
      ...fields,
      targets,
      creatives: [ids.creative],
      schedule,
      landing_url: campaign.landing_url,
      frequency: campaign.frequency,
    },
    response: submitted,
  },
  listCampaigns: { response: listed({ ...listedCampaign, expected_spend: eur(48.2) }) },
  readCampaign: { response: detail },
  changeCampaign: { request: { status: 'paused' }, response: { ...campaign, status: 'paused' } },
  readCampaignResults: { response: results },
  listCampaignDecisions: {
    response: listed({
      screen_id: ids.screen,
      ...slot,
      outcome: 'won',
      creative_id: ids.creative,
      reason: null,
      rule: null,
    }),
  },
  listScreenDecisions: { response: listed(screenDecision) },
  readCampaignReport: {
    response: {
      ...report,
      group_by: 'venue',
      groups: [{ venue_id: ids.venue, name: place.name, type: place.type, city: place.city, ...figures }],
    },
  },
  readCampaignsReport: { response: several },
  listSharedReports: { response: listed(sharedReport) },
  shareReport: {
    request: { name: sharedReport.name, days: 30 },
    response: {
      ...sharedReport,
      url: 'https://api.example.com/console/report#report_5sWd...',
      token: 'report_5sWd...',
    },
  },
  readSharedReport: {
    request: { token: 'report_5sWd...' },
    response: {
      workspace: { name: 'Example Travel' },
      campaign: { name: fields.name, ...schedule },
      report: { ...report, group_by: 'city', groups: [{ city: place.city, ...figures }] },
      expires_at: sharedReport.expires_at,
    },
  },
  listCampaignPlaces: { response: { ...listed({ ...place, screens: 2, ...figures }), as_of: results.as_of } },
  listInventory: { response: listed(offer) },
  listScans: { response: listed(scan) },
  listBrandLift: {
    response: listed({
      campaign_id: ids.campaign,
      name: fields.name,
      awareness: unasked,
      recall: asked,
      intent: unasked,
    }),
  },
  createBrandLiftResponses: {
    request: {
      responses: [
        { campaign_id: ids.campaign, group: 'exposed', question: 'recall', positive: true, respondent: 'panel-4711' },
      ],
    },
    response: { accepted: 1, duplicates: 0 },
  },
};
