/**
 * Reads the bodies of POST and PATCH of campaigns. The schema has checked their shape; here every rule of the domain is
 * applied, and the faults of all fields are answered together.
 */
import { parseBindings, parseBudget, parseName, parseSchedule } from '#domain/campaigns/campaign.ts';
import { INITIAL_SETTINGS, parseSettings } from '#domain/campaigns/changes/settings.ts';
import type { CampaignFields, ChangedFields } from '#domain/campaigns/changes/stored-campaign.ts';
import { isRefusal, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { parseTargets } from '#domain/campaigns/targeting.ts';
import { CATEGORIES, parseCategory } from '#domain/campaigns/taxonomy.ts';
import { needsSponsor, SPONSOR_REQUIRED } from '#domain/campaigns/political.ts';
import type { ChangeCampaign, CreateCampaign } from './schema/bodies.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** The common part of the bodies of POST and PATCH. */
type CampaignBody = Omit<ChangeCampaign, 'creatives' | 'status'> & { creatives?: readonly unknown[] };
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

/** The fields of a new campaign. The schema has refused missing fields except in a draft. */
export function parseCampaign(body: CreateCampaign, clock: Clock): CampaignFields | Refusal {
  const fields = parseChange({ targets: {}, ...body }, clock);
  if (isRefusal(fields)) return fields;
  const isDraft = body.status === 'draft';
  if (!isDraft && needsSponsor(fields.category ?? null) && !fields.political) return refuseFields([SPONSOR_REQUIRED]);
  return {
    category: null,
    budgetMicros: null,
    schedule: null,
    bindings: [],
    ...INITIAL_SETTINGS,
    ...(fields as ChangedFields & Pick<CampaignFields, 'name' | 'targets'>), // both are named
    currency: clock.currency,
    isDraft,
  };
}

/** Applies every rule of the domain to the fields that a body names. All faults are reported together. */
export function parseChange(body: CampaignBody, clock: Clock): ChangedFields | Refusal {
  const faults = new Faults();
  const parseIfPresent = <T>(value: unknown, parse: (value: unknown) => T | Refusal): T | undefined =>
    value === undefined ? undefined : faults.take(parse(value));
  const name = parseIfPresent(body.name, value => parseName(value));
  const category = body.category === undefined ? undefined : takeCategory(body.category, faults.list);
  const budget = body.budget === undefined ? undefined : takeBudget(body.budget, clock, faults);
  const schedule = parseIfPresent(body.schedule, value => parseSchedule(value, clock.now));
  const targets = parseIfPresent(body.targets, value => parseTargets(value));
  const bindings = parseIfPresent(body.creatives, value => parseBindings(value));
  const { settings, faults: faultsOfSettings } = parseSettings(body);
  faults.list.push(...faultsOfSettings);
  if (faults.list.length > 0) return refuseFields(faults.list);
  return {
    ...(name !== undefined && { name }),
    ...(category !== undefined && { category }),
    ...(budget && { budgetMicros: budget.budgetMicros }),
    ...(schedule && { schedule }),
    ...(targets && { targets }),
    ...(bindings && { bindings }),
    ...settings,
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

/** A prohibited category passes here: the review rejects the campaign with the reason. */
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
