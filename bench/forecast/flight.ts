/**
 * Books what was forecast, one campaign after the other, and lets two weeks pass in virtual time: every slot is given
 * by the plan and the rule that delivery uses, on the supply that really comes and not on the forecast one. The plan
 * knows what each was told is free, as the workers do. Every other booking wants more than there is. No two of those
 * have a venue in common: what comes beyond the forecast goes to both alike, while a forecast only knows what was
 * booked before it.
 */
import { type AllocationGraph, createGraph } from '../../domain/allocation/flow/graph.ts';
import { daysOf, repeatForecasts } from '../../domain/forecast/backtest.ts';
import { calibrateBands } from '../../domain/forecast/band.ts';
import { type BookedCampaign, flightHours } from '../../domain/forecast/bookings.ts';
import { type Forecast, forecastPlan } from '../../domain/forecast/forecast.ts';
import type { Plan } from '#domain/forecast/plan-supply.ts';
import { prepareForecasts } from '#domain/forecast/preparation.ts';
import { fitSupply } from '#domain/forecast/supply/supply-model.ts';
import { matchesPlace } from '../../domain/campaigns/targeting.ts';
import type { Handle } from '../../domain/id.ts';
import { handle } from '../../test/support/handle.ts';
import { createRandom, type Random } from '../pacing/world/random.ts';
import { planned } from '../pacing/rules/planned.ts';
import { replay } from '../pacing/replay.ts';
import { WORLD as PACING } from '../pacing/world/options.ts';
import type { World as PacingWorld } from '../pacing/world/world.ts';
import { drawTargets, FIRST_DAY, makeWorld, type World } from './world.ts';

export type Flown = { forecast: Forecast; delivered: number };
export type FlightOptions = { seed: number; bookings: number };

const KNOWN_DAYS = 50;
const DAYS = 14;
const HOURS = DAYS * 24;
const CITIES = 3;
/** How often a plan is drawn again for which nothing is free. After that the network counts as sold out. */
const DRAWN_MAX = 200;
const EDGES_MAX = 30_000;
const DAY_MS = 86_400_000;
/** The impressions of a play, large enough to keep the number of slots small. */
const PER_PLAY = 40;

export function fly({ seed, bookings }: FlightOptions): Flown[] {
  const world = makeWorld({ seed, kind: 'steady', days: KNOWN_DAYS + DAYS, cities: CITIES, bookings: 0 });
  const random = createRandom(seed + 500);
  const history = daysOf(world.history, 0, KNOWN_DAYS);
  const model = fitSupply({ history, audience: [], scans: [] });
  const bands = calibrateBands([...repeatForecasts({ history, screens: world.screensOn(KNOWN_DAYS) })].flat());
  const atMs = (FIRST_DAY + KNOWN_DAYS) * DAY_MS;
  const campaigns: BookedCampaign[] = [];
  const forecasts: Forecast[] = [];
  const foreseen: number[] = [];
  const taken = new Set<number>();
  for (let drawn = 0; campaigns.length < bookings && drawn < DRAWN_MAX; drawn++) {
    const plan = drawPlan(random, world);
    const limited = campaigns.length % 2 === 0;
    const places = world.history.classes.flatMap((place, number) =>
      matchesPlace(plan.targets, { ...place, lat: 0, lng: 0 }) ? [number] : [],
    );
    if (limited && places.some(number => taken.has(number))) continue;
    const prepared = prepareForecasts({
      places: world.places(KNOWN_DAYS),
      campaigns,
      model,
      bands,
      atMs,
      edgesMax: EDGES_MAX,
    });
    const open = forecastPlan(prepared, plan);
    // Every other budget is more than all that is free; of the rest most are a small part of it.
    const budgetMicros = Math.round(
      open.impressions * open.rateMicros * (limited ? 1.5 + random.unit() : 0.03 + 0.5 * random.unit() ** 4),
    );
    if (budgetMicros <= 0) continue;
    const forecast = forecastPlan(prepared, { ...plan, budgetMicros });
    if (limited) for (const number of places) taken.add(number);
    forecasts.push(forecast);
    foreseen.push(forecast.costMicros / budgetMicros);
    campaigns.push(
      bookingOf(plan, {
        handle: handle('campaign', campaigns.length),
        impressionsLeft: budgetMicros / forecast.rateMicros,
      }),
    );
  }
  const pacing = pacingWorld(world, { campaigns, seed, model });
  const { served } = replay({ ...pacing, foreseen: Float64Array.from(foreseen) }, planned);
  return forecasts.map((forecast, campaign) => ({ forecast, delivered: served[campaign]! }));
}

function drawPlan(random: Random, world: World): Plan {
  const startsOn = FIRST_DAY + KNOWN_DAYS;
  return {
    sandbox: false,
    targets: drawTargets(random, world.options),
    startsOn,
    endsOn: startsOn + (random.unit() < 0.5 ? 6 : DAYS - 1),
    budgetMicros: 1e15,
  };
}

