/**
 * Sends events to their subscribers, from one process. Events are read from the outbox in batches and become due rows
 * in one statement; those that an endpoint takes now are posted at once, others and retries are read again when there
 * is room. Attempts are recorded some at a time. All statements use the connection with the lock of the single sender:
 * if it is lost nothing more can be recorded, so a replaced sender changes nothing. After a kill between a POST and its
 * record the next process sends it again, with the same id: at most the attempts of the last 100 ms.
 */
import type { Handle } from '#domain/id.ts';
import { faultPoint } from '#runtime/fault.ts';
import { counter } from '#runtime/metrics.ts';
import type { Egress } from '#runtime/egress/egress.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { readWaitingEvents } from '#sql/webhooks/outbox.ts';
import {
  endpointsDue,
  giveUpDeliveries,
  outgoingEvent,
  readDue,
  readEndpoints,
  recordAttempts,
  writeDeliveries,
  type Attempt,
  type Delivery,
} from '#sql/webhooks/sending.ts';
import { disableWebhook } from '#sql/webhooks/subscriptions.ts';
import { Attempts } from './attempts/attempts.ts';
import { OutcomeCounts } from './attempts/outcome-counts.ts';
import { UnrecordedAttempts } from './attempts/unrecorded-attempts.ts';
import { readAudience } from './audience.ts';
import { Changes } from './changes.ts';
import { endpointOf, type Endpoint } from './endpoint.ts';
import type { EndpointQueue } from './endpoint-queue.ts';
import { EndpointQueues, takeCounts } from './endpoint-queues.ts';
import type { Keyring } from './keyring.ts';
import { StatementQueue } from './statement-queue.ts';

/** Events of one statement: some tens of milliseconds of Postgres. */
const EVENTS_AT_ONCE = 500;
/** Rows of one endpoint read at once. */
const ROWS_AT_ONCE = 100;
/**
 * Bodies that wait in memory, in characters. Above it, deliveries wait as rows. One read adds at most 500 of 20 kB
 * each.
 */
const WAITING_CHARACTERS_MAX = 32 * 1024 * 1024;
const GIVE_UP_COUNT = 1_000;

const dispatched = counter({
  name: 'workers_events_dispatched_total',
  help: 'Events of the outbox that were dispatched',
});
export type SenderDependencies = {
  /** For work outside of the lock's connection: disabling a webhook. */
  sql: Postgres;
  /** Holds the lock of the one sender. */
  connection: Queryable;
  keyring: Keyring;
  egress: Egress;
  now: () => Date;
};

export class Sender {
  readonly #deps: SenderDependencies;
  readonly #endpoints = new EndpointQueues();
  readonly #attempts: Attempts;
  readonly #unrecorded = new UnrecordedAttempts(made => this.#record(made));
  readonly #outcomes = new OutcomeCounts();
  #waitingCharacters = 0;
  readonly #statements = new StatementQueue(() => this.#changes.tell());
  #isClosing = false;
  /** Notified whenever an exchange ends or a fault occurs. */
  readonly #changes = new Changes();

