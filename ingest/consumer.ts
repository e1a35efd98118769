/**
 * Takes jobs from one stream of a queue and joins those that wait into one group. BullMQ has no groups, so jobs are
 * fetched by hand, their locks extended here, and each is moved to completed when its group is.
 *
 * An insert costs about the same for a hundred rows as for thousands, so the size of a group follows from the backlog.
 * After a pause, a job is processed at once. While more arrive, groups begin at a pace; jobs that arrive during a
 * running group, which uses the engines anyway, collect until it ends, within a minimum and a maximum time, or until
 * half a group is there.
 *
 * A failed group is retried in this process under the same locks, with back-off, without a limit; nothing is ever moved
 * to failed. When the process dies its locks lapse after 1.5 s and another finds the same group through any of its
 * jobs.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker, type Job } from 'bullmq';
import type { Log } from '#runtime/log.ts';
import { counter, gauge } from '#runtime/metrics.ts';
import type { Redis } from '#sql/redis.ts';
import { COMPLETE_KEPT_S } from './queue/batch-jobs.ts';
import type { Group, Groups } from './groups.ts';
import type { JobData } from './queue/batch-jobs.ts';
import type { Milliseconds } from '#domain/unit.ts';

/**
 * Another process takes over the jobs of a killed one after at most 2 s: a lock and a round. If a process is stopped
 * for that long, another repeats its groups, which costs work in the engines and changes nothing.
 */
const LOCK_MS_MIN = 1_500;
const LOCK_ROUND_MS = 500;
/**
 * A process with late rounds takes longer locks. Otherwise it would lose all of them, and every group would be
 * repeated. If it is killed then, another process takes over when those locks expire.
 */
const LOCK_MS_MAX = 30_000;
const LATE_ROUNDS = 4;
const STALLED_ROUND_MS = 500;
/** A job may stall as often as workers are killed: an acknowledged batch has no last attempt. */
const STALLED_MAX = 2 ** 31;
const GROUP_JOBS_MAX = 200;
/** How often a collecting group looks for more jobs. */
const GATHER_LOOK_MS = 50;
/** One group is counted while another is inserted. */
const GROUPS_RUNNING_MAX = 2;
const BACKOFF_MS_MIN = 50;
/** A killed engine is back within a second or two, and plays must not wait long after that. */
const BACKOFF_MS_MAX = 500;
/** How long a drain waits for running groups; another process takes over the rest after the locks expire. */
const DRAIN_MS_MAX = 8_000;
/** Batches of a group in a line of the log, because a retried group logs two a second. */
const BATCHES_LOGGED_MAX = 20;

const retries = counter({ name: 'ingest_group_retries_total', help: 'Groups that were tried again' });
const running = gauge({
  name: 'ingest_groups_running',
  help: `Groups in work; ${GROUPS_RUNNING_MAX} at most of each stream of plays, and of decisions`,
});
const lostLocks = counter({
  name: 'ingest_lost_locks_total',
  help: 'Jobs completed by another worker because their lock had lapsed',
});

export type Consumer = { close(): Promise<void> };
/** Processes one group to its end; may be repeated. */
type ProcessGroup = (group: Group, work: { signal: AbortSignal; known: ReadonlyMap<string, string> }) => Promise<void>;
/** A job whose lock this process holds, and the lock's token. */
type LockedJob = { job: Job<JobData>; token: string };
type JobConsumerOptions = { groups: Groups; process: ProcessGroup; eventsMax: number; gather: Gather; log: Log };
/** Pacing of groups that are less than half full. */
type Gather = {
  /** From the start of one group to the start of the next, while none is running. */
  paceMs: Milliseconds;
  /** The minimum and maximum time for which a group collects jobs during another one. */
  waitMsMin: Milliseconds;
  waitMsMax: Milliseconds;
};
type ConsumerOptions = JobConsumerOptions & { connection: Redis; queueName: string; prefix: string };

/**
 * @param options.connection of role `worker`, for BullMQ; it makes a second one for its blocking wait.
 * @param options.prefix BullMQ's name for the stream.
 * @param options.eventsMax of one group, unless its first batch has more.
 */
export function startConsumer({ connection, queueName, prefix, ...options }: ConsumerOptions): Consumer {
  const { log } = options;
  const worker = new Worker<JobData>(queueName, null, {
    connection,
    prefix,
    autorun: false,
    lockDuration: LOCK_MS_MIN,
    stalledInterval: STALLED_ROUND_MS,
    maxStalledCount: STALLED_MAX,
    removeOnComplete: { age: COMPLETE_KEPT_S },
    drainDelay: 1,
  });
  worker.on('error', error => log.warn({ err: error }, 'the queue is away'));
  const consumer = new JobConsumer(worker, options);
  consumer.start();
  return { close: () => consumer.close() };
}