function bookingOf(
  { targets, startsOn, endsOn }: Plan,
  { handle, impressionsLeft }: { handle: Handle<'campaign'>; impressionsLeft: number },
): BookedCampaign {
  return {
    handle,
    sandbox: false,
    category: 'travel',
    targets,
    orientations: ['landscape'],
    flight: { startsOn, endsOn, ...(targets.daypart && { daypart: targets.daypart }) },
    impressionsLeft,
  };
}

type PacingWorldOptions = { campaigns: readonly BookedCampaign[]; seed: number; model: ReturnType<typeof fitSupply> };

/**
 * The two weeks in the format of the pacing benchmark's replay: one group per class, with one screen that stands for
 * all screens of the class.
 */
function pacingWorld(world: World, { campaigns, seed, model }: PacingWorldOptions): PacingWorld {
  const random = createRandom(seed + 900);
  const { history } = world;
  const classes = history.classes.length;
  const firstDay = FIRST_DAY + KNOWN_DAYS;
  const runs = campaigns.map(({ flight }) => flightHours(flight, firstDay));
  const members = history.classes.map(place =>
    campaigns.flatMap((campaign, number) =>
      matchesPlace(campaign.targets, { ...place, lat: 0, lng: 0 }) ? [number] : [],
    ),
  );
  const { graph, segmentOf } = segmentsOf(
    members.flatMap(fitting =>
      Array.from({ length: HOURS }, (_, hour) => fitting.filter(number => runs[number]![hour]! > 0)),
    ),
    campaigns.length,
  );
  const came = Float64Array.from(
    segmentOf,
    (_, cell) => history.seen[(Math.floor(cell / HOURS) * history.days + KNOWN_DAYS) * 24 + (cell % HOURS)]!,
  );
  const expected = Float64Array.from(segmentOf, (_, cell) => {
    const place = history.classes[Math.floor(cell / HOURS)]!;
    const share = model.shares.get(`${place.cityFolded}|${place.venueType}|${place.orientation}`)!;
    return (
      history.promised[(Math.floor(cell / HOURS) * history.days + KNOWN_DAYS) * 24 + (cell % HOURS)]! *
      share[(((firstDay + 3) % 7) * 24 + (cell % HOURS)) % 168]!
    );
  });
  return {
    options: PACING,
    hours: HOURS,
    bookings: campaigns.map(({ flight: { startsOn, endsOn, daypart } }) => ({
      category: 0,
      price: 1,
      startDay: startsOn - firstDay,
      endDay: endsOn + 1 - firstDay,
      fromHour: (daypart?.startMinute ?? 0) / 60,
      toHour: (daypart?.endMinute ?? 1440) / 60,
      late: false,
      weight: 1,
      fits: [], // the graph below says it
    })),
    groups: classes,
    groupOf: Int32Array.from({ length: classes }, (_, place) => place),
    screens: history.classes.map((_, place) => ({
      city: 0,
      place,
      zone: 0,
      x: 0,
      y: 0,
      opens: 0,
      closes: 24,
      slotsPerHour: 0,
      people: PER_PLAY,
      type: '',
      impressions: PER_PLAY,
    })),
    graph,
    segmentOf,
    expected,
    forecast: expected,
    forecastPerCampaign: expected,
    goal: Float64Array.from(campaigns, ({ impressionsLeft }) => Math.floor(impressionsLeft)),
    price: new Float64Array(campaigns.length).fill(1),
    category: new Int32Array(campaigns.length),
    knownFrom: new Int32Array(campaigns.length),
    requests: slotsOf(came, { classes, random }),
  };
}

/** Cells with the same campaigns as one segment. */
function segmentsOf(cells: readonly number[][], campaigns: number): { graph: AllocationGraph; segmentOf: Int32Array } {
  const numbers = new Map<string, number>();
  const rows: number[][] = [];
  const segmentOf = Int32Array.from(cells, row => {
    const key = row.join();
    const known = numbers.get(key) ?? rows.push(row) - 1;
    numbers.set(key, known);
    return known;
  });
  const start = new Int32Array(rows.length + 1);
  rows.forEach((row, segment) => (start[segment + 1] = start[segment]! + row.length));
  return { graph: createGraph(campaigns, start, Int32Array.from(rows.flat())), segmentOf };
}

/** Slots minute by minute: each hour's impressions at the impressions of a play, at random minutes. */
function slotsOf(
  came: Float64Array,
  { classes, random }: { classes: number; random: Random },
): PacingWorld['requests'] {
  const byMinute: number[][] = Array.from({ length: HOURS * 60 }, () => []);
  for (let place = 0; place < classes; place++) {
    for (let hour = 0; hour < HOURS; hour++) {
      const slots = Math.floor(came[place * HOURS + hour]! / PER_PLAY + random.unit());
      for (let slot = 0; slot < slots; slot++) byMinute[hour * 60 + random.integer(60)]!.push(place);
    }
  }
  const start = new Int32Array(byMinute.length + 1);
  byMinute.forEach((screens, minute) => (start[minute + 1] = start[minute]! + screens.length));
  return { start, screen: Int32Array.from(byMinute.flat()) };
}
