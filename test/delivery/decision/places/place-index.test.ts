/**
 * The rules of the place stand twice for speed: one campaign at a time in `domain/plays/eligibility.ts`, and all
 * campaigns at once, as sets of bits, in the candidate index. Here they are compared over random campaigns, venues and
 * edits, in memory.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { REASON_NUMBER } from '#domain/plays/decision.ts';
import { ELIGIBLE, reasonOfPlace } from '#domain/plays/eligibility.ts';
import { alwaysRestricted } from '#domain/law/restriction.ts';
import { CandidateIndex } from '../../../../delivery/decision/candidate-index.ts';
import type { CampaignFacts, ScreenFacts, VenueFacts } from '../../../../delivery/decision/facts.ts';
import { ScreenTable } from '../../../../delivery/decision/screen-table.ts';
import { handle } from '../../../support/handle.ts';

const CITIES = ['berlin', 'hamburg'];
const TYPES = ['entertainment.bars', 'retail.malls'];
const CATEGORIES = ['alcohol', 'automotive'];
const ORIENTATIONS = ['landscape', 'portrait'] as const;

const orientation = fc.constantFrom(...ORIENTATIONS);
const blocked = fc.uniqueArray(fc.constantFrom(...CATEGORIES), { maxLength: 2 });
const campaign = fc.record({
  handle: fc.integer({ min: 1, max: 6 }),
  status: fc.constantFrom('live' as const, 'paused' as const, 'gone' as const),
  sandbox: fc.boolean(),
  category: fc.constantFrom(...CATEGORIES),
  cities: fc.uniqueArray(fc.constantFrom(...CITIES), { maxLength: 1 }),
  venueTypes: fc.uniqueArray(fc.constantFrom('entertainment', ...TYPES), { maxLength: 2 }),
  areas: fc.array(fc.record({ lat: fc.constant(52), lng: fc.constant(13), radiusKm: fc.constantFrom(10, 200) }), {
    maxLength: 1,
  }),
  orientations: fc.uniqueArray(orientation, { maxLength: 1 }),
});
const venue = fc.record({
  type: fc.constantFrom(...TYPES),
  cityFolded: fc.constantFrom(...CITIES),
  lat: fc.constantFrom(52, 53, 60),
  blockedCategories: blocked,
  restrictions: fc.array(
    fc.record({
      rule: fc.constant('Example rule'),
      category: fc.constantFrom(...CATEGORIES),
      hours: fc.constantFrom(undefined, { daypart: { startMinute: 0, endMinute: 720 } }),
    }),
    { maxLength: 2 },
  ),
});
const screen = fc.record({ orientation, sandbox: fc.boolean(), blockedCategories: blocked });

type ValueOf<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;

function campaignOf({ handle: value, status, sandbox, category, ...targets }: ValueOf<typeof campaign>): CampaignFacts {
  return {
    handle: handle('campaign', value),
    workspace: handle('workspace', 1),
    status: status === 'live' ? 'live' : 'paused',
    sandbox,
    category,
    budgetMicros: 1,
    chargedMicros: 0,
    targets: { ...targets, citiesFolded: targets.cities },
    flight: { startsOn: 0, endsOn: 1 },
    frequencyPerHourMax: 0,
    creatives: [],
  };
}

function venueOf(facts: ValueOf<typeof venue>): VenueFacts {
  return {
    ...facts,
    restrictions: facts.restrictions.map(({ hours, ...rule }) => ({ ...rule, ...(hours && { hours }) })),
    handle: handle('venue', 1),
    lng: 13,
    timezone: 'UTC',
    hours: undefined,
    dailyVisitors: 1,
    dwellMinutes: 1,
    audienceMax: 1,
    screensNear: 1,
  };
}

function screenOf(facts: ValueOf<typeof screen>): ScreenFacts {
  return { ...facts, handle: handle('screen', 1), venue: handle('venue', 1), adRatio: 1, sensor: false };
}

function reasonsAt(campaigns: Iterable<CampaignFacts>, place: { venue: VenueFacts; screen: ScreenFacts }) {
  const { venue: at, screen: on } = place;
  const rulePlace = {
    sandbox: on.sandbox,
    orientation: on.orientation,
    cityFolded: at.cityFolded,
    venueType: at.type,
    lat: at.lat,
    lng: at.lng,
    blocked: [...at.blockedCategories, ...on.blockedCategories],
    restricted: alwaysRestricted(at.restrictions),
  };
  return new Map(Array.from(campaigns, facts => [facts.handle, reasonOfPlace(facts, rulePlace)]));
}

test('the candidates of a screen are the campaigns that pass every rule of the place; without any, the reason is the largest of theirs', () => {
  const edits = fc.array(fc.oneof(campaign, venue, screen), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(venue, screen, edits, (firstVenue, firstScreen, changes) => {
      const table = new ScreenTable();
      const index = new CandidateIndex({ screens: table, baseMs: 0 });
      const place = { venue: venueOf(firstVenue), screen: screenOf(firstScreen) };
      const campaigns = new Map<number, CampaignFacts>();
      table.putVenue(place.venue);
      table.putScreen(place.screen);
      for (const change of changes) {
        if ('status' in change) {
          const known = index.campaigns.campaignIndex(handle('campaign', change.handle));
          if (change.status !== 'gone') {
            campaigns.set(change.handle, campaignOf(change));
            index.put(campaignOf(change));
          } else if (known !== undefined) {
            campaigns.delete(change.handle);
            index.remove(known);
          }
        } else if ('type' in change) table.putVenue((place.venue = venueOf(change)));
        else table.putScreen((place.screen = screenOf(change)));
        const reasons = reasonsAt(campaigns.values(), place);
        const group = index.groups.of(0);
        const candidates = [...reasons].filter(([, reason]) => reason === ELIGIBLE).map(([handle]) => handle);
        const found = Array.from({ length: index.campaigns.size }, (_, each) => each)
          .filter(each => index.groups.isCandidate(group, each))
          .map(each => index.campaigns.handleAt(each));
        // The reason is asked for only where there is no candidate.
        const isEmpty = candidates.length === 0;
        expect({ found: found.sort(), reason: isEmpty ? index.groups.emptyReason(group) : ELIGIBLE }).toEqual({
          found: candidates.sort(),
          reason: isEmpty ? Math.max(REASON_NUMBER.no_campaign, ...reasons.values()) : ELIGIBLE,
        });
      }
    }),
    { numRuns: 500 },
  );
});
