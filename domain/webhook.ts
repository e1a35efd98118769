/**
 * Webhooks: which events are sent to subscribers, when a failed delivery is tried again, and what a body may hold. The
 * event types are those of section 6 of docs/interface-specification.md. The table below is the only place that says
 * which operation emits an event, and which resource a key must be able to read to receive it.
 */
import { may, type Resource, type Surface, SURFACES } from './access/permission.ts';
import { type Refusal, refuseFields } from './refusal.ts';
import { defineMachine } from './transition.ts';

type EventRule = { resource: Resource; emittedBy: string };

const EVENTS = {
  'campaign.created': { resource: 'campaigns', emittedBy: 'POST /campaigns' },
  'campaign.approved': { resource: 'campaigns', emittedBy: 'the review by the rules; admin review approve' },
  'campaign.paused': {
    resource: 'campaigns',
    emittedBy: 'PATCH /campaigns/{id} status paused; DELETE of a live campaign or of its last creative',
  },
  'campaign.resumed': { resource: 'campaigns', emittedBy: 'PATCH /campaigns/{id} status live' },
  'campaign.finished': { resource: 'campaigns', emittedBy: 'the end of the schedule or of the budget' },
  'campaign.rejected': { resource: 'campaigns', emittedBy: 'the review by the rules; admin review reject' },
  'creative.uploaded': { resource: 'creatives', emittedBy: 'PUT {upload_url}' },
  'creative.ready': { resource: 'creatives', emittedBy: 'the checks and renditions of an uploaded file' },
  'creative.rejected': { resource: 'creatives', emittedBy: 'the checks and renditions of an uploaded file' },
  'screen.paired': { resource: 'screens', emittedBy: 'the first half of a pairing code: confirm, or POST /screens' },
  'screen.online': { resource: 'screens', emittedBy: 'a screen that connects (presence in Postgres)' },
  'screen.offline': {
    resource: 'screens',
    emittedBy: 'a screen that is gone, or silent for a minute (presence in Postgres)',
  },
  'screen.unpaired': { resource: 'screens', emittedBy: 'DELETE /screens/{id}' },
  'scan.recorded': { resource: 'reporting', emittedBy: 'ingest, once per id of a scan' },
  'payout.issued': { resource: 'payouts', emittedBy: 'POST /payouts' },
  'payout.paid': { resource: 'payouts', emittedBy: 'admin payout settle --outcome paid' },
  'payout.failed': { resource: 'payouts', emittedBy: 'admin payout settle --outcome failed' },
  'invoice.issued': { resource: 'invoices', emittedBy: 'the end of a month' },
  'invoice.paid': { resource: 'invoices', emittedBy: 'admin invoice settle' },
  'audit.entry.created': { resource: 'audit', emittedBy: 'every audit entry' },
} as const satisfies Record<string, EventRule>;

export type EventType = keyof typeof EVENTS;
/** The event types, in the order of the interface. */
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];
/** The event of `POST /webhooks/{id}/test`. It cannot be subscribed to. */
export const TEST_EVENT = 'webhook.test';

/**
 * Whether a subscription made with a key of this surface may receive this event: when the key may have subscriptions,
 * and read the resource of the event.
 */
export function mayHear(surface: Surface, type: EventType): boolean {
  const mayRead = (resource: Resource): boolean => may(surface, 'owner', 'read_only', resource, 'read') === undefined;
  return mayRead('webhooks') && mayRead(EVENTS[type].resource);
}

/**
 * Undefined when a subscription of this surface may receive all of these, else one fault for each type that it may not.
 */
export function mayHearAll(surface: Surface, types: readonly EventType[]): Refusal | undefined {
  const faults = types.flatMap((type, at) =>
    mayHear(surface, type)
      ? []
      : [
          {
            pointer: `/events/${at}`,
            code: 'not_allowed',
            detail: `must not be ${type}: a key of the surface ${surface} does not reach ${EVENTS[type].resource}`,
          },
        ],
  );
  return faults.length === 0 ? undefined : refuseFields(faults);
}

