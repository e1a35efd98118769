/** One event for one endpoint, in the memory of the sender. */
import type { Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { AttemptOutcome } from '#domain/webhook.ts';

/** An event as sent: the same bytes to every endpoint and at every attempt. */
export type OutgoingEvent = { handle: Handle<'event'>; id: string; entity: string; body: string };
export type Delivery = {
  webhook: Handle<'webhook'>;
  event: OutgoingEvent;
  /** Undefined until its row is written. */
  handle: Handle<'webhook_delivery'> | undefined;
  attempts: number;
  firstAt: Milliseconds | undefined;
  /** Attempts of one chain follow one another: first attempts of one entity, or the repeats of one delivery. */
  chain: string;
  /** The batch that will write its row, with the number of attempts for which it waits. */
  batch: { unmade: number } | undefined;
  /** In memory until its attempt is recorded; otherwise only its row shows that it is due. */
  isHeld: boolean;
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
