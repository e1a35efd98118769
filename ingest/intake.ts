import { Job, Queue } from 'bullmq';
import { Packr } from 'msgpackr';
import type { Handle } from '#domain/id.ts';
import { RECORD_BYTES } from '#domain/plays/decision-record.ts';
import { Fault } from '#runtime/fault-error.ts';
import { execAll, loadMissingScripts, scriptCommand, type Redis } from '#sql/redis.ts';
import { readAsOf } from './queue/as-of.ts';
import { forgetGroups, type WrittenGroup } from './queue/rebuild.ts';
import {
  inStreams,
  intakeKeys,
  nameInStream,
  streamOf,
  streamOfScreen,
  streamsOf,
  type IntakeKeys,
} from './queue/intake-keys.ts';
import type { Payload } from './steps/decode.ts';
import type { DecisionBatch } from './steps/decode-decisions.ts';

/**
 * The door of ingest: a queue of batches of reports. A batch is durable when `add` resolves (Redis writes its log
 * before it answers), so only then may a screen be told to forget its plays.
 *
 * How as_of is kept. Each job that is not complete stands in the sorted set `pending` with its line, at first the Redis
 * time at which it was added; as_of is the smallest line, else now. The job enters the set in the same transaction as the
 * queue, and leaves it in the same script that marks its group complete, after the rows are in ClickHouse: a play that
 * was acknowledged before as_of has its row. A job that was told `duplicate` for a play may be complete before the job
 * that counted that play; its line must not be forgotten then. So whoever finishes a group with duplicates gives the
 * smallest line of those jobs to every job that was put into a group (thus may have counted) and is not complete. That
 * holds back a little more than needed, for the one insert that those jobs wait for, and needs no list of who
 * counted what.
 *
 * Plays go through one stream per shard, chosen by their screen, and all reports of a play come from one screen: whoever
 * counted a play, and whoever is told `duplicate` for it, are jobs of one stream. Each stream is kept by its own master and
 * clock, and as_of of all is the smallest of theirs: what was acknowledged before it has its row, in whichever stream.
 */
export type { PlayReport, Release, ScanEvent } from './steps/decode.ts';
export type { DecisionBatch, JournalPart, RefusedSum } from './steps/decode-decisions.ts';
export { repeatGroup, type WrittenGroup } from './queue/rebuild.ts';
export { INSERT_MS_MAX } from './insert.ts';
export { readBacklog, type Backlog } from './queue/backlog.ts';
export { intakeKeys, streamOf, streamOfScreen, streamsOf } from './queue/intake-keys.ts';
/** A batch is of one stream, which its id tells. */
export type Batch = Payload & { id: string };

export type Intake = {
  /** The stream of a screen's plays and releases, by its handle. */
  streamOf(screen: Handle<'screen'>): number;
  /** A batch's id with its stream in it. */
  batchId(name: string, stream: number): string;
  /**
   * Stores the batch; the same id again adds nothing and answers the first time. A batch that Redis has lost since is
   * added again with the time of its first add, so that as_of stays back for it.
   * @throws when Redis is away or refuses; the batch may or may not be stored then, so add it again under its id.
   */
  add(batch: Batch, firstAddedAt?: number): Promise<{ addedAt: number }>;
  /**
   * Which of these batches are complete (`done`); which of those as_of of their stream has passed, so that every play that
   * they acknowledged has its row, whichever batch counted it, and their copies may be forgotten (`passed`); and which Redis
   * does not know (`missing`: add them again). @throws Fault `authority_lost`
   */
  completed(ids: readonly string[]): Promise<{ done: string[]; passed: string[]; missing: string[] }>;
  /** Redis time (ms) up to which every acknowledged play is in the reports. Read it before the query. @throws Fault `authority_lost` */
  asOf(): Promise<number>;
  /** Names of groups that are complete and not yet settled, oldest first. */
  groupsDone(limit: number): Promise<string[]>;
  /** Takes settled groups off the list; after the charges are committed. */
  groupsSettled(groups: readonly string[]): Promise<void>;
  /** The oldest line of a group that is complete and not settled: no group with rows from before it is unsettled. Undefined: none is. */
  oldestUnsettled(): Promise<number | undefined>;
  /** Which of these groups had begun their insert into that table, as far as Redis knows. */
  groupsBegun(groups: readonly WrittenGroup[]): Promise<boolean[]>;
  /** Part of a rebuild, while the authority does not answer: forgets all groups but that some are written, and lists those to be settled. */
  forgetGroups(groups: {
    written: readonly WrittenGroup[];
    unsettled: readonly { group: string; lineMs: number }[];
  }): Promise<void>;
  close(): Promise<void>;
};

