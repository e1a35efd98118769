/** A campaign: its states and the moves between them, and the rules of its fields. */
import { parseId, type Handle } from '../id.ts';
import { MICROS_PER_UNIT, microsFromDecimal } from '../money/money.ts';
import { type FieldFault, type Refusal, isRefusal, refuse, refuseField, refuseFields } from '../refusal.ts';
import { LAST_DAY, formatDate, parseDate } from '../time/calendar.ts';
import { isPlainText } from '../text.ts';
import { defineMachine, next } from '../transition.ts';
import type { Micros, Milliseconds } from '../unit.ts';

// ---- states

/**
 * The states of a campaign and the moves between them. The caller that makes a move decides about reservations and
 * refunds.
 */
export const campaignMachine = defineMachine({
  states: ['draft', 'pending_review', 'live', 'paused', 'finished', 'rejected'],
  moves: [
    { from: 'draft', on: 'submit', to: 'pending_review' },
    // Corrected and submitted again. Not allowed once it has spent money, because its budget would start again.
    { from: 'rejected', on: 'submit', to: 'pending_review' },
    { from: 'pending_review', on: 'approve', to: 'live' },
    { from: 'pending_review', on: 'reject', to: 'rejected' },
    // An operator may reject a campaign that the review approved.
    { from: 'live', on: 'reject', to: 'rejected' },
    { from: 'paused', on: 'reject', to: 'rejected' },
    { from: 'live', on: 'pause', to: 'paused' },
    { from: 'paused', on: 'resume', to: 'live' },
    { from: 'live', on: 'finish', to: 'finished' },
    { from: 'paused', on: 'finish', to: 'finished' },
  ],
});
export const CAMPAIGN_STATES = campaignMachine.states;
/** The values of the field `status`: a deleted campaign keeps its state and shows as `deleted`. */
export const CAMPAIGN_STATUSES = [...CAMPAIGN_STATES, 'deleted'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
export type CampaignState = (typeof campaignMachine.states)[number];
export type CampaignEvent = (typeof campaignMachine.moves)[number]['on'];

/** Whether an event may happen to a campaign in a state. */
export function mayMove(state: CampaignState, event: CampaignEvent): boolean {
  return next(campaignMachine, state, event) !== undefined;
}

/** The state after an event; `state_conflict` if the campaign has no such move. */
export function moveCampaign(state: CampaignState, event: CampaignEvent): CampaignState | Refusal {
  return (
    next(campaignMachine, state, event) ?? refuse('state_conflict', `A campaign that is ${state} has no move ${event}.`)
  );
}

// The action of a move in the audit, and the webhook event (docs/interface-specification.md, section 6) that it sends,
// if any.
const MOVE_NAMES: Record<CampaignEvent, { action: string; emits: string | undefined }> = {
  submit: { action: 'campaign.submitted', emits: undefined },
  approve: { action: 'campaign.approved', emits: 'campaign.approved' },
  reject: { action: 'campaign.rejected', emits: 'campaign.rejected' },
  pause: { action: 'campaign.paused', emits: 'campaign.paused' },
  resume: { action: 'campaign.resumed', emits: 'campaign.resumed' },
  finish: { action: 'campaign.finished', emits: 'campaign.finished' },
};

/** A move as it is recorded: the state before and after, its action in the audit and its event in the outbox. */
export type CampaignMove = { from: CampaignState; to: CampaignState; action: string; emits: string | undefined };

/** The record of an event; `state_conflict` if the campaign has no such move. */
export function describeMove(from: CampaignState, event: CampaignEvent): CampaignMove | Refusal {
  const to = moveCampaign(from, event);
  return isRefusal(to) ? to : { from, to, ...MOVE_NAMES[event] };
}

/** Whether a campaign in this state has its budget reserved. */
export function isReserved(state: CampaignState): boolean {
  return state === 'pending_review' || state === 'live' || state === 'paused';
}

// The states that a caller may set, and the event that each means. Review and time set the others.
const PATCH_EVENTS: Partial<Record<string, CampaignEvent>> = {
  pending_review: 'submit',
  live: 'resume',
  paused: 'pause',
};

/**
 * The event that `PATCH status` requests, or undefined if the campaign already has the state. Refuses a status that
 * callers cannot set (422) and one that this campaign cannot reach now (409).
 */
export function patchedStatus(
  state: CampaignState,
  wanted: unknown,
  pointer = '/status',
): CampaignEvent | undefined | Refusal {
  const event = typeof wanted === 'string' && Object.hasOwn(PATCH_EVENTS, wanted) ? PATCH_EVENTS[wanted] : undefined;
  if (event === undefined)
    return refuseField(pointer, 'unknown_value', `must be one of ${Object.keys(PATCH_EVENTS).join(', ')}`);
  if (state === wanted) return undefined;
  const moved = moveCampaign(state, event);
  return isRefusal(moved) ? moved : event;
}

// ---- fields

/** Optional fields of a draft. A campaign has all of them from its submission on. */
export const SUBMITTED_FIELDS = ['category', 'budget', 'creatives', 'schedule'] as const;
export type SubmittedField = (typeof SUBMITTED_FIELDS)[number];

/** Refuses a submission with missing fields, and names all of them. */
export function refuseMissing(isPresent: Readonly<Record<SubmittedField, boolean>>): Refusal | undefined {
  const missing = SUBMITTED_FIELDS.filter(field => !isPresent[field]);
  return missing.length === 0
    ? undefined
    : refuseFields(missing.map(field => ({ pointer: `/${field}`, code: 'required', detail: 'is required' })));
}

const CAMPAIGN_NAME_LENGTH_MAX = 200;
// A thousand million units: a double is exact to the micro-unit up to there, and no campaign costs more.
const BUDGET_MICROS_MAX = 1_000_000_000 * MICROS_PER_UNIT;
const SCHEDULE_DAYS_MAX = 3 * 366;
const CREATIVES_MAX = 50;
const WEIGHT_MAX = 1000;
const URL_LENGTH_MAX = 2048;
const PLAYS_PER_HOUR_MAX = 3600;
const MS_PER_DAY = 86_400_000;
// No place on Earth is further behind UTC than 12 hours.
const ZONE_BEHIND_MS_MAX = 12 * 3_600_000;

/** A trimmed name of 1 to 200 characters; refuses only spaces and control characters. */
export function parseName(value: unknown, pointer = '/name'): string | Refusal {
  return isPlainText(value, CAMPAIGN_NAME_LENGTH_MAX)
    ? value.trim()
    : refuseField(pointer, 'bad_text', `must be a text of 1 to ${CAMPAIGN_NAME_LENGTH_MAX} characters`);
}

/** A money object `{amount, currency}` above 0 and at most 10^9 units. */
export function parseBudget(value: unknown, pointer = '/budget'): { budgetMicros: Micros; currency: string } | Refusal {
  if (typeof value !== 'object' || value === null)
    return refuseField(pointer, 'wrong_type', 'must be {amount, currency}');
  const { amount, currency, ...others } = value as { amount?: unknown; currency?: unknown };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return refuseField(`${pointer}/${unknown}`, 'unknown_field', 'must be {amount, currency}');
  if (typeof amount !== 'number') return refuseField(`${pointer}/amount`, 'wrong_type', 'must be a decimal number');
  if (typeof currency !== 'string')
    return refuseField(`${pointer}/currency`, 'wrong_type', 'must be a currency code of ISO 4217, such as EUR');
  const budgetMicros = microsFromDecimal(amount, currency, pointer);
  if (isRefusal(budgetMicros)) return budgetMicros;
  if (budgetMicros === 0 || budgetMicros > BUDGET_MICROS_MAX)
    return refuseField(`${pointer}/amount`, 'out_of_range', 'must be above 0 and at most 1000000000');
  return { budgetMicros, currency };
}

/**
 * Dates `{starts, ends}` as days since 1970-01-01, both included. Refuses an end before the start, more than three
 * years, an end in the past everywhere on Earth at `now` (ms), and an end beyond the range of reports.
 */
export function parseSchedule(
  value: unknown,
  now: Milliseconds,
  pointer = '/schedule',
): { startsOn: number; endsOn: number } | Refusal {
  if (typeof value !== 'object' || value === null) return refuseField(pointer, 'wrong_type', 'must be {starts, ends}');
  const { starts, ends, ...others } = value as { starts?: unknown; ends?: unknown };
  const startsOn = typeof starts === 'string' ? parseDate(starts) : undefined;
  const endsOn = typeof ends === 'string' ? parseDate(ends) : undefined;
  const faults: FieldFault[] = Object.keys(others).map(name => ({
    pointer: `${pointer}/${name}`,
    code: 'unknown_field',
    detail: 'must be {starts, ends}',
  }));
  if (startsOn === undefined)
    faults.push({ pointer: `${pointer}/starts`, code: 'bad_date', detail: 'must be a date YYYY-MM-DD' });
  if (endsOn === undefined)
    faults.push({ pointer: `${pointer}/ends`, code: 'bad_date', detail: 'must be a date YYYY-MM-DD' });
  if (faults.length > 0 || startsOn === undefined || endsOn === undefined) return refuseFields(faults);
  if (endsOn < startsOn) return refuseField(`${pointer}/ends`, 'reversed', 'must not be before starts');
  if (endsOn - startsOn + 1 > SCHEDULE_DAYS_MAX)
    return refuseField(`${pointer}/ends`, 'too_long', 'must be within three years of starts');
  if ((endsOn + 1) * MS_PER_DAY + ZONE_BEHIND_MS_MAX <= now)
    return refuseField(`${pointer}/ends`, 'in_the_past', 'must not be in the past');
  if (endsOn > LAST_DAY)
    return refuseField(`${pointer}/ends`, 'out_of_range', `must not be after ${formatDate(LAST_DAY)}`);
  return { startsOn, endsOn };
}

/**
 * The target of a scan: an https address of at most 2,048 characters without user name and password, or null for none.
 */
export function parseLandingUrl(value: unknown, pointer = '/landing_url'): string | null | Refusal {
  if (value === undefined || value === null) return null;
  const parsed =
    typeof value === 'string' && value.length <= URL_LENGTH_MAX && URL.canParse(value) ? new URL(value) : undefined;
  if (parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '') return parsed.href;
  return refuseField(pointer, 'bad_url', `must be an https address of at most ${URL_LENGTH_MAX} characters`);
}

/** `{max_per_hour}` of one screen, 1 .. 3600, or null for no cap. */
export function parseFrequency(value: unknown, pointer = '/frequency'): number | null | Refusal {
  if (value === undefined || value === null) return null;
  const { max_per_hour: max, ...others } = (typeof value === 'object' ? value : {}) as { max_per_hour?: unknown };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return refuseField(`${pointer}/${unknown}`, 'unknown_field', 'must be {max_per_hour}');
  if (typeof max === 'number' && Number.isInteger(max) && max >= 1 && max <= PLAYS_PER_HOUR_MAX) return max;
  return refuseField(`${pointer}/max_per_hour`, 'out_of_range', `must be a whole number of 1 to ${PLAYS_PER_HOUR_MAX}`);
}

export type Binding = { creative: Handle<'creative'>; weight: number };

/**
 * A campaign's creatives: 1 .. 50 entries, each a creative id (weight 1) or `{id, weight}` with a weight of 1 .. 1000.
 * The caller looks up whether they exist and are ready.
 */
export function parseBindings(value: unknown, pointer = '/creatives'): Binding[] | Refusal {
  if (!Array.isArray(value) || value.length === 0 || value.length > CREATIVES_MAX) {
    return refuseField(pointer, 'bad_length', `must be a list of 1 to ${CREATIVES_MAX} creatives`);
  }
  const faults: FieldFault[] = [];
  const seen = new Set<Handle<'creative'>>();
  const bindings = value.flatMap((entry: unknown, index) => {
    const binding = parseBinding(entry);
    if ('code' in binding) faults.push({ pointer: `${pointer}/${index}`, ...binding });
    else if (seen.has(binding.creative))
      faults.push({ pointer: `${pointer}/${index}`, code: 'duplicate', detail: 'is already in the list' });
    else {
      seen.add(binding.creative);
      return [binding];
    }
    return [];
  });
  return faults.length > 0 ? refuseFields(faults) : bindings;
}

function parseBinding(entry: unknown): Binding | Omit<FieldFault, 'pointer'> {
  const {
    id,
    weight = 1,
    ...others
  } = (typeof entry === 'object' && entry !== null ? entry : { id: entry }) as { id?: unknown; weight?: unknown };
  const creative = typeof id === 'string' ? parseId('creative', id) : undefined;
  if (typeof id !== 'string' || Object.keys(others).length > 0)
    return { code: 'bad_creative', detail: 'must be a creative id, or {id, weight}' };
  // A malformed id is reported like one that does not exist.
  if (creative === undefined) return { code: 'unknown_creative', detail: 'is not a creative of this workspace' };
  if (typeof weight !== 'number' || !Number.isInteger(weight) || weight < 1 || weight > WEIGHT_MAX)
    return { code: 'bad_creative', detail: `must have a weight of 1 to ${WEIGHT_MAX}` };
  return { creative, weight };
}
