/**
 * A place for tests of networks and forecasts: a landscape screen in a mall in Berlin, open always, by the clock of
 * UTC.
 */
import type { NetworkPlace } from '../../../domain/allocation/network/network.ts';

const MALL: NetworkPlace = {
  sandbox: false,
  cityFolded: 'berlin',
  venueType: 'retail.malls',
  lat: 52.5,
  lng: 13.4,
  timezone: 'UTC',
  hours: undefined,
  orientation: 'landscape',
  blockedCategories: [],
  impressionsPerMinute: 10,
};

/** @param own what it has beside that, or instead of it */
export function placeOf<Own extends Partial<NetworkPlace>>(own: Own): NetworkPlace & Own {
  return { ...MALL, ...own };
}
