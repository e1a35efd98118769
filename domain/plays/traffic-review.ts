/**
 * The review of what screens and venues did: it finds those that are far from their peers, or that behave as no real
 * screen does. Peers are venues of the same type, or of its parent type where there are too few. Only venues of other
 * owners are compared, because an owner of most screens of a type would otherwise define what is usual. Each venue is
 * one value, the median of its screens.
 */
import type { Handle } from '../id.ts';
import { ruleInForce } from './invalid-traffic.ts';
import { median, poissonAtMost, scoreOf, usualOf, type Usual } from './outliers.ts';
import type { Milliseconds } from '../unit.ts';

export type ScreenTraffic = {
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  workspace: Handle<'workspace'>;
  venueType: string;
  /** 0 .. 1. */
  adRatio: number;
  /** Of a day: counted plays, the hours that had any, impressions in thousandths. */
  plays: number;
  hours: number;
  impressionsThousandths: number;
  /** Standard deviation, in ms, of how long after their slot the plays began. */
  startSpreadMs: Milliseconds;
  /** Of a day: plays with a count of a sensing module, the hours that had any, mean and variance of the counts. */
  sensed: { plays: number; hours: number; mean: number; variance: number };
};
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

/** `screen` is undefined where the whole venue is meant. `score` orders suspicions of one rule, the strongest first. */
export type Suspicion = {
  rule: string;
  version: number;
  workspace: Handle<'workspace'>;
  venue: Handle<'venue'>;
  screen?: Handle<'screen'>;
  score: number;
  evidence: Record<string, number>;
};

export function reviewTraffic(screens: readonly ScreenTraffic[]): Suspicion[] {
  return [
    ...reviewPace(screens),
    ...reviewAudience(screens),
    ...reviewVenues(screens),
    ...reviewSteadiness(screens),
    ...reviewTimes(screens),
    ...reviewHours(screens),
  ];
}

type ScanReview = { screens: readonly ScreenScans[]; venues: readonly VenueScans[] };

export function reviewScans({ screens, venues }: ScanReview): Suspicion[] {
  return [...screens.flatMap(suspectScansWithoutPlays), ...reviewSilence(venues)];
}

// ---- far from peers

function reviewPace(screens: readonly ScreenTraffic[]): Suspicion[] {
  const { plays_min: playsMin, hours_min: hoursMin } = ruleInForce('pace').thresholds;
  const judged = screens.filter(({ plays, hours, adRatio }) => plays >= playsMin! && hours >= hoursMin! && adRatio > 0);
  return reviewRatios(
    'pace',
    judged,
    ({ plays, hours, adRatio }) => plays / hours / adRatio,
    ({ plays, hours, adRatio }) => ({ plays, hours, ad_ratio: adRatio, plays_per_hour: plays / hours }),
  );
}

function reviewAudience(screens: readonly ScreenTraffic[]): Suspicion[] {
  const judged = screens.filter(
    ({ plays, impressionsThousandths }) =>
      plays >= ruleInForce('audience').thresholds['plays_min']! && impressionsThousandths > 0,
  );
  const impressions = ({ plays, impressionsThousandths }: ScreenTraffic) => impressionsThousandths / plays / 1_000;
  return reviewRatios('audience', judged, impressions, screen => ({
    plays: screen.plays,
    impressions_per_play: impressions(screen),
  }));
}

function reviewVenues(screens: readonly ScreenTraffic[]): Suspicion[] {
  const venues = new Map<Handle<'venue'>, ScreenTraffic & { screens: number }>();
  for (const screen of screens) {
    const venue = venues.get(screen.venue);
    if (!venue) venues.set(screen.venue, { ...screen, screens: 1 });
    else
      Object.assign(venue, {
        screens: venue.screens + 1,
        plays: venue.plays + screen.plays,
        impressionsThousandths: venue.impressionsThousandths + screen.impressionsThousandths,
      });
  }
  const judged = [...venues.values()].filter(
    ({ plays, impressionsThousandths }) =>
      plays >= ruleInForce('venue_volume').thresholds['plays_min']! && impressionsThousandths > 0,
  );
  const found = reviewRatios(
    'venue_volume',
    judged,
    ({ impressionsThousandths }) => impressionsThousandths / 1_000,
    venue => ({ screens: venue.screens, plays: venue.plays, impressions: venue.impressionsThousandths / 1_000 }),
  );
  return found.map(({ screen: _one, ...ofVenue }) => ofVenue); // which of its screens came first does not matter
}

/** Compares ratios by their logarithms, so that three times as much is as far as a third. */
function reviewRatios<Screen extends ScreenTraffic>(
  name: string,
  screens: readonly Screen[],
  ratioOf: (screen: Screen) => number,
  evidenceOf: (screen: Screen) => Record<string, number>,
): Suspicion[] {
  const { thresholds } = ruleInForce(name);
  const peersOf = createPeers(screens, screen => Math.log(ratioOf(screen)), thresholds);
  return screens.flatMap(screen => {
    const peers = peersOf(screen);
    if (!peers) return [];
    const score = scoreOf(Math.log(ratioOf(screen)), peers, thresholds['spread_min']!);
    if (score < thresholds['score_min']!) return [];
    return [
      suspicion(name, screen, score, {
        ...evidenceOf(screen),
        times_peers: ratioOf(screen) / Math.exp(peers.median),
        score,
        peer_venues: peers.count,
        peer_owners: peers.owners,
      }),
    ];
  });
}

