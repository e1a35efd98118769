/**
 * Legal restrictions at a venue: ads of a category, always or in some local hours. Postgres derives restrictions from
 * the operator's rules and sensitive places (`venue_restrictions`); delivery, plans and forecasts obey them.
 */
import { assert } from '../assertion.ts';
import { CATEGORIES, parseCategory } from '../campaigns/taxonomy.ts';
import { checkFlight, type FlightRule } from '../screens/schedule.ts';
import { formatTimeOfDay } from '../time/calendar.ts';
import type { Daypart } from '../time/daypart.ts';
import type { Milliseconds } from '../unit.ts';

/** One rule in force at one venue. `category` is canonical; without `hours` it holds always. */
export type Restriction = {
  rule: string;
  category: string;
  placeKind?: string;
  distanceM?: number;
  hours?: RestrictedHours;
};

/** Local hours, as flights have them: a range over midnight belongs to the day on which it begins. */
export type RestrictedHours = { daypart: Daypart; days?: number };

/** Hours begin and end on quarters, as offsets of zones do, so a rule holds for whole quarters. */
export const HOURS_STEP_MINUTES = 15;

/** Venues without restrictions share one list. */
export const UNRESTRICTED: readonly Restriction[] = [];

/** The categories that may never play, each once, in order. */
export function alwaysRestricted(restrictions: readonly Restriction[]): readonly string[] {
  if (restrictions.length === 0) return NO_CATEGORIES;
  return [...new Set(restrictions.filter(({ hours }) => hours === undefined).map(({ category }) => category))].sort();
}
const NO_CATEGORIES: readonly string[] = [];

/** The restrictions that hold in some hours only. */
export function timedRestrictions(restrictions: readonly Restriction[]): readonly Restriction[] {
  return restrictions.length === 0 ? UNRESTRICTED : restrictions.filter(({ hours }) => hours !== undefined);
}

/** Whether a restriction holds at a moment at a venue. */
function isInForce({ hours }: Restriction, offsetMinutes: number, atMs: Milliseconds): boolean {
  return hours === undefined || checkFlight({ ...EVER, ...hours }, offsetMinutes, atMs) === 'ok';
}
const EVER: FlightRule = { startsOn: -Infinity, endsOn: Infinity };

/** The restriction that keeps a category off a venue at a moment, or undefined. */
export function restrictionAgainst(
  restrictions: readonly Restriction[],
  { category, offsetMinutes, atMs }: { category: string; offsetMinutes: number; atMs: Milliseconds },
): Restriction | undefined {
  return restrictions.find(
    restriction => restriction.category === category && isInForce(restriction, offsetMinutes, atMs),
  );
}

/** A set of categories as one number: there are fewer than the bits of a safe integer. */
export type CategorySet = number;

/** The categories whose hours run at a moment. */
export function categoriesInForce(
  timed: readonly Restriction[],
  offsetMinutes: number,
  atMs: Milliseconds,
): CategorySet {
  let set = 0;
  for (const restriction of timed) {
    const number = categoryNumber(restriction.category);
    if (number >= 0 && !hasCategory(set, number) && isInForce(restriction, offsetMinutes, atMs)) set += 2 ** number;
  }
  return set;
}

/** The place of a category in the taxonomy, or -1. */
export function categoryNumber(slug: string): number {
  return NUMBERS.get(slug) ?? -1;
}
assert(CATEGORIES.length <= 53, 'a set of categories is a safe integer');
const NUMBERS = new Map(CATEGORIES.map(({ slug }, number) => [slug, number]));

export function hasCategory(set: CategorySet, number: number): boolean {
  return number >= 0 && Math.floor(set / 2 ** number) % 2 === 1;
}

/** A rule for people: `Alcohol within 200 m of a school, 06:00 to 22:00: Example rule`. */
export function sentenceOf({ rule, category, placeKind, distanceM, hours }: Restriction): string {
  const where = placeKind === undefined ? '' : ` within ${distanceM} m of a ${placeKind.replaceAll('_', ' ')}`;
  const when =
    hours === undefined
      ? ''
      : `, ${formatTimeOfDay(hours.daypart.startMinute)} to ${formatTimeOfDay(hours.daypart.endMinute)}`;
  return `${parseCategory(category)?.name ?? category}${where}${when}: ${rule}`;
}
