/** The plan that is being booked or changed, and its body for the API. */
import type { Area } from '../../../ui/map/circle.ts';
import { isWhole } from './areas/area-limits.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export const ORIENTATIONS = ['landscape', 'portrait'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
export type Orientation = (typeof ORIENTATIONS)[number];

/** The fields of a campaign for an edit. */
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
  political: Political | null;
};

/** The sponsor of political ads, the process that they are linked to, and where the money comes from. */
export type Political = {
  sponsor: { name: string; address?: string; email?: string };
  process?: string;
  process_url?: string;
  controlled_by?: string;
  payer?: string;
  funding_source?: (typeof FUNDING_SOURCES)[number];
  funding_origin?: (typeof FUNDING_ORIGINS)[number];
};
export const FUNDING_SOURCES = ['public', 'private', 'public_and_private'] as const;
export const FUNDING_ORIGINS = ['eu', 'outside_eu', 'eu_and_outside'] as const;

/** A creative and its weight in the rotation. */
export type InRotation = { id: string; weight: number };

/** Typed values may be NaN or beyond their limits. */
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
  /** Whether the ads are political; those of the category politics always are. */
  isPolitical: boolean;
  sponsorName: string;
  sponsorAddress: string;
  sponsorEmail: string;
  process: string;
  processUrl: string;
  controlledBy: string;
  payer: string;
  /** Empty: not stated. */
  fundingSource: (typeof FUNDING_SOURCES)[number] | '';
  fundingOrigin: (typeof FUNDING_ORIGINS)[number] | '';
};

/** Plays an hour on one screen: the most that a cap may be. */
export const PER_HOUR_MAX = 3_600;

/** In units of the currency: enough for a useful forecast. */
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
    isPolitical: false,
    sponsorName: '',
    sponsorAddress: '',
    sponsorEmail: '',
    process: '',
    processUrl: '',
    controlledBy: '',
    payer: '',
    fundingSource: '',
    fundingOrigin: '',
  };
}

/** The plan that was booked, to be changed. */
export function planOf(campaign: BookedCampaign): Plan {
  const {
    name,
    category,
    creatives,
    targets,
    schedule,
    budget,
    spent,
    frequency,
    landing_url: landing,
    political,
  } = campaign;
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
    isPolitical: political !== null,
    sponsorName: political?.sponsor.name ?? '',
    sponsorAddress: political?.sponsor.address ?? '',
    sponsorEmail: political?.sponsor.email ?? '',
    process: political?.process ?? '',
    processUrl: political?.process_url ?? '',
    controlledBy: political?.controlled_by ?? '',
    payer: political?.payer ?? '',
    fundingSource: political?.funding_source ?? '',
    fundingOrigin: political?.funding_origin ?? '',
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
  const political = politicalOf(plan);
  return {
    name: name.trim(),
    category,
    budget: budgetOf(plan),
    creatives: creatives.map(({ id }) => id),
    schedule: scheduleOf(plan),
    targets: targetsOf(plan),
    ...(landingUrl !== '' && { landing_url: landingUrl }),
    ...frequencyOf(plan),
    ...(political && { political }),
  };
}

/** The body of a draft: only the fields that are filled in. */
export function draftOf(plan: Plan) {
  const { category, budget, creatives, schedule, political, ...rest } = campaignOf(plan);
  return {
    ...rest,
    status: 'draft' as const,
    ...(category !== '' && { category }),
    ...(budget.amount > 0 && { budget }),
    ...(creatives.length > 0 && { creatives }),
    ...(schedule.starts !== '' && schedule.ends !== '' && { schedule }),
    ...(political && plan.sponsorName !== '' && { political }),
  };
}

function frequencyOf({ perHourMax }: Plan) {
  return Number.isNaN(perHourMax) ? {} : { frequency: { max_per_hour: perHourMax } };
}

/** The category of which every campaign is political. */
export const POLITICS = 'politics';

export function isPolitical({ category, isPolitical: isDeclared }: Plan): boolean {
  return category === POLITICS || isDeclared;
}

/** The sponsor as the API is sent it; null for ads that are not political. */
export function politicalOf(plan: Plan): Political | null {
  const { sponsorName: name, sponsorAddress: address, sponsorEmail: email, process, payer } = plan;
  const { processUrl, controlledBy, fundingSource, fundingOrigin } = plan;
  if (!isPolitical(plan)) return null;
  return {
    sponsor: { name, ...(address !== '' && { address }), ...(email !== '' && { email }) },
    ...(process !== '' && { process }),
    ...(processUrl !== '' && { process_url: processUrl }),
    ...(controlledBy !== '' && { controlled_by: controlledBy }),
    ...(payer !== '' && { payer }),
    ...(fundingSource !== '' && { funding_source: fundingSource }),
    ...(fundingOrigin !== '' && { funding_origin: fundingOrigin }),
  };
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
