import type { PastForecast } from './forecast-band.ts';
import { driftOf, fitShares, growthOf, HOURS_PER_WEEK, shareOf, type SupplyClass, type SupplyHistory, trendOf } from './supply-model.ts';

/**
 * Forecasts made again: on days of the past, from what was known on them, for the questions that planners ask (a type of
 * venue, a city, a type in a city, the network), and held against what came. Calibration learns from them how wide the
 * band has to be.
 */
const HOURS_PER_DAY = 24;
/** Flights of a week and of two: the two lengths that bands are told apart by. */
const FLIGHT_DAYS = [7, 14];
/** Three weeks are the least of which a week has a median. */
const DAYS_KNOWN_MIN = 21;
/** Every third day: flights that overlap more say nothing new, and each day costs a fit. */
const EVERY_DAYS = 3;
/** Questions of one kind at most, so that a network of thousands of classes is sampled. */
const QUESTIONS_MAX = 200;

export type BacktestInput = {
  /** With `seen` in the unit that is forecast. */
  history: SupplyHistory;
  /** Screens by class. */
  screens: Int32Array;
};

/** Past forecasts that had ended by the end of the history, day by day on which they are made: each costs a fit, and the caller may rest between them. */
export function* repeatForecasts({ history, screens }: BacktestInput): Generator<PastForecast[]> {
  const questions = questionsOf(history.classes);
  for (let cutoff = DAYS_KNOWN_MIN; cutoff + FLIGHT_DAYS[0]! <= history.days; cutoff += EVERY_DAYS) {
    const past: PastForecast[] = [];
    const byDay = expectedByDay(until(history, cutoff), history.days - cutoff);
    for (const days of FLIGHT_DAYS) {
      const end = cutoff + days;
      if (end > history.days) continue;
      for (const members of questions) {
        let forecast = 0;
        let came = 0;
        for (const place of members) {
          for (let day = 0; day < days; day++) forecast += byDay[place]![day]!;
          const row = place * history.days * HOURS_PER_DAY;
          for (let hour = cutoff * HOURS_PER_DAY; hour < end * HOURS_PER_DAY; hour++) came += history.seen[row + hour]!;
        }
        past.push({ screens: members.reduce((sum, place) => sum + screens[place]!, 0), cutoff, end, forecast, came });
      }
    }
    yield past;
  }
}

/** The first days of a history. */
export function until({ classes, firstDay, days, promised, seen }: SupplyHistory, cutoff: number): SupplyHistory {
  const cut = (values: Float64Array) => {
    const kept = new Float64Array(classes.length * cutoff * HOURS_PER_DAY);
    for (let place = 0; place < classes.length; place++) {
      kept.set(values.subarray(place * days * HOURS_PER_DAY, (place * days + cutoff) * HOURS_PER_DAY), place * cutoff * HOURS_PER_DAY);
    }
    return kept;
  };
  return { classes, firstDay, days: cutoff, promised: cut(promised), seen: cut(seen) };
}

/** What each class is expected to have on the days after a history: its last week's promise, grown, by its shares. */
function expectedByDay(history: SupplyHistory, daysAhead: number): Float64Array[] {
  const { classes, firstDay, days, promised } = history;
  const model = { shares: fitShares(history) };
  const trend = { growthPerDay: growthOf(history), driftPerDay: driftOf(history) };
  const ahead = Math.min(daysAhead, FLIGHT_DAYS.at(-1)!);
  return classes.map((place, number) => {
    const share = shareOf(model, place);
    const lastWeek = (number * days + days - 7) * HOURS_PER_DAY;
    return Float64Array.from({ length: ahead }, (_, day) => {
      let sum = 0;
      for (let hour = 0; hour < HOURS_PER_DAY; hour++) {
        sum += promised[lastWeek + (day % 7) * HOURS_PER_DAY + hour]! * share[(((firstDay + days + day + 3) % 7) * HOURS_PER_DAY + hour) % HOURS_PER_WEEK]!;
      }
      // The promise is that of the last week; screens of the same day of this one are 7 days more.
      return sum * trendOf(trend, day) * Math.exp(trend.growthPerDay * 7);
    });
  });
}

function questionsOf(classes: readonly SupplyClass[]): number[][] {
  const keys = [
    (place: SupplyClass) => `${place.cityFolded}|${place.venueType}|${place.orientation}`,
    (place: SupplyClass) => `${place.cityFolded}|${parentOf(place)}`,
    (place: SupplyClass) => place.cityFolded,
    (place: SupplyClass) => parentOf(place),
    () => '',
  ];
  return keys.flatMap(keyOf => {
    const groups = new Map<string, number[]>();
    classes.forEach((place, number) => groups.set(keyOf(place), [...(groups.get(keyOf(place)) ?? []), number]));
    const all = [...groups.values()];
    const step = Math.ceil(all.length / QUESTIONS_MAX);
    return all.filter((_, index) => index % step === 0);
  });
}

function parentOf({ venueType }: SupplyClass): string {
  return venueType.slice(0, Math.max(0, venueType.indexOf('.'))) || venueType;
}
