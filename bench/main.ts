/**
 * `npm run bench -- <name>`: runs one benchmark, or all of them, prints the figures, and publishes them if asked to. A
 * new benchmark is one file and one line here.
 */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { sweepTemporaryFolders } from '#engines/temporary-folder.ts';
import { commandLine, runCommand, UsageError, wholeNumber } from '../cli/arguments.ts';
import { endOnInterrupt, endsAnyway } from '../cli/instance/interrupt.ts';
import { api } from './api/api.ts';
import { connections } from './delivery/connections.ts';
import { decide } from './delivery/decide.ts';
import { decisions } from './delivery/decisions.ts';
import { forecast } from './forecast/forecast.ts';
import { freshness } from './ingest/freshness.ts';
import { ingest } from './ingest/ingest.ts';
import { describeHost, measureSpeed, readCommit } from './published/host.ts';
import { writePages } from './published/page.ts';
import { writeResult } from './published/results.ts';
import { publishedRunOf } from './published/run.ts';
import { RULES } from './pacing/one-world.ts';
import { pacing } from './pacing/pacing.ts';
import { type Bench, type BenchOptions, type Figure, PUBLISHED_RUN, type RunLength } from './protocol.ts';
import { propagation } from './delivery/propagation.ts';
import { reports } from './ingest/reports.ts';
import { slots } from './delivery/slots.ts';
import { soak } from './delivery/soak.ts';
import { start } from './start.ts';
import { jsonLinesOf, tableOf } from './table.ts';
import { tls } from './sockets/tls.ts';
import { webhooks } from './webhooks/webhooks.ts';

const BENCHES: Record<string, Bench> = {
  api,
  connections,
  decide,
  decisions,
  forecast,
  freshness,
  ingest,
  pacing,
  propagation,
  reports,
  slots,
  soak,
  start,
  tls,
  webhooks,
};

/** For a first impression; `--publish` takes longer (README.md). */
const FIRST_LOOK: RunLength = { pairs: 1, forSeconds: 10 };
/** More would be a slip: a world takes some seconds. */
const SEEDS_MAX = 1_000;
/** Demand beyond twice the supply teaches nothing new. */
const LOAD_MAX = 2;
// This process has the memory of a delivery process, for decisions in process (package.json); its children do not.
delete process.env['GLIBC_TUNABLES'];

runCommand(async () => {
  const command = commandLine('npm run bench --')
    .description('Runs benchmarks: those named, or all of them.')
    .argument('[names...]', `of ${Object.keys(BENCHES).join(', ')}`)
    .option('--for <seconds>', 'length of a run', wholeNumber(1, 3_600))
    .option('--pairs <n>', 'runs of each kind', wholeNumber(1, 100))
    .option('--publish', 'write the figures into bench/results and the documents, if the tree is clean', false)
    .option('--profile', 'write a profile of the processor', false)
    .option('--only <figures>', 'measure these figures alone, separated by commas (api, start)')
    .option('--seeds <ranges>', 'seeds of the worlds, as in 1-16,20 (pacing)', seedsOf)
    .option('--loads <loads>', 'loads of plain worlds, or of plans, as in 0.9,1.05 (pacing, start)', loadsOf)
    .option(
      '--rules <rules>',
      `rules that decide the worlds, separated by commas, of ${RULES.join(', ')} (pacing)`,
      rulesOf,
    )
    .option('--json', 'print each goal as a line of JSON instead of a table', false)
    .parse();
  const { publish, json, pairs, for: forSeconds, profile, only, seeds, loads, rules } = command.opts();
  const names = namesOf(command.processedArgs[0]);
  if (publish && (pairs ?? forSeconds ?? only ?? seeds ?? loads ?? rules) !== undefined)
    throw new UsageError('Published runs have all figures and one length: --publish goes with names and --json alone.');
  const say = (text: string) => void (json || process.stderr.write(`${text}\n`));
  const options = {
    profile,
    say,
    ...(only !== undefined && { only: only.split(',') }),
    ...(seeds !== undefined && { seeds }),
    ...(loads !== undefined && { loads }),
    ...(rules !== undefined && { rules }),
  };
  const commit = publish ? readCleanCommit() : undefined;
  endOnInterrupt({ byForce: true });
  await sweepTemporaryFolders('marquee-bench-');
  const figures: Figure[] = [];
  const print = (found: readonly Figure[]) => {
    figures.push(...found);
    if (json) process.stdout.write(jsonLinesOf(found));
  };
  let failed = 0;
  for (const name of names) {
    if (commit === undefined) {
      const length = { pairs: pairs ?? FIRST_LOOK.pairs, forSeconds: forSeconds ?? FIRST_LOOK.forSeconds };
      print(await BENCHES[name]!.run({ ...length, ...options }));
      continue;
    }
    try {
      print(await publishRun(name, commit, options));
    } catch (error) {
      if (endsAnyway()) throw error;
      // One failure must not lose an hour of other benchmarks; its last figures stay.
      process.stderr.write(`${name} failed: ${(error as Error).stack ?? String(error)}\n`);
      failed = 1;
    }
  }
  if (!json) process.stdout.write(tableOf(figures));
  return failed;
});