/** BullMQ forbids ':' in ids; the rest keeps ids free of anything that a text format would have to escape. */
const BATCH_ID = /^[A-Za-z0-9_.-]{1,100}$/;
/** A job's events and one release message are well below this; more is a bug of the caller, not load. */
const BATCH_EVENTS_MAX = 20_000;
export const QUEUE_NAME = 'plays';

/** Decisions have a queue of their own, so that no report waits for them. */
export const DECISION_QUEUE_NAME = 'decisions';
/** One stream is enough for them: a process sends one batch a second. */
export const DECISION_STREAM = 0;
/** Waiting batches of decisions: ten minutes of a process. Beyond it they are not worth the memory of Redis. */
const DECISION_BATCHES_MAX = 600;
const DECISION_EVENTS_MAX = 4_096;

/** Records write the names of fields once per batch instead of once per event. */
const packr = new Packr({ useRecords: true });

/** What stands in a job: the number of its events, so that groups can be sized unread, and the packed batch. */
export type JobData = { events: number; payload: string };

/**
 * @param options.redis a connection of role `producer` (or `commands`); it stays the caller's to close.
 * @param options.queueName another queue, for tests that share one Redis.
 */
export function createIntake({ redis, queueName = QUEUE_NAME }: { redis: Redis; queueName?: string }): Intake {
  const streams = streamsOf(queueName, redis);
  const queues = streams.map(keys => lazyQueue(redis, queueName, keys));
  return {
    streamOf: screen => streamOfScreen(screen, redis),
    batchId: nameInStream,
    async add(batch, firstAddedAt = 0) {
      const stream = streamOf(batch.id, redis);
      return addBatch(await queues[stream]!.opened(), batch, { redis, keys: streams[stream]!, firstAddedAt });
    },
    async completed(ids) {
      // As_of first: what it has passed once, it has passed for good, while a batch that is complete may be lost in between.
      const asOf = new Map(
        await Promise.all(
          Array.from(
            new Set(ids.map(id => streamOf(id, redis))),
            async stream => [stream, await readAsOf(redis, streams[stream]!)] as const,
          ),
        ),
      );
      const states = await inStreams<string, [string | null, string | null]>({ redis, streams }, ids, {
        nameOf: id => id,
        send: (pipeline, keys, id) => pipeline.hmget(keys.jobPrefix + id, 'added', 'done'),
      });
      const done = ids
        .map((id, index) => ({ id, addedAt: Number(states[index]![0]) }))
        .filter((_, index) => states[index]![1] !== null);
      return {
        done: done.map(({ id }) => id),
        passed: done.filter(({ id, addedAt }) => addedAt < asOf.get(streamOf(id, redis))!).map(({ id }) => id),
        missing: ids.filter((_, index) => states[index]![0] === null),
      };
    },
    asOf: async () => Math.min(...(await Promise.all(streams.map(keys => readAsOf(redis, keys))))),
    async groupsDone(limit) {
      const lists = await Promise.all(
        streams.map(({ unsettled }) => redis.zrange(unsettled, 0, limit - 1, 'WITHSCORES')),
      );
      const groups = lists.flatMap(flat =>
        Array.from({ length: flat.length / 2 }, (_, i) => ({ name: flat[2 * i]!, line: Number(flat[2 * i + 1]) })),
      );
      return groups
        .sort((one, other) => one.line - other.line)
        .slice(0, limit)
        .map(({ name }) => name);
    },
    async groupsSettled(groups) {
      await inStreams({ redis, streams }, groups, {
        nameOf: group => group,
        send: (pipeline, keys, group) => pipeline.zrem(keys.unsettled, group),
      });
    },
    async oldestUnsettled() {
      const oldest = await Promise.all(
        streams.map(async ({ unsettled }) => (await redis.zrange(unsettled, 0, 0, 'WITHSCORES'))[1]),
      );
      const lines = oldest.filter(line => line !== undefined).map(Number);
      return lines.length === 0 ? undefined : Math.min(...lines);
    },
    async groupsBegun(groups) {
      const found = await inStreams<WrittenGroup, number>({ redis, streams }, groups, {
        nameOf: ({ group }) => group,
        send: (pipeline, keys, { group, table }) => pipeline.hexists(keys.groupPrefix + group, `attempt:${table}`),
      });
      return found.map(each => each === 1);
    },
    forgetGroups: groups => forgetGroups(redis, { queueName, streams }, groups),
    close: async () => void (await Promise.all(queues.map(queue => queue.close()))),
  };
}

