/**
 * The forecast of a planned campaign, in three steps: the matching supply by hour, from the supply model; the part that
 * booked campaigns leave, found by the same flow as the delivery plan; and the part that its budget buys at the rates
 * of the venues. The band repeats this at the lowest and the highest supply of nine in ten past forecasts.
 *
 * The slow part is done in advance (`preparation.ts`). A forecast is then one pass over the hours of the matching kinds
 * of places, and gives the same answer until the next preparation.
 */
import { bandOf, chanceAbove } from './band.ts';
import { attainableOf, type BookedEdges, type Residual, residualsWithout } from './residual.ts';
import { LAST_ZONE_MS } from './supply/supply.ts';
import { decimalFromMicros } from '../money/money.ts';
import { formatDate } from '../time/calendar.ts';
import { scanRateOf } from './supply/supply-model.ts';
import { foldCity } from '../geography.ts';
import { venueTypeMatches } from '../campaigns/taxonomy.ts';
import type { Micros } from '../unit.ts';
import type { Prepared } from './preparation.ts';
import { type Plan, matchPlaces, type PlanSupply, supplyOfPlan } from './plan-supply.ts';
import { attainableAt, fillChance } from './fill-chance.ts';

/** `path` is that of the field in the API's targets, budget and schedule. */
type ForecastWarning = { path: string; code: string; detail: string };

export type Forecast = {
  /** Mean rate of the plan's impressions; 0 without any screen. */
  rateMicros: Micros;
  screensEligible: number;
  plays: number;
  impressions: number;
  /** The 90% band. */
  impressionsLow: number;
  impressionsHigh: number;
  /** The cost of the impressions, at most the budget. */
  costMicros: Micros;
  scanRateEst: number;
  /** The chance that supply suffices to spend the budget, 0 .. 1. */
  fillProbability: number;
  /** One entry per day, at the venue; sums to `impressions`. */
  pacing: { day: number; impressionsEst: number }[];
  warnings: ForecastWarning[];
};

const DAY_MS = 86_400_000;
/**
 * The part of a budget that stays unspent even with ample supply, because of pacing, refused plays and the last play.
 */
const UNSPENT_SHARE = 0.02;
/**
 * How far the average price may differ from the expected mix of venues, as a share of the distance to the most
 * expensive and to the cheapest.
 */
const MIX_SHARE = 0.25;
/** Below this chance, a warning says that the budget is not likely to be spent. */
const FILL_LIKELY = 0.5;

/** The forecast for one plan. */
export function forecastPlan(prepared: Prepared, plan: Plan): Forecast {
  const matched = matchPlaces(prepared.supply, plan);
  const planSupply = supplyOfPlan(prepared, plan, matched);
  const rates = ratesOf(prepared, planSupply);
  const band = bandOf(prepared.bands, { screens: matched.screens, daypart: plan.targets.daypart });
  const own = plan.replaces === undefined ? undefined : prepared.bookings.placeOf.get(plan.replaces);
  const residuals = own ? residualsWithout(prepared.residuals, prepared.edges, own) : prepared.residuals;
  const curve = residuals.map(residual => ({
    factor: residual.factor,
    impressions: Math.min(residual.factor * planSupply.total, attainableWith(residual, prepared.edges, planSupply)),
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

/** The attainable part within the horizon, extended beyond it in proportion to its last week. */
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

type Rates = { mean: number; least: number; most: number };

/** Rates of the plan's kinds of places; the mean is weighted by their impressions. */
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
      : [{ path: `/cities/${index}`, code: 'no_venue_in_city', detail: `There is no screen in ${city}.` }],
  );
  targets.venueTypes.forEach((type, index) => {
    if (!kinds.some(kind => venueTypeMatches(type, kind.venueType)))
      warnings.push({
        path: `/venue_types/${index}`,
        code: 'no_venue_of_type',
        detail: `There is no screen in a venue of the type ${type}.`,
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
