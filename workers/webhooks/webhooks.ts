/**
 * The webhooks of a workers process. One process at a time sends them: it holds a lock for as long as its connection
 * lives, and the others take over within a second after it ends. Events are sent in the order of the outbox.
 */
import type { Handle } from '#domain/id.ts';
import type { Egress } from '#runtime/egress/egress.ts';
import type { Log } from '#runtime/log.ts';
import { counter } from '#runtime/metrics.ts';
import { freeJobLock, takeJobLock } from '#sql/advisory-locks.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import { WEBHOOKS_CHANNEL } from '#sql/webhooks/channel.ts';
import type { Job } from '../schedule.ts';
import { Keyring } from './keyring.ts';
import { Sender } from './sender.ts';

/** Number of the advisory lock of the one process that sends. Never given to a job. */
const LOCK = 70;
/** How often a process that does not send tries to get the lock. */
const LOCK_EVERY_MS = 1_000;
/** A subscriber gets an event soon; one query of an index that is mostly empty. */
const DISPATCH_EVERY_MS = 100;
/** For due retries, and for events whose notification was missed. */
const SWEEP_EVERY_MS = 1_000;

const senderFaults = counter({
  name: 'workers_webhook_turn_faults_total',
  help: 'Faults after which the sender of webhooks began anew; what it had not recorded is sent again',
});

export type Webhooks = {
  /** Sends pending events of the outbox, and retries. */
  jobs: readonly [dispatch: Job, sweep: Job];
  close(): Promise<void>;
};

export type WebhooksOptions = { sql: Postgres; sealer: Sealer; egress: Egress; log: Log; now: () => Date };

export async function startWebhooks({ sql, sealer, egress, log, now }: WebhooksOptions): Promise<Webhooks> {
  const post = new SenderPost({ sql, egress, keyring: new Keyring(sealer), now }, log);
  // Notified with the commit of a request for a delivery; an empty text means more endpoints than fit.
  const subscription = await sql.listen(WEBHOOKS_CHANNEL, text => {
    const told = text === '' ? [] : (text.split(',').map(Number) as Handle<'webhook'>[]);
    post.wake(told).catch((error: unknown) => log.warn({ err: error }, 'webhooks wait for the next round'));
  });
  const job = (name: string, everyMs: number, run: () => Promise<number>): Job => ({
    name,
    everyMs,
    lock: undefined,
    run,
  });
  return {
    jobs: [
      job('dispatch-outbox', DISPATCH_EVERY_MS, async () => (await post.sender())?.dispatch() ?? 0),
      job('wake-webhooks', SWEEP_EVERY_MS, async () => {
        await (await post.sender())?.sweep();
        return 0;
      }),
    ],
    async close() {
      await subscription.unlisten();
      await post.close();
    },
  };
}

type Held = { sender: Sender; connection: Awaited<ReturnType<Postgres['reserve']>> };

/** Holds the lock, and a sender for as long as it has no fault. */
class SenderPost {
  readonly #deps: Omit<ConstructorParameters<typeof Sender>[0], 'connection'>;
  readonly #log: Log;
  #held: Held | undefined;
  #taking: Promise<void> | undefined;
  #askAgainAt = 0;
  #isClosed = false;

  constructor(deps: Omit<ConstructorParameters<typeof Sender>[0], 'connection'>, log: Log) {
    this.#deps = deps;
    this.#log = log;
  }

  /** The sender of this process; undefined while another process sends. @throws when Postgres is down. */
  async sender(): Promise<Sender | undefined> {
    this.#taking ??= this.#take().finally(() => (this.#taking = undefined));
    await this.#taking;
    return this.#held?.sender;
  }

  async wake(webhooks: readonly Handle<'webhook'>[]): Promise<void> {
    const sender = this.#held?.sender;
    await (webhooks.length === 0 ? sender?.sweep() : sender?.wake(webhooks));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#taking?.catch(() => undefined); // the job that waits for it gets its fault
    await this.#leave();
  }

  async #take(): Promise<void> {
    const fault = this.#held?.sender.fault;
    if (fault) {
      senderFaults.inc();
      this.#log.warn({ err: fault }, 'the sender of webhooks begins anew');
      await this.#leave();
    }
    if (this.#held || this.#isClosed || performance.now() < this.#askAgainAt) return;
    const connection = await this.#deps.sql.reserve();
    try {
      if (!(await takeJobLock(connection, LOCK))) {
        this.#askAgainAt = performance.now() + LOCK_EVERY_MS;
        connection.release();
        return;
      }
    } catch (error) {
      connection.release();
      throw error;
    }
    const sender = new Sender({ ...this.#deps, connection });
    this.#held = { sender, connection };
    // Before the first event: existing rows go first.
    await sender.sweep();
  }

  async #leave(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (!held) return;
    await held.sender.close();
    // If the connection is lost, so is the lock.
    await freeJobLock(held.connection, LOCK).catch(() => undefined);
    held.connection.release();
  }
}