export type DecisionIntake = {
  /** Stores the batch; the same id again adds nothing. False: too many wait already, and it was left. @throws when Redis is away */
  add(batch: DecisionBatch & { id: string }): Promise<boolean>;
  close(): Promise<void>;
};

/** The door for records of decisions. They come through the same machinery as reports, and may be left where those must wait. */
export function createDecisionIntake({
  redis,
  queueName = DECISION_QUEUE_NAME,
}: {
  redis: Redis;
  queueName?: string;
}): DecisionIntake {
  const keys = intakeKeys(queueName, DECISION_STREAM);
  const queue = lazyQueue(redis, queueName, keys);
  return {
    async add({ id, ...batch }) {
      const opened = await queue.opened();
      if ((await redis.zcard(keys.pending)) >= DECISION_BATCHES_MAX) return false;
      const events = Math.max(1, batch.records.length / RECORD_BYTES);
      if (!BATCH_ID.test(id) || events > DECISION_EVENTS_MAX)
        throw new RangeError(`a batch '${id}' of ${events} decisions`);
      await addJob(
        opened,
        { id, data: { events, payload: packr.pack(batch).toString('base64') } },
        { redis, keys, firstAddedAt: 0 },
      );
      return true;
    },
    close: () => queue.close(),
  };
}

/**
 * BullMQ's queue, opened at the first use while Redis is there: it asks for the version as it opens, and a queue whose
 * first question failed would refuse for ever.
 */
function lazyQueue(
  redis: Redis,
  queueName: string,
  { prefix }: IntakeKeys,
): { opened(): Promise<Queue<JobData>>; close(): Promise<void> } {
  let opening: Promise<Queue<JobData>> | undefined;
  const open = async (): Promise<Queue<JobData>> => {
    const queue = new Queue<JobData>(queueName, { connection: redis, prefix, skipMetasUpdate: true });
    // BullMQ repeats the connection's own errors; the owner of the connection hears of them.
    queue.on('error', () => undefined);
    try {
      await queue.waitUntilReady();
    } catch (error) {
      opening = undefined;
      throw error;
    }
    return queue;
  };
  return {
    opened() {
      if (redis.status !== 'ready') throw new Fault('redis_unavailable', 'Redis is away', { retryable: true });
      return (opening ??= open());
    },
    close: async () => (await opening)?.close(),
  };
}

type Place = { redis: Redis; keys: IntakeKeys; firstAddedAt: number };

async function addBatch(queue: Queue<JobData>, batch: Batch, place: Place): Promise<{ addedAt: number }> {
  return addJob(queue, { id: batch.id, data: packBatch(batch) }, place);
}

async function addJob(
  queue: Queue<JobData>,
  { id, data }: { id: string; data: JobData },
  { redis, keys, firstAddedAt }: Place,
): Promise<{ addedAt: number }> {
  const job = new Job<JobData>(queue, 'batch', data, { jobId: id }, id);
  const transaction = (await queue.backend.client).multi();
  void job.addJob(transaction);
  transaction.runCommand(scriptCommand('intake-stamp'), [2, keys.pending, keys.jobPrefix + id, id, firstAddedAt]);
  try {
    const [, addedAt] = (await execAll(transaction)) as [string, number];
    return { addedAt };
  } catch (error) {
    await loadMissingScripts(redis, error);
    throw error;
  }
}

/**
 * The payload is base64 of MessagePack: BullMQ writes a job's data as JSON, in which a Buffer would take three times the
 * bytes.
 */
function packBatch(batch: Batch): JobData {
  if (!BATCH_ID.test(batch.id)) throw new RangeError(`'${batch.id}' is no id for a batch`);
  const events = batch.plays.length + batch.scans.length + batch.releases.length;
  if (events > BATCH_EVENTS_MAX) throw new RangeError(`a batch of ${events} events`);
  return {
    events,
    payload: packr.pack({ plays: batch.plays, scans: batch.scans, releases: batch.releases }).toString('base64'),
  };
}