function reviewHours(screens: readonly ScreenTraffic[]): Suspicion[] {
  const { thresholds } = ruleInForce('around_the_clock');
  const peersOf = createPeers(
    screens.filter(({ plays }) => plays >= thresholds['plays_min']!),
    ({ hours }) => hours,
    thresholds,
  );
  return screens
    .filter(({ plays, hours }) => plays >= thresholds['plays_min']! && hours >= thresholds['hours_min']!)
    .flatMap(screen => {
      const peers = peersOf(screen);
      if (!peers || peers.median > thresholds['peers_hours_max']!) return [];
      const score = scoreOf(screen.hours, peers, thresholds['spread_min']!);
      return score < thresholds['score_min']!
        ? []
        : [
            suspicion('around_the_clock', screen, score, {
              plays: screen.plays,
              hours: screen.hours,
              peers_hours: peers.median,
              score,
              peer_venues: peers.count,
              peer_owners: peers.owners,
            }),
          ];
    });
}

// ---- behaviour that no real screen shows

function reviewSteadiness(screens: readonly ScreenTraffic[]): Suspicion[] {
  const { thresholds } = ruleInForce('steady_audience');
  return screens.flatMap(screen => {
    const { plays, hours, mean, variance } = screen.sensed;
    if (plays < thresholds['plays_min']! || hours < thresholds['hours_min']! || mean < thresholds['mean_min']!)
      return [];
    const dispersion = variance / mean;
    return dispersion > thresholds['dispersion_max']!
      ? []
      : [suspicion('steady_audience', screen, mean, { plays, hours, mean, dispersion })];
  });
}

function reviewTimes(screens: readonly ScreenTraffic[]): Suspicion[] {
  const { thresholds } = ruleInForce('even_times');
  const judged = screens.filter(
    ({ plays, hours }) => plays >= thresholds['plays_min']! && hours >= thresholds['hours_min']!,
  );
  const peersOf = createPeers(judged, ({ startSpreadMs }) => startSpreadMs, thresholds);
  return judged
    .filter(({ startSpreadMs }) => startSpreadMs <= thresholds['spread_ms_max']!)
    .flatMap(screen => {
      const peers = peersOf(screen);
      if (!peers || peers.median < thresholds['peers_spread_ms_min']!) return [];
      const { plays, hours, startSpreadMs } = screen;
      return [
        suspicion('even_times', screen, plays, {
          plays,
          hours,
          spread_ms: startSpreadMs,
          peers_spread_ms: peers.median,
          peer_venues: peers.count,
          peer_owners: peers.owners,
        }),
      ];
    });
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

type FindingSubject = { workspace: Handle<'workspace'>; venue: Handle<'venue'>; screen?: Handle<'screen'> };

function suspicion(
  name: string,
  { workspace, venue, screen }: FindingSubject,
  score: number,
  evidence: Record<string, number>,
): Suspicion {
  const { version } = ruleInForce(name);
  return {
    rule: name,
    version,
    workspace,
    venue,
    ...(screen !== undefined && { screen }),
    score,
    evidence: Object.fromEntries(Object.entries(evidence).map(([key, value]) => [key, shorten(value)])),
  };
}

/** Rounds to four significant digits. */
function shorten(value: number): number {
  return Number(value.toPrecision(4));
}

// ---- peers

type Peers = Usual & { owners: number };
/** The median of the screens of one venue, and whose venue it is. */
type VenueValue = { workspace: Handle<'workspace'>; value: number };
type Subject = { venue: Handle<'venue'>; workspace: Handle<'workspace'>; venueType: string };

/** Who is compared with whom. Undefined where the others are too few to say what is usual. */
function createPeers<Of extends Subject>(
  subjects: readonly Of[],
  valueOf: (subject: Of) => number,
  thresholds: Readonly<Record<string, number>>,
): (subject: Subject) => Peers | undefined {
  const valuesByType = valuesOf(subjects, valueOf);
  const known = new Map<string, Peers | undefined>();
  const peersOfType = (type: string, workspace: Handle<'workspace'>): Peers | undefined => {
    const key = `${type} ${workspace}`;
    if (!known.has(key)) known.set(key, usualElsewhere(valuesByType.get(type) ?? [], workspace, thresholds));
    return known.get(key);
  };
  return ({ venueType, workspace }) => {
    for (const type of typeAndParents(venueType)) {
      const peers = peersOfType(type, workspace);
      if (peers) return peers;
    }
    return undefined;
  };
}

function usualElsewhere(
  values: readonly VenueValue[],
  workspace: Handle<'workspace'>,
  { venues_min: venuesMin, owners_min: ownersMin }: Readonly<Record<string, number>>,
): Peers | undefined {
  const others = values.filter(each => each.workspace !== workspace);
  const owners = new Set(others.map(each => each.workspace)).size;
  return others.length < venuesMin! || owners < ownersMin!
    ? undefined
    : { ...usualOf(others.map(each => each.value)), owners };
}

/** The values of venues by their type and each of its parents. */
function valuesOf<Of extends Subject>(
  subjects: readonly Of[],
  valueOf: (subject: Of) => number,
): Map<string, VenueValue[]> {
  const venues = new Map<Handle<'venue'>, { subject: Of; values: number[] }>();
  for (const subject of subjects) {
    const venue = venues.get(subject.venue);
    if (venue) venue.values.push(valueOf(subject));
    else venues.set(subject.venue, { subject, values: [valueOf(subject)] });
  }
  const byType = new Map<string, VenueValue[]>();
  for (const {
    subject: { workspace, venueType },
    values,
  } of venues.values()) {
    for (const type of typeAndParents(venueType)) {
      const ofType = byType.get(type) ?? [];
      byType.set(type, ofType);
      ofType.push({ workspace, value: median(values) });
    }
  }
  return byType;
}

/** `a.b.c`, `a.b`, `a`. */
function typeAndParents(type: string): string[] {
  const parts = type.split('.');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
}
