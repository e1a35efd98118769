/**
 * The threads in which long calculations run, so that no other job waits for them. `threads/` has what runs in them.
 */
import { Piscina } from 'piscina';
import type { DaySplit } from '#domain/allocation/hindsight/day-split.ts';
import { type ProgramName, programOf } from '#runtime/programs/program.ts';
import type { DayQuestion } from './threads/look-back.ts';
import type { PlanQuestion } from './threads/plan-delivery.ts';

/** One function for each calculation. */
export type Pool = {
  planDelivery(question: PlanQuestion): Promise<Uint8Array>;
  lookBack(question: DayQuestion): Promise<DaySplit>;
  close(): Promise<void>;
};

/** One thread each: a plan is made once at a time, and a day is looked at once a day. */
const THREADS = 1;
/** An idle thread ends after this time. Longer than the plan's period, so that it stays while it is needed. */
const IDLE_MS = 120_000;
/** Callers call one at a time; more waiting calls would be a bug. */
const QUEUE_MAX = 2;

export function openPool(): Pool {
  const plans = openThread<PlanQuestion, Uint8Array>('workers/threads/plan-delivery.ts');
  const days = openThread<DayQuestion, DaySplit>('workers/threads/look-back.ts');
  return {
    planDelivery: question => plans.run(question),
    lookBack: question =>
      days.run(question, { transferList: Object.values(question.slots).map(cells => cells.buffer as ArrayBuffer) }),
    close: async () => {
      await Promise.all([plans.close({ force: true }), days.close({ force: true })]);
    },
  };
}

function openThread<Question, Answer>(program: ProgramName): Piscina<Question, Answer> {
  const { file, execArgv } = programOf(program);
  return new Piscina<Question, Answer>({
    filename: file,
    execArgv, // also where the parent was started in another way
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    maxQueue: QUEUE_MAX,
  });
}
