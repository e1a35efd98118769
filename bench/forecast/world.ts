/**
 * A network with a past and a future, hour by hour: screens that are online most of the time, audiences with good and
 * bad days of the whole network, of a city and of a place, outages of places and of a city, in three kinds: as large as
 * ever, growing by a screen in a hundred a day, and with a season that swings by a fifth. One place stands for each
 * class, in the zone UTC, and its screens are as many as its class has.
 */
import type { BookedCampaign } from '../../domain/forecast/bookings.ts';
import type { ForecastPlace } from '#domain/forecast/supply/supply.ts';

import type { OpeningHours } from '../../domain/screens/schedule.ts';
import type { SupplyHistory } from '#domain/forecast/supply/supply-history.ts';
import type { Targets } from '../../domain/campaigns/targeting.ts';
import { handle } from '../../test/support/handle.ts';
import { createRandom, type Random } from '../pacing/world/random.ts';

export const KINDS = ['steady', 'growing', 'seasonal'] as const;
type Kind = (typeof KINDS)[number];
export type WorldOptions = { seed: number; kind: Kind; days: number; cities: number; bookings: number };

export const WORLD: Omit<WorldOptions, 'seed' | 'kind'> = { days: 240, cities: 5, bookings: 18 };

export type World = {
  options: WorldOptions;
  /** All days, in impressions; `promised` in impressions of the places' own figures. */
  history: SupplyHistory;
  /** Screens by class. */
  screensOn: (day: number) => Int32Array;
  places: (day: number) => ForecastPlace[];
  bookings: (random: Random, day: number) => BookedCampaign[];
};

const TYPES = [
  'entertainment.bars',
  'health_and_beauty.gyms',
  'retail.grocery',
  'retail.malls',
  'office_buildings',
  'transit.subway',
];
const OPENING: Record<string, readonly [number, number]> = {
  'entertainment.bars': [960, 1440],
  'health_and_beauty.gyms': [360, 1320],
  'retail.grocery': [420, 1320],
  'retail.malls': [600, 1260],
  office_buildings: [480, 1140],
  'transit.subway': [300, 1440],
};
export const FIRST_DAY = 20_598;
const HOURS_PER_DAY = 24;
// Log-normal sigma of a good or bad day: of the network, a city, a class; and of an hour.
const NETWORK_SIGMA = 0.04;
const CITY_SIGMA = 0.07;
const CLASS_SIGMA = 0.1;
const HOUR_SIGMA = 0.15;
const ONLINE = 0.95;
const OUTAGE_OF_CLASS = 0.02; // a day
const OUTAGE_OF_CITY = 0.004;
const OUTAGE_LEFT = 0.15;
const GROWTH_PER_DAY = 0.006;
const SEASON_SWING = 0.2;
const SEASON_DAYS = 120;
/** As a share of expected supply. */
const LOAD = 0.35;

export function makeWorld(options: WorldOptions): World {
  const random = createRandom(options.seed);
  const classes = Array.from({ length: options.cities }, (_, city) =>
    TYPES.map(venueType => ({ cityFolded: `city ${city}`, venueType, orientation: 'landscape' as const })),
  ).flat();
  const screens = Int32Array.from(classes, () => 2 + Math.floor(10 * random.unit() ** 2));
  const people = classes.map(() => 3 * random.logNormal(0.4));
  const sizeOf = Float64Array.from({ length: options.days }, (_, day) =>
    options.kind === 'growing' ? Math.exp(GROWTH_PER_DAY * day) : 1,
  );
  const promised = new Float64Array(classes.length * options.days * HOURS_PER_DAY);
  const seen = new Float64Array(promised.length);
  const phase = random.unit();
  for (let day = 0; day < options.days; day++) {
    const season =
      options.kind === 'seasonal' ? 1 + SEASON_SWING * Math.sin(2 * Math.PI * (day / SEASON_DAYS + phase)) : 1;
    const today = season * random.logNormal(NETWORK_SIGMA);
    const cities = Array.from(
      { length: options.cities },
      () => random.logNormal(CITY_SIGMA) * (random.unit() < OUTAGE_OF_CITY ? OUTAGE_LEFT : 1),
    );
    classes.forEach((place, number) => {
      const here =
        today *
        cities[Math.floor(number / TYPES.length)]! *
        random.logNormal(CLASS_SIGMA) *
        (random.unit() < OUTAGE_OF_CLASS ? OUTAGE_LEFT : 1);
      for (let hour = 0; hour < HOURS_PER_DAY; hour++) {
        const cell = (number * options.days + day) * HOURS_PER_DAY + hour;
        promised[cell] = sizeOf[day]! * screens[number]! * people[number]! * openMinutes(place.venueType, hour) * 2;
        seen[cell] =
          promised[cell] *
          ONLINE *
          shapeOf(place.venueType, (day + (FIRST_DAY + 3)) % 7, hour) *
          here *
          random.logNormal(HOUR_SIGMA);
      }
    });
  }
  const history = { classes, firstDay: FIRST_DAY, days: options.days, promised, seen };
  const places = (day: number): ForecastPlace[] =>
    classes.map((place, number) =>
      placeOf(place, { number, screens: screens[number]! * sizeOf[day]!, people: people[number]! }),
    );
  const screensOn = (day: number) => Int32Array.from(screens, number => Math.round(number * sizeOf[day]!));
  return {
    options,
    history,
    screensOn,
    places,
    bookings: (drawn, day) => makeBookings(drawn, { options, places: places(day), day }),
  };
}

