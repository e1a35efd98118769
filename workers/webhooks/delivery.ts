/** One event for one endpoint, in the memory of the sender. */
import type { Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { AttemptOutcome } from '#domain/webhook.ts';

/** An event as sent: the same bytes to every endpoint and at every attempt. */
export type OutgoingEvent = { handle: Handle<'event'>; id: string; entity: string; body: string };
export type Delivery = {
  webhook: Handle<'webhook'>;
  event: OutgoingEvent;
  handle: Handle<'webhook_delivery'>;
  attempts: number;
  firstAt: Milliseconds | undefined;
  /** Attempts of one chain follow one another: first attempts of one entity, or the repeats of one delivery. */
  chain: string;
  /** The last attempt if it is not recorded. */
  made: Attempt | undefined;
};
/** An attempt. `at` in ms; `nextAt` undefined: it was the last one. */
export type Attempt = {
  at: number;
  ms: Milliseconds;
  outcome: AttemptOutcome;
  delivered: boolean;
  nextAt: Milliseconds | undefined;
};
