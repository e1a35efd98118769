/**
 * The lists of venue types (OpenOOH) and ad categories (IAB): that they are complete, and how a name or an id is found.
 * Pure rules, by examples.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IAB_AD_PRODUCT_VERSION } from '#domain/data/iab-ad-product-2.0.ts';
import { OPENOOH_VERSION } from '#domain/data/openooh-1.2.1.ts';
import {
  CATEGORIES,
  VENUE_TYPES,
  parseCategory,
  parseVenueType,
  venueTypeMatches,
} from '#domain/campaigns/taxonomy.ts';
import { terms } from '../../../web/console/text/de/terms.ts';

/** The German names of the console in a group, without it. */
const germanNames = (group: string): string[] =>
  Object.keys(terms).flatMap(key => (key.startsWith(`${group}.`) ? key.slice(group.length + 1) : []));

describe('venue types', () => {
  test('OpenOOH 1.2.1 has 11 parents, 70 children and 129 grandchildren, each with a unique name', () => {
    expect(OPENOOH_VERSION).toBe('1.2.1');
    const levels = [1, 2, 3].map(level => VENUE_TYPES.filter(type => type.name.split('.').length === level).length);
    expect(levels).toEqual([11, 70, 129]);
    expect(new Set(VENUE_TYPES.map(type => type.name)).size).toBe(VENUE_TYPES.length);
    expect(new Set(VENUE_TYPES.map(type => type.id)).size).toBe(VENUE_TYPES.length);
  });

  test('a type is found by name and id, under the parent that its id names', () => {
    for (const { id, name, parent } of VENUE_TYPES) {
      expect(parseVenueType(name)).toBe(name);
      expect(parseVenueType(String(id))).toBe(name);
      expect(parent).toBe(id < 100 ? undefined : parseVenueType(String(Math.floor(id / 100))));
      expect(name).toMatch(/^[a-z_]+(\.[a-z_]+){0,2}$/);
    }
  });

  test.each([
    ['health_and_beauty.gyms', 'health_and_beauty.gyms'],
    ['health_beauty.gym', 'health_and_beauty.gyms'],
    ['401', 'health_and_beauty.gyms'],
    ['health_beauty.gym.lobby', 'health_and_beauty.gyms.lobby'],
    ['entertainment.bars', 'entertainment.bars'],
    ['entertainment.bar.restroom', 'entertainment.bars.restroom'],
    ['retail.mall', 'retail.malls'],
    ['retail.malls', 'retail.malls'],
    ['retail.gas_station.pump', 'retail.gas_stations.fuel_dispenser'],
    ['retail.convenience_store', 'retail.convenience_stores'],
    ['transit.subway', 'transit.subway'],
    ['transit.airport.baggage_claim', 'transit.airports.baggage_claim'],
    ['transit.airports', 'transit.airports'],
    ['transit.bus.bus_interior', 'transit.buses.interior'],
    ['transit.train_stations.platform', 'transit.train.platform'],
    ['point_care.doctor_office', 'point_of_care.doctor_offices'],
    ['office_building.office_building.break_room', 'office_buildings.office_buildings.break_room'],
    ['education.college.athletic_facility', 'education.colleges.athletic_facility'],
    ['outdoor.billboards.roadside', 'outdoor.billboards.roadside'],
    ['residential.apartment', 'residential.apartments'],
    ['financial.bank', 'financial.banks'],
    ['retail', 'retail'],
    ['1', 'transit'],
  ])('%s is %s', (text, name) => expect(parseVenueType(text)).toBe(name));

  test.each([
    '',
    'gyms',
    'health_and_beauty.',
    '.gyms',
    'Retail',
    '0',
    '12',
    '0401',
    '401.0',
    '99999',
    'constructor',
    'retail.malls.roof',
    'retail malls',
  ])('%j is not a venue type', text => expect(parseVenueType(text)).toBeUndefined());

  test('a target matches only itself and its descendants', () => {
    const type = fc.constantFrom(...VENUE_TYPES);
    const parents = new Map(VENUE_TYPES.map(type => [type.name, type.parent]));
    fc.assert(
      fc.property(type, type, (target, type) => {
        const lineage = [type.name, type.parent, parents.get(type.parent ?? '')];
        expect(venueTypeMatches(target.name, type.name)).toBe(lineage.includes(target.name));
      }),
      { numRuns: 5000 },
    );
    for (const { name, parent } of VENUE_TYPES) expect(venueTypeMatches(parent ?? name, name)).toBe(true);
    expect(venueTypeMatches('transit.train', 'transit.train.platform')).toBe(true);
    expect(venueTypeMatches('transit.tra', 'transit.train')).toBe(false);
    expect(venueTypeMatches('transit.train.platform', 'transit.train')).toBe(false);
  });

  test('the console has a German name for exactly the parts of venue types', () => {
    const parts = new Set(VENUE_TYPES.map(({ name }) => name.slice(name.lastIndexOf('.') + 1)));
    const named = germanNames('venueType');
    expect([...parts].filter(part => !named.includes(part))).toEqual([]);
    expect(named.filter(name => !parts.has(name) && parseVenueType(name) !== name)).toEqual([]);
  });
});

describe('categories', () => {
  test('the console has a German name for each, and the German reason of those that need a person', () => {
    expect(germanNames('category').sort()).toEqual(CATEGORIES.map(({ slug }) => slug).sort());
    const restricted = CATEGORIES.filter(({ policy }) => policy === 'restricted').map(({ slug }) => slug);
    expect(germanNames('categoryRule').sort()).toEqual(restricted.sort());
  });

  test('the first tier has 45 categories, found by id, slug, name and slug with hyphens', () => {
    expect(IAB_AD_PRODUCT_VERSION).toBe('2.0');
    expect(CATEGORIES).toHaveLength(45);
    for (const category of CATEGORIES) {
      expect(category.slug).toMatch(/^[a-z]+(_[a-z]+)*$/);
      for (const text of [category.id, category.slug, category.name, category.slug.replaceAll('_', '-')])
        expect(parseCategory(text)).toBe(category);
    }
  });

  test.each([
    ['alcohol', '1002'],
    ['cpg', '1123'],
    ['food_and_beverage', '1355'],
    ['Food & Beverage', '1355'],
    ['travel', '1529'],
    ['green_eco', '1368'],
    ['telecom', '1467'],
    ['1551', '1551'],
  ])('%s is category %s', (text, id) => expect(parseCategory(text)?.id).toBe(id));
  test.each(['', '_', '999', '1003', 'beer', 'IAB1', 'constructor', 'alcohols', 'x'.repeat(10_000)])(
    '%.20s is not a category',
    text => expect(parseCategory(text)).toBeUndefined(),
  );

  test('each category with a restriction has a policy with a reason', () => {
    const of = (policy: string) =>
      CATEGORIES.filter(category => category.policy === policy).map(category => category.slug);
    expect(of('prohibited')).toEqual([
      'ad_safety_risk',
      'adult_products_and_services',
      'tobacco',
      'weapons_and_ammunition',
    ]);
    expect(of('restricted')).toEqual([
      'alcohol',
      'cannabis',
      'dating',
      'debated_sensitive_social_issue',
      'dieting_and_weightloss',
      'gambling',
      'non_fiat_currency',
      'pharmaceuticals',
      'politics',
      'sexual_health',
    ]);
    for (const category of CATEGORIES) expect(category.reason === undefined).toBe(category.policy === 'allowed');
  });
});
