/**
 * Sends events to their subscribers, from one process. Events are read from the outbox in batches, posted at once, and
 * written with their attempts a moment later: one statement for all deliveries of a batch. Deliveries that an endpoint
 * does not take in that time, and retries, are due rows. All statements use the connection with the lock of the single
 * sender: if it is lost nothing more can be recorded, so a replaced sender changes nothing. After a kill between a POST
 * and its record the next process sends it again, with the same id: at most the events of unwritten batches, and the
 * attempts of rows of the last 100 ms.
 */
import type { Handle } from '#domain/id.ts';
import { faultPoint } from '#runtime/fault.ts';
import { counter } from '#runtime/metrics.ts';
import type { Egress } from '#runtime/egress/egress.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { Attempts } from './attempts/attempts.ts';
import { OutcomeCounts } from './attempts/outcome-counts.ts';
import { UnrecordedAttempts } from './attempts/unrecorded-attempts.ts';
import { Batch } from './batch.ts';
import { Changes } from './changes.ts';
import {
  disableEndpoint,
  endpointsDue,
  giveUpDeliveries,
  outgoingEvent,
  readDue,
  readEndpoints,
  recordAttempts,
  writeBatch,
  type Endpoint,
} from './deliveries.ts';
import type { Attempt, Delivery, OutgoingEvent } from './delivery.ts';
import type { EndpointQueue } from './endpoint-queue.ts';
import { EndpointQueues, takeCounts } from './endpoint-queues.ts';
import type { Keyring } from './keyring.ts';
import { readAudience, readWaitingEvents } from './outbox.ts';
import { StatementQueue } from './statement-queue.ts';

/**
 * Events read at once, and held unwritten when the next are read: together, the maximum that a killed process repeats.
 */