/** @throws UsageError if the figures would not belong to the commit */
function readCleanCommit(): string {
  const { commit, changed } = readCommit();
  if (changed.length === 0) return commit;
  throw new UsageError(`Nothing is published: the work tree differs from ${commit} in ${changed.join(', ')}.`);
}

/** Runs a benchmark at its length and writes its figures and the pages. */
async function publishRun(
  name: string,
  commit: string,
  options: Omit<BenchOptions, 'pairs' | 'forSeconds'>,
): Promise<Figure[]> {
  const { published: length = PUBLISHED_RUN, run } = BENCHES[name]!;
  options.say(`${name}: ${length.pairs} pairs, ${length.forSeconds} s each`);
  const before = measureSpeed();
  const begun = performance.now();
  const figures = await run({ ...length, ...options });
  options.say(`${name}: took ${Math.round((performance.now() - begun) / 1_000)} s`);
  const speed = { before, after: measureSpeed() };
  writeResult(publishedRunOf({ bench: name, figures, length, host: describeHost(), speed, commit, date: new Date() }));
  writePages();
  return figures;
}

/** Seeds from numbers and ranges. */
function seedsOf(text: string): number[] {
  return text.split(',').flatMap(part => {
    const range = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part);
    if (range === null) throw new InvalidArgumentError('It takes numbers and ranges, as in 1-16,20.');
    const [first, last] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (last < first || last - first >= SEEDS_MAX)
      throw new InvalidArgumentError(`A range has from 1 to ${SEEDS_MAX} seeds.`);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/** Demand over expected supply. */
function loadsOf(text: string): number[] {
  return text.split(',').map(part => {
    const load = Number(part);
    if (!(load > 0 && load <= LOAD_MAX))
      throw new InvalidArgumentError(`A load is more than 0 and at most ${LOAD_MAX}.`);
    return load;
  });
}

/** Names of rules. */
function rulesOf(text: string): string[] {
  const names = text.split(',');
  if (!names.every(name => RULES.some(rule => rule === name)))
    throw new InvalidArgumentError(`It takes some of ${RULES.join(', ')}.`);
  return names;
}

/** The benchmarks of these names; all of them for none. */
function namesOf(chosen: readonly string[]): readonly string[] {
  const unknown = chosen.find(name => BENCHES[name] === undefined);
  if (unknown !== undefined)
    throw new UsageError(
      `There is no benchmark '${unknown}'. There are: ${Object.entries(BENCHES)
        .map(([name, { about }]) => `${name} (${about})`)
        .join(', ')}.`,
    );
  return chosen.length > 0 ? chosen : Object.keys(BENCHES);
}
