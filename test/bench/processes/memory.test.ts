/**
 * The figures of memory that benchmarks print: what a process holds beside garbage, and the slope over several points.
 */
import { once } from 'node:events';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryWithoutGarbage, slopeOf } from '../../../bench/memory.ts';
import { inspectorOptions } from '../../../bench/profile.ts';
import { freePort } from '../../../cli/instance/free-port.ts';

const MIB = 2 ** 20;

test('a slope is the slope of the least-squares line', () => {
  expect(
    slopeOf([
      [1_000, 5_000],
      [19_000, 23_000],
    ]),
  ).toBe(1);
  expect(
    slopeOf([
      [0, 1],
      [1, 0],
      [2, 5],
      [3, 4],
    ]),
  ).toBeCloseTo(1.4);
  expect(() =>
    slopeOf([
      [7, 1],
      [7, 2],
    ]),
  ).toThrow('no slope');
});

test('garbage does not count as memory of a process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-memory-'));
  const program = join(folder, 'wasteful.cjs');
  writeFileSync(
    program,
    `let held = Array.from({ length: 1e6 }, (_, at) => ({ at })); held = held.slice(0, 10); process.send('ready'); setInterval(() => held, 1e6);`,
  );
  const port = await freePort();
  const child = fork(program, { execArgv: inspectorOptions(port), stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  try {
    await once(child, 'message');
    const { heapBytes, rssBytes } = await memoryWithoutGarbage({ pid: child.pid!, port });
    expect(heapBytes).toBeGreaterThan(MIB);
    expect(heapBytes).toBeLessThan(10 * MIB); // the million objects took three times as much
    expect(rssBytes).toBeGreaterThan(heapBytes);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