function openMinutes(type: string, hour: number): number {
  const [from, to] = OPENING[type]!;
  return Math.max(0, Math.min(to, hour * 60 + 60) - Math.max(from, hour * 60));
}

/** Effects beyond the figures of a venue: weekends and hours. */
function shapeOf(type: string, weekday: number, hour: number): number {
  const weekend = weekday >= 5 ? (type.startsWith('office') ? 0.2 : 1.15) : 1;
  return weekend * (0.8 + 0.3 * Math.sin((Math.PI * (hour - 6)) / 14));
}

type PlaceFigures = { number: number; screens: number; people: number };

function placeOf(
  place: { cityFolded: string; venueType: string; orientation: 'landscape' },
  { number, screens, people }: PlaceFigures,
): ForecastPlace {
  const [startMinute, endMinute] = OPENING[place.venueType]!;
  const hours: OpeningHours = Array.from({ length: 7 }, () => [{ startMinute, endMinute }]);
  return {
    ...place,
    venue: handle('venue', number),
    sandbox: false,
    sensor: false,
    lat: 50,
    lng: 0,
    timezone: 'UTC',
    hours,
    blockedCategories: [],
    screens: Math.round(screens),
    playsPerMinute: 2 * screens,
    impressionsPerMinute: 2 * screens * people,
  };
}

/** The targets of a request: cities, types, a part of the day. */
export function drawTargets(random: Random, { cities }: Pick<WorldOptions, 'cities'>): Targets {
  const some = <T>(all: readonly T[], most: number) => [
    ...new Set(Array.from({ length: 1 + random.integer(most) }, () => all[random.integer(all.length)]!)),
  ];
  const cityNames = Array.from({ length: cities }, (_, city) => `city ${city}`);
  const narrow = random.unit() < 0.35; // a city, a type or both: a third of all questions, and most of the small ones
  const chosen = narrow || random.unit() < 0.75 ? some(cityNames, narrow ? 1 : 3) : [];
  const start = 60 * 4 * (1 + random.integer(4));
  return {
    cities: chosen,
    citiesFolded: chosen,
    venueTypes: narrow || random.unit() < 0.7 ? some(TYPES, narrow ? 1 : 3) : [],
    areas: [],
    orientations: [],
    ...(random.unit() < 0.3 && { daypart: { startMinute: start, endMinute: start + 60 * 4 } }),
  };
}

type MakeBookingsOptions = { options: WorldOptions; places: readonly ForecastPlace[]; day: number };

function makeBookings(random: Random, { options, places, day }: MakeBookingsOptions): BookedCampaign[] {
  const perDay = places.reduce((sum, place) => sum + place.impressionsPerMinute * 800, 0);
  return Array.from({ length: options.bookings }, (_, number) => {
    const targets = drawTargets(random, options);
    const startsOn = FIRST_DAY + day - 10 + random.integer(16);
    const endsOn = Math.max(FIRST_DAY + day, startsOn) + 2 + random.integer(14);
    return {
      handle: handle('campaign', number),
      sandbox: false,
      category: 'travel',
      targets,
      orientations: ['landscape'] as const,
      flight: { startsOn, endsOn, ...(targets.daypart && { daypart: targets.daypart }) },
      impressionsLeft: ((LOAD * perDay * 14) / options.bookings) * random.logNormal(0.8),
    };
  });
}