/**
 * The surfaces whose subscriptions a key of this one may see and change: those that receive no event which it may not
 * receive.
 */
export function surfacesWithin(surface: Surface): readonly Surface[] {
  return SURFACES.filter(other => EVENT_TYPES.every(type => !mayHear(other, type) || mayHear(surface, type)));
}

/** Every pair of a surface and an event type that its subscriptions may receive. */
export const AUDIBLE: readonly { surface: Surface; type: EventType }[] = SURFACES.flatMap(surface =>
  EVENT_TYPES.filter(type => mayHear(surface, type)).map(type => ({ surface, type })),
);

// ---- the life of a subscription

export const webhookMachine = defineMachine({
  states: ['active', 'disabled'],
  moves: [
    { from: 'active', on: 'disable', to: 'disabled' },
    // The 24th attempt in a row that was answered 4xx.
    { from: 'active', on: 'give_up', to: 'disabled' },
    { from: 'disabled', on: 'enable', to: 'active' },
  ],
});
export const WEBHOOK_STATES = webhookMachine.states;

/** Attempts in a row, of any event, that may be answered 4xx; with the last of them the subscription is disabled. */
export const CLIENT_ERRORS_MAX = 24;

/** An endpoint's answer: a status, or why there was none. */
export type AttemptOutcome = { status: number } | { error: string };

export function isSuccess(outcome: AttemptOutcome): boolean {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}

/** The count of 4xx in a row after an attempt: one more after a 4xx, 0 after a success, and else as it was. */
export function countClientErrors(before: number, outcome: AttemptOutcome): number {
  if (isSuccess(outcome)) return 0;
  return 'status' in outcome && outcome.status >= 400 && outcome.status < 500 ? before + 1 : before;
}

/** How many attempts may run at once, so that never more than 24 in a row are answered 4xx. */
export function attemptsAtOnce(concurrencyMax: number, clientErrors: number): number {
  return Math.max(0, Math.min(concurrencyMax, CLIENT_ERRORS_MAX - clientErrors));
}

// ---- the retry schedule

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** When attempts are made, counted from the first one: 30 s, 1 min, 5 min, 30 min, 2 h, 6 h, 12 h and 24 h after it. */
export const ATTEMPT_OFFSETS_MS = [
  0,
  30 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
] as const;
/** Half of the smallest step. After a long stop of the service several attempts are due: they are still made apart. */
const GAP_MS_MIN = 15 * SECOND_MS;

/** How many attempts have failed, and when (ms since 1970) the first and the last of them were made. */
type FailedAttempts = { attempts: number; first: number; last: number };

/** When to try again (ms since 1970), or undefined when no attempt is left. */
export function nextAttemptAt({ attempts, first, last }: FailedAttempts): number | undefined {
  const offset = ATTEMPT_OFFSETS_MS[attempts];
  return offset === undefined ? undefined : Math.max(first + offset, last + GAP_MS_MIN);
}

/** How long after a rotation the old secret still signs next to the new one. */
export const SECRET_OVERLAP_MS = 24 * HOUR_MS;
/** How long deliveries, and the events that they repeat, are kept. */
export const DELIVERIES_KEPT_MS = 30 * 24 * HOUR_MS;

// ---- the body

/** A body stays below 20 kB; the rest of it is id, type, times and punctuation. */
export const EVENT_DATA_BYTES_MAX = 19_500;

/**
 * The replacement for data that are too large: the id of the record, and a note that the rest must be read from the
 * API.
 */
export function thinData(data: Record<string, unknown>): Record<string, unknown> {
  const object = data['object'];
  const id = typeof object === 'object' && object !== null ? (object as { id?: unknown }).id : undefined;
  return { object: typeof id === 'string' ? { id } : {}, truncated: true };
}
