/**
 * What a planned campaign would get, in three steps: the supply that matches it, hour by hour, from the supply model;
 * what booked campaigns leave of that, found by the same flow as the delivery plan; and what its budget buys of the
 * rest at the rates of the venues. The band repeats this at the lowest and the highest supply that nine in ten past
 * forecasts had.
 *
 * `prepareForecasts` does the slow part, in seconds at 10,000 campaigns. A forecast is then one pass over the hours of
 * the kinds of places that match, and gives the same answer until something is prepared anew.
 */
import { type BandTable, bandOf, chanceAbove } from './band.ts';
import { type BookedCampaign, type Bookings, compileBookings, flightHours } from './bookings.ts';
import { attainableOf, type BookedEdges, type Residual, residualsOf } from './residual.ts';
import {
  compileSupply,
  type ForecastPlace,
  type ForecastSupply,
  HORIZON_DAYS,
  HORIZON_HOURS,
  LAST_ZONE_MS,
  supplyAt,
} from './supply.ts';
import { decimalFromMicros } from '../money/money.ts';
import { checkFlight, type FlightRule, formatDate } from '../screens/schedule.ts';
import { HOURS_PER_WEEK, scanRateOf, type SupplyModel } from './supply-model.ts';
import { distanceKm, foldCity, matchesPlace, type Targets } from '../campaigns/targeting.ts';
import { venueTypeMatches } from '../campaigns/taxonomy.ts';
import type { Micros, Milliseconds } from '../unit.ts';

/** `bookedMicros`: the part of the bookings that is the plan's own, when a booked campaign is planned again. */
export type Plan = {
  sandbox: boolean;
  targets: Targets;
  startsOn: number;
  endsOn: number;
  budgetMicros: Micros;
  category?: string;
  bookedMicros?: Micros;
};

/** `path` is that of the field in the API's spelling of targets, budget and schedule. */
type ForecastWarning = { path: string; code: string; detail: string };

export type Forecast = {
  /** Mean rate of what the plan would get; 0 without any screen. */
  rateMicros: Micros;
  screensEligible: number;
  plays: number;
  impressions: number;
  /** The 90% band. */
  impressionsLow: number;
  impressionsHigh: number;
  /** What the impressions cost, at most the budget. */
  costMicros: Micros;
  scanRateEst: number;
  /** The chance that supply is enough to spend the budget, 0 .. 1. */
  fillProbability: number;
  /** One entry per day, at the venue; sums to `impressions`. */
  pacing: { day: number; impressionsEst: number }[];
  warnings: ForecastWarning[];
};

/** Every week after the horizon is assumed to be like the last week within it, which begins at this hour. */
const LAST_WEEK_FROM = HORIZON_HOURS - HOURS_PER_WEEK;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Kilometres per degree of latitude, rounded down so that no place on the edge of a circle is lost. */
const KM_PER_DEGREE_MIN = 111;
/** A flight is at most three years. */
const LATER_WEEKS_MAX = 160;
/**
 * The part of a budget that stays unspent even where supply is ample, because of pacing, refused plays and the last
 * play.
 */
const UNSPENT_SHARE = 0.02;
/**
 * How far the average price may differ from the expected mix of venues, as a part of the way to the dearest and to the
 * cheapest.
 */
const MIX_SHARE = 0.25;
/**
 * The part of a fully booked segment that is assumed to be free, because bookings can move elsewhere. Only ratios
 * depend on it.
 */
const MOVABLE_PART = 0.02;
/**
 * The search for the level of supply at which a plan gets what it wants: up to a million times the forecast, and exact
 * to a millionth.
 */
const LEVEL_SEARCH_MAX = 1e6;
const LEVEL_SEARCH_STEPS = 40;
/** With a lower chance than this, a warning says that the budget is not likely to be spent. */
const FILL_LIKELY = 0.5;

