/**
 * The review of plays and scans: which screens and venues are unlike all others, and which honest ones are left alone.
 * Pure rules on traffic made here, from a seed where it is random; docs/invalid-traffic.md has the same rules.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../cli/demo/seeded-random.ts';
import { ruleInForce, ruleLabel, ruleOfLabel } from '#domain/plays/traffic/invalid-traffic.ts';
import { TRAFFIC_RULE_ROWS } from '#domain/data/traffic-rules.ts';
import { reviewTraffic, type ScreenTraffic } from '#domain/plays/traffic/traffic-review.ts';
import { reviewScans, type VenueScans } from '#domain/plays/traffic/scan-review.ts';
import { handle } from '../../support/handle.ts';

/**
 * A bar's screen of an evening and a night: forty plays an hour, three people, a player whose start strays by 60 ms.
 */
const BAR: Omit<ScreenTraffic, 'screen' | 'venue' | 'workspace'> = {
  venueType: 'entertainment.bars',
  adRatio: 0.4,
  plays: 480,
  hours: 12,
  impressionsThousandths: 480 * 3_000,
  startSpreadMs: 60,
  sensed: { plays: 0, hours: 0, mean: 0, variance: 0 },
  measured: { plays: 0, impressionsThousandths: 0, shownMs: 0 },
  own: { plays: 480, impressionsThousandths: 480 * 3_000, shownMs: 480 * 15_000 },
};
/** Twelve bars of four owners, each a little different. */
const peers: ScreenTraffic[] = Array.from({ length: 12 }, (_, index) => ({
  ...BAR,
  screen: handle('screen', 100 + index),
  venue: handle('venue', 100 + index),
  workspace: handle('workspace', 10 + (index % 4)),
  plays: 460 + 5 * index,
  impressionsThousandths: (460 + 5 * index) * (2_000 + 200 * index),
  startSpreadMs: 40 + 5 * index,
}));
const suspect = (changes: Partial<ScreenTraffic>): ScreenTraffic => ({
  ...BAR,
  screen: handle('screen', 1),
  venue: handle('venue', 1),
  workspace: handle('workspace', 1),
  ...changes,
});
const found = (screen: ScreenTraffic, others = peers) =>
  reviewTraffic([screen, ...others]).map(({ rule, screen: of }) => `${rule} ${of ?? 'venue'}`);

