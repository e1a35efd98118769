/**
 * Reads the bodies of POST and PATCH of campaigns. The schema has checked their shape; here every rule of the domain is
 * applied, and the faults of all fields are answered together.
 */
import {
  parseBindings,
  parseBudget,
  parseFrequency,
  parseLandingUrl,
  parseName,
  parseSchedule,
  type Binding,
} from '#domain/campaigns/campaign.ts';
import { isRefusal, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { parseTargets, type Targets } from '#domain/campaigns/targeting.ts';
import { CATEGORIES, parseCategory } from '#domain/campaigns/taxonomy.ts';
import type { ChangeCampaign, CreateCampaign } from './schema/bodies.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** A parsed campaign. `landingUrl` and `perHourMax` are null where there is none. */
export type CampaignFields = {
  name: string;
  category: string;
  budgetMicros: Micros;
  currency: string;
  startsOn: number;
  endsOn: number;
  targets: Targets;
  bindings: Binding[];
  landingUrl: string | null;
  brandLift: boolean;
  perHourMax: number | null;
  isDraft: boolean;
};

/** A parsed PATCH: only the fields that it names are present. */
export type ChangedFields = Partial<
  Pick<
    CampaignFields,
    'name' | 'category' | 'budgetMicros' | 'targets' | 'bindings' | 'landingUrl' | 'perHourMax' | 'brandLift'
  >
> & { schedule?: { startsOn: number; endsOn: number } };

type Clock = { now: Milliseconds; currency: string };

/** Collects the faults of all fields, so that one answer names all of them. */
class Faults {
  readonly list: FieldFault[] = [];

  take<T>(value: T | Refusal): T | undefined {
    if (!isRefusal(value)) return value;
    this.list.push(...(value.errors ?? []));
    return undefined;
  }
}

/** Applies every rule of the domain to the body and reports all faults together. `currency` is the workspace's. */
export function parseCampaign(body: CreateCampaign, clock: Clock): CampaignFields | Refusal {
  const faults = new Faults();
  const name = faults.take(parseName(body.name));
  const budget = takeBudget(body.budget, clock, faults);
  const schedule = faults.take(parseSchedule(body.schedule, clock.now));
  const targets = faults.take(parseTargets(body.targets));
  const bindings = faults.take(parseBindings(body.creatives));
  const landingUrl = faults.take(parseLandingUrl(body.landing_url));
  const perHourMax = faults.take(parseFrequency(body.frequency));
  const category = takeCategory(body.category, faults.list);
  if (
    faults.list.length > 0 ||
    name === undefined ||
    !budget ||
    !schedule ||
    !targets ||
    !bindings ||
    landingUrl === undefined ||
    perHourMax === undefined
  )
    return refuseFields(faults.list);
  return {
    name,
    category,
    ...budget,
    ...schedule,
    targets,
    bindings,
    landingUrl,
    perHourMax,
    brandLift: body.brand_lift ?? false,
    isDraft: body.status === 'draft',
  };
}

/** Does the same for the fields that a PATCH names. */
export function parseChange(body: ChangeCampaign, clock: Clock): ChangedFields | Refusal {
  const faults = new Faults();
  const parseIfPresent = <T>(value: unknown, parse: (value: unknown) => T | Refusal): T | undefined =>
    value === undefined ? undefined : faults.take(parse(value));
  const name = parseIfPresent(body.name, value => parseName(value));
  const category = body.category === undefined ? undefined : takeCategory(body.category, faults.list);
  const budget = body.budget === undefined ? undefined : takeBudget(body.budget, clock, faults);
  const schedule = parseIfPresent(body.schedule, value => parseSchedule(value, clock.now));
  const targets = parseIfPresent(body.targets, value => parseTargets(value));
  const bindings = parseIfPresent(body.creatives, value => parseBindings(value));
  const landingUrl = parseIfPresent(body.landing_url, value => parseLandingUrl(value));
  const perHourMax = parseIfPresent(body.frequency, value => parseFrequency(value));
  if (faults.list.length > 0) return refuseFields(faults.list);
  return {
    ...(name !== undefined && { name }),
    ...(category !== undefined && { category }),
    ...(budget && { budgetMicros: budget.budgetMicros }),
    ...(schedule && { schedule }),
    ...(targets && { targets }),
    ...(bindings && { bindings }),
    ...(landingUrl !== undefined && { landingUrl }),
    ...(perHourMax !== undefined && { perHourMax }),
    ...(body.brand_lift !== undefined && { brandLift: body.brand_lift }),
  };
}

function takeBudget(
  value: unknown,
  { currency }: Clock,
  faults: Faults,
): { budgetMicros: Micros; currency: string } | undefined {
  const budget = faults.take(parseBudget(value));
  if (!budget || budget.currency === currency) return budget;
  faults.list.push({
    pointer: '/budget/currency',
    code: 'wrong_currency',
    detail: `must be ${currency}, the currency of the workspace`,
  });
  return undefined;
}

/** A prohibited category passes here: the review rejects the campaign and says why. */
function takeCategory(name: string, faults: FieldFault[]): string {
  const category = parseCategory(name);
  if (!category)
    faults.push({
      pointer: '/category',
      code: 'unknown_value',
      detail: `must be one of ${CATEGORIES.map(known => known.slug).join(', ')}`,
    });
  return category?.slug ?? '';
}
