/**
 * Puts a process behind all others on the same machine: in CPU time, and as the first that the kernel ends when memory runs
 * out. The analysts' process does so, and the benchmarks' processes that stand for clients on other machines.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** A tenth of the weight of those who have what this process began with: where a service wants the same core it gets it; all that is left is the analysts'. */
const NICER = 10;
const NICE_MAX = 19;
/** The kernel's first choice when memory runs out. */
const OOM_SCORE = '1000';

/**
 * Puts this process behind all others: the threads that it has, and so those that these will make. None of it needs a
 * privilege; where the system does not know one of the means, the others hold.
 */
export function yieldToOthers(): void {
  const nice = Math.min(getPriority() + NICER, NICE_MAX);
  if (process.platform !== 'linux') {
    setPriority(nice);
    return;
  }
  // Linux weighs each thread by itself, and makes a thread like the one that makes it.
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), nice);
  // Where the kernel groups by sessions, a process with one of its own is weighed by the value of that.
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
