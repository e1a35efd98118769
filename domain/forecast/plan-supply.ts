/**
 * The supply that matches a plan: its kinds of places, and their impressions in the hours of its flight, under its
 * frequency cap.
 * Weeks after the horizon are taken to be like the last week within it.
 */
import { shareUnderCap } from '../allocation/network/frequency-caps.ts';
import { flightHours } from './bookings.ts';
import { type ForecastSupply, HORIZON_DAYS, HORIZON_HOURS, supplyAt } from './supply/supply.ts';
import type { FlightRule } from '../screens/schedule.ts';
import { HOURS_STEP_MINUTES, type Restriction, restrictionAgainst } from '../law/restriction.ts';
import { DAYS_PER_WEEK, hourOfWeek, HOURS_PER_WEEK } from '../time/calendar.ts';
import { isInCircle } from '../geography.ts';
import { matchesPlace, type Targets } from '../campaigns/targeting.ts';
import type { Handle } from '../id.ts';
import type { Orientation } from '../screens/screen.ts';
import type { Micros } from '../unit.ts';
import type { Prepared } from './preparation.ts';

/**
 * `orientations`: those of its creatives, the only screens on which it plays; absent or empty: unknown, so any.
 * `frequencyPerHourMax`: plays an hour on one screen; absent or null: no cap. `replaces`: the campaign that is planned
 * again; its booking does not compete with the plan.
 */
export type Plan = {
  sandbox: boolean;
  targets: Targets;
  orientations?: readonly Orientation[];
  startsOn: number;
  endsOn: number;
  budgetMicros: Micros;
  category?: string;
  frequencyPerHourMax?: number | null;
  replaces?: Handle<'campaign'>;
};

/** Every week after the horizon is assumed to be like the last week within it, which begins at this hour. */
const LAST_WEEK_FROM = HORIZON_HOURS - HOURS_PER_WEEK;
/** Kilometres per degree of latitude, rounded down so that no place on the edge of a circle is lost. */
const KM_PER_DEGREE_MIN = 111;
/** A flight is at most three years. */
const LATER_WEEKS_MAX = 160;

/** `part`: the part of each kind's impressions at matching places that a plan may take under its cap, 0 .. 1. */
type Matched = { screens: number; part: Float64Array };

export function matchPlaces(
  { kinds, memberStart, screens, slotsPerHour, part, lat, lng }: ForecastSupply,
  { sandbox, targets, orientations = [], category, frequencyPerHourMax }: Plan,
): Matched {
  const matched: Matched = { screens: 0, part: new Float64Array(kinds.length) };
  const { areas, ...named } = targets;
  const anywhere = { ...named, areas: [] };
  kinds.forEach((kind, number) => {
    if (
      kind.sandbox !== sandbox ||
      (category !== undefined && kind.blockedCategories.includes(category)) ||
      (orientations.length > 0 && !orientations.includes(kind.orientation)) ||
      !matchesPlace(anywhere, kind)
    )
      return;
    for (let member = memberStart[number]!; member < memberStart[number + 1]!; member++) {
      if (areas.length > 0 && !areas.some(area => isWithin(area, lat[member]!, lng[member]!))) continue;
      matched.screens += screens[member]!;
      matched.part[number]! += part[member]! * shareUnderCap(frequencyPerHourMax ?? 0, slotsPerHour[member]!);
    }
  });
  return matched;
}

/**
 * The distance is computed only where the latitude allows a match: 100 circles and 10,000 places would be a million
 * distances.
 */
function isWithin(area: Targets['areas'][number], lat: number, lng: number): boolean {
  return Math.abs(area.lat - lat) * KM_PER_DEGREE_MIN <= area.radiusKm && isInCircle(area, { lat, lng });
}

/**
 * The weeks after the horizon that a flight touches. `weeks`: the part of each hour of them in which it runs, the first
 * of which is week `first` (1 is the next after the horizon). By hour of the horizon, in its last week: `sum` of these
 * parts, and the `most` of them.
 */
type LaterWeeks = { first: number; weeks: readonly Float32Array[]; sum: Float32Array; most: Float32Array };

