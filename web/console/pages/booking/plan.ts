/** What somebody is about to book, and what the API is asked and told about it. */
import type { Marquee } from '@marquee/sdk';
import { dateAfter } from '../../text/format.ts';
import type { Area } from '../../ui/views/circle.ts';
import { isWhole } from './area-limits.ts';

export type Plan = {
  name: string;
  category: string;
  creatives: readonly string[];
  cities: readonly string[];
  /** A field that somebody types in may be NaN, or beyond its limits. */
  areas: readonly Area[];
  venueTypes: readonly string[];
  starts: string;
  ends: string;
  from: string;
  to: string;
  amount: number;
  currency: string;
  landingUrl: string;
};

const AMOUNT = 500;
const DAYS = 28;
export function emptyPlan(now: number, currency: string): Plan {
  return {
    name: '',
    category: '',
    creatives: [],
    cities: [],
    areas: [],
    venueTypes: [],
    starts: dateAfter(now, 0),
    ends: dateAfter(now, DAYS),
    from: '',
    to: '',
    amount: AMOUNT,
    currency,
    landingUrl: '',
  };
}

/** Whether there is enough of it to be forecast. */
export function isForecastable({ starts, ends, amount, areas }: Plan): boolean {
  return starts !== '' && ends >= starts && amount > 0 && areas.every(isWhole);
}

type ForecastBody = NonNullable<Parameters<typeof Marquee.prototype.post<'/v1/forecasts'>>[1]>['body'];
type CampaignBody = NonNullable<Parameters<typeof Marquee.prototype.post<'/v1/campaigns'>>[1]>['body'];

export function forecastOf(plan: Plan): ForecastBody {
  return { budget: budgetOf(plan), schedule: { starts: plan.starts, ends: plan.ends }, ...targetsOf(plan) };
}

export function campaignOf(plan: Plan): CampaignBody {
  const { name, category, starts, ends, creatives, landingUrl } = plan;
  return {
    name: name.trim(),
    category,
    budget: budgetOf(plan),
    creatives: [...creatives],
    schedule: { starts, ends },
    targets: targetsOf(plan),
    ...(landingUrl !== '' && { landing_url: landingUrl }),
  };
}

function budgetOf({ amount, currency }: Plan) {
  return { amount, currency };
}

function targetsOf({ cities, areas, venueTypes, from, to }: Plan) {
  return {
    ...(cities.length > 0 && { cities: [...cities] }),
    ...(areas.length > 0 && { areas: [...areas] }),
    ...(venueTypes.length > 0 && { venue_types: [...venueTypes] }),
    ...(from !== '' && to !== '' && { daypart: { start: from, end: to } }),
  };
}