describe('the review of traffic', () => {
  test('finds nothing among equal screens', () => {
    expect(reviewTraffic([suspect({}), ...peers])).toEqual([]);
  });

  test.each([
    ['eight times the plays in an hour', { plays: 3_840, impressionsThousandths: 3_840 * 3_000 }, ['pace 1']],
    [
      'twenty times the plays of its peers, on twice their ratio of ads',
      { plays: 9_600, impressionsThousandths: 9_600 * 300, adRatio: 0.8 },
      ['pace 1'],
    ],
    ['a hundred times the people', { impressionsThousandths: 480 * 300_000 }, ['audience 1', 'venue_volume venue']],
    [
      'the same count of people at every play',
      { sensed: { plays: 400, hours: 12, mean: 4, variance: 0 } },
      ['steady_audience 1'],
    ],
    [
      'counts that vary less than people who come by themselves',
      { sensed: { plays: 400, hours: 12, mean: 100, variance: 4 } },
      ['steady_audience 1'],
    ],
    ['starts that never stray by a millisecond', { startSpreadMs: 0.2 }, ['even_times 1']],
    ['plays around the clock', { hours: 24 }, ['around_the_clock 1']],
  ])('finds %s', (_name, changes, rules) => {
    expect(found(suspect(changes))).toEqual(rules);
  });

  test.each([
    ['more plays on a larger ratio of ads', { plays: 1_200, adRatio: 1 }],
    ['too few plays to say', { plays: 60, impressionsThousandths: 60 * 300_000, hours: 6, startSpreadMs: 0 }],
    ['plays of an hour alone', { plays: 400, hours: 1, impressionsThousandths: 400 * 3_000 }],
    ['twice the people', { impressionsThousandths: 480 * 6_000 }],
    ['a module that mostly counts nobody', { sensed: { plays: 400, hours: 12, mean: 0.1, variance: 0.0001 } }],
    ['counts that vary as people do', { sensed: { plays: 400, hours: 12, mean: 4, variance: 3.8 } }],
    ['long hours', { hours: 16 }],
  ])('finds nothing for %s', (_name, changes) => {
    expect(found(suspect(changes))).toEqual([]);
  });

  describe("of a venue's own audience beside its measured screens", () => {
    const plays = (count: number, people: number) => ({
      plays: count,
      impressionsThousandths: count * people * 1_000,
      shownMs: count * 15_000,
    });
    const none = plays(0, 0);
    const ofVenue = (measured: typeof none, own: typeof none) =>
      reviewTraffic([
        suspect({ measured, own: none }),
        suspect({ screen: handle('screen', 2), measured: none, own }),
      ]).filter(({ rule }) => rule === 'own_audience');

    test('finds a screen that is five times as large', () => {
      expect(ofVenue(plays(100, 2), plays(400, 10))).toEqual([
        expect.objectContaining({
          venue: 1,
          workspace: 1,
          score: 5,
          evidence: {
            own_plays: 400,
            own_people_a_second: 0.6667,
            measured_plays: 100,
            measured_people_a_second: 0.1333,
          },
        }),
      ]);
      expect(ofVenue(plays(100, 2), plays(400, 10))[0]).not.toHaveProperty('screen');
      expect(ofVenue(plays(100, 2), plays(100, 10))).toHaveLength(1);
    });

    test.each([
      ['a little less', plays(100, 2), plays(400, 9.9)],
      ['too few measured plays', plays(99, 2), plays(400, 10)],
      ['too few plays by own figures', plays(100, 2), plays(99, 10)],
      ['nobody by either', plays(100, 0), plays(400, 0)],
      ['no measured screen', none, plays(400, 10)],
    ])('finds nothing for %s', (_name, measured, own) => {
      expect(ofVenue(measured, own)).toEqual([]);
    });
  });

  test('states its evidence in numbers, with the number of peers', () => {
    const [pace] = reviewTraffic([suspect({ plays: 3_840 }), ...peers]);
    expect(pace).toMatchObject({
      rule: 'pace',
      version: 1,
      workspace: 1,
      venue: 1,
      screen: 1,
      evidence: { plays: 3_840, hours: 12, ad_ratio: 0.4, plays_per_hour: 320, peer_venues: 12, peer_owners: 4 },
    });
    expect(pace!.evidence['times_peers']).toBeCloseTo(7.9, 1);
    expect(Object.values(pace!.evidence).every(Number.isFinite)).toBe(true);
  });

  test('needs twelve venues of three other owners as peers, whatever the owner itself has', () => {
    const ownVenues = peers.map(peer => ({ ...peer, workspace: handle('workspace', 1) }));
    expect(found(suspect({ plays: 9_600 }), ownVenues)).toEqual([]);
    expect(found(suspect({ plays: 9_600 }), peers.slice(0, 11))).toEqual([]);
    expect(
      found(
        suspect({ plays: 9_600 }),
        peers.map(peer => ({ ...peer, workspace: handle('workspace', 10 + (peer.venue % 2)) })),
      ),
    ).toEqual([]);
  });

  test('is not misled by an owner of most screens that are all wrong', () => {
    const chain = Array.from({ length: 200 }, (_, index) =>
      suspect({
        screen: handle('screen', 1_000 + index),
        venue: handle('venue', 1_000 + index),
        plays: 4_800,
        impressionsThousandths: 4_800 * 3_000,
      }),
    );
    expect(
      new Set(
        reviewTraffic([...chain, ...peers])
          .filter(({ rule }) => rule === 'pace')
          .map(({ workspace }) => workspace),
      ),
    ).toEqual(new Set([1]));
    expect(reviewTraffic([...chain, ...peers]).filter(({ rule }) => rule === 'pace')).toHaveLength(200);
  });

  test('compares with the parent type if a type has too few peers', () => {
    const lounges = peers.map((peer, index) => ({
      ...peer,
      venueType: index % 2 === 0 ? 'entertainment.bars' : 'entertainment.nightclubs',
    }));
    expect(found(suspect({ plays: 3_840 }), lounges)).toEqual(['pace 1']);
    expect(
      found(
        suspect({ plays: 3_840 }),
        peers.map(peer => ({ ...peer, venueType: 'health_and_beauty.gyms' })),
      ),
    ).toEqual([]);
  });

  test('finds nothing in honest networks of any size and mix', () => {
    // Audiences are log-normal, a network each; seeds are tried in order, so that a failure can be looked at again.
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = seededRandom(seed);
      const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      const screens = Array.from({ length: 1 + Math.floor(60 * random()) }, (_, index) => {
        const hours = 8 + Math.floor(11 * random());
        const plays = Math.round(80 * Math.exp(0.3 * normal()) * hours);
        const mean = 3 * Math.exp(0.7 * normal());
        return {
          ...BAR,
          screen: handle('screen', index + 1),
          venue: handle('venue', index + 1),
          workspace: handle('workspace', index % 7),
          hours,
          plays,
          impressionsThousandths: Math.round(plays * mean * 1_000),
          startSpreadMs: 5 + 200 * random(),
          sensed: { plays, hours, mean, variance: mean },
        };
      });
      expect([seed, reviewTraffic(screens)]).toEqual([seed, []]);
    }
  });
});

