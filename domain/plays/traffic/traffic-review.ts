/**
 * The review of what screens and venues played: it finds those that are far from their peers (`peers.ts`), or that
 * behave as no real screen does.
 */
import type { Handle } from '../../id.ts';
import { ruleInForce } from './invalid-traffic.ts';
import { scoreOf } from './outliers.ts';
import type { Milliseconds } from '../../unit.ts';
import { type Suspicion, suspicion } from './suspicion.ts';
import { createPeers } from './peers.ts';

export type ScreenTraffic = {
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  workspace: Handle<'workspace'>;
  venueType: string;
  /** 0 .. 1. */
  adRatio: number;
  /** Per day: counted plays, the hours that had any, impressions in thousandths. */
  plays: number;
  hours: number;
  impressionsThousandths: number;
  /** Standard deviation, in ms, of how long after their slot the plays began. */
  startSpreadMs: Milliseconds;
  /** Per day: plays with a count of a sensing module, the hours that had any, mean and variance of the counts. */
  sensed: { plays: number; hours: number; mean: number; variance: number };
  /** Per day, plays without a module's count: those with an imported audience, and those with figures of the venue. */
  measured: CountedBy;
  own: CountedBy;
};
type CountedBy = { plays: number; impressionsThousandths: number; shownMs: Milliseconds };

export function reviewTraffic(screens: readonly ScreenTraffic[]): Suspicion[] {
  return [
    ...reviewPace(screens),
    ...reviewAudience(screens),
    ...reviewVenues(screens),
    ...reviewOwnAudience(screens),
    ...reviewSteadiness(screens),
    ...reviewTimes(screens),
    ...reviewHours(screens),
  ];
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

// ---- behavior that no real screen shows

/** Venues whose own figures have far more people than a vendor saw before their other screens. */
function reviewOwnAudience(screens: readonly ScreenTraffic[]): Suspicion[] {
  const { plays_min: playsMin, ratio_min: ratioMin } = ruleInForce('own_audience').thresholds;
  const venues = new Map<Handle<'venue'>, Pick<ScreenTraffic, 'workspace' | 'venue' | 'measured' | 'own'>>();
  for (const { workspace, venue, measured, own } of screens) {
    const others = venues.get(venue);
    venues.set(venue, {
      workspace,
      venue,
      measured: others ? sumOf(others.measured, measured) : measured,
      own: others ? sumOf(others.own, own) : own,
    });
  }
  return [...venues.values()].flatMap(({ workspace, venue, measured, own }) => {
    const [peopleMeasured, peopleOwn] = [peopleASecond(measured), peopleASecond(own)];
    const isFar = peopleOwn > 0 && peopleOwn >= ratioMin! * peopleMeasured;
    if (measured.plays < playsMin! || own.plays < playsMin! || !isFar) return [];
    return [
      suspicion('own_audience', { workspace, venue }, peopleOwn / peopleMeasured, {
        own_plays: own.plays,
        own_people_a_second: peopleOwn,
        measured_plays: measured.plays,
        measured_people_a_second: peopleMeasured,
      }),
    ];
  });
}

function sumOf(a: CountedBy, b: CountedBy): CountedBy {
  return {
    plays: a.plays + b.plays,
    impressionsThousandths: a.impressionsThousandths + b.impressionsThousandths,
    shownMs: a.shownMs + b.shownMs,
  };
}

function peopleASecond({ impressionsThousandths, shownMs }: CountedBy): number {
  return impressionsThousandths / shownMs;
}

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