/** What `prepareForecasts` computed: all that a forecast needs. */
export type Prepared = {
  supply: ForecastSupply;
  bookings: Pick<Bookings, 'pieces' | 'pieceOf'>;
  edges: BookedEdges;
  residuals: readonly Residual[];
  /** By segment: the part of its supply that is free, at the forecast's level. */
  freePart: Float32Array;
  scanRates: SupplyModel['scanRates'];
  bands: BandTable;
  atMs: Milliseconds;
};

/** `edgesMax` bounds the size of the graph; by default what memory allows. */
export type ForecastInput = {
  places: readonly ForecastPlace[];
  campaigns: readonly BookedCampaign[];
  model: SupplyModel;
  bands: BandTable;
  atMs: Milliseconds;
  edgesMax?: number;
};

/** Compiles places and bookings, and finds what the bookings leave. Deterministic. @param atMs the present */
export function prepareForecasts({ places, campaigns, model, bands, atMs, edgesMax }: ForecastInput): Prepared {
  const supply = compileSupply({ places, model, atMs });
  const { graph, demand, supply: bySegment, pieces, pieceOf } = compileBookings(supply, campaigns, edgesMax);
  const residuals = residualsOf(graph, { supply: bySegment, demand });
  const { free } = residuals.find(residual => residual.factor === 1)!;
  return {
    supply,
    bands,
    atMs,
    residuals,
    scanRates: model.scanRates,
    bookings: { pieces, pieceOf },
    edges: { campaigns: graph.campaigns, edgeStart: graph.edgeStart, edgeCampaign: graph.edgeCampaign },
    freePart: Float32Array.from(bySegment, (impressions, segment) =>
      impressions > 0 ? Math.max(MOVABLE_PART, free[segment]! / impressions) : 0,
    ),
  };
}

/** The forecast for one plan. */
export function forecastPlan(prepared: Prepared, plan: Plan): Forecast {
  const matched = matchPlaces(prepared.supply, plan);
  const planSupply = supplyOfPlan(prepared, plan, matched);
  const rates = ratesOf(prepared, planSupply);
  const band = bandOf(prepared.bands, { screens: matched.screens, daypart: plan.targets.daypart });
  const own = rates.mean > 0 ? (plan.bookedMicros ?? 0) / rates.mean : 0;
  const curve = prepared.residuals.map(residual => ({
    factor: residual.factor,
    impressions: Math.min(
      residual.factor * planSupply.total,
      attainableWith(residual, prepared.edges, planSupply) + own,
    ),
  }));
  const wanted = rates.mean > 0 ? plan.budgetMicros / rates.mean : 0;
  const impressions = Math.round(Math.min(wanted, attainableAt(curve, 0)));
  const wantedLow = wanted * (1 - UNSPENT_SHARE - MIX_SHARE * (1 - rates.mean / rates.most));
  const wantedHigh = wanted * (1 + MIX_SHARE * (rates.mean / rates.least - 1));
  const fill = wanted > 0 ? fillChance(curve, wanted, factor => chanceAbove(band, factor)) : 0;
  const forecast = {
    rateMicros: Math.round(rates.mean),
    screensEligible: matched.screens,
    plays: Math.round(impressions * planSupply.playsPerImpression),
    impressions,
    impressionsLow:
      impressions === 0 ? 0 : Math.min(impressions, Math.floor(Math.min(wantedLow, attainableAt(curve, band.low)))),
    impressionsHigh:
      impressions === 0 ? 0 : Math.max(impressions, Math.ceil(Math.min(wantedHigh, attainableAt(curve, band.high)))),
    costMicros: Math.min(plan.budgetMicros, Math.round(impressions * rates.mean)),
    scanRateEst: scanRate(prepared, plan, planSupply),
    fillProbability: round(fill, 3),
    pacing: pacingOf(plan, planSupply.byDay, impressions),
  };
  return { ...forecast, warnings: warningsOf(prepared, plan, forecast) };
}

/** `part`: which part of each kind's impressions is at places that match, 0 .. 1. */
type Matched = { screens: number; part: Float64Array };

