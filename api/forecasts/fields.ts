import { parseBudget, parseSchedule } from '#domain/campaigns/campaign.ts';
import type { Plan } from '#domain/forecast/forecast.ts';
import { isRefusal, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { parseTargets } from '#domain/campaigns/targeting.ts';
import type { ForecastQuestion } from './schema.ts';

/** A question, understood. `pointerOf` spells the path of a warning as the caller's shape has it. */
export type Question = {
  plan: Plan;
  currency: string;
  shape: 'schedule' | 'areas';
  pointerOf: (path: string) => string;
};

type Asker = { sandbox: boolean; currency: string; now: number };

const DAY_MS = 86_400_000;
/** The second shape names no dates: four weeks, which is as far as bookings are looked at hour by hour. */
const AREAS_DAYS = 28;
const AREA_FIELDS = ['areas', 'venueTypes', 'hours', 'currency'] as const;
const SCHEDULE_FIELDS = ['venue_types', 'cities', 'schedule', 'daypart'] as const;

/** Applies every rule to the body of either shape and reports all faults together. `currency` is the workspace's. */
export function parseQuestion(body: ForecastQuestion, asker: Asker): Question | Refusal {
  const isAreas = typeof body.budget === 'number' || AREA_FIELDS.some(name => body[name] !== undefined);
  return isAreas ? parseAreas(body, asker) : parseScheduled(body, asker);
}

function parseScheduled(
  { budget: money, venue_types, cities, schedule: dates, daypart }: ForecastQuestion,
  asker: Asker,
): Question | Refusal {
  const faults: FieldFault[] = [];
  const targets = take(
    parseTargets({ ...(venue_types && { venue_types }), ...(cities && { cities }), ...(daypart && { daypart }) }, ''),
    faults,
  );
  const schedule =
    dates === undefined
      ? void faults.push({ pointer: '/schedule', code: 'required', detail: 'is required' })
      : take(parseSchedule(dates, asker.now), faults);
  const budgetMicros = takeBudget(money, asker, { faults, amount: '/budget/amount', currency: '/budget/currency' });
  if (!targets || !schedule || budgetMicros === undefined || faults.length > 0) return refuseFields(faults);
  return {
    plan: { sandbox: asker.sandbox, targets, ...schedule, budgetMicros },
    currency: asker.currency,
    shape: 'schedule',
    pointerOf: path => path,
  };
}

function parseAreas(body: ForecastQuestion, asker: Asker): Question | Refusal {
  const { areas, venueTypes, hours, budget, currency } = body;
  const faults: FieldFault[] = SCHEDULE_FIELDS.flatMap(name =>
    body[name] === undefined
      ? []
      : [
          {
            pointer: `/${name}`,
            code: 'unknown_field',
            detail: 'does not go with a budget that is a number, or with areas, venueTypes, hours and currency',
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
  const money = typeof budget === 'number' ? { amount: budget, currency: currency ?? asker.currency } : undefined;
  if (money === undefined)
    faults.push({
      pointer: '/budget',
      code: 'wrong_type',
      detail: 'must be a decimal number beside areas, venueTypes, hours and currency',
    });
  const budgetMicros = money && takeBudget(money, asker, { faults, amount: '/budget', currency: '/currency' });
  if (!targets || budgetMicros === undefined || faults.length > 0) return refuseFields(faults);
  const startsOn = Math.floor(asker.now / DAY_MS);
  return {
    plan: { sandbox: asker.sandbox, targets, startsOn, endsOn: startsOn + AREAS_DAYS - 1, budgetMicros },
    currency: asker.currency,
    shape: 'areas',
    pointerOf: areaPointer,
  };
}

/** The second shape's names for fields of targets. */
function areaPointer(path: string): string {
  return path
    .replace(/^\/venue_types/, '/venueTypes')
    .replace(/^\/(daypart|days)/, match => (match === '/days' ? '/hours/days' : '/hours'));
}

function takeBudget(
  value: unknown,
  { currency }: Asker,
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
