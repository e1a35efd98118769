/**
 * The state of one endpoint in memory: the deliveries that wait for an attempt, and the number of running attempts.
 * First attempts of one entity follow the order of their events; different entities, and retries, run in parallel. It
 * calls nothing: the sender takes startable deliveries from it and reports the outcome.
 */
import type { Handle } from '#domain/id.ts';
import { attemptsAtOnce, CLIENT_ERRORS_MAX, countClientErrors, type AttemptOutcome } from '#domain/webhook.ts';
import type { Delivery } from '#sql/webhooks/sending.ts';
import type { Endpoint } from './endpoint.ts';

const CONCURRENCY_MAX = 8;
/** Deliveries of one endpoint in memory. Others wait as rows. */
const WAITING_MAX = 1_000;
/** More rows are read when fewer than this wait. */
const WAITING_MIN = 2 * CONCURRENCY_MAX;

export class EndpointQueue {
  readonly webhook: Handle<'webhook'>;
  url = '';
  secrets: Endpoint['secrets'] = [];
  isActive = true;
  isDeleted = false;
  clientErrors = 0;
  clientErrorsRecorded = 0;
  inFlight = 0;
  /** In memory without a running attempt. */
  waiting = 0;
  /** In memory and not recorded: waiting, running, or made. */
  unrecorded = 0;
  /** Rows that are in memory, so that they are not read again. */
  readonly known = new Set<Handle<'webhook_delivery'>>();
  /** There may be due rows outside of memory. New events follow them as rows, to keep their order. */
  hasRowsDue = false;
  isReadQueued = false;
  isDisabling = false;
  /**
   * By entity, its waiting deliveries in order; an entity with a running attempt is here and not among the ready ones.
   */
  readonly #chains = new Map<string, Delivery[]>();
  #ready: string[] = [];

  constructor(endpoint: Endpoint) {
    this.webhook = endpoint.webhook;
    this.update(endpoint);
  }

  /** Applies the read state. The 4xx count in memory wins while it may include unrecorded attempts. */
  update({ url, secrets, isActive, clientErrors }: Endpoint): void {
    this.url = url;
    this.secrets = secrets;
    this.isActive = isActive;
    if (this.unrecorded === 0) this.clientErrors = this.clientErrorsRecorded = clientErrors;
  }

  takesEvents(): boolean {
    return this.isActive && !this.isStopped() && !this.hasRowsDue && this.waiting < WAITING_MAX;
  }

  wantsRows(): boolean {
    return this.hasRowsDue && this.waiting < WAITING_MIN && !this.isStopped();
  }

  /**
   * While it is disabled; and if it was enabled at once, until its last attempts are recorded and the count restarts.
   */
  isStopped(): boolean {
    return this.isDisabling || this.clientErrors >= CLIENT_ERRORS_MAX;
  }

  isIdle(): boolean {
    return this.unrecorded === 0 && !this.hasRowsDue && !this.isReadQueued;
  }

  /** Whether it has enough 4xx answers to be disabled, and no attempt is running. */
  isUsedUp(): boolean {
    return this.clientErrors >= CLIENT_ERRORS_MAX && this.inFlight === 0;
  }

  add(delivery: Delivery): void {
    this.waiting += 1;
    this.unrecorded += 1;
    this.known.add(delivery.handle);
    const chain = this.#chains.get(delivery.chain);
    if (chain) chain.push(delivery);
    else {
      this.#chains.set(delivery.chain, [delivery]);
      this.#ready.push(delivery.chain);
    }
  }

  /** The next delivery whose attempt may begin. */
  takeNext(): Delivery | undefined {
    if (this.#ready.length === 0 || !this.mayBegin()) return undefined;
    this.waiting -= 1;
    this.inFlight += 1;
    return this.#chains.get(this.#ready.shift()!)!.shift();
  }

  mayBegin(): boolean {
    return this.isActive && this.inFlight < attemptsAtOnce(CONCURRENCY_MAX, this.clientErrors);
  }

  endAttempt(delivery: Delivery, outcome: AttemptOutcome): void {
    this.inFlight -= 1;
    this.clientErrors = countClientErrors(this.clientErrors, outcome);
    const chain = this.#chains.get(delivery.chain);
    if (!chain) return; // cleared meanwhile
    if (chain.length > 0) this.#ready.push(delivery.chain);
    else this.#chains.delete(delivery.chain);
  }

  forget(delivery: Delivery): void {
    this.unrecorded -= 1;
    this.known.delete(delivery.handle);
  }

  /** Removes all waiting deliveries; running attempts stay. */
  clear(): Delivery[] {
    const waiting = [...this.#chains.values()].flat();
    this.#chains.clear();
    this.#ready = [];
    this.waiting = 0;
    for (const delivery of waiting) this.forget(delivery);
    return waiting;
  }
}