export function laterWeeks(rule: FlightRule, firstDay: number): LaterWeeks {
  const lastWeek = firstDay + HORIZON_DAYS - DAYS_PER_WEEK;
  const first = Math.max(1, Math.floor((rule.startsOn - lastWeek) / DAYS_PER_WEEK));
  // A daypart over midnight ends on the day after the last.
  const last = Math.floor((rule.endsOn + 1 - lastWeek) / DAYS_PER_WEEK);
  const weeks = Array.from({ length: Math.min(LATER_WEEKS_MAX, Math.max(0, last - first + 1)) }, (_, number) =>
    flightHours(rule, lastWeek + (first + number) * DAYS_PER_WEEK, DAYS_PER_WEEK),
  );
  const [sum, most] = [new Float32Array(HORIZON_HOURS), new Float32Array(HORIZON_HOURS)];
  for (const week of weeks)
    week.forEach((part, hour) => {
      sum[LAST_WEEK_FROM + hour]! += part;
      most[LAST_WEEK_FROM + hour] = Math.max(most[LAST_WEEK_FROM + hour]!, part);
    });
  return { first, weeks, sum, most };
}

export type PlanSupply = {
  /**
   * Segments that the plan touches, with its impressions in them: within the horizon, and in the week that stands for
   * the time after it.
   */
  segments: Int32Array;
  wanted: Float64Array;
  weekly: Float64Array;
  weeklyTotal: number;
  laterTotal: number;
  /** All matching supply under the plan's cap, booked or not. */
  total: number;
  /** The free part at the forecast's level, by kind and by day since 1970-01-01. */
  byKind: Float64Array;
  byDay: Map<number, number>;
  playsPerImpression: number;
};

export function supplyOfPlan(
  { supply, bookings, freePart }: Prepared,
  plan: Plan,
  { part: matched }: Matched,
): PlanSupply {
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
    const allowed = allowedHours(supply.kinds[kind]!.timed, plan.category);
    inPiece.fill(0);
    inWeek.fill(0);
    for (let hour = 0; hour < HORIZON_HOURS; hour++) {
      const part = within[hour]!;
      const weeks = later.sum[hour]!;
      if (part === 0 && weeks === 0) continue;
      const whole = matched[kind]! * supplyAt(supply, kind, hour) * (allowed?.[hourOfWeek(supply.firstDay, hour)] ?? 1);
      const piece = bookings.pieceOf[hour]!;
      inPiece[piece]! += whole * part;
      if (weeks > 0) {
        const inOne = whole * later.most[hour]!;
        inWeek[piece]! += inOne;
        totals.weekly += inOne;
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

const QUARTERS_PER_HOUR = 60 / HOURS_STEP_MINUTES;
const QUARTER_MS = HOURS_STEP_MINUTES * 60_000;
/** 1970-01-05 was a Monday. */
const MONDAY_MS = 4 * 86_400_000;

/** The part of each local hour of the week in which the hours of rules allow the category; undefined: all of it. */
function allowedHours(
  timed: readonly Restriction[] | undefined,
  category: string | undefined,
): Float64Array | undefined {
  if (timed === undefined || category === undefined || !timed.some(rule => rule.category === category))
    return undefined;
  const allowed = new Float64Array(HOURS_PER_WEEK);
  for (let quarter = 0; quarter < HOURS_PER_WEEK * QUARTERS_PER_HOUR; quarter++) {
    const moment = { category, offsetMinutes: 0, atMs: MONDAY_MS + quarter * QUARTER_MS };
    if (restrictionAgainst(timed, moment) === undefined)
      allowed[Math.floor(quarter / QUARTERS_PER_HOUR)]! += 1 / QUARTERS_PER_HOUR;
  }
  return allowed;
}

type KindHours = { byHour: Float64Array; within: Float32Array; later: LaterWeeks; firstDay: number };

/** Impressions by day. Impressions of a daypart after midnight belong to the day on which it began. */
function daysOf({ daypart }: FlightRule, { byHour, within, later, firstDay }: KindHours): Map<number, number> {
  const nightHours = daypart !== undefined && daypart.endMinute < daypart.startMinute ? daypart.endMinute / 60 : 0;
  const days = new Map<number, number>();
  const add = (day: number, impressions: number) => days.set(day, (days.get(day) ?? 0) + impressions);
  for (let hour = 0; hour < HORIZON_HOURS; hour++) {
    const day = firstDay + Math.floor(hour / 24) - (hour % 24 < nightHours ? 1 : 0);
    add(day, byHour[hour]! * within[hour]!);
    if (hour < LAST_WEEK_FROM) continue;
    later.weeks.forEach((week, number) =>
      add(day + DAYS_PER_WEEK * (later.first + number), byHour[hour]! * week[hour - LAST_WEEK_FROM]!),
    );
  }
  return days;
}
