/**
 * The threads in which long calculations run, so that no other job waits for them. `threads/` has what runs in them.
 */
import { Piscina } from 'piscina';
import { programOf } from '#runtime/programs/program.ts';
import type { PlanQuestion } from './threads/plan-delivery.ts';

/** One function for each calculation. */
export type Pool = { planDelivery(question: PlanQuestion): Promise<Uint8Array>; close(): Promise<void> };

/** One thread: a machine of two cores has no more to give, and a plan is made once at a time. */
const THREADS = 1;
/**
 * A thread that had nothing to do for so long ends. Longer than the plan's period, so that it stays while it is needed.
 */
const IDLE_MS = 120_000;
/** Plans ask one at a time; more waiting would be a bug. */
const QUEUE_MAX = 2;

export function openPool(): Pool {
  const { file, execArgv } = programOf('workers/threads/plan-delivery.ts');
  const pool = new Piscina<PlanQuestion, Uint8Array>({
    filename: file,
    execArgv, // also where the parent was started in another way
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    maxQueue: QUEUE_MAX,
  });
  return {
    planDelivery: question =>
      pool.run(
        question,
        question.before === undefined ? {} : { transferList: [question.before.buffer as ArrayBuffer] },
      ),
    close: () => pool.close({ force: true }),
  };
}