function matchPlaces(
  { kinds, memberStart, screens, part, lat, lng }: ForecastSupply,
  { sandbox, targets, category }: Plan,
): Matched {
  const matched: Matched = { screens: 0, part: new Float64Array(kinds.length) };
  const { areas, ...named } = targets;
  const anywhere = { ...named, areas: [] };
  kinds.forEach((kind, number) => {
    if (
      kind.sandbox !== sandbox ||
      (category !== undefined && kind.blockedCategories.includes(category)) ||
      !matchesPlace(anywhere, kind)
    )
      return;
    for (let member = memberStart[number]!; member < memberStart[number + 1]!; member++) {
      if (areas.length > 0 && !areas.some(area => isWithin(area, lat[member]!, lng[member]!))) continue;
      matched.screens += screens[member]!;
      matched.part[number]! += part[member]!;
    }
  });
  return matched;
}

/**
 * The distance is computed only where the latitude allows a match: 100 circles and 10,000 places would be a million
 * distances.
 */
function isWithin(area: Targets['areas'][number], lat: number, lng: number): boolean {
  return (
    Math.abs(area.lat - lat) * KM_PER_DEGREE_MIN <= area.radiusKm && distanceKm(area, { lat, lng }) <= area.radiusKm
  );
}

/**
 * By hour of the horizon's last week: the first of the weeks after the horizon (1 is the next) in which the flight runs
 * at that hour, and in how many consecutive weeks it does.
 */
type LaterWeeks = { first: Uint8Array; count: Uint8Array };

export function laterWeeks(rule: FlightRule, firstDay: number): LaterWeeks {
  const later = { first: new Uint8Array(HORIZON_HOURS), count: new Uint8Array(HORIZON_HOURS) };
  const weeks = Math.min(LATER_WEEKS_MAX, Math.ceil((rule.endsOn + 2 - firstDay - HORIZON_DAYS) / 7));
  for (let hour = LAST_WEEK_FROM; hour < HORIZON_HOURS; hour++) {
    for (let week = 1; week <= weeks; week++) {
      if (
        checkFlight(rule, 0, (firstDay + 7 * week) * DAY_MS + (hour + 0.5) * HOUR_MS) === 'ok' &&
        later.count[hour]!++ === 0
      )
        later.first[hour] = week;
    }
  }
  return later;
}

type PlanSupply = {
  /**
   * Segments that the plan touches, with its impressions in them: within the horizon, and in the week that stands for
   * the time after it.
   */
  segments: Int32Array;
  wanted: Float64Array;
  weekly: Float64Array;
  weeklyTotal: number;
  laterTotal: number;
  /** All that matches, booked or not. */
  total: number;
  /** By kind, and by day since 1970-01-01, as far as it is free at the forecast's level. */
  byKind: Float64Array;
  byDay: Map<number, number>;
  playsPerImpression: number;
};

