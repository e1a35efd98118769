/**
 * The review of scans: it finds screens whose codes were scanned though no play had shown them, and venues where people
 * scan far less than the same campaigns let expect.
 */
import type { Handle } from '../../id.ts';
import { ruleInForce } from './invalid-traffic.ts';
import { poissonAtMost } from './outliers.ts';
import { type Suspicion, suspicion } from './suspicion.ts';

/** Scans of a screen that can be compared with its plays, and those of them whose code no reported play had shown. */
export type ScreenScans = {
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  workspace: Handle<'workspace'>;
  scans: number;
  withoutPlay: number;
};
/** A venue and a campaign that it showed: people reached, and scans. */
export type VenueScans = {
  venue: Handle<'venue'>;
  workspace: Handle<'workspace'>;
  campaign: Handle<'campaign'>;
  impressions: number;
  scans: number;
};

type ScanReview = { screens: readonly ScreenScans[]; venues: readonly VenueScans[] };

export function reviewScans({ screens, venues }: ScanReview): Suspicion[] {
  return [...screens.flatMap(suspectScansWithoutPlays), ...reviewSilence(venues)];
}

// ---- scans

function suspectScansWithoutPlays(screen: ScreenScans): Suspicion[] {
  const { scans_min: scansMin, share_min: shareMin } = ruleInForce('scans_without_plays').thresholds;
  const { scans, withoutPlay } = screen;
  if (scans < scansMin! || withoutPlay < shareMin! * scans) return [];
  return [suspicion('scans_without_plays', screen, withoutPlay, { scans, without_play: withoutPlay })];
}

/** Venues with far fewer scans than the same campaigns got, per person reached, at venues of other owners. */
function reviewSilence(rows: readonly VenueScans[]): Suspicion[] {
  const { thresholds } = ruleInForce('plays_without_scans');
  return [...expectScans(rows).values()].flatMap(venue => {
    const { scans, expected } = venue;
    const granted = thresholds['share_of_expected']! * expected;
    if (expected < thresholds['expected_min']! || scans >= granted) return [];
    const probability = poissonAtMost(scans, granted);
    return probability > thresholds['probability_max']!
      ? []
      : [
          suspicion('plays_without_scans', venue, expected, {
            scans,
            expected,
            impressions: venue.impressions,
            probability,
          }),
        ];
  });
}

type Sums = { impressions: number; scans: number };
type CampaignScans = { all: Sums; owners: Map<Handle<'workspace'>, Sums> };
type Expected = {
  venue: Handle<'venue'>;
  workspace: Handle<'workspace'>;
  scans: number;
  expected: number;
  impressions: number;
};

/**
 * By venue: its scans, and how many its campaigns' rates at other owners' venues let expect. Campaigns that too few
 * other owners have shown are left out.
 */
function expectScans(rows: readonly VenueScans[]): Map<Handle<'venue'>, Expected> {
  const ownersMin = ruleInForce('plays_without_scans').thresholds['owners_min']!;
  const byCampaign = new Map<Handle<'campaign'>, CampaignScans>();
  for (const { campaign, workspace, ...sums } of rows) {
    const of: CampaignScans = byCampaign.get(campaign) ?? { all: { impressions: 0, scans: 0 }, owners: new Map() };
    byCampaign.set(campaign, of);
    const own = of.owners.get(workspace) ?? { impressions: 0, scans: 0 };
    of.owners.set(workspace, { impressions: own.impressions + sums.impressions, scans: own.scans + sums.scans });
    of.all = { impressions: of.all.impressions + sums.impressions, scans: of.all.scans + sums.scans };
  }
  const venues = new Map<Handle<'venue'>, Expected>();
  for (const { venue, workspace, campaign, impressions, scans } of rows) {
    const { all, owners } = byCampaign.get(campaign)!;
    const own = owners.get(workspace)!;
    if (owners.size - 1 < ownersMin || all.impressions === own.impressions) continue;
    const rate = (all.scans - own.scans) / (all.impressions - own.impressions);
    const found = venues.get(venue) ?? { venue, workspace, scans: 0, expected: 0, impressions: 0 };
    venues.set(venue, {
      ...found,
      scans: found.scans + scans,
      expected: found.expected + impressions * rate,
      impressions: found.impressions + impressions,
    });
  }
  return venues;
}