describe('the review of scans', () => {
  const screen = { screen: handle('screen', 1), venue: handle('venue', 1), workspace: handle('workspace', 1) };
  test.each([
    [20, 10, true],
    [200, 150, true],
    [19, 19, false],
    [20, 9, false],
    [500, 100, false],
  ])('of %d scans of which %d have no play: a finding is %s', (scans, withoutPlay, isFound) => {
    expect(reviewScans({ screens: [{ ...screen, scans, withoutPlay }], venues: [] }).map(({ rule }) => rule)).toEqual(
      isFound ? ['scans_without_plays'] : [],
    );
  });

  /** Two campaigns at eight venues of four owners, a scan for every thousand people; and one venue of another owner. */
  const elsewhere: VenueScans[] = Array.from({ length: 16 }, (_, index) => ({
    venue: handle('venue', 10 + (index >> 1)),
    workspace: handle('workspace', 10 + ((index >> 1) % 4)),
    campaign: handle('campaign', index % 2),
    impressions: 50_000,
    scans: 50,
  }));
  const at = (impressions: number, scans: number, others = elsewhere) =>
    reviewScans({
      screens: [],
      venues: [
        {
          venue: handle('venue', 1),
          workspace: handle('workspace', 1),
          campaign: handle('campaign', 0),
          impressions,
          scans,
        },
        ...others,
      ],
    });

  test('finds a venue whose guests never scan the codes that others scan', () => {
    expect(at(100_000, 0)).toMatchObject([
      { rule: 'plays_without_scans', venue: 1, evidence: { scans: 0, expected: 100, impressions: 100_000 } },
    ]);
    expect(at(100_000, 0)[0]).not.toHaveProperty('screen');
    expect(at(1_000_000, 100)).toHaveLength(1);
  });

  test.each([
    ['a quarter of what is expected', 100_000, 25, elsewhere],
    ['too few people to say', 30_000, 0, elsewhere],
    ['campaigns that nobody scans', 1_000_000, 0, elsewhere.map(row => ({ ...row, scans: 0 }))],
    ['campaigns that too few other owners have shown', 1_000_000, 0, elsewhere.filter(row => row.workspace < 12)],
  ])('finds nothing for %s', (_name, impressions, scans, others) => {
    expect(at(impressions, scans, others)).toEqual([]);
  });
});

