/**
 * Groups of jobs that are counted and inserted together. A group's name and its jobs are in Redis before anything else
 * happens to it, and never change, so that a consumer that gets one of the jobs again repeats the same group.
 */
import { randomBytes } from 'node:crypto';
import { Fault } from '#runtime/fault-error.ts';
import { callScript, execAll, type Redis } from '#sql/redis.ts';
import { COMPLETE_KEPT_S, type JobData } from './queue/batch-jobs.ts';
import { nameInStream, type StreamKeys } from './queue/stream-keys.ts';
import type { Milliseconds } from '#domain/unit.ts';

export type Group = {
  name: string;
  jobs: string[];
  done: boolean;
  /**
   * The authority's generation when the group was read. A rebuild forgets all groups: their remaining steps must not
   * run.
   */
  generation: number;
};
/**
 * The result of a writer's check of an insert: whether rows of the group are in the table, and whether it checked after
 * the deadline.
 */
export type Finding = { attempt: number; present: boolean; afterDeadline: boolean };
/** The server of the next insert, as of the last check for rows; `uptimeS` 0: its restarts are not conclusive. */
type InsertServer = { id: string; uptimeS: number };
type AttemptRequest = {
  group: string;
  table: string;
  finding: Finding | undefined;
  server: InsertServer;
  insertMsMax: Milliseconds;
};
type AttemptStep =
  | { kind: 'go'; attempt: number; deadline: number }
  | { kind: 'look'; attempt: number; afterDeadline: boolean }
  | { kind: 'wait'; ms: Milliseconds }
  | { kind: 'done' };
type Finish = {
  jobsWithDuplicates: readonly string[];
  releases: readonly { job: string; member: string }[];
  settle: boolean;
};

export type Groups = {
  /** The groups of the jobs; jobs without one form a new group. */
  form(jobIds: readonly string[]): Promise<Group[]>;
  /**
   * The payloads of a group's jobs, in order; those not in `known` are read.
   * @throws a fault if one is missing.
   */
  payloads(group: Group, known?: ReadonlyMap<string, string>): Promise<string[]>;
  /** What to do next about the insert into one table. @throws Fault `group_gone` */
  attempt(request: AttemptRequest): Promise<AttemptStep>;
  /** Marks the group complete; once. @throws Fault `group_gone` */
  finish(group: string, finish: Finish): Promise<void>;
};

export function createGroups(redis: Redis, keys: StreamKeys): Groups {
  // Names are never reused, whatever is lost: 64 random bits for this process and a number.
  const prefix = `g${randomBytes(8).toString('hex')}-`;
  let number = 0;
  return {
    async form(jobIds) {
      const name = nameInStream(prefix + String((number += 1)), keys.stream);
      const flat = (await callScript(redis, 'intake-group', {
        keys: [keys.pending, keys.grouped, keys.groupPrefix + name],
        args: [name, keys.groupPrefix, keys.jobPrefix, ...jobIds],
      })) as (string | number)[];
      const [generation, ...records] = flat;
      return Array.from({ length: records.length / 3 }, (_, index) => ({
        name: String(records[3 * index]),
        done: records[3 * index + 1] === 1,
        jobs: String(records[3 * index + 2]).split(' '),
        generation: Number(generation),
      }));
    },
    async payloads(group, known = new Map()) {
      const pipeline = redis.pipeline();
      const unknown = group.jobs.filter(id => !known.has(id));
      for (const id of unknown) pipeline.hget(keys.jobPrefix + id, 'data');
      const data = (await execAll(pipeline)) as (string | null)[];
      const read = new Map(unknown.map((id, index) => [id, readPayload(id, data[index]!)]));
      return group.jobs.map(id => known.get(id) ?? read.get(id)!);
    },
    async attempt({ group, table, finding, server, insertMsMax }) {
      const reply = (await callScript(redis, 'intake-attempt', {
        keys: [keys.groupPrefix + group],
        args: [
          table,
          finding?.attempt ?? 0,
          finding?.present === true ? 1 : 0,
          finding?.afterDeadline === true ? 1 : 0,
          insertMsMax,
          server.id,
          server.uptimeS,
        ],
      })) as [string, number?, number?];
      return readStep(group, reply);
    },
    async finish(group, { jobsWithDuplicates, releases, settle }) {
      const finished = await callScript(redis, 'intake-finish', {
        keys: [keys.pending, keys.grouped, keys.releases, keys.unsettled, keys.groupPrefix + group],
        args: [
          group,
          keys.jobPrefix,
          settle ? 1 : 0,
          COMPLETE_KEPT_S,
          jobsWithDuplicates.length,
          ...jobsWithDuplicates,
          ...releases.flatMap(({ job, member }) => [job, member]),
        ],
      });
      if (finished === GONE) throw groupGone(group);
    },
  };
}

const GONE = -1;

/** A rebuild of the authority has forgotten the group; its jobs form another one. */
function groupGone(group: string): Fault {
  return new Fault('group_gone', `the group ${group} was forgotten`, { retryable: false });
}

function readStep(group: string, [kind, first = 0, second = 0]: [string, number?, number?]): AttemptStep {
  if (kind === 'gone') throw groupGone(group);
  if (kind === 'go') return { kind, attempt: first, deadline: second };
  if (kind === 'look') return { kind, attempt: first, afterDeadline: second === 1 };
  if (kind === 'wait') return { kind, ms: first };
  return { kind: 'done' };
}

/** A job without its payload never counts as empty: the batch was acknowledged. */
function readPayload(job: string, data: string | null): string {
  const payload = data === null ? undefined : (JSON.parse(data) as Partial<JobData>).payload;
  if (!payload) throw new Fault('batch_missing', `batch ${job} has no payload`, { retryable: true });
  return payload;
}