function supplyOfPlan({ supply, bookings, freePart }: Prepared, plan: Plan, { part: matched }: Matched): PlanSupply {
  const { daypart, days } = plan.targets;
  const rule: FlightRule = {
    startsOn: plan.startsOn,
    endsOn: plan.endsOn,
    ...(daypart && { daypart }),
    ...(days !== undefined && { days }),
  };
  const within = flightHours(rule, supply.firstDay);
  const later = laterWeeks(rule, supply.firstDay);
  const segments: number[] = [];
  const wanted: number[] = [];
  const weekly: number[] = [];
  const byHour = new Float64Array(HORIZON_HOURS);
  const byKind = new Float64Array(matched.length);
  const totals = { weekly: 0, later: 0, plays: 0, impressions: 0 };
  const inPiece = new Float64Array(bookings.pieces);
  const inWeek = new Float64Array(bookings.pieces);
  for (let kind = 0; kind < matched.length; kind++) {
    if (matched[kind] === 0) continue;
    inPiece.fill(0);
    inWeek.fill(0);
    for (let hour = 0; hour < HORIZON_HOURS; hour++) {
      const part = within[hour]!;
      const weeks = later.count[hour]!;
      if (part === 0 && weeks === 0) continue;
      const whole = matched[kind]! * supplyAt(supply, kind, hour);
      const piece = bookings.pieceOf[hour]!;
      inPiece[piece]! += whole * part;
      if (weeks > 0) {
        inWeek[piece]! += whole;
        totals.weekly += whole;
        totals.later += whole * weeks;
      }
      const available = whole * freePart[kind * bookings.pieces + piece]!;
      byHour[hour]! += available;
      byKind[kind]! += available * (part + weeks);
    }
    for (let piece = 0; piece < bookings.pieces; piece++) {
      if (inPiece[piece] === 0 && inWeek[piece] === 0) continue;
      segments.push(kind * bookings.pieces + piece);
      wanted.push(inPiece[piece]!);
      weekly.push(inWeek[piece]!);
    }
    totals.impressions += byKind[kind]!;
    totals.plays += byKind[kind]! * supply.playsPerImpression[kind]!;
  }
  return {
    segments: Int32Array.from(segments),
    wanted: Float64Array.from(wanted),
    weekly: Float64Array.from(weekly),
    weeklyTotal: totals.weekly,
    laterTotal: totals.later,
    total: wanted.reduce((sum, one) => sum + one, totals.later),
    byKind,
    byDay: daysOf(rule, { byHour, within, later, firstDay: supply.firstDay }),
    playsPerImpression: totals.impressions > 0 ? totals.plays / totals.impressions : 0,
  };
}

type KindHours = { byHour: Float64Array; within: Float32Array; later: LaterWeeks; firstDay: number };

/** Impressions by day. What a daypart has after midnight belongs to the day on which it began. */
function daysOf({ daypart }: FlightRule, { byHour, within, later, firstDay }: KindHours): Map<number, number> {
  const nightHours = daypart !== undefined && daypart.endMinute < daypart.startMinute ? daypart.endMinute / 60 : 0;
  const days = new Map<number, number>();
  const add = (day: number, impressions: number) => days.set(day, (days.get(day) ?? 0) + impressions);
  for (let hour = 0; hour < HORIZON_HOURS; hour++) {
    const day = firstDay + Math.floor(hour / 24) - (hour % 24 < nightHours ? 1 : 0);
    add(day, byHour[hour]! * within[hour]!);
    for (let week = later.first[hour]!; week < later.first[hour]! + later.count[hour]!; week++)
      add(day + 7 * week, byHour[hour]!);
  }
  return days;
}

/** What is attainable within the horizon, and after it in the proportion of its last week. */
function attainableWith(
  residual: Residual,
  edges: BookedEdges,
  { segments, wanted, weekly, weeklyTotal, laterTotal }: PlanSupply,
): number {
  const within = attainableOf(residual, edges, { segments, wanted });
  return weeklyTotal === 0
    ? within
    : within + (laterTotal * attainableOf(residual, edges, { segments, wanted: weekly })) / weeklyTotal;
}

type Curve = readonly { factor: number; impressions: number }[];

/** The value of the curve where log(supply / forecast) is `score`: interpolated, and in proportion beyond its ends. */
function attainableAt(curve: Curve, score: number): number {
  const factor = Math.exp(score);
  const above = curve.findIndex(point => point.factor >= factor);
  if (above <= 0) {
    const end = above === 0 ? curve[0]! : curve.at(-1)!;
    return (end.impressions * factor) / end.factor;
  }
  const [before, after] = [curve[above - 1]!, curve[above]!];
  return (
    before.impressions +
    ((factor - before.factor) / (after.factor - before.factor)) * (after.impressions - before.impressions)
  );
}

/** The chance that supply reaches the level at which the plan gets what it wants. */
function fillChance(curve: Curve, wanted: number, chance: (factor: number) => number): number {
  if (curve.every(point => point.impressions === 0)) return 0;
  let low = 0;
  let high = 1;
  while (attainableAt(curve, Math.log(high)) < wanted && high < LEVEL_SEARCH_MAX) high *= 2;
  for (let step = 0; step < LEVEL_SEARCH_STEPS; step++) {
    const middle = (low + high) / 2;
    if (attainableAt(curve, Math.log(middle)) >= wanted) high = middle;
    else low = middle;
  }
  return chance(high);
}

