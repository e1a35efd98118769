/**
 * The history of kept runs: one file for each benchmark in `bench/history`, one line of JSON for each run, oldest
 * first.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compare, type Change, runBefore } from './comparison.ts';
import type { KeptRun, Spread } from './kept-run.ts';

export const HISTORY = resolve(import.meta.dirname, '../history');
const ENDING = '.ndjson';

export function keepRun(run: KeptRun, folder = HISTORY): void {
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${run.bench}${ENDING}`), `${JSON.stringify(run)}\n`);
}

/** All kept runs of a benchmark, oldest first. @throws naming the line that is none. */
export function readRuns(bench: string, folder = HISTORY): KeptRun[] {
  const file = join(folder, `${bench}${ENDING}`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter(line => line !== '').map((line, at) => readLine(line, `${bench}${ENDING}:${at + 1}`));
}

/** The benchmarks of which runs are kept. */
export function keptBenches(folder = HISTORY): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter(name => name.endsWith(ENDING));
  return files.map(name => name.slice(0, -ENDING.length)).sort();
}

function readLine(line: string, where: string): KeptRun {
  try {
    // Written by `keepRun` alone.
    return JSON.parse(line) as KeptRun;
  } catch (error) {
    throw new Error(`${where} is no kept run: ${(error as Error).message}`, { cause: error });
  }
}

/** The last kept figures of a benchmark, each with its change against the run before on that machine. */
export function historyText(bench: string, folder = HISTORY): string {
  const runs = readRuns(bench, folder);
  const last = runs.at(-1);
  if (last === undefined) return `${bench}: no run is kept\n`;
  const before = runBefore(last, runs);
  const of = `${last.date}, ${last.commit}, ${last.pairs} x ${last.seconds} s, Node ${last.node}, ${last.machine}`;
  const against = before === undefined ? 'the first on this machine' : `against ${before.date}, ${before.commit}`;
  return [`${bench}: ${of}; ${against}`, ...compare(last, before).map(lineOf), ''].join('\n');
}

/** A figure and its change, for people. */
function lineOf({ name, now, change, isWorse }: Change): string {
  const parts = [
    `  ${name}: ${spreadText(now.ours)}`,
    ...(now.ratio === null ? [] : [`ratio ${spreadText(now.ratio)}`]),
    `goal ${now.goal}${now.met ? '' : ' (missed)'}`,
    ...(change === undefined ? [] : [changeText(change)]),
  ];
  return `${parts.join('; ')}${isWorse ? '; WORSE beyond the noise' : ''}`;
}

export function changeText(change: number): string {
  return `${change < 0 ? '' : '+'}${(change * 100).toFixed(1)}%`;
}

export function spreadText({ median, min, max }: Spread): string {
  const text = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 3 });
  return min === max ? text(median) : `${text(median)} (${text(min)}..${text(max)})`;
}
