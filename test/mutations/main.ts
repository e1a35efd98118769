/**
 * `npm run test:mutations -- [--count 200] [--seed 1] [--from 1] [--only folder] [--record]`: draws mutations of the
 * rules, the books, ingest, delivery and authentication. For each it runs the test files that call the changed function
 * until one fails. Ends with 1 if more than one in twenty lives. Files are restored afterwards. An interrupted run is
 * continued by `--from`. The first run, and one with `--record`, runs all tests to see what each calls.
 */
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest } from 'vitest/node';
import { openRedis } from '#sql/redis.ts';
import { endOnInterrupt } from '../../cli/instance/interrupt.ts';
import { filesOfKind, ROOT } from '../support/architecture/source-files.ts';
import { startTestEngines } from '../support/engines/engines.ts';
import { prepareEngines } from '../support/vitest/templates.ts';
import { createCoveringTests, hasRecords, recordTests } from './covering-tests.ts';
import { mutantsOf, type Mutant } from './mutants.ts';

const FOLDERS = ['domain', 'sql', 'authority', 'ingest', 'delivery', 'api/authentication'];
/** Data, files that only declare, and work that only makes later work fast. */
const NOT_MUTATED = /\.d\.ts$|^domain\/data\/|^sql\/migrations\/|^delivery\/warm-up\//;
/** A mutation may loop without end. */
const FILE_MS_MAX = 60_000;
const ALIVE_SHARE_MAX = 0.05;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
  },
});
const [count, seed, from] = [Number(values.count), Number(values.seed), Number(values.from)];
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed) || !(from >= 1 && from <= count))
  throw new RangeError('--count and --seed are whole numbers, and --from is one from 1 to --count');

endOnInterrupt({ byForce: false });
if (values.record || !hasRecords()) await recordTests();
const testsOf = createCoveringTests();
const drawn = draw(allMutants(), { count, seed }).slice(from - 1);
const engines = await startTestEngines({ postgresSettings: { fsync: 'off', full_page_writes: 'off' } });
const redis = openRedis(engines.urls.redisUrl, { role: 'commands' });
let onModule: { begin(file: string): void; fail(file: string): void } | undefined;
// One process for all mutations: it transforms and keeps the modules that did not change.
const vitest = await createVitest('test', {
  config: 'test/support/vitest/mutations.config.ts',
  watch: false,
  reporters: [
    {
      onTestModuleStart: module => onModule?.begin(module.relativeModuleId),
      onTestModuleEnd: module => {
        if (!module.ok()) onModule?.fail(module.relativeModuleId);
      },
    },
  ],
});
const project = vitest.getRootProject();
/** Whether a test file passes on the source as it is. */
const sound = new Map<string, boolean>();
const alive: Mutant[] = [];
let restore = (): void => undefined;
process.once('exit', () => restore()); // an interrupt ends the process in the middle of a mutation
try {
  await prepareEngines(engines.urls);
  const { databaseUrl, redisUrl, clickhouseUrl } = engines.urls;
  vitest.provide('databaseUrl', databaseUrl);
  vitest.provide('redisUrl', redisUrl);
  vitest.provide('clickhouseUrl', clickhouseUrl);
  vitest.provide('analyst', engines.clickhouse);
  for (const mutant of drawn) {
    const begun = Date.now();
    const test = await findingTest(mutant);
    if (test === undefined) alive.push(mutant);
    const seconds = Math.round((Date.now() - begun) / 1_000);
    process.stdout.write(`${test ? 'found' : 'ALIVE'}  ${spelled(mutant)}  [${test ?? 'no test'}, ${seconds} s]\n`);
  }
} finally {
  redis.disconnect();
  await vitest.close();
  await engines.remove();
}
process.stdout.write(`\n${drawn.length} mutations, ${alive.length} alive, seed ${seed}\n`);
for (const mutant of alive) process.stdout.write(`ALIVE  ${spelled(mutant)}\n`);
process.exitCode = alive.length > ALIVE_SHARE_MAX * drawn.length ? 1 : 0;

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

/**
 * So many of them, each once; the same ones for a seed. Each has a number by its own text, so that a change of one file
 * draws the mutations of the others again.
 */
function draw(mutants: readonly Mutant[], { count, seed }: { count: number; seed: number }): Mutant[] {
  const seen = new Map<string, number>();
  const numbered = mutants.map(mutant => {
    const spelling = `${mutant.file} ${mutant.before} ${mutant.text}`;
    const time = (seen.get(spelling) ?? 0) + 1;
    seen.set(spelling, time);
    return { mutant, number: hash('sha256', `${seed} ${spelling} ${time}`) };
  });
  return numbered
    .sort((one, other) => (one.number < other.number ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** Changes the file, runs its nearest tests, and restores it. A test that fails without the change says nothing. */
async function findingTest(mutant: Mutant): Promise<string | undefined> {
  const { file, start, end, text } = mutant;
  const path = join(ROOT, file);
  const source = readFileSync(path, 'utf8');
  const write = (changed: string) => {
    writeFileSync(path, changed);
    vitest.invalidateFile(path);
  };
  restore = () => write(source);
  const tests = testsOf(mutant);
  try {
    for (;;) {
      write(source.slice(0, start) + text + source.slice(end));
      const failed = await firstFailure(tests.filter(test => sound.get(test) !== false));
      if (failed === undefined) return undefined;
      restore();
      if (!sound.has(failed)) sound.set(failed, (await firstFailure([failed])) === undefined);
      if (sound.get(failed)) return failed;
      process.stdout.write(`${failed} fails without a mutation, and is skipped\n`);
    }
  } finally {
    restore();
  }
}

/** The first test file that fails, or that does not end in time. */
async function firstFailure(tests: readonly string[]): Promise<string | undefined> {
  await redis.flushall(); // it has 256 databases, and each test file takes one
  // The failures of earlier runs would count for `bail`.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  let failed: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const fail = (file: string) => {
    failed ??= file;
    // The first call asks the process to stop, the second kills it.
    for (const _ of [1, 2]) void vitest.cancelCurrentRun('test-failure');
  };
  onModule = {
    begin: file => {
      clearTimeout(timer);
      timer = setTimeout(() => fail(file), FILE_MS_MAX);
    },
    fail,
  };
  const { unhandledErrors } = await vitest.runTestSpecifications(
    tests.map(test => project.createSpecification(join(ROOT, test))),
  );
  clearTimeout(timer);
  return failed ?? (unhandledErrors.length > 0 ? tests[0] : undefined);
}
