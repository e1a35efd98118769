/**
 * Puts a process behind all others on the same machine: in CPU time, and as the first that the kernel ends when memory
 * runs out. The analysts' process does so, and the benchmarks' processes that stand for clients on other machines.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Five steps of niceness weigh a third: services that want the same core get most of it, and a query of analysts gets
 * on. Ten steps are a tenth, with which a small query took minutes on a machine full of reports and inserts.
 */
const NICER = 5;
const NICE_MAX = 19;
/** The kernel's first choice when memory runs out. */
const OOM_SCORE = '1000';

/**
 * Gives this process the lowest priority: its current threads, and so those that they start later. None of it needs a
 * privilege; a means that the system does not have is left out.
 */
export function yieldToOthers(): void {
  const nice = Math.min(getPriority() + NICER, NICE_MAX);
  if (process.platform !== 'linux') {
    setPriority(nice);
    return;
  }
  // Linux has a niceness per thread; a new thread inherits it from its parent thread.
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), nice);
  // If the kernel schedules by session (autogroup), the niceness of the session counts.
  write('autogroup', String(nice));
  write('oom_score_adj', OOM_SCORE);
}

function write(file: string, value: string): void {
  try {
    writeFileSync(`/proc/self/${file}`, value);
  } catch {
    // a kernel without it, or a container that keeps it
  }
}