const EVENTS_AT_ONCE = 500;
const EVENTS_HELD = 500;
const BATCHES_MAX = 8;
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
  /** Unwritten batches, in the order of the outbox. */
  readonly #batches: Batch[] = [];
  readonly #eventsHeld = new Set<Handle<'event'>>();
  readonly #outcomes = new OutcomeCounts();
  #waitingCharacters = 0;
  readonly #statements = new StatementQueue(() => this.#changes.tell());
  #isClosing = false;
  /** Notified whenever a batch is written, an exchange ends or a fault occurs. */
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
    await this.#until(
      () => this.#isClosing || (this.#eventsHeld.size < EVENTS_HELD && this.#batches.length < BATCHES_MAX),
    );
    if (this.#isClosing) return 0;
    return this.#statements.add(async () => {
      const { connection, keyring, now } = this.#deps;
      const events = await readWaitingEvents(connection, { known: [...this.#eventsHeld], count: EVENTS_AT_ONCE });
      if (events.length === 0) return 0;
      const audience = await readAudience(connection, keyring, { events, now: now() });
      const batch = new Batch(events.map(outgoingEvent));
      this.#batches.push(batch);
      for (const [index, event] of batch.events.entries()) {
        this.#eventsHeld.add(event.handle);
        for (const endpoint of audience.of(events[index]!)) this.#assign(batch, event, endpoint);
      }
      for (const webhook of new Set(batch.deliveries.map(delivery => delivery.webhook)))
        this.#attempts.begin(this.#endpoints.get(webhook)!);
      if (!this.#writeDue()) setTimeout(() => this.#writeDue(), Math.ceil(batch.dueInMs()) + 1);
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
      const found = await readEndpoints(connection, keyring, { webhooks: asked, now: now() });
      const byHandle = new Map(found.map(endpoint => [endpoint.webhook, endpoint]));
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
    this.#writeAll();
    this.#unrecorded.recordNow();
    await this.#statements.idle();
    this.#unrecorded.stop();
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.fault) throw this.fault;
      await this.#changes.next();
    }
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

  #assign(batch: Batch, event: OutgoingEvent, endpoint: Endpoint): void {
    const queue = this.#endpoints.of(endpoint);
    queue.update(endpoint);
    const delivery: Delivery = {
      webhook: queue.webhook,
      event,
      handle: undefined,
      attempts: 0,
      firstAt: undefined,
      chain: event.entity,
      batch,
      isHeld: queue.takesEvents() && this.#waitingCharacters < WAITING_CHARACTERS_MAX,
      made: undefined,
    };
    batch.deliveries.push(delivery);
    if (delivery.isHeld) {
      batch.unmade += 1;
      this.#add(queue, delivery);
    } else this.#leaveAsRow(queue);
  }

  #add(queue: EndpointQueue, delivery: Delivery): void {
    this.#waitingCharacters += delivery.event.body.length;
    queue.add(delivery);
  }

  /** A delivery that its batch writes as a due row. */
  #leaveAsRow(queue: EndpointQueue): void {
    queue.hasRowsDue = true;
    queue.unwritten += 1;
  }

  /** Waiting deliveries in memory are left to their rows. */
  #leave(queue: EndpointQueue): void {
    for (const delivery of queue.clear()) {
      this.#waitingCharacters -= delivery.event.body.length;
      delivery.isHeld = false;
      queue.hasRowsDue = true;
      if (!delivery.batch) continue;
      delivery.batch.unmade -= 1;
      this.#leaveAsRow(queue);
    }
    this.#writeDue();
  }

  #endAttempt(queue: EndpointQueue, delivery: Delivery, attempt: Attempt): void {
    delivery.made = attempt;
    this.#outcomes.count(attempt.outcome, attempt.ms);
    queue.endAttempt(delivery, attempt.outcome);
    if (delivery.batch) {
      delivery.batch.unmade -= 1;
      this.#writeDue();
    } else this.#unrecorded.add(delivery);
    if (queue.isUsedUp()) void this.#disable(queue);
    this.#attempts.begin(queue);
    this.#attempts.beginWaiting();
    if (queue.wantsRows()) this.#readRows(queue);
    this.#changes.tell();
  }

  /** After the 24th 4xx in a row. Waiting deliveries are given up as soon as they are written. */
  async #disable(queue: EndpointQueue): Promise<void> {
    if (queue.isDisabling) return;
    queue.isDisabling = true;
    this.#leave(queue);
    const { sql, now } = this.#deps;
    await this.#statements.attempt(async () => {
      await disableEndpoint(sql, queue.webhook, { now: now(), clientErrors: queue.clientErrors });
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
      if (isLast) queue.hasRowsDue = queue.unwritten > 0;
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

  // ---- what was made is written

  /** Writes the due batches, in the order of the outbox. Returns whether none is left. */
  #writeDue(): boolean {
    while (this.#batches[0]?.isDue() === true) this.#write(this.#batches.shift()!);
    return this.#batches.length === 0;
  }

  #writeAll(): void {
    for (const batch of this.#batches.splice(0)) this.#write(batch);
  }

  #write(batch: Batch): void {
    this.#outcomes.publish();
    void this.#statements.attempt(async () => {
      const made = batch.deliveries.filter(delivery => delivery.made);
      const waiting = batch.deliveries.filter(delivery => !delivery.made);
      const queues = new Set(batch.deliveries.map(delivery => this.#endpoints.get(delivery.webhook)!));
      const { connection, now } = this.#deps;
      faultPoint('outbox.before_commit');
      const handles = await writeBatch(connection, {
        events: batch.events.map(event => event.handle),
        made,
        waiting,
        counts: takeCounts(queues),
        now: now(),
      });
      dispatched.inc(batch.events.length);
      for (const event of batch.events) this.#eventsHeld.delete(event.handle);
      for (const delivery of made) this.#endpoints.get(delivery.webhook)!.forget(delivery);
      for (const [index, delivery] of waiting.entries()) this.#takeHandle(delivery, handles[index]!);
      for (const queue of queues) {
        if (queue.wantsRows() || (queue.hasRowsDue && !queue.isActive)) this.#readRows(queue);
        this.#endpoints.forgetIfIdle(queue);
      }
      this.#changes.tell();
    });
  }

  #takeHandle(delivery: Delivery, handle: Handle<'webhook_delivery'>): void {
    const queue = this.#endpoints.get(delivery.webhook)!;
    delivery.batch = undefined;
    delivery.handle = handle;
    if (!delivery.isHeld) queue.unwritten -= 1;
    else queue.known.add(handle);
    if (delivery.made) this.#unrecorded.add(delivery);
  }

  /** Attempts of deliveries that have a row. */
  #record(made: readonly Delivery[]): void {
    this.#outcomes.publish();
    void this.#statements.attempt(async () => {
      const queues = new Set(made.map(delivery => this.#endpoints.get(delivery.webhook)!));
      await recordAttempts(this.#deps.connection, { made, counts: takeCounts(queues) });
      for (const delivery of made) this.#endpoints.get(delivery.webhook)!.forget(delivery);
      for (const queue of queues) this.#endpoints.forgetIfIdle(queue);
    });
  }
}
