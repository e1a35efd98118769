/**
 * The rules about invalid traffic as data. A published rule keeps its meaning: a new threshold is a new version in a
 * row above the old one, which stays so that its decisions can be read. The newest version is applied.
 *
 * `stage` says when: as a code is `scanned`, as a play is `reported`, as it is `counted`, or as a `review` of what
 * screens and venues did. `action` says what becomes of it: the scan is redirected and not counted; the play is
 * refused, dropped (it was counted before), shown but not charged, counted up to a limit, counted as estimated, or the
 * earnings are held until the operator has decided; the plays of an upheld finding are taken out.
 */
export type TrafficRule = {
  name: string;
  version: number;
  stage: 'scanned' | 'reported' | 'counted' | 'review';
  action: 'refuse' | 'drop' | 'not_counted' | 'not_charged' | 'bound' | 'estimate' | 'hold';
  /** Its subject, for people. */
  looksAt: string;
  thresholds: Readonly<Record<string, number>>;
};

/**
 * For reviews: a screen or venue is far from its peers if its distance from their median is at least `score_min` times
 * their spread (domain/outliers), which counts as at least `spread_min`. A usual bound for such scores is 3.5 (Iglewicz
 * and Hoaglin 1993); here it is 6, because a finding holds an owner's money and screens of one type do differ. Ratios
 * are compared by their natural logarithms, so that 6 x 0.4 is 11 times the median. `venues_min` and `owners_min` are
 * the required numbers of peers. Simulated: of screens whose audiences are log-normal with a deviation of 0.7 (one in
 * twenty has four times the median) 20 in a million are so far from 12 peers, with a deviation of 1, 80.
 */
