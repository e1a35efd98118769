import { parseBindings, parseBudget, parseFrequency, parseLandingUrl, parseName, parseSchedule, type Binding } from '#domain/campaign.ts';
import { isRefusal, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { parseTargets, type Targets } from '#domain/targeting.ts';
import { CATEGORIES, parseCategory } from '#domain/taxonomy.ts';
import type { CreateCampaign } from './schema.ts';

/** A campaign as it was asked for, understood. `landingUrl` and `perHourMax` are null for none. */
export type CampaignFields = {
  name: string; category: string; budgetMicros: number; currency: string; startsOn: number; endsOn: number; targets: Targets; bindings: Binding[];
  landingUrl: string | null; brandLift: boolean; perHourMax: number | null; isDraft: boolean;
};

/** Applies every rule of the domain to the body and reports all faults together. `currency` is the workspace's. */
export function parseCampaign(body: CreateCampaign, { now, currency }: { now: number; currency: string }): CampaignFields | Refusal {
  const faults: FieldFault[] = [];
  const take = <T>(value: T | Refusal): T | undefined => {
    if (!isRefusal(value)) return value;
    faults.push(...(value.errors ?? []));
    return undefined;
  };
  const name = take(parseName(body.name));
  const budget = take(parseBudget(body.budget));
  const schedule = take(parseSchedule(body.schedule, now));
  const targets = take(parseTargets(body.targets));
  const bindings = take(parseBindings(body.creatives));
  const landingUrl = take(parseLandingUrl(body.landing_url));
  const perHourMax = take(parseFrequency(body.frequency));
  const category = takeCategory(body.category, faults);
  if (budget && budget.currency !== currency) faults.push({ pointer: '/budget/currency', code: 'wrong_currency', detail: `must be ${currency}, the currency of the workspace` });
  if (faults.length > 0 || name === undefined || !budget || !schedule || !targets || !bindings || landingUrl === undefined || perHourMax === undefined) return refuseFields(faults);
  return { name, category, ...budget, ...schedule, targets, bindings, landingUrl, perHourMax, brandLift: body.brand_lift ?? false, isDraft: body.status === 'draft' };
}

function takeCategory(name: string, faults: FieldFault[]): string {
  const category = parseCategory(name);
  if (!category) faults.push({ pointer: '/category', code: 'unknown_value', detail: `must be one of ${CATEGORIES.map(known => known.slug).join(', ')}` });
  else if (category.policy === 'prohibited') faults.push({ pointer: '/category', code: 'prohibited', detail: `is never shown: ${category.reason ?? category.name}` });
  return category?.slug ?? '';
}