describe('the rules', () => {
  test('keep their meaning once published: a change adds a version', () => {
    expect(
      Object.fromEntries(
        TRAFFIC_RULE_ROWS.map(rule => [
          ruleLabel(rule),
          [rule.stage, rule.action, JSON.stringify(rule.thresholds)].join(' '),
        ]),
      ),
    ).toMatchInlineSnapshot(`
      {
        "after_expiry@1": "reported refuse {"tolerance_ms":5000}",
        "around_the_clock@1": "review hold {"plays_min":200,"hours_min":23,"peers_hours_max":16,"score_min":6,"spread_min":1,"venues_min":12,"owners_min":3}",
        "audience@1": "review hold {"plays_min":100,"score_min":6,"spread_min":0.4,"venues_min":12,"owners_min":3}",
        "audience_bound@1": "counted bound {}",
        "bad_signature@1": "reported refuse {}",
        "before_end@1": "reported refuse {"tolerance_ms":5000}",
        "before_slot@1": "reported refuse {"tolerance_ms":5000}",
        "duplicate@1": "counted drop {}",
        "even_times@1": "review hold {"plays_min":300,"hours_min":6,"spread_ms_max":1,"peers_spread_ms_min":20,"venues_min":12,"owners_min":3}",
        "late@1": "counted not_charged {"window_hours":48,"plan_window_hours":168}",
        "other_screen@1": "reported refuse {}",
        "overlap@1": "counted not_charged {"tolerance_ms":5000,"cut_tolerance_ms":500}",
        "own_audience@1": "review hold {"plays_min":100,"ratio_min":5}",
        "pace@1": "review hold {"plays_min":100,"hours_min":6,"score_min":6,"spread_min":0.3,"venues_min":12,"owners_min":3}",
        "plays_without_scans@1": "review hold {"expected_min":40,"share_of_expected":0.25,"probability_max":0.000001,"owners_min":3}",
        "scan_crowd@1": "scanned not_counted {"window_ms":3600000,"scans_max":20}",
        "scan_machine@1": "scanned not_counted {}",
        "scan_repeat@1": "scanned not_counted {"window_ms":10000}",
        "scan_screen_crowd@1": "scanned not_counted {"window_ms":3600000,"scans_max":100}",
        "scans_without_plays@1": "review hold {"scans_min":20,"share_min":0.5}",
        "steady_audience@1": "review hold {"plays_min":200,"hours_min":6,"mean_min":1,"dispersion_max":0.05}",
        "too_late@1": "reported refuse {"days_max":30}",
        "too_short@1": "reported refuse {"tolerance_ms":500}",
        "unattested@1": "reported estimate {}",
        "venue_volume@1": "review hold {"plays_min":200,"score_min":6,"spread_min":0.4,"venues_min":12,"owners_min":3}",
      }
    `);
  });

  test('are in the docs, each version with its subject', () => {
    const rows = [
      ...readFileSync(new URL('../../../docs/invalid-traffic.md', import.meta.url), 'utf8').matchAll(
        /^\| `(\w+@\d+)` \| (\w+) \| (.*?) \|/gm,
      ),
    ].map(([, label, stage, looksAt]) => [label, stage, looksAt]);
    expect(rows).toEqual(TRAFFIC_RULE_ROWS.map(rule => [ruleLabel(rule), rule.stage, rule.looksAt]));
  });

  test('are found by the label in records, and the newest by name', () => {
    for (const rule of TRAFFIC_RULE_ROWS) expect(ruleOfLabel(ruleLabel(rule))).toBe(rule);
    expect(ruleOfLabel('pace@99')).toBeUndefined();
    expect(ruleInForce('pace').version).toBe(
      Math.max(...TRAFFIC_RULE_ROWS.filter(({ name }) => name === 'pace').map(({ version }) => version)),
    );
  });
});
