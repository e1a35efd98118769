/** Screens of a simulated network: cities by Zipf's law, venues with their opening hours, ad ratios of 20 to 100%. */
import { venueRateMicros } from '../../../domain/money/rate-card.ts';
import type { Random } from './random.ts';

type Place = {
  name: string;
  /** The venue type of the product, which has a rate. */
  type: string;
  weight: number;
  opens: number;
  closes: number;
  impressionsPerPlay: number;
};

/** Hours are local; closing before opening is over midnight, 0 to 24 is always. */
const PLACES: readonly Place[] = [
  { name: 'cafe', type: 'entertainment.casual_dining', weight: 18, opens: 7, closes: 19, impressionsPerPlay: 2 },
  { name: 'bar', type: 'entertainment.bars', weight: 14, opens: 16, closes: 2, impressionsPerPlay: 4 },
  { name: 'gym', type: 'health_and_beauty.gyms', weight: 12, opens: 6, closes: 22, impressionsPerPlay: 2 },
  { name: 'salon', type: 'health_and_beauty.salons', weight: 10, opens: 9, closes: 20, impressionsPerPlay: 1 },
  { name: 'grocery', type: 'retail.grocery', weight: 10, opens: 7, closes: 22, impressionsPerPlay: 4 },
  { name: 'clinic', type: 'point_of_care.doctor_offices', weight: 8, opens: 8, closes: 18, impressionsPerPlay: 2 },
  { name: 'office', type: 'office_buildings', weight: 7, opens: 8, closes: 19, impressionsPerPlay: 3 },
  { name: 'mall', type: 'retail.malls', weight: 6, opens: 10, closes: 21, impressionsPerPlay: 6 },
  { name: 'hotel', type: 'entertainment.hotels', weight: 5, opens: 0, closes: 24, impressionsPerPlay: 2 },
  { name: 'fuel', type: 'retail.gas_stations', weight: 5, opens: 0, closes: 24, impressionsPerPlay: 2 },
  { name: 'cinema', type: 'entertainment.movie_theaters', weight: 3, opens: 11, closes: 1, impressionsPerPlay: 5 },
  { name: 'transit', type: 'transit', weight: 2, opens: 5, closes: 24, impressionsPerPlay: 8 },
];
export const PLACE_KINDS = PLACES.length;
export const PLACE_WEIGHTS = PLACES.map(place => place.weight);
export const CITIES = 20;
export const CITY_WEIGHTS = Array.from({ length: CITIES }, (_, rank) => 1 / (rank + 1));
/** Hours from UTC. */
const ZONES = [-8, -6, -5, -5, 0, 1, 1];

export type Screen = {
  city: number;
  place: number;
  zone: number;
  x: number;
  y: number;
  opens: number;
  closes: number;
  slotsPerHour: number;
  /** People that a play reaches. */
  people: number;
  type: string;
  /** The weight of a play: people, or in a rated world their price. */
  impressions: number;
};

/** The one type of all venues of worlds without rates. */
const VENUE_TYPE = 'entertainment.bars';

/** @param rated venues have different types and so different rates; else all are bars */
export function makeScreens(random: Random, count: number, rated: boolean): Screen[] {
  const zones = Array.from({ length: CITIES }, () => ZONES[random.integer(ZONES.length)]!);
  return Array.from({ length: count }, () => {
    const city = random.weighted(CITY_WEIGHTS);
    const kind = random.weighted(PLACE_WEIGHTS);
    const place = PLACES[kind]!;
    const x = 8 * random.normal();
    const y = 8 * random.normal();
    const slotsPerHour = 12 + random.integer(49);
    const people = Math.max(1, Math.round(place.impressionsPerPlay * random.logNormal(0.3)));
    const type = rated ? place.type : VENUE_TYPE;
    const impressions = rated ? people * venueRateMicros(type) : people;
    return {
      city,
      place: kind,
      zone: zones[city]!,
      x,
      y,
      opens: place.opens,
      closes: place.closes,
      slotsPerHour,
      people,
      type,
      impressions,
    };
  });
}

/** Whether an hour of the day is in a window that may cross midnight. */
export function isInWindow(hour: number, from: number, to: number): boolean {
  if (from === 0 && to === 24) return true;
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}

/** The hour of the day (0..23) at a UTC hour of the simulation. */
export function localHour(hour: number, zone: number): number {
  return (((hour + zone) % 24) + 24) % 24;
}

export function isOpen(screen: Screen, hour: number): boolean {
  return isInWindow(localHour(hour, screen.zone), screen.opens, screen.closes);
}