export const TRAFFIC_RULE_ROWS: readonly TrafficRule[] = [
  {
    name: 'scan_machine',
    version: 1,
    stage: 'scanned',
    action: 'not_counted',
    looksAt: 'The code was followed by a program: a link preview, a crawler, a script or a load ahead of a visit.',
    thresholds: {},
  },
  {
    name: 'scan_repeat',
    version: 1,
    stage: 'scanned',
    action: 'not_counted',
    looksAt: 'The code was followed by the same address and software a moment ago.',
    thresholds: { window_ms: 10_000 },
  },
  // A code is of one slot on one screen. The guests of a whole room may have one address; an hour is longer than a code
  // is in sight.
  {
    name: 'scan_crowd',
    version: 1,
    stage: 'scanned',
    action: 'not_counted',
    looksAt: 'The code was followed from the same address too often, whatever software said it was.',
    thresholds: { window_ms: 3_600_000, scans_max: 20 },
  },
  {
    name: 'scan_screen_crowd',
    version: 1,
    stage: 'scanned',
    action: 'not_counted',
    looksAt: 'Codes of the campaign on the screen were followed from the same address too often.',
    thresholds: { window_ms: 3_600_000, scans_max: 100 },
  },
  {
    name: 'bad_signature',
    version: 1,
    stage: 'reported',
    action: 'refuse',
    looksAt: 'The play id was not signed by this installation.',
    thresholds: {},
  },
  {
    name: 'other_screen',
    version: 1,
    stage: 'reported',
    action: 'refuse',
    looksAt: 'The play was issued to another screen than the one that reports it.',
    thresholds: {},
  },
  {
    name: 'before_slot',
    version: 1,
    stage: 'reported',
    action: 'refuse',
    looksAt: 'The play is said to have begun before its slot.',
    thresholds: { tolerance_ms: 5_000 },
  },
  {
    name: 'after_expiry',
    version: 1,
    stage: 'reported',
    action: 'refuse',
    looksAt: 'The play is said to have begun after it had expired.',
    thresholds: { tolerance_ms: 5_000 },
  },
  {
    name: 'too_short',
    version: 1,
    stage: 'reported',
    action: 'refuse',
    looksAt: 'The play was shown for less than its duration.',
    thresholds: { tolerance_ms: 500 },
  },
  {
    name: 'too_late',
    version: 1,
    stage: 'reported',
    action: 'refuse',
    looksAt: 'The play is reported later than anything is taken.',
    thresholds: { days_max: 30 },
  },
  {
    name: 'before_end',
    version: 1,
    stage: 'reported',
    action: 'refuse',
    looksAt: 'The play is reported before it can be over.',
    thresholds: { tolerance_ms: 5_000 },
  },
  {
    name: 'unattested',
    version: 1,
    stage: 'reported',
    action: 'estimate',
    looksAt: 'People were reported for the play that no paired sensing module has signed.',
    thresholds: {},
  },
  {
    name: 'duplicate',
    version: 1,
    stage: 'counted',
    action: 'drop',
    looksAt: 'The play was counted before.',
    thresholds: {},
  },
  {
    name: 'late',
    version: 1,
    stage: 'counted',
    action: 'not_charged',
    looksAt: 'The play is reported after its window, or was given back.',
    thresholds: { window_hours: 48, plan_window_hours: 168 },
  },
  {
    name: 'overlap',
    version: 1,
    stage: 'counted',
    action: 'not_charged',
    looksAt: 'The screen was showing another play that counts.',
    thresholds: { tolerance_ms: 5_000, cut_tolerance_ms: 500 },
  },
  {
    name: 'audience_bound',
    version: 1,
    stage: 'counted',
    action: 'bound',
    looksAt: 'The sensing module counted more people than the signed bound of the play.',
    thresholds: {},
  },
  {
    name: 'pace',
    version: 1,
    stage: 'review',
    action: 'hold',
    looksAt: 'Plays per hour in which the screen played, over its ad ratio, against its peers; a day.',
    thresholds: { plays_min: 100, hours_min: 6, score_min: 6, spread_min: 0.3, venues_min: 12, owners_min: 3 },
  },
  {
    name: 'audience',
    version: 1,
    stage: 'review',
    action: 'hold',
    looksAt: 'Impressions per play of the screen against its peers; a day.',
    thresholds: { plays_min: 100, score_min: 6, spread_min: 0.4, venues_min: 12, owners_min: 3 },
  },
  {
    name: 'venue_volume',
    version: 1,
    stage: 'review',
    action: 'hold',
    looksAt: 'Impressions of the whole venue against its peers; a day.',
    thresholds: { plays_min: 200, score_min: 6, spread_min: 0.4, venues_min: 12, owners_min: 3 },
  },
  // Screens of one venue differ by location: a door has several times the people of a back room.
  {
    name: 'own_audience',
    version: 1,
    stage: 'review',
    action: 'hold',
    looksAt: "People a second by the venue's own figures against its screens that a vendor measured; a day.",
    thresholds: { plays_min: 100, ratio_min: 5 },
  },
  // Counts of people who come independently vary like a Poisson number, whose variance is its mean; crowds vary more.
  {
    name: 'steady_audience',
    version: 1,
    stage: 'review',
    action: 'hold',
    looksAt: 'How much the counts of the sensing module vary: variance over mean; a day.',
    thresholds: { plays_min: 200, hours_min: 6, mean_min: 1, dispersion_max: 0.05 },
  },
  {
    name: 'even_times',
    version: 1,
    stage: 'review',
    action: 'hold',
    looksAt: 'How much the time from slot to start varies, where peers show that players vary; a day.',
    thresholds: {
      plays_min: 300,
      hours_min: 6,
      spread_ms_max: 1,
      peers_spread_ms_min: 20,
      venues_min: 12,
      owners_min: 3,
    },
  },
  {
    name: 'around_the_clock',
    version: 1,
    stage: 'review',
    action: 'hold',
    looksAt: 'Hours of the day in which the screen played, where its peers close; a day.',
    thresholds: {
      plays_min: 200,
      hours_min: 23,
      peers_hours_max: 16,
      score_min: 6,
      spread_min: 1,
      venues_min: 12,
      owners_min: 3,
    },
  },
  {
    name: 'scans_without_plays',
    version: 1,
    stage: 'review',
    action: 'hold',
    looksAt:
      'Scans of codes whose play was never reported; the five days before the last two, in which plays may still be reported.',
    thresholds: { scans_min: 20, share_min: 0.5 },
  },
  // A quarter of the expectation is accepted: places differ in how willing their guests are.
  {
    name: 'plays_without_scans',
    version: 1,
    stage: 'review',
    action: 'hold',
    looksAt: 'Scans of a venue against what the same campaigns got at venues of other owners; seven days.',
    thresholds: { expected_min: 40, share_of_expected: 0.25, probability_max: 0.000001, owners_min: 3 },
  },
];