type Rates = { mean: number; least: number; most: number };

/** Rates of the kinds of places that the plan would get; the mean is weighted by their impressions. */
function ratesOf({ supply }: Prepared, { byKind }: PlanSupply): Rates {
  let impressions = 0;
  let cost = 0;
  const rates = { least: Infinity, most: 0 };
  for (let kind = 0; kind < byKind.length; kind++) {
    if (byKind[kind] === 0) continue;
    impressions += byKind[kind]!;
    cost += byKind[kind]! * supply.rateMicros[kind]!;
    rates.least = Math.min(rates.least, supply.rateMicros[kind]!);
    rates.most = Math.max(rates.most, supply.rateMicros[kind]!);
  }
  return { mean: impressions > 0 ? cost / impressions : 0, ...rates };
}

function scanRate({ supply, scanRates }: Prepared, { category, targets }: Plan, { byKind }: PlanSupply): number {
  let impressions = 0;
  let scans = 0;
  for (let kind = 0; kind < byKind.length; kind++) {
    impressions += byKind[kind]!;
    scans += byKind[kind]! * scanRateOf(scanRates, supply.kinds[kind]!.venueType, category);
  }
  return round(impressions > 0 ? scans / impressions : scanRateOf(scanRates, targets.venueTypes[0] ?? '', category), 6);
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** Days in order; whole impressions that add up to the total. */
function pacingOf(
  { startsOn, endsOn }: Plan,
  byDay: ReadonlyMap<number, number>,
  impressions: number,
): Forecast['pacing'] {
  let all = 0;
  for (let day = startsOn; day <= endsOn; day++) all += byDay.get(day) ?? 0;
  const days: Forecast['pacing'] = [];
  let passed = 0;
  let given = 0;
  for (let day = startsOn; day <= endsOn; day++) {
    passed += byDay.get(day) ?? 0;
    const due = all > 0 ? Math.round((impressions * passed) / all) : 0;
    days.push({ day, impressionsEst: due - given });
    given = due;
  }
  return days;
}

function warningsOf(
  { supply: { kinds }, atMs }: Prepared,
  { targets, startsOn }: Plan,
  forecast: Omit<Forecast, 'warnings'>,
): ForecastWarning[] {
  const warnings = targets.cities.flatMap((city, index) =>
    kinds.some(kind => kind.cityFolded === foldCity(city))
      ? []
      : [{ path: `/cities/${index}`, code: 'no_venue_in_city', detail: `No screen stands in ${city}.` }],
  );
  targets.venueTypes.forEach((type, index) => {
    if (!kinds.some(kind => venueTypeMatches(type, kind.venueType)))
      warnings.push({
        path: `/venue_types/${index}`,
        code: 'no_venue_of_type',
        detail: `No screen stands in a venue of the type ${type}.`,
      });
  });
  if (forecast.screensEligible === 0)
    warnings.push({ path: '', code: 'no_matching_screen', detail: 'No screen matches the targets now.' });
  else if (forecast.impressions === 0)
    warnings.push({
      path: '',
      code: 'nothing_free',
      detail: 'Matching screens are closed or booked by others in all of this time.',
    });
  else if (forecast.fillProbability < FILL_LIKELY)
    warnings.push({
      path: '/budget',
      code: 'budget_not_spent',
      detail: `Matching screens are likely to take about ${decimalFromMicros(forecast.costMicros)} of the budget.`,
    });
  // A day that is not over everywhere on Earth is not in the past.
  if ((startsOn + 1) * DAY_MS + LAST_ZONE_MS <= atMs)
    warnings.push({
      path: '/schedule/starts',
      code: 'starts_in_the_past',
      detail: `It would have begun on ${formatDate(startsOn)}; only the days from now on are counted.`,
    });
  return warnings;
}
