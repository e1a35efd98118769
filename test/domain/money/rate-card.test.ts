/** What an impression costs at each type of venue. Pure rules, by examples and over every type of the list. */
import { describe, expect, test } from 'vitest';
import { rateMicros, venueRateMicros } from '#domain/money/rate-card.ts';
import { type DaypartName, namedDayparts } from '#domain/time/daypart.ts';
import { VENUE_TYPES } from '#domain/campaigns/taxonomy.ts';

describe('rates', () => {
  test.each([
    ['health_and_beauty.gyms', 6900],
    ['health_and_beauty.gyms.lobby', 6900],
    ['health_and_beauty.salons', 6280],
    ['entertainment.bars', 5100],
    ['entertainment.sports.arena', 4800],
    ['transit.subway.platform', 6830],
    ['education', 8500],
    ['outdoor.billboards', 7160],
    ['government.dmv', 7160],
  ])('an impression in %s costs %i micro-units', (type, rate) => expect(venueRateMicros(type)).toBe(rate));

  test('every type has a rate between the floor and the top of the market, 2.50 to 9 per thousand', () => {
    for (const { name } of VENUE_TYPES) {
      expect(venueRateMicros(name)).toBeGreaterThanOrEqual(2500);
      expect(venueRateMicros(name)).toBeLessThanOrEqual(9000);
    }
  });

  test('the quote for any daypart equals the charge of a play at the venue', () => {
    for (const { name } of VENUE_TYPES) {
      for (const daypart of Object.keys(namedDayparts) as DaypartName[])
        expect(rateMicros(name, daypart)).toBe(venueRateMicros(name));
    }
  });
});
