/** The CPU time of processes as the benchmarks read it from the system. Real processes that spin. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { busySecondsOf, cpuSecondsOf } from '../../bench/cpu-time.ts';

/** Spins for some ms of CPU time. */
function spin(ms: number): void {
  const start = process.cpuUsage();
  for (let spent = process.cpuUsage(start); (spent.user + spent.system) / 1000 < ms; spent = process.cpuUsage(start));
}

test('the CPU time of a process grows with its work', () => {
  const cpu = cpuSecondsOf([process.pid]);
  spin(200);
  // Accounted in ticks of 10 ms.
  expect(cpuSecondsOf([process.pid]) - cpu).toBeGreaterThanOrEqual(0.18);
});

test('a main thread that never sleeps is busy all the time, on however few cores', () => {
  const [start, busy] = [performance.now(), busySecondsOf(process.pid)];
  spin(200);
  const passed = (performance.now() - start) / 1000;
  // The kernel adds to these times at ticks, and the collector's threads stop the main thread for moments.
  expect(busySecondsOf(process.pid) - busy).toBeGreaterThanOrEqual(0.7 * passed);
});

test('a process named twice is counted once', () => {
  const single = cpuSecondsOf([process.pid]);
  expect(cpuSecondsOf([process.pid, process.pid]) - single).toBeLessThan(single);
});

test('the time of a child belongs to its parent, while it lives and after it has ended', async () => {
  const before = cpuSecondsOf([process.pid]);
  const script =
    'const start = Date.now(); while (Date.now() - start < 300); process.send(1); process.once("message", () => process.exit(0))';
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(child, 'message');
  const ofChild = cpuSecondsOf([child.pid!]);
  const alive = cpuSecondsOf([process.pid]) - before;
  expect(ofChild).toBeGreaterThan(0.05);
  expect(alive).toBeGreaterThanOrEqual(ofChild - 1e-9); // sums of ticks as decimals of a second
  const exited = once(child, 'exit');
  child.send('end');
  await exited;
  expect(cpuSecondsOf([process.pid]) - before).toBeGreaterThanOrEqual(alive - 1e-9);
});

test('a process that does not exist has used nothing', () => {
  expect(cpuSecondsOf([2 ** 22 + 1])).toBe(0);
});
