/**
 * By class: the supply seen in the last hours over the expectation of the model. The model itself covers weeks, so it
 * would only reflect the outage of a city afterwards; the plan has to react during it
 * (`../../allocation/flow/supply-ratio.ts`).
 */
import { createSupplyRatio, observeHour, supplyFactors } from '../../allocation/flow/supply-ratio.ts';
import { hourOfWeek, HOURS_PER_DAY } from '../../time/calendar.ts';
import { shareOf, type SupplyModel } from './supply-model.ts';
import type { SupplyClass, SupplyHistory } from './supply-history.ts';

export type SeenRatios = Record<string, number>;

/** How many days are read. With a decay of 0.97 per hour older hours have less than a twentieth of the weight. */
const DAYS_SEEN = 4;

/**
 * The ratios after the last hour of a history of slots. Empty without history, and if the whole network was never seen:
 * its first screens are paired and have not connected yet.
 */
export function seenRatios(history: SupplyHistory, model: Pick<SupplyModel, 'shares'>): SeenRatios {
  const { classes, firstDay, days, promised, seen } = history;
  const ratio = createSupplyRatio(classes.length);
  const shares = classes.map(place => shareOf(model, place));
  const hours = days * HOURS_PER_DAY;
  for (let hour = Math.max(0, hours - DAYS_SEEN * HOURS_PER_DAY); hour < hours; hour++) {
    const found = Float64Array.from(classes, (_, place) => seen[place * hours + hour]!);
    const expected = Float64Array.from(
      classes,
      (_, place) => promised[place * hours + hour]! * shares[place]![hourOfWeek(firstDay, hour)]!,
    );
    // Future and unmeasured hours are skipped and do not age the others.
    if (expected.some(slots => slots > 0)) observeHour(ratio, found, expected);
  }
  if (ratio.seen.every(slots => slots <= 0)) return {};
  const factors = supplyFactors(ratio);
  return Object.fromEntries(classes.map((place, number) => [keyOf(place), factors[number]!]));
}

/** The ratio of a class; 1 for one without measurements in the last hours. */
export function seenRatioOf(ratios: SeenRatios, place: SupplyClass): number {
  return ratios[keyOf(place)] ?? 1;
}

function keyOf({ cityFolded, venueType, orientation }: SupplyClass): string {
  return `${cityFolded}|${venueType}|${orientation}`;
}
