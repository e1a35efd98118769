/**
 * Backtests of the forecast. For past days, forecasts are made from the data known then, for typical plans (a type of
 * venue, a city, a type in a city, the network; all day and a part of it), and compared with the actual supply.
 * Calibration (`band.ts`) derives the width of the band from them.
 */
import type { PastForecast } from './band.ts';
import { driftOf, growthOf, trendOf } from './supply/supply-trend.ts';
import { DAYS_PER_WEEK, hourOfWeek, HOURS_PER_DAY, HOURS_PER_WEEK } from '../time/calendar.ts';
import { fitShares, shareOf } from './supply/supply-model.ts';
import type { SupplyClass, SupplyHistory } from './supply/supply-history.ts';

/**
 * Flights of one and two weeks. Longer ones average more days but look further ahead, and their error is about the
 * same.
 */
const FLIGHT_DAYS = [7, 14];
/** Three weeks are the minimum for a median of each hour of the week. */
const DAYS_KNOWN_MIN = 21;
/**
 * A forecast is made for every third day: flights that overlap more add little, and each day costs a fit of the model.
 */
const EVERY_DAYS = 3;
/** The most plans of one kind, so that a network of thousands of classes is sampled. */
const QUESTIONS_MAX = 200;
/** Hours of a part of a day. */
const PART_HOURS = 4;
const PARTS = HOURS_PER_DAY / PART_HOURS;

export type BacktestInput = {
  /** With `seen` in the unit that is forecast. */
  history: SupplyHistory;
  /** Screens by class. */
  screens: Int32Array;
};

/**
 * Past forecasts that ended within the history, by the day of the forecast. Each day costs a fit of the model; the
 * caller may pause between them.
 */
export function* repeatForecasts({ history, screens }: BacktestInput): Generator<PastForecast[]> {
  const questions = questionsOf(history.classes);
  const recorded = recordedHours(history);
  for (let cutoff = DAYS_KNOWN_MIN; cutoff + FLIGHT_DAYS[0]! <= history.days; cutoff += EVERY_DAYS) {
    const ahead = Math.min(history.days - cutoff, FLIGHT_DAYS.at(-1)!);
    const expected = expectedParts(daysOf(history, 0, cutoff), ahead, recorded);
    const found = foundParts(history, cutoff, ahead);
    const past: PastForecast[] = [];
    for (const days of FLIGHT_DAYS) {
      if (cutoff + days > history.days) continue;
      questions.forEach((members, number) => {
        const made = { screens: members.reduce((sum, place) => sum + screens[place]!, 0), cutoff, end: cutoff + days };
        const forecast = sumParts(expected, members, days);
        const came = sumParts(found, members, days);
        past.push({ ...made, partOfDay: false, forecast: totalOf(forecast), came: totalOf(came) });
        const open = [...forecast.keys()].filter(part => forecast[part]! > 0);
        // Only one of the six parts of the day, in turn by plan and day: all six would add little.
        const part = open[(number + cutoff) % Math.max(1, open.length)];
        if (part !== undefined) past.push({ ...made, partOfDay: true, forecast: forecast[part]!, came: came[part]! });
      });
    }
    yield past;
  }
}

/** By class: impressions of each day ahead in its parts, `parts[day * PARTS + part]`. */
type DailyParts = readonly Float64Array[];

function sumParts(parts: DailyParts, members: readonly number[], days: number): Float64Array {
  const sums = new Float64Array(PARTS);
  for (const place of members) for (let at = 0; at < days * PARTS; at++) sums[at % PARTS]! += parts[place]![at]!;
  return sums;
}

function totalOf(parts: Float64Array): number {
  return parts.reduce((sum, one) => sum + one, 0);
}

function foundParts({ classes, days, seen }: SupplyHistory, cutoff: number, ahead: number): DailyParts {
  return classes.map((_, place) => {
    const found = new Float64Array(ahead * PARTS);
    const row = (place * days + cutoff) * HOURS_PER_DAY;
    for (let hour = 0; hour < ahead * HOURS_PER_DAY; hour++) found[Math.floor(hour / PART_HOURS)]! += seen[row + hour]!;
    return found;
  });
}

/** Days `from` (counted from the first) to before `to` of a history. */
export function daysOf(
  { classes, firstDay, days, promised, seen }: SupplyHistory,
  from: number,
  to: number,
): SupplyHistory {
  const hours = (to - from) * HOURS_PER_DAY;
  const cut = (values: Float64Array) => {
    const kept = new Float64Array(classes.length * hours);
    for (let place = 0; place < classes.length; place++)
      kept.set(
        values.subarray((place * days + from) * HOURS_PER_DAY, (place * days + to) * HOURS_PER_DAY),
        place * hours,
      );
    return kept;
  };
  return { classes, firstDay: firstDay + from, days: to - from, promised: cut(promised), seen: cut(seen) };
}

/**
 * By hour: 1 if any class promised supply. In other hours no workers ran, or the hours are in the future: missing
 * records are not a forecast error.
 */
function recordedHours({ classes, days, promised }: SupplyHistory): Uint8Array {
  const hours = days * HOURS_PER_DAY;
  return Uint8Array.from({ length: hours }, (_, hour) =>
    classes.some((_class, place) => promised[place * hours + hour]! > 0) ? 1 : 0,
  );
}

/** By hour of the days ahead, for a week: how many weeks ago it was last recorded, 0 if never. */
function weeksAgoOf(recorded: Uint8Array, days: number): Uint8Array {
  return Uint8Array.from({ length: HOURS_PER_WEEK }, (_, hour) => {
    let weeks = 1;
    while (days >= DAYS_PER_WEEK * weeks) {
      if (recorded[(days - DAYS_PER_WEEK * weeks) * HOURS_PER_DAY + hour] === 1) return weeks;
      weeks++;
    }
    return 0;
  });
}

/**
 * The expected supply of each class on the days after a history: the promise of its last week, with growth, times its
 * shares. `recorded` extends beyond it; unrecorded hours are left out.
 */
function expectedParts(history: SupplyHistory, ahead: number, recorded: Uint8Array): DailyParts {
  const { classes, firstDay, days, promised } = history;
  const model = { shares: fitShares(history) };
  const trend = { growthPerDay: growthOf(history), driftPerDay: driftOf(history) };
  const weeksAgo = weeksAgoOf(recorded, days);
  return classes.map((place, number) => {
    const share = shareOf(model, place);
    const expected = new Float64Array(ahead * PARTS);
    for (let hour = 0; hour < ahead * HOURS_PER_DAY; hour++) {
      const weeks = weeksAgo[hour % HOURS_PER_WEEK]!;
      if (weeks === 0 || recorded[days * HOURS_PER_DAY + hour] === 0) continue;
      const lastWeek = (number * days + days - DAYS_PER_WEEK * weeks) * HOURS_PER_DAY;
      // The promise is that of an earlier week, so growth also covers the days since then.
      const grown =
        trendOf(trend, Math.floor(hour / HOURS_PER_DAY)) * Math.exp(trend.growthPerDay * DAYS_PER_WEEK * weeks);
      expected[Math.floor(hour / PART_HOURS)]! +=
        promised[lastWeek + (hour % HOURS_PER_WEEK)]! * share[hourOfWeek(firstDay + days, hour)]! * grown;
    }
    return expected;
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
