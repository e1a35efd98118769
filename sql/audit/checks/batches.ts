/**
 * Every acknowledged batch is complete or pending. Redis keeps the hash of a batch until a day after it was completed,
 * so each hash of the queue is checked: either the batch is done, or it holds as_of back, has its payload and is in a
 * list where workers find it.
 */
import { execAll, scanKeys, type Redis } from '#sql/redis.ts';
import { findLasting, type Findings, type QueueKeys, type VerifyDependencies } from './findings.ts';

const JOBS_AT_ONCE = 1_000;
const LISTS = ['wait', 'active', 'paused'] as const;
const SETS = ['delayed', 'prioritized', 'waiting-children'] as const;

type Stream = { redis: Redis; queue: QueueKeys };
type Suspect = { job: string; detail: string };

export async function checkBatches(dependencies: VerifyDependencies, findings: Findings): Promise<void> {
  for (const queue of dependencies.streams) await checkStream({ redis: dependencies.redis, queue }, findings);
}

async function checkStream(stream: Stream, findings: Findings): Promise<void> {
  const suspects = await findLasting<Suspect>(
    async before => faultsOf(stream, before === undefined ? await openJobs(stream) : before.map(({ job }) => job)),
    ({ job }) => job,
  );
  for (const { job, detail } of suspects) findings.add({ invariant: 'batches', detail: `batch ${job} ${detail}` });
  const failed = await stream.redis.zcard(`${stream.queue.jobPrefix}failed`);
  if (failed > 0)
    findings.add({
      invariant: 'batches',
      detail: `${failed} batches stand among the failed, where no worker takes them`,
    });
}

/** Ids of batches that are not done: those that hold as_of back, and those that have a hash without being done. */
async function openJobs({ redis, queue }: Stream): Promise<string[]> {
  const open = new Set(await redis.zrange(queue.pending, 0, -1));
  for await (const names of scanKeys(redis, `${queue.jobPrefix}*`, { type: 'hash' })) {
    const jobs = names.map(name => name.slice(queue.jobPrefix.length)).filter(name => name !== 'meta');
    const pipeline = redis.pipeline();
    for (const job of jobs) pipeline.hmget(queue.jobPrefix + job, 'data', 'done');
    const states = jobs.length === 0 ? [] : ((await execAll(pipeline)) as [string | null, string | null][]);
    for (const [index, [data, done]] of states.entries()) if (data !== null && done === null) open.add(jobs[index]!);
  }
  return [...open];
}

async function faultsOf({ redis, queue }: Stream, jobs: readonly string[]): Promise<Suspect[]> {
  const suspects: Suspect[] = [];
  for (let at = 0; at < jobs.length; at += JOBS_AT_ONCE) {
    const page = jobs.slice(at, at + JOBS_AT_ONCE);
    const queued = await queuedJobs({ redis, queue });
    const transaction = redis.multi();
    for (const job of page) transaction.hmget(queue.jobPrefix + job, 'data', 'done').zscore(queue.pending, job);
    const answers = await execAll(transaction);
    for (const [index, job] of page.entries()) {
      const [data, done] = answers[2 * index] as [string | null, string | null];
      const detail = faultOf({
        data,
        done: done !== null,
        pending: answers[2 * index + 1] !== null,
        queued: queued.has(job),
      });
      if (detail) suspects.push({ job, detail });
    }
  }
  return suspects;
}

type JobState = { data: string | null; done: boolean; pending: boolean; queued: boolean };

function faultOf({ data, done, pending, queued }: JobState): string | undefined {
  if (done) return pending ? 'is complete and still holds as_of back' : undefined;
  // Redis has deleted the batch since, because it was complete.
  if (data === null) return pending ? 'holds as_of back and is not there' : undefined;
  if ((JSON.parse(data) as { payload?: string }).payload === '') return 'is not complete and its payload is gone';
  if (!pending) return 'is not complete and does not hold as_of back';
  return queued ? undefined : 'is not complete and no worker will find it';
}

/** The ids of all batches that wait or are worked on. */
async function queuedJobs({ redis, queue }: Stream): Promise<Set<string>> {
  const transaction = redis.multi(); // one snapshot, so that a batch that moves from one list to the next is not missed
  for (const list of LISTS) transaction.lrange(queue.jobPrefix + list, 0, -1);
  for (const set of SETS) transaction.zrange(queue.jobPrefix + set, 0, -1);
  return new Set(((await execAll(transaction)) as string[][]).flat());
}
