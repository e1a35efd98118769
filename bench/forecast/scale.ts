/** The time of a forecast in a network with the goal's number of bookings, for both kinds of request. */
import { unknownBands } from '../../domain/forecast/band.ts';
import { forecastPlan } from '../../domain/forecast/forecast.ts';
import type { Plan } from '#domain/forecast/plan-supply.ts';
import { prepareForecasts } from '#domain/forecast/preparation.ts';
import type { BookedCampaign } from '../../domain/forecast/bookings.ts';
import type { ForecastPlace } from '#domain/forecast/supply/supply.ts';
import type { Handle } from '../../domain/id.ts';
import type { OpeningHours } from '../../domain/screens/schedule.ts';
import { ORIENTATIONS } from '../../domain/screens/screen.ts';
import { EMPTY_MODEL } from '#domain/forecast/supply/supply-model.ts';
import type { Targets } from '../../domain/campaigns/targeting.ts';
import { handle } from '../../test/support/handle.ts';
import { createRandom, type Random } from '../pacing/world/random.ts';

/** A network with the goal's number of bookings, and requests of both kinds. */
export type ScaleOptions = { seed: number; campaigns: number; venues: number; questions: number };

export const SCALE: ScaleOptions = { seed: 1, campaigns: 10_000, venues: 3_000, questions: 500 };

const TYPES = [
  'retail.grocery',
  'retail.malls',
  'entertainment.bars',
  'entertainment.hotels',
  'health_and_beauty.gyms',
  'transit.subway',
  'office_buildings',
  'point_of_care.doctor_offices',
  'education',
  'retail.gas_stations',
  'entertainment.casual_dining',
  'outdoor.billboards',
];
const ZONES = ['Europe/Berlin', 'America/New_York', 'America/Chicago', 'Europe/London'];
const CITIES = 200;
const CITY_NAMES = Array.from({ length: CITIES }, (_, city) => `city ${city}`);
const OPENING: readonly (OpeningHours | undefined)[] = [
  undefined,
  weekOf(420, 1320),
  weekOf(540, 1200),
  weekOf(960, 120),
];
const CATEGORIES = ['travel', 'retail', 'vehicles', 'education_and_careers', 'events'];
const TODAY = 20_600;
const WARM_UP = 50;
const DAY_MS = 86_400_000;
const SCALE_AT_MS = TODAY * DAY_MS;

function weekOf(startMinute: number, endMinute: number): OpeningHours {
  return Array.from({ length: 7 }, () => [{ startMinute, endMinute }]);
}

export function makeScale({ seed, campaigns, venues, questions }: ScaleOptions) {
  const random = createRandom(seed);
  const places = Array.from({ length: venues }, (_, venue) => placeOf(random, handle('venue', venue)));
  const load = 0.6;
  const perDay = places.reduce((sum, place) => sum + place.impressionsPerMinute * 960, 0);
  const booked = Array.from({ length: campaigns }, (_, number) =>
    bookingOf(random, { handle: handle('campaign', number), mean: (load * perDay * 28) / campaigns }),
  );
  const plans = Array.from({ length: questions }, (_, number) =>
    number % 2 === 0 ? planByNames(random) : planByAreas(random, places),
  );
  return { input: { places, campaigns: booked, model: EMPTY_MODEL, bands: unknownBands(), atMs: SCALE_AT_MS }, plans };
}

function placeOf(random: Random, venue: Handle<'venue'>): ForecastPlace {
  const city = Math.floor(CITIES * random.unit() ** 2);
  const people = 2 * random.logNormal(0.6);
  const playsPerMinute = 4 * (0.2 + 0.8 * random.unit());
  return {
    venue,
    screens: 1,
    sandbox: false,
    sensor: venue % 5 === 0,
    cityFolded: `city ${city}`,
    venueType: TYPES[random.integer(TYPES.length)]!,
    lat: 40 + (city % 8) + 0.05 * random.normal(),
    lng: -100 + city + 0.05 * random.normal(),
    timezone: ZONES[city % ZONES.length]!,
    hours: OPENING[random.integer(OPENING.length)],
    orientation: ORIENTATIONS[random.unit() < 0.8 ? 0 : 1],
    blockedCategories: [],
    playsPerMinute,
    impressionsPerMinute: people * playsPerMinute,
  };
}

function someOf<T>(random: Random, all: readonly T[], most: number): T[] {
  return Array.from({ length: 1 + random.integer(most) }, () => all[random.integer(all.length)]!);
}

function namesOf(random: Random): Targets {
  const cities = random.unit() < 0.995 ? someOf(random, CITY_NAMES, 3) : [];
  const from = 60 * (6 + random.integer(12));
  return {
    cities,
    citiesFolded: cities,
    venueTypes: random.unit() < 0.65 ? someOf(random, TYPES, 5) : [],
    areas: [],
    orientations: [],
    ...(random.unit() < 0.5 && {
      daypart: { startMinute: from, endMinute: (from + 60 * (3 + random.integer(6))) % 1440 },
    }),
  };
}

function flightOf(random: Random, targets: Targets) {
  const startsOn = TODAY + random.integer(20) - 5;
  return {
    startsOn,
    endsOn: Math.max(TODAY, startsOn) + 3 + random.integer(25),
    ...(targets.daypart && { daypart: targets.daypart }),
  };
}

function bookingOf(random: Random, { handle, mean }: { handle: Handle<'campaign'>; mean: number }): BookedCampaign {
  const targets = namesOf(random);
  return {
    handle,
    sandbox: false,
    category: CATEGORIES[handle % CATEGORIES.length]!,
    targets,
    flight: flightOf(random, targets),
    orientations: ORIENTATIONS,
    impressionsLeft: mean * random.logNormal(1) * 0.6,
  };
}

function planByNames(random: Random): Plan {
  const targets = namesOf(random);
  const { startsOn, endsOn } = flightOf(random, targets);
  return {
    sandbox: false,
    targets,
    startsOn: Math.max(TODAY, startsOn),
    endsOn,
    budgetMicros: Math.round(1e9 * random.logNormal(1.5)),
  };
}

function planByAreas(random: Random, places: readonly ForecastPlace[]): Plan {
  const areas = someOf(random, places, 20).map(({ lat, lng }) => ({
    lat: lat!,
    lng: lng!,
    radiusKm: 1 + random.integer(60),
  }));
  const { daypart, ...targets } = namesOf(random);
  return {
    sandbox: false,
    targets: {
      ...targets,
      cities: [],
      citiesFolded: [],
      areas,
      days: 1 + random.integer(127),
      ...(daypart && { daypart }),
    },
    startsOn: TODAY,
    endsOn: TODAY + 27,
    budgetMicros: Math.round(1e9 * random.logNormal(1.5)),
  };
}

/** Milliseconds of the requests, each made once after a warm-up round, and of preparing the network. */
export function timeForecasts({ input, plans }: ReturnType<typeof makeScale>): {
  p50: number;
  p99: number;
  most: number;
  prepareMs: number;
  edges: number;
} {
  const started = performance.now();
  const prepared = prepareForecasts(input);
  const prepareMs = performance.now() - started;
  for (const plan of plans.slice(0, WARM_UP)) forecastPlan(prepared, plan);
  const times = plans
    .map(plan => {
      const at = performance.now();
      forecastPlan(prepared, plan);
      return performance.now() - at;
    })
    .sort((a, b) => a - b);
  const place = (part: number) => times[Math.floor(part * (times.length - 1))]!;
  return {
    p50: place(0.5),
    p99: place(0.99),
    most: times.at(-1)!,
    prepareMs,
    edges: prepared.edges.edgeCampaign.length,
  };
}
