/** The last run of each benchmark: one file of JSON each in `bench/results`. Git keeps the runs before. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PublishedRun } from './run.ts';

const RESULTS = resolve(import.meta.dirname, '../results');
const ENDING = '.json';

export function writeResult(run: PublishedRun, folder = RESULTS): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${run.bench}${ENDING}`), `${JSON.stringify(run, undefined, 2)}\n`);
}

/** By name of the benchmark. */
export function readResults(folder = RESULTS): PublishedRun[] {
  const files = readdirSync(folder).filter(name => name.endsWith(ENDING));
  // Written by `writeResult` alone.
  return files.sort().map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as PublishedRun);
}
