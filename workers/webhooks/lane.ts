/**
 * One turn of one endpoint: what is due for it goes out, some at a time. First attempts of one entity follow one another
 * in the order of their events; different entities, and attempts that are repeats, run side by side. What was sent is
 * recorded a moment later, many at once: a process that is killed in between sends it again, with the same id.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { attemptsAtOnce, CLIENT_ERRORS_MAX, countClientErrors, isSuccess, nextAttemptAt } from '#domain/webhook.ts';
import { faultPoint } from '#runtime/fault.ts';
import { counter, histogram } from '#runtime/metrics.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Sealer } from '#sql/sealed.ts';
import type { Egress } from '#runtime/egress/egress.ts';
import {
  disableEndpoint,
  giveUpDeliveries,
  readDue,
  readEndpoint,
  recordAttempts,
  type Attempt,
  type Delivery,
  type Endpoint,
} from './deliveries.ts';
import { signedHeaders } from './signature.ts';

const CONCURRENCY_MAX = 8;
/** So many are read at once, at 20 kB each at most. */
const READ_COUNT = 100;
/** Read on when fewer than this wait. */
const WAITING_MIN = 2 * CONCURRENCY_MAX;
const RECORD_EVERY_MS = 100;
const RECORD_COUNT_MAX = 200;
/** A turn begins nothing new after this time; the endpoint then stands in line again behind the others. */
const TURN_MS_MAX = 3_000;
const GIVE_UP_COUNT = 1_000;

const attemptsMade = counter({
  name: 'workers_webhook_attempts_total',
  help: 'Attempts to deliver an event, by what came of them',
  labels: ['outcome'],
});
const exchangeSeconds = histogram({
  name: 'workers_webhook_exchange_seconds',
  help: 'Time of an exchange with a receiver',
  buckets: [0.01, 0.05, 0.2, 1, 5],
});

export type LaneDependencies = { sql: Postgres; sealer: Sealer; egress: Egress; now: () => Date };

/** Takes the endpoint's turn. Answers whether more is due, so that it wants another one. @throws when Postgres is away. */
export async function takeTurn(
  deps: LaneDependencies,
  webhook: Handle<'webhook'>,
  signal: AbortSignal,
): Promise<boolean> {
  const endpoint = await readEndpoint(deps.sql, deps.sealer, { handle: webhook, now: deps.now() });
  if (endpoint?.isActive) return new Lane(deps, endpoint, signal).run();
  const reason = endpoint ? 'endpoint_disabled' : 'endpoint_deleted';
  return (await giveUpDeliveries(deps.sql, webhook, { reason, count: GIVE_UP_COUNT })) === GIVE_UP_COUNT;
}

class Lane {
  readonly #deps: LaneDependencies;
  readonly #endpoint: Endpoint;
  readonly #signal: AbortSignal;
  readonly #endsAt = performance.now() + TURN_MS_MAX;
  /** By entity, what waits for it in order; an entity with an attempt under way is here and not among the ready ones. */
  readonly #chains = new Map<string, Delivery[]>();
  readonly #ready: string[] = [];
  /** Read and not yet recorded. */
  readonly #known = new Set<number>();
  #inFlight = 0;
  /** Ends the wait of the turn. */
  #wake: () => void = () => undefined;
  #made: Attempt[] = [];
  #recording: Promise<void> = Promise.resolve();
  #recordedAt = performance.now();
  #waiting = 0;
  #isAllRead = false;
  #isUnrecorded = false;
  #clientErrors: number;
  #clientErrorsRecorded: number;

  constructor(deps: LaneDependencies, endpoint: Endpoint, signal: AbortSignal) {
    this.#deps = deps;
    this.#endpoint = endpoint;
    this.#signal = signal;
    this.#clientErrors = this.#clientErrorsRecorded = endpoint.clientErrors;
  }

