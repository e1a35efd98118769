/**
 * Set-up of a test file that writes into the folder RECORD_FUNCTIONS which functions of the sources it has run, and how
 * long it took. V8 counts the calls, also those of the processes that the test starts and ends; threads are not seen.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { ROOT } from '../support/architecture/source-files.ts';
import type { Recorded } from './covering-tests.ts';

/** One for each process: files that share a process share its counters too. */
const shared = globalThis as { functionCounter?: Promise<Session> };
const counter = await (shared.functionCounter ??= openCounter());
const begun = performance.now();
const folder = process.env['RECORD_FUNCTIONS']!;
const test = relative(ROOT, expect.getState().testPath!);
const record = join(folder, test.replaceAll('/', '+'));
// Node writes there what a process has called when it ends.
process.env['NODE_V8_COVERAGE'] = `${record}.started`;
await counter.post('Profiler.takePreciseCoverage'); // counts begin anew

afterAll(async () => {
  const { result } = await counter.post('Profiler.takePreciseCoverage');
  const functions = functionsOf([...result, ...calledByStarted()]);
  const recorded: Recorded = { test, ms: Math.round(performance.now() - begun), functions };
  writeFileSync(`${record}.json`, JSON.stringify(recorded));
});

function calledByStarted(): Profiler.ScriptCoverage[] {
  const started = `${record}.started`;
  if (!existsSync(started)) return [];
  const called = readdirSync(started).flatMap(name => {
    const { result } = JSON.parse(readFileSync(join(started, name), 'utf8')) as { result: Profiler.ScriptCoverage[] };
    return result;
  });
  rmSync(started, { recursive: true });
  return called;
}

async function openCounter(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return session;
}

function functionsOf(scripts: readonly Profiler.ScriptCoverage[]): Recorded['functions'] {
  const found: Record<string, string[]> = {};
  for (const { url, functions } of scripts) {
    const file = relative(ROOT, url.startsWith('file:') ? fileURLToPath(url) : url);
    if (file.startsWith('..') || /^(node_modules|test|dist)\b/.test(file) || !file.endsWith('.ts')) continue;
    const run = functions.filter(({ ranges }) => ranges[0]!.count > 0).map(({ functionName }) => functionName);
    found[file] = [...new Set([...(found[file] ?? []), ...run])];
  }
  return found;
}
