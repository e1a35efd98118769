/**
 * Which worker delivers to which endpoint when. An endpoint for which something is due stands once in a queue (BullMQ), whatever
 * number of events wait for it, and one worker at a time takes its turn: so a slow or flooded endpoint holds one lane of many
 * and no other endpoint waits behind its backlog. The queue only orders turns; what is due is in Postgres, and a query
 * every second puts an endpoint in line whose retry has come, or whose place in the queue was lost with Redis.
 */
import { Queue, Worker } from 'bullmq';
import type { Handle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import { counter } from '#runtime/metrics.ts';
import { loadMissingScripts, type Redis } from '#sql/redis.ts';
import { WEBHOOKS_CHANNEL } from '#records/webhook-channel.ts';
import type { Job } from '../schedule.ts';
import { endpointsDue } from './deliveries.ts';
import { takeTurn, type LaneDependencies } from './lane.ts';
import type { Milliseconds } from '#domain/unit.ts';

const TURNS_QUEUE = 'webhooks';
const QUEUE_PREFIX = '{marquee}';
/** Endpoints that have their turn at once in one process. A turn lasts 8 s at most and holds 8 sockets and 200 bodies. */
const LANES = 64;
const LOCK_MS = 5_000;
/** As often as a worker is killed the turn is given to another. */
const STALLED_MAX = 2 ** 31;
const SWEEP_EVERY_MS = 1_000;

const turnFaults = counter({
  name: 'workers_webhook_turn_faults_total',
  help: 'Turns of an endpoint that ended on a fault and are tried again',
});

export type Turns = {
  /** Puts endpoints in line; one that stands there, or asks during its own turn, has one more turn at most. */
  wake(webhooks: readonly number[]): Promise<void>;
  /** The job that wakes the endpoints for which something is due. */
  sweep: Job;
  close(): Promise<void>;
};

export type TurnsOptions = LaneDependencies & {
  /** Role `worker`, for BullMQ. */
  blocking: Redis;
  /** Role `commands`. */
  commands: Redis;
  log: Log;
  /** How long the turn of a killed worker stays taken; tests make it short. */
  lockMs?: Milliseconds;
};

export async function startTurns({ blocking, commands, log, lockMs = LOCK_MS, ...lane }: TurnsOptions): Promise<Turns> {
  const stop = new AbortController();
  const queue = new Queue<{ webhook: number }>(TURNS_QUEUE, {
    connection: commands,
    prefix: QUEUE_PREFIX,
    skipMetasUpdate: true,
  });
  queue.on('error', error => log.warn({ err: error }, 'the queue of webhooks is away'));
  await queue.waitUntilReady();
  const wake = async (webhooks: readonly number[]) => {
    if (webhooks.length === 0 || stop.signal.aborted) return;
    await queue.addBulk(webhooks.map(turnJob)).catch(async (error: unknown) => {
      await loadMissingScripts(commands, error);
      throw error;
    });
  };
  const worker = new Worker<{ webhook: Handle<'webhook'> }>(
    TURNS_QUEUE,
    async ({ data: { webhook } }) => {
      try {
        if (await takeTurn(lane, webhook, stop.signal)) await wake([webhook]);
      } catch (error) {
        turnFaults.inc();
        log.warn({ err: error, webhook }, 'the turn of an endpoint is taken again');
      }
    },
    {
      connection: blocking,
      prefix: QUEUE_PREFIX,
      concurrency: LANES,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      maxStalledCount: STALLED_MAX,
    },
  );
  worker.on('error', error => log.warn({ err: error }, 'the queue of webhooks is away'));
  const wakeAll = async () => wake(await endpointsDue(lane.sql, lane.now()));
  const isLost = (error: unknown) => log.warn({ err: error }, 'endpoints wait for the next look');
  // Sent with the commit of a dispatch or of a request for a delivery; an empty text stands for more endpoints than fit.
  const subscription = await lane.sql.listen(WEBHOOKS_CHANNEL, text => {
    (text === '' ? wakeAll() : wake(text.split(',').map(Number))).catch(isLost);
  });
  return {
    wake,
    sweep: {
      name: 'wake-webhooks',
      everyMs: SWEEP_EVERY_MS,
      lock: undefined,
      run: async () => {
        await wakeAll();
        return 0;
      },
    },
    async close() {
      stop.abort();
      await subscription.unlisten();
      await worker.close();
      await queue.close();
    },
  };
}

/** A turn of an endpoint. While one waits or runs, a second is kept once at most. */
function turnJob(webhook: number) {
  return {
    name: 'turn',
    data: { webhook },
    opts: {
      removeOnComplete: true,
      removeOnFail: true,
      deduplication: { id: `turn-${webhook}`, keepLastIfActive: true },
    },
  };
}
