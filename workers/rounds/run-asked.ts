/** Runs the jobs requested by an operator, each once, in its turn among all processes. */
import type { Job, JobContext } from '../schedule.ts';
import { faultText, type JobRounds, type Round } from './job-rounds.ts';
import { runInTurn } from './on-request.ts';

export type AskedOptions = {
  rounds: JobRounds;
  /** The jobs that can be requested. */
  jobs: readonly Job[];
  note: (round: Round) => void;
};

/** `stop` ends the wait for a turn. */
export function runAskedJob({ rounds, jobs, note }: AskedOptions): { job: Job; stop(): void } {
  const stopped = new AbortController();
  return {
    job: {
      // A person has pressed a button; one read of a hash that is mostly empty.
      name: 'run-asked',
      everyMs: 1_000,
      lock: undefined,
      async run(context) {
        let ran = 0;
        for (const name of await rounds.claim(context.now().getTime())) {
          const job = jobs.find(one => one.name === name);
          const isDone = job === undefined || (await runNoted(job, context, { note, signal: stopped.signal }));
          await (isDone ? rounds.done(name) : rounds.release(name));
          ran += 1;
        }
        return ran;
      },
    },
    stop: () => stopped.abort(),
  };
}

/** Whether it has run; a fault is reported and retried like a fault in a regular round. */
async function runNoted(
  job: Job,
  context: JobContext,
  { note, signal }: { note: (round: Round) => void; signal: AbortSignal },
): Promise<boolean> {
  const from = performance.now();
  let [did, fault]: [number | undefined, string | null] = [0, null];
  try {
    did = await runInTurn(job, context, signal);
  } catch (error) {
    context.log.warn({ err: error, job: job.name }, 'a job that an operator asked for failed');
    fault = faultText(error);
  }
  if (did === undefined) return false;
  note({ name: job.name, endedAtMs: context.now().getTime(), tookMs: performance.now() - from, did, fault });
  return true;
}
