/** The changes of an edit of a campaign: the body for the API, and the effect on the money. */
import { budgetOf, POLITICS, politicalOf, scheduleOf, targetsOf, type BookedCampaign, type Plan } from './form/plan.ts';

export type Changes = Partial<ReturnType<typeof fieldsOf>>;
export type ChangedField = keyof Changes;
type Money = BookedCampaign['spent'];

/** Only the fields in which the plans differ; targets are sent as a whole, as the API takes them. */
export function changesOf(before: Plan, plan: Plan): Changes {
  const [old, now] = [fieldsOf(before), fieldsOf(plan)];
  const names = (Object.keys(now) as (keyof typeof now)[]).filter(name => spelled(old[name]) !== spelled(now[name]));
  return Object.fromEntries(names.map(name => [name, now[name]])) as Changes;
}

function fieldsOf(plan: Plan) {
  return {
    name: plan.name.trim(),
    category: plan.category,
    budget: budgetOf(plan),
    schedule: scheduleOf(plan),
    targets: targetsOf(plan),
    creatives: plan.creatives.map(({ id, weight }) => ({ id, weight })),
    frequency: Number.isNaN(plan.perHourMax) ? null : { max_per_hour: plan.perHourMax },
    landing_url: plan.landingUrl === '' ? null : plan.landingUrl,
    political: politicalOf(plan),
  };
}

/** Equal values give equal texts: the order in lists has no meaning. */
function spelled(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    Array.isArray(inner) ? inner.map(one => spelled(one)).sort() : inner,
  );
}

/** The effect of the edit on the wallet: reserves more, refunds, or nothing until the campaign is submitted. */
export type MoneyEffect = { does: 'nothing' } | { does: 'later' | 'reserves' | 'refunds'; money: Money };

/** The states in which the budget is set aside on the wallet. */
const RESERVED: ReadonlySet<string> = new Set(['pending_review', 'live', 'paused']);
const MICROS = 1_000_000;

export function moneyEffectOf({ status, budget }: Pick<BookedCampaign, 'status' | 'budget'>, plan: Plan): MoneyEffect {
  const { currency } = plan;
  if (Number.isNaN(plan.amount) || plan.amount === budget?.amount) return { does: 'nothing' };
  if (budget === null || !RESERVED.has(status)) return { does: 'later', money: { amount: plan.amount, currency } };
  const micros = Math.round(plan.amount * MICROS) - Math.round(budget.amount * MICROS);
  return { does: micros > 0 ? 'reserves' : 'refunds', money: { amount: Math.abs(micros) / MICROS, currency } };
}

/** The fields that a draft needs before it can be submitted. */
export function missingOf(
  campaign: Pick<BookedCampaign, 'category' | 'budget' | 'schedule' | 'creatives' | 'political'>,
) {
  const { category, budget, schedule, creatives } = campaign;
  const political = campaign.political ?? category !== POLITICS;
  const has = { category, budget, schedule, creatives: creatives[0], political };
  return (Object.keys(has) as (keyof typeof has)[]).filter(field => !has[field]);
}

/** An ended campaign cannot change; a rejected one can be corrected and submitted again if it has spent nothing. */
export function isEditable({ status, spent }: Pick<BookedCampaign, 'status' | 'spent'>): boolean {
  return status === 'rejected' ? spent.amount === 0 : status !== 'finished' && status !== 'deleted';
}

/** The reviewed fields, which are reviewed again if they change before the campaign is live. */
const REVIEWED: readonly ChangedField[] = ['category', 'targets', 'creatives', 'landing_url', 'political'];

export function isReviewedAgain({ status }: Pick<BookedCampaign, 'status'>, changes: Changes): boolean {
  return status === 'pending_review' && REVIEWED.some(name => changes[name] !== undefined);
}