class JobConsumer {
  readonly #worker: Worker<JobData>;
  readonly #groups: Groups;
  readonly #process: ProcessGroup;
  readonly #eventsMax: number;
  readonly #gather: Gather;
  readonly #log: Log;
  readonly #locked = new Map<string, LockedJob>();
  /** By the name of the group. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #lockTimer: NodeJS.Timeout | undefined;
  #lockRoundAt = 0;
  /** When the last group began, by `performance.now()`. */
  #beganAt = -Infinity;

  constructor(worker: Worker<JobData>, { groups, process, eventsMax, gather, log }: JobConsumerOptions) {
    this.#worker = worker;
    this.#groups = groups;
    this.#process = process;
    this.#eventsMax = eventsMax;
    this.#gather = gather;
    this.#log = log;
  }

  start(): void {
    void this.#worker.startStalledCheckTimer();
    this.#lockRoundAt = performance.now();
    this.#lockTimer = setInterval(() => void this.#extendLocks(), LOCK_ROUND_MS);
    this.#loop = this.#fetchGroups();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const timer = setTimeout(() => this.#abandon.abort(), DRAIN_MS_MAX);
    await this.#loop;
    await Promise.allSettled(this.#running.values());
    clearTimeout(timer);
    clearInterval(this.#lockTimer);
    await this.#worker.close();
  }

  async #fetchGroups(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      if (this.#running.size >= GROUPS_RUNNING_MAX) {
        await Promise.race(this.#running.values());
        continue;
      }
      try {
        await this.#fetchGroup();
      } catch (error) {
        this.#log.warn({ err: error }, 'jobs cannot be fetched');
        await pause(BACKOFF_MS_MAX, this.#stop.signal);
      }
    }
  }

  async #fetchGroup(): Promise<void> {
    const fetched: LockedJob[] = [];
    const formed = new Set<string>();
    try {
      await this.#fetchJobs(fetched);
      if (fetched.length === 0) return;
      for (const group of await this.#form(fetched.map(({ job }) => job.id!))) {
        for (const id of group.jobs) formed.add(id);
        if (group.done) await this.#complete(group);
        else if (!this.#running.has(group.name)) this.#run(group);
      }
    } finally {
      // Jobs that Redis has lost, and all of them when the process stops: their locks expire and the jobs return.
      for (const { job } of fetched) if (!formed.has(job.id!)) this.#locked.delete(job.id!);
    }
  }

  /**
   * Without a limit, while it holds the jobs: if it gave them up while Redis is down, they could be fetched again only
   * after their locks expire. @throws when the process stops
   */
  async #form(ids: readonly string[]): Promise<Group[]> {
    for (let backoffMs = BACKOFF_MS_MIN, isSaid = false; ; backoffMs = Math.min(2 * backoffMs, BACKOFF_MS_MAX)) {
      try {
        return await this.#groups.form(ids);
      } catch (error) {
        if (this.#stop.signal.aborted) throw error;
        if (!isSaid) this.#log.warn({ err: error }, 'jobs cannot be joined into groups yet');
        isSaid = true;
      }
      await pause(backoffMs, this.#stop.signal);
    }
  }

  /** Waits for the first job (at most 1 s), and for more until the group is worth its insert. */
  async #fetchJobs(fetched: LockedJob[]): Promise<void> {
    await this.#takeWaiting(fetched);
    const from = performance.now();
    const waitMsMin = this.#running.size === 0 ? 0 : this.#gather.waitMsMin;
    for (;;) {
      const waitMs = this.#gatherFor(fetched, { waitedMs: performance.now() - from, waitMsMin });
      if (waitMs <= 0 || this.#stop.signal.aborted) break;
      await this.#pauseOrEnd(waitMs);
      await this.#takeWaiting(fetched);
    }
    this.#beganAt = performance.now();
  }

  /** Time until the next check for more jobs; 0 or less: the group begins. */
  #gatherFor(
    fetched: readonly LockedJob[],
    { waitedMs, waitMsMin }: { waitedMs: Milliseconds; waitMsMin: Milliseconds },
  ): Milliseconds {
    if (fetched.length === 0 || fetched.length >= GROUP_JOBS_MAX / 2 || eventsOf(fetched) >= this.#eventsMax / 2)
      return 0;
    if (this.#running.size === 0)
      return Math.max(this.#beganAt + this.#gather.paceMs - performance.now(), waitMsMin - waitedMs);
    return Math.min(GATHER_LOOK_MS, this.#gather.waitMsMax - waitedMs);
  }

  /** Adds the waiting jobs, or waits for the first one. From here on their locks are extended. */
  async #takeWaiting(fetched: LockedJob[]): Promise<void> {
    let events = eventsOf(fetched);
    while (fetched.length < GROUP_JOBS_MAX && events < this.#eventsMax) {
      const token = randomUUID();
      const job = await this.#worker.getNextJob(token, { block: fetched.length === 0 });
      if (!job) break;
      fetched.push({ job, token });
      this.#locked.set(job.id!, { job, token });
      events += job.data.events;
    }
  }

  /** Ends early when a running group ends. */
  async #pauseOrEnd(ms: Milliseconds): Promise<void> {
    const over = new AbortController();
    const longest = pause(ms, AbortSignal.any([this.#stop.signal, over.signal]));
    await Promise.race([longest, ...this.#running.values()]);
    over.abort();
  }

  #run(group: Group): void {
    running.inc();
    const run = this.#repeat(group)
      .catch(error => {
        this.#log.warn(
          { err: error, group: group.name, batches: group.jobs.slice(0, BATCHES_LOGGED_MAX) },
          'a group is left to another process',
        );
      })
      .finally(() => {
        this.#running.delete(group.name);
        running.dec();
        for (const id of group.jobs) this.#locked.delete(id);
      });
    this.#running.set(group.name, run);
  }

  async #repeat(first: Group): Promise<void> {
    let group = first;
    for (let backoffMs = BACKOFF_MS_MIN; ; backoffMs = Math.min(2 * backoffMs, BACKOFF_MS_MAX)) {
      try {
        if (!group.done) await this.#process(group, { signal: this.#abandon.signal, known: this.#payloadsOf(group) });
        return await this.#complete(group);
      } catch (error) {
        // A group that a rebuild forgot ends here: its jobs' locks expire, and the next consumer forms another one.
        if (this.#abandon.signal.aborted || (error as { code?: string }).code === 'group_gone') throw error;
        retries.inc();
        this.#log.warn(
          { err: error, group: group.name, batches: group.jobs.slice(0, BATCHES_LOGGED_MAX) },
          'a group is tried again',
        );
      }
      await pause(backoffMs, this.#abandon.signal);
      // Another process may have finished it meanwhile, if this one was stopped for longer than its locks.
      group = { ...(await this.#stateOf(group)), generation: first.generation };
    }
  }

  async #stateOf(group: Group): Promise<Group> {
    try {
      return (await this.#groups.form(group.jobs)).find(candidate => candidate.name === group.name) ?? group;
    } catch {
      return group; // Redis is down: the next try reports it
    }
  }

  #payloadsOf(group: Group): Map<string, string> {
    const known = new Map<string, string>();
    for (const id of group.jobs) {
      const payload = this.#locked.get(id)?.job.data.payload;
      if (payload) known.set(id, payload);
    }
    return known;
  }

  /** The group is complete already; the consumer that fetches a job with a lapsed lock completes it. */
  async #complete(group: Group): Promise<void> {
    await Promise.all(
      group.jobs.map(async id => {
        const locked = this.#locked.get(id);
        if (!locked) return;
        this.#locked.delete(id);
        try {
          await locked.job.moveToCompleted(null, locked.token, false);
        } catch (error) {
          lostLocks.inc();
          this.#log.warn(
            { err: error, batch: id, group: group.name },
            'a complete job could not be taken off the queue yet',
          );
        }
      }),
    );
  }

  /** The duration of a lock, by the delay of this round. It falls at most by half in each round. */
  #lockMs(): Milliseconds {
    const now = performance.now();
    const neededMs = LATE_ROUNDS * (now - this.#lockRoundAt - LOCK_ROUND_MS);
    this.#lockRoundAt = now;
    const { opts } = this.#worker;
    opts.lockDuration = Math.max(LOCK_MS_MIN, Math.min(LOCK_MS_MAX, Math.max(neededMs, opts.lockDuration! / 2)));
    return opts.lockDuration;
  }

  async #extendLocks(): Promise<void> {
    const lockMs = this.#lockMs();
    const locked = [...this.#locked.values()];
    if (locked.length === 0) return;
    try {
      await this.#worker.extendJobLocks(
        locked.map(({ job }) => job.id!),
        locked.map(({ token }) => token),
        lockMs,
      );
    } catch (error) {
      this.#log.warn({ err: error }, 'locks could not be extended; others may repeat the groups');
    }
  }
}

function eventsOf(jobs: readonly LockedJob[]): number {
  return jobs.reduce((sum, { job }) => sum + job.data.events, 0);
}

async function pause(ms: Milliseconds, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined); // the caller's loop sees the abort
}
