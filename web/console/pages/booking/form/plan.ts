/** The plan that is being booked or changed, and what the API is sent about it. */
import type { Area } from '../../../ui/views/circle.ts';
import { isWhole } from './area-limits.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export const ORIENTATIONS = ['landscape', 'portrait'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
export type Orientation = (typeof ORIENTATIONS)[number];

/** What is read of a campaign to change it. */
export type BookedCampaign = {
  id: string;
  status: string;
  name: string;
  /** A draft may have none, nor a budget and days. */
  category: string | null;
  budget: { amount: number; currency: string } | null;
  spent: { amount: number; currency: string };
  schedule: { starts: string; ends: string } | null;
  targets: {
    cities?: readonly string[];
    areas?: readonly Area[];
    venue_types?: readonly string[];
    orientations?: readonly string[];
    daypart?: { start: string; end: string };
    days?: readonly string[];
  };
  creatives: readonly InRotation[];
  frequency: { max_per_hour: number } | null;
  landing_url: string | null;
};

/** A creative, and how often it is shown beside the others. */
export type InRotation = { id: string; weight: number };

/** What a person types in may be NaN, or beyond its limits. */
export type Plan = {
  name: string;
  category: string;
  creatives: readonly InRotation[];
  cities: readonly string[];
  areas: readonly Area[];
  venueTypes: readonly string[];
  orientations: readonly Orientation[];
  days: readonly Weekday[];
  starts: string;
  ends: string;
  from: string;
  to: string;
  amount: number;
  currency: string;
  /** NaN: as often as there is room. */
  perHourMax: number;
  landingUrl: string;
};

/** Plays an hour on one screen: the most that a cap may be. */
export const PER_HOUR_MAX = 3_600;

/** In units of the currency: enough to see what a forecast says. */
const AMOUNT = 500;

export function emptyPlan({ starts, ends, currency }: Pick<Plan, 'starts' | 'ends' | 'currency'>): Plan {
  return {
    name: '',
    category: '',
    creatives: [],
    cities: [],
    areas: [],
    venueTypes: [],
    orientations: [],
    days: [],
    starts,
    ends,
    from: '',
    to: '',
    amount: AMOUNT,
    currency,
    perHourMax: NaN,
    landingUrl: '',
  };
}

/** The plan that was booked, to be changed. */
export function planOf(campaign: BookedCampaign): Plan {
  const { name, category, creatives, targets, schedule, budget, spent, frequency, landing_url: landing } = campaign;
  const { cities = [], areas = [], venue_types: venueTypes = [], daypart, days = [], orientations = [] } = targets;
  return {
    name,
    category: category ?? '',
    creatives: creatives.map(({ id, weight }) => ({ id, weight })),
    cities,
    areas,
    venueTypes,
    orientations: ORIENTATIONS.filter(one => orientations.includes(one)),
    days: WEEKDAYS.filter(one => days.includes(one)),
    ...(schedule ?? { starts: '', ends: '' }),
    from: daypart?.start ?? '',
    to: daypart?.end ?? '',
    ...(budget ?? { amount: NaN, currency: spent.currency }),
    perHourMax: frequency?.max_per_hour ?? NaN,
    landingUrl: landing ?? '',
  };
}

/** Whether there is enough of it to be forecast, and no figure that the API would refuse. */
export function isForecastable({ starts, ends, amount, areas, perHourMax }: Plan): boolean {
  const isCap = Number.isInteger(perHourMax) && perHourMax >= 1 && perHourMax <= PER_HOUR_MAX;
  return starts !== '' && ends >= starts && amount > 0 && areas.every(isWhole) && (Number.isNaN(perHourMax) || isCap);
}

/** `edited`: the campaign that the plan would change, and the plan before. Its creatives are sent if they differ. */
export function forecastOf(plan: Plan, edited?: { id: string; before: Plan }) {
  const creatives = plan.creatives.map(({ id }) => id);
  const booked = new Set(edited?.before.creatives.map(({ id }) => id));
  const isOther = creatives.length !== booked.size || creatives.some(id => !booked.has(id));
  return {
    budget: budgetOf(plan),
    schedule: scheduleOf(plan),
    ...targetsOf(plan),
    ...frequencyOf(plan),
    ...(creatives.length > 0 && isOther && { creatives }),
    ...(edited && { campaign_id: edited.id }),
  };
}

export function campaignOf(plan: Plan) {
  const { name, category, creatives, landingUrl } = plan;
  return {
    name: name.trim(),
    category,
    budget: budgetOf(plan),
    creatives: creatives.map(({ id }) => id),
    schedule: scheduleOf(plan),
    targets: targetsOf(plan),
    ...(landingUrl !== '' && { landing_url: landingUrl }),
    ...frequencyOf(plan),
  };
}

function frequencyOf({ perHourMax }: Plan) {
  return Number.isNaN(perHourMax) ? {} : { frequency: { max_per_hour: perHourMax } };
}

export function budgetOf({ amount, currency }: Plan) {
  return { amount, currency };
}

export function scheduleOf({ starts, ends }: Plan) {
  return { starts, ends };
}

export function targetsOf({ cities, areas, venueTypes, orientations, days, from, to }: Plan) {
  return {
    ...(cities.length > 0 && { cities: [...cities] }),
    ...(areas.length > 0 && { areas: [...areas] }),
    ...(venueTypes.length > 0 && { venue_types: [...venueTypes] }),
    ...(orientations.length > 0 && { orientations: [...orientations] }),
    ...(days.length > 0 && { days: [...days] }),
    ...(from !== '' && to !== '' && { daypart: { start: from, end: to } }),
  };
}
