/**
 * `npm run test:mutations -- [--count 200] [--seed 1] [--only folder] [--jobs 1]`: draws mutations of the rules, the
 * books, ingest, delivery and authentication. For each it runs the test files that reach its file in the fewest
 * imports, until one fails. Ends with 1 if more than one in twenty lives. Files are put back as they were.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { own } from '#engines/processes/owned.ts';
import { endOnInterrupt } from '../../cli/instance/interrupt.ts';
import { filesOfKind, importGraph, ROOT, sourceFiles } from '../support/architecture/source-files.ts';
import { startTestEngines } from '../support/engines/engines.ts';
import { ALONE_TESTS } from '../support/vitest/alone-tests.ts';
import { LONG_TESTS } from '../support/vitest/long-tests.ts';
import { prepareEngines } from '../support/vitest/templates.ts';
import { mutantsOf, type Mutant } from './mutants.ts';

const FOLDERS = ['domain', 'sql', 'ingest', 'delivery', 'api/authentication'];
/** Data, and files that only declare. */
const NOT_MUTATED = /\.d\.ts$|^domain\/data\/|^sql\/migrations\//;
/** Tests that judge the source as text, or need minutes. */
const NOT_RUN = /^test\/(architecture|file-shapes|bench|docs|deploy|web|sdk|mutations)/;
/** Test files by stage, nearest first: most mutations die in the first, and few need the last. */
const CONFIG = 'test/support/vitest/mutations.config.ts';
const STAGES = [6, 14, 30];
const STAGE_MS_MAX = 300_000; // a mutation may loop for ever: then it was found
const ALIVE_SHARE_MAX = 0.05;

/** Found by a test, by the compiler alone, or by neither. */
type Verdict = 'tested' | 'typed' | 'alive';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed))
  throw new RangeError('--count and --seed are whole numbers');

endOnInterrupt({ byForce: false });
const drawn = draw(allMutants(), { count, seed });
const nearest = createNearest();
const engines = await startTestEngines({ postgresSettings: { fsync: 'off', full_page_writes: 'off' } });
const alive: Mutant[] = [];
const tally = { tested: 0, typed: 0, alive: 0 };
try {
  await prepareEngines(engines.urls);
  for (const mutant of drawn) {
    const verdict = await judge(mutant);
    tally[verdict]++;
    if (verdict === 'alive') alive.push(mutant);
    process.stdout.write(`${verdict.padEnd(6)} ${spelled(mutant)}\n`);
  }
} finally {
  await engines.remove();
}
process.stdout.write(
  `\n${tally.tested} found by tests, ${tally.typed} by the compiler, ${tally.alive} alive, seed ${seed}\n`,
);
for (const mutant of alive) process.stdout.write(`alive  ${spelled(mutant)}\n`);
process.exitCode = tally.alive > ALIVE_SHARE_MAX * drawn.length ? 1 : 0;

function spelled({ file, line, before, text }: Mutant): string {
  const oneLine = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 80);
  return `${file}:${line}  ${oneLine(before)}  ->  ${oneLine(text) || '(removed)'}`;
}

function allMutants(): Mutant[] {
  const files = FOLDERS.flatMap(folder => filesOfKind(folder, /\.(ts|lua)$/)).filter(
    file => file.startsWith(values.only) && !NOT_MUTATED.test(file),
  );
  return files.flatMap(file => mutantsOf(file, readFileSync(join(ROOT, file), 'utf8')));
}

/** So many of them, each once, by a generator that gives the same ones for a seed (mulberry32). */
function draw(mutants: readonly Mutant[], { count, seed }: { count: number; seed: number }): Mutant[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const left = [...mutants];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0]!,
  );
}

/** A function that gives the test files that reach a file, those of the fewest imports first. */
function createNearest(): (file: string) => string[] {
  const importers = new Map<string, string[]>();
  for (const [file, targets] of importGraph(sourceFiles('')))
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  const scripts = sourceFiles('sql/authority');
  return file => {
    const found = new Set<string>();
    const seen = new Set([file]);
    let edge = file.endsWith('.lua') ? scripts : [file];
    while (edge.length > 0) {
      for (const each of edge) if (isRun(each)) found.add(each);
      edge = [...new Set(edge.flatMap(each => importers.get(each) ?? []))].filter(each => !seen.has(each));
      for (const each of edge) seen.add(each);
    }
    // Of the same distance, those of the same name first.
    const name = file
      .split('/')
      .at(-1)!
      .replace(/\.\w+$/, '');
    return [...found].sort((a, b) => Number(b.includes(`/${name}.`)) - Number(a.includes(`/${name}.`)));
  };
}

function isRun(file: string): boolean {
  return file.endsWith('.test.ts') && !NOT_RUN.test(file) && ![...LONG_TESTS, ...ALONE_TESTS].includes(file);
}

/** Changes the file, runs the tests, and puts the file back. */
async function judge({ file, start, end, text }: Mutant): Promise<Verdict> {
  const path = join(ROOT, file);
  const source = readFileSync(path, 'utf8');
  const tests = nearest(file);
  writeFileSync(path, source.slice(0, start) + text + source.slice(end));
  try {
    let from = 0;
    for (const size of STAGES) {
      const stage = tests.slice(from, from + size);
      from += size;
      if (stage.length > 0 && !(await pass(stage))) return 'tested';
    }
    return (await compiles(file)) ? 'alive' : 'typed';
  } finally {
    writeFileSync(path, source);
  }
}

async function pass(files: readonly string[]): Promise<boolean> {
  return (await run(['node_modules/vitest/vitest.mjs', 'run', '--config', CONFIG, '--bail', '1', ...files])) === 0;
}

async function compiles(file: string): Promise<boolean> {
  return (
    file.endsWith('.lua') ||
    (await run(['node_modules/typescript/bin/tsc', '--noEmit', '--incremental', 'false'])) === 0
  );
}

async function run(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'ignore',
    env: { ...process.env, TEST_ENGINES: JSON.stringify({ urls: engines.urls, analyst: engines.clickhouse }) },
    timeout: STAGE_MS_MAX,
  });
  await own(child, 'program');
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