  async run(): Promise<boolean> {
    try {
      while (!this.#isOver()) {
        if (this.#wantsMore()) await this.#read();
        this.#begin();
        if (this.#inFlight === 0) break;
        if (!this.#wantsMore())
          await new Promise<void>(resolve => {
            this.#wake = resolve;
          });
      }
    } finally {
      while (this.#inFlight > 0)
        await new Promise<void>(resolve => {
          this.#wake = resolve;
        });
      this.#record();
      await this.#recording;
    }
    if (this.#clientErrors < CLIENT_ERRORS_MAX) return !this.#isAllRead || this.#waiting > 0;
    await disableEndpoint(this.#deps.sql, this.#endpoint.handle, {
      now: this.#deps.now(),
      clientErrors: this.#clientErrors,
    });
    return true; // the next turn gives up what waits
  }

  #isOver(): boolean {
    return (
      this.#signal.aborted ||
      this.#isUnrecorded ||
      performance.now() > this.#endsAt ||
      this.#clientErrors >= CLIENT_ERRORS_MAX
    );
  }

  #wantsMore(): boolean {
    return this.#waiting < WAITING_MIN && !this.#isAllRead;
  }

  async #read(): Promise<void> {
    const due = await readDue(this.#deps.sql, {
      webhook: this.#endpoint.handle,
      now: this.#deps.now(),
      known: [...this.#known],
      count: READ_COUNT,
    });
    this.#isAllRead = due.length < READ_COUNT;
    for (const delivery of due) {
      this.#known.add(delivery.handle);
      this.#waiting += 1;
      const key = delivery.attempts === 0 ? delivery.entity : `repeat ${delivery.handle}`;
      const chain = this.#chains.get(key);
      if (chain) chain.push(delivery);
      else {
        this.#chains.set(key, [delivery]);
        this.#ready.push(key);
      }
    }
  }

  /** Begins as many attempts as may be under way. */
  #begin(): void {
    while (this.#ready.length > 0 && this.#inFlight < attemptsAtOnce(CONCURRENCY_MAX, this.#clientErrors)) {
      const key = this.#ready.shift()!;
      const delivery = this.#chains.get(key)!.shift()!;
      this.#waiting -= 1;
      this.#inFlight += 1;
      void this.#attempt(delivery).then(() => this.#goOn(key));
    }
  }

  /** After an attempt: the next ones, the record when it is time for it, and the turn itself when it is waited for. */
  #goOn(key: string): void {
    this.#inFlight -= 1;
    if (this.#chains.get(key)!.length > 0) this.#ready.push(key);
    else this.#chains.delete(key);
    if (this.#made.length >= RECORD_COUNT_MAX || performance.now() - this.#recordedAt >= RECORD_EVERY_MS)
      this.#record();
    const isOver = this.#isOver();
    if (!isOver) this.#begin();
    if (isOver || this.#inFlight === 0 || this.#wantsMore()) this.#wake();
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { egress, now } = this.#deps;
    const at = now().getTime();
    const id = formatId('event', delivery.event);
    const body = bodyOf(id, delivery);
    const headers = signedHeaders({ id, body, secrets: this.#endpoint.secrets, at: Math.floor(at / 1_000) });
    const { ms, ...outcome } = await egress.post(this.#endpoint.url, { headers, body });
    faultPoint('webhooks.after_post');
    const delivered = isSuccess(outcome);
    this.#clientErrors = countClientErrors(this.#clientErrors, outcome);
    const nextAt = delivered
      ? undefined
      : nextAttemptAt({ attempts: delivery.attempts + 1, first: delivery.firstAt ?? at, last: at });
    this.#made.push({ delivery, at, ms, outcome, delivered, nextAt });
    attemptsMade.inc({
      outcome: delivered ? 'delivered' : 'error' in outcome ? outcome.error : `${Math.floor(outcome.status / 100)}xx`,
    });
    exchangeSeconds.observe(ms / 1_000);
  }

  /** Records the attempts that were made, after the ones that are being recorded. */
  #record(): void {
    const attempts = this.#made;
    if (attempts.length === 0) return;
    this.#made = [];
    this.#recordedAt = performance.now();
    const clientErrors = this.#clientErrors === this.#clientErrorsRecorded ? undefined : this.#clientErrors;
    this.#clientErrorsRecorded = this.#clientErrors;
    const before = this.#recording;
    this.#recording = (async () => {
      await before;
      await recordAttempts(this.#deps.sql, this.#endpoint.handle, { attempts, clientErrors });
      for (const { delivery } of attempts) this.#known.delete(delivery.handle);
    })();
    // Nothing more goes out that could not be recorded; the fault itself is thrown at the end of the turn.
    this.#recording.catch(() => {
      this.#isUnrecorded = true;
    });
  }
}

/** The same bytes at every attempt. */
function bodyOf(id: string, { type, createdAt, workspace, data }: Delivery): string {
  return `{"id":"${id}","type":"${type}","created_at":"${createdAt.toISOString()}","workspace_id":"${formatId('workspace', workspace)}","data":${data}}`;
}
