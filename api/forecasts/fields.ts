/**
 * Parses the body of a forecast, in either of its two shapes (docs/interface-specification.md, section 2), and answers
 * the faults of all fields together.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { parseBindings, parseBudget, parseFrequency, parseSchedule, type Binding } from '#domain/campaigns/campaign.ts';
import type { Plan } from '#domain/forecast/plan-supply.ts';
import { isRefusal, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { parseTargets } from '#domain/campaigns/targeting.ts';
import type { ForecastQuestion } from './schema.ts';

/** A parsed forecast request. `pointerOf` turns the path of a warning into a field of the caller's shape. */
export type Question = {
  plan: Plan;
  /** Its creatives; empty: none. */
  bindings: readonly Binding[];
  currency: string;
  shape: 'schedule' | 'areas';
  pointerOf: (path: string) => string;
};

type Requester = { sandbox: boolean; currency: string; now: Milliseconds };

const DAY_MS = 86_400_000;
/** The second shape has no dates: four weeks, as far ahead as bookings are considered by the hour. */
const AREAS_DAYS = 28;
/** The part of the second shape only; areas and a frequency are in both. */
const AREA_FIELDS = ['venueTypes', 'hours', 'currency'] as const;
const SCHEDULE_FIELDS = [
  'venue_types',
  'cities',
  'schedule',
  'daypart',
  'days',
  'orientations',
  'campaign_id',
  'creatives',
] as const;

/** Applies every rule to the body of either shape and reports all faults together. `currency` is the workspace's. */
export function parseQuestion(body: ForecastQuestion, requester: Requester): Question | Refusal {
  const isAreas = typeof body.budget === 'number' || AREA_FIELDS.some(name => body[name] !== undefined);
  return isAreas ? parseAreas(body, requester) : parseScheduled(body, requester);
}

function parseScheduled(
  { budget: money, schedule: dates, frequency, ...where }: ForecastQuestion,
  requester: Requester,
): Question | Refusal {
  const { venue_types, cities, areas, daypart, days, orientations } = where;
  const faults: FieldFault[] = [];
  const targets = take(
    parseTargets(
      {
        ...(venue_types && { venue_types }),
        ...(cities && { cities }),
        ...(areas && { areas }),
        ...(daypart && { daypart }),
        ...(days && { days }),
        ...(orientations && { orientations }),
      },
      '',
    ),
    faults,
  );
  const schedule =
    dates === undefined
      ? void faults.push({ pointer: '/schedule', code: 'required', detail: 'is required' })
      : take(parseSchedule(dates, requester.now), faults);
  const budgetMicros = takeBudget(money, requester, { faults, amount: '/budget/amount', currency: '/budget/currency' });
  const frequencyPerHourMax = take(parseFrequency(frequency), faults);
  const bindings = where.creatives ? take(parseBindings(where.creatives), faults) : [];
  if (
    !targets ||
    !schedule ||
    !bindings ||
    budgetMicros === undefined ||
    frequencyPerHourMax === undefined ||
    faults.length > 0
  )
    return refuseFields(faults);
  return {
    plan: { sandbox: requester.sandbox, targets, ...schedule, budgetMicros, frequencyPerHourMax },
    bindings,
    currency: requester.currency,
    shape: 'schedule',
    pointerOf: path => path,
  };
}

function parseAreas(body: ForecastQuestion, requester: Requester): Question | Refusal {
  const { areas, venueTypes, hours, budget, currency, frequency } = body;
  const faults: FieldFault[] = SCHEDULE_FIELDS.flatMap(name =>
    body[name] === undefined
      ? []
      : [
          {
            pointer: `/${name}`,
            code: 'unknown_field',
            detail: 'does not go with a budget that is a number, or with venueTypes, hours and currency',
          },
        ],
  );
  const { days, from, to } = hours ?? {};
  const asTargets = {
    ...(areas && { areas }),
    ...(venueTypes && { venue_types: venueTypes }),
    ...(days && { days }),
    ...(hours && { daypart: { start: from, end: to } }),
  };
  const targets = take(parseTargets(asTargets, ''), faults, areaPointer);
  if (currency === undefined) faults.push({ pointer: '/currency', code: 'required', detail: 'is required' });
  const money = typeof budget === 'number' ? { amount: budget, currency: currency ?? requester.currency } : undefined;
  if (money === undefined)
    faults.push({
      pointer: '/budget',
      code: 'wrong_type',
      detail: 'must be a decimal number beside venueTypes, hours and currency',
    });
  const budgetMicros = money && takeBudget(money, requester, { faults, amount: '/budget', currency: '/currency' });
  const frequencyPerHourMax = take(parseFrequency(frequency), faults);
  if (!targets || budgetMicros === undefined || frequencyPerHourMax === undefined || faults.length > 0)
    return refuseFields(faults);
  const startsOn = Math.floor(requester.now / DAY_MS);
  const endsOn = startsOn + AREAS_DAYS - 1;
  return {
    plan: { sandbox: requester.sandbox, targets, startsOn, endsOn, budgetMicros, frequencyPerHourMax },
    bindings: [],
    currency: requester.currency,
    shape: 'areas',
    pointerOf: areaPointer,
  };
}

/** The second shape's name of a field of the targets. */
function areaPointer(path: string): string {
  return path
    .replace(/^\/venue_types/, '/venueTypes')
    .replace(/^\/(daypart|days)/, match => (match === '/days' ? '/hours/days' : '/hours'));
}

function takeBudget(
  value: unknown,
  { currency }: Requester,
  at: { faults: FieldFault[]; amount: string; currency: string },
): number | undefined {
  const budget = take(parseBudget(value, '/budget'), at.faults, pointer =>
    pointer.replace('/budget/amount', at.amount).replace('/budget/currency', at.currency),
  );
  if (budget === undefined || budget.currency === currency) return budget?.budgetMicros;
  at.faults.push({
    pointer: at.currency,
    code: 'wrong_currency',
    detail: `must be ${currency}, the currency of the workspace`,
  });
  return undefined;
}

function take<T>(
  value: T | Refusal,
  faults: FieldFault[],
  pointerOf: (pointer: string) => string = pointer => pointer,
): T | undefined {
  if (!isRefusal(value)) return value;
  faults.push(...(value.errors ?? []).map(fault => ({ ...fault, pointer: pointerOf(fault.pointer) })));
  return undefined;
}