  constructor(deps: SenderDependencies) {
    this.#deps = deps;
    this.#attempts = new Attempts({
      egress: deps.egress,
      now: deps.now,
      mayBegin: () => !this.#isClosing && !this.fault,
      begun: delivery => {
        this.#waitingCharacters -= delivery.event.body.length;
      },
      ended: (queue, delivery, attempt) => this.#endAttempt(queue, delivery, attempt),
    });
  }

  /** Why it can record nothing more; it is replaced by another one. */
  get fault(): Error | undefined {
    return this.#statements.fault;
  }

  /** Reads the oldest events and starts sending them. Returns how many. @throws if Postgres is down. */
  async dispatch(): Promise<number> {
    if (this.#isClosing) return 0;
    return this.#statements.add(async () => {
      const { connection, keyring, now } = this.#deps;
      const waiting = await readWaitingEvents(connection, EVENTS_AT_ONCE);
      if (waiting.length === 0) return 0;
      const audience = await readAudience(connection, keyring, { events: waiting, now: now() });
      const events = waiting.map(outgoingEvent);
      const sent = events.flatMap((event, index) =>
        audience.of(waiting[index]!).map(endpoint => ({ webhook: endpoint.webhook, event, endpoint })),
      );
      faultPoint('outbox.before_commit');
      const handles = await writeDeliveries(connection, { events, deliveries: sent, now: now() });
      dispatched.inc(events.length);
      const queues = new Set(
        sent.map(({ event, endpoint }, index) => this.#assign(endpoint, { event, handle: handles[index]! })),
      );
      for (const queue of queues) {
        this.#attempts.begin(queue);
        if (queue.wantsRows() || (queue.hasRowsDue && !queue.isActive)) this.#readRows(queue);
        this.#endpoints.forgetIfIdle(queue);
      }
      return events.length;
    });
  }

  /** Looks for due rows and changed endpoints. @throws if Postgres is down. */
  async sweep(): Promise<void> {
    const due = await this.#statements.add(async () => endpointsDue(this.#deps.connection, this.#deps.now()));
    await this.wake(due);
  }

  /** Reads the due rows of these endpoints. @throws if Postgres is down. */
  async wake(webhooks: readonly Handle<'webhook'>[]): Promise<void> {
    if (this.#isClosing) return;
    await this.#statements.add(async () => {
      const { connection, keyring, now } = this.#deps;
      const asked = [...new Set([...this.#endpoints.all().map(queue => queue.webhook), ...webhooks])];
      const found = await readEndpoints(connection, { webhooks: asked, now: now() });
      const byHandle = new Map(found.map(row => [row.handle, endpointOf(keyring, row)]));
      for (const webhook of asked) this.#refresh(webhook, byHandle.get(webhook));
    });
    for (const webhook of webhooks) {
      const queue = this.#endpoints.get(webhook);
      if (!queue) continue;
      queue.hasRowsDue = true;
      this.#readRows(queue);
    }
  }

  /** Ends after the running attempts; other deliveries are left as rows. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#changes.tell();
    while (this.#attempts.inFlight > 0) await this.#changes.next();
    for (const queue of this.#endpoints.all()) this.#leave(queue);
    this.#unrecorded.recordNow();
    await this.#statements.idle();
    this.#unrecorded.stop();
  }

  /** A deleted endpoint is undefined. */
  #refresh(webhook: Handle<'webhook'>, endpoint: Endpoint | undefined): void {
    const now = endpoint ?? { webhook, url: '', isActive: false, clientErrors: 0, secrets: [] };
    const queue = this.#endpoints.of(now);
    queue.update(now);
    queue.isDeleted = endpoint === undefined;
    if (!queue.isActive) this.#leave(queue);
  }

  // ---- attempts

  /** Takes a new delivery into memory, if its endpoint has room, and returns the endpoint's queue. */
  #assign(endpoint: Endpoint, { event, handle }: Pick<Delivery, 'event' | 'handle'>): EndpointQueue {
    const queue = this.#endpoints.of(endpoint);
    queue.update(endpoint);
    if (queue.takesEvents() && this.#waitingCharacters < WAITING_CHARACTERS_MAX)
      this.#add(queue, {
        webhook: queue.webhook,
        event,
        handle,
        attempts: 0,
        firstAt: undefined,
        chain: event.entity,
        made: undefined,
      });
    else queue.hasRowsDue = true;
    return queue;
  }

  #add(queue: EndpointQueue, delivery: Delivery): void {
    this.#waitingCharacters += delivery.event.body.length;
    queue.add(delivery);
  }

  /** Waiting deliveries in memory are left to their rows. */
  #leave(queue: EndpointQueue): void {
    for (const delivery of queue.clear()) {
      this.#waitingCharacters -= delivery.event.body.length;
      queue.hasRowsDue = true;
    }
  }

  #endAttempt(queue: EndpointQueue, delivery: Delivery, attempt: Attempt): void {
    delivery.made = attempt;
    this.#outcomes.count(attempt.outcome, attempt.ms);
    queue.endAttempt(delivery, attempt.outcome);
    this.#unrecorded.add(delivery);
    if (queue.isUsedUp()) void this.#disable(queue);
    this.#attempts.begin(queue);
    this.#attempts.beginWaiting();
    if (queue.wantsRows()) this.#readRows(queue);
    this.#changes.tell();
  }

  /** After the 24th 4xx in a row. Waiting deliveries are given up. */
  async #disable(queue: EndpointQueue): Promise<void> {
    if (queue.isDisabling) return;
    queue.isDisabling = true;
    this.#leave(queue);
    const { sql, now } = this.#deps;
    await this.#statements.attempt(async () => {
      await disableWebhook(sql, queue.webhook, { now: now(), clientErrors: queue.clientErrors });
      queue.clientErrorsRecorded = queue.clientErrors;
      queue.isActive = false;
      queue.hasRowsDue = true;
    });
    queue.isDisabling = false;
    this.#readRows(queue);
  }

  // ---- rows

  /** Reads due rows, or gives them up if the endpoint is inactive. */
  #readRows(queue: EndpointQueue): void {
    if (queue.isReadQueued || this.#isClosing) return;
    queue.isReadQueued = true;
    void this.#statements.attempt(async () => {
      queue.isReadQueued = false;
      if (queue.isActive && !this.#hasRoomFor(queue)) return; // read when there is room, or by the sweep
      const isLast = queue.isActive ? await this.#readSome(queue) : await this.#giveUpSome(queue);
      if (isLast) queue.hasRowsDue = false;
      else this.#readRows(queue);
      this.#attempts.begin(queue);
      this.#endpoints.forgetIfIdle(queue);
    });
  }

  #hasRoomFor(queue: EndpointQueue): boolean {
    return queue.wantsRows() && this.#waitingCharacters < WAITING_CHARACTERS_MAX;
  }

  /** Returns whether nothing more is due. */
  async #readSome(queue: EndpointQueue): Promise<boolean> {
    const { connection, now } = this.#deps;
    const due = await readDue(connection, {
      webhook: queue.webhook,
      now: now(),
      known: [...queue.known],
      count: ROWS_AT_ONCE,
    });
    for (const delivery of due) this.#add(queue, delivery);
    return due.length < ROWS_AT_ONCE;
  }

  async #giveUpSome(queue: EndpointQueue): Promise<boolean> {
    const reason = queue.isDeleted ? 'endpoint_deleted' : 'endpoint_disabled';
    return (
      (await giveUpDeliveries(this.#deps.connection, queue.webhook, { reason, count: GIVE_UP_COUNT })) < GIVE_UP_COUNT
    );
  }

  /** Writes what came of attempts. */
  #record(made: readonly Delivery[]): void {
    this.#outcomes.publish();
    void this.#statements.attempt(async () => {
      faultPoint('webhooks.before_record');
      const queues = new Set(made.map(delivery => this.#endpoints.get(delivery.webhook)!));
      await recordAttempts(this.#deps.connection, { made, counts: takeCounts(queues) });
      for (const delivery of made) this.#endpoints.get(delivery.webhook)!.forget(delivery);
      for (const queue of queues) this.#endpoints.forgetIfIdle(queue);
    });
  }
}
